/* ww_scatter: the checks, and the choice of the backend. */
#include "device/array.h"
#include "device/call.h"
#include "device/options.h"
#include "function/function.h"
#include "function/types.h"
#include "primitive/gather/sides.h"

typedef unsigned long long ull;

ww_status ww__scatter(ww_device *device, const ww__scatter_request *r) {
    ww__fault fault;
    if (device->backend == WW__BACKEND_GPU) return ww__scatter_gpu(device, r);
    ww__fault_clear(&fault);
    WW_TRY(ww__scatter_cpu(device, r, &fault));
    return ww__index_status(device, r->index, r->to->count, &fault);
}

static ww_status take_conflict(ww_device *device, const ww_scatter_options *options, ww_conflict *conflict) {
    ww_scatter_options o;
    WW_TRY(ww__take_options(device, options, "WW_SCATTER_OPTIONS", &o, offsetof(ww_scatter_options, reserved)));
    WW_CHECK(device, o.conflict <= WW_CONFLICT_UNIQUE, WW_INVALID, "conflict is %u, which is not a ww_conflict",
             o.conflict);
    *conflict = (ww_conflict)o.conflict;
    return WW_OK;
}

static ww_status check_inputs(ww_device *device, const ww_input *in, const ww_input *index) {
    WW_TRY(ww__check_input(device, "in", in));
    WW_TRY(ww__check_index(device, "index", index));
    WW_CHECK(device, in->count == index->count, WW_INVALID, "in has %llu elements, index %llu", (ull)in->count,
             (ull)index->count);
    return WW_OK;
}

static ww_status check_combined(ww_device *device, ww_conflict conflict, const ww_type *type) {
    WW_CHECK(device, !ww__conflict_combines(conflict) || ww__number_index(type) >= 0, WW_TYPE,
             "elements of type %s are not numbers, which add, min and max need", type->label);
    return WW_OK;
}

static ww_status scatter(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to,
                         const ww_scatter_options *options) {
    ww_conflict conflict = WW_CONFLICT_LAST;
    WW_TRY(check_inputs(device, in, index));
    WW_TRY(ww__check_array(device, "out", to));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", to->type, to->size));
    WW_TRY(take_conflict(device, options, &conflict));
    WW_TRY(check_combined(device, conflict, to->type));
    WW_TRY(ww__check_apart(device, "in", in, "out", to, WW__APART));
    WW_TRY(ww__check_apart(device, "index", index, "out", to, WW__APART));
    return ww__scatter(device, &(ww__scatter_request){in, index, to, conflict, NULL});
}

/* To an output that is computed: its function becomes a step of the input, and its index is read at the call's. */
static ww_status scatter_into(ww_device *device, const ww_input *in, const ww_input *index, ww__into *into,
                              const ww_scatter_options *options) {
    ww_conflict conflict = WW_CONFLICT_LAST;
    ww_input made = *in, place = *index;
    WW_TRY(check_inputs(device, in, index));
    WW_TRY(ww__check_into_form(device, "out", into));
    WW_TRY(ww__check_same_type(device, "in", in->type, in->size, "out", into->type, into->size));
    WW_TRY(ww__check_into_arrays(device, "out", into));
    WW_TRY(take_conflict(device, options, &conflict));
    WW_TRY(check_combined(device, conflict, into->row));
    WW_TRY(ww__check_into_apart(device, "in", in, into));
    WW_TRY(ww__check_into_apart(device, "index", index, into));
    if (into->function) {
        ww__put_map(&made, into->function);
        WW_TRY(ww__check_input(device, "in", &made));
    }
    if (into->permuted) {
        place = ww_permuted(into->index, place);
        WW_TRY(ww__check_input(device, "index", &place));
    }
    return ww__scatter(device,
                       &(ww__scatter_request){&made, &place, &into->array[0], conflict, into->zipped ? into : NULL});
}

static ww_status scatter_to_computed(ww_device *device, ww_input *in, ww_input *index, const ww_array *out,
                                     const ww_scatter_options *options) {
    ww__into into;
    ww__into_of(out, &into);
    WW_CALL(device, "ww_scatter", scatter_into(device, in, index, &into, options), WW__USES_INTO(into), WW_READS(in),
            WW_READS(index), WW__WRITES_ALL_INTO(into, WW__WRITES_SOME, NULL));
}

ww_status ww_scatter(ww_device *device, ww_input in, ww_input index, ww_array out, const ww_scatter_options *options) {
    if (ww__is_computed(&out)) return scatter_to_computed(device, &in, &index, &out, options);
    const bool open = in.count_at && in.count_at == index.count_at && !out.count_at;
    WW_CALL_COUNTED(device, "ww_scatter", open, scatter(device, &in, &index, &out, options), WW_READS(&in),
                    WW_READS(&index), WW_WRITES_SOME(&out));
}
