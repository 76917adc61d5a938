/* ww_adjacent_difference: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "function/types.h"
#include "primitive/scan/sides.h"

typedef unsigned long long ull;

ww_status ww__adjacent_difference(ww_device *device, const ww__difference_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__adjacent_difference_gpu(device, r->in, r->out)
                                              : ww__adjacent_difference_cpu(device, r->in, r->out);
}

static ww_status difference(ww_device *device, const ww_input *in, const ww_array *out) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_CHECK(device, ww__number_index(in->type) >= 0, WW_TYPE, "in is of %s; differences are for numbers",
             in->type->name);
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, in->count == out->count, WW_INVALID, "in has %llu elements, out %llu", (ull)in->count,
             (ull)out->count);
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    return in->count ? ww__adjacent_difference(device, &(ww__difference_request){in, out}) : WW_OK;
}

ww_status ww_adjacent_difference(ww_device *device, ww_input in, ww_array out) {
    WW_CALL(device, "ww_adjacent_difference", difference(device, &in, &out), WW_READS(&in), WW_WRITES(&out));
}
