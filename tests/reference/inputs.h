/* Casts, views, indices and zips, one element after the other. */
#ifndef REFERENCE_INPUTS_H
#define REFERENCE_INPUTS_H

#include "warpwise.h"

/* out[i] = in[i] as `to`, as ww_cast says. */
void reference_cast(void *out, const ww_type *to, const void *in, const ww_type *from, size_t n);

/* out[i] = in[first + i * stride], elements of `size` bytes. */
void reference_strided(void *out, const void *in, size_t size, int64_t first, int64_t stride, size_t count);

/* out[i] = in[index[i]]. */
void reference_permuted(void *out, const void *in, size_t size, const uint64_t *index, size_t n);

/* out[i + offset …] = in[i]: one member of structs of `room` bytes. */
void reference_member(void *out, size_t room, size_t offset, const void *in, size_t size, size_t n);

#endif
