/* The host side of splits on a GPU: for a stable one of several tiles the second side is counted first; then one launch, after the words of
 * the chain are cleared. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "primitive/pack/choose_gpu.h"
#include "primitive/split/sides.h"
#include "primitive/split/split_count_arguments.cuh"

static const char file[] = "primitive/split/split.cu";

/* As many blocks as a GPU holds at once count the second side. */
static ww_status count_second(const ww__choosing *c, const ww__choose_plan *plan, void **ones) {
    enum { THREADS_A_PROCESSOR = 2048 };
    const uint64_t whole = (uint64_t)c->device->gpu->driver->processors * (THREADS_A_PROCESSOR / plan->tiling.threads);
    const uint64_t tiles = ww__blocks(c->in->count, ww__tiling_elements(&plan->tiling));
    ww__recipe r;
    ww__arguments a;
    const uint64_t *count_at = ww__take_count(c->device, c->in);
    WW_TRY(ww__scratch(c->device, sizeof(uint64_t), ones));
    WW_TRY(ww__gpu_fill(c->device, *ones, 0, sizeof(uint64_t)));
    ww__choose_recipe(&r, c, plan, file);
    ww__recipe_counted(&r, count_at);
    const split_count_fixed fixed = {.count = c->in->count, .count_at = count_at, .ones = *ones};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__choose_environment(c, &a));
    WW_TRY(ww__argument_input(c->device, &a, c->flags ? c->flags : c->in));
    return ww__gpu_launch(c->device, &r, "count", ww__min_u64(tiles, whole), plan->tiling.threads, 0, &a);
}

ww_status ww__split_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                        const ww_array *out, const ww_array *zeros, ww_split_method method) {
    const ww__choosing c = {.device = device,
                            .in = in,
                            .flags = flags,
                            .predicate = second,
                            .out = out,
                            .total = zeros,
                            .split = true,
                            .counted = true,
                            .reversed = method == WW_SPLIT_REVERSED};
    ww__choose_plan plan;
    void *ones = NULL;
    uint64_t total;
    if (method == WW_SPLIT_SCANS) return ww__split_scans_gpu(device, in, flags, second, out, zeros);
    WW_TRY(ww__choose_plan_make(&c, file, &plan));
    if (!c.reversed && in->count > ww__tiling_elements(&plan.tiling)) WW_TRY(count_second(&c, &plan, &ones));
    return ww__choose_gpu(&c, &plan, file, "split", ones, &total);
}
