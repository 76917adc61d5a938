/* A stable sort by comparing, for a caller's order: elements go between splitters, which are taken from a sorted sample, and what
 * comes between two of them is sorted in the same way, or in a cache (parts_cpu.h).
 *
 * One pass: each element goes down a tree of the splitters, many in step and without branches (`classify` of the order's loops), which
 * costs a third of merging by as many bits; its bucket's number is noted. Numbers are counted for each part of the range, counts
 * become places, and elements are moved there, through write-combining lines where they do not fit in a cache. An element is
 * classified once, so that an order that is none gives some permutation too.
 *
 * Where splitters repeat, elements that are equal to one have a bucket of their own, which needs no more sorting; where a sample
 * has few different elements all of these are splitters.
 *
 * All workers share a pass over much; ranges that fit for one are claimed. What a sample did not split goes to the merge sort.
 * Sanders and Winkel, Super Scalar Sample Sort (2004); Axtmann, Witt, Ferizovic and Sanders, Engineering In-place (Shared-memory) Sorting
 * Algorithms (2022). */
#include "sort/merge/samples_cpu.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "radix/lines.h"

enum {
    LEVELS_MOST = 10,     /* of a tree: 2^10 - 1 splitters … */
    TREE_BYTES = 1 << 15, /* … and their bytes */
    BUCKETS_MOST = 2 << LEVELS_MOST,
    LEAF = 256,       /* elements that a part is to have on average when it is sorted in a cache … */
    LEAF_MOST = 1024, /* … and at most */
    OVERSAMPLED = 8,  /* elements of a sample for each splitter */
    SAMPLED = 8,      /* and no more than one in so many is in a sample */
    DEPTH_MOST = 6,   /* passes one inside another */
    BLOCK = 64,       /* elements that go from step to step, and whose lines are asked for at once */
    PARTS_A_WORKER = 4,
    SHARED_LEAST = 1 << 16, /* elements that all workers share */
    /* That are moved without lines, whose next line is asked for: 2^20 elements of 16 bytes, 2^10 different, 1.2 times as fast as by lines
     * (a Xeon with AVX-512, 2026-11, one thread). */
    DIRECT_BYTES = 1 << 25,
    LINES_BYTES = 256 * BUCKETS_MOST
};

/* What one worker works with. */
typedef struct desk {
    unsigned char *tree, *sorted, *lines;
    uint32_t *counts;
    uint64_t *position, *row; /* row: two of buckets */
    uint64_t *bounds;         /* DEPTH_MOST rows of BUCKETS_MOST + 1 */
} desk;

typedef struct samples {
    const ww__sort_buffers *b;
    const ww__lines_loops *lines; /* or NULL */
    uint16_t *labels;
    uint64_t *rows; /* of what is shared: PARTS_A_WORKER * workers + 1 */
    unsigned char *desks;
    size_t desk_bytes;
} samples;

/* Elements in a buffer, and how many passes they have been through. */
typedef struct range {
    uint64_t first, n;
    int from;
    unsigned depth;
} range;

/* One pass. */
typedef struct pass {
    const samples *t;
    range of;
    int to;
    unsigned levels;
    bool equal; /* buckets 2 b - 1 have elements that are equal to splitter b - 1 */
    size_t buckets;
    unsigned char *tree, *sorted;
    uint64_t *rows, *bounds;
    uint64_t parts, part_n, next;
} pass;

/* ---- memory ---- */

static size_t tree_bytes(const samples *t) { return ww__round_up(t->b->key_size << LEVELS_MOST, 64); }

static size_t tree_room(const samples *t) {
    const size_t bytes = tree_bytes(t);
    return bytes < TREE_BYTES ? bytes : TREE_BYTES;
}

static size_t desk_room(const samples *t) {
    return 2 * tree_room(t) + LINES_BYTES + sizeof(uint32_t) * BUCKETS_MOST + sizeof(uint64_t) * 3 * BUCKETS_MOST +
           ww__round_up(sizeof(uint64_t) * DEPTH_MOST * (BUCKETS_MOST + 1), 64);
}

static desk desk_of(const samples *t, size_t worker) {
    desk d = {.lines = t->desks + worker * t->desk_bytes};
    d.tree = d.lines + LINES_BYTES;
    d.sorted = d.tree + tree_room(t);
    d.position = (uint64_t *)(void *)(d.sorted + tree_room(t));
    d.row = d.position + BUCKETS_MOST;
    d.counts = (uint32_t *)(void *)(d.row + 2 * BUCKETS_MOST);
    d.bounds = (uint64_t *)(void *)(d.counts + BUCKETS_MOST);
    return d;
}

/* ---- splitters ---- */

/* Of a tree whose splitters fit. */
static unsigned levels_most(const samples *t) {
    unsigned most = LEVELS_MOST;
    while (most > 1 && t->b->key_size << most > TREE_BYTES) most--;
    return most;
}

/* So many levels that parts are short enough after this pass, or after others of as many. */
static unsigned choose_levels(const samples *t, uint64_t n) {
    unsigned wanted = 1, most = levels_most(t);
    while (n >> wanted > LEAF) wanted++;
    const unsigned passes = wanted > 2 ? (wanted - 2 + most - 1) / most : 1, levels = (wanted + passes - 1) / passes;
    return levels < most ? levels : most;
}

/* A sample, sorted, in the buffer where the range goes. Its places are spread by a multiplicative hash. */
static size_t take_sample(const pass *p) {
    const ww__sort_buffers *b = p->t->b;
    const uint64_t most = p->of.n / SAMPLED, wanted = (uint64_t)OVERSAMPLED << p->levels;
    const size_t count = (size_t)(wanted < most ? wanted : most), size = b->key_size;
    const uint64_t stride = p->of.n / count;
    unsigned char *sample = ww__key_in(b, p->to, p->of.first);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t off = ((i + 1) * 0x9e3779b97f4a7c15u >> 32) * stride >> 32;
        memcpy(sample + i * size, ww__key_in(b, p->of.from, p->of.first + i * stride + off), size);
    }
    b->loops->sort(sample, sample + count * size, NULL, NULL, count, 0, b->s->less->bound);
    return count;
}

/* Of a sorted sample `looks` elements, one in `step`: those that differ from the one before to the splitters, up to `most` of them. Returns
 * how many they are. */
static size_t take_different(const pass *p, size_t looks, double step, size_t most) {
    const ww__sort_buffers *b = p->t->b;
    const unsigned char *sample = ww__key_in(b, p->to, p->of.first);
    const size_t size = b->key_size;
    size_t taken = 0;
    for (size_t look = 0; look < looks && taken < most; look++) {
        const unsigned char *x = sample + (size_t)((double)(look + 1) * step - 1) * size;
        if (taken && !b->loops->less(p->sorted + (taken - 1) * size, x, b->s->less->bound)) continue;
        memcpy(p->sorted + taken++ * size, x, size);
    }
    return taken;
}

/* The tree of 2^levels - 1 splitters; the last one is repeated where there are fewer. */
static void plant(const pass *p, size_t splitters) {
    const size_t size = p->t->b->key_size, all = ((size_t)1 << p->levels) - 1;
    for (size_t i = splitters; i < all; i++) memcpy(p->sorted + i * size, p->sorted + (splitters - 1) * size, size);
    for (unsigned level = 0; level < p->levels; level++)
        for (size_t j = 0; j < (size_t)1 << level; j++)
            memcpy(p->tree + (((size_t)1 << level) + j) * size,
                   p->sorted + (((2 * j + 1) << (p->levels - 1 - level)) - 1) * size, size);
}

static void choose_splitters(pass *p) {
    const size_t count = take_sample(p), most = ((size_t)1 << levels_most(p->t)) - 1;
    const size_t few = count / 4 < most ? count / 4 : most;
    size_t splitters = take_different(p, count, 1, few + 1);
    if (splitters <= few) { /* all that differ */
        p->equal = true;
        for (p->levels = 1; splitters >= (size_t)1 << p->levels;) p->levels++;
    } else {
        const size_t wanted = ((size_t)1 << p->levels) - 1;
        splitters = take_different(p, wanted, (double)count / (double)(wanted + 1), wanted);
        p->equal = splitters < wanted;
    }
    plant(p, splitters);
    p->buckets = (size_t)1 << (p->levels + p->equal);
}

/* ---- a part: its numbers, and moving it ---- */

static uint64_t *row_of(const pass *p, uint64_t part) { return p->rows + part * p->buckets; }
static uint64_t part_end(const pass *p, uint64_t part) { return ww__min_u64((part + 1) * p->part_n, p->of.n); }

static void count_part(const pass *p, const desk *d, uint64_t part) {
    const ww__sort_buffers *b = p->t->b;
    const uint64_t end = part_end(p, part);
    uint64_t *row = row_of(p, part);
    memset(d->counts, 0, p->buckets * sizeof *d->counts);
    for (uint64_t i = part * p->part_n; i < end; i += BLOCK) {
        const size_t n = (size_t)ww__min_u64(BLOCK, end - i);
        const unsigned char *keys = ww__key_in(b, p->of.from, p->of.first + i);
        uint16_t *labels = p->t->labels + p->of.first + i;
        WW__LINES_FETCH(keys, n * b->key_size);
        b->loops->classify(labels, keys, n, p->tree, p->equal ? p->sorted : NULL, p->levels, b->s->less->bound);
        for (size_t j = 0; j < n; j++) d->counts[labels[j]]++;
    }
    for (size_t k = 0; k < p->buckets; k++) row[k] = d->counts[k];
}

/* Counts of all parts become places; the last row is where buckets end. */
static void place_parts(const pass *p) {
    uint64_t place = p->of.first;
    for (size_t k = 0; k < p->buckets; k++) {
        p->bounds[k] = place;
        for (uint64_t part = 0; part < p->parts; part++) {
            const uint64_t many = row_of(p, part)[k];
            row_of(p, part)[k] = place;
            place += many;
        }
        row_of(p, p->parts)[k] = place;
    }
    p->bounds[p->buckets] = place;
}

static void move_any(const ww__lines *to, const ww__sort_buffers *b, const unsigned char *keys,
                     const unsigned char *values, const uint32_t *buckets, size_t n) {
    for (size_t j = 0; j < n; j++) {
        const uint64_t place = to->position[buckets[j]]++;
        memcpy((unsigned char *)to->keys_out + place * b->key_size, keys + j * b->key_size, b->key_size);
        if (values)
            memcpy((unsigned char *)to->values_out + place * b->value_size, values + j * b->value_size, b->value_size);
    }
}

static void move_part(const pass *p, const desk *d, uint64_t part) {
    const ww__sort_buffers *b = p->t->b;
    const uint64_t end = part_end(p, part), bytes = p->of.n * (b->key_size + b->value_size);
    const bool direct = bytes <= DIRECT_BYTES;
    const ww__lines to = {.keys_out = b->keys[p->to],
                          .values_out = b->values[p->to],
                          .position = d->position,
                          .start = row_of(p, part),
                          .end = row_of(p, part + 1),
                          .key_lines = d->lines,
                          .value_lines = d->lines + LINES_BYTES / 2,
                          .streaming = ww__streams(b->device, bytes),
                          .ahead = true,
                          .pairs = 16,
                          .vector = (uint8_t)b->device->vector};
    memcpy(d->position, to.start, p->buckets * sizeof *d->position);
    for (uint64_t i = part * p->part_n; i < end; i += BLOCK) {
        const size_t n = (size_t)ww__min_u64(BLOCK, end - i);
        const uint64_t first = p->of.first + i;
        const unsigned char *keys = ww__key_in(b, p->of.from, first), *values = ww__value_in(b, p->of.from, first);
        uint32_t buckets[BLOCK];
        for (size_t j = 0; j < n; j++) buckets[j] = p->t->labels[first + j];
        WW__LINES_FETCH(keys, n * b->key_size);
        if (!p->t->lines)
            move_any(&to, b, keys, values, buckets, n);
        else
            (direct ? p->t->lines->move_direct : p->t->lines->move)(&to, keys, values, buckets, n);
    }
    if (p->t->lines && !direct) p->t->lines->finish(&to, p->buckets);
}

static void count_parts(void *argument, size_t worker) {
    pass *p = argument;
    const desk d = desk_of(p->t, worker);
    for (uint64_t part; (part = ww__claim(&p->next)) < p->parts;) count_part(p, &d, part);
}

static void move_parts(void *argument, size_t worker) {
    pass *p = argument;
    const desk d = desk_of(p->t, worker);
    for (uint64_t part; (part = ww__claim(&p->next)) < p->parts;) move_part(p, &d, part);
    ww__stream_done();
}

/* ---- ranges ---- */

static range bucket_of(const pass *p, size_t k) {
    return (range){p->bounds[k], p->bounds[k + 1] - p->bounds[k], p->to, p->of.depth + 1};
}
static bool is_done(const pass *p, size_t k) { return p->equal && k % 2; }

/* To the other buffer of the two; from the input to the result, where that is none of it. */
static int target(const ww__sort_buffers *b, int from) {
    const bool in_place = b->keys[WW__RESULT] == b->keys[WW__INPUT] || b->values[WW__RESULT] == b->values[WW__INPUT];
    if (from != WW__INPUT) return !from;
    return in_place && (b->value_size || b->keys[WW__RESULT] == b->keys[WW__INPUT]) ? WW__SCRATCH : WW__RESULT;
}

static pass pass_of(const samples *t, const range *of, const desk *d, uint64_t *rows, uint64_t parts) {
    pass p = {.t = t,
              .of = *of,
              .to = target(t->b, of->from),
              .levels = choose_levels(t, of->n),
              .tree = d->tree,
              .sorted = d->sorted,
              .rows = rows,
              .bounds = d->bounds + of->depth * (BUCKETS_MOST + 1)};
    p.part_n = of->n / parts + 1;
    p.parts = (of->n + p.part_n - 1) / p.part_n;
    return p;
}

/* A range that one worker sorts, to the result. */
static void sort_range(const samples *t, const desk *d, const range *of) {
    const ww__sort_buffers *b = t->b;
    if (of->n <= LEAF_MOST || of->depth == DEPTH_MOST) {
        uint8_t *notes = (uint8_t *)(void *)(t->labels + of->first);
        if (of->n) ww__part_sort(b, of->first, (size_t)of->n, of->from, WW__RESULT, notes);
        return;
    }
    pass p = pass_of(t, of, d, d->row, 1);
    choose_splitters(&p);
    count_part(&p, d, 0);
    place_parts(&p);
    move_part(&p, d, 0);
    for (size_t k = 0; k < p.buckets; k++) {
        const range bucket = bucket_of(&p, k);
        if (is_done(&p, k))
            ww__part_copy(b, WW__RESULT, p.to, bucket.first, bucket.n);
        else
            sort_range(t, d, &bucket);
    }
}

typedef struct claiming {
    const pass *p;
    uint64_t share, next;
} claiming;

static void sort_buckets(void *argument, size_t worker) {
    claiming *c = argument;
    const pass *p = c->p;
    const desk d = desk_of(p->t, worker);
    for (size_t k; (k = (size_t)ww__claim(&c->next)) < p->buckets;) {
        const range bucket = bucket_of(p, k);
        if (is_done(p, k))
            ww__part_copy(p->t->b, WW__RESULT, p->to, bucket.first, bucket.n);
        else if (bucket.n <= c->share)
            sort_range(p->t, &d, &bucket);
    }
    ww__stream_done();
}

/* A range that all workers sort. */
static void share_range(const samples *t, const range *of) {
    const ww__sort_buffers *b = t->b;
    const desk d = desk_of(t, 0);
    if (b->workers == 1 || of->n <= SHARED_LEAST || of->depth == DEPTH_MOST - 1) {
        sort_range(t, &d, of);
        ww__stream_done();
        return;
    }
    pass p = pass_of(t, of, &d, t->rows, PARTS_A_WORKER * b->workers);
    choose_splitters(&p);
    p.next = 0;
    ww__parallel(b->device, b->workers, count_parts, &p);
    place_parts(&p);
    p.next = 0;
    ww__parallel(b->device, b->workers, move_parts, &p);
    claiming c = {&p, of->n / (2 * b->workers), 0};
    ww__parallel(b->device, b->workers, sort_buckets, &c);
    for (size_t k = 0; k < p.buckets; k++) {
        const range bucket = bucket_of(&p, k);
        if (!is_done(&p, k) && bucket.n > c.share) share_range(t, &bucket);
    }
}

ww_status ww__samples_sort(const ww__sort_buffers *b) {
    samples t = {.b = b, .lines = ww__lines_loops_of(b->key_size, b->value_size)};
    t.desk_bytes = ww__round_up(desk_room(&t), 64);
    WW_TRY(ww__scratch_array(b->device, b->n, sizeof *t.labels, &t.labels));
    WW_TRY(ww__scratch_array(b->device, b->workers, t.desk_bytes, &t.desks));
    WW_TRY(ww__scratch_array(b->device, PARTS_A_WORKER * b->workers + 1, BUCKETS_MOST * sizeof *t.rows, &t.rows));
    if (b->device->on_paper) return WW_OK;
    const range all = {0, b->n, WW__INPUT, 0};
    share_range(&t, &all);
    return WW_OK;
}
