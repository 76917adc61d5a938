/* Buckets of equal width: a key over the width is found by multiplication. */
#ifndef WW__DIVISION_H
#define WW__DIVISION_H

#include "multisplit/multisplit.h"

/* key / width = (half + ((key - half) >> shift_first)) >> shift, half being the upper half of key * factor. */
typedef struct ww__division {
    uint64_t factor; /* of 32 bits for keys of up to 32 */
    uint32_t shift_first, shift;
} ww__division;

/* Whether this serves: buckets are ww_by_delta's, of keys of up to 32 bits a width of 32, or of keys of 64. */
bool ww__division_of(const ww__splitting *s, ww__division *division);

#endif
