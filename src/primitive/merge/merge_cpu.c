/* Merge path on threads: the output is cut into pieces of one length; for each cut a binary search along its diagonal
 * finds how much of either input comes before it, so pieces are merged apart from one another and of equal work.
 *
 * Inside a piece the same search, over the few elements that may come next, cuts off tiles. A tile is merged in the
 * first-level cache by the loops of the order, and goes to memory past the caches where the output is large. The loops
 * note which input each element came from, and values follow these notes.
 *
 * Each cut is searched for after the one before it, in what that one left: so inputs that are not sorted are cut in order,
 * too, and the output is a permutation of them. */
#include "primitive/merge/sides.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "primitive/merge/path.h"
#include "primitive/merge/window.h"

enum {
    PIECES_A_WORKER = 8,
    PIECES_MOST = 512,
    PIECE_LEAST = 4096, /* elements */
    TILE_MOST = 2048,   /* elements */
    TILE_LEAST = 16,
    TILE_BYTES = 8192,        /* of an output */
    WORKER_BYTES = 60 * 1024, /* of buffers */
};

typedef struct merging {
    const ww_device *device;
    const ww_input *keys[2], *values[2];
    unsigned char *out, *values_out; /* values_out: NULL where there are none */
    size_t size, value_size;
    const ww_less_loops *loops;
    const void *environment; /* of the order */
    size_t tile;
    bool stream_keys, stream_values; /* through a buffer, past the caches */
    uint64_t total, piece;
    uint64_t *cuts; /* of a, for each piece its first and the last one's end */
    unsigned char *buffers;
    size_t room; /* of one worker */
    uint64_t next;
} merging;

/* ---- values ---- */

/* Without branches: `other` is all ones where the value is b's. */
#define TAKE(bytes) \
    case bytes: \
        for (size_t k = 0, j = 0; k < n; j += from[k++]) { \
            const uintptr_t x = (uintptr_t)a + (k - j) * bytes, y = (uintptr_t)b + j * bytes; \
            const uintptr_t other = 0 - (uintptr_t)from[k]; \
            memcpy((unsigned char *)out + k * bytes, (const void *)(x ^ ((x ^ y) & other)), bytes); \
        } \
        return;

void ww__take_values(void *out, const void *a, const void *b, const uint8_t *from, size_t n, size_t size) {
    switch (size) {
        TAKE(1)
        TAKE(2)
        TAKE(4)
        TAKE(8)
        TAKE(16)
    }
    const unsigned char *next[2] = {a, b};
    for (size_t k = 0; k < n; k++) {
        memcpy((unsigned char *)out + k * size, next[from[k]], size);
        next[from[k]] += size;
    }
}

/* ---- one piece ---- */

typedef struct merger { /* what a worker has */
    ww__window keys[2], values[2];
    unsigned char *out, *values_out; /* buffers of a tile */
    uint8_t *from;
} merger;

static void put(const merging *m, unsigned char *to, const void *from, size_t bytes, bool streaming) {
    ww__stream(m->device, to, from, bytes, streaming);
}

/* One tile: na elements of a from position i, nb of b from j, to the positions from i + j on. */
static void merge_tile(const merging *m, merger *w, const uint64_t at[2], const size_t count[2], const void *const x[2],
                       const uint64_t limit[2]) {
    const uint64_t to = at[0] + at[1];
    const size_t n = count[0] + count[1];
    unsigned char *out = m->out + to * m->size;
    const int only = !count[0];
    const bool mixed = count[0] && count[1];
    if (mixed) {
        unsigned char *merged = m->stream_keys ? w->out : out;
        m->loops->merge(merged, x[0], count[0], x[1], count[1], w->from, m->environment);
        if (m->stream_keys) put(m, out, merged, n * m->size, true);
    } else {
        put(m, out, x[only], n * m->size, m->stream_keys);
    }
    if (!m->values_out) return;
    unsigned char *values_out = m->values_out + to * m->value_size;
    const void *v[2];
    for (int s = 0; s < 2; s++) v[s] = ww__window_at(&w->values[s], at[s], at[s] + count[s], limit[s]);
    if (mixed) {
        unsigned char *taken = m->stream_values ? w->values_out : values_out;
        ww__take_values(taken, v[0], v[1], w->from, n, m->value_size);
        if (m->stream_values) put(m, values_out, taken, n * m->value_size, true);
    } else {
        put(m, values_out, v[only], n * m->value_size, m->stream_values);
    }
}

static size_t cut_tile(const merging *m, const void *const x[2], const size_t seen[2], size_t n) {
    if (!seen[0] || !seen[1]) return seen[0] ? n : 0;
    const ww_input whole[2] = {ww_memory_of(x[0], seen[0], m->keys[0]->type),
                               ww_memory_of(x[1], seen[1], m->keys[1]->type)};
    const ww__sorted a = {m->device, &whole[0], x[0], NULL}, b = {m->device, &whole[1], x[1], NULL};
    return (size_t)ww__path_cut(m->loops, m->environment, &a, (ww__span){0, seen[0]}, &b, (ww__span){0, seen[1]}, n);
}

static void merge_piece(const merging *m, merger *w, uint64_t piece) {
    const uint64_t first = piece * m->piece, end = ww__min_u64(first + m->piece, m->total);
    uint64_t at[2] = {m->cuts[piece], first - m->cuts[piece]};
    const uint64_t limit[2] = {m->cuts[piece + 1], end - m->cuts[piece + 1]};
    while (at[0] + at[1] < end) {
        const size_t n = (size_t)ww__min_u64(m->tile, end - at[0] - at[1]);
        const void *x[2];
        size_t seen[2], count[2];
        for (int s = 0; s < 2; s++) {
            seen[s] = (size_t)ww__min_u64(n, limit[s] - at[s]);
            x[s] = ww__window_at(&w->keys[s], at[s], at[s] + seen[s], limit[s]);
        }
        count[0] = cut_tile(m, x, seen, n);
        count[1] = n - count[0];
        merge_tile(m, w, at, count, x, limit);
        for (int s = 0; s < 2; s++) at[s] += count[s];
    }
}

/* ---- buffers ---- */

static size_t part(size_t bytes, bool wanted) { return wanted ? ww__round_up(bytes, 64) : 0; }

static size_t room_of(const merging *m, size_t tile) {
    size_t room = part(tile * m->size, m->stream_keys) + part(tile * m->value_size, m->stream_values) +
                  part(tile, m->values_out);
    for (int s = 0; s < 2; s++) {
        room += ww__window_room(m->keys[s], tile);
        if (m->values_out) room += ww__window_room(m->values[s], tile);
    }
    return room;
}

static merger merger_of(const merging *m, unsigned char *buffer) {
    merger w = {.out = buffer};
    w.values_out = w.out + part(m->tile * m->size, m->stream_keys);
    w.from = w.values_out + part(m->tile * m->value_size, m->stream_values);
    unsigned char *window = w.from + part(m->tile, m->values_out);
    if (!m->values_out) w.from = NULL;
    for (int s = 0; s < 2; s++) {
        w.keys[s] = ww__window_of(m->device, m->keys[s], m->tile, window);
        window += ww__window_room(m->keys[s], m->tile);
        if (!m->values_out) continue;
        w.values[s] = ww__window_of(m->device, m->values[s], m->tile, window);
        window += ww__window_room(m->values[s], m->tile);
    }
    return w;
}

/* The tile: 8 KiB of output, or less so that one worker's buffers fit. */
static void choose_tile(merging *m) {
    m->stream_keys = ww__streams(m->device, m->total * m->size) && m->size * TILE_LEAST <= TILE_BYTES;
    m->stream_values = m->values_out && ww__streams(m->device, m->total * m->value_size) &&
                       m->value_size * TILE_LEAST <= TILE_BYTES;
    size_t longest = m->size;
    if (m->stream_values && m->value_size > longest) longest = m->value_size;
    m->tile = TILE_BYTES / longest;
    if (m->tile > TILE_MOST) m->tile = TILE_MOST;
    while (m->tile > TILE_LEAST && room_of(m, m->tile) > WORKER_BYTES) m->tile /= 2;
    if (m->tile < TILE_LEAST) m->tile = TILE_LEAST;
}

static void merge_pieces(void *argument, size_t worker) {
    merging *m = argument;
    for (uint64_t piece; (piece = ww__claim(&m->next)) * m->piece < m->total;) {
        merger w = merger_of(m, m->buffers + worker * m->room);
        merge_piece(m, &w, piece);
    }
    ww__stream_done();
}

/* Cuts the output into pieces. */
static ww_status cut_pieces(ww_device *device, merging *m, size_t workers) {
    uint64_t pieces = workers > 1 ? workers * PIECES_A_WORKER : 1;
    if (pieces > PIECES_MOST) pieces = PIECES_MOST;
    m->piece = (m->total + pieces - 1) / pieces;
    if (m->piece < PIECE_LEAST) m->piece = PIECE_LEAST;
    m->piece = (m->piece + 63) / 64 * 64; /* so that pieces begin at whole lines, if the output does */
    pieces = (m->total + m->piece - 1) / m->piece;
    unsigned char *rooms;
    const size_t room_a = ww__round_up(ww__input_room(m->keys[0], 1), 64);
    WW_TRY(ww__scratch_array(device, pieces + 1, sizeof *m->cuts, &m->cuts));
    WW_TRY(ww__scratch(device, room_a + ww__input_room(m->keys[1], 1), &rooms));
    if (device->on_paper) return WW_OK;
    const ww__sorted a = ww__sorted_of(device, m->keys[0], rooms),
                     b = ww__sorted_of(device, m->keys[1], rooms + room_a);
    m->cuts[0] = 0;
    for (uint64_t p = 1; p < pieces; p++) {
        const uint64_t before_a = m->cuts[p - 1], before_b = (p - 1) * m->piece - before_a;
        m->cuts[p] = before_a + ww__path_cut(m->loops, m->environment, &a, (ww__span){before_a, a.input->count}, &b,
                                             (ww__span){before_b, b.input->count}, m->piece);
    }
    m->cuts[pieces] = a.input->count;
    return WW_OK;
}

ww_status ww__merge_cpu(ww_device *device, const ww__merge_request *r) {
    merging m = {.device = device,
                 .keys = {r->a, r->b},
                 .values = {r->a_values, r->b_values},
                 .out = r->out->data,
                 .values_out = r->a_values->steps ? r->values_out->data : NULL,
                 .size = r->out->size,
                 .value_size = r->a_values->steps ? r->values_out->size : 0,
                 .loops = ww__loops(device, r->order),
                 .environment = r->order->bound,
                 .total = r->out->count};
    const uint64_t bytes = ww__input_bytes(r->a) + ww__input_bytes(r->b) + ww__input_bytes(r->a_values) +
                           ww__input_bytes(r->b_values) + m.total * (m.size + m.value_size);
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "merge-path", r->order, m.total, bytes, workers);
    if (!m.total) return WW_OK;
    choose_tile(&m);
    m.room = ww__round_up(room_of(&m, m.tile), 64);
    WW_TRY(cut_pieces(device, &m, workers));
    WW_TRY(ww__scratch_array(device, workers, m.room, &m.buffers));
    ww__parallel(device, workers, merge_pieces, &m);
    return WW_OK;
}
