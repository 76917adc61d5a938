/* The n-th of keys, by one thread. */
#ifndef WW__FEW_H
#define WW__FEW_H

#include "sort/select/pick.h"

/* Bytes of keys that are narrowed sooner than they are counted by digits: by two threads, and by one. */
enum { WW__FEW_SHARED = 1 << 24, WW__FEW_ALONE = 1 << 26 };

typedef struct ww__few {
    const void *keys; /* of 4 or 8 bytes, compared by all their bits */
    uint64_t n, rank; /* n >= 1, rank < n */
    ww__radix_order order;
    size_t key_size;
} ww__few;

/* Whether there is a loop for keys of this size and mask. */
bool ww__few_takes(size_t key_size, ww__word mask);

/* Bytes to work in. */
size_t ww__few_room(uint64_t n, size_t key_size);

/* The key of that rank, as a number. False where samples have misled again and again. */
bool ww__few_nth(const ww_device *device, const ww__few *few, void *room, ww__word *number);

#endif
