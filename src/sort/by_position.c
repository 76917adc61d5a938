/* What all ways of sorting do besides sorting: inputs to memory that can be sorted or read, and what goes with keys to where
 * positions say. */
#include "sort/by_position.h"

#include "function/function.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"

ww_status ww__sort_store(ww_device *device, const ww_input *in, const ww_array *out) {
    return ww__map(device, &(ww__map_request){.in = in, .out = out});
}

ww_status ww__sort_one(ww_device *device, const ww__sorting *s) {
    WW_TRY(ww__sort_store(device, &s->keys, &s->keys_out));
    return s->values.steps ? ww__sort_store(device, &s->values, &s->values_out) : WW_OK;
}

ww_status ww__sort_memory(ww_device *device, const ww_input *in, const ww_array *out, const void **memory) {
    *memory = ww__input_memory(in);
    if (*memory || !in->count) return WW_OK;
    *memory = out->data;
    return ww__sort_store(device, in, out);
}

ww_status ww__sort_readable(ww_device *device, const ww_input *in, const ww_array *out, ww_array *readable) {
    return ww__input_memory(in) == out->data ? ww__stored_copy(device, in, readable) : ww__stored(device, in, readable);
}

ww_status ww__sort_gather(ww_device *device, const ww_array *from, const ww_input *positions, const ww_array *out) {
    return ww__gather(device, &(ww__gather_request){from, positions, out});
}

ww_status ww__sort_positions(ww_device *device, const ww__sorting *s, ww__sort_with *sort, const void *with) {
    const uint64_t n = s->keys.count;
    const ww_type *type = ww__position_type(n);
    ww__sorting by_positions = *s;
    ww_array values;
    WW_TRY(ww__sort_readable(device, &s->values, &s->values_out, &values));
    by_positions.values = ww_counting(type, 0, n);
    by_positions.values_out = ww_array_of(NULL, n, type);
    WW_TRY(ww__scratch_array(device, n, type->size, &by_positions.values_out.data));
    WW_TRY(sort(device, &by_positions, with));
    const ww_input positions = ww_from(by_positions.values_out);
    return ww__sort_gather(device, &values, &positions, &s->values_out);
}
