/* ww_top_k and ww_nth: the checks, and the choice of the backend. */
#include "sort/select/top.h"

#include "device/call.h"
#include "function/check.h"

typedef unsigned long long ull;

/* ---- the inner interface ---- */

ww_status ww__top(ww_device *device, const ww__sorting *s) {
    if (!s->keys_out.count) return WW_OK;
    if (s->keys_out.count == s->keys.count) return ww__sort(device, s);
    return device->backend == WW__BACKEND_GPU ? ww__top_gpu(device, s) : ww__top_cpu(device, s);
}

ww_status ww__nth(ww_device *device, const ww__sorting *s, uint64_t n) {
    void *const out = s->keys_out.data;
    return device->backend == WW__BACKEND_GPU ? ww__nth_gpu(device, s, n, out) : ww__nth_cpu(device, s, n, out);
}

/* ---- the public functions ---- */

static ww_status check(ww_device *device, ww__sort_request *r, const ww_sort_options *options) {
    ww_sort_options o;
    WW_TRY(ww__sort_take_options(device, options, &o));
    WW_CHECK(device, o.method == WW_SORT_AUTO, WW_INVALID, "there is one way to select, and options.method is %d",
             (int)o.method);
    return ww__sort_check(device, r, WW__FIRST_SORTED, &o);
}

static ww_status top_k(ww_device *device, ww__sort_request *r, const ww_sort_options *options) {
    WW_TRY(check(device, r, options));
    return ww__top(device, &r->of);
}

ww_status ww_top_k(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                   const ww_sort_options *options) {
    ww__sort_request r = {.of = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out}};
    WW_CALL(device, "ww_top_k", top_k(device, &r, options), WW_READS(&r.of.keys), WW_READS(&r.of.values),
            WW_WRITES(&r.of.keys_out), WW_WRITES(&r.of.values_out));
}

static ww_status nth(ww_device *device, ww__sort_request *r, uint64_t n, const ww_sort_options *options) {
    const ww__sorting *const s = &r->of;
    WW_TRY(ww__check_input(device, "keys", &s->keys));
    WW_CHECK(device, n < s->keys.count, WW_INVALID, "n is %llu, and there are %llu keys", (ull)n, (ull)s->keys.count);
    WW_TRY(ww__check_one(device, "out", &s->keys_out));
    WW_TRY(check(device, r, options));
    return ww__nth(device, s, n);
}

ww_status ww_nth(ww_device *device, uint64_t n, ww_input keys, ww_array out, const ww_sort_options *options) {
    ww__sort_request r = {.of = {.keys = keys, .values = ww_no_input, .keys_out = out, .values_out = ww_none}};
    WW_CALL(device, "ww_nth", nth(device, &r, n, options), WW_READS(&r.of.keys));
}
