/* The scan of one pass: tiles in a chain (chain.h).
 *
 * Reads each input element from memory once and writes each output element once. Where there are several workers a tile is
 * first scanned without what precedes it, into a place of the worker's in the second-level cache; its last results are its
 * sum. When what precedes it is known, that is added on the way to memory. Sums of integers are so fast that reading the
 * tile twice is better: first its sum, then the scan into memory itself. One worker knows what precedes a tile from the
 * start.
 *
 * The brackets are written down in docs/determinism.md: they are the same by each of these ways. */
#include "primitive/scan/sides.h"

#include <string.h>

#include "device/cpu/stream.h"
#include "primitive/scan/add.h"
#include "primitive/scan/chain.h"

typedef struct job {
    const ww__scanning *s;
    const ww_combine_loops *loops;
    ww__scan_add *add;           /* NULL but for the sums of integers */
    const unsigned char *memory; /* of an input that is nothing else, or NULL */
    unsigned char *rooms;        /* of each worker */
    const ww__chain *chain;
    /* A room: a tile and an element, some elements, what reading the input and writing a computed output need, the worker's tiles as scanned alone. */
    size_t size, tile, tile_bytes, room, elements_at, in_room_at, into_at, alone_at;
    bool streaming; /* past the caches */
    bool straight;  /* loops may write to the output itself */
} job;

static size_t tile_length(const job *j, uint64_t tile) {
    return (size_t)ww__min_u64(j->tile, j->s->in->count - tile * j->tile);
}

static unsigned char *room_of(const job *j, size_t worker) { return j->rooms + worker * j->room; }

static const void *read_tile(const job *j, size_t worker, uint64_t tile, size_t n) {
    if (j->memory) return j->memory + tile * j->tile_bytes;
    return ww__input_read(j->s->device, j->s->in, tile * j->tile, n, room_of(j, worker) + j->in_room_at);
}

/* Where one of the worker's own tiles is, scanned alone. */
static unsigned char *alone_of(const job *j, size_t worker, uint64_t tile) {
    return room_of(j, worker) + j->alone_at + tile % j->chain->block * j->tile_bytes;
}

/* to = to + x: a loop's output may not be its input. */
static void add_to(const job *j, size_t worker, void *to, const void *x) {
    void *joined = room_of(j, worker) + j->elements_at;
    j->loops->pairwise(joined, to, x, 1, j->s->op->bound);
    memcpy(to, joined, j->size);
}

/* Integers are associative to the bit, so a commutative operator on them may be folded in the faster order. */
static void fold(const job *j, void *sum, const void *x, size_t n) {
    const ww_kind kind = j->s->in->type->kind;
    if (j->s->op->flags & WW_COMMUTES && (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED))
        j->loops->fold_interleaved(sum, x, n, j->s->op->bound);
    else
        j->loops->fold_ordered(sum, x, n, j->s->op->bound);
}

/* What a tile of n elements asks for while it is scanned: another one, or NULL where that is not n elements in memory. */
static const void *wanted_next(const job *j, uint64_t next, size_t n) {
    return j->memory && next * j->tile + n <= j->s->in->count ? j->memory + next * j->tile_bytes : NULL;
}

/* The length of a tile's runs: of eight of them, or none (function.h). */
static size_t run_of(size_t n) { return n < 16 ? 0 : n / 8; }

/* A tile scanned alone has its runs' sums where they end, and behind the runs all that precedes in the tile. */
static void sum_of_alone(const job *j, size_t worker, const unsigned char *alone, size_t n, void *sum) {
    const size_t run = run_of(n);
    if (8 * run < n) {
        memcpy(sum, alone + (n - 1) * j->size, j->size);
        return;
    }
    memcpy(sum, alone + (run - 1) * j->size, j->size);
    for (size_t r = 1; r < 8; r++) add_to(j, worker, sum, alone + ((r + 1) * run - 1) * j->size);
}

static void sum_tile(void *argument, size_t worker, uint64_t tile, bool own, void *sum) {
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    const void *x = read_tile(j, worker, tile, n);
    if (j->add || !own) {
        fold(j, sum, x, n);
        return;
    }
    unsigned char *alone = alone_of(j, worker, tile);
    j->loops->scan_alone(alone, x, n, wanted_next(j, tile + 1, n), j->s->op->bound);
    sum_of_alone(j, worker, alone, n, sum);
}

static void join(void *argument, size_t worker, void *carry, const void *sum) { add_to(argument, worker, carry, sum); }

/* Results from element `first` on. */
static void put(const job *j, size_t worker, uint64_t first, const void *x, size_t n) {
    if (j->s->into)
        ww__into_put(j->s->device, j->s->into, first, x, n, room_of(j, worker) + j->into_at);
    else
        ww__stream(j->s->device, (unsigned char *)j->s->out->data + first * j->size, x, n * j->size, j->streaming);
}

/* Adds what precedes each run to it, and writes it. Results of an exclusive scan are moved up by one: what precedes a run's
 * first element is put before them. */
static void write_alone(const job *j, size_t worker, uint64_t tile, size_t n, void *carry) {
    const size_t size = j->size, run = run_of(n);
    const unsigned char *alone = alone_of(j, worker, tile);
    uint64_t out = tile * j->tile;
    unsigned char *piece = room_of(j, worker), *sums = piece + j->elements_at + size; /* the first is add_to's */
    unsigned char *so_far = sums, *before = so_far + size, *last = before + size;
    memcpy(before, carry, size);
    memcpy(last, carry, size);
    for (size_t r = run ? 0 : 8; r <= 8; r++) {
        const size_t many = r < 8 ? run : n - 8 * run;
        if (!many) break;
        if (j->s->exclusive) memcpy(piece, last, size);
        j->loops->prefix(piece + (j->s->exclusive ? size : 0), r < 8 ? before : carry, alone, many, j->s->op->bound);
        if (j->s->exclusive) memcpy(last, piece + many * size, size);
        put(j, worker, out, piece, many);
        alone += many * size;
        out += many;
        if (r == 8) break;
        if (r)
            add_to(j, worker, so_far, alone - size);
        else
            memcpy(so_far, alone - size, size);
        j->loops->pairwise(before, carry, so_far, 1, j->s->op->bound);
    }
    if (8 * run < n) j->loops->pairwise(before, carry, alone - size, 1, j->s->op->bound);
    memcpy(carry, before, size);
}

static void scan_tile(const job *j, void *out, const void *x, size_t n, void *carry, const void *ahead) {
    if (j->add)
        j->add(out, x, n, carry, j->s->exclusive, false, NULL, NULL);
    else if (j->s->exclusive)
        j->loops->scan_exclusive(out, x, carry, n, ahead, j->s->op->bound);
    else
        j->loops->scan_inclusive(out, x, carry, n, ahead, j->s->op->bound);
}

static void write_tile(void *argument, size_t worker, uint64_t tile, void *carry, int64_t ahead, void *ahead_sum) {
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    unsigned char *out = (unsigned char *)j->s->out->data + tile * j->tile_bytes;
    if (j->add && j->memory && !j->s->into && (!j->streaming || (uintptr_t)out % 64 == 0)) {
        j->add(out, j->memory + tile * j->tile_bytes, n, carry, j->s->exclusive, j->streaming,
               ahead < 0 ? NULL : j->memory + (uint64_t)ahead * j->tile_bytes, ahead_sum);
        return;
    }
    if (!j->add && ww__chain_sums(j->chain, tile)) {
        write_alone(j, worker, tile, n, carry);
    } else {
        unsigned char *to = j->straight ? out : room_of(j, worker);
        scan_tile(j, to, read_tile(j, worker, tile, n), n, carry, wanted_next(j, tile + 1, n));
        if (!j->straight) put(j, worker, tile * j->tile, to, n);
    }
    if (ahead >= 0) sum_tile(argument, worker, (uint64_t)ahead, true, ahead_sum);
}

ww_status ww__scan_lookback_cpu(const ww__scanning *s) {
    ww__scan_add *add = ww__scan_add_of(s->device, s->op);
    const size_t size = s->in->size, tile = ww__scan_bracket(size, add); /* brackets of sums of integers show nowhere */
    const bool in_place = ww__scan_in_place(s->in, s->out);
    const bool streaming = !in_place && !s->into && ww__streams(s->device, s->in->count * size);
    job j = {.s = s,
             .loops = ww__loops(s->device, s->op),
             .add = add,
             .memory = ww__input_memory(s->in),
             .size = size,
             .tile = tile,
             .tile_bytes = tile * size,
             .elements_at = ww__round_up((tile + 1) * size, 64),
             .streaming = streaming,
             .straight = !in_place && !streaming && !s->into};
    j.in_room_at = ww__round_up(j.elements_at + 4 * size, 64);
    j.into_at = ww__round_up(j.in_room_at + ww__input_room(s->in, tile), 64);
    j.alone_at = ww__round_up(j.into_at + (s->into ? ww__into_room(s->into, tile) : 0), 64);
    ww__chain chain = {.job = &j,
                       .sum = sum_tile,
                       .join = join,
                       .write = write_tile,
                       .tiles = s->in->count / tile + (s->in->count % tile != 0),
                       .tile_bytes = tile * size,
                       .sum_bytes = size,
                       .streaming = streaming,
                       .in_place = in_place};
    WW_TRY(ww__chain_prepare(s->device, &chain, s->in->count * size));
    j.chain = &chain;
    j.room = ww__round_up(j.alone_at + (j.add || chain.workers == 1 ? 0 : chain.block * j.tile_bytes), 64);
    WW_TRY(ww__scratch_array(s->device, chain.workers, j.room, &j.rooms));
    if (s->device->on_paper) return WW_OK;
    ww__trace(s->device, "lookback", s->op, s->in->count, ww__input_bytes(s->in) + s->in->count * size, chain.workers);
    memcpy(chain.carry, s->initial ? s->initial : s->op->identity, size);
    ww__chain_run(s->device, &chain);
    if (s->total) memcpy(s->total, chain.carry, size);
    return WW_OK;
}
