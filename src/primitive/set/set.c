/* ww_set_union, ww_set_intersection, ww_set_difference: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/merge/merge.h"
#include "primitive/set/sides.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

ww_status ww__set(ww_device *device, const ww__set_request *r, uint64_t *found) {
    if (device->backend == WW__BACKEND_GPU) return ww__set_gpu(device, r, found);
    WW_TRY(ww__set_cpu(device, r, found));
    return ww__put_count(device, r->count, *found);
}

static ww_status set(ww_device *device, ww__set_kind kind, const ww_function *less, const ww_input *a,
                     const ww_input *b, const ww_array *out, const ww_array *count) {
    const ww_function *order;
    uint64_t found = 0;
    WW_TRY(ww__merge_check(device, less, a, b, out, &order));
    WW_CHECK(device, a->count <= UINT64_MAX - b->count, WW_INVALID, "a and b have %llu and %llu elements: too many",
             (ull)a->count, (ull)b->count);
    const uint64_t largest[WW__SET_KINDS] = {a->count + b->count, ww__min_u64(a->count, b->count), a->count};
    WW_TRY(ww__check_counts(device, "count", count, largest[kind]));
    WW_TRY(ww__check_one(device, "count", count));
    const ww_input *inputs[] = {a, b};
    static const char *const names[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        WW_TRY(ww__check_apart(device, names[i], inputs[i], "out", out, WW__APART));
        WW_TRY(ww__check_apart(device, names[i], inputs[i], "count", count, WW__APART));
    }
    WW_TRY(ww__check_environment_apart(device, order, "out", out));
    WW_TRY(ww__check_environment_apart(device, order, "count", count));
    WW_TRY(ww__check_outputs_apart(device, "out", out, "count", count));
    WW_TRY(ww__set(device, &(ww__set_request){kind, order, a, b, out, count, largest[kind]}, &found));
    WW_CHECK_ROOM(device, found <= out->count, "the result has %llu elements, out has a capacity of %llu", (ull)found,
                  (ull)out->count);
    return WW_OK;
}

ww_status ww_set_union(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_array out,
                       ww_array count) {
    WW_CALL(device, "ww_set_union", set(device, WW__SET_UNION, less, &a, &b, &out, &count), WW_USES(&less),
            WW_READS(&a), WW_READS(&b), WW_WRITES_FIRST(&out, &count));
}

ww_status ww_set_intersection(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_array out,
                              ww_array count) {
    WW_CALL(device, "ww_set_intersection", set(device, WW__SET_INTERSECTION, less, &a, &b, &out, &count),
            WW_USES(&less), WW_READS(&a), WW_READS(&b), WW_WRITES_FIRST(&out, &count));
}

ww_status ww_set_difference(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_array out,
                            ww_array count) {
    WW_CALL(device, "ww_set_difference", set(device, WW__SET_DIFFERENCE, less, &a, &b, &out, &count), WW_USES(&less),
            WW_READS(&a), WW_READS(&b), WW_WRITES_FIRST(&out, &count));
}
