/* The host side of weigh.cu: the result is cleared, and one launch of as many blocks as the GPU holds at once adds up. */
#include "device/gpu/batch.h"
#include "function/function.h"
#include "multisplit/sides.h"
#include "multisplit/weigh_arguments.cuh"
#include "multisplit/weighted.h"

enum { BINS_MOST = 8192, SLOTS_LEAST = 64, COPIES_MOST = 32, SUM = 4, PROCESSOR_BYTES = 216 << 10 };

/* A thread's elements at once, threads, and blocks of a processor at most. */
static const struct {
    uint32_t rows, threads, held;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {8, 512, 4}, [WW__TILES_SMALL] = {2, 64, 2}};

static ww_status say_bad(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    (void)value;
    return ww__no_bucket(device, position, call->name, call->limit);
}

bool ww__weighing_is_in_any_order(const ww__weighing *w) {
    const ww_type *type = w->weights->type;
    return w->device->backend == WW__BACKEND_GPU && !w->by.edges && w->in->steps < WW_INPUT_STEPS &&
           w->by.buckets <= BINS_MOST && type->size == SUM &&
           (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED);
}

ww_status ww__weigh_gpu(const ww__weighing *w) {
    ww_device *device = w->device;
    const uint32_t tiles = device->gpu->driver->tiles, threads = tuning[tiles].threads, rows = tuning[tiles].rows;
    const uint64_t n = w->in->count, bins = w->by.buckets;
    const ww_input buckets = ww_mapped(w->by.map, *w->in);
    uint64_t slots = SLOTS_LEAST, copies = COPIES_MOST;
    void *sums;
    ww__gpu_checking checking;
    WW_TRY(ww__check_input(device, "in", &buckets));
    while (slots < bins) slots *= 2;
    while (copies > 1 && slots * copies > BINS_MOST) copies /= 2;
    const uint64_t bytes = slots * copies * SUM, fit = PROCESSOR_BYTES / bytes;
    const uint64_t whole = ww__min_u64(fit, tuning[tiles].held) * device->gpu->driver->processors;
    WW_TRY(ww__gpu_room(device, w->sums->data, bins * SUM, &sums));
    WW_TRY(ww__gpu_checking_begin(device, say_bad, w->by.asked->name, bins, &checking));
    WW_TRY(ww__gpu_fill(device, sums, 0, bins * SUM));
    ww__recipe r;
    ww__recipe_begin(&r, "multisplit/weigh.cu");
    ww__recipe_number(&r, "WW_THREADS", threads);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_number(&r, "WW_SLOTS", slots * copies);
    ww__recipe_number(&r, "WW_COPIES", copies);
    ww__recipe_number(&r, "WW_KIND", buckets.type->kind == WW_KIND_FLOAT ? 2 : buckets.type->kind == WW_KIND_SIGNED);
    ww__recipe_input(&r, "in", &buckets);
    ww__recipe_input(&r, "weights", w->weights);
    ww__arguments a;
    const weigh_fixed fixed = {.sums = sums, .count = n, .bins = (uint32_t)bins, .checking = checking};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, &buckets));
    WW_TRY(ww__argument_input(device, &a, w->weights));
    if (n)
        WW_TRY(ww__gpu_launch(device, &r, "weigh", ww__min_u64(ww__blocks(n, (uint64_t)threads * rows), whole), threads,
                              bytes, &a));
    return ww__gpu_result(device, w->sums->data, sums, bins * SUM);
}
