/* ww_expand and ww_expand_offsets: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/check.h"
#include "primitive/expand/sides.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

ww_status ww__say_offset(ww_device *device, const char *label, uint64_t position, uint64_t value) {
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, below %s", (ull)position,
                    ww__number_said(label, value).text,
                    label[0] == 'i' && value > INT64_MAX ? "0" : "the one before it");
}

ww_status ww__say_count(ww_device *device, uint64_t position, uint64_t value) {
    return ww__fail(device, WW_RANGE, "counts[%llu] is %lld, below 0", (ull)position, (long long)value);
}

ww_status ww__expand(ww_device *device, const ww__expand_request *r, uint64_t *total) {
    *total = 0;
    return device->backend == WW__BACKEND_GPU ? ww__expand_gpu(device, r, total) : ww__expand_cpu(device, r, total);
}

/* An output that is given has the capacity of those before it: *room is NULL, or points to the first one's count. */
static ww_status check_length(ww_device *device, const char *name, const ww_array *array, const uint64_t **room) {
    if (ww__is_none(array)) return WW_OK;
    WW_CHECK(device, !*room || **room == array->count, WW_INVALID,
             "%s has a capacity of %llu elements, the output before it of %llu", name, (ull)array->count,
             (ull) * *room);
    *room = &array->count;
    return WW_OK;
}

/* The outputs, and what they share with the input, the counts (or offsets) and one another. `e` has all but the capacity. */
static ww_status check_outputs(ww_device *device, ww__expand_request *e, uint64_t elements, const char *by_name,
                               const ww_input *by) {
    const struct {
        const char *name;
        const ww_array *array;
    } output[3] = {{"out", e->out}, {"source_out", e->source}, {"rank_out", e->rank}};
    const uint64_t *room = NULL;
    const bool with_in = e->in->type || e->in->problem;
    WW_CHECK(device, with_in == !ww__is_none(e->out), WW_INVALID,
             with_in ? "there is an input, and out is missing" : "there is an output for elements, and no input");
    if (with_in) {
        WW_TRY(ww__check_input(device, "in", e->in));
        WW_CHECK(device, e->in->count == elements, WW_INVALID, "in has %llu elements, and %s are for %llu",
                 (ull)e->in->count, by_name, (ull)elements);
        WW_TRY(ww__check_array(device, "out", e->out));
        WW_TRY(ww__check_same_type(device, "in", e->in->type, e->in->size, "out", e->out->type, e->out->size));
    }
    for (size_t k = 0; k < 3; k++) WW_TRY(check_length(device, output[k].name, output[k].array, &room));
    e->room = room ? *room : 0;
    if (!ww__is_none(e->source)) WW_TRY(ww__check_counts(device, "source_out", e->source, elements ? elements - 1 : 0));
    if (!ww__is_none(e->rank)) WW_TRY(ww__check_counts(device, "rank_out", e->rank, e->room ? e->room - 1 : 0));
    for (size_t k = 0; k < 3; k++) {
        if (with_in) WW_TRY(ww__check_apart(device, "in", e->in, output[k].name, output[k].array, WW__APART));
        WW_TRY(ww__check_apart(device, by_name, by, output[k].name, output[k].array, WW__APART));
        for (size_t l = 0; l < k; l++)
            WW_TRY(ww__check_outputs_apart(device, output[l].name, output[l].array, output[k].name, output[k].array));
    }
    return WW_OK;
}

static ww_status check_total(ww_device *device, const ww__expand_request *e) {
    WW_TRY(ww__check_one(device, "total", e->total));
    WW_TRY(ww__check_counts(device, "total", e->total, UINT64_MAX));
    if (e->in->type) WW_TRY(ww__check_apart(device, "in", e->in, "total", e->total, WW__APART));
    WW_TRY(ww__check_apart(device, "counts", e->counts, "total", e->total, WW__APART));
    WW_TRY(ww__check_outputs_apart(device, "out", e->out, "total", e->total));
    WW_TRY(ww__check_outputs_apart(device, "source_out", e->source, "total", e->total));
    return ww__check_outputs_apart(device, "rank_out", e->rank, "total", e->total);
}

static ww_status expand(ww_device *device, ww__expand_request *e) {
    const ww_input *const counts = e->counts;
    uint64_t total;
    WW_TRY(ww__check_input(device, "counts", counts));
    WW_CHECK(device,
             (counts->type->kind == WW_KIND_UNSIGNED || ww__expand_signed(counts)) && counts->size <= sizeof(uint64_t),
             WW_TYPE, "counts are %s, and have to be integers of up to 64 bits", counts->type->label);
    WW_TRY(check_outputs(device, e, counts->count, "counts", counts));
    WW_TRY(check_total(device, e));
    if (!counts->count) return ww__put_count(device, e->total, 0);
    WW_TRY(ww__expand(device, e, &total));
    WW_CHECK(device, total != UINT64_MAX, WW_LIMIT, "counts sum to 2^64 - 1 or more");
    WW_CHECK(device, total <= e->room || !ww__expand_writes(e), WW_LIMIT,
             "counts sum to %llu, and the capacity is %llu", (ull)total, (ull)e->room);
    return WW_OK;
}

static ww_status expand_offsets(ww_device *device, ww__expand_request *e, uint64_t ends[2], ww_array *range) {
    uint64_t none;
    *range = ww_none;
    WW_TRY(ww__check_index(device, "offsets", e->offsets));
    WW_CHECK(device, e->offsets->count, WW_INVALID,
             "offsets is empty; it has one element more than there are to expand");
    WW_TRY(check_outputs(device, e, e->offsets->count - 1, "offsets", e->offsets));
    if (e->offsets->count == 1 || !e->room) return WW_OK;
    WW_TRY(ww__put_range(device, e->offsets, ends, range));
    return ww__expand(device, e, &none);
}

ww_status ww_expand(ww_device *device, ww_input in, ww_input counts, ww_array out, ww_array source_out,
                    ww_array rank_out, ww_array total) {
    ww__expand_request e = {
        .in = &in, .counts = &counts, .out = &out, .source = &source_out, .rank = &rank_out, .total = &total};
    const bool open = counts.count_at && (!in.type || in.count_at == counts.count_at) && !out.count_at &&
                      !source_out.count_at && !rank_out.count_at;
    WW_CALL_COUNTED(device, "ww_expand", open, expand(device, &e), WW_READS(&in), WW_READS(&counts),
                    WW_WRITES_FIRST(&out, &total), WW_WRITES_FIRST(&source_out, &total),
                    WW_WRITES_FIRST(&rank_out, &total));
}

ww_status ww_expand_offsets(ww_device *device, ww_input in, ww_input offsets, ww_array out, ww_array source_out,
                            ww_array rank_out) {
    ww__expand_request e = {.in = &in, .offsets = &offsets, .out = &out, .source = &source_out, .rank = &rank_out};
    uint64_t ends[2];
    ww_array range;
    WW_CALL(device, "ww_expand_offsets", expand_offsets(device, &e, ends, &range), WW_READS(&in), WW_READS(&offsets),
            WW_WRITES_BETWEEN(&out, &range), WW_WRITES_BETWEEN(&source_out, &range),
            WW_WRITES_BETWEEN(&rank_out, &range));
}
