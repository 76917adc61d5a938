/* The radix sort's host side.
 *
 * Large: all workers partition the elements by the highest bits in which keys differ, into up to 2^11 buckets. They count
 * parts of the input; the counts give every part its place in every bucket; they move each part there through a line of
 * 64 bytes for each bucket, so that the order is kept and memory sees whole lines. Then they claim buckets, which fit in
 * a second-level cache, and sort each there: by least-significant-digit passes over its next highest bits (leaf in
 * radix_pairs.h), or keys alone by vectors (network_leaf.c). A bucket that does not fit, because keys are skewed or very
 * many, is partitioned in turn.
 *     memory     1 n of keys to count, 1 n read and written to partition, 1 n read and written by the leaves
 * Small: one leaf.
 *
 * Elements go from the input to the output (the scratch copy, in place), and then between these two. Keys become the
 * numbers that order them (radix.h) when they leave the input, and keys again when their bucket is done, in cache.
 *
 * A sample of the keys comes first. If it is in order, the input is copied while a look at all of it says whether that was
 * right. If no two of its numbers share a bucket, then counting may be all there is to do: where each bucket turns out to
 * have one number only, these are written as often as they were counted. Of 16 different keys or fewer each is counted by itself,
 * by vectors (first_look.c).
 *
 * Write-combining lines: Satish et al., Fast Sort on CPUs and GPUs (2010); Polychroniou and Ross, A Comprehensive Study of
 * Main-Memory Partitioning (2014). */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "sort/first_look.h"
#include "sort/network_leaf.h"
#include "sort/radix.h"

enum {
    LEAF_BYTES = 1 << 20,    /* keys and values that one worker sorts in cache, at most */
    BUCKET_BYTES = 1 << 17,  /* what a partition aims at, */
    NETWORK_BYTES = 1 << 18, /* where vectors sort the buckets */
    PARTS_A_WORKER = 4,      /* so that no worker waits long for another */
    PART_LEAST = 1 << 14,    /* elements of a part */
    DIGIT_LEAST = 4,         /* bits that a partition takes, unless fewer are left */
    COPY_BYTES = 1 << 16,
    SAMPLE = 256 /* keys that are looked at first */
};

/* Buffers: the scratch copy, the result, and the input before the first partition. */
enum { SCRATCH, RESULT, INPUT };

typedef struct part { /* of the range that is partitioned */
    uint64_t *counts; /* of its elements in each bucket; then where the next one goes */
    ww__word differ;
} part;

typedef struct radix {
    ww_device *device;
    const ww__radix_loops *loops;
    const ww__first_look *look;
    ww__network_leaf *network; /* sorts leaves, where they are keys alone and compared by all of their bits */
    ww__radix_order order;     /* of the input's keys */
    size_t key_size, value_size, workers;
    unsigned char *keys[3], *values[3];
    unsigned char *desks; /* one for each worker, of desk_bytes */
    part *parts;
    uint64_t parts_room;
    uint64_t *bounds; /* of buckets: a row for each partition that is under way inside another */
    void *only;       /* for each bucket, the one number that may be in it (few_keys) */
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

/* Sorts a range into the result; `room` is where in the scratch copy it may be worked on. */
static void leaf(const radix *r, const range *a, uint64_t room, size_t worker) {
    const uint64_t scratch = a->buffer == SCRATCH ? a->first : room;
    const ww__radix_leaf l = {.keys = {key_at(r, SCRATCH, scratch), key_at(r, RESULT, a->first)},
                              .values = {value_at(r, SCRATCH, scratch), value_at(r, RESULT, a->first)},
                              .tables = (uint32_t *)(void *)desk(r, worker)};
    int buffer = a->buffer;
    if (buffer == INPUT) {
        buffer = RESULT;
        if (restores(r) || r->keys[INPUT] != r->keys[RESULT])
            r->loops->arrange(key_at(r, RESULT, a->first), key_at(r, INPUT, a->first), a->n, &r->order);
        if (r->value_size && r->values[INPUT] != r->values[RESULT])
            memcpy(value_at(r, RESULT, a->first), value_at(r, INPUT, a->first), a->n * r->value_size);
    }
    if (r->network)
        r->network(l.keys, buffer, a->n);
    else
        r->loops->leaf(&l, buffer, a->n, a->mask);
    if (restores(r)) r->loops->restore(key_at(r, RESULT, a->first), a->n, &r->order);
}

/* ---- elements that are in order: to the result ---- */

typedef struct copying {
    const radix *r;
    const range *range;
    bool look;     /* whether they are in order has still to be seen */
    bool disorder; /* … and they are not */
    uint64_t piece, next;
} copying;

static void copy_pieces(void *argument, size_t worker) {
    copying *c = argument;
    const radix *r = c->r;
    const range *a = c->range;
    const bool streaming = ww__streams(r->device, a->n * (r->key_size + r->value_size));
    (void)worker;
    for (uint64_t done; (done = ww__claim(&c->next) * c->piece) < a->n;) {
        const uint64_t i = a->first + done, before = done ? 1 : 0; /* with the last key of the piece before */
        const size_t n = (size_t)ww__min_u64(c->piece, a->n - done);
        unsigned char *keys = key_at(r, RESULT, i), *values = value_at(r, RESULT, i);
        if (c->look) {
            if (__atomic_load_n(&c->disorder, __ATOMIC_RELAXED)) break;
            if (!r->look->in_order(key_at(r, a->buffer, i - before), n + before, order_in(r, a->buffer), a->mask)) {
                __atomic_store_n(&c->disorder, true, __ATOMIC_RELAXED);
                break;
            }
        }
        if (keys != key_at(r, a->buffer, i))
            ww__stream_memory(r->device, keys, key_at(r, a->buffer, i), n * r->key_size, streaming);
        if (values && values != value_at(r, a->buffer, i))
            ww__stream_memory(r->device, values, value_at(r, a->buffer, i), n * r->value_size, streaming);
        if (a->buffer != INPUT && restores(r)) r->loops->restore(keys, n, &r->order);
    }
    ww__stream_done();
}

/* To the result, unless `look` is asked for and finds that they are not in order. */
static bool copy_range(const radix *r, const range *a, bool look) {
    copying c = {r, a, look, false, COPY_BYTES / r->key_size, 0};
    const bool there = a->buffer == INPUT && r->keys[INPUT] == r->keys[RESULT] && r->values[INPUT] == r->values[RESULT];
    if (look || !there) ww__parallel(r->device, r->workers, copy_pieces, &c);
    return !c.disorder;
}

/* ---- one partition ---- */

typedef struct partition {
    const radix *r;
    const range *range;
    int to;
    unsigned low, bits;
    uint64_t parts, part_n; /* how many parts, and the elements of one */
    const void *only;       /* for each bucket the one number that may be in it; or NULL */
    const struct few *few;  /* where there are very few of them; or NULL */
    uint64_t next;
} partition;

/* Different keys, as they lie in the input, and the bucket of each. */
typedef struct few {
    ww__word keys[WW__TALLY_MOST]; /* packed */
    size_t bucket[WW__TALLY_MOST], many;
} few;

/* Counts a part's keys. What it returns is not 0 where there are others. */
static ww__word tally_part(const partition *p, const void *keys, size_t n, uint64_t *counts) {
    uint64_t tallies[WW__TALLY_MOST];
    const uint64_t all = p->r->look->tally(keys, n, p->few->keys, p->few->many, tallies);
    memset(counts, 0, sizeof *counts << p->bits);
    for (size_t v = 0; v < p->few->many; v++) counts[p->few->bucket[v]] = tallies[v];
    return all != n;
}

static void count_parts(void *argument, size_t worker) {
    partition *p = argument;
    const radix *r = p->r;
    const range *a = p->range;
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;) {
        const uint64_t before = number * p->part_n;
        const ww__radix_count count = {.keys = key_at(r, a->buffer, a->first + before),
                                       .n = (size_t)ww__min_u64(p->part_n, a->n - before),
                                       .order = *order_in(r, a->buffer),
                                       .first = key_at(r, a->buffer, a->first),
                                       .low = p->low,
                                       .bits = p->bits,
                                       .only = p->only,
                                       .tables = (uint32_t *)(void *)desk(r, worker),
                                       .counts = r->parts[number].counts};
        r->parts[number].differ = p->few ? tally_part(p, count.keys, count.n, count.counts) : r->loops->count(&count);
    }
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
 * buckets of such size, and for some to each worker. */
static void choose_digit(partition *p, unsigned highest) {
    const radix *r = p->r;
    const uint64_t bytes = r->network ? NETWORK_BYTES : BUCKET_BYTES;
    const uint64_t pieces = p->range->n * (r->key_size + r->value_size) / bytes, shares = 8 * r->workers;
    const unsigned wanted = ww__highest_bit(pieces > shares ? pieces : shares) + 1;
    const unsigned left = highest + 1 - ww__lowest_bit(p->range->mask);
    p->bits = left <= WW__RADIX_BITS ? left : (unsigned)ww__min_u64(wanted, WW__RADIX_BITS);
    p->low = highest + 1 - p->bits;
}

/* ---- what a sample of the keys promises ---- */

typedef struct sample {
    size_t n;
    ww__word keys[SAMPLE]; /* packed, whatever their size */
} sample;

static void take_sample(const radix *r, const range *a, sample *s) {
    const uint64_t step = (a->n + SAMPLE - 1) / SAMPLE;
    unsigned char *to = (unsigned char *)s->keys;
    s->n = 0;
    for (uint64_t i = 0; i < a->n; i += step)
        memcpy(to + s->n++ * r->key_size, key_at(r, a->buffer, a->first + i), r->key_size);
}

/* The lowest bit of the mask is promised always, so that there is a digit. */
static ww__word promise(const partition *p, const sample *s) {
    const range *a = p->range;
    const ww__word differ = p->r->loops->differ(s->keys, s->n, 1, order_in(p->r, a->buffer));
    return (differ & a->mask) | (a->mask & (~a->mask + 1));
}

/* Counts all parts. Returns the bits in which keys differ. */
static ww__word count_all(partition *p) {
    ww__word differ = 0;
    p->next = 0;
    ww__parallel(p->r->device, p->r->workers, count_parts, p);
    for (uint64_t number = 0; number < p->parts; number++) differ |= p->r->parts[number].differ;
    return differ;
}

/* Counts by the digit that is promised, and again when keys differ in higher bits after all. Returns the bits of the mask
 * in which keys differ. */
static ww__word count_range(partition *p, ww__word promised) {
    for (;;) {
        choose_digit(p, ww__highest_bit(promised));
        const ww__word differ = count_all(p) & p->range->mask;
        if (ww__highest_bit(differ) <= ww__highest_bit(promised)) return differ;
        promised |= differ;
    }
}

/* The sample's different keys; false where they are more than a tally takes. */
static bool find_few(const partition *p, const sample *s, few *f) {
    const size_t size = p->r->key_size;
    const unsigned char *keys = (const unsigned char *)s->keys;
    unsigned char *found = (unsigned char *)f->keys;
    f->many = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t v = 0;
        while (v < f->many && memcmp(found + v * size, keys + i * size, size)) v++;
        if (v < f->many) continue;
        if (v == WW__TALLY_MOST) return false;
        memcpy(found + v * size, keys + i * size, size);
        f->bucket[v] = p->r->loops->digit(keys + i * size, order_in(p->r, p->range->buffer), p->low, p->bits);
        f->many++;
    }
    return true;
}

/* Where no two numbers of the sample share a bucket, there may be so few that no two at all do: then it is enough to count
 * them. Returns whether it is so. */
static bool count_few(partition *p, const sample *s, ww__word promised) {
    const radix *r = p->r;
    few tallied;
    choose_digit(p, ww__highest_bit(promised));
    if (!r->loops->alone(s->keys, s->n, order_in(r, p->range->buffer), p->low, p->bits, r->only)) return false;
    if (find_few(p, s, &tallied)) {
        p->few = &tallied;
        const bool all = count_all(p) == 0;
        p->few = NULL;
        if (all) return true;
    }
    p->only = r->only;
    const bool all = count_all(p) == 0;
    p->only = NULL;
    return all;
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
    uint64_t share; /* of the scratch copy, that each worker has for its leaves; 0: a leaf's own place there */
} buckets;

static range bucket(const buckets *b, uint64_t i) {
    return (range){b->bounds[i], b->bounds[i + 1] - b->bounds[i], b->buffer, b->mask};
}

static bool is_large(const radix *r, const range *a) { return a->n > LEAF_BYTES / (r->key_size + r->value_size); }

static void sort_leaves(void *argument, size_t worker) {
    buckets *b = argument;
    for (uint64_t i; (i = ww__claim(&b->next)) < b->count;) {
        const range a = bucket(b, i);
        if (a.n && !is_large(b->r, &a)) leaf(b->r, &a, b->share ? worker * b->share : a.first, worker);
    }
}

/* After the first partition to the result nothing is in the scratch copy: so much of it that it stays in a cache is enough
 * for a worker to sort all its leaves. */
static uint64_t share_of(const buckets *b, size_t level) {
    const uint64_t n = b->bounds[b->count], share = n / b->r->workers;
    if (level || b->buffer != RESULT) return 0;
    for (uint64_t i = 0; i < b->count; i++) {
        const range a = bucket(b, i);
        if (a.n > share && !is_large(b->r, &a)) return 0;
    }
    return share;
}

static bool in_place(const radix *r) {
    return r->keys[INPUT] == r->keys[RESULT] || (r->value_size && r->values[INPUT] == r->values[RESULT]);
}

/* ---- few numbers: each is written as often as it was counted ---- */

typedef struct filling {
    const radix *r;
    const uint64_t *bounds;
    size_t buckets;
    uint64_t piece, next;
} filling;

static void fill_pieces(void *argument, size_t worker) {
    filling *f = argument;
    const radix *r = f->r;
    const uint64_t n = f->bounds[f->buckets], room = TABLE_BYTES / r->key_size;
    const bool streaming = ww__streams(r->device, n * r->key_size);
    unsigned char *same = desk(r, worker);
    size_t b = 0;
    for (uint64_t first; (first = ww__claim(&f->next) * f->piece) < n;)
        for (const uint64_t end = ww__min_u64(first + f->piece, n); first < end;) {
            while (f->bounds[b + 1] <= first) b++;
            const size_t many = (size_t)ww__min_u64(ww__min_u64(f->bounds[b + 1], end) - first, room);
            r->loops->repeat(same, many, (const unsigned char *)r->only + b * r->key_size, &r->order);
            ww__stream(r->device, key_at(r, RESULT, first), same, many * r->key_size, streaming);
            first += many;
        }
    ww__stream_done();
}

/* Sorts a range by all workers. */
static void sort_range(const radix *r, const range *a, size_t level) {
    sample s;
    partition p = {.r = r, .range = a};
    p.to = a->buffer == INPUT ? (in_place(r) ? SCRATCH : RESULT) : !a->buffer;
    p.part_n = a->n / ww__min_u64(r->parts_room, a->n / PART_LEAST + 1) + 1;
    p.parts = (a->n + p.part_n - 1) / p.part_n;
    uint64_t *bounds = r->bounds + level * BOUNDS;
    if (!a->mask) {
        copy_range(r, a, false);
        return;
    }
    take_sample(r, a, &s);
    if (a->buffer == INPUT && r->look->in_order(s.keys, s.n, order_in(r, a->buffer), a->mask) && copy_range(r, a, true))
        return;
    const ww__word promised = promise(&p, &s);
    if (a->buffer == INPUT && !r->value_size && count_few(&p, &s, promised)) {
        place_parts(&p, bounds);
        filling f = {r, bounds, (size_t)1 << p.bits, COPY_BYTES / r->key_size, 0};
        ww__parallel(r->device, r->workers, fill_pieces, &f);
        return;
    }
    if (count_range(&p, promised) == 0) {
        copy_range(r, a, false);
        return;
    }
    place_parts(&p, bounds);
    p.next = 0;
    ww__parallel(r->device, r->workers, move_parts, &p);

    buckets b = {r, bounds, (uint64_t)1 << p.bits, 0, p.to, a->mask & (((ww__word)1 << p.low) - 1), 0};
    b.share = share_of(&b, level);
    for (uint64_t i = 0; i < b.count; i++) {
        const range large = bucket(&b, i);
        if (is_large(r, &large)) sort_range(r, &large, level + 1);
    }
    ww__parallel(r->device, r->workers, sort_leaves, &b);
}

static ww_status sort_small(radix *r, const range *all) {
    WW_TRY(ww__scratch(r->device, TABLE_BYTES, &r->desks));
    if (r->look->in_order(r->keys[INPUT], all->n, &r->order, all->mask))
        copy_range(r, all, false);
    else
        leaf(r, all, 0, 0);
    return WW_OK;
}

static ww_status sort_large(radix *r, const range *all) {
    uint64_t *counts;
    r->parts_room = PARTS_A_WORKER * r->workers + (all->n >> 31); /* tables count in 32 bits */
    WW_TRY(ww__scratch_array(r->device, r->workers, desk_bytes(r), &r->desks));
    WW_TRY(ww__scratch_array(r->device, r->parts_room, sizeof *r->parts, &r->parts));
    WW_TRY(ww__scratch_array(r->device, r->parts_room, WW__RADIX_BUCKETS * sizeof *counts, &counts));
    WW_TRY(ww__scratch_array(r->device, WW__RADIX_BUCKETS, r->key_size, &r->only));
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
               .look = ww__first_look_of(device, job->key_size),
               .order = job->order,
               .key_size = job->key_size,
               .value_size = job->value_size,
               .workers = ww__workers(device, bytes)};
    const range all = {0, job->n, INPUT, job->mask};
    if (!job->n) return WW_OK;
    WW_CHECK(device, r.loops, WW_UNSUPPORTED, "sorts no keys of %zu bytes here", job->key_size);
    const ww__word ends = (ww__word)1 << (8 * job->key_size - 1) | 1; /* the mask is contiguous */
    if (!job->value_size && (job->mask & ends) == ends) r.network = ww__network_leaf_of(device->vector, job->key_size);
    ww__trace(device, r.network ? "radix-network" : "radix", NULL, job->n, bytes, r.workers);
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
