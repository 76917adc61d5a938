/* The host side of what run lengths and reduction by key share on a GPU: heads of long elements, the elements of runs. */
#include "primitive/run/run_gpu.h"
#include "primitive/run/mark_arguments.cuh"

#include "device/gpu/batch.h"
#include "device/gpu/environment.h"
#include "function/check.h"
#include "primitive/pack/choose_gpu.h"

enum {
    HELD_MOST = 16, /* longer elements do not stand in registers */
    ELEMENT_MOST = 1024,
    THREADS = 256,
    WARP = 32,
    WORD_MOST = 16
};

static void recipe_equal(ww__recipe *r, const ww_function *equal) {
    ww__recipe_number(r, "WW_EQUAL", equal != NULL);
    if (!equal) return;
    ww__recipe_environment(r, "ww_environment", equal);
    ww__recipe_function(r, "ww_equal", equal);
}

ww_status ww__run_environment(ww_device *device, ww__arguments *a, const ww_function *equal, bool marked) {
    return equal && !marked ? ww__argument_environment(device, a, equal) : WW_OK;
}

static ww_status mark(ww_device *device, const ww_input *keys, const ww_function *equal, uint8_t *flags) {
    const uintptr_t bits = (uintptr_t)ww__input_memory(keys) | keys->size | WORD_MOST;
    const uint32_t word = ww__input_memory(keys) && !equal ? (uint32_t)(bits & (~bits + 1)) : 0;
    uint32_t lanes = 1;
    while (word && lanes < WARP && lanes < keys->size / word) lanes *= 2;
    WW_CHECK(device, word || keys->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes that are %s are compared on a CPU only; a GPU takes up to %d", keys->size,
             equal ? "given to a function" : "computed", ELEMENT_MOST);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/run/mark.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_WORD", word);
    ww__recipe_number(&r, "WW_LANES", lanes);
    recipe_equal(&r, equal);
    if (word)
        ww__recipe_bytes_input(&r, "by", keys);
    else
        ww__recipe_input(&r, "by", keys);
    ww__arguments a;
    const mark_fixed fixed = {.flags = flags, .count = keys->count, .words = word ? keys->size / word : 0};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__run_environment(device, &a, equal, false));
    WW_TRY(ww__argument_input(device, &a, keys));
    return ww__gpu_launch(device, &r, "mark", ww__blocks(keys->count, THREADS / lanes), THREADS, 0, &a);
}

ww_status ww__run_mark(ww_device *device, const ww_input *keys, const ww_function *equal, ww_input *by) {
    uint8_t *flags;
    WW_TRY(ww__scratch(device, keys->count, &flags));
    *by = ww_memory(flags, keys->count);
    return mark(device, keys, equal, flags);
}

ww_status ww__run_heads(ww_device *device, const ww_input *keys, const ww_function *equal, ww_input *by, bool *marked) {
    *by = *keys;
    *marked = keys->size > HELD_MOST || (!equal && ww__chooses_bytes(device, keys));
    return *marked ? ww__run_mark(device, keys, equal, by) : WW_OK;
}

void ww__run_recipe(ww__recipe *r, const char *file, const ww__tiling *tiling, const ww_function *equal, bool marked,
                    bool packed) {
    ww__recipe_begin(r, file);
    ww__recipe_tiling(r, tiling);
    ww__recipe_number(r, "WW_HEADS", marked ? 2 : 1);
    ww__recipe_number(r, "WW_PACKED", packed);
    recipe_equal(r, marked ? NULL : equal);
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
