/* What a CPU's workers do to slabs, a set of loops for each layout and vector width. */
#ifndef WW__SLAB_LOOPS_CPU_H
#define WW__SLAB_LOOPS_CPU_H

#include "dictionary/slab/slab.h"

/* What a worker has learnt of long lists in this part of a batch, so that it does not walk along one for each of many equal keys: sets of
 * four, in which the longest lists stay. */
enum { WW__SLAB_WAYS = 4, WW__SLAB_HINTS_LOG = 7, WW__SLAB_HINTS_LOG_MOST = 12 };
typedef struct ww__slab_hint {
    uint64_t of;
    unsigned char *slab; /* NULL: nothing is known */
    uint64_t slabs;      /* up to there */
} ww__slab_hint;
typedef struct ww__slab_hints {
    ww__slab_hint (*end)[WW__SLAB_WAYS];    /* of a base slab: all slots of its list before it have been taken */
    ww__slab_hint (*oldest)[WW__SLAB_WAYS]; /* of a key: no slot before it has it, or ever will */
    uint32_t log;                           /* of the number of sets of each */
    bool any;                               /* before that they are not cleared */
} ww__slab_hints;
/* In scratch memory, for workers that have `operations` to do, about: the first one's, from which each has its own. */
ww_status ww__slab_hints_open(ww_device *device, uint64_t operations, size_t workers, ww__slab_hints *first);
ww__slab_hints ww__slab_hints_of(const ww__slab_hints *first, size_t worker);

/* Pairs of a range of buckets that are behind first slabs: their positions in the range. */
typedef struct ww__slab_behind {
    uint32_t *pair;
    uint64_t count;
} ww__slab_behind;

/* One worker, in one part of a batch. */
typedef struct ww__slab_worker {
    const ww__slab_table *table;
    uint64_t *next_word; /* the dictionary's */
    uint64_t word;       /* of the bitmaps, whose slabs it has taken, */
    uint32_t free;       /* and those of them that it still has */
    bool alone;          /* no other worker changes the dictionary meanwhile */
    bool no_more;        /* there is no memory: operations that want some are FULL */
    ww__slab_outcome *outcome;
    uint64_t position; /* of the tile's first operation, in the batch */
    const uint8_t *operations;
    const void *keys, *values;
    const uint64_t *offsets; /* of a tile, one more than keys */
    uint8_t *statuses;
    void *found; /* where values go to, or NULL */
    uint64_t found_room;
    uint64_t *counts;
    const ww_combine_loops *combine; /* replaces combine by it; or NULL */
    const void *environment;         /* its */
    ww__slab_hints hints;
} ww__slab_worker;

typedef struct ww__slab_loops {
    /* Does operations begin … n - 1 of the worker's tile. Fewer where one wants a slab and there is none: returns its number. */
    size_t (*run)(ww__slab_worker *w, ww__slab_kind kind, size_t begin, size_t n);
    /* Whether a slab is wanted for the pairs of two buckets to become those of one. */
    bool (*merge_wants)(const ww__slab_table *t, uint64_t bucket, uint64_t other);
    /* One bucket made anew (slab.h); `bucket` and the one that its pairs are divided or merged with. Returns the dead slots that were freed. */
    uint64_t (*rebuild)(const ww__slab_table *t, const ww__slab_rebuilding *r, uint64_t bucket);
    /* The same for a group of buckets that may share slabs. */
    uint64_t (*rebuild_group)(const ww__slab_table *t, uint64_t first, uint32_t many);
    /* The pairs of a bucket, to where there is room for them; either may be NULL. Returns how many. */
    uint64_t (*pairs)(const ww__slab_table *t, bool shares, uint64_t bucket, void *keys, void *values);
    /* What building is made of (build_cpu.c; loops.h). */
    void (*place_begin)(unsigned char *slabs, uint64_t buckets);
    size_t (*place)(ww__slab_worker *w, unsigned char *slabs, uint64_t first, size_t n, ww__slab_behind *behind);
    uint64_t (*bucket)(const ww__slab_worker *w, uint64_t i);
    void (*put_behind)(ww__slab_worker *w, unsigned char *base, uint32_t number, uint32_t slot, const uint32_t *pair,
                       uint32_t many);
} ww__slab_loops;

/* Those of a layout. */
const ww__slab_loops *ww__slab_loops_of(const ww_device *device, const ww__slab_layout *layout);

/* A slab that nobody has, by its number; 0: there is none. */
uint32_t ww__slab_take(ww__slab_worker *w, uint32_t bytes);
/* At the end of a batch: slabs that the worker has taken and not used are free again. */
void ww__slab_give_back(ww_slab *s, const ww__slab_worker *w);

#endif
