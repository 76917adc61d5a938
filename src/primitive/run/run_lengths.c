/* ww_run_lengths, ww_unique and their like by the caller's equality: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "primitive/map/map.h"
#include "primitive/pack/pack.h"
#include "primitive/run/sides.h"

typedef unsigned long long ull;

/* In place a tile is read before any of its elements, or of those before, are written (primitive/pack/pack.c); and its first one is
 * compared with the one before, which has to be the one in memory. */
static bool wants_copy(const ww_device *device, const ww__run_lengths_request *r) {
    if (ww__is_none(r->values) || !ww__in_place(r->in, r->values)) return false;
    return !ww__input_memory(r->in) || ww__pack_long(device, r->in);
}

ww_status ww__run_lengths(ww_device *device, const ww__run_lengths_request *request, uint64_t *runs) {
    ww__run_lengths_request given = *request;
    const ww__run_lengths_request *const r = &given;
    ww_array copy;
    ww_input copied;
    if (wants_copy(device, r)) {
        WW_TRY(ww__stored_copy(device, r->in, &copy));
        copied = ww_from(copy);
        given.in = &copied;
    }
    if (device->backend == WW__BACKEND_GPU) return ww__run_lengths_gpu(device, r, runs);
    WW_TRY(ww__run_lengths_cpu(device, r, runs));
    return ww__put_count(device, r->total, *runs);
}

/* A function that compares two elements of an input, or NULL for their bytes. */
ww_status ww__check_equal(ww_device *device, const ww_function *equal, const ww_input *in) {
    return equal ? ww__check_map(device, equal, in->type, in->size, in->type, in->size, true) : WW_OK;
}

typedef struct names {
    const char *values, *runs;
    ww__sharing sharing; /* of the values with what is read */
} names;

/* What shares no memory with an output. */
static ww_status check_apart(ww_device *device, const ww__run_lengths_request *r, const char *name, const ww_array *out,
                             ww__sharing sharing) {
    if (r->equal) WW_TRY(ww__check_environment_apart(device, r->equal, name, out));
    return ww__check_apart(device, "in", r->in, name, out, sharing);
}

/* `values` and the number of runs go by two names in the calls. Either of the first two outputs may be ww_none. */
static ww_status run_lengths(ww_device *device, const ww__run_lengths_request *r, const names *named) {
    const ww_input *const in = r->in;
    const ww_array *const values = r->values, *const lengths = r->lengths, *const runs = r->total;
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_equal(device, r->equal, in));
    const bool has_values = !ww__is_none(values), has_lengths = !ww__is_none(lengths);
    if (has_values) {
        WW_TRY(ww__check_array(device, named->values, values));
        WW_TRY(ww__check_same_type(device, "in", in->type, in->size, named->values, values->type, values->size));
    }
    if (has_lengths) WW_TRY(ww__check_counts(device, "lengths_out", lengths, in->count));
    WW_TRY(ww__check_one(device, named->runs, runs));
    WW_TRY(ww__check_counts(device, named->runs, runs, in->count));
    WW_TRY(check_apart(device, r, named->values, values, named->sharing));
    WW_TRY(check_apart(device, r, "lengths_out", lengths, WW__APART));
    WW_TRY(check_apart(device, r, named->runs, runs, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, named->values, values, "lengths_out", lengths));
    WW_TRY(ww__check_outputs_apart(device, named->values, values, named->runs, runs));
    WW_TRY(ww__check_outputs_apart(device, "lengths_out", lengths, named->runs, runs));
    if (!in->count) return ww__put_count(device, runs, 0);
    uint64_t found;
    WW_TRY(ww__run_lengths(device, r, &found));
    WW_CHECK_ROOM(device, !has_values || found <= values->count, "there are %llu runs and %s has a capacity of %llu",
                  (ull)found, named->values, (ull)values->count);
    WW_CHECK_ROOM(device, !has_lengths || found <= lengths->count,
                  "there are %llu runs and lengths_out has a capacity of %llu", (ull)found, (ull)lengths->count);
    return WW_OK;
}

/* equal: where it is the caller's, it must not be NULL. */
static ww_status lengths_by(ww_device *device, const ww_function *equal, bool by, const ww_input *in,
                            const ww_array *values, const ww_array *lengths, const ww_array *runs) {
    static const names named = {"values_out", "runs", WW__APART};
    WW_CHECK(device, equal || !by, WW_INVALID, "the function is NULL");
    return run_lengths(device, &(ww__run_lengths_request){in, values, lengths, runs, equal}, &named);
}

static ww_status unique_by(ww_device *device, const ww_function *equal, bool by, const ww_input *in,
                           const ww_array *out, const ww_array *count) {
    static const names named = {"out", "count", WW__SAME_ALLOWED};
    const ww_array none = ww_none;
    WW_CHECK(device, equal || !by, WW_INVALID, "the function is NULL");
    WW_CHECK(device, !ww__is_none(out), WW_INVALID, "out is missing");
    return run_lengths(device, &(ww__run_lengths_request){in, out, &none, count, equal}, &named);
}

ww_status ww_run_lengths(ww_device *device, ww_input in, ww_array values_out, ww_array lengths_out, ww_array runs) {
    const bool open = in.count_at && !values_out.count_at && !lengths_out.count_at;
    WW_CALL_COUNTED(device, "ww_run_lengths", open,
                    lengths_by(device, NULL, false, &in, &values_out, &lengths_out, &runs), WW_READS(&in),
                    WW_WRITES_FIRST(&values_out, &runs), WW_WRITES_FIRST(&lengths_out, &runs));
}

ww_status ww_run_lengths_by(ww_device *device, const ww_function *equal, ww_input in, ww_array values_out,
                            ww_array lengths_out, ww_array runs) {
    const bool open = in.count_at && !values_out.count_at && !lengths_out.count_at;
    WW_CALL_COUNTED(device, "ww_run_lengths_by", open,
                    lengths_by(device, equal, true, &in, &values_out, &lengths_out, &runs), WW_USES(&equal),
                    WW_READS(&in), WW_WRITES_FIRST(&values_out, &runs), WW_WRITES_FIRST(&lengths_out, &runs));
}

ww_status ww_unique(ww_device *device, ww_input in, ww_array out, ww_array count) {
    WW_CALL_COUNTED(device, "ww_unique", in.count_at && !out.count_at,
                    unique_by(device, NULL, false, &in, &out, &count), WW_READS(&in), WW_WRITES_FIRST(&out, &count));
}

ww_status ww_unique_by(ww_device *device, const ww_function *equal, ww_input in, ww_array out, ww_array count) {
    WW_CALL_COUNTED(device, "ww_unique_by", in.count_at && !out.count_at,
                    unique_by(device, equal, true, &in, &out, &count), WW_USES(&equal), WW_READS(&in),
                    WW_WRITES_FIRST(&out, &count));
}
