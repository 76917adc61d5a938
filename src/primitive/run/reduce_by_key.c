/* ww_reduce_by_key: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "device/gpu/gpu.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "primitive/run/sides.h"

typedef unsigned long long ull;

static ww_status reduce_as_is(ww_device *device, const ww__reduce_by_key_request *r, uint64_t *runs) {
    if (device->backend == WW__BACKEND_GPU) return ww__reduce_by_key_gpu(device, r, runs);
    WW_TRY(ww__reduce_by_key_cpu(device, r, runs));
    return ww__put_count(device, r->total, *runs);
}

/* The first `runs` floats, rounded to what is stored: a GPU's kernels alone may know how many there are. */
static ww_status round_runs(ww_device *device, ww_array sums, const ww__reduce_by_key_request *r, uint64_t runs) {
    const ww_type *const half = r->values_out->type;
    const bool unknown = device->gpu &&
                         device->gpu->driver->place(device->gpu->driver, r->total->data) != WW__PLACE_UNREACHABLE;
    ww__into into = {.type = sums.type,
                     .size = sums.size,
                     .function = ww__rounding(half),
                     .row = half,
                     .row_size = half->size,
                     .many = 1,
                     .array = {*r->values_out}};
    if (!unknown && !device->on_paper) sums.count = ww__min_u64(sums.count, runs);
    into.count = into.array[0].count = sums.count;
    const ww_input in = ww_from(sums);
    return ww__map_into(device, &(ww__map_into_request){.in = &in, .into = &into, .number = unknown ? r->total : NULL});
}

ww_status ww__reduce_by_key(ww_device *device, const ww__reduce_by_key_request *r, uint64_t *runs) {
    const ww_function *const op = ww__wide_operator(r->op);
    ww_array sums = ww_array_of(NULL, r->values_out->count, &ww_type_float);
    ww__reduce_by_key_request wide = *r;
    ww_input values;
    if (!op) return reduce_as_is(device, r, runs);
    WW_TRY(ww__widened(device, "values", r->values, &values));
    WW_TRY(ww__scratch_array(device, sums.count, sums.size, &sums.data));
    wide.op = op;
    wide.values = &values;
    wide.values_out = &sums;
    WW_TRY(reduce_as_is(device, &wide, runs));
    return round_runs(device, sums, r, *runs);
}

/* The checked operator is r->op, the caller's `f`. */
static ww_status check_apart(ww_device *device, const ww__reduce_by_key_request *r, const char *name,
                             const ww_array *out) {
    WW_TRY(ww__check_environment_apart(device, r->op, name, out));
    if (r->equal) WW_TRY(ww__check_environment_apart(device, r->equal, name, out));
    WW_TRY(ww__check_apart(device, "keys", r->keys, name, out, WW__APART));
    return ww__check_apart(device, "values", r->values, name, out, WW__APART);
}

static ww_status check_inputs(ww_device *device, ww__reduce_by_key_request *r, const ww_function *f) {
    const ww_input *const keys = r->keys, *const values = r->values;
    WW_TRY(ww__check_input(device, "keys", keys));
    WW_TRY(ww__check_input(device, "values", values));
    WW_CHECK(device, keys->count == values->count, WW_INVALID, "keys has %llu elements, values %llu", (ull)keys->count,
             (ull)values->count);
    WW_TRY(ww__check_equal(device, r->equal, keys));
    WW_TRY(ww__check_operator(device, f, values->type, values->size, &r->op));
    return ww__try_operator(device, r->op, values);
}

static ww_status check_outputs(ww_device *device, const ww__reduce_by_key_request *r) {
    const ww_input *const keys = r->keys, *const values = r->values;
    const ww_array *const keys_out = r->keys_out, *const values_out = r->values_out, *const runs = r->total;
    if (!ww__is_none(keys_out)) {
        WW_TRY(ww__check_array(device, "keys_out", keys_out));
        WW_TRY(ww__check_same_type(device, "keys", keys->type, keys->size, "keys_out", keys_out->type, keys_out->size));
    }
    WW_TRY(ww__check_array(device, "values_out", values_out));
    WW_TRY(ww__check_same_type(device, "values", values->type, values->size, "values_out", values_out->type,
                               values_out->size));
    WW_TRY(ww__check_one(device, "runs", runs));
    WW_TRY(ww__check_counts(device, "runs", runs, keys->count));
    WW_TRY(check_apart(device, r, "keys_out", keys_out));
    WW_TRY(check_apart(device, r, "values_out", values_out));
    WW_TRY(check_apart(device, r, "runs", runs));
    WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "values_out", values_out));
    WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "runs", runs));
    return ww__check_outputs_apart(device, "values_out", values_out, "runs", runs);
}

/* `by`: the caller compares keys. */
static ww_status reduce_by_key(ww_device *device, const ww_function *f, bool by, ww__reduce_by_key_request r) {
    const bool has_keys = !ww__is_none(r.keys_out);
    uint64_t found;
    WW_CHECK(device, r.equal || !by, WW_INVALID, "the function that compares is NULL");
    WW_TRY(check_inputs(device, &r, f));
    WW_TRY(check_outputs(device, &r));
    if (!r.keys->count) return ww__put_count(device, r.total, 0);
    WW_TRY(ww__reduce_by_key(device, &r, &found));
    WW_CHECK_ROOM(device, !has_keys || found <= r.keys_out->count,
                  "there are %llu runs and keys_out has a capacity of %llu", (ull)found, (ull)r.keys_out->count);
    WW_CHECK_ROOM(device, found <= r.values_out->count, "there are %llu runs and values_out has a capacity of %llu",
                  (ull)found, (ull)r.values_out->count);
    return WW_OK;
}

#define REQUEST(equal) ((ww__reduce_by_key_request){NULL, &keys, &values, &keys_out, &values_out, &runs, equal})

ww_status ww_reduce_by_key(ww_device *device, const ww_function *op, ww_input keys, ww_input values, ww_array keys_out,
                           ww_array values_out, ww_array runs) {
    const bool open = keys.count_at && keys.count_at == values.count_at && !keys_out.count_at && !values_out.count_at;
    WW_CALL_COUNTED(device, "ww_reduce_by_key", open, reduce_by_key(device, op, false, REQUEST(NULL)), WW_USES(&op),
                    WW_READS(&keys), WW_READS(&values), WW_WRITES_FIRST(&keys_out, &runs),
                    WW_WRITES_FIRST(&values_out, &runs));
}

ww_status ww_reduce_by_key_by(ww_device *device, const ww_function *equal, const ww_function *op, ww_input keys,
                              ww_input values, ww_array keys_out, ww_array values_out, ww_array runs) {
    const bool open = keys.count_at && keys.count_at == values.count_at && !keys_out.count_at && !values_out.count_at;
    WW_CALL_COUNTED(device, "ww_reduce_by_key_by", open, reduce_by_key(device, op, true, REQUEST(equal)),
                    WW_USES(&equal), WW_USES(&op), WW_READS(&keys), WW_READS(&values),
                    WW_WRITES_FIRST(&keys_out, &runs), WW_WRITES_FIRST(&values_out, &runs));
}
