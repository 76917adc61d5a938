/* Sorting on the CPU: makes of a request what the methods sort.
 *
 * Inputs that are computed are stored in the outputs, and sorted there. Values of sizes that do not travel with their keys
 * stay where they are: their positions do, and then the values are gathered, each read and written once. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "function/types.h"
#include "sort/merge_sort.h"
#include "sort/radix.h"
#include "sort/segments.h"
#include "sort/sort.h"

enum {
    PIECE_BYTES = 1 << 16, /* that a worker claims */
    GATHER_AHEAD = 16,     /* values asked for before they are moved */
    VALUE_MOST = 16        /* bytes of one that goes with its key */
};

/* ---- storing an input ---- */

typedef struct storing {
    const ww_device *device;
    const ww_input *in;
    unsigned char *to, *buffers;
    size_t tile, room;
    uint64_t next;
} storing;

static void store_tiles(void *argument, size_t worker) {
    storing *s = argument;
    const size_t size = s->in->size;
    for (uint64_t first; (first = ww__claim(&s->next) * s->tile) < s->in->count;) {
        const size_t n = (size_t)ww__min_u64(s->tile, s->in->count - first);
        const void *tile = ww__input_read(s->device, s->in, first, n, s->buffers + worker * s->room);
        ww__stream(s->device, s->to + first * size, tile, n * size, ww__streams(s->device, s->in->count * size));
    }
    ww__stream_done();
}

static ww_status store(ww_device *device, const ww_input *in, void *to) {
    storing s = {.device = device, .in = in, .to = to, .tile = ww__tile(in->size)};
    const size_t workers = ww__workers(device, in->count * in->size);
    s.room = ww__input_room(in, s.tile);
    WW_TRY(ww__scratch_array(device, workers, s.room, &s.buffers));
    ww__parallel(device, workers, store_tiles, &s);
    return WW_OK;
}

/* The memory of an input, or where it was stored. */
static ww_status in_memory_or(ww_device *device, const ww_input *in, void *out, const void **memory) {
    *memory = ww__input_memory(in);
    if (*memory || !in->count) return WW_OK;
    *memory = out;
    return store(device, in, out);
}

/* ---- values by position ---- */

typedef struct gathering {
    const ww_device *device;
    const void *positions;
    const unsigned char *from;
    unsigned char *to;
    size_t size, position_size;
    uint64_t n, piece, next;
} gathering;

static uint64_t position_at(const gathering *g, uint64_t i) {
    return g->position_size == 4 ? ((const uint32_t *)g->positions)[i] : ((const uint64_t *)g->positions)[i];
}

static void gather_pieces(void *argument, size_t worker) {
    gathering *g = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&g->next) * g->piece) < g->n;) {
        const uint64_t end = ww__min_u64(first + g->piece, g->n);
        for (uint64_t i = first; i < end; i++) {
            const unsigned char *ahead = g->from + position_at(g, ww__min_u64(i + GATHER_AHEAD, end - 1)) * g->size;
            ww__fetch_all(ahead, ww__min_u64(g->size, 1024));
            memcpy(g->to + i * g->size, g->from + position_at(g, i) * g->size, g->size);
        }
    }
}

typedef ww_status sorter(ww_device *device, const ww__sorting *s, const ww__elements *e);

static ww_status sort_positions(ww_device *device, sorter *run, const ww__sorting *s, ww__elements *e) {
    const uint64_t n = s->keys.count;
    const ww_type *type = ww__position_type(n);
    const ww_input positions = ww_counting(type, 0, n);
    gathering g = {
        .device = device, .to = s->values_out.data, .size = s->values.size, .position_size = type->size, .n = n};
    g.piece = PIECE_BYTES / g.size + 1;
    g.from = ww__input_memory(&s->values);
    if (!g.from || g.from == g.to) { /* computed, or in place */
        unsigned char *copy;
        WW_TRY(ww__scratch_array(device, n, g.size, &copy));
        WW_TRY(store(device, &s->values, copy));
        g.from = copy;
    }
    WW_TRY(ww__scratch_array(device, n, type->size, &e->values_out));
    WW_TRY(store(device, &positions, e->values_out));
    e->values = g.positions = e->values_out;
    e->value_size = type->size;
    WW_TRY(run(device, s, e));
    ww__parallel(device, ww__workers(device, n * g.size), gather_pieces, &g);
    return WW_OK;
}

/* ---- the order ---- */

ww__radix_order ww__radix_order_of(const ww__sorting *s) {
    const unsigned bits = (unsigned)(8 * s->keys.size);
    const ww__word highest = (ww__word)1 << (bits - 1);
    ww__radix_order order = {0, 0};
    if (s->by_value && s->keys.type->kind != WW_KIND_UNSIGNED) order.flip = highest;
    if (s->by_value && s->keys.type->kind == WW_KIND_FLOAT) order.fold = highest - 1;
    if (s->descending) order.flip ^= ww__radix_ones(bits);
    return order;
}

ww__word ww__radix_mask_of(const ww__sorting *s) { return ww__radix_ones(s->bit_count) << s->bit_first; }

static ww_status sort_by_bits(ww_device *device, const ww__sorting *s, const ww__elements *e) {
    const ww__radix job = {.keys = e->keys,
                           .values = e->values,
                           .keys_out = e->keys_out,
                           .values_out = e->values_out,
                           .n = e->n,
                           .key_size = e->key_size,
                           .value_size = e->value_size,
                           .order = ww__radix_order_of(s),
                           .mask = ww__radix_mask_of(s)};
    return s->offsets ? ww__sort_segments_cpu(device, &job, s->offsets) : ww__radix_sort(device, &job);
}

/* Whether values of this size go with their keys. */
static bool travels(size_t size) { return size <= VALUE_MOST && !(size & (size - 1)); }

ww_status ww__sort_cpu(ww_device *device, const ww__sorting *s) {
    sorter *const run = s->less ? ww__merge_sort_cpu : sort_by_bits;
    ww__elements e = {.keys_out = s->keys_out.data, .n = s->keys.count, .key_size = s->keys.size};
    if (!e.n) return run(device, s, &e);
    WW_TRY(in_memory_or(device, &s->keys, e.keys_out, &e.keys));
    if (s->values.steps && !travels(s->values.size)) return sort_positions(device, run, s, &e);
    if (s->values.steps) {
        e.values_out = s->values_out.data;
        e.value_size = s->values.size;
        WW_TRY(in_memory_or(device, &s->values, e.values_out, &e.values));
    }
    return run(device, s, &e);
}
