/* The host side of shuffling on a GPU: a multisplit by the digits of each level, and a launch for the leaves. A level's buckets are
 * split by a key that has the bucket above and the digit below; which element a digit is of, and in which order elements are in
 * a bucket, is as on the CPU, since both are stable. */
#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/function.h"
#include "multisplit/multisplit.h"
#include "primitive/map/map.h"
#include "random/shuffle_arguments.cuh"
#include "random/sides.h"

enum { PLACE_BYTES = 6 }; /* of shared memory */
/* Places: so many more than a leaf has on the average that no bucket has more. On the emulator some have. */
static const struct {
    uint32_t threads,
        threads_of_few; /* of few leaves each has more threads: no more blocks than processors have room for */
    uint32_t places;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {512, 1024, 9216}, [WW__TILES_SMALL] = {64, 128, 6000}};

WW_STRUCT(digit_of, {
    uint32_t unwanted; /* bits of the byte below the digit */
    uint32_t bits;
});
/* Buckets are numbers as narrow as those of their level are. */
WW_MAP(digit_alone, uint8_t, uint8_t, byte, digit_of, d, { return (uint8_t)((uint32_t)byte >> d->unwanted); });
#define BELOW(T, N) \
    WW_MAP2(digit_below_##T, N, T, bucket, uint8_t, byte, digit_of, d, \
            { return (N)((uint32_t)bucket << d->bits | (uint32_t)byte >> d->unwanted); });
BELOW(uint8_t, uint16_t)
BELOW(uint16_t, uint32_t)
BELOW(uint32_t, uint32_t)

static ww_input buckets_of(unsigned level, const digit_of *digit, const ww_array *above, ww_input bytes) {
    switch (level) {
    case 0:
        return ww_mapped(ww_with(digit_alone, digit), bytes);
    case 1:
        return ww_mapped2(ww_with(digit_below_uint8_t, digit), ww_from(*above), bytes);
    case 2:
        return ww_mapped2(ww_with(digit_below_uint16_t, digit), ww_from(*above), bytes);
    default:
        return ww_mapped2(ww_with(digit_below_uint32_t, digit), ww_from(*above), bytes);
    }
}

WW_MAP_USES((ww_random_block, ww_philox), words_at, ww_random_block, uint64_t, block, random_source, s,
            { return ww_philox(s->seed, s->stream, block); });

typedef struct state {
    ww_device *device;
    const ww__shuffle_request *r;
    ww__shuffle_plan plan;
    ww_array digits, keys[2], values[2], offsets; /* keys and values: of even levels, and of odd ones */
} state;

/* Elements to the buckets of a level. */
static ww_status split(state *s, unsigned level, unsigned bits_so_far) {
    const unsigned bits = ww__shuffle_bits(s->plan, level);
    const digit_of digit = {WW__SHUFFLE_DIGIT - bits, bits};
    const ww__random_request fill = {.kind = WW__RANDOM_BITS,
                                     .source = s->r->own,
                                     .first_block = ww__first_block(WW__FOR_DIGITS + level),
                                     .out = &s->digits};
    WW_TRY(ww__random(s->device, &fill));
    static const ww_type *const types[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t};
    const ww_input bytes = ww_from(s->digits);
    ww_array *const buckets = &s->keys[level % 2];
    buckets->type = types[level < 2 ? level : 2];
    buckets->size = buckets->type->size;
    ww__splitting job = {.by = {.asked = &ww_by_number, .buckets = (uint64_t)1 << bits_so_far},
                         .keys = buckets_of(level, &digit, &s->keys[(level + 1) % 2], bytes),
                         .values = level ? ww_from(s->values[(level + 1) % 2]) : *s->r->in,
                         .keys_out = s->keys[level % 2], /* of this level's type */
                         .values_out = s->values[level % 2],
                         .offsets = level + 1 == s->plan.levels ? s->offsets : ww_none};
    job.by.map = ww__bucket_map(&ww_by_number, job.keys.type, job.keys.size);
    return ww__multisplit(s->device, &job);
}

static ww_status shuffle_leaves(const state *s, const ww_array *in) {
    const ww_array *out = s->r->out;
    const uint32_t tiles = s->device->gpu->driver->tiles;
    const bool few = (uint64_t)1 << s->plan.bits <= 2 * (uint64_t)s->device->gpu->driver->processors;
    const uint32_t threads = few ? tuning[tiles].threads_of_few : tuning[tiles].threads;
    const ww_function map = ww_bound(&words_at_ww, &s->r->own, 1, &random_source_ww);
    void *to;
    WW_TRY(ww__gpu_room(s->device, out->data, out->size, &to));
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "random/shuffle.cu");
    ww__recipe_number(&recipe, "WW_THREADS", threads);
    ww__recipe_number(&recipe, "WW_PLACES", tuning[tiles].places);
    ww__recipe_type(&recipe, "ww_item", &ww_type_record, out->size, to);
    ww__recipe_environment(&recipe, "ww_environment", &map);
    ww__recipe_function(&recipe, "ww_body", &map);
    ww__arguments a;
    const shuffle_fixed fixed = {.out = to,
                                 .in = in->data,
                                 .offsets = s->plan.levels ? s->offsets.data : NULL,
                                 .count = out->count,
                                 .draws = ww__first_block(WW__FOR_SWAPS),
                                 .again = ww__first_block(WW__FOR_SWAPS_AGAIN)};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_environment(s->device, &a, &map));
    WW_TRY(ww__gpu_launch(s->device, &recipe, "shuffle", (uint64_t)1 << s->plan.bits, threads,
                          tuning[tiles].places * PLACE_BYTES, &a));
    return ww__gpu_result(s->device, out->data, to, out->size);
}

ww_status ww__shuffle_gpu(ww_device *device, const ww__shuffle_request *r) {
    const uint64_t n = r->out->count;
    state s = {.device = device, .r = r, .plan = ww__shuffle_plan_of(r)};
    unsigned bits = 0;
    for (unsigned k = 0; k < 2 && k < (s.plan.levels ? s.plan.levels : 1); k++) {
        s.values[k] = *r->out;
        WW_TRY(ww__scratch_array(device, n, r->out->size, &s.values[k].data));
        if (!s.plan.levels) continue;
        s.keys[k] = ww_array((uint32_t *)NULL, n);
        WW_TRY(ww__scratch_array(device, n, sizeof(uint32_t), &s.keys[k].data));
    }
    if (!s.plan.levels) {
        WW_TRY(ww__map(device, &(ww__map_request){r->in, &s.values[0], NULL}));
        return shuffle_leaves(&s, &s.values[0]);
    }
    s.digits = ww_array((uint8_t *)NULL, n);
    WW_TRY(ww__scratch_array(device, n, 1, &s.digits.data));
    s.offsets = ww_array((uint64_t *)NULL, ((uint64_t)1 << s.plan.bits) + 1);
    WW_TRY(ww__scratch_array(device, s.offsets.count, sizeof(uint64_t), &s.offsets.data));
    for (unsigned level = 0; level < s.plan.levels; level++) {
        bits += ww__shuffle_bits(s.plan, level);
        const ww__scratch_mark mark = ww__scratch_here(device);
        WW_TRY(split(&s, level, bits));
        ww__scratch_back(device, &mark);
    }
    return shuffle_leaves(&s, &s.values[(s.plan.levels - 1) % 2]);
}
