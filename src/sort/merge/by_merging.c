/* Merge sorts, on every device: makes of a request what they sort. Computed inputs are stored in the outputs, and sorted there;
 * values that are not moved with their keys, and on a GPU long keys, are sorted by their positions and then gathered, each read
 * and written once. */
#include "function/function.h"
#include "function/types.h"
#include "radix/sweeps_gpu.h"
#include "sort/by_position.h"
#include "sort/merge/merge_sort.h"
#include "sort/sides.h"
#include "sort/radix/sort_keys_gpu.h"

enum { MOVED_MOST = 16 /* bytes of what a merge moves */ };

static ww_status merge_sort(ww_device *device, const ww__sorting *s, const ww__elements *e) {
    return device->backend == WW__BACKEND_GPU ? ww__merge_sort_gpu(device, s, e) : ww__merge_sort_cpu(device, s, e);
}

/* Long keys stay where they are, and are compared there. */
static ww_status sort_far(ww_device *device, const ww__sorting *s) {
    const ww_type *type = ww__position_type(s->keys.count);
    ww_array keys, values;
    ww__elements e = {.n = s->keys.count, .key_size = type->size};
    WW_TRY(ww__sort_readable(device, &s->keys, &s->keys_out, &keys));
    if (s->values.steps) WW_TRY(ww__sort_readable(device, &s->values, &s->values_out, &values));
    WW_TRY(ww__scratch_array(device, e.n, type->size, &e.keys_out));
    e.far = keys.data;
    WW_TRY(merge_sort(device, s, &e));
    const ww_input index = ww_memory_of(e.keys_out, e.n, type);
    WW_TRY(ww__sort_gather(device, &keys, &index, &s->keys_out));
    return s->values.steps ? ww__sort_gather(device, &values, &index, &s->values_out) : WW_OK;
}

static bool travel(const ww_device *device, const ww__sorting *s) {
    const size_t size = s->values.size;
    return device->backend == WW__BACKEND_GPU ? ww__values_travel(s) : size <= MOVED_MOST && !(size & (size - 1));
}

/* The order that elements are compared by; descending, it is another of the library's, or the caller's with its arguments
 * exchanged. */
static ww__sorting ordered(const ww__sorting *s) {
    ww__sorting o = *s;
    o.built_in = !s->less;
    o.turned = s->less && s->descending;
    if (o.built_in) o.less = ww__order(s->descending ? &ww_descending : &ww_ascending, s->keys.type, s->keys.size);
    return o;
}

ww_status ww__sort_by_merging(ww_device *device, const ww__sorting *s) {
    const bool gpu = device->backend == WW__BACKEND_GPU;
    const ww__sorting o = ordered(s);
    ww__elements e = {.keys_out = s->keys_out.data, .n = s->keys.count, .key_size = s->keys.size};
    if (!e.n) return WW_OK;
    if (e.n == 1) return ww__sort_one(device, s);
    if (gpu && e.key_size > MOVED_MOST) return sort_far(device, &o);
    if (s->values.steps && !travel(device, s)) return ww__sort_positions(device, s, ww__sort_by_merging);
    WW_TRY(ww__sort_memory(device, &s->keys, &s->keys_out, &e.keys));
    if (s->values.steps) {
        e.value_size = s->values.size;
        e.values_out = s->values_out.data;
        if (gpu && ww__sweeps_count(&s->values))
            e.first_value = s->values.step[0].number;
        else
            WW_TRY(ww__sort_memory(device, &s->values, &s->values_out, &e.values));
    }
    return merge_sort(device, &o, &e);
}
