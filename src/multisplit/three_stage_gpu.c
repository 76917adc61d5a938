/* The methods direct, warp and block on a GPU: for each digit of the bucket's number, lowest first, count tiles, scan the
 * counts, place tiles. */
#include "device/gpu/batch.h"
#include "multisplit/multisplit_gpu.h"
#include "multisplit/three_stage_arguments.cuh"
#include "primitive/scan/scan.h"

enum { WARP = 32, DIGIT_BITS = 8, BINS_LEAST = 32 };

/* By method, as three_stage.cu names them. */
static const char *const count_tiles[] = {[WW_MULTISPLIT_DIRECT] = "direct_count_tiles",
                                          [WW_MULTISPLIT_WARP] = "warp_count_tiles",
                                          [WW_MULTISPLIT_BLOCK] = "block_count_tiles"};
static const char *const place_tiles[] = {[WW_MULTISPLIT_DIRECT] = "direct_place_tiles",
                                          [WW_MULTISPLIT_WARP] = "warp_place_tiles",
                                          [WW_MULTISPLIT_BLOCK] = "block_place_tiles"};

typedef struct stages {
    ww_device *device;
    const ww__sweeping *job;
    ww_multisplit_method method;
    uint32_t digits, width, bins;
    uint32_t ballots; /* one for each bit of a digit, or more */
    uint32_t threads, items;
    uint64_t tiles;
    const ww_type *position;
    void *counts;
} stages;

/* Elements of a thread. */
static const uint32_t items[WW__TILINGS] = {[WW__TILES_GPU] = 16, [WW__TILES_SMALL] = 2};

/* As Ashkiani (2017) has it: a warp is a block of its own, or a block of eight warps. */
static void plan(stages *t) {
    enum { BLOCK = 256, BYTES = 128 };
    const size_t bytes = t->job->key_size + t->job->value_size;
    t->threads = t->method == WW_MULTISPLIT_BLOCK ? BLOCK : WARP;
    t->items = items[t->device->gpu->driver->tiles];
    while (t->items > 1 && t->items * bytes > BYTES) t->items /= 2;
    t->tiles = ww__blocks(t->job->n, (uint64_t)t->threads * t->items);
}

static size_t shared_bytes(const stages *t) {
    enum { REST = 192 };
    const size_t tile = (size_t)t->threads * t->items;
    return ww__round_up(tile * (t->job->key_size + t->job->value_size + 1) +
                            t->threads / WARP * t->bins * sizeof(uint32_t) + t->bins * sizeof(uint64_t) +
                            t->job->key_size * (ww__shared_edges(t->job->by) + 1) + REST,
                        64);
}

static ww_status launch(const stages *t, const ww__sweeping *pass, uint32_t digit, const char *kernel) {
    const uint32_t before = digit * t->width, left = pass->bit_count > before ? pass->bit_count - before : 0;
    ww__recipe r;
    ww__recipe_begin(&r, "multisplit/three_stage.cu");
    ww__recipe_number(&r, "WW_THREADS", t->threads);
    ww__recipe_number(&r, "WW_ITEMS", t->items);
    ww__recipe_number(&r, "WW_BLOCKS", 1);
    ww__recipe_number(&r, "WW_GROUP", 1);
    ww__recipe_number(&r, "WW_WIDE", t->position->size == sizeof(uint64_t));
    ww__recipe_number(&r, "WW_VALUE", pass->value_size);
    ww__recipe_number(&r, "WW_COUNTED", pass->value_size && !pass->values);
    ww__recipe_number(&r, "WW_BALLOT", t->ballots);
    ww__recipe_number(&r, "WW_METHOD", t->method);
    ww__recipe_number(&r, "WW_REORDERED", t->method != WW_MULTISPLIT_DIRECT);
    ww__recipe_number(&r, "WW_KEY", pass->key_size);
    ww__recipe_number(&r, "WW_ORDER", 0);
    ww__recipe_number(&r, "WW_BINS", t->bins);
    ww__recipe_buckets(&r, pass->by, pass->keys);
    ww__arguments a;
    const three_stage_fixed fixed = {.keys = pass->keys,
                                     .keys_out = pass->keys_out,
                                     .values = pass->values,
                                     .values_out = pass->values_out,
                                     .counts = t->counts,
                                     .count = pass->n,
                                     .tiles = t->tiles,
                                     .first_value = pass->first_value,
                                     .low = pass->bit_first + before,
                                     .bits = left < t->width ? left : t->width,
                                     .first = pass->bit_first,
                                     .all_bits = pass->bit_count};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_buckets(t->device, &a, pass->by));
    return ww__gpu_launch(t->device, &r, kernel, t->tiles, t->threads, shared_bytes(t), &a);
}

static ww_status scan_counts(const stages *t, uint64_t counts) {
    const ww_array array = ww_array_of(t->counts, counts, t->position);
    const ww_input in = ww_from(array);
    const ww__scanning s = {
        .op = ww__operator(&ww_add, t->position, t->position->size), .in = &in, .out = &array, .exclusive = true};
    return ww__scan(t->device, &s);
}

static ww_status one_digit(const stages *t, const ww__sweeping *pass, uint32_t digit) {
    const uint32_t before = digit * t->width, left = pass->bit_count > before ? pass->bit_count - before : 0;
    WW_TRY(launch(t, pass, digit, count_tiles[t->method]));
    WW_TRY(scan_counts(t, t->tiles << (left < t->width ? left : t->width)));
    return launch(t, pass, digit, place_tiles[t->method]);
}

ww_status ww__three_stages_gpu(ww_device *device, const ww__sweeping *job, ww_multisplit_method method) {
    stages t = {.device = device, .job = job, .method = method};
    void *keys = NULL, *values = NULL;
    uint64_t counts;
    t.digits = (job->bit_count + DIGIT_BITS - 1) / DIGIT_BITS;
    if (!t.digits) t.digits = 1;
    t.width = (job->bit_count + t.digits - 1) / t.digits;
    t.bins = BINS_LEAST;
    while (t.bins < 1u << t.width) t.bins *= 2;
    t.ballots = t.width ? t.width : 1;
    if (!ww__gpu_compiles(device)) { /* one program for digits of any width */
        t.ballots = DIGIT_BITS;
        t.bins = 1u << DIGIT_BITS;
    }
    t.position = job->n <= UINT32_MAX / 2 ? &ww_type_uint32_t : &ww_type_uint64_t;
    plan(&t);
    WW_CHECK(device, !__builtin_mul_overflow(t.tiles, (uint64_t)1 << t.width, &counts), WW_LIMIT,
             "%llu keys are more than this method splits", (unsigned long long)job->n);
    WW_TRY(ww__scratch_array(device, counts, t.position->size, &t.counts));
    if (t.digits > 1) {
        WW_TRY(ww__scratch_array(device, job->n, job->key_size, &keys));
        if (job->value_size) WW_TRY(ww__scratch_array(device, job->n, job->value_size, &values));
    }
    ww__sweeping pass = *job;
    for (uint32_t d = 0; d < t.digits; d++) {
        const bool to_output = (t.digits - d) % 2;
        pass.keys_out = to_output ? job->keys_out : keys;
        pass.values_out = to_output ? job->values_out : values;
        WW_TRY(one_digit(&t, &pass, d));
        pass.keys = pass.keys_out;
        pass.values = pass.values_out;
    }
    return WW_OK;
}
