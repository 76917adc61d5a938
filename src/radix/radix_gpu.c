/* The host side of the radix sort on a GPU: one launch for what a block holds, else sweeps over the digits. */
#include "radix/radix_gpu.h"

#include "radix/block_arguments.cuh"

static const struct {
    uint32_t threads, items, items_8; /* items_8: of keys of 8 bytes */
    uint32_t bytes;                   /* of a thread's elements */
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {512, 8, 8, 64}, [WW__TILES_SMALL] = {256, 2, 3, 128}};

static ww__tile_plan plan_of_block(ww_device *device, const ww__sweeping *job) {
    const ww__driver *driver = device->gpu->driver;
    const ww__tiles t = driver->tiles;
    ww__tile_plan p = {tuning[t].threads, job->key_size == 8 ? tuning[t].items_8 : tuning[t].items, 1};
    while (p.items > 2 && p.items * (job->key_size + job->value_size) > tuning[t].bytes) p.items--;
    if (ww__tile_shared(job, &p) > driver->shared_most) p.threads = 256;
    /* Of few keys each row costs time, and so does its code, which comes from memory. */
    while (ww__gpu_compiles(device) && p.items % 2 == 0 && (uint64_t)p.threads * p.items / 2 >= job->n) p.items /= 2;
    return p;
}

static ww_status sort_in_block(ww_device *device, const ww__sweeping *job, const ww__tile_plan *p, uint64_t from,
                               uint64_t until) {
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "radix/radix_block.cu");
    ww__recipe_tile(device, &recipe, job, p, false);
    ww__recipe_counted(&recipe, job->count_at);
    ww__arguments a;
    const block_arguments fixed = {.keys = job->keys,
                                   .keys_out = job->keys_out,
                                   .values = job->values,
                                   .values_out = job->values_out,
                                   .count = job->n,
                                   .count_at = job->count_at,
                                   .first_value = job->first_value,
                                   .from = from,
                                   .until = until,
                                   .first = job->bit_first,
                                   .bits = job->bit_count,
                                   .order = ww__sweeping_order(job)};
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch(device, &recipe, "radix_block", 1, p->threads, ww__tile_shared(job, p), &a);
}

static bool holds(const ww__tile_plan *p, const ww__sweeping *job) { return job->n <= (uint64_t)p->threads * p->items; }

bool ww__radix_in_block(ww_device *device, const ww__sweeping *job) {
    const ww__tile_plan p = plan_of_block(device, job);
    return holds(&p, job);
}

ww_status ww__radix_part_gpu(ww_device *device, const ww__sweeping *job, uint64_t from, uint64_t until) {
    const ww__tile_plan p = plan_of_block(device, job);
    return sort_in_block(device, job, &p, from, until);
}

ww_status ww__radix_sort_gpu(ww_device *device, const ww__sweeping *job) {
    const ww__tile_plan p = plan_of_block(device, job);
    if (holds(&p, job)) return sort_in_block(device, job, &p, 0, UINT64_MAX);
    ww__sweeping sort = *job;
    sort.looks = true;
    if (job->count_at) { /* for few keys sweeps take longer than a block; each side sees whether it is to sort */
        sort.most_in_block = (uint64_t)p.threads * p.items;
        WW_TRY(sort_in_block(device, job, &p, 0, UINT64_MAX));
    }
    return ww__sweeps_gpu(device, &sort, NULL);
}
