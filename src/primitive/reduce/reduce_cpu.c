/* Reductions by a tree that depends on the count, the element size and the operator alone (docs/determinism.md).
 *
 * Every tile of the input is folded by one loop of the operator into a partial; the partials are an array to be reduced in
 * the same way, until one is left. Which worker folds which tile makes no difference. The input is read once; partials
 * are one element for each tile. */
#include "primitive/reduce/sides.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"

/* Folds n >= 1 elements in memory into one. */
static void fold(const ww_device *device, const ww_function *op, void *result, const void *x, size_t n) {
    const ww_combine_loops *loops = ww__loops(device, op);
    if (op->flags & WW_COMMUTES)
        loops->fold_interleaved(result, x, n, op->bound);
    else
        loops->fold_ordered(result, x, n, op->bound);
}

/* Tiles that a worker claims at once: 16, so that a piece is 256 KiB. */
enum { TILES_A_PIECE = 16 };

typedef struct reducing {
    const ww_device *device;
    const ww_function *op;
    const ww_input *in;
    uint64_t first, count; /* the part of the input */
    unsigned char *partials, *buffers;
    size_t tile, room;
    ww__summing sum; /* by one loop, where it has one: or else the operator's loops fold */
    uint64_t next;
} reducing;

static uint64_t tiles_of(uint64_t count, size_t tile) { return count / tile + (count % tile != 0); }

static void put_sum(void *to, size_t size, uint64_t sum) {
    const uint32_t low = (uint32_t)sum;
    const uint16_t lower = (uint16_t)sum;
    const uint8_t lowest = (uint8_t)sum;
    memcpy(to,
           size == 8   ? (const void *)&sum
           : size == 4 ? (const void *)&low
           : size == 2 ? (const void *)&lower
                       : &lowest,
           size);
}

static void fold_tile(const reducing *r, uint64_t t, void *buffer) {
    const uint64_t at = t * r->tile;
    const size_t n = (size_t)ww__min_u64(r->tile, r->count - at);
    if (r->sum.sum) {
        put_sum(r->partials + t * r->in->size, r->in->size, r->sum.sum(&r->sum, r->first + at, n));
        return;
    }
    const void *tile = ww__input_read(r->device, r->in, r->first + at, n, buffer);
    /* A tile that was computed is folded in cache: meanwhile the next one can come from memory. */
    if (r->room) ww__input_fetch(r->in, r->first + at + n, n / 2);
    fold(r->device, r->op, r->partials + t * r->in->size, tile, n);
}

static void fold_pieces(void *argument, size_t worker) {
    reducing *r = argument;
    const uint64_t tiles = tiles_of(r->count, r->tile);
    for (uint64_t t; (t = ww__claim_light(r->device, worker, &r->next) * TILES_A_PIECE) < tiles;)
        for (uint64_t end = ww__min_u64(t + TILES_A_PIECE, tiles); t < end; t++)
            fold_tile(r, t, r->buffers + worker * r->room);
}

/* Reduces `count` partials, level by level; each level lies behind the one it is made from. */
static void fold_levels(const reducing *r, uint64_t count, void *result) {
    const size_t size = r->in->size;
    unsigned char *level = r->partials;
    while (count > 1) {
        unsigned char *above = level + count * size;
        const uint64_t tiles = tiles_of(count, r->tile);
        for (uint64_t t = 0; t < tiles; t++)
            fold(r->device, r->op, above + t * size, level + t * r->tile * size,
                 (size_t)ww__min_u64(r->tile, count - t * r->tile));
        level = above;
        count = tiles;
    }
    memcpy(result, level, size);
}

/* Elements of scratch for the partials of all levels. Tiles of one element (each 16 KiB or more) would make no tree: they
 * are taken in pairs. */
static size_t fold_tile_size(size_t element) {
    const size_t tile = ww__tile(element);
    return tile < 2 ? 2 : tile;
}

static uint64_t partials_of(uint64_t count, size_t tile) {
    uint64_t all = 0;
    do {
        count = tiles_of(count, tile);
        all += count;
    } while (count > 1);
    return all;
}

/* The reduction of in[first … first + count - 1], count >= 1, with buffers for its workers. */
static void reduce_part(ww_device *device, reducing *r, uint64_t first, uint64_t count, size_t workers, void *result) {
    r->first = first;
    r->count = count;
    r->next = 0;
    ww__parallel_light(device, workers, count * r->in->size, fold_pieces, r);
    fold_levels(r, tiles_of(count, r->tile), result);
}

static ww_status prepare(ww_device *device, reducing *r, const ww_function *op, const ww_input *in, uint64_t most,
                         size_t workers) {
    r->device = device; /* a part, and what adds up, are told later: setting all to 0 takes as long as 1,000 elements */
    r->op = op;
    r->in = in;
    r->tile = fold_tile_size(in->size);
    r->room = ww__input_room(in, r->tile);
    if (!ww__summing_of(device, op, in, &r->sum)) r->sum.sum = NULL;
    WW_TRY(ww__scratch_array(device, partials_of(most, r->tile), in->size, &r->partials));
    return ww__scratch_array(device, workers, r->room, &r->buffers);
}

/* A tile that is in memory needs no partials, and nobody else: 1,000 sums take 0.85 of the time so (a Xeon, 2026-11). */
static bool is_one_tile(const ww_input *in) { return in->count <= fold_tile_size(in->size) && ww__input_memory(in); }

static ww_status reduce_tile(const ww_device *device, const ww_function *op, const ww_input *in, void *result) {
    ww__trace(device, "tree", op, in->count, ww__input_bytes(in), 1);
    if (!device->on_paper) fold(device, op, result, ww__input_memory(in), (size_t)in->count);
    return WW_OK;
}

ww_status ww__reduce_cpu(ww_device *device, const ww_function *op, const ww_input *in, void *result) {
    if (is_one_tile(in)) return reduce_tile(device, op, in, result);
    const uint64_t bytes = in->count * in->size;
    const size_t workers = ww__workers(device, bytes);
    reducing r;
    WW_TRY(prepare(device, &r, op, in, in->count, workers));
    ww__trace(device, "tree", op, in->count, ww__input_bytes(in), workers);
    if (device->on_paper) return WW_OK;
    reduce_part(device, &r, 0, in->count, workers, result);
    return WW_OK;
}

/* Segments: those of up to LONG_TILES tiles are folded by the worker that claims them, longer ones by all workers, one
 * after another. */
enum { LONG_TILES = 16 };

typedef struct segmenting {
    reducing *reduction; /* its tile, operator and input; each worker has partials of its own */
    const ww_input *offsets;
    const ww_array *out;
    unsigned char *partials, *offset_buffers;
    size_t partials_room, offset_room, piece;
    uint64_t most, next; /* the largest offset that is good */
    bool longer;         /* atomic: there is a long segment */
    ww__fault *fault;
} segmenting;

static uint64_t number_at(const void *numbers, size_t size, size_t i) {
    return size == sizeof(uint64_t) ? ((const uint64_t *)numbers)[i] : ((const uint32_t *)numbers)[i];
}

/* The bounds of segment s when they are good; else the fault is recorded. `o` holds offsets from segment `at` on. */
static bool segment_bounds(const segmenting *g, const void *o, uint64_t at, uint64_t s, uint64_t *begin,
                           uint64_t *end) {
    const size_t size = g->offsets->size;
    *begin = number_at(o, size, (size_t)(s - at));
    *end = number_at(o, size, (size_t)(s - at) + 1);
    if (*begin > g->most)
        ww__fault_at(g->fault, s);
    else if (*end < *begin || *end > g->most)
        ww__fault_at(g->fault, s + 1);
    else
        return true;
    return false;
}

static void reduce_short(reducing *mine, uint64_t begin, uint64_t end, void *buffer, void *result) {
    const size_t size = mine->in->size;
    mine->first = begin;
    mine->count = end - begin;
    if (begin == end) {
        memcpy(result, mine->op->identity, size);
    } else if (mine->count <= mine->tile && mine->sum.sum) {
        put_sum(result, size, mine->sum.sum(&mine->sum, begin, (size_t)mine->count));
    } else if (mine->count <= mine->tile) {
        const size_t n = (size_t)mine->count;
        fold(mine->device, mine->op, result, ww__input_read(mine->device, mine->in, begin, n, buffer), n);
    } else {
        const uint64_t tiles = tiles_of(mine->count, mine->tile);
        for (uint64_t t = 0; t < tiles; t++) fold_tile(mine, t, buffer);
        fold_levels(mine, tiles, result);
    }
}

static void reduce_segment_pieces(void *argument, size_t worker) {
    segmenting *g = argument;
    reducing mine = *g->reduction;
    void *buffer = mine.buffers + worker * mine.room;
    void *offset_buffer = g->offset_buffers + worker * g->offset_room;
    mine.partials = g->partials + worker * g->partials_room;
    for (uint64_t first; (first = ww__claim(&g->next) * g->piece) < g->out->count;) {
        const uint64_t last = ww__min_u64(first + g->piece, g->out->count);
        const void *o = ww__input_read(mine.device, g->offsets, first, (size_t)(last - first) + 1, offset_buffer);
        for (uint64_t s = first; s < last; s++) {
            uint64_t begin, end;
            if (!segment_bounds(g, o, first, s, &begin, &end)) continue;
            if (end - begin > LONG_TILES * (uint64_t)mine.tile)
                __atomic_store_n(&g->longer, true, __ATOMIC_RELAXED);
            else
                reduce_short(&mine, begin, end, buffer, (unsigned char *)g->out->data + s * mine.in->size);
        }
    }
}

static void reduce_long_segments(ww_device *device, segmenting *g, size_t workers) {
    reducing *r = g->reduction;
    for (uint64_t first = 0; first < g->out->count; first += g->piece) {
        const uint64_t last = ww__min_u64(first + g->piece, g->out->count);
        const void *o = ww__input_read(device, g->offsets, first, (size_t)(last - first) + 1, g->offset_buffers);
        for (uint64_t s = first; s < last; s++) {
            uint64_t begin, end;
            if (segment_bounds(g, o, first, s, &begin, &end) && end - begin > LONG_TILES * (uint64_t)r->tile)
                reduce_part(device, r, begin, end - begin, workers, (unsigned char *)g->out->data + s * r->in->size);
        }
    }
}

ww_status ww__reduce_segments_cpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_input *offsets,
                                  const ww_array *out, ww__fault *fault) {
    enum { PIECE_MOST = 1024 };
    const size_t workers = ww__workers(device, in->count * in->size + out->count * (out->size + offsets->size));
    reducing r;
    segmenting g = {.reduction = &r, .offsets = offsets, .out = out, .fault = fault};
    WW_TRY(prepare(device, &r, op, in, in->count ? in->count : 1, workers));
    g.most = ww__offset_most(offsets, in->count);
    g.piece = (size_t)ww__min_u64(out->count / (64 * workers) + 1, PIECE_MOST);
    g.partials_room = ww__round_up((size_t)partials_of(LONG_TILES * r.tile, r.tile) * in->size, 64);
    g.offset_room = ww__input_room(offsets, g.piece + 1);
    WW_TRY(ww__scratch_array(device, workers, g.partials_room, &g.partials));
    WW_TRY(ww__scratch_array(device, workers, g.offset_room, &g.offset_buffers));
    ww__trace(device, "segments", op, in->count, ww__input_bytes(in) + out->count * out->size, workers);
    ww__parallel(device, workers, reduce_segment_pieces, &g);
    if (g.longer) reduce_long_segments(device, &g, workers);
    return WW_OK;
}
