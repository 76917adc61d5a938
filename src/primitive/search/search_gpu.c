/* The host side of searching on a GPU: one launch, of as many blocks as run at once. */
#include "device/gpu/batch.h"
#include "primitive/merge/order_gpu.h"
#include "primitive/search/search.h"

enum {
    ELEMENT_MOST = 1024,
    HELD_MOST = 16,     /* bytes of a needle that stands in registers */
    RESIDENT = 4,       /* blocks of a processor */
    LONG_THREADS = 128, /* of a block that searches for long elements */
    SAMPLED_LEAST = 8   /* times as many elements as samples */
};

typedef struct plan {
    uint32_t threads, each, part; /* part: elements of the array beside a tile of needles */
} plan;

static plan plan_of(const ww_device *device, uint64_t needles, size_t size) {
    const uint64_t processors = device->gpu->driver->processors;
    plan p = {512, size <= 4 ? 7 : size <= 8 ? 5 : 3, 0};
    while (p.threads > LONG_THREADS && needles / (p.threads * p.each) < RESIDENT * processors) p.threads /= 2;
    if (device->gpu->driver->small_tiles) {
        p.threads = 64;
        p.each = 3;
    }
    p.part = p.threads * p.each / 4 * 7; /* a tile takes some 55 KiB then */
    return p;
}

/* Bytes of shared memory: struct search_shared. */
static size_t shared_bytes(const plan *p, size_t size) {
    const size_t tile = (size_t)p->threads * p->each;
    return ww__round_up(
        ww__round_up((tile + p->part) * size, 8) + 2 * sizeof(uint64_t) + (tile + p->threads) * sizeof(uint16_t), 16);
}

static ww_status launch(ww_device *device, const ww_function *order, const ww_input *sorted, const ww_input *needles,
                        const ww_array *out, void *to, bool upper) {
    const bool is_long = sorted->size > HELD_MOST;
    const plan p = is_long ? (plan){LONG_THREADS, 1, 1} : plan_of(device, needles->count, sorted->size);
    const uint64_t tiles = ww__blocks(needles->count, (uint64_t)p.threads * p.each);
    const uint64_t blocks = ww__min_u64(tiles, (uint64_t)device->gpu->driver->processors * RESIDENT);
    uint64_t room = (uint64_t)p.part + p.threads * p.each, stride = 1, samples = 0;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/search/search.cu");
    ww__recipe_number(&r, "WW_THREADS", p.threads);
    ww__recipe_number(&r, "WW_EACH", p.each);
    ww__recipe_number(&r, "WW_PART", p.part);
    ww__recipe_number(&r, "WW_UPPER", upper);
    ww__recipe_number(&r, "WW_WIDE", sorted->count > UINT32_MAX);
    ww__recipe_order(&r, order, sorted->type, sorted->size);
    ww__recipe_type(&r, "ww_position", out->type, out->size, NULL);
    ww__recipe_input(&r, "sorted", sorted);
    ww__recipe_input(&r, "needle", needles);
    if (sorted->count / SAMPLED_LEAST >= room) {
        stride = ww__blocks(sorted->count, room);
        samples = sorted->count / stride;
    }
    ww__arguments a;
    ww__arguments_begin(&a);
    WW__ARGUMENT(&a, to);
    WW__ARGUMENT(&a, sorted->count);
    WW__ARGUMENT(&a, needles->count);
    WW__ARGUMENT(&a, tiles);
    WW__ARGUMENT(&a, stride);
    WW__ARGUMENT(&a, samples);
    WW_TRY(ww__argument_input(device, &a, sorted));
    WW_TRY(ww__argument_input(device, &a, needles));
    if (is_long) return ww__gpu_launch(device, &r, "search_long", tiles, p.threads, 0, &a);
    return ww__gpu_launch(device, &r, "search", blocks, p.threads, shared_bytes(&p, sorted->size), &a);
}

ww_status ww__bound_gpu(ww_device *device, const ww_function *order, const ww_input *sorted, const ww_input *needles,
                        const ww_array *out, bool upper) {
    void *to;
    WW_CHECK(device, sorted->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are searched on a CPU only; a GPU takes up to %d", sorted->size, ELEMENT_MOST);
    if (!needles->count) return WW_OK;
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to));
    WW_TRY(launch(device, order, sorted, needles, out, to, upper));
    return ww__gpu_result(device, out->data, to, out->size);
}
