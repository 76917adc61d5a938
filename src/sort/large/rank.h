/* Where several sorted runs are to be cut so that what comes before is the first so many of all. */
#ifndef WW__RANK_H
#define WW__RANK_H

#include "radix/radix.h"
#include "sort/sort.h"

/* Runs of keys in the host's memory, one behind the other: each of `length` keys, the last of what is left of n. */
typedef struct ww__runs {
    const unsigned char *keys;
    uint64_t n, length, runs;
    size_t key_size;
    ww__radix_order order; /* keys are sorted by these bits of the numbers that it makes of them */
    unsigned bit_first, bit_count;
} ww__runs;

/* Those of a sort by the keys' bits, of `length` each. */
ww__runs ww__runs_of(const ww__sorting *sorting, const unsigned char *keys, uint64_t length);

static inline uint64_t ww__run_end(const ww__runs *r, uint64_t run) { return ww__min_u64((run + 1) * r->length, r->n); }

/* cut[run]: how far into the keys (counted from the first run's begin) the first `rank` of all reach; equal keys count in the
 * order of runs. `room` has 2 * `runs` elements. */
void ww__rank_cut(const ww__runs *r, uint64_t rank, uint64_t *cut, uint64_t *room);

#endif
