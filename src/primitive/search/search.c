/* ww_lower_bound, ww_upper_bound: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/search/sides.h"
#include "warpwise/primitive.h"

ww_status ww__search(ww_device *device, const ww__search_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__search_gpu(device, r) : ww__search_cpu(device, r);
}

static ww_status bound(ww_device *device, const ww_function *less, const ww_input *sorted, const ww_input *needles,
                       const ww_array *out, bool upper) {
    const ww_function *order;
    WW_TRY(ww__check_input(device, "sorted", sorted));
    WW_TRY(ww__check_input(device, "needles", needles));
    WW_TRY(ww__check_same_type(device, "sorted", sorted->type, sorted->size, "needles", needles->type, needles->size));
    WW_TRY(ww__check_order(device, less, sorted->type, sorted->size, &order));
    WW_TRY(ww__try_order(device, order, sorted, needles));
    WW_TRY(ww__check_counts(device, "out", out, sorted->count));
    WW_CHECK(device, out->count == needles->count, WW_INVALID, "out has %llu elements, needles %llu",
             (unsigned long long)out->count, (unsigned long long)needles->count);
    WW_TRY(ww__check_apart(device, "sorted", sorted, "out", out, WW__APART));
    WW_TRY(ww__check_apart(device, "needles", needles, "out", out, WW__APART));
    WW_TRY(ww__check_environment_apart(device, order, "out", out));
    return ww__search(device, &(ww__search_request){order, sorted, needles, out, upper});
}

ww_status ww_lower_bound(ww_device *device, const ww_function *less, ww_input sorted, ww_input needles, ww_array out) {
    WW_CALL(device, "ww_lower_bound", bound(device, less, &sorted, &needles, &out, false), WW_USES(&less),
            WW_READS(&sorted), WW_READS(&needles), WW_WRITES(&out));
}

ww_status ww_upper_bound(ww_device *device, const ww_function *less, ww_input sorted, ww_input needles, ww_array out) {
    WW_CALL(device, "ww_upper_bound", bound(device, less, &sorted, &needles, &out, true), WW_USES(&less),
            WW_READS(&sorted), WW_READS(&needles), WW_WRITES(&out));
}
