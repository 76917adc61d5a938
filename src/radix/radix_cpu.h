/* What the files of the CPU's radix sort share: radix_cpu.c, and its partitions in radix_partition_cpu.c. */
#ifndef WW__RADIX_CPU_H
#define WW__RADIX_CPU_H

#include "radix/few_pairs.h"
#include "radix/first_look.h"
#include "radix/network_leaf.h"
#include "radix/nibbles.h"
#include "radix/radix.h"

/* Buffers: the scratch copy, the result, and the input before the first partition. */
enum { WW__SCRATCH, WW__RESULT, WW__INPUT };

/* Bytes that a worker copies or fills before it claims more. */
enum { WW__RADIX_PIECE = 1 << 16 };

typedef struct ww__radix_part { /* of the range that is partitioned */
    uint64_t *counts;           /* of its elements in each bucket; then where the next one goes */
    ww__word differ;
} ww__radix_part;

/* A sort that is under way. */
typedef struct ww__radix_run {
    ww_device *device;
    const ww__radix_loops *loops;
    const ww__first_look *look;
    ww__count_nibbles *nibbles; /* counts by few buckets; or NULL */
    ww__network_leaf *network;  /* sorts leaves, where they are keys alone and compared by all of their bits */
    ww__network_quick *quick;   /* … and larger ranges of such keys, where one worker does best so */
    ww__network_pairs *pairs;   /* … keys and values that the first partition makes words of, in the scratch copy */
    const ww__network_parts *pairs_parts; /* … sorts keys and values of one size by comparing; or NULL */
    ww__sort_few_pairs *few_pairs; /* … a few of any; or NULL */
    ww__network_quick *words;      /* sorts the words of tagged leaves; or NULL, and digits alone do then */
    struct ww__splitters *splitters; /* room for those of one partition; NULL where keys are not parted by them */
    ww__radix_order order;           /* of the input's keys */
    size_t key_size, value_size, workers;
    unsigned char *keys[3], *values[3];
    unsigned char *desks; /* one for each worker, of WW__RADIX_DESK_BYTES */
    ww__radix_part *parts;
    uint64_t parts_room;
    uint64_t *frequent_counts; /* rows of buckets, one for each part: of frequent keys with values; or NULL */
    uint64_t *bounds; /* of buckets: a row for each partition that is under way inside another */
    bool all_bits;    /* keys are compared by all of their bits */
    bool is_rest;     /* what frequent keys leave (frequent.c) */
    void *only;       /* for each bucket, the one number that may be in it (ww__radix_count_few) */
} ww__radix_run;

/* Elements that are sorted among themselves. */
typedef struct ww__radix_range {
    uint64_t first, n;
    int buffer;
    ww__word mask; /* the bits that they may still differ in */
    bool crowded;  /* no digit spreads them */
} ww__radix_range;

static inline unsigned char *ww__radix_key(const ww__radix_run *r, int buffer, uint64_t i) {
    return r->keys[buffer] + i * r->key_size;
}
static inline unsigned char *ww__radix_value(const ww__radix_run *r, int buffer, uint64_t i) {
    return r->value_size ? r->values[buffer] + i * r->value_size : NULL;
}

/* Numbers are made of keys when these leave the input, and keys of numbers again in the result. */
static inline ww__radix_order ww__radix_order_in(const ww__radix_run *r, int buffer) {
    return buffer == WW__INPUT ? r->order : (ww__radix_order){0, 0};
}
static inline bool ww__radix_restores(const ww__radix_run *r) { return r->order.flip || r->order.fold; }

/* ---- a worker's desk: tables, the buckets' starts, and then what a partition has for lines, and a leaf of vectors for slots ---- */

enum {
    WW__RADIX_TABLE_BYTES = WW__RADIX_TABLES * WW__RADIX_BUCKETS * sizeof(uint32_t),
    WW__RADIX_START_BYTES = WW__RADIX_BUCKETS * sizeof(uint64_t),
    WW__RADIX_LINES_BYTES = WW__RADIX_BUCKETS * WW__RADIX_LINE_OF(false),
    WW__RADIX_DESK_BYTES = WW__RADIX_TABLE_BYTES + WW__RADIX_START_BYTES + WW__RADIX_LINES_BYTES
};
_Static_assert(WW__RADIX_TABLE_BYTES >= 2 * WW__RADIX_LEAF_BUCKETS * sizeof(uint32_t),
               "a leaf's tables lie there, too");
_Static_assert(WW__RADIX_LINES_BYTES >= 2 * WW__RADIX_BUCKETS * WW__RADIX_LINE_OF(true),
               "lines of keys, and of values");
_Static_assert((size_t)WW__RADIX_LINES_BYTES >= WW__NETWORK_SLOTS, "slots lie where lines do");

/* A leaf's words lie where lines do, too: so many elements at most. */
enum { WW__RADIX_TAGGED = WW__RADIX_LINES_BYTES / (2 * sizeof(uint64_t)) };

static inline unsigned char *ww__radix_desk(const ww__radix_run *r, size_t worker) {
    return r->desks + worker * WW__RADIX_DESK_BYTES;
}
static inline unsigned char *ww__radix_lines(const ww__radix_run *r, size_t worker) {
    return ww__radix_desk(r, worker) + WW__RADIX_TABLE_BYTES + WW__RADIX_START_BYTES;
}

/* ---- one partition ---- */

typedef struct ww__radix_split {
    const ww__radix_run *r;
    const ww__radix_range *range;
    int to;
    bool pairs; /* keys and values go to the scratch copy as words */
    unsigned low, bits;
    uint64_t parts, part_n;          /* how many parts, and the elements of one */
    const void *only;                /* for each bucket the one number that may be in it; or NULL */
    const struct ww__radix_few *few; /* where there are very few of them; or NULL */
    uint64_t next;
} ww__radix_split;

enum { WW__RADIX_SAMPLE = 256 }; /* keys that are looked at first */
typedef struct ww__radix_sample {
    size_t n;
    ww__word keys[WW__RADIX_SAMPLE]; /* packed, whatever their size */
} ww__radix_sample;

void ww__radix_take_sample(const ww__radix_run *r, const ww__radix_range *range, ww__radix_sample *sample);

/* The bits in which keys differ, as far as the sample tells. The lowest bit of the mask is promised always, so that there is a
 * digit. */
ww__word ww__radix_promise(const ww__radix_split *split, const ww__radix_sample *sample);

/* How many keys of a sample were there already. */
size_t ww__radix_repeated(const ww__radix_sample *sample, size_t key_size);

/* Whether the highest digit spreads keys well: few of the sample are equal, and no share of 16 has more than 2^(crowded + 1)
 * times as many as others. Where it does not, vectors that compare sort faster; so they do where neighbours among keys of less than
 * 8 bytes are mostly in order, since elements that go to one bucket one after the other wait for each other. */
bool ww__radix_even(const ww__radix_split *split, const ww__radix_sample *sample, unsigned crowded);

/* Whether keys with values crowd so much that splitters are better than digits. */
bool ww__radix_crowded(const ww__radix_split *split, const ww__radix_sample *sample);

/* Counts by the digit that is promised, and again when keys differ in higher bits after all. Returns the bits of the mask
 * in which keys differ. */
ww__word ww__radix_count_range(ww__radix_split *split, const ww__radix_sample *sample, ww__word promised);

/* Where no two numbers of the sample share a bucket, there may be so few that no two at all do: then it is enough to count
 * them. Returns whether it is so. */
bool ww__radix_count_few(ww__radix_split *split, const ww__radix_sample *sample, ww__word promised);

/* Counts become positions: bucket after bucket, in each part after part. bounds: where each bucket begins, and the last ends. */
void ww__radix_place(const ww__radix_split *split, uint64_t *bounds);

/* Moves all parts to their places. */
void ww__radix_move(ww__radix_split *split);

/* After ww__radix_count_few: writes each number to the result as often as it was counted. */
void ww__radix_fill(const ww__radix_split *split, const uint64_t *bounds);

#endif
