/* ww_random_fill, ww_random_below, ww_random_normal: the checks, and the choice of the backend. */
#include <math.h>

#include "device/call.h"
#include "function/check.h"
#include "random/sides.h"

typedef unsigned long long ull;

/* ---- the inner interface ---- */

ww_status ww__random(ww_device *device, const ww__random_request *r) {
    if (!r->out->count) return WW_OK;
    return device->backend == WW__BACKEND_GPU ? ww__random_gpu(device, r) : ww__random_cpu(device, r);
}

ww_status ww__random_check_range(ww_device *device, const ww_random *from, uint64_t count) {
    WW_CHECK(device, from->offset <= WW__RANDOM_MOST && count <= WW__RANDOM_MOST - from->offset, WW_LIMIT,
             "numbers %llu to %llu + %llu are asked for, and a stream has 2^60", (ull)from->offset, (ull)from->offset,
             (ull)count);
    return WW_OK;
}

/* ---- the public functions: enter, check, the request, leave ---- */

static bool is_float(const ww_type *type) { return type->kind == WW_KIND_FLOAT && type->size >= sizeof(float); }
static bool is_integer(const ww_type *type) { return type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED; }

static ww__random_request request_of(ww__random_kind kind, const ww_random *from, const ww_array *out) {
    return (ww__random_request){
        .kind = kind, .source = {.seed = from->seed, .stream = from->stream}, .offset = from->offset, .out = out};
}

static ww_status check_out(ww_device *device, const ww_random *from, const ww_array *out) {
    WW_TRY(ww__check_array(device, "out", out));
    return ww__random_check_range(device, from, out->count);
}

static ww_status fill(ww_device *device, const ww_random *from, const ww_array *out) {
    WW_TRY(check_out(device, from, out));
    const bool floats = is_float(out->type);
    WW_CHECK(device, floats || out->type->kind != WW_KIND_FLOAT, WW_TYPE,
             "out is of %s; random floats are of 32 or 64 bits, and cast to it", out->type->name);
    WW_CHECK(device, floats || is_integer(out->type), WW_TYPE, "out is of %s, which are not numbers", out->type->name);
    const ww__random_request r = request_of(!floats          ? WW__RANDOM_BITS
                                            : out->size == 4 ? WW__RANDOM_UNIT_F32
                                                             : WW__RANDOM_UNIT_F64,
                                            from, out);
    return ww__random(device, &r);
}

/* Numbers of the type up to its largest: 2 to the power of so many bits. */
static unsigned bits_of(const ww_array *out) { return (unsigned)(8 * out->size) - (out->type->kind == WW_KIND_SIGNED); }

static ww_status below(ww_device *device, const ww_random *from, uint64_t bound, const ww_array *out) {
    WW_TRY(check_out(device, from, out));
    WW_CHECK(device, is_integer(out->type) && out->size <= 8, WW_TYPE,
             "out is of %s, and has to be of integers of up to 8 bytes", out->type->name);
    const unsigned bits = bits_of(out);
    WW_CHECK(device, bound, WW_INVALID, "there are no numbers below 0");
    WW_CHECK(device, bits == 64 || bound <= (uint64_t)1 << bits, WW_RANGE, "numbers below %llu do not fit in %s",
             (ull)bound, out->type->name);
    ww__random_request r = request_of(out->size == 8 ? WW__RANDOM_BELOW_64 : WW__RANDOM_BELOW_32, from, out);
    r.source.bound = bound;
    r.source.reject = out->size == 8 ? (0 - bound) % bound : ((uint64_t)1 << 32) % bound;
    return ww__random(device, &r);
}

static ww_status normal(ww_device *device, const ww_random *from, double mean, double deviation, const ww_array *out) {
    WW_TRY(check_out(device, from, out));
    WW_CHECK(device, is_float(out->type), WW_TYPE, "out is of %s, and has to be of float or double", out->type->name);
    WW_CHECK(device, isfinite(mean), WW_INVALID, "the mean is %g", mean);
    WW_CHECK(device, isfinite(deviation) && deviation >= 0, WW_INVALID, "the deviation is %g", deviation);
    WW_CHECK(device, out->size == 8 || (isfinite((float)mean) && isfinite((float)deviation)), WW_RANGE,
             "the mean %g or the deviation %g is beyond the largest float", mean, deviation);
    ww__random_request r = request_of(out->size == 4 ? WW__RANDOM_NORMAL_F32 : WW__RANDOM_NORMAL_F64, from, out);
    r.source.mean = mean;
    r.source.deviation = deviation;
    return ww__random(device, &r);
}

ww_status ww_random_fill(ww_device *device, ww_random from, ww_array out) {
    WW_CALL(device, "ww_random_fill", fill(device, &from, &out), WW_WRITES(&out));
}

ww_status ww_random_below(ww_device *device, ww_random from, uint64_t bound, ww_array out) {
    WW_CALL(device, "ww_random_below", below(device, &from, bound, &out), WW_WRITES(&out));
}

ww_status ww_random_normal(ww_device *device, ww_random from, double mean, double deviation, ww_array out) {
    WW_CALL(device, "ww_random_normal", normal(device, &from, mean, deviation, &out), WW_WRITES(&out));
}
