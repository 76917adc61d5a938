/* The first of the least (greatest) elements: of all, and of each segment.
 *
 * Workers claim pieces of 16 tiles. Each keeps the best element that it has seen; the best of the workers', and of equal ones the
 * one with the lowest position, is the result. Segments of up to 16 tiles are looked through by the worker that claims them,
 * longer ones by all workers, one after another. Reads each element once. In a tile of numbers in a built-in order vectors find
 * the least and the greatest, and then where that is first. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "primitive/query/numbers.h"
#include "primitive/reduce/sides.h"

enum { TILES_A_PIECE = 16, LONG_TILES = 16 };

typedef struct choosing {
    const ww_device *device;
    const ww_less_loops *loops;
    const ww__number_loops *numbers; /* of a built-in order; else NULL */
    bool falls;                      /* that is the descending one */
    const void *environment;         /* of the order */
    const ww_input *in;
    bool greatest;
    uint64_t first, end;           /* the part of the input */
    unsigned char *best, *buffers; /* one element, one buffer a worker */
    uint64_t *position;            /* one a worker; UINT64_MAX: none yet */
    size_t tile, room;
    uint64_t next;
} choosing;

/* Whether `a` at position `at` goes before the best so far. */
static bool better(const choosing *c, const void *a, uint64_t at, const void *best, uint64_t best_at) {
    if (best_at == UINT64_MAX) return true;
    if (c->greatest ? c->loops->less(best, a, c->environment) : c->loops->less(a, best, c->environment)) return true;
    if (c->greatest ? c->loops->less(a, best, c->environment) : c->loops->less(best, a, c->environment)) return false;
    return at < best_at;
}

/* The first of the least (greatest) of n elements. */
static size_t extreme_of(const choosing *c, const unsigned char *x, size_t n) {
    const size_t size = c->in->size;
    unsigned char ends[2 * sizeof(uint64_t)] __attribute__((aligned(16)));
    if (!c->numbers) return c->loops->extreme(x, n, c->greatest, c->environment);
    memcpy(ends, x, size);
    memcpy(ends + size, x, size);
    c->numbers->ends(ends, x, n);
    return c->numbers->find(x, n, ends + (c->greatest != c->falls ? size : 0));
}

/* Takes the tile of `n` elements from `first` on into what the worker has. */
static void choose_tile(const choosing *c, size_t worker, uint64_t first, size_t n) {
    const size_t size = c->in->size;
    unsigned char *best = c->best + worker * size;
    const unsigned char *x = ww__input_read(c->device, c->in, first, n, c->buffers + worker * c->room);
    const size_t at = extreme_of(c, x, n);
    if (better(c, x + at * size, first + at, best, c->position[worker])) {
        memcpy(best, x + at * size, size);
        c->position[worker] = first + at;
    }
}

static void choose_all(const choosing *c, size_t worker, uint64_t first, uint64_t end) {
    for (; first < end; first += c->tile) choose_tile(c, worker, first, (size_t)ww__min_u64(c->tile, end - first));
}

static void choose_pieces(void *argument, size_t worker) {
    choosing *c = argument;
    const uint64_t piece = c->tile * TILES_A_PIECE, count = c->end - c->first;
    for (uint64_t at; (at = ww__claim_light(c->device, worker, &c->next) * piece) < count;)
        choose_all(c, worker, c->first + at, c->first + ww__min_u64(at + piece, count));
}

static ww_status prepare(ww_device *device, choosing *c, const ww_function *less, const ww_input *in, bool greatest,
                         size_t workers) {
    *c = (choosing){
        .device = device, .loops = ww__loops(device, less), .environment = less->bound, .in = in, .greatest = greatest};
    c->tile = ww__tile(in->size);
    c->numbers = ww__number_loops_of(device, less, in->type, in->size, &c->falls);
    c->room = ww__input_room(in, c->tile);
    WW_TRY(ww__scratch_array(device, workers, in->size, &c->best));
    WW_TRY(ww__scratch_array(device, workers, c->room, &c->buffers));
    return ww__scratch_array(device, workers, sizeof *c->position, &c->position);
}

/* The worker that has the best of elements first … end - 1, of which there is at least one. */
static size_t choose_part(ww_device *device, choosing *c, uint64_t first, uint64_t end, size_t workers) {
    const size_t size = c->in->size;
    size_t chosen = 0;
    c->first = first;
    c->end = end;
    c->next = 0;
    for (size_t w = 0; w < workers; w++) c->position[w] = UINT64_MAX;
    ww__parallel_light(device, workers, (end - first) * c->in->size, choose_pieces, c);
    for (size_t w = 1; w < workers; w++)
        if (c->position[w] != UINT64_MAX &&
            better(c, c->best + w * size, c->position[w], c->best + chosen * size, c->position[chosen]))
            chosen = w;
    return chosen;
}

ww_status ww__extreme_cpu(ww_device *device, const ww_function *less, const ww_input *in, bool greatest, void *value,
                          uint64_t *position) {
    const size_t workers = ww__workers(device, in->count * in->size);
    choosing c;
    WW_TRY(prepare(device, &c, less, in, greatest, workers));
    *position = 0;
    if (device->on_paper) return WW_OK;
    ww__trace(device, greatest ? "greatest" : "least", less, in->count, ww__input_bytes(in), workers);
    const size_t chosen = choose_part(device, &c, 0, in->count, workers);
    if (value) memcpy(value, c.best + chosen * in->size, in->size);
    *position = c.position[chosen];
    return WW_OK;
}

/* ---- segments ---- */

typedef struct segmenting {
    choosing *c;
    const ww_input *offsets;
    const ww_array *out;
    unsigned char *offset_buffers;
    size_t offset_room, piece;
    uint64_t next;
    bool longer; /* atomic: there is a long segment */
    ww__fault *fault;
} segmenting;

static uint64_t offset_at(const ww_input *offsets, const void *numbers, size_t i) {
    return offsets->size == sizeof(uint64_t) ? ((const uint64_t *)numbers)[i] : ((const uint32_t *)numbers)[i];
}

/* The bounds of segment s when they are good; else the fault is recorded. `o` holds offsets from segment `at` on. */
static bool bounds_of(const segmenting *g, const void *o, uint64_t at, uint64_t s, uint64_t *begin, uint64_t *end) {
    const uint64_t count = g->c->in->count;
    *begin = offset_at(g->offsets, o, (size_t)(s - at));
    *end = offset_at(g->offsets, o, (size_t)(s - at) + 1);
    if (*begin > count)
        ww__fault_at(g->fault, s);
    else if (*end < *begin || *end > count)
        ww__fault_at(g->fault, s + 1);
    else
        return true;
    return false;
}

static void put_position(const segmenting *g, uint64_t s, uint64_t position) {
    if (g->out->size == sizeof(uint64_t))
        ((uint64_t *)g->out->data)[s] = position;
    else
        ((uint32_t *)g->out->data)[s] = (uint32_t)position;
}

static bool is_long(const segmenting *g, uint64_t begin, uint64_t end) {
    return end - begin > LONG_TILES * (uint64_t)g->c->tile;
}

static void choose_segments(void *argument, size_t worker) {
    segmenting *g = argument;
    choosing *c = g->c;
    void *buffer = g->offset_buffers + worker * g->offset_room;
    for (uint64_t first; (first = ww__claim(&g->next) * g->piece) < g->out->count;) {
        const uint64_t last = ww__min_u64(first + g->piece, g->out->count);
        const void *o = ww__input_read(c->device, g->offsets, first, (size_t)(last - first) + 1, buffer);
        for (uint64_t s = first; s < last; s++) {
            uint64_t begin, end;
            if (!bounds_of(g, o, first, s, &begin, &end)) continue;
            if (is_long(g, begin, end)) {
                __atomic_store_n(&g->longer, true, __ATOMIC_RELAXED);
                continue;
            }
            c->position[worker] = UINT64_MAX;
            choose_all(c, worker, begin, end);
            put_position(g, s, begin == end ? c->in->count : c->position[worker]);
        }
    }
}

static void choose_long_segments(ww_device *device, segmenting *g, size_t workers) {
    for (uint64_t first = 0; first < g->out->count; first += g->piece) {
        const uint64_t last = ww__min_u64(first + g->piece, g->out->count);
        const void *o = ww__input_read(device, g->offsets, first, (size_t)(last - first) + 1, g->offset_buffers);
        for (uint64_t s = first; s < last; s++) {
            uint64_t begin, end;
            if (bounds_of(g, o, first, s, &begin, &end) && is_long(g, begin, end))
                put_position(g, s, g->c->position[choose_part(device, g->c, begin, end, workers)]);
        }
    }
}

ww_status ww__extreme_segments_cpu(ww_device *device, const ww__extreme_segments_request *r, ww__fault *fault) {
    enum { PIECE_MOST = 1024 };
    const ww_input *in = r->in, *offsets = r->offsets;
    const uint64_t segments = r->position_out->count;
    const size_t workers = ww__workers(device,
                                       in->count * in->size + segments * (r->position_out->size + offsets->size));
    choosing c;
    segmenting g = {.c = &c, .offsets = offsets, .out = r->position_out, .fault = fault};
    WW_TRY(prepare(device, &c, r->less, in, r->greatest, workers));
    g.piece = (size_t)ww__min_u64(segments / (64 * workers) + 1, PIECE_MOST);
    g.offset_room = ww__input_room(offsets, g.piece + 1);
    WW_TRY(ww__scratch_array(device, workers, g.offset_room, &g.offset_buffers));
    ww__trace(device, r->greatest ? "greatest of segments" : "least of segments", r->less, in->count,
              ww__input_bytes(in), workers);
    if (device->on_paper) return WW_OK;
    ww__parallel(device, workers, choose_segments, &g);
    if (g.longer) choose_long_segments(device, &g, workers);
    return WW_OK;
}
