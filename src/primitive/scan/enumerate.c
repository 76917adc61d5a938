/* ww_enumerate: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "primitive/scan/sides.h"

typedef unsigned long long ull;

ww_status ww__enumerate(ww_device *device, const ww__enumerate_request *r) {
    uint64_t count;
    if (device->backend == WW__BACKEND_GPU) return ww__enumerate_gpu(device, r->flags, r->out, r->total);
    WW_TRY(ww__enumerate_cpu(device, r->flags, r->out, &count));
    return r->total ? ww__put_count(device, r->total, count) : WW_OK;
}

static ww_status enumerate(ww_device *device, ww_input *flags, const ww_array *out, const ww_array *total) {
    WW_TRY(ww__check_input(device, "flags", flags));
    WW_TRY(ww__check_flags(device, "flags", flags, flags->count));
    WW_TRY(ww__check_array(device, "out", out));
    WW_CHECK(device, flags->count == out->count, WW_INVALID, "flags has %llu elements, out %llu", (ull)flags->count,
             (ull)out->count);
    WW_TRY(ww__check_counts(device, "out", out, flags->count ? flags->count - 1 : 0));
    WW_TRY(ww__check_apart(device, "flags", flags, "out", out, WW__APART));
    const bool wanted = !ww__is_none(total);
    if (wanted) {
        WW_TRY(ww__check_one(device, "total", total));
        WW_TRY(ww__check_counts(device, "total", total, flags->count));
        WW_TRY(ww__check_apart(device, "flags", flags, "total", total, WW__APART));
        WW_TRY(ww__check_outputs_apart(device, "out", out, "total", total));
    }
    if (flags->count) return ww__enumerate(device, &(ww__enumerate_request){flags, out, wanted ? total : NULL});
    return wanted ? ww__put_count(device, total, 0) : WW_OK;
}

ww_status ww_enumerate(ww_device *device, ww_input flags, ww_array out, ww_array total) {
    WW_CALL(device, "ww_enumerate", enumerate(device, &flags, &out, &total), WW_READS(&flags), WW_WRITES(&out));
}
