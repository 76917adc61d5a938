/* The host side of expanding on a GPU: a scan of the counts, whose last element is the total, and one launch. Where the total
 * goes to memory that kernels reach, nothing waits: the launch is as large as the room, and finds by itself what there is. */
#include "device/call.h"
#include "device/gpu/batch.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/expand/expand_arguments.cuh"
#include "primitive/expand/negative_arguments.cuh"
#include "primitive/expand/sides.h"
#include "primitive/scan/scan.h"

enum { ELEMENT_MOST = 1024, ITEMS = 4, ITEM_MOST = 16, ALIGNED = 16, WALK = 8 };

static const struct {
    uint32_t threads, rows;
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {256, 4}, [WW__TILES_SMALL] = {64, 2}};

WW_MAP(widened_u8, uint64_t, uint8_t, x, void, none, { return x; });
WW_MAP(widened_u16, uint64_t, uint16_t, x, void, none, { return x; });
WW_MAP(widened_u32, uint64_t, uint32_t, x, void, none, { return x; });
/* Negative counts, which are reported, make the sum the largest number, so that nothing is written. */
WW_MAP(widened_i8, uint64_t, int8_t, x, void, none, { return x < 0 ? (uint64_t)-1 : (uint64_t)x; });
WW_MAP(widened_i16, uint64_t, int16_t, x, void, none, { return x < 0 ? (uint64_t)-1 : (uint64_t)x; });
WW_MAP(widened_i32, uint64_t, int32_t, x, void, none, { return x < 0 ? (uint64_t)-1 : (uint64_t)x; });
WW_MAP(widened_i64, uint64_t, int64_t, x, void, none, { return x < 0 ? (uint64_t)-1 : (uint64_t)x; });

/* Sums that stay at the largest number once they reach it. */
WW_COMBINE(add_saturating, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(0), {
    uint64_t sum = a + b;
    return sum < a ? (uint64_t)-1 : sum;
});

static ww_input widened(const ww_input *counts) {
    const bool is_signed = ww__expand_signed(counts);
    switch (counts->size) {
    case 1:
        return ww_mapped(is_signed ? &widened_i8_ww : &widened_u8_ww, *counts);
    case 2:
        return ww_mapped(is_signed ? &widened_i16_ww : &widened_u16_ww, *counts);
    case 4:
        return ww_mapped(is_signed ? &widened_i32_ww : &widened_u32_ww, *counts);
    }
    return is_signed ? ww_mapped(&widened_i64_ww, *counts) : *counts;
}

static ww_status say_offset(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    return ww__say_offset(device, call->name, position, value);
}

static ww_status say_count(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    (void)call;
    return ww__say_count(device, position, value);
}

static bool aligned(const ww_array *a) { return (uintptr_t)a->data % ALIGNED == 0; }

static void recipe_output(ww__recipe *r, const char *wanted, const char *name, const ww_array *array) {
    const bool there = !ww__is_none(array);
    ww__recipe_number(r, wanted, there);
    ww__recipe_moved_type(r, name, there ? array->type : &ww_type_uint32_t, there ? array->size : 4,
                          there ? array->data : NULL);
}

/* An output of one element may lie in the host's memory. */
static ww_status room_of(ww_device *device, const ww_array *out, void **to) {
    *to = out->data;
    return !ww__is_none(out) && out->count == 1 ? ww__gpu_room_kept(device, out, to) : WW_OK;
}

static ww_status give_back(ww_device *device, const ww_array *out, const void *from) {
    return from == out->data ? WW_OK : ww__gpu_result(device, out->data, from, out->size);
}

static ww_status fill(ww_device *device, const ww__expand_request *r, const ww_input *offsets, uint64_t places,
                      const uint64_t *count_at) {
    const bool with_in = !ww__is_none(r->out);
    const bool vectors = aligned(r->out) && aligned(r->source) && aligned(r->rank);
    const ww__tiles t = device->gpu->driver->tiles;
    const ww__tiling p = {.threads = tuning[t].threads,
                          .rows = tuning[t].rows,
                          .items = vectors && r->out->size <= ITEM_MOST ? ITEMS : 1,
                          .vectors = vectors};
    void *out, *source, *rank;
    WW_CHECK(device, r->out->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are expanded on a CPU only; a GPU takes up to %d", r->out->size, ELEMENT_MOST);
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "primitive/expand/expand.cu");
    ww__recipe_tiling(&recipe, &p);
    ww__recipe_number(&recipe, "WW_WALK", WALK);
    ww__recipe_number(&recipe, "WW_WHOLE", r->counts != NULL);
    ww__recipe_number(&recipe, "WW_WIDE", offsets->count > UINT32_MAX);
    recipe_output(&recipe, "WW_OUT", "ww_item", r->out);
    recipe_output(&recipe, "WW_SOURCE", "ww_source", r->source);
    recipe_output(&recipe, "WW_RANK", "ww_rank", r->rank);
    if (with_in) ww__recipe_moved_input(&recipe, "in", r->in);
    ww__recipe_index(&recipe, "offsets", offsets, !ww__gpu_compiles(device));
    ww__recipe_counted(&recipe, count_at);
    WW_TRY(room_of(device, r->out, &out));
    WW_TRY(room_of(device, r->source, &source));
    WW_TRY(room_of(device, r->rank, &rank));
    ww__arguments a;
    ww__gpu_checking checking = {NULL, 0};
    if (r->offsets) WW_TRY(ww__gpu_checking_begin(device, say_offset, offsets->type->label, 0, &checking));
    const expand_fixed fixed = {.out = out,
                                .source = source,
                                .rank = rank,
                                .parents = offsets->count - 1,
                                .room = r->room,
                                .count_at = count_at,
                                .checking = checking};
    WW__ARGUMENTS(&a, fixed);
    if (with_in) WW_TRY(ww__argument_input(device, &a, r->in));
    WW_TRY(ww__argument_input(device, &a, offsets));
    WW_TRY(ww__gpu_launch(device, &recipe, "expand", ww__blocks(places, ww__tiling_elements(&p)), p.threads, 0, &a));
    WW_TRY(give_back(device, r->out, out));
    WW_TRY(give_back(device, r->source, source));
    return give_back(device, r->rank, rank);
}

/* Queues a look at counts of a signed type. */
static ww_status look_for_negative(ww_device *device, const ww_input *counts, const uint64_t *count_at) {
    enum { THREADS = 256 };
    ww__gpu_checking checking;
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/expand/negative.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_input(&r, "counts", counts);
    ww__recipe_counted(&r, count_at);
    WW_TRY(ww__gpu_checking_begin(device, say_count, NULL, 0, &checking));
    ww__arguments a;
    const negative_fixed fixed = {.count = counts->count, .count_at = count_at, .checking = checking};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, counts));
    return ww__gpu_launch(device, &r, "negative", ww__blocks(counts->count, THREADS), THREADS, 0, &a);
}

/* The counts' offsets, and behind them their total. */
static ww_status scan(ww_device *device, const ww_input *counts, uint64_t *offsets) {
    const ww_input wide = widened(counts);
    const ww_array out = ww_array(offsets, counts->count);
    if (wide.problem) return ww__input_problem(device, "counts", &wide);
    return ww__scan(device, &(ww__scanning){.op = &add_saturating_ww,
                                            .in = &wide,
                                            .out = &out,
                                            .total = offsets + counts->count,
                                            .exclusive = true,
                                            .behind = true,
                                            .method = WW_SCAN_AUTO});
}

ww_status ww__expand_gpu(ww_device *device, const ww__expand_request *r, uint64_t *total) {
    uint64_t *offsets, places = r->room;
    void *reached;
    if (r->offsets) return fill(device, r, r->offsets, places, NULL);
    const uint64_t n = r->counts->count, *count_at = ww__take_count(device, r->counts);
    WW_TRY(ww__scratch_array(device, n + 1, sizeof *offsets, &offsets));
    if (ww__expand_signed(r->counts)) WW_TRY(look_for_negative(device, r->counts, count_at));
    WW_TRY(scan(device, r->counts, offsets));
    WW_TRY(ww__gpu_room(device, r->total->data, sizeof *total, &reached));
    WW_TRY(ww__gpu_copy(device, r->total->data, offsets + n, sizeof *total));
    if (reached != r->total->data && !device->on_paper) {
        if (ww__expand_signed(r->counts)) WW_TRY(ww__gpu_look(device));
        *total = *(const uint64_t *)r->total->data;
        places = *total <= r->room ? *total : 0;
    }
    const ww_input found = ww_memory(offsets, n + 1);
    return places && ww__expand_writes(r) ? fill(device, r, &found, places, count_at) : WW_OK;
}
