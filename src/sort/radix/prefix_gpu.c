/* The radix sort of many wide keys on a GPU: by some of their highest digits, and what these leave on chip. So elements go through
 * memory three times or a few more, instead of once for each digit. How many digits are enough the GPU alone knows, from a sample; if
 * nearly all are needed, the sweeps over all digits run, and nothing is left. */
#include "device/gpu/batch.h"
#include "sort/radix/prefix_arguments.cuh"
#include "sort/radix/sort_keys_gpu.h"
#include "sort/segments/segments_gpu.h"

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
    enum { BITS_MOST = 24 }; /* of three digits, which are swept sooner */
    const ww__driver *driver = device->gpu->driver;
    return job->key_size >= 8 && job->bit_count > BITS_MOST && job->n >= tuning[driver->tiles].least >> driver->sooner;
}

/* Parts that are cut at equal distances, of so many keys that a block has something to do, and with a bucket more they still go on chip.
 * (An H100, 2^26 and 2^27 keys of 8 bytes: 1,024 to 3,072 apart take the same time to 0.02.) */
typedef struct parts {
    uint64_t cuts, apart, bounds;
} parts;

static parts parts_of(const ww__sweeping *job, const ww__swept *swept) {
    enum { OF_BUCKET = 4 };
    const uint64_t most = swept->most_in_bucket, buckets = (uint64_t)1 << swept->prefix_bits;
    parts p = {.apart = most / OF_BUCKET};
    p.cuts = ww__blocks(job->n, p.apart);
    p.bounds = (2 * p.cuts > buckets ? 2 * p.cuts : buckets) + 1;
    return p;
}

static ww_status find_bounds(ww_device *device, const ww__sweeping *job, const ww__swept *swept, const parts *p,
                             uint64_t *offsets) {
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
                                    .cuts = p->cuts,
                                    .apart = p->apart,
                                    .room = p->bounds,
                                    .two_digits = swept->prefix_bits,
                                    .first = job->bit_first,
                                    .bits = job->bit_count,
                                    .order = ww__sweeping_order(job)};
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch_early(device, &r, "find_bounds", ww__blocks(p->bounds, THREADS), THREADS, 0, &a);
}

ww_status ww__prefix_sort_gpu(ww_device *device, const ww__sweeping *job) {
    ww__swept swept = {.most_in_bucket = most_in_bucket(device, job)};
    uint64_t *offsets;
    WW_TRY(ww__sweeps_gpu(device, job, &swept));
    const parts p = parts_of(job, &swept);
    WW_TRY(ww__scratch_array(device, p.bounds, sizeof *offsets, &offsets));
    WW_TRY(find_bounds(device, job, &swept, &p, offsets));
    const ww_input at = ww_memory_of(offsets, p.bounds, &ww_type_uint64_t);
    ww__sweeping rest = *job;
    rest.keys = rest.keys_out;
    rest.values = rest.values_out;
    return ww__sort_segments_gpu(device, &rest, &at, swept.keys, swept.values);
}
