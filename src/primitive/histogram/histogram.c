/* ww_histogram_even, ww_histogram_edges, ww_histogram, ww_bincount: the checks, how elements become bins, and the choice of the
 * backend. */
#include "primitive/histogram/sides.h"

#include "device/call.h"
#include "device/checks.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "function/function.h"
#include "function/types.h"
#include "primitive/map/map.h"
#include "warpwise/multisplit.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* ---- the inner interface ---- */

/* A caller's map and its environment, as a ww__bin_loop. */
typedef struct mapping {
    const ww_map_loops *loops;
    const void *environment;
} mapping;

static void bins_by_map(const void *plan, uint32_t *bins, const void *x, size_t n) {
    const mapping *m = plan;
    m->loops->number(bins, x, NULL, m->environment, n);
}

static ww_status by_edges_cpu(ww_device *device, const ww__histogram_request *r, ww__fault *fault) {
    ww__edges plan;
    ww__binning binning;
    const void *memory;
    WW_TRY(ww__input_in_memory(device, r->edges, &memory));
    WW_TRY(ww__edges_plan(device, r->in->type, memory, r->counts->count, &plan, &binning));
    return ww__histogram_cpu(device, r->method, r->in, &binning, r->counts, r->outside, fault);
}

static ww_status by_map_cpu(ww_device *device, const ww__histogram_request *r, ww__fault *fault) {
    const mapping m = {ww__loops(device, r->bucket_of), r->bucket_of->bound};
    const bool numbered = r->in->size == sizeof(uint32_t) &&
                          r->bucket_of == ww__bucket_map(&ww_by_number, r->in->type, r->in->size);
    const ww__binning binning = {bins_by_map, &m, "map", r->bucket_of, false, ww__is_none(r->outside), numbered};
    WW_TRY(ww__histogram_cpu(device, r->method, r->in, &binning, r->counts, r->outside, fault));
    WW_CHECK(device, fault->position == UINT64_MAX, WW_RANGE, "in[%llu]: %s gives no bucket below %llu",
             (ull)fault->position, r->bucket_of->name, (ull)r->counts->count);
    return WW_OK;
}

static ww_status run_gpu(ww_device *device, const ww__histogram_request *r) {
    if (r->even) return ww__histogram_even_gpu(device, r->method, r->in, r->even, r->counts, r->outside);
    if (r->edges) return ww__histogram_edges_gpu(device, r->method, r->in, r->edges, r->counts, r->outside);
    return ww__histogram_gpu(device, r->method, r->bucket_of, r->in, r->counts, r->outside);
}

static ww_status count(ww_device *device, const ww__histogram_request *r) {
    ww__fault fault;
    if (device->backend == WW__BACKEND_GPU) return run_gpu(device, r);
    ww__fault_clear(&fault);
    if (r->edges) return by_edges_cpu(device, r, &fault);
    if (r->bucket_of) return by_map_cpu(device, r, &fault);
    return ww__histogram_cpu(device, r->method, r->in, r->binning, r->counts, r->outside, &fault);
}

WW_MAP2(plus_u32, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });
WW_MAP2(plus_u64, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a + b; });

/* Counted aside, and added. The counts of one bin may lie where kernels do not reach. */
static ww_status count_more(ww_device *device, const ww__histogram_request *r) {
    ww__histogram_request aside = *r;
    ww_array new = *r->counts, sums = *r->counts;
    WW_TRY(ww__scratch_array(device, new.count, new.size, &new.data));
    aside.counts = &new;
    WW_TRY(count(device, &aside));
    if (device->backend == WW__BACKEND_GPU) WW_TRY(ww__gpu_room_kept(device, r->counts, &sums.data));
    const ww_input both = ww_mapped2(new.type == &ww_type_uint64_t ? &plus_u64_ww : &plus_u32_ww, ww_from(sums),
                                     ww_from(new));
    WW_TRY(ww__map(device, &(ww__map_request){&both, &sums, NULL}));
    return device->backend == WW__BACKEND_GPU ? ww__gpu_result(device, r->counts->data, sums.data, sums.size) : WW_OK;
}

ww_status ww__histogram(ww_device *device, const ww__histogram_request *r) {
    return r->accumulate ? count_more(device, r) : count(device, r);
}

/* ---- the public functions: enter, check, the request, leave ---- */

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
                               ww__histogram_request *r) {
    ww_histogram_options o;
    WW_TRY(ww__take_options(device, options, "WW_HISTOGRAM_OPTIONS", &o, sizeof o));
    WW_CHECK(device, o.method <= WW_HISTOGRAM_WARP, WW_INVALID,
             "options.method is %d, which is not a ww_histogram_method", (int)o.method);
    WW_CHECK(device, o.method != WW_HISTOGRAM_WARP || counts->count <= WW__WARP_BINS_MOST, WW_LIMIT,
             "counts has %llu bins; the method warp counts up to %d", (ull)counts->count, WW__WARP_BINS_MOST);
    WW_CHECK(device, o.accumulate <= 1, WW_INVALID, "options.accumulate is %u, and has to be 0 or 1", o.accumulate);
    r->method = o.method ? (ww_histogram_method)o.method : WW_HISTOGRAM_SHARED;
    r->accumulate = o.accumulate;
    return WW_OK;
}

static ww_status check_numbers(ww_device *device, const ww_input *in) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_CHECK(device, ww__number_index(in->type) >= 0, WW_TYPE, "in has elements of type %s, which are not numbers",
             in->type->label);
    return WW_OK;
}

/* f16 and bf16 lie between the same edges as the floats that they are read as. */
static const void *widen_value(const ww_device *device, const ww_value *value, float *wide) {
    if (!ww__is_half(value->type)) return ww__value_at(value);
    ww__widen(device, wide, value->type, ww__value_at(value), 1);
    return wide;
}

static ww_status even(ww_device *device, const ww_input *in, const ww_value *low, const ww_value *high,
                      const ww_array *counts, const ww_array *outside, const ww_histogram_options *options) {
    ww__even plan;
    ww__binning binning;
    ww_input wide;
    float least, most;
    ww__histogram_request r = {.in = &wide, .counts = counts, .outside = outside, .even = &plan, .binning = &binning};
    WW_TRY(check_numbers(device, in));
    WW_TRY(ww__check_value(device, "low", low, in->type, in->size));
    WW_TRY(ww__check_value(device, "high", high, in->type, in->size));
    WW_TRY(check_outputs(device, in, counts, outside));
    WW_TRY(check_options(device, counts, options, &r));
    WW_TRY(ww__widened(device, "in", in, &wide));
    WW_TRY(ww__even_plan(device, wide.type, widen_value(device, low, &least), widen_value(device, high, &most),
                         counts->count, &plan, &binning));
    return ww__histogram(device, &r);
}

static ww_status between_edges(ww_device *device, const ww_input *in, const ww_input *edges, const ww_array *counts,
                               const ww_array *outside, const ww_histogram_options *options) {
    ww_input wide, wide_edges;
    ww__histogram_request r = {.in = &wide, .counts = counts, .outside = outside, .edges = &wide_edges};
    WW_TRY(check_numbers(device, in));
    WW_TRY(ww__check_input(device, "edges", edges));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "edges", edges->type, edges->size));
    WW_TRY(check_outputs(device, in, counts, outside));
    WW_TRY(check_options(device, counts, options, &r));
    WW_CHECK(device, edges->count == counts->count + 1, WW_INVALID, "there are %llu edges for %llu bins, not %llu",
             (ull)edges->count, (ull)counts->count, (ull)counts->count + 1);
    WW_TRY(ww__check_apart(device, "edges", edges, "counts", counts, WW__APART));
    WW_TRY(ww__check_apart(device, "edges", edges, "outside", outside, WW__APART));
    WW_TRY(ww__widened(device, "in", in, &wide));
    WW_TRY(ww__widened(device, "edges", edges, &wide_edges));
    return ww__histogram(device, &r);
}

static ww_status by_function(ww_device *device, const ww_function *bucket_of, const ww_input *in,
                             const ww_array *counts, const ww_array *outside, const ww_histogram_options *options) {
    ww__histogram_request r = {.in = in, .counts = counts, .outside = outside};
    ww_function with;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, &bucket_of, in->type, in->size, &with));
    WW_TRY(ww__check_map(device, bucket_of, in->type, in->size, NULL, 0, true));
    WW_TRY(ww__try_map(device, bucket_of, in));
    WW_TRY(check_outputs(device, in, counts, outside));
    WW_TRY(ww__check_environment_apart(device, bucket_of, "counts", counts));
    WW_TRY(ww__check_environment_apart(device, bucket_of, "outside", outside));
    WW_TRY(check_options(device, counts, options, &r));
    r.bucket_of = bucket_of;
    return ww__histogram(device, &r);
}

static ww_status bincount(ww_device *device, const ww_input *in, const ww_array *counts, const ww_array *outside,
                          const ww_histogram_options *options) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_CHECK(device, in->type->kind == WW_KIND_UNSIGNED || in->type->kind == WW_KIND_SIGNED, WW_TYPE,
             "in has elements of type %s, which are not integers", in->type->label);
    return by_function(device, &ww_by_number, in, counts, outside, options);
}

/* What stands in the counts matters where they are added to, and a wrong struct is found later. */
#define WRITES_COUNTS \
    { options ? WW__WRITES_SOME : WW__WRITES, NULL, &counts, NULL, NULL, "&counts" }

ww_status ww_histogram_even(ww_device *device, ww_input in, ww_value low, ww_value high, ww_array counts,
                            ww_array outside, const ww_histogram_options *options) {
    WW_CALL(device, "ww_histogram_even", even(device, &in, &low, &high, &counts, &outside, options), WW_READS(&in),
            WRITES_COUNTS);
}

ww_status ww_histogram_edges(ww_device *device, ww_input in, ww_input edges, ww_array counts, ww_array outside,
                             const ww_histogram_options *options) {
    WW_CALL(device, "ww_histogram_edges", between_edges(device, &in, &edges, &counts, &outside, options), WW_READS(&in),
            WW_READS(&edges), WW_WRITES(&counts));
}

ww_status ww_histogram(ww_device *device, const ww_function *bucket_of, ww_input in, ww_array counts, ww_array outside,
                       const ww_histogram_options *options) {
    WW_CALL(device, "ww_histogram", by_function(device, bucket_of, &in, &counts, &outside, options),
            WW_USES(&bucket_of), WW_READS(&in), WRITES_COUNTS);
}

ww_status ww_bincount(ww_device *device, ww_input in, ww_array counts, ww_array outside,
                      const ww_histogram_options *options) {
    WW_CALL(device, "ww_bincount", bincount(device, &in, &counts, &outside, options), WW_READS(&in), WRITES_COUNTS);
}
