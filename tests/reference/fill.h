/* Oracle of filling: one value again and again. */
#ifndef REFERENCE_FILL_H
#define REFERENCE_FILL_H

#include <stddef.h>

void reference_fill(void *to, size_t count, const void *value, size_t size);

#endif
