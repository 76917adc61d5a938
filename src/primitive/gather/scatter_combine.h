/* Scattering numbers by adding them to, or keeping the smaller or larger of them and, what stands in their place. */
#ifndef WW__SCATTER_COMBINE_H
#define WW__SCATTER_COMBINE_H

#include "warpwise/primitive.h"

/* Moves in[positions[i]] to to[places[i]], i = 0 … n - 1 in order; elements of `size` bytes. */
typedef void ww__place_loop(unsigned char *to, const unsigned char *in, const uint64_t *places,
                            const uint32_t *positions, size_t n, size_t size);

/* For WW_CONFLICT_ADD, _MIN, _MAX and a number's type. */
ww__place_loop *ww__combine_loop(ww_conflict conflict, const ww_type *type);

#endif
