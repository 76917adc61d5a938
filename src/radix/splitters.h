/* Buckets between the keys of a sample, for keys that no digit spreads: splitters.c. */
#ifndef WW__SPLITTERS_H
#define WW__SPLITTERS_H

#include "radix/radix_cpu.h"

enum {
    WW__SPLITTERS_LEVELS = 9, /* of a search among them, at most: two buckets for each, and one before the first */
    WW__SPLITTERS_MOST = (1 << WW__SPLITTERS_LEVELS) - 1
};
_Static_assert((int)WW__SPLITTERS_MOST < (int)WW__RADIX_BUCKETS / 2, "buckets of a partition");

/* Splitters of numbers of up to 64 bits: 2^levels - 1 of them, of which the last may be there more than once. Bucket 2 k has the
 * numbers between the k-th, counted from 1, and the next; bucket 2 k - 1 those that are the k-th itself. */
typedef struct ww__splitters {
    uint64_t key[WW__SPLITTERS_MOST];         /* in order */
    uint64_t node[1 << WW__SPLITTERS_LEVELS]; /* in the order of a search: of each level 2^level, from that place on */
    uint32_t half[1 << WW__SPLITTERS_LEVELS]; /* the same, where numbers have 32 bits */
    unsigned levels;
    uint64_t many; /* different ones */
} ww__splitters;

/* Whether equal keys stand in a bucket of their own. */
static inline bool ww__splitters_equal(uint64_t bucket) { return bucket % 2 == 1; }

/* Chooses splitters by a sample of a range that is no smaller. Keys are of 4 or 8 bytes. */
void ww__splitters_choose(const ww__radix_run *r, const ww__radix_range *range, ww__splitters *splitters);

/* One partition by them, to 2^(levels + 1) buckets; bounds says where each begins, and the last ends. */
void ww__splitters_part(ww__radix_split *split, const ww__splitters *splitters, uint64_t *bounds);

#endif
