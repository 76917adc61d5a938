/* ww_scan, ww_scan_segmented, ww_scan_by_key: the checks, and the choice of the method and the machine. */
#include <stddef.h>
#include <string.h>

#include "device/call.h"
#include "device/checks.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "function/check.h"
#include "primitive/map/map.h"
#include "primitive/mark/mark.h"
#include "primitive/scan/sides.h"

typedef unsigned long long ull;

static ww_status run_cpu(const ww__scanning *s) {
    if (s->method == WW_SCAN_HILLIS_STEELE) return ww__scan_hillis_steele_cpu(s);
    if (s->method == WW_SCAN_BLELLOCH) return ww__scan_blelloch_cpu(s);
    return s->heads || s->keys ? ww__scan_segments_lookback_cpu(s) : ww__scan_lookback_cpu(s);
}

static ww_status run_gpu(const ww__scanning *s) {
    if (s->method == WW_SCAN_HILLIS_STEELE) return ww__scan_hillis_steele_gpu(s);
    if (s->method == WW_SCAN_BLELLOCH) return ww__scan_blelloch_gpu(s);
    return s->ordered && ww__scan_shows_brackets(s->op, s->in->type) ? ww__scan_ordered_gpu(s) : ww__scan_gpu(s);
}

/* One element may go to the host's memory. */
static ww_status run_one_gpu(ww__scanning *one) {
    const ww_array *const wanted = one->out;
    ww_array out = *wanted;
    one->out = &out;
    WW_TRY(ww__gpu_room(one->device, wanted->data, out.size, &out.data));
    WW_TRY(run_gpu(one));
    return ww__gpu_result(one->device, wanted->data, out.data, out.size);
}

/* Where no program writes through the output: to scratch memory, and from there. */
static ww_status run_apart(const ww__scanning *s) {
    ww__scanning plain = *s;
    ww_array out = *s->out;
    WW_TRY(ww__scratch_array(s->device, out.count, out.size, &out.data));
    plain.out = &out;
    plain.into = NULL;
    WW_TRY(run_gpu(&plain));
    const ww_input in = ww_from(out);
    return ww__map_into(s->device, &(ww__map_into_request){.in = &in, .into = s->into});
}

/* Programs of a kernel pack take flags, which serve keys of any type. What is computed has to be stored before anything is launched. */
static bool marks_keys(const ww__scanning *s) {
    const ww_device *device = s->device;
    return s->keys && !ww__gpu_compiles(device) && device->stores != WW__STORES_POSSIBLE &&
           ww__input_is_memory(s->keys) && !s->keys->count_at;
}

/* An exclusive segment begins with the identity. Of ww_min and ww_max that is seen in a NaN alone, which becomes the one that results are:
 * it is as if it were given, so that a NaN's bits do not depend on where tiles end. */
static bool begins_with_identity(const ww__scanning *s) {
    return s->exclusive && (s->heads || s->keys) && !s->initial && s->in->type->kind == WW_KIND_FLOAT &&
           ww__is_extreme(s->op);
}

static ww_status run(const ww__scanning *request) {
    ww__scanning s = *request;
    ww_device *device = s.device;
    ww_input flags;
    if (begins_with_identity(&s)) s.initial = s.op->identity;
    if (device->backend == WW__BACKEND_CPU) return run_cpu(&s);
    if (marks_keys(&s)) {
        WW_TRY(ww__mark(device, s.keys, NULL, &flags));
        s.heads = &flags;
        s.keys = NULL;
    }
    if (s.into && ww__stores_members(device, s.into)) return run_apart(&s);
    return s.out->count == 1 && !s.into ? run_one_gpu(&s) : run_gpu(&s);
}

/* Sums of f16 and bf16, which are scanned as floats: what the call gives is rounded as it is written where the method writes through
 * outputs that are computed, and behind it in all other cases. */
static ww_status run_wide(const ww__scanning *s, const ww_function *op) {
    ww_device *device = s->device;
    const ww_type *const half = s->in->type;
    float initial;
    ww__into into = {.type = &ww_type_float,
                     .size = sizeof(float),
                     .count = s->out->count,
                     .function = ww__rounding(half),
                     .row = half,
                     .row_size = half->size,
                     .many = 1,
                     .array = {*s->out}};
    ww_array sums = ww_array_of(NULL, s->out->count, &ww_type_float), total = ww_array_of(NULL, 1, &ww_type_float);
    ww__scanning wide = *s;
    ww_input in;
    WW_TRY(ww__widened(device, "in", s->in, &in));
    wide.op = op;
    wide.in = &in;
    wide.out = &sums;
    if (s->initial) {
        ww__widen(device, &initial, half, s->initial, 1);
        wide.initial = &initial;
    }
    if (s->total) {
        WW_TRY(ww__scratch(device, total.size, &total.data));
        wide.total = total.data;
    }
    const bool through = s->method <= WW_SCAN_LOOKBACK && !s->heads && !s->keys && !s->into && !s->in->count_at &&
                         s->out->count > 1 && !ww__scan_in_place(s->in, s->out);
    if (through) {
        wide.into = &into;
    } else {
        WW_TRY(ww__scratch_array(device, sums.count, sums.size, &sums.data));
        wide.into = NULL;
    }
    WW_TRY(run(&wide));
    sums.count_at = s->in->count_at;
    const ww_input rounded = ww_cast(half, ww_from(sums)), rounded_total = ww_cast(half, ww_from(total));
    const ww_array total_out = ww_array_of(s->total, 1, half);
    if (!through && s->into) {
        ww_array stored = ww_array_of(NULL, sums.count, half);
        ww_input from = rounded;
        if (ww__stores_members(device, s->into)) {
            WW_TRY(ww__scratch_array(device, stored.count, stored.size, &stored.data));
            WW_TRY(ww__map(device, &(ww__map_request){&rounded, &stored, NULL}));
            from = ww_from(stored);
        }
        WW_TRY(ww__map_into(device, &(ww__map_into_request){.in = &from, .into = s->into}));
    }
    if (!through && !s->into) WW_TRY(ww__map(device, &(ww__map_request){&rounded, s->out, NULL}));
    return s->total ? ww__map(device, &(ww__map_request){&rounded_total, &total_out, NULL}) : WW_OK;
}

ww_status ww__scan(ww_device *device, const ww__scanning *request) {
    const ww_function *const op = ww__wide_operator(request->op);
    ww__scanning s = *request;
    s.device = device;
    return op ? run_wide(&s, op) : run(&s);
}

/* A long initial value is copied: it may stand in what the call writes. */
static ww_status keep_initial(ww__scanning *s, const ww_value *initial) {
    void *copy;
    if (!initial->type) return WW_OK;
    WW_TRY(ww__check_value(s->device, "options.initial", initial, s->in->type, s->in->size));
    s->initial = ww__value_at(initial);
    if (s->initial == initial->bytes || s->device->gpu) return WW_OK; /* a kernel gets it by value */
    WW_TRY(ww__scratch(s->device, s->in->size, &copy));
    if (s->device->on_paper) return WW_OK;
    s->initial = memcpy(copy, s->initial, s->in->size);
    return WW_OK;
}

static ww_status check_total(const ww__scanning *s, const ww_array *total) {
    ww_device *device = s->device;
    WW_CHECK(device, !s->heads && !s->keys, WW_INVALID, "options.total is for scans without segments");
    WW_TRY(ww__check_one(device, "options.total", total));
    WW_TRY(ww__check_same_type(device, "in", s->in->type, s->in->size, "options.total", total->type, total->size));
    WW_TRY(ww__check_apart(device, "in", s->in, "options.total", total, WW__APART));
    WW_TRY(ww__check_environment_apart(device, s->op, "options.total", total));
    for (uint32_t k = 0; s->into && k < s->into->many; k++)
        WW_TRY(ww__check_outputs_apart(device, "out", &s->into->array[k], "options.total", total));
    if (s->into) return ww__check_into_reads_apart(device, s->into, "options.total", total);
    return ww__check_outputs_apart(device, "out", s->out, "options.total", total);
}

static ww_status check_out(const ww__scanning *s) {
    ww_device *device = s->device;
    WW_TRY(ww__check_array(device, "out", s->out));
    WW_TRY(ww__check_same_type(device, "in", s->in->type, s->in->size, "out", s->out->type, s->out->size));
    WW_CHECK(device, s->in->count == s->out->count, WW_INVALID, "in has %llu elements, out %llu", (ull)s->in->count,
             (ull)s->out->count);
    WW_TRY(ww__check_apart(device, "in", s->in, "out", s->out, WW__SAME_ALLOWED));
    return ww__check_environment_apart(device, s->op, "out", s->out);
}

static ww_status check_computed(const ww__scanning *s, ww__into *into) {
    WW_TRY(ww__check_into(s->device, into, s->in));
    for (uint32_t k = 0; k < into->many; k++)
        WW_TRY(ww__check_environment_apart(s->device, s->op, "out", &into->array[k]));
    return WW_OK;
}

/* `s` has the device, the input and the output, and heads or keys, which have been checked. */
static ww_status scan(ww__scanning *s, ww__into *into, const ww_function *op, const ww_scan_options *options) {
    ww_device *device = s->device;
    ww_scan_options o;
    WW_TRY(ww__take_options(device, options, "WW_SCAN_OPTIONS", &o, offsetof(ww_scan_options, reserved)));
    WW_CHECK(device, o.method <= WW_SCAN_BLELLOCH, WW_INVALID, "options.method is %d, which is not a ww_scan_method",
             (int)o.method);
    WW_TRY(ww__check_operator(device, op, s->in->type, s->in->size, &s->op));
    WW_TRY(ww__try_operator(device, s->op, s->in));
    WW_TRY(into ? check_computed(s, into) : check_out(s));
    s->exclusive = o.exclusive;
    s->ordered = o.deterministic || device->deterministic;
    if (!ww__is_none(&o.total)) {
        WW_TRY(check_total(s, &o.total));
        s->total = o.total.data;
    }
    WW_TRY(keep_initial(s, &o.initial));
    s->method = (ww_scan_method)o.method;
    if (s->in->count) return ww__scan(device, s);
    return s->total ? ww__put_one(device, s->total, s->initial ? s->initial : s->op->identity, s->in->size) : WW_OK;
}

static ww_status scan_segmented(ww__scanning *s, const ww_function *op, ww_input *heads,
                                const ww_scan_options *options) {
    WW_TRY(ww__check_input(s->device, "in", s->in));
    WW_TRY(ww__check_flags(s->device, "heads", heads, s->in->count));
    s->heads = heads;
    WW_TRY(ww__check_apart(s->device, "heads", heads, "out", s->out, WW__APART));
    return scan(s, NULL, op, options);
}

static ww_status scan_by_key(ww__scanning *s, const ww_function *op, const ww_scan_options *options) {
    ww_device *device = s->device;
    WW_TRY(ww__check_input(device, "in", s->in));
    WW_TRY(ww__check_input(device, "keys", s->keys));
    WW_CHECK(device, s->keys->count == s->in->count, WW_INVALID, "keys has %llu elements, in %llu", (ull)s->keys->count,
             (ull)s->in->count);
    WW_TRY(ww__check_apart(device, "keys", s->keys, "out", s->out, WW__APART));
    return scan(s, NULL, op, options);
}

static ww_status scan_whole(ww__scanning *s, ww__into *into, const ww_function *op, const ww_scan_options *options) {
    WW_TRY(ww__check_input(s->device, "in", s->in));
    return scan(s, into, op, options);
}

static ww_status scan_to_computed(ww_device *device, const ww_function *op, ww_input *in, const ww_array *out,
                                  const ww_scan_options *options) {
    ww__into into;
    const ww_array nothing = ww_array_of(NULL, in->count,
                                         in->type); /* in's own count, if the host has to look at that */
    ww__scanning s = {.device = device, .in = in, .out = &nothing, .into = &into};
    ww__into_of(out, &into);
    WW_CALL(device, "ww_scan", scan_whole(&s, &into, op, options), WW_USES(&op), WW__USES_INTO(into), WW_READS(in),
            WW__WRITES_INTO(into));
}

/* One number for all. One element goes to the host perhaps. */
static bool is_open(const ww_input *in, const ww_input *by, const ww_array *out) {
    return in->count_at && in->count_at == by->count_at && in->count_at == out->count_at && out->count != 1;
}

ww_status ww_scan(ww_device *device, const ww_function *op, ww_input in, ww_array out, const ww_scan_options *options) {
    ww__scanning s = {.device = device, .in = &in, .out = &out};
    const bool open = is_open(&in, &in, &out);
    /* The methods for learning write an array. */
    if (out.reserved && !(options && options->method > WW_SCAN_LOOKBACK))
        return scan_to_computed(device, op, &in, &out, options);
    WW_CALL_COUNTED(device, "ww_scan", open, scan_whole(&s, NULL, op, options), WW_USES(&op), WW_READS(&in),
                    WW_WRITES(&out));
}

ww_status ww_scan_segmented(ww_device *device, const ww_function *op, ww_input in, ww_input heads, ww_array out,
                            const ww_scan_options *options) {
    ww__scanning s = {.device = device, .in = &in, .out = &out};
    const bool open = is_open(&in, &heads, &out);
    WW_CALL_COUNTED(device, "ww_scan_segmented", open, scan_segmented(&s, op, &heads, options), WW_USES(&op),
                    WW_READS(&in), WW_READS(&heads), WW_WRITES(&out));
}

ww_status ww_scan_by_key(ww_device *device, const ww_function *op, ww_input keys, ww_input in, ww_array out,
                         const ww_scan_options *options) {
    ww__scanning s = {.device = device, .in = &in, .keys = &keys, .out = &out};
    const bool open = is_open(&in, &keys, &out);
    WW_CALL_COUNTED(device, "ww_scan_by_key", open, scan_by_key(&s, op, options), WW_USES(&op), WW_READS(&keys),
                    WW_READS(&in), WW_WRITES(&out));
}
