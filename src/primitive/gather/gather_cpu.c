/* Gathering: workers claim pieces of the index; a tile of it is checked as a whole, then its elements are fetched some
 * way ahead of being moved. A large output is gathered in a buffer in the first-level cache and leaves from there past
 * the caches. The index is read once, the output written once, `from` read at random. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "function/lookup.h"
#include "primitive/gather/move.h"
#include "primitive/gather/sides.h"

enum { PIECE_BYTES = 1 << 16, LONG_BYTES = 4096 };

typedef struct gathering {
    const ww_device *device;
    const ww_array *from;
    const ww_input *index;
    unsigned char *to, *buffers;
    size_t tile, tiles_a_piece, index_room, room;
    bool streaming;
    uint64_t limit, next;
    ww__fault *fault;
} gathering;

/* ---- indices ---- */

static uint64_t index_at(const ww_input *index, const void *tile, size_t i) {
    return index->size == 4 ? ((const uint32_t *)tile)[i] : ((const uint64_t *)tile)[i];
}

/* ---- moving a tile whose indices are all good ---- */

/* far: not in the nearest caches, so that it is asked for. Those of one size that are near are moved eight at a time. */
typedef void gather_loop(unsigned char *to, const unsigned char *from, const void *index, size_t n, size_t size,
                         bool far);

#define GATHER(name, bytes, MOVE, T) \
    static void gather_##T##_##name(unsigned char *to, const unsigned char *from, const void *index, size_t n, \
                                    size_t given, bool far) { \
        const T *at = index; \
        const size_t size = bytes, ahead = ww__move_ahead(size); \
        size_t i = 0; \
        (void)given; \
        for (; far && i + ahead < n; i++, to += size) { \
            WW__MOVE_FETCH(from + (size_t)at[i + ahead] * size, size, 0); \
            MOVE(to, from + (size_t)at[i] * size, size); \
        } \
        for (; __builtin_constant_p(bytes) && i + 8 <= n; i += 8, to += 8 * size) \
            _Pragma("GCC unroll 8") for (size_t k = 0; k < 8; k++) \
                MOVE(to + k * size, from + (size_t)at[i + k] * size, size); \
        for (; i < n; i++, to += size) MOVE(to, from + (size_t)at[i] * size, size); \
    }
#define GATHER_BY_U32(name, bytes, MOVE) GATHER(name, bytes, MOVE, uint32_t)
#define GATHER_BY_U64(name, bytes, MOVE) GATHER(name, bytes, MOVE, uint64_t)
WW__EACH_MOVE(GATHER_BY_U32)
WW__EACH_MOVE(GATHER_BY_U64)
#define LISTED_BY_U32(name, bytes, MOVE) gather_uint32_t_##name,
#define LISTED_BY_U64(name, bytes, MOVE) gather_uint64_t_##name,
static gather_loop *const by_u32[] = {WW__EACH_MOVE(LISTED_BY_U32)}, *const by_u64[] = {WW__EACH_MOVE(LISTED_BY_U64)};

/* Long records go straight from their place past the caches. */
static void stream_long(const gathering *g, unsigned char *to, const void *at, size_t n) {
    const size_t size = g->from->size;
    for (size_t i = 0; i < n; i++)
        ww__stream(g->device, to + i * size, (const unsigned char *)g->from->data + index_at(g->index, at, i) * size,
                   size, true);
}

static void gather_some(const gathering *g, unsigned char *to, const void *at, uint64_t first, size_t n) {
    const size_t size = g->from->size;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = index_at(g->index, at, i);
        if (x < g->limit)
            memcpy(to + i * size, (const unsigned char *)g->from->data + x * size, size);
        else
            ww__fault_at(g->fault, first + i);
    }
}

static void gather_tile(const gathering *g, uint64_t first, size_t n, unsigned char *buffer) {
    const size_t size = g->from->size;
    const ww__lookup lookup = {g->from->data, g->limit, size, g->index->size == 8};
    const void *at = ww__input_read(g->device, g->index, first, n, buffer);
    const bool streaming = g->streaming && size < LONG_BYTES;
    unsigned char *const to = g->to + first * size, *const tile = streaming ? buffer + g->index_room : to;
    if (!ww__look_up_words(g->device, &lookup, tile, at, n)) {
        const ww__span span = ww__span_of(g->device, at, lookup.wide, n);
        if (span.most >= g->limit) {
            gather_some(g, to, at, first, n);
            return;
        }
        if (g->streaming && !streaming) {
            stream_long(g, to, at, n);
            return;
        }
        (lookup.wide ? by_u64 : by_u32)[ww__move_of(size)](tile, g->from->data, at, n, size, ww__is_far(&span, size));
    }
    if (streaming) ww__stream(g->device, to, tile, n * size, true);
}

static void gather_pieces(void *argument, size_t worker) {
    gathering *g = argument;
    const uint64_t count = g->index->count, piece = g->tile * g->tiles_a_piece;
    for (uint64_t first; (first = ww__claim_light(g->device, worker, &g->next) * piece) < count;) {
        const uint64_t end = ww__min_u64(first + piece, count);
        for (; first < end; first += g->tile)
            gather_tile(g, first, (size_t)ww__min_u64(g->tile, end - first), g->buffers + worker * g->room);
    }
    ww__stream_done();
}

ww_status ww__gather_cpu(ww_device *device, const ww_array *from, const ww_input *index, const ww_array *out,
                         ww__fault *fault) {
    const size_t size = from->size, widest = size > index->size ? size : index->size;
    gathering g = {
        .device = device, .from = from, .index = index, .to = out->data, .tile = ww__tile(widest), .fault = fault};
    g.limit = ww__index_limit(index, from->count);
    const uint64_t bytes = out->count * (2 * (uint64_t)size + index->size);
    const size_t workers = ww__workers(device, bytes);
    g.tiles_a_piece = PIECE_BYTES / (g.tile * size) + 1;
    g.streaming = ww__streams(device, out->count * size);
    g.index_room = ww__input_room(index, g.tile);
    g.room = ww__round_up(g.index_room + (g.streaming && size < LONG_BYTES ? g.tile * size : 0), 64);
    ww__trace(device, "tiles", NULL, out->count, bytes, workers);
    WW_TRY(ww__scratch_array(device, workers, g.room, &g.buffers));
    ww__parallel_light(device, workers, bytes, gather_pieces, &g);
    return WW_OK;
}
