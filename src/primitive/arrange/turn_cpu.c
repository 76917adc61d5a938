/* Reversing and rotating: workers claim pieces of the output, and each tile of a piece goes through a buffer in the first-level
 * cache and past the caches to memory. In place a tile and its mirror image change places, each by way of a buffer. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "primitive/arrange/sides.h"

enum { TILE_BYTES = 4096, PIECE_BYTES = 1 << 17 };

typedef struct sixteen {
    uint64_t half[2];
} sixteen;

/* to[i] = from[n - 1 - i]. */
#define REVERSED(width, T) \
    WW__LOOP(width) void reversed_##T##_##width(void *out, const void *in, size_t n) { \
        T *WW__R to = WW__TO(T, out); \
        const T *WW__R from = WW__SEEN(T, in); \
        for (size_t i = 0; i < n; i++) to[i] = from[n - 1 - i]; \
    }
#define EACH_SIZE(width, none) \
    REVERSED(width, uint8_t) \
    REVERSED(width, uint16_t) REVERSED(width, uint32_t) REVERSED(width, uint64_t) REVERSED(width, sixteen)
WW__EACH_WIDTH(EACH_SIZE, )

typedef void reversing_loop(void *to, const void *from, size_t n);
#define ROW(width, none) \
    {reversed_uint8_t_##width, reversed_uint16_t_##width, reversed_uint32_t_##width, reversed_uint64_t_##width, \
     reversed_sixteen_##width},
static reversing_loop *const loops[][5] = {WW__EACH_WIDTH(ROW, )};

/* Records lie anywhere, so only those of types of one word take a loop. */
static reversing_loop *loop_of(const ww_device *device, const ww_type *type, size_t size) {
    if (type->kind == WW_KIND_RECORD || type->kind == WW_KIND_STRUCT || size > 16) return NULL;
    return loops[device->vector][__builtin_ctzl(size)];
}

typedef struct turning {
    const ww_device *device;
    const ww_input *in;
    unsigned char *to, *buffers;
    reversing_loop *loop; /* NULL: element by element */
    uint64_t by, count;   /* of the output, or of its first half in place */
    size_t size, tile, piece, in_room, room;
    bool streaming;
    uint64_t next;
} turning;

static void reverse_tile(const turning *t, unsigned char *to, const unsigned char *from, size_t n) {
    if (t->loop) {
        t->loop(to, from, n);
        return;
    }
    for (size_t i = 0; i < n; i++) memcpy(to + i * t->size, from + (n - 1 - i) * t->size, t->size);
}

static const unsigned char *read_tile(const turning *t, uint64_t first, size_t n, unsigned char *buffer) {
    return ww__input_read(t->device, t->in, first, n, buffer);
}

static void reverse_piece(const turning *t, uint64_t first, uint64_t end, unsigned char *buffer) {
    unsigned char *const turned = buffer + t->in_room;
    for (; first < end; first += t->tile) {
        const size_t n = (size_t)ww__min_u64(t->tile, end - first);
        const uint64_t from = t->in->count - first - n;
        reverse_tile(t, turned, read_tile(t, from, n, buffer), n);
        ww__stream(t->device, t->to + first * t->size, turned, n * t->size, t->streaming);
    }
}

/* Elements first … end - 1 of the first half and their mirror images. */
static void exchange_piece(const turning *t, uint64_t first, uint64_t end, unsigned char *buffer) {
    unsigned char *const other = buffer + t->room / 2;
    for (; first < end; first += t->tile) {
        const size_t n = (size_t)ww__min_u64(t->tile, end - first), bytes = n * t->size;
        unsigned char *const front = t->to + first * t->size;
        unsigned char *const back = t->to + (t->in->count - first - n) * t->size;
        reverse_tile(t, buffer, front, n);
        reverse_tile(t, other, back, n);
        memcpy(back, buffer, bytes);
        memcpy(front, other, bytes);
    }
}

/* What goes to first … end - 1 lies in two parts of the input where the input's end comes between. */
static void rotate_piece(const turning *t, uint64_t first, uint64_t end, unsigned char *buffer) {
    while (first < end) {
        const bool wrapped = first < t->by;
        const uint64_t until = wrapped ? ww__min_u64(end, t->by) : end;
        const size_t n = (size_t)ww__min_u64(t->tile, until - first);
        const uint64_t from = wrapped ? first + (t->in->count - t->by) : first - t->by;
        (t->in_room ? ww__stream : ww__stream_memory)(t->device, t->to + first * t->size, read_tile(t, from, n, buffer),
                                                      n * t->size, t->streaming);
        first += n;
    }
}

#define PIECES(name) \
    static void name##_pieces(void *argument, size_t worker) { \
        turning *t = argument; \
        for (uint64_t first; (first = ww__claim_light(t->device, worker, &t->next) * t->piece) < t->count;) \
            name##_piece(t, first, ww__min_u64(first + t->piece, t->count), t->buffers + worker * t->room); \
        ww__stream_done(); \
    }
PIECES(reverse)
PIECES(exchange)
PIECES(rotate)

/* `buffered`: tiles that a worker holds beside those that are read. */
static ww_status turn(ww_device *device, turning *t, const char *method, size_t buffered, ww__task *task) {
    const uint64_t bytes = ww__input_bytes(t->in) + t->in->count * t->size;
    const size_t workers = ww__workers(device, bytes);
    t->tile = t->size < TILE_BYTES ? TILE_BYTES / t->size : 1;
    t->piece = t->tile * (PIECE_BYTES / (t->tile * t->size) + 1);
    t->in_room = ww__round_up(ww__input_room(t->in, t->tile), 64);
    t->room = t->in_room + buffered * ww__round_up(t->tile * t->size, 64);
    t->streaming = ww__streams(device, t->in->count * t->size);
    WW_TRY(ww__scratch_array(device, workers, t->room, &t->buffers));
    ww__trace(device, method, NULL, t->in->count, bytes, workers);
    if (device->on_paper) return WW_OK;
    ww__parallel_light(device, workers, bytes, task, t);
    return WW_OK;
}

ww_status ww__reverse_cpu(ww_device *device, const ww__reverse_request *r) {
    turning t = {.device = device, .in = r->in, .to = r->out->data, .count = r->in->count, .size = r->in->size};
    t.loop = loop_of(device, r->in->type, t.size);
    if (ww__input_memory(r->in) != r->out->data) return turn(device, &t, "reverse", 1, reverse_pieces);
    t.count /= 2;
    return turn(device, &t, "exchange", 2, exchange_pieces);
}

ww_status ww__rotate_cpu(ww_device *device, const ww__rotate_request *r) {
    turning t = {
        .device = device, .in = r->in, .to = r->out->data, .by = r->by, .count = r->in->count, .size = r->in->size};
    return turn(device, &t, "rotate", 0, rotate_pieces);
}
