/* The scan of one pass: tiles in a chain (chain.h). A tile's sum is a fold, its writing a scan that the carry goes into.
 *
 * Reads each input element from memory once and writes each output element once; where there are several workers, an
 * element is read a second time from the cache (and a mapped one computed a second time). The brackets are written down
 * in docs/determinism.md: carry = carry + fold of the tile, which is what the operator's scan loop makes of its carry, so
 * one worker, which sums nothing ahead, comes to the same bits. */
#include "primitive/scan/scan.h"

#include <string.h>

#include "device/cpu/stream.h"
#include "primitive/scan/add.h"
#include "primitive/scan/chain.h"

typedef struct job {
    const ww__scanning *s;
    const ww_combine_loops *loops;
    ww__scan_add *add;           /* NULL but for the sums of integers */
    const unsigned char *memory; /* of an input that is nothing else, or NULL */
    unsigned char *rooms;        /* of each worker: a tile, and what reading the input needs */
    size_t size, tile, tile_bytes, room, in_room_at;
    bool streaming; /* past the caches */
    bool straight;  /* loops may write to the output itself */
} job;

static size_t tile_length(const job *j, uint64_t tile) {
    return (size_t)ww__min_u64(j->tile, j->s->in->count - tile * j->tile);
}

static const void *read_tile(const job *j, size_t worker, uint64_t tile, size_t n) {
    if (j->memory) return j->memory + tile * j->tile_bytes;
    return ww__input_read(j->s->device, j->s->in, tile * j->tile, n, j->rooms + worker * j->room + j->in_room_at);
}

/* Integers are associative to the bit, so a commutative operator on them may be folded in the faster order. */
static void fold(const job *j, void *sum, const void *x, size_t n) {
    const ww_kind kind = j->s->in->type->kind;
    if (j->s->op->flags & WW_COMMUTES && (kind == WW_KIND_UNSIGNED || kind == WW_KIND_SIGNED))
        j->loops->fold_interleaved(sum, x, n);
    else
        j->loops->fold_ordered(sum, x, n);
}

static void sum_tile(void *argument, size_t worker, uint64_t tile, void *sum) {
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    fold(j, sum, read_tile(j, worker, tile, n), n);
}

static void join(void *argument, size_t worker, void *carry, const void *sum) {
    const job *j = argument;
    void *joined = j->rooms + worker * j->room; /* the loop's output may not be its input */
    j->loops->pairwise(joined, carry, sum, 1);
    memcpy(carry, joined, j->size);
}

static void scan_tile(const job *j, void *out, const void *x, size_t n, void *carry, const void *ahead) {
    if (j->add)
        j->add(out, x, n, carry, j->s->exclusive, false, NULL, NULL);
    else if (j->s->exclusive)
        j->loops->scan_exclusive(out, x, carry, n, ahead);
    else
        j->loops->scan_inclusive(out, x, carry, n, ahead);
}

/* What a tile of n elements asks for while it is scanned: the tile to be summed next, or else (there is one worker, or the
 * end is near) the tile that follows. NULL where that is not n elements in memory. */
static const void *wanted_next(const job *j, uint64_t tile, size_t n, int64_t ahead) {
    const uint64_t next = ahead >= 0 ? (uint64_t)ahead : tile + 1;
    return j->memory && next * j->tile + n <= j->s->in->count ? j->memory + next * j->tile_bytes : NULL;
}

static void write_tile(void *argument, size_t worker, uint64_t tile, void *carry, int64_t ahead, void *ahead_sum) {
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    unsigned char *out = (unsigned char *)j->s->out->data + tile * j->tile_bytes;
    if (j->add && j->memory && (!j->streaming || (uintptr_t)out % 64 == 0)) {
        j->add(out, j->memory + tile * j->tile_bytes, n, carry, j->s->exclusive, j->streaming,
               ahead < 0 ? NULL : j->memory + (uint64_t)ahead * j->tile_bytes, ahead_sum);
        return;
    }
    unsigned char *to = j->straight ? out : j->rooms + worker * j->room;
    scan_tile(j, to, read_tile(j, worker, tile, n), n, carry, wanted_next(j, tile, n, ahead));
    if (!j->straight) ww__stream(j->s->device, out, to, n * j->size, j->streaming);
    if (ahead >= 0) sum_tile(argument, worker, (uint64_t)ahead, ahead_sum);
}

ww_status ww__scan_lookback_cpu(const ww__scanning *s) {
    const size_t size = s->in->size, tile = ww__tile(size);
    const bool in_place = ww__scan_in_place(s->in, s->out);
    const bool streaming = !in_place && ww__streams(s->device, s->in->count * size);
    job j = {.s = s,
             .loops = ww__loops(s->device, s->op),
             .add = ww__scan_add_of(s->device, s->op),
             .memory = ww__input_memory(s->in),
             .size = size,
             .tile = tile,
             .tile_bytes = tile * size,
             .in_room_at = ww__round_up(tile * size, 64),
             .streaming = streaming,
             .straight = !in_place && !streaming};
    j.room = ww__round_up(j.in_room_at + ww__input_room(s->in, tile), 64);
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
    WW_TRY(ww__scratch_array(s->device, chain.workers, j.room, &j.rooms));
    ww__trace(s->device, "lookback", s->op, s->in->count, ww__input_bytes(s->in) + s->in->count * size, chain.workers);
    memcpy(chain.carry, s->initial ? s->initial : s->op->identity, size);
    ww__chain_run(s->device, &chain);
    if (s->total) memcpy(s->total, chain.carry, size);
    return WW_OK;
}
