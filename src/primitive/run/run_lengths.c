/* ww_run_lengths and ww_unique: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "primitive/run/sides.h"

typedef unsigned long long ull;

ww_status ww__run_lengths(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs) {
    if (device->backend == WW__BACKEND_GPU)
        return ww__run_lengths_gpu(device, r->in, r->values, r->lengths, r->total, runs);
    WW_TRY(ww__run_lengths_cpu(device, r->in, r->values, r->lengths, runs));
    return ww__put_count(device, r->total, *runs);
}

/* `values` goes by two names in the two calls, `runs` too. Either of the first two outputs may be ww_none. */
static ww_status run_lengths(ww_device *device, const ww_input *in, const char *values_name, const ww_array *values,
                             const ww_array *lengths, const char *runs_name, const ww_array *runs) {
    WW_TRY(ww__check_input(device, "in", in));
    const bool has_values = !ww__is_none(values), has_lengths = !ww__is_none(lengths);
    if (has_values) {
        WW_TRY(ww__check_array(device, values_name, values));
        WW_TRY(ww__check_same_type(device, "in", in->type, in->size, values_name, values->type, values->size));
    }
    if (has_lengths) WW_TRY(ww__check_counts(device, "lengths_out", lengths, in->count));
    WW_TRY(ww__check_one(device, runs_name, runs));
    WW_TRY(ww__check_counts(device, runs_name, runs, in->count));
    WW_TRY(ww__check_apart(device, "in", in, values_name, values, WW__APART));
    WW_TRY(ww__check_apart(device, "in", in, "lengths_out", lengths, WW__APART));
    WW_TRY(ww__check_apart(device, "in", in, runs_name, runs, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, values_name, values, "lengths_out", lengths));
    WW_TRY(ww__check_outputs_apart(device, values_name, values, runs_name, runs));
    WW_TRY(ww__check_outputs_apart(device, "lengths_out", lengths, runs_name, runs));
    if (!in->count) return ww__put_count(device, runs, 0);
    uint64_t found;
    WW_TRY(ww__run_lengths(device, &(ww__run_lengths_request){in, values, lengths, runs}, &found));
    WW_CHECK_ROOM(device, !has_values || found <= values->count, "there are %llu runs and %s has room for %llu",
                  (ull)found, values_name, (ull)values->count);
    WW_CHECK_ROOM(device, !has_lengths || found <= lengths->count,
                  "there are %llu runs and lengths_out has room for %llu", (ull)found, (ull)lengths->count);
    return WW_OK;
}

static ww_status unique(ww_device *device, const ww_input *in, const ww_array *out, const ww_array *count) {
    const ww_array none = ww_none;
    WW_CHECK(device, !ww__is_none(out), WW_INVALID, "out is missing");
    return run_lengths(device, in, "out", out, &none, "count", count);
}

ww_status ww_run_lengths(ww_device *device, ww_input in, ww_array values_out, ww_array lengths_out, ww_array runs) {
    const bool open = in.count_at && !values_out.count_at && !lengths_out.count_at;
    WW_CALL_COUNTED(device, "ww_run_lengths", open,
                    run_lengths(device, &in, "values_out", &values_out, &lengths_out, "runs", &runs), WW_READS(&in),
                    WW_WRITES_FIRST(&values_out, &runs), WW_WRITES_FIRST(&lengths_out, &runs));
}

ww_status ww_unique(ww_device *device, ww_input in, ww_array out, ww_array count) {
    WW_CALL_COUNTED(device, "ww_unique", in.count_at && !out.count_at, unique(device, &in, &out, &count), WW_READS(&in),
                    WW_WRITES_FIRST(&out, &count));
}
