/* ww_sort_segments: the checks. Both sides of a sort know segments. */
#include "device/call.h"
#include "function/check.h"
#include "sort/sides.h"

static ww_status sort_segments(ww_device *device, ww__sort_request *r, const ww_input *offsets,
                               const ww_sort_options *options) {
    const ww__sorting *const s = &r->of;
    WW_TRY(ww__check_index(device, "offsets", offsets));
    WW_CHECK(device, offsets->count, WW_INVALID, "offsets is empty; the end of the last segment is the least");
    ww_sort_options o;
    WW_TRY(ww__sort_take_options(device, options, &o));
    WW_CHECK(device, o.method == WW_SORT_AUTO, WW_INVALID,
             "segments are sorted by no method that can be named, and method is %d", (int)o.method);
    WW_TRY(ww__sort_check(device, r, WW__ALL_SORTED, &o));
    WW_TRY(ww__check_apart(device, "offsets", offsets, "keys_out", &s->keys_out, WW__APART));
    if (s->values.steps) WW_TRY(ww__check_apart(device, "offsets", offsets, "values_out", &s->values_out, WW__APART));
    return device->backend == WW__BACKEND_GPU ? ww__sort_gpu(device, s, offsets) : ww__sort_cpu(device, s, offsets);
}

ww_status ww_sort_segments(ww_device *device, ww_input keys, ww_input values, ww_input offsets, ww_array keys_out,
                           ww_array values_out, const ww_sort_options *options) {
    ww__sort_request r = {.of = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out}};
    WW_CALL(device, "ww_sort_segments", sort_segments(device, &r, &offsets, options), WW_READS(&offsets),
            WW_READS(&r.of.keys), WW_READS(&r.of.values), WW_WRITES(&r.of.keys_out), WW_WRITES(&r.of.values_out));
}
