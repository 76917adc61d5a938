/* ww_gather: the checks, and the choice of the backend. */
#include "device/call.h"
#include "function/function.h"
#include "primitive/gather/sides.h"
#include "primitive/map/map.h"

typedef unsigned long long ull;

ww_status ww__index_status(ww_device *device, const ww_input *index, uint64_t limit, const ww__fault *fault) {
    uint64_t number;
    if (fault->position == UINT64_MAX) return WW_OK;
    WW_TRY(ww__input_number(device, index, fault->position, &number));
    return ww__fail(device, WW_RANGE, "index[%llu] is %s, and there are %llu elements", (ull)fault->position,
                    ww__number_said(index->type->label, number).text, (ull)limit);
}

ww_status ww__gather(ww_device *device, const ww__gather_request *r) {
    ww__fault fault;
    if (device->backend == WW__BACKEND_GPU) return ww__gather_gpu(device, r->from, r->index, r->out);
    ww__fault_clear(&fault);
    WW_TRY(ww__gather_cpu(device, r->from, r->index, r->out, &fault));
    return ww__index_status(device, r->index, r->from->count, &fault);
}

static ww_status gather(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *out) {
    ww_array from;
    WW_TRY(ww__check_memory(device, "in", in, &from));
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_index(device, "index", index));
    WW_TRY(ww__check_array(device, "out", out));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", out->type, out->size));
    WW_CHECK(device, index->count == out->count, WW_INVALID, "index has %llu elements, out %llu", (ull)index->count,
             (ull)out->count);
    WW_TRY(ww__check_apart(device, "in", in, "out", out, WW__APART));
    WW_TRY(ww__check_apart(device, "index", index, "out", out, WW__APART));
    return ww__gather(device, &(ww__gather_request){&from, index, out});
}

/* What is gathered is an input that a store may take. */
static ww_status gather_to_computed(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *out) {
    ww_input gathered = ww_permuted(*in, *index);
    return ww__store_to_computed(device, "ww_gather", &gathered, out);
}

ww_status ww_gather(ww_device *device, ww_input in, ww_input index, ww_array out) {
    if (out.reserved && ww__input_is_memory(&in)) return gather_to_computed(device, &in, &index, &out);
    /* One element goes to the host perhaps. */
    const bool open = index.count_at && index.count_at == out.count_at && out.count != 1 && !in.count_at;
    WW_CALL_COUNTED(device, "ww_gather", open, gather(device, &in, &index, &out), WW_READS(&in), WW_READS(&index),
                    WW_WRITES(&out));
}
