/* Merge sorts, on every device: makes of a request what they sort. Computed inputs are stored in the outputs, and sorted there;
 * values that are not moved with their keys, and on a GPU long keys, are sorted by their positions and then gathered, each read
 * and written once. */
#include "function/function.h"
#include "function/types.h"
#include "radix/sweeps_gpu.h"
#include "sort/by_position.h"
#include "sort/merge/merge_sort.h"
#include "sort/radix/sort_keys_gpu.h"
#include "sort/sides.h"

enum { MOVED_MOST = 16 /* bytes of what a merge moves */ };

static ww_status merge_sort(ww_device *device, const ww__merge_sorting *m) {
    return device->backend == WW__BACKEND_GPU ? ww__merge_sort_gpu(device, m) : ww__merge_sort_cpu(device, m);
}

/* Long keys stay where they are, and are compared there. */
static ww_status sort_far(ww_device *device, const ww__sorting *s, ww__merge_sorting *m) {
    const ww_type *type = ww__position_type(m->n);
    ww_array keys, values;
    m->key_size = type->size;
    WW_TRY(ww__sort_readable(device, &s->keys, &s->keys_out, &keys));
    if (s->values.steps) WW_TRY(ww__sort_readable(device, &s->values, &s->values_out, &values));
    WW_TRY(ww__scratch_array(device, m->n, type->size, &m->keys_out));
    m->far = keys.data;
    WW_TRY(merge_sort(device, m));
    const ww_input index = ww_memory_of(m->keys_out, m->n, type);
    WW_TRY(ww__sort_gather(device, &keys, &index, &s->keys_out));
    return s->values.steps ? ww__sort_gather(device, &values, &index, &s->values_out) : WW_OK;
}

/* Whether values are moved with their keys. */
static bool values_move(const ww_device *device, const ww__sorting *s) {
    const size_t size = s->values.size;
    if (device->backend != WW__BACKEND_GPU) return size <= MOVED_MOST && !(size & (size - 1));
    return ww__values_move(s) && (size == 4 || size == 8 || ww__gpu_compiles(device)); /* a kernel pack has those */
}

/* The order that elements are compared by; descending, it is another of the library's, or the caller's with its arguments
 * exchanged. */
static ww__merge_sorting ordered(const ww__sorting *s, ww_sort_method method) {
    return (ww__merge_sorting){
        .n = s->keys.count,
        .key_size = s->keys.size,
        .type = s->keys.type,
        .size = s->keys.size,
        .less = s->less ? s->less
                        : ww__order(s->descending ? &ww_descending : &ww_ascending, s->keys.type, s->keys.size),
        .reversed = s->less && s->descending,
        .trusted = !s->less,
        .method = method};
}

static ww_status sort_with(ww_device *device, const ww__sorting *s, const void *method) {
    return ww__sort_by_merging(device, s, *(const ww_sort_method *)method);
}

ww_status ww__sort_by_merging(ww_device *device, const ww__sorting *s, ww_sort_method method) {
    const bool gpu = device->backend == WW__BACKEND_GPU;
    ww__merge_sorting m = ordered(s, gpu && method == WW_SORT_AUTO ? WW_SORT_MERGE : method);
    if (!m.n) return WW_OK;
    if (m.n == 1) return ww__sort_one(device, s);
    if (gpu && m.key_size > MOVED_MOST) return sort_far(device, s, &m);
    if (s->values.steps && !values_move(device, s)) return ww__sort_positions(device, s, sort_with, &method);
    m.keys_out = s->keys_out.data;
    WW_TRY(ww__sort_memory(device, &s->keys, &s->keys_out, &m.keys));
    if (s->values.steps) {
        m.value_size = s->values.size;
        m.values_out = s->values_out.data;
        if (gpu && ww__sweeps_count(&s->values))
            m.first_value = s->values.step[0].number;
        else
            WW_TRY(ww__sort_memory(device, &s->values, &s->values_out, &m.values));
    }
    return merge_sort(device, &m);
}
