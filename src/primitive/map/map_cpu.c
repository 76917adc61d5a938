/* Storing an input: workers claim pieces of 64 KiB of it; each tile of a piece is computed in the worker's buffer, in the
 * first-level cache, and goes to memory once, past the caches when the output is large. Memory is read once.
 *
 * A tile is never computed straight into the output: the output may be the memory that is read (in place), which the
 * loops do not allow, and stores that bypass the caches have to be whole lines. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "primitive/map/sides.h"

enum { PIECE_BYTES = 1 << 16 };

/* Computing a tile waits for memory to be read, streaming it out for memory to be written. The shorter a tile is, the more
 * of the two goes on at once: measured on a Xeon with AVX-512, 2026-11, maps of 4-byte elements reach 0.88 of a copy by
 * tiles of 4 KiB, 0.93 by 1 KiB and 0.96 by 512 bytes, which are twice the calls of every step. */
static size_t store_tile(size_t element) {
    enum { BYTES = 1024 };
    return element < BYTES ? BYTES / element : 1;
}

typedef struct storing {
    const ww_device *device;
    const ww_input *in;
    unsigned char *to, *buffers;
    size_t tile, tiles_a_piece, room;
    bool streaming;
    uint64_t next;
} storing;

static void store_piece(const storing *s, uint64_t first, uint64_t end, void *buffer) {
    for (; first < end; first += s->tile) {
        const size_t n = (size_t)ww__min_u64(s->tile, end - first);
        const void *tile = ww__input_read(s->device, s->in, first, n, buffer);
        unsigned char *to = s->to + first * s->in->size;
        if (tile == to) continue;
        (s->room ? ww__stream : ww__stream_memory)(s->device, to, tile, n * s->in->size, s->streaming);
    }
}

static void store_pieces(void *argument, size_t worker) {
    storing *s = argument;
    const uint64_t count = s->in->count, piece = s->tile * s->tiles_a_piece;
    for (uint64_t first; (first = ww__claim(&s->next) * piece) < count;)
        store_piece(s, first, ww__min_u64(first + piece, count), s->buffers + worker * s->room);
    ww__stream_done();
}

ww_status ww__map_cpu(ww_device *device, const ww__map_request *r) {
    const ww_input *in = r->in;
    storing s = {.device = device, .in = in, .to = r->out->data, .tile = store_tile(in->size)};
    s.tiles_a_piece = PIECE_BYTES / (s.tile * in->size) + 1;
    s.room = ww__input_room(in, s.tile);
    s.streaming = ww__streams(device, in->count * in->size);
    const uint64_t bytes = ww__input_bytes(in) + in->count * in->size;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "tiles", r->outermost, in->count, bytes, workers);
    WW_TRY(ww__scratch_array(device, workers, s.room, &s.buffers));
    ww__parallel(device, workers, store_pieces, &s);
    return WW_OK;
}

/* How long a rank takes is not known: each worker gets about 32 pieces, so that a slow one holds nobody up for long. */
enum { RANKS_LEAST = 256, SERIAL_RANKS = 4096, SERIAL_BLOCKS = 16 };

typedef struct launching {
    const ww_kernel_loops *loops;
    const void *arguments;
    uint64_t count, piece, next;
} launching;

static void launch_pieces(void *argument, size_t worker) {
    launching *l = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&l->next) * l->piece) < l->count;)
        l->loops->ranks(first, (size_t)ww__min_u64(l->piece, l->count - first), l->arguments);
}

ww_status ww__launch_cpu(ww_device *device, const ww__launch_request *r) {
    const uint64_t count = r->count;
    const bool blocks = r->kernel->role == WW_ROLE_BLOCKS; /* each as long as many ranks */
    const size_t workers = count < (blocks ? SERIAL_BLOCKS : SERIAL_RANKS) ? 1 : device->threads;
    launching l = {ww__loops(device, r->kernel), r->kernel->bound, count,
                   count / (32 * workers) + (blocks ? 1 : RANKS_LEAST), 0};
    ww__trace(device, "ranks", r->kernel, count, 0, workers);
    ww__parallel(device, workers, launch_pieces, &l);
    return WW_OK;
}
