/* ww_sort_large: the checks. On a CPU it is ww_sort. */
#include "function/check.h"
#include "sort/large/large_gpu.h"

ww_status ww__sort_large(ww_device *device, const ww__sort_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__sort_large_gpu(device, r) : ww__sort_by_method(device, r);
}

static ww_status check(ww_device *device, const ww__sorting *s) {
    ww_array in;
    WW_TRY(ww__check_memory(device, "keys", &s->keys, &in));
    WW_TRY(ww__check_any_array(device, "keys_out", &s->keys_out));
    WW_TRY(ww__sort_check_keys(device, s, WW__ALL_SORTED));
    if (!s->values.steps && ww__is_none(&s->values_out)) return WW_OK;
    WW_TRY(ww__check_memory(device, "values", &s->values, &in));
    WW_TRY(ww__check_any_array(device, "values_out", &s->values_out));
    return ww__check_values_fit(device, &s->keys, &s->values, &s->keys_out, &s->values_out, WW__SAME_ALLOWED);
}

ww_status ww__sort_large_check(ww_device *device, ww__sort_request *r, const ww_sort_options *options) {
    WW_TRY(check(device, &r->of));
    return ww__sort_check_options(device, options, r);
}

static ww_status sort_large(ww_device *device, ww__sort_request *r, const ww_sort_options *options) {
    WW_TRY(ww__sort_large_check(device, r, options));
    return ww__sort_large(device, r);
}

ww_status ww_sort_large(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                        const ww_sort_options *options) {
    const ww_status status = ww__enter(device, "ww_sort_large");
    if (status) return status;
    ww__sort_request r = {.of = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out}};
    return ww__leave(device, sort_large(device, &r, options));
}
