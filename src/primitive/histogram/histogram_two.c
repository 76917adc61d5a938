/* ww_histogram_2d: each number's bin is searched among the edges of its side, and the two make the number of a cell, of which there is
 * one more for what lies outside. */
#include "device/call.h"
#include "function/function.h"
#include "primitive/histogram/histogram.h"
#include "primitive/search/search.h"
#include "warpwise/multisplit.h"

typedef unsigned long long ull;

/* Bins are counted from 1; 0 and those above the last lie outside. */
WW_STRUCT(cell_sides, { uint32_t across, down; });
WW_MAP2(cell_of_bins, uint32_t, uint32_t, x, uint32_t, y, cell_sides, s,
        { return x - 1 < s->across && y - 1 < s->down ? (x - 1) * s->down + (y - 1) : 0xffffffffu; });

static ww_status find_bins(ww_device *device, const ww_input *in, const ww_input *edges, uint32_t **bins) {
    WW_TRY(ww__scratch_array(device, in->count, sizeof **bins, bins));
    const ww_array out = ww_array(*bins, in->count);
    return ww__search(
        device,
        &(ww__search_request){
            .order = ww__order(NULL, in->type, in->size), .sorted = edges, .needles = in, .out = &out, .upper = true});
}

static ww_status check_side(ww_device *device, const char *name, const ww_input *in, const char *edges_name,
                            const ww_input *edges, const ww_array *counts, const ww_array *outside) {
    WW_TRY(ww__check_input(device, name, in));
    WW_CHECK(device, ww__number_index(in->type) >= 0, WW_TYPE, "%s has elements of type %s, which are no numbers", name,
             in->type->label);
    WW_TRY(ww__check_input(device, edges_name, edges));
    WW_TRY(ww__check_same_type(device, name, in->type, in->size, edges_name, edges->type, edges->size));
    WW_CHECK(device, edges->count >= 2 && edges->count - 1 <= WW__BINS_MOST, WW_INVALID,
             "%s has %llu elements; there can be 2 to %d", edges_name, (ull)edges->count, WW__BINS_MOST + 1);
    WW_TRY(ww__check_apart(device, name, in, "counts", counts, WW__APART));
    WW_TRY(ww__check_apart(device, name, in, "outside", outside, WW__APART));
    WW_TRY(ww__check_apart(device, edges_name, edges, "counts", counts, WW__APART));
    return ww__check_apart(device, edges_name, edges, "outside", outside, WW__APART);
}

static ww_status two(ww_device *device, const ww_input *x, const ww_input *y, const ww_input *x_edges,
                     const ww_input *y_edges, const ww_array *counts, const ww_array *outside) {
    uint32_t *across, *down;
    uint64_t *ignored;
    ww_array beyond = *outside;
    WW_TRY(ww__check_input(device, "x", x));
    WW_TRY(ww__check_counts(device, "counts", counts, x->count));
    if (!ww__is_none(outside)) {
        WW_TRY(ww__check_one(device, "outside", outside));
        WW_CHECK(device, outside->type == &ww_type_uint64_t, WW_TYPE, "outside is of type %s, not u64",
                 outside->type->label);
    }
    WW_TRY(check_side(device, "x", x, "x_edges", x_edges, counts, outside));
    WW_TRY(check_side(device, "y", y, "y_edges", y_edges, counts, outside));
    WW_TRY(ww__check_outputs_apart(device, "counts", counts, "outside", outside));
    WW_CHECK(device, x->count == y->count, WW_INVALID, "x has %llu elements, y %llu", (ull)x->count, (ull)y->count);
    const uint64_t bins = (x_edges->count - 1) * (y_edges->count - 1);
    WW_CHECK(device, bins <= WW__BINS_MOST && bins == counts->count, WW_INVALID,
             "counts has %llu bins; the edges make %llu times %llu, of %d at the most", (ull)counts->count,
             (ull)x_edges->count - 1, (ull)y_edges->count - 1, WW__BINS_MOST);
    WW_TRY(find_bins(device, x, x_edges, &across));
    WW_TRY(find_bins(device, y, y_edges, &down));
    if (ww__is_none(outside)) {
        WW_TRY(ww__scratch_array(device, 1, sizeof *ignored, &ignored));
        beyond = ww_array(ignored, 1);
    }
    const cell_sides sides = {(uint32_t)(x_edges->count - 1), (uint32_t)(y_edges->count - 1)};
    const ww_input cells = ww_mapped2(ww_with(cell_of_bins, &sides), ww_memory(across, x->count),
                                      ww_memory(down, x->count));
    return ww__histogram(device,
                         &(ww__histogram_request){.method = WW_HISTOGRAM_SHARED,
                                                  .in = &cells,
                                                  .counts = counts,
                                                  .outside = &beyond,
                                                  .bucket_of = ww__bucket_map(&ww_by_number, &ww_type_uint32_t, 4)});
}

ww_status ww_histogram_2d(ww_device *device, ww_input x, ww_input y, ww_input x_edges, ww_input y_edges,
                          ww_array counts, ww_array outside) {
    WW_CALL(device, "ww_histogram_2d", two(device, &x, &y, &x_edges, &y_edges, &counts, &outside), WW_READS(&x),
            WW_READS(&y), WW_READS(&x_edges), WW_READS(&y_edges), WW_WRITES(&counts));
}
