/* Storing an input: workers claim pieces of 64 KiB of it; each tile of a piece is computed in the worker's buffer, in the
 * first-level cache, and goes to memory once, past the caches when the output is large. Memory is read once.
 *
 * A tile is computed straight into the output where that is small enough to stay in the caches, and not the memory that is read (in
 * place), which the loops do not allow: stores that bypass the caches have to be whole lines. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/sides.h"

enum { PIECE_BYTES = 1 << 16 };

/* Computing a tile waits for memory to be read, streaming it out for memory to be written. The shorter a tile is, the more
 * of the two goes on at once: measured on a Xeon with AVX-512, 2026-11, maps of 4-byte elements reach 0.88 of a copy by
 * tiles of 4 KiB, 0.93 by 1 KiB and 0.96 by 512 bytes, which are twice the calls of every step. In the
 * caches nothing waits, and fewer calls are better. */
static size_t store_tile(size_t element, bool straight) {
    const size_t bytes = straight ? 4096 : 1024;
    return element < bytes ? bytes / element : 1;
}

typedef struct storing {
    const ww_device *device;
    const ww_input *in;
    unsigned char *to, *buffers;
    size_t tile, tiles_a_piece, room;
    bool streaming, straight;
    uint64_t next;
} storing;

static void store_piece(const storing *s, uint64_t first, uint64_t end, void *buffer) {
    for (; first < end; first += s->tile) {
        const size_t n = (size_t)ww__min_u64(s->tile, end - first);
        unsigned char *to = s->to + first * s->in->size;
        const void *tile = s->straight ? ww__input_read_to(s->device, s->in, first, n, buffer, to)
                                       : ww__input_read(s->device, s->in, first, n, buffer);
        if (tile == to) continue;
        (s->room ? ww__stream : ww__stream_memory)(s->device, to, tile, n * s->in->size, s->streaming);
    }
}

static void store_pieces(void *argument, size_t worker) {
    storing *s = argument;
    const uint64_t count = s->in->count, piece = s->tile * s->tiles_a_piece;
    for (uint64_t first; (first = ww__claim_light(s->device, worker, &s->next) * piece) < count;)
        store_piece(s, first, ww__min_u64(first + piece, count), s->buffers + worker * s->room);
    ww__stream_done();
}

ww_status ww__map_cpu(ww_device *device, const ww__map_request *r) {
    const ww_input *in = r->in;
    const bool streaming = ww__streams(device, in->count * in->size),
               straight = !streaming && !ww__in_place(in, r->out);
    storing s = {.device = device,
                 .in = in,
                 .to = r->out->data,
                 .tile = store_tile(in->size, straight),
                 .streaming = streaming,
                 .straight = straight};
    s.tiles_a_piece = PIECE_BYTES / (s.tile * in->size) + 1;
    s.room = ww__input_room(in, s.tile);
    const uint64_t bytes = ww__input_bytes(in) + in->count * in->size;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "tiles", r->outermost, in->count, bytes, workers);
    WW_TRY(ww__scratch_array(device, workers, s.room, &s.buffers));
    ww__parallel_light(device, workers, bytes, store_pieces, &s);
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

/* ---- ranks that live at once: a thread each ---- */

typedef struct meeting {
    const ww_kernel_loops *loops;
    const void *arguments;
} meeting;

static void run_rank(void *argument, size_t worker) {
    const meeting *m = argument;
    m->loops->ranks(worker, 1, m->arguments);
}

/* A caller's executor may run one after another. */
uint64_t ww__together_cpu(const ww_device *device) { return device->executor.run ? 1 : device->threads; }

ww_status ww__launch_together_cpu(ww_device *device, const ww_function *kernel, uint64_t ranks) {
    meeting m = {ww__loops(device, kernel), kernel->bound};
    const size_t started = ranks > 1 && !device->on_paper ? ww__pool_start(device) : (size_t)ranks;
    WW_CHECK(device, started >= ranks, WW_MEMORY, "of %llu threads that wait for one another %zu could be started",
             (unsigned long long)ranks, started);
    ww__trace(device, "ranks together", kernel, ranks, 0, (size_t)ranks);
    ww__parallel(device, (size_t)ranks, run_rank, &m);
    return WW_OK;
}
