/* Oracle of merging. */
#ifndef REFERENCE_MERGE_H
#define REFERENCE_MERGE_H

#include "reference/order.h"

/* Stable: of equal elements a's come first. from[k]: whether element k came from b. */
void reference_merge(void *out, bool *from, const void *a, size_t na, const void *b, size_t nb, size_t size,
                     reference_before *before);

#endif
