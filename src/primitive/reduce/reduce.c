/* ww_reduce, ww_reduce_segments, ww_arg_min, ww_arg_max and those of segments: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "primitive/reduce/sides.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* ---- the inner interface ---- */

static ww_status reduce_as_is(ww_device *device, const ww__reduce_request *r) {
    return device->backend == WW__BACKEND_GPU ? ww__reduce_gpu(device, r->op, r->in, r->out)
                                              : ww__reduce_cpu(device, r->op, r->in, r->out->data);
}

/* Floats, rounded to what is stored. */
static ww_status round_to(ww_device *device, const ww_array *wide, const ww_array *out) {
    const ww_input rounded = ww_cast(out->type, ww_from(*wide));
    return ww__map(device, &(ww__map_request){&rounded, out, NULL});
}

ww_status ww__reduce(ww_device *device, const ww__reduce_request *r) {
    const ww_function *const op = ww__wide_operator(r->op);
    ww_array sum = ww_array_of(NULL, 1, &ww_type_float);
    ww_input in;
    if (!op) return reduce_as_is(device, r);
    WW_TRY(ww__widened(device, "in", r->in, &in));
    WW_TRY(ww__scratch(device, sum.size, &sum.data));
    WW_TRY(reduce_as_is(device, &(ww__reduce_request){op, &in, &sum}));
    return round_to(device, &sum, r->out);
}

static ww_status bad_offset(ww_device *device, const ww_input *offsets, uint64_t count, uint64_t position) {
    uint64_t value, before = 0;
    WW_TRY(ww__input_number(device, offsets, position, &value));
    if (position) WW_TRY(ww__input_number(device, offsets, position - 1, &before));
    if (value > count)
        return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, and the input has %llu elements", (ull)position,
                        ww__number_said(offsets->type->label, value).text, (ull)count);
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %llu, below the %llu before it", (ull)position, (ull)value,
                    (ull)before);
}

static ww_status reduce_segments_as_is(ww_device *device, const ww__reduce_segments_request *r) {
    ww__fault fault;
    if (device->backend == WW__BACKEND_GPU) return ww__reduce_segments_gpu(device, r->op, r->in, r->offsets, r->out);
    ww__fault_clear(&fault);
    WW_TRY(ww__reduce_segments_cpu(device, r->op, r->in, r->offsets, r->out, &fault));
    return fault.position == UINT64_MAX ? WW_OK : bad_offset(device, r->offsets, r->in->count, fault.position);
}

ww_status ww__reduce_segments(ww_device *device, const ww__reduce_segments_request *r) {
    const ww_function *const op = ww__wide_operator(r->op);
    ww_array sums = ww_array_of(NULL, r->out->count, &ww_type_float);
    ww_input in;
    if (!op) return reduce_segments_as_is(device, r);
    WW_TRY(ww__widened(device, "in", r->in, &in));
    WW_TRY(ww__scratch_array(device, sums.count, sums.size, &sums.data));
    WW_TRY(reduce_segments_as_is(device, &(ww__reduce_segments_request){op, &in, r->offsets, &sums}));
    return sums.count ? round_to(device, &sums, r->out) : WW_OK;
}

ww_status ww__extreme(ww_device *device, const ww__extreme_request *r) {
    uint64_t position = 0;
    if (device->backend == WW__BACKEND_GPU)
        return ww__extreme_gpu(device, r->less, r->in, r->greatest, r->value_out, r->position_out);
    WW_TRY(ww__extreme_cpu(device, r->less, r->in, r->greatest, r->value_out->data, &position));
    return ww__put_count(device, r->position_out, position);
}

ww_status ww__extreme_segments(ww_device *device, const ww__extreme_segments_request *r) {
    ww__fault fault;
    if (device->backend == WW__BACKEND_GPU) return ww__extreme_segments_gpu(device, r);
    ww__fault_clear(&fault);
    WW_TRY(ww__extreme_segments_cpu(device, r, &fault));
    return fault.position == UINT64_MAX ? WW_OK : bad_offset(device, r->offsets, r->in->count, fault.position);
}

/* ---- the public functions: enter, check, the request, leave ---- */

static ww_status reduce(ww_device *device, const ww_function *f, const ww_input *in, const ww_array *out) {
    const ww_function *op;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_operator(device, f, in->type, in->size, &op));
    WW_TRY(ww__try_operator(device, op, in));
    WW_TRY(ww__check_one(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    WW_TRY(ww__check_environment_apart(device, op, "out", out));
    if (!in->count) return ww__put_one(device, out->data, op->identity, out->size);
    return ww__reduce(device, &(ww__reduce_request){op, in, out});
}

static ww_status reduce_segments(ww_device *device, const ww_function *f, const ww_input *in, const ww_input *offsets,
                                 const ww_array *out) {
    const ww_function *op;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_operator(device, f, in->type, in->size, &op));
    WW_TRY(ww__try_operator(device, op, in));
    WW_TRY(ww__check_index(device, "offsets", offsets));
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, out->count < UINT64_MAX && offsets->count == out->count + 1, WW_INVALID,
             "offsets has %llu elements; out has %llu and asks for one more", (ull)offsets->count, (ull)out->count);
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    WW_TRY(ww__check_apart(device, "offsets", offsets, "out", out, WW__APART));
    WW_TRY(ww__check_environment_apart(device, op, "out", out));
    return ww__reduce_segments(device, &(ww__reduce_segments_request){op, in, offsets, out});
}

static ww_status extreme(ww_device *device, const ww_function *f, const ww_input *in, bool greatest,
                         const ww_array *value_out, const ww_array *position_out) {
    const ww_function *less;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_order(device, f, in->type, in->size, &less));
    WW_TRY(ww__try_order(device, less, in, NULL));
    WW_CHECK(device, in->count, WW_INVALID, "in is empty");
    WW_TRY(ww__check_counts(device, "position_out", position_out, in->count - 1));
    WW_TRY(ww__check_one(device, "position_out", position_out));
    WW_TRY(ww__check_apart(device, "in", in, "position_out", position_out, WW__APART));
    WW_TRY(ww__check_environment_apart(device, less, "position_out", position_out));
    if (!ww__is_none(value_out)) {
        WW_TRY(ww__check_one(device, "value_out", value_out));
        WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "value_out", value_out->type, value_out->size));
        WW_TRY(ww__check_apart(device, "in", in, "value_out", value_out, WW__APART));
        WW_TRY(ww__check_environment_apart(device, less, "value_out", value_out));
        WW_TRY(ww__check_outputs_apart(device, "value_out", value_out, "position_out", position_out));
    }
    return ww__extreme(device, &(ww__extreme_request){less, in, greatest, value_out, position_out});
}

static ww_status extreme_segments(ww_device *device, const ww_function *f, const ww_input *in, const ww_input *offsets,
                                  bool greatest, const ww_array *position_out) {
    const ww_function *less;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_order(device, f, in->type, in->size, &less));
    WW_TRY(ww__try_order(device, less, in, NULL));
    WW_TRY(ww__check_index(device, "offsets", offsets));
    WW_TRY(ww__check_counts(device, "position_out", position_out, in->count));
    WW_CHECK(device, position_out->count < UINT64_MAX && offsets->count == position_out->count + 1, WW_INVALID,
             "offsets has %llu elements; position_out has %llu and asks for one more", (ull)offsets->count,
             (ull)position_out->count);
    WW_TRY(ww__check_apart(device, "in", in, "position_out", position_out, WW__APART));
    WW_TRY(ww__check_apart(device, "offsets", offsets, "position_out", position_out, WW__APART));
    WW_TRY(ww__check_environment_apart(device, less, "position_out", position_out));
    return ww__extreme_segments(device, &(ww__extreme_segments_request){less, in, offsets, greatest, position_out});
}

ww_status ww_reduce(ww_device *device, const ww_function *op, ww_input in, ww_array out) {
    WW_CALL_COUNTED(device, "ww_reduce", !out.count_at, reduce(device, op, &in, &out), WW_USES(&op), WW_READS(&in),
                    WW_WRITES(&out));
}

ww_status ww_reduce_segments(ww_device *device, const ww_function *op, ww_input in, ww_input offsets, ww_array out) {
    WW_CALL(device, "ww_reduce_segments", reduce_segments(device, op, &in, &offsets, &out), WW_USES(&op), WW_READS(&in),
            WW_READS(&offsets), WW_WRITES(&out));
}

ww_status ww_arg_min(ww_device *device, const ww_function *less, ww_input in, ww_array value_out,
                     ww_array position_out) {
    WW_CALL(device, "ww_arg_min", extreme(device, less, &in, false, &value_out, &position_out), WW_USES(&less),
            WW_READS(&in));
}

ww_status ww_arg_max(ww_device *device, const ww_function *less, ww_input in, ww_array value_out,
                     ww_array position_out) {
    WW_CALL(device, "ww_arg_max", extreme(device, less, &in, true, &value_out, &position_out), WW_USES(&less),
            WW_READS(&in));
}

ww_status ww_arg_min_segments(ww_device *device, const ww_function *less, ww_input in, ww_input offsets,
                              ww_array position_out) {
    WW_CALL(device, "ww_arg_min_segments", extreme_segments(device, less, &in, &offsets, false, &position_out),
            WW_USES(&less), WW_READS(&in), WW_READS(&offsets), WW_WRITES(&position_out));
}

ww_status ww_arg_max_segments(ww_device *device, const ww_function *less, ww_input in, ww_input offsets,
                              ww_array position_out) {
    WW_CALL(device, "ww_arg_max_segments", extreme_segments(device, less, &in, &offsets, true, &position_out),
            WW_USES(&less), WW_READS(&in), WW_READS(&offsets), WW_WRITES(&position_out));
}
