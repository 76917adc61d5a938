/* Sorting on the CPU: makes the radix sort's job of a request.
 *
 * Inputs that are computed are stored in the outputs, and sorted there. Values of sizes that do not travel with their keys
 * stay where they are: their positions do, and then the values are gathered, each read and written once. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "sort/by_position.h"
#include "sort/radix.h"
#include "sort/segments.h"
#include "sort/sort.h"

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

static ww_status sort_job(ww_device *device, const ww__radix *job, const ww__sorting *s) {
    return s->offsets ? ww__sort_segments_cpu(device, job, s->offsets) : ww__radix_sort(device, job);
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

ww_status ww__sort_cpu(ww_device *device, const ww__sorting *s) {
    ww__radix job = {.keys_out = s->keys_out.data,
                     .n = s->keys.count,
                     .key_size = s->keys.size,
                     .order = ww__radix_order_of(s),
                     .mask = ww__radix_mask_of(s)};
    if (!job.n) return sort_job(device, &job, s);
    if (s->values.steps && !ww__radix_loops_of(job.key_size, s->values.size))
        return ww__sort_positions(device, s, ww__sort_cpu);
    WW_TRY(in_memory_or(device, &s->keys, job.keys_out, &job.keys));
    if (s->values.steps) {
        job.values_out = s->values_out.data;
        job.value_size = s->values.size;
        WW_TRY(in_memory_or(device, &s->values, job.values_out, &job.values));
    }
    return sort_job(device, &job, s);
}
