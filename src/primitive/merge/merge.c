/* ww_merge: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/merge/sides.h"
#include "warpwise/primitive.h"

ww_status ww__merge(ww_device *device, const ww__merge_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__merge_gpu(device, r) : ww__merge_cpu(device, r);
}

static ww_status check_values(ww_device *device, const ww_input *a, const ww_input *b, const ww_input *a_values,
                              const ww_input *b_values, const ww_array *out, const ww_array *values_out) {
    const int given = (a_values->steps != 0) + (b_values->steps != 0) + !ww__is_none(values_out);
    WW_CHECK(device, given == 0 || given == 3, WW_INVALID,
             "a_values is %s, b_values is %s, values_out is %s; either all three or none of them are given",
             a_values->steps ? "given" : "none", b_values->steps ? "given" : "none",
             ww__is_none(values_out) ? "none" : "given");
    if (!given) return WW_OK;
    WW_TRY(ww__check_input(device, "a_values", a_values));
    WW_TRY(ww__check_input(device, "b_values", b_values));
    WW_TRY(ww__check_array(device, "values_out", values_out));
    WW_TRY(ww__check_same_type(device, "a_values", a_values->type, a_values->size, "b_values", b_values->type,
                               b_values->size));
    WW_TRY(ww__check_same_type(device, "a_values", a_values->type, a_values->size, "values_out", values_out->type,
                               values_out->size));
    WW_CHECK(device, a_values->count == a->count, WW_INVALID, "a_values has %llu elements, a %llu",
             (unsigned long long)a_values->count, (unsigned long long)a->count);
    WW_CHECK(device, b_values->count == b->count, WW_INVALID, "b_values has %llu elements, b %llu",
             (unsigned long long)b_values->count, (unsigned long long)b->count);
    WW_CHECK(device, values_out->count == out->count, WW_INVALID, "values_out has %llu elements, out %llu",
             (unsigned long long)values_out->count, (unsigned long long)out->count);
    const ww_input *inputs[] = {a, b, a_values, b_values};
    static const char *const names[] = {"a", "b", "a_values", "b_values"};
    for (int i = 0; i < 4; i++) {
        if (i >= 2) WW_TRY(ww__check_apart(device, names[i], inputs[i], "out", out, WW__APART));
        WW_TRY(ww__check_apart(device, names[i], inputs[i], "values_out", values_out, WW__APART));
    }
    return ww__check_outputs_apart(device, "out", out, "values_out", values_out);
}

ww_status ww__merge_check(ww_device *device, const ww_function *less, const ww_input *a, const ww_input *b,
                          const ww_array *out, const ww_function **order) {
    WW_TRY(ww__check_input(device, "a", a));
    WW_TRY(ww__check_input(device, "b", b));
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "a", a->type, a->size, "b", b->type, b->size));
    WW_TRY(ww__check_same_type(device, "a", a->type, a->size, "out", out->type, out->size));
    WW_TRY(ww__check_order(device, less, a->type, a->size, order));
    return ww__try_order(device, *order, a, b);
}

static ww_status merge(ww_device *device, const ww_function *less, const ww_input *a, const ww_input *b,
                       const ww_input *a_values, const ww_input *b_values, const ww_array *out,
                       const ww_array *values_out) {
    const ww_function *order;
    WW_TRY(ww__merge_check(device, less, a, b, out, &order));
    WW_CHECK(device, a->count <= UINT64_MAX - b->count && out->count == a->count + b->count, WW_INVALID,
             "out has %llu elements, a and b %llu and %llu", (unsigned long long)out->count,
             (unsigned long long)a->count, (unsigned long long)b->count);
    WW_TRY(ww__check_apart(device, "a", a, "out", out, WW__APART));
    WW_TRY(ww__check_apart(device, "b", b, "out", out, WW__APART));
    WW_TRY(ww__check_environment_apart(device, order, "out", out));
    WW_TRY(ww__check_environment_apart(device, order, "values_out", values_out));
    WW_TRY(check_values(device, a, b, a_values, b_values, out, values_out));
    return ww__merge(device, &(ww__merge_request){order, a, b, a_values, b_values, out, values_out, false, 0});
}

ww_status ww_merge(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_input a_values,
                   ww_input b_values, ww_array out, ww_array values_out) {
    WW_CALL(device, "ww_merge", merge(device, less, &a, &b, &a_values, &b_values, &out, &values_out), WW_USES(&less),
            WW_READS(&a), WW_READS(&b), WW_READS(&a_values), WW_READS(&b_values), WW_WRITES(&out),
            WW_WRITES(&values_out));
}

static ww_status merge_some(ww_device *device, const ww_function *less, const ww__merge_request *given) {
    ww__merge_request r = *given;
    WW_TRY(ww__merge_check(device, less, r.a, r.b, r.out, &r.order));
    return ww__merge_gpu(device, &r);
}

ww_status ww__merge_some(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_input a_values,
                         ww_input b_values, uint64_t first, ww_array out, ww_array values_out) {
    const ww__merge_request r = {NULL, &a, &b, &a_values, &b_values, &out, &values_out, true, first};
    WW_CALL(device, "ww_merge", merge_some(device, less, &r), WW_USES(&less), WW_READS(&a), WW_READS(&b),
            WW_READS(&a_values), WW_READS(&b_values), WW_WRITES(&out), WW_WRITES(&values_out));
}
