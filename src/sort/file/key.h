/* What elements of files are ordered by: numbers, by their value or some bits; or a part of their bytes, as memcmp compares. */
#ifndef WW__FILE_KEY_H
#define WW__FILE_KEY_H

#include <string.h>

#include "radix/radix.h"

typedef struct ww__file_key {
    size_t first, bytes; /* where in an element */
    bool is_bytes, descending;
    ww__radix_order order; /* of numbers: the bits of what it makes of them are compared */
    unsigned bit_first, bit_count;
} ww__file_key;

/* Below 0 where key a comes before key b, above 0 where it comes behind. */
static inline int ww__file_key_compare(const ww__file_key *key, const void *a, const void *b) {
    if (key->is_bytes) {
        const int order = memcmp(a, b, key->bytes);
        return key->descending ? -order : order;
    }
    const ww__word ones = ww__radix_ones(key->bit_count);
    const ww__word x = ww__radix_number_at(a, key->bytes, 0, &key->order) >> key->bit_first & ones;
    const ww__word y = ww__radix_number_at(b, key->bytes, 0, &key->order) >> key->bit_first & ones;
    return (x > y) - (x < y);
}

#endif
