/* ww_reverse, ww_rotate, ww_transpose: the checks, and the choice of the backend. */
#include "warpwise/arrange.h"

#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/arrange/sides.h"
#include "primitive/map/map.h"

typedef unsigned long long ull;

/* ---- the inner interface ---- */

ww_status ww__reverse(ww_device *device, const ww__reverse_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__reverse_gpu(device, r) : ww__reverse_cpu(device, r);
}

ww_status ww__rotate(ww_device *device, const ww__rotate_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__rotate_gpu(device, r) : ww__rotate_cpu(device, r);
}

/* One row, or one column, is in order already. Columns are read far apart, so what is computed is stored first. */
ww_status ww__transpose(ww_device *device, const ww__transpose_request *r) {
    ww_array from;
    if (r->rows == 1 || r->columns == 1) return ww__map(device, &(ww__map_request){r->in, r->out, NULL});
    WW_TRY(ww__stored(device, r->in, &from));
    return device->backend == WW__BACKEND_GPU ? ww__transpose_gpu(device, r, from.data)
                                              : ww__transpose_cpu(device, r, from.data);
}

/* ---- the public functions: enter, check, the request, leave ---- */

static ww_status check(ww_device *device, const ww_input *in, const ww_array *out, ww__sharing sharing) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__try_input(device, in));
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, in->count == out->count, WW_INVALID, "in has %llu elements, out %llu", (ull)in->count,
             (ull)out->count);
    return ww__check_apart(device, "in", in, "out", out, sharing);
}

static ww_status reverse(ww_device *device, const ww_input *in, const ww_array *out) {
    WW_TRY(check(device, in, out, ww__input_is_memory(in) ? WW__SAME_ALLOWED : WW__APART));
    return in->count ? ww__reverse(device, &(ww__reverse_request){in, out}) : WW_OK;
}

static ww_status rotate(ww_device *device, int64_t by, const ww_input *in, const ww_array *out) {
    WW_TRY(check(device, in, out, WW__APART));
    if (!in->count) return WW_OK;
    const uint64_t n = in->count, back = (by < 0 ? 0 - (uint64_t)by : 0) % n, forth = (by < 0 ? 0 : (uint64_t)by) % n;
    return ww__rotate(device, &(ww__rotate_request){back ? n - back : forth, in, out});
}

static ww_status transpose(ww_device *device, uint64_t rows, uint64_t columns, const ww_input *in,
                           const ww_array *out) {
    uint64_t all;
    WW_TRY(check(device, in, out, WW__APART));
    WW_CHECK(device, !__builtin_mul_overflow(rows, columns, &all) && all == in->count, WW_INVALID,
             "in has %llu elements, and a matrix of %llu rows and %llu columns does not have that many", (ull)in->count,
             (ull)rows, (ull)columns);
    return all ? ww__transpose(device, &(ww__transpose_request){rows, columns, in, out}) : WW_OK;
}

ww_status ww_reverse(ww_device *device, ww_input in, ww_array out) {
    WW_CALL(device, "ww_reverse", reverse(device, &in, &out), WW_READS(&in), WW_WRITES(&out));
}

ww_status ww_rotate(ww_device *device, int64_t by, ww_input in, ww_array out) {
    WW_CALL(device, "ww_rotate", rotate(device, by, &in, &out), WW_READS(&in), WW_WRITES(&out));
}

ww_status ww_transpose(ww_device *device, uint64_t rows, uint64_t columns, ww_input in, ww_array out) {
    WW_CALL(device, "ww_transpose", transpose(device, rows, columns, &in, &out), WW_READS(&in), WW_WRITES(&out));
}
