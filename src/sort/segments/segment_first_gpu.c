/* The host side of segment_first.cu. */
#include "device/gpu/batch.h"
#include "function/check.h"
#include "sort/order.h"
#include "sort/radix/sort_keys_gpu.h"
#include "sort/segments/segment_first_arguments.cuh"
#include "sort/segments/segments_gpu.h"
#include "sort/sides.h"

typedef unsigned long long ull;

enum { WARP = 32 };

/* most: a block that has a segment of all of so many elements takes no longer than sorting them did. */
static const struct tuning {
    uint32_t threads, threads_long; /* long: where warps do not hold the average segment */
    uint32_t items, held;           /* items: of a thread, of segments that warps sort; held: blocks of a processor */
    uint64_t most;                  /* elements of all segments */
} tunings[WW__TILINGS] = {[WW__TILES_GPU] = {256, 1024, 8, 8, 1 << 20}, [WW__TILES_SMALL] = {64, 128, 2, 1, 5000}};

static ww_status say_offset(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    if (value > call->limit)
        return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, and there are %llu keys", (ull)position,
                        ww__number_said(call->name, value).text, (ull)call->limit);
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %llu, below the one before it", (ull)position, (ull)value);
}

static void make_recipe(const ww_device *device, const struct tuning *t, uint32_t threads, const ww__sorting *s,
                        const ww_input *offsets, ww__recipe *r) {
    enum { BINS = 256 };
    ww__recipe_begin(r, "sort/segments/segment_first.cu");
    ww__recipe_number(r, "WW_THREADS", threads);
    ww__recipe_number(r, "WW_TEAM", WARP);
    ww__recipe_number(r, "WW_ITEMS", t->items);
    ww__recipe_number(r, "WW_TAGGED", s->values.steps != 0);
    ww__recipe_number(r, "WW_VALUE", s->values.steps ? s->values.size : 0);
    ww__recipe_digits(device, r, s->keys.size, WW_KEY_ORDER(ww__key_kind_of(s), s->descending), BINS);
    ww__recipe_index(r, "offsets", offsets, !ww__gpu_compiles(device));
}

static bool suits(const struct tuning *t, const ww__sorting *s, uint64_t each) {
    if (s->keys.count < 2 || s->keys.count > t->most || each > t->items * WARP) return false;
    if (s->bit_count < 8 * s->keys.size || !ww__input_memory(&s->keys)) return false;
    return !s->values.steps || (ww__input_memory(&s->values) && ww__values_move(s));
}

ww_status ww__first_of_segments_gpu(ww_device *device, const ww__sorting *s, const ww_input *offsets, uint64_t first,
                                    uint64_t each, bool *done) {
    const struct tuning *const t = &tunings[device->gpu->driver->tiles];
    const uint64_t segments = offsets->count - 1;
    ww__recipe r;
    *done = suits(t, s, each);
    if (!*done) return WW_OK;
    const bool is_short = s->keys.count / segments <= t->items * WARP;
    const uint32_t threads = is_short ? t->threads : t->threads_long;
    make_recipe(device, t, threads, s, offsets, &r);
    *done = ww__gpu_has(device, &r);
    if (!*done) return WW_OK;
    segment_first_fixed fixed = {.keys = ww__input_memory(&s->keys),
                                 .values = s->values.steps ? ww__input_memory(&s->values) : NULL,
                                 .count = s->keys.count,
                                 .segments = segments,
                                 .first = (uint32_t)ww__min_u64(first, INT32_MAX),
                                 .each = (uint32_t)each,
                                 .group = is_short ? threads / WARP : 1,
                                 .order = WW_KEY_ORDER(ww__key_kind_of(s), s->descending)};
    void *keys_out, *values_out = NULL;
    WW_TRY(ww__gpu_room_kept(device, &s->keys_out, &keys_out));
    if (s->values.steps) WW_TRY(ww__gpu_room_kept(device, &s->values_out, &values_out));
    fixed.keys_out = keys_out;
    fixed.values_out = values_out;
    WW_TRY(ww__gpu_checking_begin(device, say_offset, offsets->type->label, s->keys.count, &fixed.checking));
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, offsets));
    WW_TRY(ww__gpu_launch(
        device, &r, "first_of_segments",
        ww__min_u64(ww__blocks(segments, fixed.group), (uint64_t)device->gpu->driver->processors * t->held), threads, 0,
        &a));
    WW_TRY(ww__gpu_result(device, s->keys_out.data, keys_out, s->keys_out.size));
    return s->values.steps ? ww__gpu_result(device, s->values_out.data, values_out, s->values_out.size) : WW_OK;
}
