/* ww_histogram_even, ww_histogram_edges, ww_histogram: the checks, how elements become bins, and the choice of the
 * backend. */
#include "primitive/histogram/histogram.h"

#include "device/call.h"
#include "device/checks.h"
#include "device/options.h"
#include "function/function.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

static ww_status check_outputs(ww_device *device, const ww_input *in, const ww_array *counts, const ww_array *outside) {
    WW_TRY(ww__check_counts(device, "counts", counts, in->count));
    WW_CHECK(device, counts->count >= 1 && counts->count <= WW__BINS_MOST, WW_INVALID,
             "counts has %llu bins; there can be 1 to %d", (ull)counts->count, WW__BINS_MOST);
    WW_TRY(ww__check_apart(device, "in", in, "counts", counts, WW__APART));
    if (ww__is_none(outside)) return WW_OK;
    WW_TRY(ww__check_one(device, "outside", outside));
    WW_CHECK(device, outside->type == &ww_type_uint64_t, WW_TYPE, "outside is of type %s, not u64",
             outside->type->label);
    WW_TRY(ww__check_apart(device, "in", in, "outside", outside, WW__APART));
    return ww__check_outputs_apart(device, "counts", counts, "outside", outside);
}

/* auto is the shared counters. */
static ww_status check_options(ww_device *device, const ww_array *counts, const ww_histogram_options *options,
                               ww_histogram_method *method) {
    ww_histogram_options o;
    WW_TRY(ww__take_options(device, options, "WW_HISTOGRAM_OPTIONS", &o, offsetof(ww_histogram_options, reserved)));
    WW_CHECK(device, o.method <= WW_HISTOGRAM_WARP, WW_INVALID, "options.method is %d, which is no ww_histogram_method",
             (int)o.method);
    WW_CHECK(device, o.method != WW_HISTOGRAM_WARP || counts->count <= WW__WARP_BINS_MOST, WW_LIMIT,
             "counts has %llu bins; the method warp counts up to %d", (ull)counts->count, WW__WARP_BINS_MOST);
    *method = o.method ? (ww_histogram_method)o.method : WW_HISTOGRAM_SHARED;
    return WW_OK;
}

static ww_status check_numbers(ww_device *device, const ww_input *in) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_CHECK(device, ww__number_index(in->type) >= 0, WW_TYPE, "in has elements of type %s, which are no numbers",
             in->type->label);
    return WW_OK;
}

static ww_status even(ww_device *device, const ww_input *in, const ww_value *low, const ww_value *high,
                      const ww_array *counts, const ww_array *outside, const ww_histogram_options *options) {
    ww__even plan;
    ww__binning binning;
    ww__fault fault;
    ww_histogram_method method = WW_HISTOGRAM_AUTO;
    WW_TRY(check_numbers(device, in));
    WW_TRY(ww__check_value(device, "low", low, in->type, in->size));
    WW_TRY(ww__check_value(device, "high", high, in->type, in->size));
    WW_TRY(check_outputs(device, in, counts, outside));
    WW_TRY(check_options(device, counts, options, &method));
    WW_TRY(ww__even_plan(device, in->type, ww__value_at(low), ww__value_at(high), counts->count, &plan, &binning));
    if (device->backend == WW__BACKEND_GPU) return ww__histogram_even_gpu(device, method, in, &plan, counts, outside);
    return ww__histogram_cpu(device, method, in, &binning, counts, outside, &fault);
}

static ww_status between_edges(ww_device *device, const ww_input *in, const ww_input *edges, const ww_array *counts,
                               const ww_array *outside, const ww_histogram_options *options) {
    ww__edges plan;
    ww__binning binning;
    ww__fault fault;
    ww_histogram_method method = WW_HISTOGRAM_AUTO;
    const void *memory;
    WW_TRY(check_numbers(device, in));
    WW_TRY(ww__check_input(device, "edges", edges));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "edges", edges->type, edges->size));
    WW_TRY(check_outputs(device, in, counts, outside));
    WW_TRY(check_options(device, counts, options, &method));
    WW_CHECK(device, edges->count == counts->count + 1, WW_INVALID, "there are %llu edges for %llu bins, not %llu",
             (ull)edges->count, (ull)counts->count, (ull)counts->count + 1);
    WW_TRY(ww__check_apart(device, "edges", edges, "counts", counts, WW__APART));
    WW_TRY(ww__check_apart(device, "edges", edges, "outside", outside, WW__APART));
    if (device->backend == WW__BACKEND_GPU) return ww__histogram_edges_gpu(device, method, in, edges, counts, outside);
    WW_TRY(ww__input_in_memory(device, edges, &memory));
    WW_TRY(ww__edges_plan(device, in->type, memory, counts->count, &plan, &binning));
    return ww__histogram_cpu(device, method, in, &binning, counts, outside, &fault);
}

/* A caller's map and its environment, as a ww__bin_loop. */
typedef struct mapping {
    const ww_map_loops *loops;
    const void *environment;
} mapping;

static void bins_by_map(const void *plan, uint32_t *bins, const void *x, size_t n) {
    const mapping *m = plan;
    m->loops->number(bins, x, NULL, m->environment, n);
}

static ww_status by_function(ww_device *device, const ww_function *bucket_of, const ww_input *in,
                             const ww_array *counts, const ww_array *outside, const ww_histogram_options *options) {
    ww__fault fault;
    ww_histogram_method method = WW_HISTOGRAM_AUTO;
    ww__fault_clear(&fault);
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_map(device, bucket_of, in->type, in->size, NULL, 0, true));
    WW_TRY(ww__try_map(device, bucket_of, in));
    WW_TRY(check_outputs(device, in, counts, outside));
    WW_TRY(ww__check_environment_apart(device, bucket_of, "counts", counts));
    WW_TRY(ww__check_environment_apart(device, bucket_of, "outside", outside));
    WW_TRY(check_options(device, counts, options, &method));
    if (device->backend == WW__BACKEND_GPU) return ww__histogram_gpu(device, method, bucket_of, in, counts, outside);
    const mapping m = {ww__loops(device, bucket_of), bucket_of->bound};
    const ww__binning binning = {bins_by_map, &m, "map", bucket_of, false, ww__is_none(outside)};
    WW_TRY(ww__histogram_cpu(device, method, in, &binning, counts, outside, &fault));
    WW_CHECK(device, fault.position == UINT64_MAX, WW_RANGE, "in[%llu]: %s gives no bucket below %llu",
             (ull)fault.position, bucket_of->name, (ull)counts->count);
    return WW_OK;
}

ww_status ww_histogram_even(ww_device *device, ww_input in, ww_value low, ww_value high, ww_array counts,
                            ww_array outside, const ww_histogram_options *options) {
    WW_CALL(device, "ww_histogram_even", even(device, &in, &low, &high, &counts, &outside, options), WW_READS(&in),
            WW_WRITES(&counts));
}

ww_status ww_histogram_edges(ww_device *device, ww_input in, ww_input edges, ww_array counts, ww_array outside,
                             const ww_histogram_options *options) {
    WW_CALL(device, "ww_histogram_edges", between_edges(device, &in, &edges, &counts, &outside, options), WW_READS(&in),
            WW_READS(&edges), WW_WRITES(&counts));
}

ww_status ww_histogram(ww_device *device, const ww_function *bucket_of, ww_input in, ww_array counts, ww_array outside,
                       const ww_histogram_options *options) {
    WW_CALL(device, "ww_histogram", by_function(device, bucket_of, &in, &counts, &outside, options),
            WW_USES(&bucket_of), WW_READS(&in), WW_WRITES(&counts));
}
