/* Differences of neighbours: tiles that depend on nothing but the input. A tile is read with the element before it, its
 * differences go to a buffer in the first-level cache, and from there to memory. Reads and writes each element once. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/types.h"
#include "primitive/scan/sides.h"

/* out[i] = x[i + 1] - x[i]. Integers are subtracted as unsigned ones, which wrap. */
typedef void subtract(void *out, const void *x, size_t n);

#define SUBTRACT(width, T, W, label) \
    WW__LOOP(width) void subtract_##label##_##width(void *WW__R out, const void *WW__R from, size_t n) { \
        WW__EXACT \
        enum { L = WW__LANES(sizeof(T)) }; \
        const T *x = from; \
        T *o = out; \
        size_t i = 0; \
        for (; i + L <= n; i += L) { \
            WW__FETCH(x + i); \
            for (size_t l = i; l < i + L; l++) o[l] = (T)((W)x[l + 1] - (W)x[l]); \
        } \
        for (; i < n; i++) o[i] = (T)((W)x[i + 1] - (W)x[i]); \
    }
#define SUBTRACT_HALF(width, T, label) \
    WW__LOOP(width) void subtract_##label##_##width(void *WW__R out, const void *WW__R from, size_t n) { \
        const T *x = from; \
        T *o = out; \
        for (size_t i = 0; i < n; i++) o[i] = T##_of_float(ww_float_of_##label(x[i + 1]) - ww_float_of_##label(x[i])); \
    }
#define OF_HALF(T, label) WW__EACH_WIDTH(SUBTRACT_HALF, T, label)
#define OF_INTEGER(T, label) WW__EACH_WIDTH(SUBTRACT, T, uint64_t, label)
#define OF_SIGNED_WIDE(T, label) WW__EACH_WIDTH(SUBTRACT, T, ww_u128, label)
#define OF_WIDEST(T, label) WW__EACH_WIDTH(SUBTRACT, T, T, label)
WW__EACH_UNSIGNED(OF_INTEGER)
WW__EACH_SIGNED(OF_INTEGER)
WW__EACH_U128(OF_WIDEST)
WW__EACH_I128(OF_SIGNED_WIDE)
WW__EACH_FLOAT(OF_WIDEST)
WW__EACH_HALF(OF_HALF)

#if defined(__x86_64__)
#define ROW(T, label) {subtract_##label##_plain, subtract_##label##_avx2, subtract_##label##_avx512},
#else
#define ROW(T, label) {subtract_##label##_plain, subtract_##label##_plain, subtract_##label##_plain},
#endif
/* By ww__number_index: the order of its enum. */
static subtract *const subtracts[WW__NUMBERS][WW_VECTORS] = {WW__EACH_UNSIGNED(ROW) WW__EACH_SIGNED(ROW)
#if WW_HAS_U128
                                                                 WW__EACH_U128(ROW) WW__EACH_I128(ROW)
#else
                                                                 {NULL}, {NULL},
#endif
                                                                     WW__EACH_FLOAT(ROW) WW__EACH_HALF(ROW)};

typedef struct job {
    ww_device *device;
    const ww_input *in;
    unsigned char *out, *rooms;
    subtract *subtract;
    size_t size, tile, room, in_room_at;
    bool streaming;
    uint64_t next;
} job;

/* Tiles that a worker claims at once. */
enum { TILES_A_PIECE = 16 };

static void write_tile(const job *j, uint64_t tile, unsigned char *room) {
    const uint64_t first = tile * j->tile;
    const size_t n = (size_t)ww__min_u64(j->tile, j->in->count - first), skip = first ? 0 : 1;
    unsigned char *out = j->out + first * j->size, *to = j->streaming ? room : out;
    const unsigned char *x = ww__input_read(j->device, j->in, first + skip - 1, n + 1 - skip, room + j->in_room_at);
    if (skip) memcpy(to, x, j->size);
    j->subtract(to + skip * j->size, x, n - skip);
    if (j->streaming) ww__stream(j->device, out, to, n * j->size, true);
}

static void write_pieces(void *argument, size_t worker) {
    job *j = argument;
    const uint64_t tiles = j->in->count / j->tile + (j->in->count % j->tile != 0);
    for (uint64_t t; (t = ww__claim_light(j->device, worker, &j->next) * TILES_A_PIECE) < tiles;)
        for (uint64_t end = ww__min_u64(t + TILES_A_PIECE, tiles); t < end; t++)
            write_tile(j, t, j->rooms + worker * j->room);
    if (j->streaming) ww__stream_done();
}

ww_status ww__adjacent_difference_cpu(ww_device *device, const ww_input *in, const ww_array *out) {
    const size_t size = in->size, tile = ww__tile(size);
    const uint64_t bytes = in->count * size;
    const size_t workers = ww__workers(device, bytes);
    job j = {.device = device,
             .in = in,
             .out = out->data,
             .subtract = subtracts[ww__number_index(in->type)][device->vector],
             .size = size,
             .tile = tile,
             .in_room_at = ww__round_up(tile * size, 64),
             .streaming = ww__streams(device, bytes)};
    j.room = ww__round_up(j.in_room_at + ww__input_room(in, tile + 1), 64);
    WW_TRY(ww__scratch_array(device, workers, j.room, &j.rooms));
    ww__trace(device, "neighbours", NULL, in->count, ww__input_bytes(in) + bytes, workers);
    ww__parallel_light(device, workers, bytes, write_pieces, &j);
    return WW_OK;
}
