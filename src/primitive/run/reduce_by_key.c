/* ww_reduce_by_key: the checks, and the choice of the backend. */
#include "device/call.h"
#include "device/checks.h"
#include "function/check.h"
#include "primitive/run/sides.h"

typedef unsigned long long ull;

ww_status ww__reduce_by_key(ww_device *device, const ww__reduce_by_key_request *r, uint64_t *runs) {
    if (device->backend == WW__BACKEND_GPU)
        return ww__reduce_by_key_gpu(device, r->op, r->keys, r->values, r->keys_out, r->values_out, r->total, runs);
    WW_TRY(ww__reduce_by_key_cpu(device, r->op, r->keys, r->values, r->keys_out, r->values_out, runs));
    return ww__put_count(device, r->total, *runs);
}

static ww_status check_apart(ww_device *device, const ww_function *op, const ww_input *keys, const ww_input *values,
                             const char *name, const ww_array *out) {
    WW_TRY(ww__check_environment_apart(device, op, name, out));
    WW_TRY(ww__check_apart(device, "keys", keys, name, out, WW__APART));
    return ww__check_apart(device, "values", values, name, out, WW__APART);
}

static ww_status reduce_by_key(ww_device *device, const ww_function *f, const ww_input *keys, const ww_input *values,
                               const ww_array *keys_out, const ww_array *values_out, const ww_array *runs) {
    const ww_function *op;
    const bool has_keys = !ww__is_none(keys_out);
    WW_TRY(ww__check_input(device, "keys", keys));
    WW_TRY(ww__check_input(device, "values", values));
    WW_CHECK(device, keys->count == values->count, WW_INVALID, "keys has %llu elements, values %llu", (ull)keys->count,
             (ull)values->count);
    WW_TRY(ww__check_operator(device, f, values->type, values->size, &op));
    WW_TRY(ww__try_operator(device, op, values));
    if (has_keys) {
        WW_TRY(ww__check_array(device, "keys_out", keys_out));
        WW_TRY(ww__check_same_type(device, "keys", keys->type, keys->size, "keys_out", keys_out->type, keys_out->size));
    }
    WW_TRY(ww__check_array(device, "values_out", values_out));
    WW_TRY(ww__check_same_type(device, "values", values->type, values->size, "values_out", values_out->type,
                               values_out->size));
    WW_TRY(ww__check_one(device, "runs", runs));
    WW_TRY(ww__check_counts(device, "runs", runs, keys->count));
    WW_TRY(check_apart(device, op, keys, values, "keys_out", keys_out));
    WW_TRY(check_apart(device, op, keys, values, "values_out", values_out));
    WW_TRY(check_apart(device, op, keys, values, "runs", runs));
    WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "values_out", values_out));
    WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "runs", runs));
    WW_TRY(ww__check_outputs_apart(device, "values_out", values_out, "runs", runs));
    if (!keys->count) return ww__put_count(device, runs, 0);
    uint64_t found;
    const ww__reduce_by_key_request r = {op, keys, values, keys_out, values_out, runs};
    WW_TRY(ww__reduce_by_key(device, &r, &found));
    WW_CHECK_ROOM(device, !has_keys || found <= keys_out->count, "there are %llu runs and keys_out has room for %llu",
                  (ull)found, (ull)keys_out->count);
    WW_CHECK_ROOM(device, found <= values_out->count, "there are %llu runs and values_out has room for %llu",
                  (ull)found, (ull)values_out->count);
    return WW_OK;
}

ww_status ww_reduce_by_key(ww_device *device, const ww_function *op, ww_input keys, ww_input values, ww_array keys_out,
                           ww_array values_out, ww_array runs) {
    const bool open = keys.count_at && keys.count_at == values.count_at && !keys_out.count_at && !values_out.count_at;
    WW_CALL_COUNTED(device, "ww_reduce_by_key", open,
                    reduce_by_key(device, op, &keys, &values, &keys_out, &values_out, &runs), WW_USES(&op),
                    WW_READS(&keys), WW_READS(&values), WW_WRITES_FIRST(&keys_out, &runs),
                    WW_WRITES_FIRST(&values_out, &runs));
}
