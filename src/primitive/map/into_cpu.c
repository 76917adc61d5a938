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

/* The elements that have a flag of 1, by runs. */
static void put_some(const storing *s, const uint8_t *only, uint64_t first, const unsigned char *x, size_t n,
                     unsigned char *buffer) {
    const size_t size = s->r->in->size;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && only[end] == 1;) end++;
        if (end > i) ww__into_put(s->device, s->r->into, first + i, x + i * size, end - i, buffer);
        while (end < n && only[end] != 1) end++;
    }
}

static void store_tile(const storing *s, uint64_t first, size_t n, unsigned char *buffer) {
    const void *const x = ww__input_read(s->device, s->r->in, first, n, buffer);
    if (s->r->only)
        put_some(s, (const uint8_t *)s->r->only->data + first, first, x, n, buffer + s->input_room);
    else
        ww__into_put(s->device, s->r->into, first, x, n, buffer + s->input_room);
}

static void store_pieces(void *argument, size_t worker) {
    storing *s = argument;
    const ww_input *in = s->r->in;
    const uint64_t *const range = s->r->range ? s->r->range->data : NULL;
    const uint64_t begin = range ? range[0] : 0, all = range ? ww__min_u64(range[1], in->count) : in->count;
    unsigned char *const buffer = s->buffers + worker * s->room;
    const uint64_t piece = s->tile * PIECE_TILES;
    for (uint64_t first; (first = ww__claim_light(s->device, worker, &s->next) * piece) < all;) {
        const uint64_t end = ww__min_u64(first + piece, all);
        if (first < begin) first = begin;
        for (; first < end; first += s->tile) store_tile(s, first, (size_t)ww__min_u64(s->tile, end - first), buffer);
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
