/* ww_lower_bound, ww_upper_bound: the checks, and the choice of the backend. */
#include "primitive/search/search.h"

#include "device/call.h"
#include "device/check.h"
#include "device/checks.h"
#include "function/function.h"
#include "warpwise/primitive.h"

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
    switch (device->backend) {
    case WW__BACKEND_CPU:
        return ww__bound_cpu(device, order, sorted, needles, out, upper);
    case WW__BACKEND_GPU:
        return ww__bound_gpu(device, order, sorted, needles, out, upper);
    }
    return WW_UNSUPPORTED;
}

ww_status ww_lower_bound(ww_device *device, const ww_function *less, ww_input sorted, ww_input needles, ww_array out) {
    WW_CALL(device, "ww_lower_bound", bound(device, less, &sorted, &needles, &out, false), WW_USES(&less),
            WW_READS(&sorted), WW_READS(&needles), WW_WRITES(&out));
}

ww_status ww_upper_bound(ww_device *device, const ww_function *less, ww_input sorted, ww_input needles, ww_array out) {
    WW_CALL(device, "ww_upper_bound", bound(device, less, &sorted, &needles, &out, true), WW_USES(&less),
            WW_READS(&sorted), WW_READS(&needles), WW_WRITES(&out));
}
