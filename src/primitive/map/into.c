/* ww_map, ww_map2 and ww_store to outputs that are computed: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/sides.h"

ww_status ww__map_into(ww_device *device, const ww__map_into_request *r) {
    if (!r->in->count) return WW_OK;
    return device->backend == WW__BACKEND_GPU ? ww__map_into_gpu(device, r) : ww__map_into_cpu(device, r);
}

static ww_status store(ww_device *device, const ww_input *in, ww__into *into, const ww_function *f) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__try_input(device, in));
    WW_TRY(ww__check_into(device, into, in));
    return ww__map_into(device, &(ww__map_into_request){.in = in, .into = into, .outermost = f});
}

static ww_status map(ww_device *device, const ww_function *f, const ww_input *in, ww__into *into) {
    ww_function with;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, &f, in->type, in->size, &with));
    WW_TRY(ww__check_map(device, f, in->type, in->size, NULL, 0, false));
    ww_input mapped = *in;
    ww__put_map(&mapped, f);
    return store(device, &mapped, into, f);
}

static ww_status map2(ww_device *device, const ww_function *f, const ww_input *a, const ww_input *b, ww__into *into) {
    WW_TRY(ww__check_input(device, "a", a));
    WW_TRY(ww__check_input(device, "b", b));
    WW_TRY(ww__check_map(device, f, a->type, a->size, b->type, b->size, false));
    ww_input mapped = *a;
    ww__put_map2(&mapped, b, f);
    return store(device, &mapped, into, f);
}

ww_status ww__map_to_computed(ww_device *device, const ww_function *f, ww_input *in, const ww_array *out) {
    ww__into into;
    ww__into_of(out, &into);
    WW_CALL(device, "ww_map", map(device, f, in, &into), WW_USES(&f), WW__USES_INTO(into), WW_READS(in),
            WW__WRITES_INTO(into));
}

ww_status ww__map2_to_computed(ww_device *device, const ww_function *f, ww_input *a, ww_input *b, const ww_array *out) {
    ww__into into;
    ww__into_of(out, &into);
    WW_CALL(device, "ww_map2", map2(device, f, a, b, &into), WW_USES(&f), WW__USES_INTO(into), WW_READS(a), WW_READS(b),
            WW__WRITES_INTO(into));
}

ww_status ww__store_to_computed(ww_device *device, const char *call, ww_input *in, const ww_array *out) {
    ww__into into;
    ww__into_of(out, &into);
    WW_CALL(device, call, store(device, in, &into, NULL), WW__USES_INTO(into), WW_READS(in), WW__WRITES_INTO(into));
}
