/* The radix sort's host side.
 *
 * Large: all workers partition the elements by the highest bits in which keys differ, into up to 2^11 buckets
 * (radix_partition_cpu.c). They count parts of the input; the counts give every part its place in every bucket; they move
 * each part there through lines for each bucket, so that the order is kept and memory sees whole lines. Then they claim
 * buckets, which fit in a second-level cache, and sort each there: by least-significant-digit passes over its next highest
 * bits (leaf in radix_pairs.h), or by vectors (network_leaf.c) keys alone, and keys and values of 4 bytes, which the partition
 * makes one word of. A bucket that does not fit, because keys are skewed or very many, is partitioned in turn.
 *     memory     1 n of keys to count, 1 n read and written to partition, 1 n read and written by the leaves
 * Small: one leaf. Keys alone that are few, or more than slots have room for, are compared from the first pass on (network_quick.h);
 * so are pairs of one size (pairs_quick.c), and a few pairs of any (few_pairs.c).
 *
 * Elements go from the input to the output (the scratch copy, in place), and then between these two. Keys become the
 * numbers that order them (radix.h) when they leave the input, and keys again when their bucket is done, in cache.
 *
 * A sample of the keys comes first. If it is in order, the input is copied while a look at all of it says whether that was
 * right. If no two of its numbers share a bucket, then counting may be all there is to do: where each bucket turns out to
 * have one number only, these are written as often as they were counted. Of 16 different keys or fewer each is counted by itself,
 * by vectors (first_look.c, slots.c). Keys alone that come often are counted, and the rest is sorted (frequent.c); where nearly all keys
 * with values of 4 or 8 bytes come often, only the values are moved (frequent_pairs.c). Keys alone that
 * crowd are sorted by a quicksort of vectors (network_quick.h): all of them by a few workers (quick_parts.c), and by more the buckets
 * between splitters. Up to 2^22 keys with values of their size that crowd are sorted so, too (pairs_quick.c), by a few workers. More,
 * or with other values, go to buckets between splitters (splitters.c), and these are sorted by vectors that compare, or by words of a
 * key's highest bits and its place (tagged_leaf in radix_pairs.h), where vectors sort words.
 *
 * Write-combining lines: Satish et al., Fast Sort on CPUs and GPUs (2010); Polychroniou and Ross, A Comprehensive Study of
 * Main-Memory Partitioning (2014). */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "radix/few_pairs.h"
#include "radix/frequent.h"
#include "radix/frequent_pairs.h"
#include "radix/pairs_quick.h"
#include "radix/quick_parts.h"
#include "radix/radix_cpu.h"
#include "radix/splitters.h"

enum {
    BY_SPLITTERS = 2,        /* partitions by splitters, one inside the other, at most */
    LEAF_BYTES = 1 << 20,    /* keys and values that one worker sorts in cache, at most */
    PARTS_A_WORKER = 4,      /* so that no worker waits long for another */
    PART_LEAST = 1 << 14,    /* elements of a part */
    COPIED_BYTES = 1 << 12,  /* of keys, looked at and then copied. (64 KiB: 1.25 times as long, an EPYC, 2026-11) */
    SAMPLED_LEAST = 1 << 16, /* keys of a small sort of which a sample is taken */
    /* So many pairs times their keys' bytes are compared from the input on, by several workers: 2^16 u32 + u32 are sorted 1.4 to
     * 3.2 times as fast as by digits, u64 + u64 1.2 to 2.7 times, of 2^14 u64 + u64 all but those of 2^10 different keys, 0.9
     * times (a Xeon with AVX-512, 2026-11). */
    PAIRS_COMPARED_LEAST = 1 << 11,
    WIDE_CROWDED =
        2, /* more keys of 8 bytes than are compared are partitioned all the same (2^25 f64 of even integers of 64 bits take 0.73 of the
            * time so, 2^20 1.3 times as long: a Xeon with AVX-512, 2026-11) */
    COMPARED_MOST = 1 << 22, /* keys of 4 bytes that are sorted by comparing however even they are; of 8, and with values, where they crowd */
    DIGIT_LEAST = 4,         /* bits that a partition takes, unless fewer are left */
    BOUNDS = WW__RADIX_BUCKETS + 1
};

/* ---- leaves: ranges that one worker sorts ---- */

/* A crowded leaf of pairs, from one of two buffers to the second. */
static void pairs_leaf(const ww__radix_run *r, const ww__radix_range *a, int buffer, void *const keys[2],
                       void *const values[2]) {
    const ww__network_part all = {.from = keys[buffer],
                                  .to = keys[1],
                                  .room = keys[0],
                                  .n = (size_t)a->n,
                                  .depth = 2 * (ww__highest_bit(a->n) + 1),
                                  .from_values = values[buffer],
                                  .to_values = values[1],
                                  .room_values = values[0]};
    r->pairs_parts->finish(&all, &r->order);
}

/* Sorts a range into the result; `room` is where in the scratch copy it may be worked on. */
static void leaf(const ww__radix_run *r, const ww__radix_range *a, uint64_t room, size_t worker) {
    const uint64_t scratch = a->buffer == WW__SCRATCH ? a->first : room;
    const ww__radix_leaf l = {
        .keys = {ww__radix_key(r, WW__SCRATCH, scratch), ww__radix_key(r, WW__RESULT, a->first)},
        .values = {ww__radix_value(r, WW__SCRATCH, scratch), ww__radix_value(r, WW__RESULT, a->first)},
        .tables = (uint32_t *)(void *)ww__radix_desk(r, worker)};
    int buffer = a->buffer;
    if (buffer == WW__INPUT) {
        buffer = WW__RESULT;
        if (ww__radix_restores(r) || r->keys[WW__INPUT] != r->keys[WW__RESULT])
            r->loops->arrange(ww__radix_key(r, WW__RESULT, a->first), ww__radix_key(r, WW__INPUT, a->first), a->n,
                              &r->order);
        if (r->value_size && r->values[WW__INPUT] != r->values[WW__RESULT])
            memcpy(ww__radix_value(r, WW__RESULT, a->first), ww__radix_value(r, WW__INPUT, a->first),
                   a->n * r->value_size);
    }
    if (r->quick && a->crowded && a->mask) {
        r->quick(l.keys[buffer], l.keys[1], l.keys[0], (size_t)a->n, &(ww__radix_order){0, 0}, &r->order);
        return;
    }
    if (!a->mask) {
        if (buffer == WW__SCRATCH) memcpy(l.keys[1], l.keys[0], a->n * r->key_size);
        if (buffer == WW__SCRATCH && r->value_size) memcpy(l.values[1], l.values[0], a->n * r->value_size);
    } else if (r->pairs_parts && a->crowded) {
        pairs_leaf(r, a, buffer, l.keys, l.values);
        return;
    } else if (r->words && a->crowded && a->n <= WW__RADIX_TAGGED) {
        uint64_t *words = (uint64_t *)(void *)ww__radix_lines(r, worker);
        r->loops->tagged_leaf(&l, &(ww__radix_tags){{words, words + WW__RADIX_TAGGED}, r->words}, buffer, a->n,
                              a->mask);
    } else if (r->network) {
        r->network(l.keys, buffer, a->n, a->mask, ww__radix_lines(r, worker));
    } else {
        r->loops->leaf(&l, buffer, a->n, a->mask);
    }
    if (ww__radix_restores(r)) r->loops->restore(ww__radix_key(r, WW__RESULT, a->first), a->n, &r->order);
}

/* ---- elements that are in order: to the result ---- */

typedef struct copying {
    const ww__radix_run *r;
    const ww__radix_range *range;
    bool look;     /* whether they are in order has still to be seen */
    bool disorder; /* … and they are not */
    uint64_t piece, next;
} copying;

/* What is looked at is copied while it is in the first-level cache. Returns whether it is in order, the key before it included. */
static bool copy_block(const copying *c, uint64_t done, size_t n, bool streaming) {
    const ww__radix_run *r = c->r;
    const ww__radix_range *a = c->range;
    const ww__radix_order order = ww__radix_order_in(r, a->buffer);
    const uint64_t i = a->first + done, before = done ? 1 : 0;
    unsigned char *keys = ww__radix_key(r, WW__RESULT, i), *values = ww__radix_value(r, WW__RESULT, i);
    if (c->look && !r->look->in_order(ww__radix_key(r, a->buffer, i - before), n + before, &order, a->mask))
        return false;
    if (keys != ww__radix_key(r, a->buffer, i))
        ww__stream_memory(r->device, keys, ww__radix_key(r, a->buffer, i), n * r->key_size, streaming);
    if (values && values != ww__radix_value(r, a->buffer, i))
        ww__stream_memory(r->device, values, ww__radix_value(r, a->buffer, i), n * r->value_size, streaming);
    if (a->buffer != WW__INPUT && ww__radix_restores(r)) r->loops->restore(keys, n, &r->order);
    return true;
}

static void copy_pieces(void *argument, size_t worker) {
    copying *c = argument;
    const ww__radix_run *r = c->r;
    const uint64_t n = c->range->n, block = COPIED_BYTES / r->key_size;
    const bool streaming = ww__streams(r->device, n * (r->key_size + r->value_size));
    (void)worker;
    for (uint64_t i; (i = ww__claim(&c->next) * c->piece) < n;) {
        if (__atomic_load_n(&c->disorder, __ATOMIC_RELAXED)) break;
        for (const uint64_t end = ww__min_u64(i + c->piece, n); i < end; i += block)
            if (!copy_block(c, i, (size_t)ww__min_u64(block, end - i), streaming)) {
                __atomic_store_n(&c->disorder, true, __ATOMIC_RELAXED);
                break;
            }
    }
    ww__stream_done();
}

/* To the result, unless `look` is asked for and finds that they are not in order. */
static bool copy_range(const ww__radix_run *r, const ww__radix_range *a, bool look) {
    copying c = {r, a, look, false, WW__RADIX_PIECE / r->key_size, 0};
    const bool there = a->buffer == WW__INPUT && r->keys[WW__INPUT] == r->keys[WW__RESULT] &&
                       r->values[WW__INPUT] == r->values[WW__RESULT];
    if (look || !there) ww__parallel(r->device, r->workers, copy_pieces, &c);
    return !c.disorder;
}

/* ---- the buckets of a partition ---- */

typedef struct buckets {
    const ww__radix_run *r;
    const uint64_t *bounds;
    uint64_t count, next;
    int buffer;
    bool pairs;     /* words, in the scratch copy */
    bool splitters; /* of a partition by splitters */
    ww__word mask;
    uint64_t share; /* of the scratch copy, that each worker has for its leaves; 0: a leaf's own place there */
} buckets;

static ww__radix_range bucket(const buckets *b, uint64_t i) {
    const bool equal = b->splitters && ww__splitters_equal(i);
    return (ww__radix_range){b->bounds[i], b->bounds[i + 1] - b->bounds[i], b->buffer, equal ? 0 : b->mask,
                             b->splitters};
}

static bool is_large(const ww__radix_run *r, const ww__radix_range *a) {
    const uint64_t all = LEAF_BYTES / (r->key_size + r->value_size);
    if (!r->value_size || !a->crowded || !a->mask) return a->n > all;
    return a->n > (r->pairs_parts ? all / 2 : r->words ? WW__RADIX_TAGGED : all);
}

/* ---- a bucket of pairs: in the scratch copy, where keys end and values would begin does not count ---- */

static unsigned char *pair_at(const ww__radix_run *r, uint64_t i) {
    return r->keys[WW__SCRATCH] + i * (r->key_size + r->value_size);
}

/* The sort of a bucket's keys and values, which lie apart in the result: its scratch copy is where its pairs lay. */
static ww__radix_run apart(const ww__radix_run *r, const ww__radix_range *a) {
    ww__radix_run of = *r;
    of.pairs = NULL;
    of.keys[WW__SCRATCH] = pair_at(r, a->first) - a->first * r->key_size;
    of.values[WW__SCRATCH] = of.keys[WW__SCRATCH] + a->n * r->key_size;
    return of;
}

static void leaf_of_pairs(const ww__radix_run *r, const ww__radix_range *a, size_t worker) {
    unsigned char *pairs = pair_at(r, a->first), *keys = ww__radix_key(r, WW__RESULT, a->first),
                  *values = ww__radix_value(r, WW__RESULT, a->first);
    if (r->pairs(pairs, keys, values, a->n, a->mask, ww__radix_lines(r, worker))) {
        if (ww__radix_restores(r)) r->loops->restore(keys, a->n, &r->order);
        return;
    }
    const ww__radix_run of = apart(r, a);
    const ww__radix_range in_result = {a->first, a->n, WW__RESULT, a->mask, true};
    ww__radix_part_pairs(pairs, keys, values, a->n);
    leaf(&of, &in_result, a->first, worker);
}

typedef struct parting {
    const ww__radix_run *r;
    const ww__radix_range *range;
    uint64_t piece, next;
} parting;

static void part_pieces(void *argument, size_t worker) {
    parting *p = argument;
    const ww__radix_run *r = p->r;
    (void)worker;
    for (uint64_t done; (done = ww__claim(&p->next) * p->piece) < p->range->n;) {
        const uint64_t i = p->range->first + done;
        ww__radix_part_pairs(pair_at(r, i), ww__radix_key(r, WW__RESULT, i), ww__radix_value(r, WW__RESULT, i),
                             (size_t)ww__min_u64(p->piece, p->range->n - done));
    }
}

static void sort_range(const ww__radix_run *r, const ww__radix_range *a, size_t level);

/* All of what frequent keys leave. */
static void sort_rest(const ww__radix_run *r, uint64_t n) {
    ww__radix_run rest = *r;
    const ww__radix_range all = {0, n, WW__INPUT, ww__radix_ones((unsigned)(8 * r->key_size)),
                                 r->pairs_parts != NULL};
    rest.is_rest = true;
    if ((r->workers == 1 || r->value_size) && !is_large(r, &all))
        leaf(&rest, &all, 0, 0);
    else
        sort_range(&rest, &all, 0);
}

static void sort_many_pairs(const ww__radix_run *r, const ww__radix_range *a, size_t level) {
    parting p = {r, a, WW__RADIX_PIECE / r->key_size, 0};
    const ww__radix_run of = apart(r, a);
    const ww__radix_range in_result = {a->first, a->n, WW__RESULT, a->mask, a->crowded};
    ww__parallel(r->device, r->workers, part_pieces, &p);
    sort_range(&of, &in_result, level);
}

/* Whether one worker sorts a range that does not fit in its cache: by vectors, where the others have enough to do. */
static bool is_one_workers(const buckets *b, const ww__radix_range *a) {
    return b->r->quick && a->n <= (b->bounds[b->count] - b->bounds[0]) / (4 * b->r->workers);
}

/* First the large ones, so that no worker is left with one. */
static void sort_leaves(void *argument, size_t worker) {
    buckets *b = argument;
    for (uint64_t i; (i = ww__claim(&b->next)) < 2 * b->count;) {
        const ww__radix_range a = bucket(b, i % b->count);
        if (!a.n || is_large(b->r, &a) != (i < b->count)) continue;
        if (i < b->count) {
            if (is_one_workers(b, &a)) ww__quick_alone(b->r, &a);
        } else if (b->pairs) {
            leaf_of_pairs(b->r, &a, worker);
        } else {
            leaf(b->r, &a, b->share ? worker * b->share : a.first, worker);
        }
    }
}

/* After the first partition to the result nothing is in the scratch copy: so much of it that it stays in a cache is enough
 * for a worker to sort all its leaves, unless one sorts a large range there, which takes its own place. */
static uint64_t share_of(const buckets *b, size_t level) {
    const uint64_t n = b->bounds[b->count], share = n / b->r->workers;
    if (level || b->buffer != WW__RESULT) return 0;
    for (uint64_t i = 0; i < b->count; i++) {
        const ww__radix_range a = bucket(b, i);
        if (is_large(b->r, &a) ? is_one_workers(b, &a) : a.n > share) return 0;
    }
    return share;
}

static bool in_place(const ww__radix_run *r) {
    return r->keys[WW__INPUT] == r->keys[WW__RESULT] ||
           (r->value_size && r->values[WW__INPUT] == r->values[WW__RESULT]);
}

/* Words pay where buckets have still to be sorted, and by vectors: not where more than 8 of a bucket agree on average. */
static bool as_pairs(const ww__radix_split *p, ww__word left) {
    const uint64_t each = p->range->n >> p->bits;
    return p->r->pairs && left && each >> ww__highest_bit(left) < 16;
}

static void sort_buckets(buckets *b, size_t level) {
    b->share = share_of(b, level);
    for (uint64_t i = 0; i < b->count; i++) {
        const ww__radix_range large = bucket(b, i);
        if (is_large(b->r, &large) && !is_one_workers(b, &large))
            (b->pairs ? sort_many_pairs : sort_range)(b->r, &large, level + 1);
    }
    ww__parallel(b->r->device, b->r->workers, sort_leaves, b);
}

/* Where a partition goes to from the input. */
static int out_of_input(const ww__radix_run *r) { return in_place(r) ? WW__SCRATCH : WW__RESULT; }

/* Sorts a range whose keys crowd: between splitters. */
static void sort_between(ww__radix_split *p, uint64_t *bounds, size_t level) {
    const ww__radix_run *r = p->r;
    p->to = p->range->buffer == WW__INPUT ? out_of_input(r) : !p->range->buffer;
    ww__splitters_choose(r, p->range, r->splitters);
    ww__splitters_part(p, r->splitters, bounds);
    buckets b = {.r = r,
                 .bounds = bounds,
                 .count = (uint64_t)1 << p->bits,
                 .buffer = p->to,
                 .splitters = true,
                 .mask = p->range->mask};
    sort_buckets(&b, level);
}

static bool is_crowded(const ww__radix_split *p, const ww__radix_sample *s) {
    const bool compared = p->r->key_size < 8 || p->range->n <= COMPARED_MOST;
    return p->r->value_size ? ww__radix_crowded(p, s) : !ww__radix_even(p, s, compared ? 0 : WIDE_CROWDED);
}

/* Whether partitions by digits would be short for a few workers: 2^20 u32 of two threads are sorted 1.2 to 1.7 times as fast by comparing,
 * 2^22 1.2 times (a Xeon with AVX-512, 2026-11). */
static bool is_short_of_digits(const ww__radix_run *r, uint64_t n) {
    return r->workers > 1 && r->words && r->key_size == 4 && n <= COMPARED_MOST;
}

/* Sorts a range by all workers. */
static void sort_range(const ww__radix_run *r, const ww__radix_range *a, size_t level) {
    ww__radix_sample s;
    ww__radix_split p = {.r = r, .range = a};
    p.part_n = a->n / ww__min_u64(r->parts_room, a->n / PART_LEAST + 1) + 1;
    p.parts = (a->n + p.part_n - 1) / p.part_n;
    uint64_t *bounds = r->bounds + level * BOUNDS;
    if (!a->mask) {
        copy_range(r, a, false);
        return;
    }
    ww__radix_take_sample(r, a, &s);
    if (a->buffer == WW__INPUT && r->look->in_order(s.keys, s.n, &r->order, a->mask) && copy_range(r, a, true)) return;
    const ww__word promised = ww__radix_promise(&p, &s);
    if (!r->value_size && r->all_bits && !level) {
        if (!r->is_rest && ww__radix_frequent(r, a->n, &s, sort_rest)) return;
        if (ww__quick_parts_suit(r) && (is_short_of_digits(r, a->n) || is_crowded(&p, &s))) {
            ww__quick_parts(r, a);
            return;
        }
    }
    if (r->frequent_counts && !level && !r->is_rest && ww__radix_frequent_pairs(r, a->n, &s, sort_rest)) return;
    if (r->pairs_parts && !level && ww__quick_parts_suit(r) && a->n <= COMPARED_MOST && is_crowded(&p, &s)) {
        ww__quick_parts(r, a);
        return;
    }
    if (r->splitters && level < BY_SPLITTERS && is_crowded(&p, &s)) {
        sort_between(&p, bounds, level);
        return;
    }
    if (a->buffer == WW__INPUT && !r->value_size && ww__radix_count_few(&p, &s, promised)) {
        ww__radix_place(&p, bounds);
        ww__radix_fill(&p, bounds);
        return;
    }
    const ww__word differ = ww__radix_count_range(&p, &s, promised), left = differ & (((ww__word)1 << p.low) - 1);
    if (!differ) {
        copy_range(r, a, false);
        return;
    }
    p.pairs = as_pairs(&p, left);
    p.to = a->buffer == WW__INPUT ? (p.pairs ? WW__SCRATCH : out_of_input(r)) : !a->buffer;
    ww__radix_place(&p, bounds);
    ww__radix_move(&p);

    buckets b = {
        .r = r, .bounds = bounds, .count = (uint64_t)1 << p.bits, .buffer = p.to, .pairs = p.pairs, .mask = left};
    sort_buckets(&b, level);
}

static bool crowds(const ww__radix_run *r, const ww__radix_range *a) {
    const ww__radix_split p = {.r = r, .range = a};
    ww__radix_sample s;
    ww__radix_take_sample(r, a, &s);
    return !ww__radix_even(&p, &s, 0);
}

/* From the input, few enough of them, and left as they are where false. */
static bool sort_few_pairs(const ww__radix_run *r, const ww__radix_range *all) {
    const ww__few few = {.keys = r->keys[WW__INPUT],
                         .values = r->values[WW__INPUT],
                         .keys_out = r->keys[WW__RESULT],
                         .values_out = r->values[WW__RESULT],
                         .n = (size_t)all->n,
                         .value_size = r->value_size};
    return r->few_pairs && all->n <= WW__FEW_PAIRS && r->few_pairs(&few, &r->order, &r->order);
}

/* Keys alone, that are compared however well they are spread, or since they are not. */
static bool is_compared(const ww__radix_run *r, const ww__radix_range *all) {
    if (!r->quick) return false;
    return ww__network_compares(r->device->vector == WW_VECTOR_AVX512, all->n * r->key_size) ||
           (all->n >= SAMPLED_LEAST && crowds(r, all));
}

/* Most keys that are in no order show it at once, when a look at all of them has hardly begun. */
static bool is_in_order(const ww__radix_run *r, const ww__radix_range *all) {
    enum { FIRST = 16 };
    const unsigned char *keys = r->keys[WW__INPUT];
    return r->look->in_order(keys, ww__min_u64(all->n, FIRST), &r->order, all->mask) &&
           r->look->in_order(keys, all->n, &r->order, all->mask);
}

static ww_status sort_small(ww__radix_run *r, const ww__radix_range *all) {
    WW_TRY(ww__scratch(r->device, r->network ? WW__RADIX_DESK_BYTES : WW__RADIX_DESK_BYTES - WW__RADIX_LINES_BYTES,
                       &r->desks));
    if (r->device->on_paper) return WW_OK;
    if (is_in_order(r, all))
        copy_range(r, all, false);
    else if (is_compared(r, all))
        ww__quick_alone(r, all);
    else if (r->pairs_parts && all->n >= PAIRS_COMPARED_LEAST * r->key_size)
        ww__quick_parts(r, all);
    else if (!sort_few_pairs(r, all))
        leaf(r, &(ww__radix_range){all->first, all->n, all->buffer, all->mask, r->pairs_parts != NULL}, 0, 0);
    return WW_OK;
}

static ww_status sort_large(ww__radix_run *r, const ww__radix_range *all) {
    uint64_t *counts;
    r->parts_room = PARTS_A_WORKER * r->workers + (all->n >> 31); /* tables count in 32 bits */
    WW_TRY(ww__scratch_array(r->device, r->workers, WW__RADIX_DESK_BYTES, &r->desks));
    WW_TRY(ww__scratch_array(r->device, r->parts_room, sizeof *r->parts, &r->parts));
    WW_TRY(ww__scratch_array(r->device, r->parts_room, WW__RADIX_BUCKETS * sizeof *counts, &counts));
    if (r->all_bits && (r->key_size == 4 || r->key_size == 8) && (r->value_size == 4 || r->value_size == 8))
        WW_TRY(ww__scratch_array(r->device, r->parts_room, WW__RADIX_BUCKETS * sizeof *counts, &r->frequent_counts));
    WW_TRY(ww__scratch_array(r->device, WW__RADIX_BUCKETS, r->key_size, &r->only));
    WW_TRY(ww__scratch_array(r->device, 8 * r->key_size / DIGIT_LEAST + BY_SPLITTERS, BOUNDS * sizeof *r->bounds,
                             &r->bounds));
    if (r->all_bits && r->words && (r->quick || (r->value_size && (r->key_size == 4 || r->key_size == 8))))
        WW_TRY(ww__scratch(r->device, sizeof *r->splitters, &r->splitters));
    if (r->device->on_paper) return WW_OK;
    for (uint64_t number = 0; number < r->parts_room; number++)
        r->parts[number].counts = counts + number * WW__RADIX_BUCKETS;
    sort_range(r, all, 0);
    return WW_OK;
}

ww_status ww__radix_sort(ww_device *device, const ww__radix *job) {
    const uint64_t bytes = job->n * (job->key_size + job->value_size);
    ww__radix_run r = {.device = device,
                       .loops = ww__radix_loops_of(job->key_size, job->value_size),
                       .look = ww__first_look_of(device, job->key_size),
                       .nibbles = ww__count_nibbles_of(device->vector, job->key_size),
                       .order = job->order,
                       .key_size = job->key_size,
                       .value_size = job->value_size,
                       .workers = ww__workers(device, bytes)};
    const ww__radix_range all = {0, job->n, WW__INPUT, job->mask, false};
    if (!job->n) return WW_OK;
    WW_CHECK(device, r.loops, WW_UNSUPPORTED, "sorts no keys of %zu bytes here", job->key_size);
    const bool all_bits = ww__radix_all_bits(job);
    const bool small = r.workers == 1 && !is_large(&r, &all);
    if (all_bits && !job->value_size) r.network = ww__network_leaf_of(device->vector, job->key_size);
    if (r.network && job->n >> 32 == 0) r.quick = ww__network_quick_of(device->vector, job->key_size);
    if (all_bits) r.pairs_parts = ww__pairs_parts_of(device->vector, job->key_size, job->value_size);
    if (all_bits && job->value_size) r.few_pairs = ww__few_pairs_of(device->vector, job->key_size);
    r.all_bits = all_bits;
    r.words = ww__network_quick_of(device->vector, sizeof(uint64_t));
    if (all_bits && !small) r.pairs = ww__network_pairs_of(device->vector, job->key_size, job->value_size);
    ww__trace(device, r.network || r.pairs ? "radix-network" : "radix", NULL, job->n, bytes, r.workers);
    r.keys[WW__INPUT] = (unsigned char *)(uintptr_t)job->keys; /* only read */
    r.keys[WW__RESULT] = job->keys_out;
    WW_TRY(ww__scratch_array(device, job->n, job->key_size + (r.pairs ? job->value_size : 0), &r.keys[WW__SCRATCH]));
    if (job->value_size) {
        r.values[WW__INPUT] = (unsigned char *)(uintptr_t)job->values;
        r.values[WW__RESULT] = job->values_out;
        if (r.pairs)
            r.values[WW__SCRATCH] = r.keys[WW__SCRATCH] + job->n * job->key_size;
        else
            WW_TRY(ww__scratch_array(device, job->n, job->value_size, &r.values[WW__SCRATCH]));
    }
    return small ? sort_small(&r, &all) : sort_large(&r, &all);
}
