/* ww_sort_segments: the checks. Both sides of a sort know segments. */
#include "device/call.h"
#include "function/check.h"
#include "sort/sort.h"

static ww_status sort_segments(ww_device *device, ww__sorting *s, const ww_sort_options *options) {
    WW_TRY(ww__check_index(device, "offsets", s->offsets));
    WW_CHECK(device, s->offsets->count, WW_INVALID, "offsets is empty; the end of the last segment is the least");
    ww_sort_options o;
    WW_TRY(ww__sort_take_options(device, options, &o));
    WW_CHECK(device, o.method == WW_SORT_AUTO, WW_INVALID,
             "segments are sorted by no method that can be named, and method is %d", (int)o.method);
    WW_TRY(ww__sort_check(device, s, &o));
    WW_TRY(ww__check_apart(device, "offsets", s->offsets, "keys_out", &s->keys_out, WW__APART));
    if (s->values.steps)
        WW_TRY(ww__check_apart(device, "offsets", s->offsets, "values_out", &s->values_out, WW__APART));
    return ww__sort(device, s);
}

ww_status ww_sort_segments(ww_device *device, ww_input keys, ww_input values, ww_input offsets, ww_array keys_out,
                           ww_array values_out, const ww_sort_options *options) {
    ww__sorting s = {
        .keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out, .offsets = &offsets};
    WW_CALL(device, "ww_sort_segments", sort_segments(device, &s, options), WW_READS(&offsets), WW_READS(&s.keys),
            WW_READS(&s.values), WW_WRITES(&s.keys_out), WW_WRITES(&s.values_out));
}
