/* The scan of segments in one pass: tiles in a chain (chain.h), each with the flags of where segments begin.
 *
 * A tile's sum is the fold of what follows its last head – with the initial value before it, if there is one – and whether
 * there is a head at all: then nothing before the tile goes into the carry. A tile is written from left to right, beginning
 * with the carry. The brackets are written down in docs/determinism.md. */
#include <string.h>

#include "device/cpu/stream.h"
#include "primitive/scan/chain.h"
#include "primitive/scan/heads.h"

typedef struct job {
    const ww__scanning *s;
    const ww_combine_loops *loops;
    const void *anew; /* what an exclusive segment begins with */
    unsigned char *rooms;
    /* Of each worker: two tiles of output, the heads, one sum, and what reading heads and input needs. */
    size_t size, tile, tile_bytes, room, heads_at, sum_at, heads_room_at, in_room_at;
    bool streaming;
} job;

static unsigned char *room_of(const job *j, size_t worker) { return j->rooms + worker * j->room; }

static size_t tile_length(const job *j, uint64_t tile) {
    return (size_t)ww__min_u64(j->tile, j->s->in->count - tile * j->tile);
}

/* Reads a tile: its elements, and its heads into the worker's room. */
static const unsigned char *read_tile(const job *j, size_t worker, uint64_t tile, size_t n) {
    unsigned char *room = room_of(j, worker);
    ww__heads_read(j->s, tile * j->tile, n, room + j->heads_at, room + j->heads_room_at);
    return ww__input_read(j->s->device, j->s->in, tile * j->tile, n, room + j->in_room_at);
}

/* A sum is an element and, behind it, whether a segment began. */
static void join(void *argument, size_t worker, void *carry, const void *sum) {
    const job *j = argument;
    void *joined = room_of(j, worker) + j->sum_at;
    if (((const unsigned char *)sum)[j->size]) {
        memcpy(carry, sum, j->size);
        return;
    }
    j->loops->pairwise(joined, carry, sum, 1, j->s->op->bound);
    memcpy(carry, joined, j->size);
}

static size_t last_head(const uint8_t *heads, size_t n) {
    while (n && !heads[n - 1]) n--;
    return n; /* one above its position; 0 where there is none */
}

static void sum_elements(const job *j, size_t worker, const unsigned char *x, size_t n, unsigned char *sum) {
    const size_t last = last_head(room_of(j, worker) + j->heads_at, n), first = last ? last - 1 : 0;
    j->loops->fold_ordered(sum, x + first * j->size, n - first, j->s->op->bound);
    if (last && j->s->initial) {
        void *joined = room_of(j, worker) + j->sum_at;
        j->loops->pairwise(joined, j->s->initial, sum, 1, j->s->op->bound);
        memcpy(sum, joined, j->size);
    }
    sum[j->size] = last != 0;
}

static void sum_tile(void *argument, size_t worker, uint64_t tile, bool own, void *sum) {
    (void)own;
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    sum_elements(j, worker, read_tile(j, worker, tile, n), n, sum);
}

/* Writes a tile's results into the worker's room and returns where. The loops' own carry is not the chain's. */
static const unsigned char *scan_tile(const job *j, size_t worker, const void *x, size_t n, const void *carry) {
    unsigned char *room = room_of(j, worker), *second = room + ww__round_up(j->tile_bytes, 64);
    const uint8_t *heads = room + j->heads_at;
    void *running = memcpy(room + j->sum_at, carry, j->size);
    if (!j->s->exclusive && !j->s->initial) {
        j->loops->segmented_inclusive(room, x, heads, running, n, j->s->op->bound);
        return room;
    }
    j->loops->segmented_exclusive(room, x, heads, running, j->anew, n, j->s->op->bound);
    if (j->s->exclusive) return room;
    j->loops->pairwise(second, room, x, n, j->s->op->bound);
    return second;
}

static void write_tile(void *argument, size_t worker, uint64_t tile, void *carry, int64_t ahead, void *ahead_sum) {
    const job *j = argument;
    const size_t n = tile_length(j, tile);
    if (ahead >= 0) sum_tile(argument, worker, (uint64_t)ahead, true, ahead_sum);
    const unsigned char *x = read_tile(j, worker, tile, n);
    const unsigned char *results = scan_tile(j, worker, x, n, carry);
    unsigned char *sum = room_of(j, worker) + j->sum_at + j->size;
    sum_elements(j, worker, x, n, sum);
    join(argument, worker, carry, sum);
    ww__stream(j->s->device, (unsigned char *)j->s->out->data + tile * j->tile_bytes, results, n * j->size,
               j->streaming);
}

static void lay_out(job *j) {
    const size_t tiles = j->s->initial && !j->s->exclusive ? 2 : 1;
    j->heads_at = tiles * ww__round_up(j->tile_bytes, 64);
    j->sum_at = ww__round_up(j->heads_at + j->tile, 64); /* a joined element, and a sum */
    j->heads_room_at = ww__round_up(j->sum_at + 2 * j->size + 1, 64);
    j->in_room_at = j->heads_room_at + ww__heads_room(j->s, j->tile);
    j->room = ww__round_up(j->in_room_at + ww__input_room(j->s->in, j->tile), 64);
}

ww_status ww__scan_segments_lookback_cpu(const ww__scanning *s) {
    const size_t size = s->in->size, tile = ww__tile(size);
    const uint64_t bytes = s->in->count * size;
    const bool in_place = ww__scan_in_place(s->in, s->out);
    job j = {.s = s,
             .loops = ww__loops(s->device, s->op),
             .anew = s->initial ? s->initial : s->op->identity,
             .size = size,
             .tile = tile,
             .tile_bytes = tile * size,
             .streaming = !in_place && ww__streams(s->device, bytes)};
    ww__chain chain = {.job = &j,
                       .sum = sum_tile,
                       .join = join,
                       .write = write_tile,
                       .tiles = s->in->count / tile + (s->in->count % tile != 0),
                       .tile_bytes = tile * size,
                       .sum_bytes = ww__round_up(size + 1, 64),
                       .streaming = j.streaming,
                       .in_place = in_place};
    lay_out(&j);
    WW_TRY(ww__chain_prepare(s->device, &chain, bytes));
    WW_TRY(ww__scratch_array(s->device, chain.workers, j.room, &j.rooms));
    if (s->device->on_paper) return WW_OK;
    ww__trace(s->device, "lookback", s->op, s->in->count, ww__input_bytes(s->in) + ww__heads_bytes(s) + bytes,
              chain.workers);
    memcpy(chain.carry, j.anew, size);
    ww__chain_run(s->device, &chain);
    return WW_OK;
}
