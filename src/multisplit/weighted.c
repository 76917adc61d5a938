/* Weighted histograms: weights are split by their elements' buckets, stably, and each bucket's are added up as ww_reduce_segments
 * does. So the sum of floats is bracketed by what the bucket holds alone, on every device. (Of few bins a CPU takes
 * weighted_cpu.c, and a GPU weigh_gpu.c for integers of 32 bits, whose order does not matter.) */
#include "multisplit/weighted.h"
#include "device/call.h"
#include "device/checks.h"
#include "function/types.h"
#include "primitive/reduce/reduce.h"

typedef unsigned long long ull;

enum { BINS_MOST = 1 << 24 };

static ww_status check(ww__weighing *w) {
    ww_device *device = w->device;
    WW_TRY(ww__check_input(device, "weights", w->weights));
    WW_CHECK(device, w->weights->count == w->in->count, WW_INVALID, "in has %llu elements, weights %llu",
             (ull)w->in->count, (ull)w->weights->count);
    WW_TRY(ww__check_operator(device, &ww_add, w->weights->type, w->weights->size, &w->add));
    WW_TRY(ww__check_array(device, "sums", w->sums));
    WW_TRY(ww__check_same_type(device, "weights", w->weights->type, w->weights->size, "sums", w->sums->type,
                               w->sums->size));
    WW_CHECK(device, w->sums->count >= 1 && w->sums->count <= BINS_MOST, WW_INVALID,
             "sums has %llu bins; there can be 1 to %d", (ull)w->sums->count, BINS_MOST);
    WW_TRY(ww__check_apart(device, "in", w->in, "sums", w->sums, WW__APART));
    return ww__check_apart(device, "weights", w->weights, "sums", w->sums, WW__APART);
}

static ww_status weigh(const ww__weighing *w) {
    ww_device *device = w->device;
    if (ww__weighing_is_direct(w)) return ww__weigh_cpu(w);
    if (ww__weighing_is_in_any_order(w)) return ww__weigh_gpu(w);
    const uint64_t n = w->in->count, buckets = w->by.buckets;
    const ww_type *position = ww__position_type(n);
    ww__splitting s = {.by = w->by, .keys = *w->in, .values = *w->weights};
    s.keys_out = (ww_array){.count = n, .type = w->in->type, .size = w->in->size};
    s.values_out = (ww_array){.count = n, .type = w->weights->type, .size = w->weights->size};
    s.offsets = (ww_array){.count = buckets + 1, .type = position, .size = position->size};
    WW_TRY(ww__scratch_array(device, n, s.keys_out.size, &s.keys_out.data));
    WW_TRY(ww__scratch_array(device, n, s.values_out.size, &s.values_out.data));
    WW_TRY(ww__scratch_array(device, buckets + 1, position->size, &s.offsets.data));
    WW_TRY(ww__multisplit(device, &s));
    const ww_input split = ww_from(s.values_out);
    const ww_input bins = ww_memory_of((const unsigned char *)s.offsets.data + w->first * position->size,
                                       w->sums->count + 1, position);
    return ww__reduce_segments(device, &(ww__reduce_segments_request){w->add, &split, &bins, w->sums});
}

static ww_status by_function(ww_device *device, const ww_function *bucket_of, const ww_input *in,
                             const ww_input *weights, const ww_array *sums) {
    ww__weighing w = {
        .device = device, .in = in, .weights = weights, .sums = sums, .by = {.asked = bucket_of, .map = bucket_of}};
    ww_function with;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, &w.by.map, in->type, in->size, &with));
    WW_TRY(ww__check_map(device, w.by.map, in->type, in->size, NULL, 0, true));
    WW_TRY(ww__try_map(device, w.by.map, in));
    WW_TRY(check(&w));
    WW_TRY(ww__check_environment_apart(device, w.by.map, "sums", sums));
    w.by.buckets = sums->count;
    return weigh(&w);
}

/* Below the first edge is a bucket, and from the last on. */
static ww_status between_edges(ww_device *device, const ww_input *in, const ww_input *edges, const ww_input *weights,
                               const ww_array *sums) {
    ww__weighing w = {.device = device, .in = in, .weights = weights, .sums = sums, .by = {.edges = edges}, .first = 1};
    WW_TRY(ww__check_input(device, "in", in));
    WW_CHECK(device, ww__number_index(in->type) >= 0, WW_TYPE, "in has elements of type %s, which are not numbers",
             in->type->label);
    WW_TRY(ww__check_input(device, "edges", edges));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "edges", edges->type, edges->size));
    WW_TRY(check(&w));
    WW_CHECK(device, edges->count == sums->count + 1, WW_INVALID, "there are %llu edges for %llu bins, not %llu",
             (ull)edges->count, (ull)sums->count, (ull)sums->count + 1);
    WW_TRY(ww__check_apart(device, "edges", edges, "sums", sums, WW__APART));
    w.by.buckets = edges->count + 1;
    return weigh(&w);
}

ww_status ww_histogram_weighted(ww_device *device, const ww_function *bucket_of, ww_input in, ww_input weights,
                                ww_array sums) {
    WW_CALL(device, "ww_histogram_weighted", by_function(device, bucket_of, &in, &weights, &sums), WW_USES(&bucket_of),
            WW_READS(&in), WW_READS(&weights), WW_WRITES(&sums));
}

ww_status ww_histogram_edges_weighted(ww_device *device, ww_input in, ww_input edges, ww_input weights, ww_array sums) {
    WW_CALL(device, "ww_histogram_edges_weighted", between_edges(device, &in, &edges, &weights, &sums), WW_READS(&in),
            WW_READS(&edges), WW_READS(&weights), WW_WRITES(&sums));
}
