/* The radix sort of many wide keys on a GPU: by their two highest digits, and each of the buckets that these make on chip. So
 * elements go through memory three times instead of once for each digit. Whether keys are spread well enough over the two
 * digits the GPU alone knows; if not, the sweeps over all digits run, and buckets are empty. */
#include "sort/radix/prefix_arguments.cuh"
#include "sort/segments/segments_gpu.h"
#include "sort/radix/sort_keys_gpu.h"

/* Measured on an H100: a bucket of up to 8192 keys of 8 bytes is sorted by digits on chip. */
static const struct {
    uint64_t least;                      /* keys, from so many on */
    uint64_t bucket_bytes, bucket_items; /* of the largest bucket for which that pays, whichever is less */
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {1 << 22, 48 << 10, UINT64_MAX}, [WW__TILES_SMALL] = {2000, 48 << 10, 200}};

static uint64_t most_in_bucket(ww_device *device, const ww__sweeping *job) {
    const ww__tiles t = device->gpu->driver->tiles;
    return ww__min_u64(tuning[t].bucket_bytes / job->key_size, tuning[t].bucket_items);
}

bool ww__sorts_by_prefix(const ww_device *device, const ww__sweeping *job) {
    const ww__driver *driver = device->gpu->driver;
    return job->key_size >= 8 && job->n >= tuning[driver->tiles].least >> driver->sooner;
}

static ww_status find_bounds(ww_device *device, const ww__sweeping *job, const ww__swept *swept, uint64_t *offsets) {
    enum { THREADS = 256, BINS = 256 };
    ww__recipe r;
    ww__recipe_begin(&r, "sort/radix/prefix_bounds.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_digits(device, &r, job->key_size, ww__sweeping_order(job), BINS);
    ww__arguments a;
    const bounds_arguments fixed = {.keys = job->keys_out,
                                    .offsets = offsets,
                                    .prefix = swept->prefix,
                                    .count = job->n,
                                    .bits = swept->prefix_bits,
                                    .order = ww__sweeping_order(job)};
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch(device, &r, "find_bounds", ((uint64_t)1 << swept->prefix_bits) / THREADS + 1, THREADS, 0, &a);
}

ww_status ww__prefix_sort_gpu(ww_device *device, const ww__sweeping *job) {
    ww__swept swept = {.most_in_bucket = most_in_bucket(device, job)};
    uint64_t *offsets;
    WW_TRY(ww__sweeps_gpu(device, job, &swept));
    const uint64_t bounds = ((uint64_t)1 << swept.prefix_bits) + 1;
    WW_TRY(ww__scratch_array(device, bounds, sizeof *offsets, &offsets));
    WW_TRY(find_bounds(device, job, &swept, offsets));
    const ww_input at = ww_memory_of(offsets, bounds, &ww_type_uint64_t);
    ww__sweeping rest = *job;
    rest.keys = rest.keys_out;
    rest.values = rest.values_out;
    return ww__sort_segments_gpu(device, &rest, &at, swept.keys, swept.values);
}
