/* The host side of searching on a GPU: two launches, of as many blocks as run at once; of few needles one, a thread each. */
#include "device/gpu/batch.h"
#include "primitive/merge/order_gpu.h"
#include "primitive/search/search_arguments.cuh"
#include "primitive/search/sides.h"

enum {
    ELEMENT_MOST = 1024,
    HELD_MOST = 16,     /* bytes of a needle that stands in registers */
    LONG_THREADS = 128, /* of a block that searches for long elements */
    MARKED_EACH = 2,    /* needles of a thread that looks for them in samples */
    SAMPLED_LEAST = 8,  /* times as many elements as samples */
    RESERVE = 2 << 10,
    PROCESSOR_THREADS = 2048
};

/* part: elements of the array beside a tile of needles. held: blocks that a processor holds at once, or as many as it happens
 * (0). samples: room for so many. */
typedef struct plan {
    uint32_t threads, each, part, held, samples, marked_threads;
} plan;

/* Measured on an H100, 2026-11: needles in order want many blocks, of which some wait for bounds while others search. Needles in
 * no order wait for sectors of the second-level cache, some eight each: every doubling of the samples saves one, so a single
 * block has the shared memory of a processor; but not all of it, for what is left is the first-level cache: 10.1 G needles a
 * second with 156 KiB of samples, 9.8 with 191, 9.4 with 125, and 5.9 with 216. Of 10^5 needles and fewer, a thread each takes 0.5 to 0.65 of
 * the time (2026-11-27). */
static const struct {
    uint32_t threads, few_threads;
    uint32_t each, each_8, each_more; /* needles of a thread: of up to 4 bytes, of 8, longer ones */
    uint32_t sample_bytes, held_most; /* held_most: blocks of a processor that are launched, at most */
    uint32_t few;                     /* needles of a processor for which a thread each is enough */
} tuning[WW__TILINGS] = {
    [WW__TILES_GPU] = {256, LONG_THREADS, 7, 5, 3, 156 << 10, UINT32_MAX, 1024},
    [WW__TILES_SMALL] = {64, 64, 3, 3, 3, 256, 1, 16},
};

/* general: one plan for all numbers of needles and GPUs, where nothing compiles. */
static plan plan_of(const ww_device *device, uint64_t needles, size_t size, bool general) {
    const ww__driver *driver = device->gpu->driver;
    const ww__tiles t = driver->tiles;
    plan p = {.threads = tuning[t].threads,
              .each = size <= 4   ? tuning[t].each
                      : size <= 8 ? tuning[t].each_8
                                  : tuning[t].each_more,
              .held = 8};
    if (general || needles / (p.threads * p.each) < driver->processors) p.threads = tuning[t].few_threads;
    const size_t shared_most = general ? ww__min_u64(driver->shared_most, WW__SHARED_EVERYWHERE) : driver->shared_most;
    p.part = p.threads * p.each / 4 * 7; /* a tile takes some 20 KiB then */
    p.marked_threads = p.threads * p.each / MARKED_EACH;
    p.samples = (uint32_t)(ww__min_u64(tuning[t].sample_bytes, shared_most - RESERVE) / size);
    if (size > 4) p.held = 0;
    return p;
}

/* Bytes of shared memory: struct search_shared. */
static size_t shared_bytes(const plan *p, size_t size) {
    const size_t tile = (size_t)p->threads * p->each;
    return ww__round_up(
        ww__round_up((tile + p->part) * size, 8) + 2 * sizeof(uint64_t) + (tile + p->threads) * sizeof(uint16_t), 16);
}

/* How many blocks of a kernel a GPU works on at once. */
static uint64_t resident(const ww_device *device, uint32_t threads, size_t shared) {
    enum { PROCESSOR_BYTES = 227 << 10, BLOCK_OWN = 1 << 10 };
    const ww__driver *driver = device->gpu->driver;
    const uint64_t fit = ww__min_u64(PROCESSOR_THREADS / threads, PROCESSOR_BYTES / (shared + BLOCK_OWN));
    const uint64_t held = ww__min_u64(fit, tuning[driver->tiles].held_most);
    return driver->processors * (held ? held : 1);
}

static void make_recipe(const plan *p, const ww_function *order, const ww_input *sorted, const ww_input *needles,
                        const ww_array *out, bool upper, ww__recipe *r) {
    ww__recipe_begin(r, "primitive/search/search.cu");
    ww__recipe_number(r, "WW_THREADS", p->threads);
    ww__recipe_number(r, "WW_EACH", p->each);
    ww__recipe_number(r, "WW_PART", p->part);
    ww__recipe_number(r, "WW_SAMPLES", p->samples);
    ww__recipe_number(r, "WW_HELD", p->held);
    ww__recipe_number(r, "WW_MARKED_EACH", MARKED_EACH);
    ww__recipe_number(r, "WW_UPPER", upper);
    ww__recipe_number(r, "WW_WIDE", sorted->count > UINT32_MAX);
    ww__recipe_order(r, order, sorted->type, sorted->size);
    ww__recipe_type(r, "ww_position", out->type, out->size, NULL);
    ww__recipe_ordered(r, "sorted", sorted, order);
    ww__recipe_ordered(r, "needle", needles, order);
}

static ww_status launch(ww_device *device, const ww_function *order, const ww_input *sorted, const ww_input *needles,
                        const ww_array *out, void *to, bool upper) {
    const ww__driver *driver = device->gpu->driver;
    const bool few = ww__gpu_compiles(device) &&
                     needles->count < (uint64_t)tuning[driver->tiles].few * driver->processors;
    const bool is_long = few || sorted->size > HELD_MOST;
    plan p = is_long ? (plan){LONG_THREADS, 2, 1, 0, 1, LONG_THREADS}
                     : plan_of(device, needles->count, sorted->size, false);
    ww__recipe r;
    make_recipe(&p, order, sorted, needles, out, upper, &r);
    if (!is_long && !ww__gpu_has(device, &r)) {
        p = plan_of(device, needles->count, sorted->size, true);
        make_recipe(&p, order, sorted, needles, out, upper, &r);
    }
    const uint64_t tiles = ww__blocks(needles->count, (uint64_t)p.threads * (is_long ? 1 : p.each));
    uint64_t stride = 1, samples = 0;
    uint8_t *marks = NULL;
    if (sorted->count / SAMPLED_LEAST >= p.samples) {
        stride = ww__blocks(sorted->count, p.samples);
        samples = sorted->count / stride;
    }
    if (!is_long) WW_TRY(ww__scratch(device, (size_t)tiles, &marks));
    ww__arguments a;
    const search_fixed fixed = {.out = to,
                                .count = sorted->count,
                                .needles = needles->count,
                                .tiles = tiles,
                                .stride = stride,
                                .samples = samples,
                                .marks = marks};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, sorted));
    WW_TRY(ww__argument_input(device, &a, needles));
    if (is_long) return ww__gpu_launch(device, &r, "search_long", tiles, p.threads, 0, &a);
    const size_t shared = shared_bytes(&p, sorted->size);
    const size_t sample_bytes = ww__round_up((size_t)p.samples * sorted->size, 16); /* struct marked_shared */
    WW_TRY(ww__gpu_launch(device, &r, "search", ww__min_u64(tiles, resident(device, p.threads, shared)), p.threads,
                          shared, &a));
    return ww__gpu_launch(device, &r, "search_marked",
                          ww__min_u64(tiles, resident(device, p.marked_threads, sample_bytes)), p.marked_threads,
                          sample_bytes, &a);
}

ww_status ww__search_gpu(ww_device *device, const ww__search_request *r) {
    const ww_input *const sorted = r->sorted, *const needles = r->needles;
    const ww_array *const out = r->out;
    void *to;
    WW_CHECK(device, sorted->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are searched on a CPU only; a GPU takes up to %d", sorted->size, ELEMENT_MOST);
    if (!needles->count) return WW_OK;
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to));
    WW_TRY(launch(device, ww__order_told(device, r->order, sorted, needles), sorted, needles, out, to, r->upper));
    return ww__gpu_result(device, out->data, to, out->size);
}
