/* Picking keys from a run of them: those whose bits in a mask lie between two bounds, in their order. */
#ifndef WW__PICK_H
#define WW__PICK_H

#include "radix/radix.h"

typedef struct ww__picking {
    ww__radix_order order;
    ww__word mask, from, to; /* from <= number & mask <= to */
} ww__picking;

/* Picks among n keys, of which the first is number `first` of all; returns how many. numbers gets them as numbers (radix.h),
 * positions, if not NULL, where they are; both have room for one more than are picked. below, if not NULL, is raised by how many
 * come before `from`. */
typedef size_t ww__pick(const ww__picking *p, const void *keys, size_t n, uint64_t first, void *numbers,
                        uint64_t *positions, uint64_t *below);

/* The loop for keys of 1, 2, 4, 8 or 16 bytes. */
ww__pick *ww__pick_of(const ww_device *device, size_t key_size);

#endif
