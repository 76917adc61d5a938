/* ww_scatter: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/options.h"
#include "function/function.h"
#include "function/types.h"
#include "primitive/gather/gather.h"

typedef unsigned long long ull;

static ww_status take_conflict(ww_device *device, const ww_scatter_options *options, ww_conflict *conflict) {
    ww_scatter_options o;
    WW_TRY(ww__take_options(device, options, "WW_SCATTER_OPTIONS", &o, offsetof(ww_scatter_options, reserved)));
    WW_CHECK(device, o.conflict <= WW_CONFLICT_UNIQUE, WW_INVALID, "conflict is %u, which is no ww_conflict",
             o.conflict);
    *conflict = (ww_conflict)o.conflict;
    return WW_OK;
}

static ww_status scatter(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to,
                         const ww_scatter_options *options) {
    ww__fault fault;
    ww_conflict conflict = WW_CONFLICT_LAST;
    ww__fault_clear(&fault);
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_index(device, "index", index));
    WW_TRY(ww__check_array(device, "out", to));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", to->type, to->size));
    WW_CHECK(device, in->count == index->count, WW_INVALID, "in has %llu elements, index %llu", (ull)in->count,
             (ull)index->count);
    WW_TRY(take_conflict(device, options, &conflict));
    WW_CHECK(device, !ww__conflict_combines(conflict) || ww__number_index(to->type) >= 0, WW_TYPE,
             "elements of type %s are no numbers, which add, min and max need", to->type->label);
    WW_TRY(ww__check_apart(device, "in", in, "out", to, WW__APART));
    WW_TRY(ww__check_apart(device, "index", index, "out", to, WW__APART));
    switch (device->backend) {
    case WW__BACKEND_CPU:
        WW_TRY(ww__scatter_cpu(device, in, index, to, conflict, &fault));
        return ww__index_status(device, index, to->count, &fault);
    case WW__BACKEND_GPU:
        return ww__scatter_gpu(device, in, index, to, conflict);
    }
    return WW_UNSUPPORTED;
}

ww_status ww_scatter(ww_device *device, ww_input in, ww_input index, ww_array out, const ww_scatter_options *options) {
    WW_CALL(device, "ww_scatter", scatter(device, &in, &index, &out, options), WW_READS(&in), WW_READS(&index),
            WW_WRITES_SOME(&out));
}
