/* Oracle of pack: element by element. */
#ifndef REFERENCE_PACK_H
#define REFERENCE_PACK_H

#include <stddef.h>
#include <stdint.h>

/* Keeps the elements whose flag is not 0; out has room for n. Returns how many. */
size_t reference_pack(void *out, const void *x, const uint8_t *flags, size_t n, size_t size);

#endif
