/* Dividing keys by one number: a key over the width of buckets is found by multiplication. */
#ifndef WW__DIVISION_H
#define WW__DIVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* key / width = (half + ((key - half) >> shift_first)) >> shift, half being the upper half of key * factor. */
typedef struct ww__division {
    uint64_t factor; /* of 32 bits for keys of up to 32 */
    uint32_t shift_first, shift;
} ww__division;

/* Whether this serves: for keys of up to 32 bits a width of 32, or keys of 64; and no width of 0. */
bool ww__division_of(uint64_t width, size_t key_size, ww__division *division);

#endif
