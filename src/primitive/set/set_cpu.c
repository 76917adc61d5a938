/* Sets of sorted inputs, block by block, in one pass. The serial loop compares the next elements of a and b: the smaller is
 * passed (and kept, or not), equal ones are passed together. It needs to know nothing but where it stands, so it can be
 * cut at any pair of positions that it comes by.
 *
 * Workers claim blocks in order, and in turn cut them off: the merge path finds where about `block` elements of both are
 * passed. Inside a run of equal elements the loop passes pairs first, then what one input has more of: the cut is moved to
 * the place that it reaches there (the balanced path of Baxter's moderngpu), so a run of any length is shared out among
 * workers. Then each computes its block into a buffer, and, in turn again, learns its place in the output. Each input
 * element comes from memory once, each of the output's goes there once.
 *
 * Inputs that are not sorted give cuts that are still in order and blocks that are still no larger. */
#include "primitive/set/set.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "primitive/merge/path.h"
#include "primitive/set/set_four.h"

enum {
    BLOCK_BYTES = 32 * 1024, /* of output */
    BLOCK_LEAST = 4,         /* elements */
    WORKER_BYTES = 60 * 1024 /* of buffers */
};

typedef struct place { /* of the loop */
    uint64_t a, b;
} place;

typedef struct setting {
    const ww_device *device;
    ww__set_kind kind;
    const ww_less_loops *loops;
    ww__set_block *four; /* or NULL */
    ww__sorted a, b;     /* for the worker whose turn it is to cut … */
    void *key;           /* … and one element, that its run is looked for by */
    size_t size, block;
    unsigned char *out, *buffers;
    uint64_t room; /* elements of out */
    bool streaming;
    uint64_t next;
    ww__turn cut_turn, count_turn;
    place at;       /* of the next block */
    uint64_t count; /* of the result so far */
} setting;

/* ---- cutting ---- */

/* The place the loop reaches from `from` after about n >= 2 elements: n or, inside a run, n - 1. */
static place cut_after(const setting *s, place from, uint64_t n) {
    const ww__sorted *a = &s->a, *b = &s->b;
    const uint64_t na = a->input->count, nb = b->input->count;
    if (n >= (na - from.a) + (nb - from.b)) return (place){na, nb};
    const uint64_t i = from.a + ww__path_cut(s->loops, a, (ww__span){from.a, na}, b, (ww__span){from.b, nb}, n);
    const uint64_t j = from.b + (n - (i - from.a));
    /* The next element of the merge, and where the run of its equals begins and, as far as n elements reach, ends. */
    const void *next = i < na ? ww__sorted_at(a, i) : NULL;
    const void *other = j < nb ? ww__sorted_at(b, j) : NULL;
    if (!next || (other && s->loops->less(other, next))) next = other;
    next = memcpy(s->key, next, s->size);
    const place run = {ww__path_bound(s->loops, a, (ww__span){from.a, i}, next, false),
                       ww__path_bound(s->loops, b, (ww__span){from.b, j}, next, false)};
    const uint64_t passed = (i - run.a) + (j - run.b);
    if (!passed) return (place){i, j};
    const ww__span in_a = {run.a, run.a + ww__min_u64(passed, na - run.a)};
    const ww__span in_b = {run.b, run.b + ww__min_u64(passed, nb - run.b)};
    const uint64_t equals_a = ww__path_bound(s->loops, a, in_a, next, true) - run.a;
    const uint64_t equals_b = ww__path_bound(s->loops, b, in_b, next, true) - run.b;
    const uint64_t pairs = ww__min_u64(passed / 2, ww__min_u64(equals_a, equals_b));
    const uint64_t alone = pairs == passed / 2 ? 0 : passed - 2 * pairs;
    place to = {run.a + pairs, run.b + pairs};
    if (pairs == equals_b)
        to.a += ww__min_u64(alone, equals_a - pairs);
    else
        to.b += ww__min_u64(alone, equals_b - pairs);
    return to.a > from.a || to.b > from.b ? to : (place){i, j};
}

/* Whether nothing from here on belongs to the result. */
static bool finished(const setting *s, place at) {
    const bool no_a = at.a == s->a.input->count, no_b = at.b == s->b.input->count;
    switch (s->kind) {
    case WW__SET_INTERSECTION:
        return no_a || no_b;
    case WW__SET_DIFFERENCE:
        return no_a;
    default:
        return no_a && no_b;
    }
}

/* ---- one block ---- */

/* The serial loop, for any order. */
static size_t set_block(const setting *s, unsigned char *out, const unsigned char *a, size_t na, const unsigned char *b,
                        size_t nb) {
    const size_t size = s->size;
    const bool keep_a = s->kind != WW__SET_INTERSECTION, keep_b = s->kind == WW__SET_UNION;
    const bool keep_both = s->kind != WW__SET_DIFFERENCE;
    size_t i = 0, j = 0, n = 0;
    while (i < na && j < nb) {
        const unsigned char *x = a + i * size, *y = b + j * size;
        const bool second = s->loops->less(y, x);
        const bool first = !second && s->loops->less(x, y);
        const bool keep = second ? keep_b : first ? keep_a : keep_both;
        if (keep) memcpy(out + n++ * size, second ? y : x, size);
        i += !second;
        j += !first;
    }
    if (keep_a && i < na) {
        memcpy(out + n * size, a + i * size, (na - i) * size);
        n += na - i;
    }
    if (keep_b && j < nb) {
        memcpy(out + n * size, b + j * size, (nb - j) * size);
        n += nb - j;
    }
    return n;
}

static size_t make_block(const setting *s, unsigned char *buffer, place from, place to) {
    const size_t na = (size_t)(to.a - from.a), nb = (size_t)(to.b - from.b);
    const ww_input *a = s->a.input, *b = s->b.input;
    unsigned char *room_a = buffer + ww__round_up(s->block * s->size, 64), *room_b = room_a + ww__input_room(a, s->block);
    const void *x = na ? ww__input_read(s->device, a, from.a, na, room_a) : NULL;
    const void *y = nb ? ww__input_read(s->device, b, from.b, nb, room_b) : NULL;
    if (s->four && na && nb) return s->four(buffer, x, na, y, nb);
    return set_block(s, buffer, x, na, y, nb);
}

static size_t room_of(const ww_input *a, const ww_input *b, size_t block) {
    return ww__round_up(block * a->size, 64) + ww__input_room(a, block) + ww__input_room(b, block);
}

static void set_blocks(void *argument, size_t worker) {
    setting *s = argument;
    unsigned char *buffer = s->buffers + worker * room_of(s->a.input, s->b.input, s->block);
    for (;;) {
        const uint64_t block = ww__claim(&s->next);
        ww__turn_wait(&s->cut_turn, block);
        const place from = s->at;
        const bool done = finished(s, from);
        const place to = done ? from : cut_after(s, from, s->block);
        s->at = to;
        ww__turn_pass(&s->cut_turn, block);
        if (done) break; /* and so will all later ones */
        const size_t n = make_block(s, buffer, from, to);
        ww__turn_wait(&s->count_turn, block);
        const uint64_t first = s->count;
        s->count = first + n;
        ww__turn_pass(&s->count_turn, block);
        if (first < s->room)
            ww__stream(s->device, s->out + first * s->size, buffer, (size_t)ww__min_u64(n, s->room - first) * s->size,
                       s->streaming);
    }
    ww__stream_done();
}

ww_status ww__set_cpu(ww_device *device, ww__set_kind kind, const ww_function *order, const ww_input *a,
                      const ww_input *b, const ww_array *out, uint64_t *count) {
    const uint64_t total = a->count + b->count;
    const uint64_t kept = ww__min_u64(out->count, kind == WW__SET_UNION ? total : a->count) * a->size;
    setting s = {.device = device,
                 .kind = kind,
                 .loops = ww__loops(device, order),
                 .four = ww__set_four_of(kind, order),
                 .size = a->size,
                 .block = BLOCK_BYTES / a->size,
                 .out = out->data,
                 .room = out->count,
                 .streaming = ww__streams(device, kept)};
    const uint64_t bytes = ww__input_bytes(a) + ww__input_bytes(b) + kept;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, s.four ? "balanced-path, four in step" : "balanced-path", order, total, bytes, workers);
    while (s.block > BLOCK_LEAST && room_of(a, b, s.block) > WORKER_BYTES) s.block /= 2;
    if (s.block < BLOCK_LEAST) s.block = BLOCK_LEAST;
    unsigned char *single;
    const size_t room_a = ww__round_up(ww__input_room(a, 1), 64), room_b = ww__round_up(ww__input_room(b, 1), 64);
    WW_TRY(ww__scratch(device, room_a + room_b + s.size, &single));
    WW_TRY(ww__scratch_array(device, workers, room_of(a, b, s.block), &s.buffers));
    s.a = ww__sorted_of(device, a, single);
    s.b = ww__sorted_of(device, b, single + room_a);
    s.key = single + room_a + room_b;
    ww__parallel(device, workers, set_blocks, &s);
    *count = s.count;
    return WW_OK;
}
