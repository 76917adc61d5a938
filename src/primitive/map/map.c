/* ww_map, ww_map2, ww_store, ww_launch: the checks, and the choice of the backend. All but the last are one thing: storing
 * what an input describes. */
#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/sides.h"
#include "warpwise/primitive.h"

/* ---- the inner interface ---- */

ww_status ww__map(ww_device *device, const ww__map_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__map_gpu(device, r) : ww__map_cpu(device, r);
}

ww_status ww__launch(ww_device *device, const ww__launch_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__launch_gpu(device, r) : ww__launch_cpu(device, r);
}

uint64_t ww__together(const ww_device *device) {
    return device->backend == WW__BACKEND_GPU ? ww__together_gpu(device) : ww__together_cpu(device);
}

ww_status ww__launch_together(ww_device *device, const ww_function *kernel, uint64_t ranks) {
    return device->backend == WW__BACKEND_GPU ? ww__launch_together_gpu(device, kernel, ranks)
                                              : ww__launch_together_cpu(device, kernel, ranks);
}

/* ---- the public functions: enter, check, the request, leave ---- */

/* `in` has been checked. */
static ww_status put(ww_device *device, const ww_input *in, const ww_array *out, const ww_function *f) {
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "the result", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, in->count == out->count, WW_INVALID, "the input has %llu elements, out %llu",
             (unsigned long long)in->count, (unsigned long long)out->count);
    WW_TRY(ww__check_apart(device, "an input", in, "out", out, WW__SAME_ALLOWED));
    return ww__map(device, &(ww__map_request){in, out, f});
}

static ww_status store(ww_device *device, const ww_input *in, const ww_array *out) {
    WW_TRY(ww__check_input(device, "in", in));
    return put(device, in, out, NULL);
}

/* What is mapped, and the function, have been checked; that there are not too many steps has not. */
static ww_status put_mapped(ww_device *device, const ww_input *mapped, const ww_array *out, const ww_function *f) {
    if (mapped->problem) WW_TRY(ww__check_input(device, "in", mapped));
    WW_TRY(ww__try_input(device, mapped));
    return put(device, mapped, out, f);
}

static ww_status map(ww_device *device, const ww_function *f, const ww_input *in, const ww_array *out) {
    ww_function with;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__resolve_map(device, &f, in->type, in->size, &with));
    WW_TRY(ww__check_map(device, f, in->type, in->size, NULL, 0, false));
    ww_input mapped = *in;
    ww__put_map(&mapped, f);
    return put_mapped(device, &mapped, out, f);
}

static ww_status map2(ww_device *device, const ww_function *f, const ww_input *a, const ww_input *b,
                      const ww_array *out) {
    WW_TRY(ww__check_input(device, "a", a));
    WW_TRY(ww__check_input(device, "b", b));
    WW_TRY(ww__check_map(device, f, a->type, a->size, b->type, b->size, false));
    ww_input mapped = *a;
    ww__put_map2(&mapped, b, f);
    return put_mapped(device, &mapped, out, f);
}

static ww_status check_kernel(ww_device *device, const ww_function *kernel) {
    if (kernel) WW_TRY(ww__check_version(device, kernel));
    WW_CHECK(device, kernel && (kernel->role == WW_ROLE_KERNEL || kernel->role == WW_ROLE_BLOCKS), WW_TYPE,
             "%s is not a WW_KERNEL", kernel ? kernel->name : "NULL");
    WW_TRY(ww__check_environment(device, kernel, kernel->environment));
    return ww__try_kernel(device, kernel);
}

static ww_status launch(ww_device *device, const ww_function *kernel, uint64_t count, const uint64_t *count_at) {
    WW_TRY(check_kernel(device, kernel));
    return ww__launch(device, &(ww__launch_request){kernel, count, count_at});
}

static ww_status launch_together(ww_device *device, const ww_function *kernel, uint64_t ranks) {
    const uint64_t most = ww__together(device);
    WW_TRY(check_kernel(device, kernel));
    WW_CHECK(device, kernel->role == WW_ROLE_KERNEL, WW_TYPE,
             "%s is a WW_BLOCK_KERNEL, whose blocks do not wait for one another", kernel->name);
    WW_CHECK(device, ranks && most % ranks == 0, WW_INVALID, "ranks is %llu, and has to be a divisor of %llu",
             (unsigned long long)ranks, (unsigned long long)most);
    return ww__launch_together(device, kernel, ranks);
}

static ww_status tell_together(ww_device *device, uint64_t *ranks) {
    WW_CHECK(device, ranks, WW_INVALID, "ranks is NULL");
    *ranks = ww__together(device);
    return WW_OK;
}

/* The ranks are an input that nobody reads: its count is checked and settled as any other's. */
static ww_status launch_counted(ww_device *device, const ww_function *kernel, const ww_input *ranks) {
    WW_CHECK(device, !ranks->problem, WW_INVALID, "count_at is NULL");
    return launch(device, kernel, ranks->count, ww__take_count(device, ranks));
}

/* Kernels look at the count of what they store, if it is the output's too. */
static bool is_open(const ww_input *in, const ww_array *out) { return in->count_at && in->count_at == out->count_at; }

ww_status ww_map(ww_device *device, const ww_function *f, ww_input in, ww_array out) {
    if (out.reserved) return ww__map_to_computed(device, f, &in, &out);
    WW_CALL_COUNTED(device, "ww_map", is_open(&in, &out), map(device, f, &in, &out), WW_USES(&f), WW_READS(&in),
                    WW_WRITES(&out));
}

ww_status ww_map2(ww_device *device, const ww_function *f, ww_input a, ww_input b, ww_array out) {
    if (out.reserved) return ww__map2_to_computed(device, f, &a, &b, &out);
    WW_CALL_COUNTED(device, "ww_map2", is_open(&a, &out), map2(device, f, &a, &b, &out), WW_USES(&f), WW_READS(&a),
                    WW_READS(&b), WW_WRITES(&out));
}

ww_status ww_store(ww_device *device, ww_input in, ww_array out) {
    if (out.reserved) return ww__store_to_computed(device, "ww_store", &in, &out);
    WW_CALL_COUNTED(device, "ww_store", is_open(&in, &out), store(device, &in, &out), WW_READS(&in), WW_WRITES(&out));
}

ww_status ww_launch(ww_device *device, const ww_function *kernel, uint64_t count) {
    WW_CALL(device, "ww_launch", launch(device, kernel, count, NULL), WW_USES(&kernel));
}

ww_status ww_launch_counted(ww_device *device, const ww_function *kernel, uint64_t most, const uint64_t *count_at) {
    ww_input ranks = ww_counted(ww_counting(&ww_type_uint64_t, 0, most), count_at);
    if (!count_at) ranks.problem = WW_INVALID;
    WW_CALL_COUNTED(device, "ww_launch_counted", true, launch_counted(device, kernel, &ranks), WW_USES(&kernel),
                    WW_READS(&ranks));
}

ww_status ww_together(ww_device *device, uint64_t *ranks) {
    WW_TRY(ww__enter(device, "ww_together"));
    return ww__leave(device, tell_together(device, ranks));
}

ww_status ww_launch_together(ww_device *device, const ww_function *kernel, uint64_t ranks) {
    WW_CALL(device, "ww_launch_together", launch_together(device, kernel, ranks), WW_USES(&kernel));
}
