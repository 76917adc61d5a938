/* Gather and scatter, one element after another. */
#ifndef REFERENCE_GATHER_H
#define REFERENCE_GATHER_H

#include "warpwise.h"

/* Indices that are too large are passed over. */
void reference_gather(const void *from, size_t count, const uint64_t *index, size_t n, void *out, size_t size);
/* WW_CONFLICT_LAST, and _ADD, _MIN, _MAX for a number's type. */
void reference_scatter(const void *in, const ww_type *type, size_t size, const uint64_t *index, size_t n, void *to,
                       size_t count, ww_conflict conflict);

#endif
