/* The radix sort's host side.
 *
 * Large: all workers partition the elements by the highest bits in which keys differ, into up to 2^11 buckets. They count
 * parts of the input; the counts give every part its place in every bucket; they move each part there through a line of
 * 64 bytes for each bucket, so that the order is kept and memory sees whole lines. Then they claim buckets, which fit in
 * a second-level cache, and sort each there by least-significant-digit passes over its next highest bits (leaf in
 * radix_pairs.h). A bucket that does not fit, because keys are skewed or very many, is partitioned in turn.
 *     memory     1 n of keys to count, 1 n read and written to partition, 1 n read and written by the leaves
 * Small: one leaf.
 *
 * Elements go from the input to the output (the scratch copy, in place), and then between these two. Keys become the
 * numbers that order them (radix.h) when they leave the input, and keys again when their bucket is done, in cache. Keys
 * that are in order already are seen by the first pass, and are copied at most.
 *
 * Write-combining lines: Satish et al., Fast Sort on CPUs and GPUs (2010); Polychroniou and Ross, A Comprehensive Study of
 * Main-Memory Partitioning (2014). */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "sort/radix.h"

enum {
    LEAF_BYTES = 1 << 20,   /* keys and values that one worker sorts in cache, at most */
    BUCKET_BYTES = 1 << 17, /* what a partition aims at */
    PARTS_A_WORKER = 4,     /* so that no worker waits long for another */
    PART_LEAST = 1 << 14,   /* elements of a part */
    DIGIT_LEAST = 4,        /* bits that a partition takes, unless fewer are left */
    COPY_BYTES = 1 << 16
};

/* Buffers: the scratch copy, the result, and the input before the first partition. */
enum { SCRATCH, RESULT, INPUT };

typedef struct part { /* of the range that is partitioned */
    uint64_t *counts; /* of its elements in each bucket; then where the next one goes */
    ww__word differ;
    bool ordered; /* found in order, and not counted */
} part;

typedef struct radix {
    ww_device *device;
    const ww__radix_loops *loops;
    ww__radix_order order; /* of the input's keys */
    size_t key_size, value_size, workers;
    unsigned char *keys[3], *values[3];
    unsigned char *desks; /* one for each worker, of desk_bytes */
    part *parts;
    uint64_t parts_room;
    uint64_t *bounds; /* of buckets: a row for each partition that is under way inside another */
} radix;

static const ww__radix_order as_they_are = {0, 0};

/* A worker's desk: tables, then what a partition needs besides: the buckets' starts and lines. */
enum {
    TABLE_BYTES = WW__RADIX_TABLES * WW__RADIX_BUCKETS * sizeof(uint32_t),
    START_BYTES = WW__RADIX_BUCKETS * sizeof(uint64_t),
    LINES_BYTES = WW__RADIX_BUCKETS * WW__LINE,
    BOUNDS = WW__RADIX_BUCKETS + 1
};
_Static_assert(TABLE_BYTES >= 2 * WW__RADIX_LEAF_BUCKETS * sizeof(uint32_t), "a leaf's tables lie on the desk too");

static size_t desk_bytes(const radix *r) { return TABLE_BYTES + START_BYTES + LINES_BYTES * (r->value_size ? 2 : 1); }
static unsigned char *desk(const radix *r, size_t worker) { return r->desks + worker * desk_bytes(r); }

static unsigned char *key_at(const radix *r, int buffer, uint64_t i) { return r->keys[buffer] + i * r->key_size; }
static unsigned char *value_at(const radix *r, int buffer, uint64_t i) {
    return r->value_size ? r->values[buffer] + i * r->value_size : NULL;
}

/* ---- ranges: elements that are sorted among themselves ---- */

typedef struct range {
    uint64_t first, n;
    int buffer;
    ww__word mask; /* the bits that they may still differ in */
} range;

static const ww__radix_order *order_in(const radix *r, int buffer) {
    return buffer == INPUT ? &r->order : &as_they_are;
}

static bool restores(const radix *r) { return r->order.flip || r->order.fold; }

static void leaf(const radix *r, const range *a, size_t worker) {
    const ww__radix_leaf l = {.keys = {r->keys[SCRATCH], r->keys[RESULT]},
                              .values = {r->values[SCRATCH], r->values[RESULT]},
                              .tables = (uint32_t *)(void *)desk(r, worker)};
    int buffer = a->buffer;
    if (buffer == INPUT) {
        buffer = RESULT;
        if (restores(r) || r->keys[INPUT] != r->keys[RESULT])
            r->loops->arrange(key_at(r, RESULT, a->first), key_at(r, INPUT, a->first), a->n, &r->order);
        if (r->value_size && r->values[INPUT] != r->values[RESULT])
            memcpy(value_at(r, RESULT, a->first), value_at(r, INPUT, a->first), a->n * r->value_size);
    }
    r->loops->leaf(&l, buffer, a->first, a->n, a->mask);
    if (restores(r)) r->loops->restore(key_at(r, RESULT, a->first), a->n, &r->order);
}

/* ---- elements that are in order: to the result ---- */

typedef struct copying {
    const radix *r;
    const range *range;
    uint64_t piece, next;
} copying;

static void copy_pieces(void *argument, size_t worker) {
    copying *c = argument;
    const radix *r = c->r;
    const range *a = c->range;
    const bool streaming = ww__streams(r->device, a->n * (r->key_size + r->value_size));
    (void)worker;
    for (uint64_t done; (done = ww__claim(&c->next) * c->piece) < a->n;) {
        const uint64_t i = a->first + done;
        const size_t n = (size_t)ww__min_u64(c->piece, a->n - done);
        unsigned char *keys = key_at(r, RESULT, i), *values = value_at(r, RESULT, i);
        if (keys != key_at(r, a->buffer, i))
            ww__stream_memory(r->device, keys, key_at(r, a->buffer, i), n * r->key_size, streaming);
        if (values && values != value_at(r, a->buffer, i))
            ww__stream_memory(r->device, values, value_at(r, a->buffer, i), n * r->value_size, streaming);
        if (a->buffer != INPUT && restores(r)) r->loops->restore(keys, n, &r->order);
    }
    ww__stream_done();
}

static void copy_range(const radix *r, const range *a) {
    copying c = {r, a, COPY_BYTES / r->key_size, 0};
    if (a->buffer == INPUT && r->keys[INPUT] == r->keys[RESULT] && r->values[INPUT] == r->values[RESULT]) return;
    ww__parallel(r->device, r->workers, copy_pieces, &c);
}

/* ---- one partition ---- */

typedef struct partition {
    const radix *r;
    const range *range;
    int to;
    unsigned low, bits;
    uint64_t parts, part_n; /* how many parts, and the elements of one */
    bool look_for_order;
    uint64_t next;
} partition;

static void count_part(const partition *p, uint64_t number, uint32_t *tables) {
    const radix *r = p->r;
    const range *a = p->range;
    part *mine = &r->parts[number];
    const uint64_t first = a->first + number * p->part_n;
    const size_t n = (size_t)ww__min_u64(p->part_n, a->n - number * p->part_n);
    const ww__radix_order *order = order_in(r, a->buffer);
    mine->differ = 0;
    mine->ordered = false;
    if (p->look_for_order) { /* with the last key of the part before */
        const size_t before = number ? 1 : 0;
        mine->ordered = r->loops->sorted(key_at(r, a->buffer, first - before), n + before, order, a->mask);
    }
    if (!mine->ordered)
        mine->differ = r->loops->count(key_at(r, a->buffer, first), n, order, key_at(r, a->buffer, a->first), p->low,
                                       p->bits, tables, mine->counts);
}

static void count_parts(void *argument, size_t worker) {
    partition *p = argument;
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;)
        count_part(p, number, (uint32_t *)(void *)desk(p->r, worker));
}

static void move_parts(void *argument, size_t worker) {
    partition *p = argument;
    const radix *r = p->r;
    const range *a = p->range;
    unsigned char *lines = desk(r, worker) + TABLE_BYTES + START_BYTES;
    uint64_t *starts = (uint64_t *)(void *)(desk(r, worker) + TABLE_BYTES);
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;) {
        const uint64_t before = number * p->part_n;
        const ww__radix_partition job = {
            .keys = key_at(r, a->buffer, a->first + before),
            .values = value_at(r, a->buffer, a->first + before),
            .n = (size_t)ww__min_u64(p->part_n, a->n - before),
            .order = *order_in(r, a->buffer),
            .low = p->low,
            .bits = p->bits,
            .lines = {.keys_out = r->keys[p->to],
                      .values_out = r->values[p->to],
                      .position = r->parts[number].counts,
                      .start = starts,
                      .key_lines = lines,
                      .value_lines = lines + LINES_BYTES,
                      .streaming = ww__streams(r->device, a->n * (r->key_size + r->value_size))}};
        memcpy(starts, job.lines.position, sizeof *starts << p->bits);
        r->loops->partition(&job);
    }
    ww__stream_done();
}

/* The digit whose highest bit is `highest`: all bits that are left, where a digit can hold them; else wide enough for
 * buckets of BUCKET_BYTES, and for some to each worker. */
static void choose_digit(partition *p, unsigned highest) {
    const radix *r = p->r;
    const uint64_t pieces = p->range->n * (r->key_size + r->value_size) / BUCKET_BYTES, shares = 8 * r->workers;
    const unsigned wanted = ww__highest_bit(pieces > shares ? pieces : shares) + 1;
    const unsigned left = highest + 1 - ww__lowest_bit(p->range->mask);
    p->bits = left <= WW__RADIX_BITS ? left : (unsigned)ww__min_u64(wanted, WW__RADIX_BITS);
    p->low = highest + 1 - p->bits;
}

/* Counts all parts by the digit that a sample of the keys promises, and again when keys differ in higher bits after all or
 * parts were left out for being in order while others are not. Returns the bits of the mask in which keys differ; 0 means
 * that they are in order. */
static ww__word count_range(partition *p) {
    const radix *r = p->r;
    const range *a = p->range;
    ww__word promised = r->loops->differ(key_at(r, a->buffer, a->first), a->n, a->n / 256 + 1, order_in(r, a->buffer));
    for (promised = (promised & a->mask) | (a->mask & (~a->mask + 1));;) {
        choose_digit(p, ww__highest_bit(promised));
        p->next = 0;
        ww__parallel(r->device, r->workers, count_parts, p);
        ww__word differ = 0;
        uint64_t ordered = 0;
        for (uint64_t number = 0; number < p->parts; number++) {
            differ |= r->parts[number].differ & a->mask;
            ordered += r->parts[number].ordered;
        }
        if (ordered == p->parts) return 0;
        if (!ordered && ww__highest_bit(differ) <= ww__highest_bit(promised)) return differ;
        p->look_for_order = false;
        promised |= differ;
    }
}

/* Counts become positions: bucket after bucket, in each part after part. */
static void place_parts(const partition *p, uint64_t *bounds) {
    uint64_t position = p->range->first;
    const size_t buckets = (size_t)1 << p->bits;
    for (size_t b = 0; b < buckets; b++) {
        bounds[b] = position;
        for (uint64_t number = 0; number < p->parts; number++) {
            uint64_t *count = &p->r->parts[number].counts[b], begin = position;
            position += *count;
            *count = begin;
        }
    }
    bounds[buckets] = position;
}

/* ---- the buckets of a partition ---- */

typedef struct buckets {
    const radix *r;
    const uint64_t *bounds;
    uint64_t count, next;
    int buffer;
    ww__word mask;
} buckets;

static range bucket(const buckets *b, uint64_t i) {
    return (range){b->bounds[i], b->bounds[i + 1] - b->bounds[i], b->buffer, b->mask};
}

static bool is_large(const radix *r, const range *a) { return a->n > LEAF_BYTES / (r->key_size + r->value_size); }

static void sort_leaves(void *argument, size_t worker) {
    buckets *b = argument;
    for (uint64_t i; (i = ww__claim(&b->next)) < b->count;) {
        const range a = bucket(b, i);
        if (a.n && !is_large(b->r, &a)) leaf(b->r, &a, worker);
    }
}

static bool in_place(const radix *r) {
    return r->keys[INPUT] == r->keys[RESULT] || (r->value_size && r->values[INPUT] == r->values[RESULT]);
}

/* Sorts a range by all workers. */
static void sort_range(const radix *r, const range *a, size_t level) {
    partition p = {.r = r, .range = a, .look_for_order = a->buffer == INPUT};
    p.to = a->buffer == INPUT ? (in_place(r) ? SCRATCH : RESULT) : !a->buffer;
    p.part_n = a->n / ww__min_u64(r->parts_room, a->n / PART_LEAST + 1) + 1;
    p.parts = (a->n + p.part_n - 1) / p.part_n;
    if (a->mask == 0 || count_range(&p) == 0) {
        copy_range(r, a);
        return;
    }
    uint64_t *bounds = r->bounds + level * BOUNDS;
    place_parts(&p, bounds);
    p.next = 0;
    ww__parallel(r->device, r->workers, move_parts, &p);

    buckets b = {r, bounds, (uint64_t)1 << p.bits, 0, p.to, a->mask & (((ww__word)1 << p.low) - 1)};
    for (uint64_t i = 0; i < b.count; i++) {
        const range large = bucket(&b, i);
        if (is_large(r, &large)) sort_range(r, &large, level + 1);
    }
    ww__parallel(r->device, r->workers, sort_leaves, &b);
}

static ww_status sort_small(radix *r, const range *all) {
    WW_TRY(ww__scratch(r->device, TABLE_BYTES, &r->desks));
    if (r->loops->sorted(r->keys[INPUT], all->n, &r->order, all->mask))
        copy_range(r, all);
    else
        leaf(r, all, 0);
    return WW_OK;
}

static ww_status sort_large(radix *r, const range *all) {
    uint64_t *counts;
    r->parts_room = PARTS_A_WORKER * r->workers + (all->n >> 31); /* tables count in 32 bits */
    WW_TRY(ww__scratch_array(r->device, r->workers, desk_bytes(r), &r->desks));
    WW_TRY(ww__scratch_array(r->device, r->parts_room, sizeof *r->parts, &r->parts));
    WW_TRY(ww__scratch_array(r->device, r->parts_room, WW__RADIX_BUCKETS * sizeof *counts, &counts));
    WW_TRY(ww__scratch_array(r->device, 8 * r->key_size / DIGIT_LEAST, BOUNDS * sizeof *r->bounds, &r->bounds));
    for (uint64_t number = 0; number < r->parts_room; number++)
        r->parts[number].counts = counts + number * WW__RADIX_BUCKETS;
    sort_range(r, all, 0);
    return WW_OK;
}

ww_status ww__radix_sort(ww_device *device, const ww__radix *job) {
    const uint64_t bytes = job->n * (job->key_size + job->value_size);
    radix r = {.device = device,
               .loops = ww__radix_loops_of(job->key_size, job->value_size),
               .order = job->order,
               .key_size = job->key_size,
               .value_size = job->value_size,
               .workers = ww__workers(device, bytes)};
    const range all = {0, job->n, INPUT, job->mask};
    if (!job->n) return WW_OK;
    WW_CHECK(device, r.loops, WW_UNSUPPORTED, "sorts no keys of %zu bytes here", job->key_size);
    ww__trace(device, "radix", NULL, job->n, bytes, r.workers);
    r.keys[INPUT] = (unsigned char *)(uintptr_t)job->keys; /* only read */
    r.keys[RESULT] = job->keys_out;
    WW_TRY(ww__scratch_array(device, job->n, job->key_size, &r.keys[SCRATCH]));
    if (job->value_size) {
        r.values[INPUT] = (unsigned char *)(uintptr_t)job->values;
        r.values[RESULT] = job->values_out;
        WW_TRY(ww__scratch_array(device, job->n, job->value_size, &r.values[SCRATCH]));
    }
    return r.workers == 1 && !is_large(&r, &all) ? sort_small(&r, &all) : sort_large(&r, &all);
}
