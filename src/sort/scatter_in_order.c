/* Scattered sums of floats on a GPU in an order that is the same in every run: indices are sorted with their elements, which stay in the
 * order of their positions; sums are made by index (primitive/run/ordered_runs.cu); each is added to its place once. */
#include "device/call.h"
#include "function/function.h"
#include "primitive/gather/gather.h"
#include "primitive/run/run.h"
#include "sort/sort.h"

static ww_status sort_by_index(ww_device *device, const ww__scatter_request *r, ww_array *index, ww_array *values) {
    const uint64_t last = r->to->count ? r->to->count - 1 : 0;
    WW_TRY(ww__scratch_array(device, index->count, index->size, &index->data));
    WW_TRY(ww__scratch_array(device, values->count, values->size, &values->data));
    const ww__sorting by_index = {.keys = *r->index,
                                  .values = *r->in,
                                  .keys_out = *index,
                                  .values_out = *values,
                                  .bit_count = last ? 64 - (unsigned)__builtin_clzll(last) : 1};
    return ww__sort(device, &by_index);
}

ww_status ww__scatter_in_order_gpu(ww_device *device, const ww__scatter_request *r) {
    const uint64_t n = r->index->count;
    ww_array sorted = ww_array_of(NULL, n, r->index->type), values = ww_array_of(NULL, n, r->to->type), places = sorted,
             sums = values, total = ww_array_of(NULL, 1, &ww_type_uint64_t);
    uint64_t found;
    if (!n) return WW_OK;
    if (r->index->count_at || r->in->count_at) return WW__SETTLE;
    WW_TRY(ww__index_check_gpu(device, r->index, r->to->count));
    WW_TRY(sort_by_index(device, r, &sorted, &values));
    WW_TRY(ww__scratch_array(device, n, places.size, &places.data));
    WW_TRY(ww__scratch_array(device, n, sums.size, &sums.data));
    WW_TRY(ww__scratch(device, total.size, &total.data));
    const ww_input by = ww_from(sorted), of = ww_from(values), at = ww_from(places), in = ww_from(sums);
    const ww__reduce_by_key_request summed = {
        ww__operator(&ww_add, values.type, values.size), &by, &of, &places, &sums, &total, NULL};
    WW_TRY(ww__reduce_by_key(device, &summed, &found));
    return ww__scatter_sums_gpu(device, &in, &at, total.data, r->to);
}
