/* The loops of the radix sort: one set for each key size (1, 2, 4, 8, 16 bytes) with values of no, 1, 2, 4, 8 or 16 bytes.
 *
 * Keys are sorted as the numbers that order.h makes of them, on the way from the caller's memory. `mask` are the bits to sort
 * by. */
#ifndef WW__RADIX_H
#define WW__RADIX_H

#include <string.h>

#include "device/device.h"
#include "radix/lines.h"
#include "radix/order.h"

/* Key i of some keys in memory, at any address, as it is; and the number that it is ordered by. */
static inline ww__word ww__radix_key_at(const unsigned char *keys, size_t size, uint64_t i) {
    const unsigned char *at = keys + i * size;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    ww__word all;
    switch (size) {
    case 1:
        return *at;
    case 2:
        return memcpy(&two, at, sizeof two), two;
    case 4:
        return memcpy(&four, at, sizeof four), four;
    case 8:
        return memcpy(&eight, at, sizeof eight), eight;
    default:
        return memcpy(&all, at, sizeof all), all;
    }
}

/* Writes key i, of 4 or 8 bytes. */
static inline void ww__radix_put_key(void *keys, size_t size, uint64_t i, uint64_t key) {
    const uint32_t four = (uint32_t)key;
    if (size == 4)
        memcpy((unsigned char *)keys + i * 4, &four, 4);
    else
        memcpy((unsigned char *)keys + i * 8, &key, 8);
}

static inline ww__word ww__radix_number_at(const unsigned char *keys, size_t size, uint64_t i,
                                           const ww__radix_order *order) {
    return ww__radix_number(ww__radix_key_at(keys, size, i), size, order);
}

/* At most so many buckets a partition: 2^11, whose lines (and values') are 256 KiB of a second-level cache. A leaf's
 * digits go up to 2^11 buckets. */
enum {
    WW__RADIX_BITS = 11,
    WW__RADIX_BUCKETS = 1 << WW__RADIX_BITS,
    WW__RADIX_LEAF_BITS = 11,
    WW__RADIX_LEAF_BUCKETS = 1 << WW__RADIX_LEAF_BITS,
    WW__RADIX_TABLES =
        4 /* counters a worker counts a digit with, so that equal neighbours do not wait for each other */
};

/* Counts keys by a digit. */
typedef struct ww__radix_count {
    const void *keys; /* n of them */
    size_t n;
    ww__radix_order order;
    const void *first;  /* a key: in which bits does any other differ? */
    unsigned low, bits; /* the digit */
    const void *only;   /* not NULL: in which bits does any differ from this number of its bucket? */
    uint32_t *tables;   /* WW__RADIX_TABLES * 2^bits, to work with */
    uint64_t *counts;   /* of the keys in each bucket */
} ww__radix_count;

/* Bytes of a bucket's line (lines.h) in partitions. Keys alone of 4 bytes sort 1.07 times as fast with 256 as with 128; 512
 * bring no more. (An EPYC, 2026-11, two threads, 2^25. Multisplits, which find buckets in a loop before, lose by it.) */
#define WW__RADIX_LINE_OF(valued) ((size_t)((valued) ? 128 : 256))

/* Moves elements to their buckets' parts of an output. */
typedef struct ww__radix_partition {
    const void *keys, *values; /* n of them */
    size_t n;
    ww__radix_order order;
    unsigned low, bits; /* the digit */
    ww__lines lines;    /* where they go; `position` has to be what `start` is */
} ww__radix_partition;

/* Two buffers of a leaf's elements, of which 1 is the result, and tables for two digits. */
typedef struct ww__radix_leaf {
    void *keys[2], *values[2];
    uint32_t *tables; /* 2 * WW__RADIX_LEAF_BUCKETS */
} ww__radix_leaf;

/* Words for a tagged leaf's elements, each of a number's bits and its place: two arrays. sort: from the first to the second. */
typedef struct ww__radix_tags {
    uint64_t *words[2];
    void (*sort)(const void *words, void *result, void *scratch, size_t n, const ww__radix_order *in,
                 const ww__radix_order *out);
} ww__radix_tags;

typedef struct ww__radix_loops {
    /* The bits in which any of the keys 0, step, 2 step, … differs from key 0. */
    ww__word (*differ)(const void *keys, size_t n, size_t step, const ww__radix_order *order);
    /* The digit of a key's number: its bucket. */
    size_t (*digit)(const void *key, const ww__radix_order *order, unsigned low, unsigned bits);
    /* Whether no bucket of the digit has two different numbers. Then `only` has for each bucket its number; for an empty one
     * the number that differs from the first key's in the digit alone. */
    bool (*alone)(const void *keys, size_t n, const ww__radix_order *order, unsigned low, unsigned bits, void *only);
    /* The bits that were asked for. */
    ww__word (*count)(const ww__radix_count *count);
    void (*partition)(const ww__radix_partition *partition);
    /* Sorts `n` elements, which are in buffer `from`, into buffer 1. Keys are numbers, and all fit in cache. */
    void (*leaf)(const ww__radix_leaf *leaf, int from, size_t n, ww__word mask);
    /* The same, by sorting words: for numbers that no digit spreads. */
    void (*tagged_leaf)(const ww__radix_leaf *leaf, const ww__radix_tags *tags, int from, size_t n, ww__word mask);
    /* Keys to numbers (to and from may be the same), and back in place. */
    void (*arrange)(void *to, const void *from, size_t n, const ww__radix_order *order);
    void (*restore)(void *keys, size_t n, const ww__radix_order *order);
    /* n times the key of a number. */
    void (*repeat)(void *keys, size_t n, const void *number, const ww__radix_order *order);
} ww__radix_loops;

/* The same as `partition` for keys and values of 4 bytes each, which go to lines.keys_out as pairs: words of 8 bytes, whose
 * high half is the number, so that a pair is one store. And the way back: pairs to keys and values. */
void ww__radix_partition_pairs(const ww__radix_partition *partition);
void ww__radix_part_pairs(const void *pairs, void *keys, void *values, size_t n);

/* NULL where values of this size are not moved with their keys. */
const ww__radix_loops *ww__radix_loops_of(size_t key_size, size_t value_size);

/* A whole sort: n keys, and values where value_size is not 0, to the outputs, each of which may be its input. Takes
 * scratch memory for one copy of them. */
typedef struct ww__radix {
    const void *keys, *values;
    void *keys_out, *values_out;
    uint64_t n;
    size_t key_size, value_size;
    ww__radix_order order;
    ww__word mask; /* contiguous */
} ww__radix;
ww_status ww__radix_sort(ww_device *device, const ww__radix *job);

/* Whether keys are compared by all of their bits. */
static inline bool ww__radix_all_bits(const ww__radix *job) {
    const ww__word ends = (ww__word)1 << (8 * job->key_size - 1) | 1;
    return (job->mask & ends) == ends;
}

static inline unsigned ww__highest_bit(ww__word x) { /* of x above 0 */
    unsigned bit = 0;
    while (x >>= 1) bit++;
    return bit;
}
static inline unsigned ww__lowest_bit(ww__word x) { return ww__highest_bit(x & (~x + 1)); }

#endif
