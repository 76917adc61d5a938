/* The host side of what run lengths and reduction by key share on a GPU: heads of long elements, the elements of runs. */
#include "primitive/run/run_gpu.h"

#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/check.h"
#include "primitive/mark/mark.h"
#include "primitive/pack/choose_gpu.h"

enum {
    HELD_MOST = 16 /* longer elements do not stand in registers */
};

ww_status ww__run_environment(ww_device *device, ww__arguments *a, const ww_function *equal, bool marked) {
    return equal && !marked ? ww__argument_environment(device, a, equal) : WW_OK;
}

ww_status ww__run_heads(ww_device *device, const ww_input *keys, const ww_function *equal, ww_input *by, bool *marked) {
    *by = *keys;
    *marked = keys->size > HELD_MOST || (!equal && ww__chooses_bytes(device, keys));
    return *marked ? ww__mark(device, keys, equal, by) : WW_OK;
}

void ww__run_recipe(ww__recipe *r, const char *file, const ww__tiling *tiling, const ww_function *equal, bool marked,
                    bool packed) {
    ww__recipe_begin(r, file);
    ww__recipe_tiling(r, tiling);
    ww__recipe_number(r, "WW_HEADS", marked ? 2 : 1);
    ww__recipe_number(r, "WW_PACKED", packed);
    ww__recipe_equal(r, marked ? NULL : equal);
}

ww_status ww__run_values_gpu(ww_device *device, const ww_input *keys, const ww_function *equal, const ww_array *values,
                             const ww_array *total, uint64_t *runs) {
    const ww__choosing c = {
        .device = device, .in = keys, .equal = equal, .out = values, .total = total, .counted = true};
    static const char file[] = "primitive/pack/pack.cu";
    ww__choose_plan plan;
    WW_TRY(ww__choose_plan_make(&c, file, &plan));
    return ww__choose_gpu(&c, &plan, file, "pack", NULL, runs);
}

ww_status ww__run_room(ww_device *device, const ww_array *out, bool kept, void **room) {
    *room = out->data;
    if (kept) return ww__gpu_room_kept(device, out, room);
    return out->count == 1 ? ww__gpu_room(device, out->data, out->size, room) : WW_OK;
}

ww_status ww__run_result(ww_device *device, const ww_array *out, const void *room) {
    return ww__gpu_result(device, out->data, room, out->size);
}

ww_status ww__run_count(ww_device *device, const ww_array *total, const void *room, uint64_t *runs) {
    *runs = 0;
    if (room == total->data || device->on_paper) return WW_OK;
    WW_TRY(ww__gpu_result(device, total->data, room, total->size));
    *runs = total->size == sizeof(uint64_t) ? *(const uint64_t *)total->data : *(const uint32_t *)total->data;
    return WW_OK;
}
