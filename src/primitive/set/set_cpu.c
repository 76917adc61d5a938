/* Sets of sorted inputs, block by block, in one pass. The serial loop compares the next elements of a and b: the smaller is
 * passed (and kept, or not), equal ones are passed together. It needs to know nothing but where it stands, so it can be
 * cut at any place that it comes by, and a run of equal elements of any length is shared out among workers.
 *
 * Workers cut off blocks in order, compute them into buffers, learn in turn how many elements all blocks before make, and
 * write theirs behind. Each input element comes from memory once, each of the output's goes there once. A worker that the
 * system has put aside would hold up all others; so who has waited for some microseconds computes the block whose turn it
 * is in its owner's place, and leaves the owner to write it.
 *
 * Inputs that are not sorted give cuts that are still in order and blocks that are still no larger. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/spin.h"
#include "device/cpu/stream.h"
#include "primitive/set/set_cut.h"
#include "primitive/set/set_four.h"
#include "primitive/set/sides.h"

enum {
    BLOCK_BYTES = 24 * 1024,  /* of output; a worker has two */
    BLOCK_LEAST = 4,          /* elements */
    WORKER_BYTES = 60 * 1024, /* of buffers */
    PATIENCE = 500            /* looks at the turn before a worker helps, or gives up the core: some ten microseconds */
};

typedef struct part { /* of the loop, a worker's block */
    uint64_t block;
    ww__place from, to;
    uint64_t first; /* where it goes in the output; known when the turn is past the block */
} part;

typedef struct setting {
    const ww_device *device;
    ww__set_kind kind;
    const ww_less_loops *loops;
    const void *environment; /* of the order */
    ww__set_block *four;     /* or NULL */
    const ww_input *a, *b;
    size_t size, block, room_a, room_b, key; /* bytes of a worker's buffers, beside two blocks */
    unsigned char *out, *buffers;
    uint64_t room; /* elements of out */
    bool streaming;

    bool lock;       /* atomic: guards all that follows */
    part *parts;     /* of each worker */
    uint64_t blocks; /* cut off so far */
    ww__place at;    /* where the next begins */
    uint64_t turn;   /* atomic: blocks before it are counted … */
    uint64_t count;  /* … and make so many elements */
} setting;

/* Held for some ten nanoseconds. */
static void acquire(setting *s) { ww__spin_acquire(&s->lock); }
static void release(setting *s) { ww__spin_release(&s->lock); }

static size_t room_of(const setting *s) {
    return 2 * ww__round_up(s->block * s->size, 64) + s->room_a + s->room_b + s->key;
}
static unsigned char *buffer_of(const setting *s, size_t worker, int which) {
    return s->buffers + worker * room_of(s) + (which ? ww__round_up(s->block * s->size, 64) : 0);
}
static unsigned char *rooms_of(const setting *s, size_t worker) {
    return buffer_of(s, worker, 0) + 2 * ww__round_up(s->block * s->size, 64);
}

/* Whether nothing from here on belongs to the result. */
static bool finished(const setting *s, ww__place at) {
    const bool no_a = at.a == s->a->count, no_b = at.b == s->b->count;
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
        const bool second = s->loops->less(y, x, s->environment);
        const bool first = !second && s->loops->less(x, y, s->environment);
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

static size_t make_block(const setting *s, size_t worker, int which, const part *p) {
    const size_t na = (size_t)(p->to.a - p->from.a), nb = (size_t)(p->to.b - p->from.b);
    unsigned char *buffer = buffer_of(s, worker, which), *rooms = rooms_of(s, worker);
    const void *x = na ? ww__input_read(s->device, s->a, p->from.a, na, rooms) : NULL;
    const void *y = nb ? ww__input_read(s->device, s->b, p->from.b, nb, rooms + s->room_a) : NULL;
    if (s->four && na && nb) return s->four(buffer, x, na, y, nb);
    return set_block(s, buffer, x, na, y, nb);
}

/* ---- blocks in order ---- */

/* Cuts off the next block for a worker; false when there is none. The search for the cut is made without the lock: a
 * worker that finds another has been faster starts again. */
static bool claim(setting *s, size_t worker) {
    part *mine = &s->parts[worker];
    unsigned char *rooms = rooms_of(s, worker);
    const ww__sorted a = ww__sorted_of(s->device, s->a, rooms), b = ww__sorted_of(s->device, s->b, rooms + s->room_a);
    for (;;) {
        acquire(s);
        part next = {s->blocks, s->at, s->at, 0};
        release(s);
        if (finished(s, next.from)) return false;
        next.to = ww__set_cut(s->loops, s->environment, &a, &b, rooms + s->room_a + s->room_b, next.from, s->block);
        acquire(s);
        const bool first = s->blocks == next.block;
        if (first) {
            *mine = next;
            s->blocks++;
            s->at = next.to;
        }
        release(s);
        if (first) return true;
    }
}

/* If it is the block's turn: its n elements are counted, and its owner learns what precedes them. */
static void count_block(setting *s, uint64_t block, size_t n) {
    acquire(s);
    if (__atomic_load_n(&s->turn, __ATOMIC_RELAXED) == block) {
        part *p = s->parts;
        while (p->block != block) p++;
        p->first = s->count;
        s->count += n;
        __atomic_store_n(&s->turn, block + 1, __ATOMIC_RELEASE);
    }
    release(s);
}

/* Computes the block whose turn it is, which another worker has claimed. */
static void help(setting *s, size_t worker) {
    part theirs = {UINT64_MAX, {0, 0}, {0, 0}, 0};
    acquire(s);
    const uint64_t turn = __atomic_load_n(&s->turn, __ATOMIC_RELAXED);
    if (turn < s->parts[worker].block) {
        const part *p = s->parts;
        while (p->block != turn) p++;
        theirs = *p;
    }
    release(s);
    if (theirs.block == turn) count_block(s, turn, make_block(s, worker, 1, &theirs));
}

/* Returns when a worker's block of n elements, and so all before it, is counted. */
static void count_in_turn(setting *s, size_t worker, size_t n) {
    const uint64_t block = s->parts[worker].block;
    unsigned looks = 0;
    for (uint64_t turn; (turn = __atomic_load_n(&s->turn, __ATOMIC_ACQUIRE)) <= block;) {
        if (turn == block) {
            count_block(s, block, n);
        } else if (looks++ < PATIENCE) {
            ww__relax();
        } else {
            help(s, worker);
            looks = 0;
        }
    }
}

static void set_blocks(void *argument, size_t worker) {
    setting *s = argument;
    while (claim(s, worker)) {
        const part *mine = &s->parts[worker];
        const size_t n = make_block(s, worker, 0, mine);
        count_in_turn(s, worker, n);
        if (mine->first < s->room)
            ww__stream(s->device, s->out + mine->first * s->size, buffer_of(s, worker, 0),
                       (size_t)ww__min_u64(n, s->room - mine->first) * s->size, s->streaming);
    }
    ww__stream_done();
}

ww_status ww__set_cpu(ww_device *device, const ww__set_request *r, uint64_t *found) {
    const ww__set_kind kind = r->kind;
    const ww_input *const a = r->a, *const b = r->b;
    const ww_array *const out = r->out;
    const uint64_t total = a->count + b->count;
    const uint64_t kept = ww__min_u64(out->count, kind == WW__SET_UNION ? total : a->count) * a->size;
    setting s = {.device = device,
                 .kind = kind,
                 .loops = ww__loops(device, r->order),
                 .environment = r->order->bound,
                 .four = ww__set_four_of(kind, r->order),
                 .a = a,
                 .b = b,
                 .size = a->size,
                 .block = 2 * (BLOCK_BYTES / a->size),
                 .key = ww__round_up(a->size, 64),
                 .out = out->data,
                 .room = out->count,
                 .streaming = ww__streams(device, kept)};
    const uint64_t bytes = ww__input_bytes(a) + ww__input_bytes(b) + kept;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, s.four ? "balanced-path, four in step" : "balanced-path", r->order, total, bytes, workers);
    do {
        s.block = s.block / 2 > BLOCK_LEAST ? s.block / 2 : BLOCK_LEAST;
        s.room_a = ww__round_up(ww__input_room(a, s.block), 64);
        s.room_b = ww__round_up(ww__input_room(b, s.block), 64);
    } while (s.block > BLOCK_LEAST && room_of(&s) > WORKER_BYTES);
    WW_TRY(ww__scratch_array(device, workers, sizeof *s.parts, &s.parts));
    WW_TRY(ww__scratch_array(device, workers, room_of(&s), &s.buffers));
    *found = 0;
    if (device->on_paper) return WW_OK;
    for (size_t w = 0; w < workers; w++) s.parts[w].block = UINT64_MAX; /* none yet */
    ww__parallel(device, workers, set_blocks, &s);
    *found = s.count;
    return WW_OK;
}
