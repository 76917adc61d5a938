/* The multisplit's host side on a CPU.
 *
 * Up to 2^12 buckets: one pass (pass.h) from the inputs to the outputs.
 *     memory     1 n of keys to count, 1 n read and written to move
 * More: the pass goes by the highest bits of the bucket's number, to a scratch copy. Buckets that fit in a second-level cache
 * are then split there by the bits that are left (leaf_cpu.c), each by one worker: 1 n read and written more. Those that do
 * not fit get a pass of their own.
 *
 * Two buckets go by compressing (two_cpu.c). auto moves elements through lines (lines_cpu.c), directly or by blocks, as the table
 * in auto_cpu.c has it. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "multisplit/leaf_cpu.h"

enum {
    LEVELS = 3, /* passes one inside another: 12 + 12 + 6 bits */
    BOUNDS = (1 << WW__SPLIT_BITS) + 1,
    COPY_BYTES = 1 << 16,
    MANY_BYTES = 1 << 22
};

/* Buffers, in the order that ww__leaves wants. */
enum { SCRATCH, RESULT, INPUT };

typedef struct job {
    const ww__splitting *s;
    ww_device *device;
    ww__numbering numbering;
    ww__fault fault;
    ww__pass pass; /* what all passes have in common */
    ww__leaves leaves;
    ww_input keys[3], values[3];
    uint64_t *bounds; /* of buckets: a row for each pass that is under way inside another */
} job;

typedef struct range {
    uint64_t first, n, bucket; /* the lowest bucket in it */
    int buffer;
    unsigned bits; /* that are left */
} range;

/* ---- what is split by one worker ---- */

typedef struct leafing {
    const job *j;
    const range *range;
    const uint64_t *bounds;
    uint64_t count, next;
    unsigned low;
    int buffer;
} leafing;

static range bucket_of(const leafing *l, uint64_t b) {
    return (range){l->bounds[b], l->bounds[b + 1] - l->bounds[b], l->range->bucket + (b << l->low), l->buffer, l->low};
}

static void split_leaf(const job *j, const range *a, size_t worker) {
    const ww__desk desk = ww__pass_desk(&j->pass, worker);
    ww__split_leaf(&j->leaves, &desk, j->pass.tile, a->buffer, a->first, (size_t)a->n, a->bucket, a->bits);
}

static void split_leaves(void *argument, size_t worker) {
    leafing *l = argument;
    for (uint64_t b; (b = ww__claim(&l->next)) < l->count;) {
        const range a = bucket_of(l, b);
        if (a.n <= WW__LEAF_MOST) split_leaf(l->j, &a, worker);
    }
}

/* ---- a range that is in order, to the result ---- */

typedef struct copying {
    const job *j;
    const range *range;
    uint64_t piece, next;
} copying;

static void copy_pieces(void *argument, size_t worker) {
    copying *c = argument;
    const ww__leaves *l = &c->j->leaves;
    (void)worker;
    for (uint64_t done; (done = ww__claim(&c->next) * c->piece) < c->range->n;) {
        const uint64_t i = c->range->first + done, n = ww__min_u64(c->piece, c->range->n - done);
        memcpy(l->keys[RESULT] + i * l->key_size, l->keys[SCRATCH] + i * l->key_size, (size_t)n * l->key_size);
        if (l->value_size)
            memcpy(l->values[RESULT] + i * l->value_size, l->values[SCRATCH] + i * l->value_size,
                   (size_t)n * l->value_size);
    }
}

static void copy_range(const job *j, const range *a) {
    copying c = {j, a, COPY_BYTES / j->leaves.key_size + 1, 0};
    ww__parallel(j->device, j->pass.workers, copy_pieces, &c);
}

/* ---- a range that all workers split ---- */

/* All bits, if a digit holds them; else so many that leaves get one digit, and are not too large. */
static unsigned choose_bits(uint64_t n, unsigned bits) {
    unsigned most = bits > WW__LEAF_BITS ? bits - WW__LEAF_BITS : 1;
    if (bits <= WW__SPLIT_BITS) return bits;
    while (most < WW__SPLIT_BITS && n >> most > WW__LEAF_MOST / 2) most++;
    return most < WW__SPLIT_BITS ? most : WW__SPLIT_BITS;
}

static void put_bounds(const job *j, const range *a, const uint64_t *bounds, unsigned bits) {
    if (ww__is_none(&j->s->offsets)) return;
    for (uint64_t b = 0; b < (uint64_t)1 << bits; b++) ww__put_offset(&j->s->offsets, a->bucket + b, bounds[b]);
}

static int target(const range *a, unsigned low) { return a->buffer == INPUT ? (low ? SCRATCH : RESULT) : !a->buffer; }

/* Lines to many places would push each other out of the second-level cache on their way to the third. */
static bool streams(const ww_device *device, const ww__pass *p, uint64_t bytes) {
    const bool many = p->mover == &ww__move_lines && p->value_size && p->bits > 8 && bytes >= MANY_BYTES;
    return many || ww__streams(device, bytes);
}

static ww__pass pass_of(const job *j, const range *a) {
    ww__pass p = j->pass;
    p.bits = choose_bits(a->n, a->bits);
    p.low = a->bits - p.bits;
    p.keys = &j->keys[a->buffer];
    p.values = p.value_size ? &j->values[a->buffer] : NULL;
    p.keys_out = j->leaves.keys[target(a, p.low)];
    p.values_out = j->leaves.values[target(a, p.low)];
    p.first = a->first;
    p.n = a->n;
    p.streaming = streams(j->device, &p, a->n * (p.key_size + p.value_size));
    if (a->buffer != INPUT) p.fault = NULL;
    return p;
}

static void move_all(const job *j, ww__pass *p) {
    if (j->s->method == WW_MULTISPLIT_AUTO) p->mover = ww__auto_mover_of_places(p);
    ww__pass_move(p);
}

static ww_status split_range(job *j, const range *a, size_t level) {
    ww__pass p = pass_of(j, a);
    uint64_t *bounds = j->bounds + level * BOUNDS;
    if (j->device->on_paper) return j->s->method == WW_MULTISPLIT_ONEPASS ? ww__pass_onepass(&p, bounds) : WW_OK;
    if (!ww__pass_count(&p, bounds))
        return ww__no_bucket(j->device, j->fault.position, j->numbering.name, j->s->by.buckets);
    if (j->s->method == WW_MULTISPLIT_ONEPASS && a->buffer == INPUT)
        WW_TRY(ww__pass_onepass(&p, bounds));
    else
        move_all(j, &p);
    leafing l = {j, a, bounds, (uint64_t)1 << p.bits, 0, p.low, target(a, p.low)};
    if (!p.low) {
        const range done = {a->first, a->n, a->bucket, l.buffer, 0};
        put_bounds(j, a, bounds, p.bits);
        if (l.buffer == SCRATCH) copy_range(j, &done);
        return WW_OK;
    }
    for (uint64_t b = 0; b < l.count; b++) {
        const range large = bucket_of(&l, b);
        if (large.n > WW__LEAF_MOST) WW_TRY(split_range(j, &large, level + 1));
    }
    ww__parallel(j->device, p.workers, split_leaves, &l);
    return WW_OK;
}

/* ---- the whole ---- */

static const ww__mover *mover_of(const ww__splitting *s, size_t size, unsigned bits, const ww__lines_loops *lines) {
    switch (s->method) {
    case WW_MULTISPLIT_DIRECT:
        return &ww__move_direct;
    case WW_MULTISPLIT_WARP:
        return &ww__move_warp;
    case WW_MULTISPLIT_BLOCK:
    case WW_MULTISPLIT_ONEPASS:
        return &ww__move_block;
    default:
        return ww__auto_mover(s->device, lines != NULL, size, s->keys.count, bits);
    }
}

static ww_input memory_like(const ww_input *in, const void *data) {
    ww_input memory = ww_memory_of(data, in->count, in->type);
    memory.size = in->size;
    return memory;
}

/* The scratch copy and the result, as inputs too. */
static ww_status take_buffers(job *j, bool copy) {
    const ww__splitting *s = j->s;
    ww__leaves *l = &j->leaves;
    l->keys[RESULT] = s->keys_out.data;
    j->keys[INPUT] = s->keys;
    if (copy) WW_TRY(ww__scratch_array(j->device, s->keys.count, s->keys.size, &l->keys[SCRATCH]));
    for (int b = SCRATCH; b <= RESULT; b++) j->keys[b] = memory_like(&s->keys, l->keys[b]);
    if (!l->value_size) return WW_OK;
    l->values[RESULT] = s->values_out.data;
    j->values[INPUT] = s->values;
    if (copy) WW_TRY(ww__scratch_array(j->device, s->values.count, s->values.size, &l->values[SCRATCH]));
    for (int b = SCRATCH; b <= RESULT; b++) j->values[b] = memory_like(&s->values, l->values[b]);
    return WW_OK;
}

/* Whether nothing of the caller's computes keys' buckets. */
static bool same_twice(const ww__splitting *s) {
    const bool built_in = !s->by.map || ww__splits_by(s, &ww_by_number) || ww__splits_by(s, &ww_by_bits) ||
                          ww__splits_by(s, &ww_by_delta);
    return built_in && ww__input_is_memory(&s->keys);
}

static ww_status prepare(job *j, const range *all) {
    const ww__splitting *s = j->s;
    const size_t value_size = s->values.steps ? s->values.size : 0, size = s->keys.size + value_size;
    const bool leaves = all->bits > WW__SPLIT_BITS;
    j->leaves = (ww__leaves){
        .numbering = &j->numbering, .key_size = s->keys.size, .value_size = value_size, .offsets = s->offsets};
    WW_TRY(take_buffers(j, leaves));
    j->pass = (ww__pass){.device = j->device,
                         .numbering = &j->numbering,
                         .lines = ww__lines_loops_of(s->keys.size, value_size),
                         .keys = &s->keys,
                         .values = value_size ? &s->values : NULL,
                         .key_size = s->keys.size,
                         .value_size = value_size,
                         .n = all->n,
                         .workers = ww__workers(j->device, all->n * size),
                         .same_twice = same_twice(s),
                         .fault = &j->fault};
    j->pass.mover = mover_of(s, size, choose_bits(all->n, all->bits), j->pass.lines);
    const uint64_t moved = ww__input_bytes(&s->keys) * 2 + (value_size ? ww__input_bytes(&s->values) : 0) +
                           all->n * size;
    ww__trace(j->device, s->method == WW_MULTISPLIT_ONEPASS ? "onepass" : j->pass.mover->name, s->by.asked, all->n,
              moved + (leaves ? 2 * all->n * size : 0), j->pass.workers);
    /* A range that is too large for a leaf may have more bits than the whole has: it takes as many as it can. */
    const unsigned bits = leaves && all->n > WW__LEAF_MOST ? WW__SPLIT_BITS : choose_bits(all->n, all->bits);
    WW_TRY(ww__pass_prepare(&j->pass, bits, leaves ? WW__LEAF_ROOM : 0));
    return ww__scratch_array(j->device, leaves ? LEVELS : 1, BOUNDS * sizeof *j->bounds, &j->bounds);
}

static ww_status two_buckets(job *j) {
    const ww__splitting *s = j->s;
    const uint64_t size = s->keys.size + (s->values.steps ? s->values.size : 0), n = s->keys.count;
    const uint64_t read = ww__input_bytes(&s->keys) * 2 + (s->values.steps ? ww__input_bytes(&s->values) : 0);
    uint64_t zeros = n;
    ww__trace(j->device, "compress", s->by.asked, n, read + n * size, ww__workers(j->device, n * size));
    WW_TRY(ww__two(s, &j->numbering, &j->fault, &zeros));
    if (j->fault.position != UINT64_MAX)
        return ww__no_bucket(j->device, j->fault.position, j->numbering.name, s->by.buckets);
    if (j->device->on_paper) return WW_OK;
    ww__put_offset(&s->offsets, 0, 0);
    if (s->by.buckets == 2) ww__put_offset(&s->offsets, 1, zeros);
    return WW_OK;
}

ww_status ww__multisplit_cpu(const ww__splitting *s) {
    job j = {.s = s, .device = s->device};
    ww__fault_clear(&j.fault);
    WW_TRY(ww__numbering_begin(s, &j.numbering));
    if (s->method == WW_MULTISPLIT_AUTO && ww__two_serves(s)) {
        WW_TRY(two_buckets(&j));
    } else {
        const range all = {0, s->keys.count, 0, INPUT, ww__bucket_bits(s->by.buckets)};
        WW_TRY(prepare(&j, &all));
        WW_TRY(split_range(&j, &all, 0));
    }
    if (!j.device->on_paper) ww__put_offset(&s->offsets, s->by.buckets, s->keys.count);
    return WW_OK;
}
