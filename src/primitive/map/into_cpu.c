/* Storing an input to an output that is computed: workers claim pieces; a tile of the input goes through the output's function to the
 * worker's buffer, and from there to the arrays. */
#include "device/cpu/parallel.h"
#include "function/function.h"
#include "primitive/map/sides.h"

enum { PIECE_TILES = 16 };

typedef struct storing {
    const ww_device *device;
    const ww__map_into_request *r;
    unsigned char *buffers;
    size_t tile, input_room, room;
    uint64_t next;
} storing;

static void store_pieces(void *argument, size_t worker) {
    storing *s = argument;
    const ww_input *in = s->r->in;
    unsigned char *const buffer = s->buffers + worker * s->room;
    const uint64_t piece = s->tile * PIECE_TILES;
    for (uint64_t first; (first = ww__claim_light(s->device, worker, &s->next) * piece) < in->count;) {
        const uint64_t end = ww__min_u64(first + piece, in->count);
        for (; first < end; first += s->tile) {
            const size_t n = (size_t)ww__min_u64(s->tile, end - first);
            const void *x = ww__input_read(s->device, in, first, n, buffer);
            ww__into_put(s->device, s->r->into, first, x, n, buffer + s->input_room);
        }
    }
}

ww_status ww__map_into_cpu(ww_device *device, const ww__map_into_request *r) {
    const size_t row = r->in->size > r->into->row_size ? r->in->size : r->into->row_size;
    storing s = {.device = device, .r = r, .tile = ww__tile(row)};
    s.input_room = ww__round_up(ww__input_room(r->in, s.tile), 64);
    s.room = s.input_room + ww__into_room(r->into, s.tile);
    const uint64_t bytes = ww__input_bytes(r->in) + r->in->count * r->into->row_size;
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "tiles", r->outermost, r->in->count, bytes, workers);
    WW_TRY(ww__scratch_array(device, workers, s.room, &s.buffers));
    ww__parallel_light(device, workers, bytes, store_pieces, &s);
    return WW_OK;
}
