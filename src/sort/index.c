/* ww_sort_index: keys are sorted in scratch memory, with their positions, counted up, as values. */
#include "device/call.h"
#include "function/check.h"
#include "sort/sort.h"

typedef unsigned long long ull;

static ww_status check(ww_device *device, const ww_input *keys, const ww_array *index_out) {
    WW_TRY(ww__check_input(device, "keys", keys));
    WW_TRY(ww__check_counts(device, "index_out", index_out, keys->count ? keys->count - 1 : 0));
    WW_TRY(ww__sort_check_type(device, keys->type));
    WW_CHECK(device, keys->count == index_out->count, WW_INVALID, "keys has %llu elements, index_out %llu",
             (ull)keys->count, (ull)index_out->count);
    return ww__check_apart(device, "keys", keys, "index_out", index_out, WW__APART);
}

static ww_status sort_index(ww_device *device, const ww_input *keys, const ww_array *index_out,
                            const ww_sort_options *options) {
    WW_TRY(check(device, keys, index_out));
    ww__sort_request r = {.of = {.keys = *keys,
                                 .values = ww_counting(index_out->type, 0, keys->count),
                                 .keys_out = ww_array_of(NULL, keys->count, keys->type),
                                 .values_out = *index_out}};
    WW_TRY(ww__sort_check_options(device, options, &r));
    if (!keys->count) return WW_OK;
    WW_TRY(ww__scratch_array(device, keys->count, keys->size, &r.of.keys_out.data));
    return ww__sort_by_method(device, &r);
}

ww_status ww_sort_index(ww_device *device, ww_input keys, ww_array index_out, const ww_sort_options *options) {
    WW_CALL(device, "ww_sort_index", sort_index(device, &keys, &index_out, options), WW_READS(&keys),
            WW_WRITES(&index_out));
}
