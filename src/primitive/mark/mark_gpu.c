/* The host side of marking heads on a GPU: one launch. */
#include "primitive/mark/mark.h"
#include "primitive/mark/mark_arguments.cuh"

#include "device/gpu/environment.h"

enum { ELEMENT_MOST = 1024, THREADS = 256, WARP = 32, WORD_MOST = 16 };

void ww__recipe_equal(ww__recipe *r, const ww_function *equal) {
    ww__recipe_number(r, "WW_EQUAL", equal != NULL);
    if (!equal) return;
    ww__recipe_environment(r, "ww_environment", equal);
    ww__recipe_function(r, "ww_equal", equal);
}

static ww_status launch(ww_device *device, const ww_input *keys, const ww_function *equal, uint8_t *flags) {
    const uintptr_t bits = (uintptr_t)ww__input_memory(keys) | keys->size | WORD_MOST;
    const uint32_t word = ww__input_memory(keys) && !equal ? (uint32_t)(bits & (~bits + 1)) : 0;
    uint32_t lanes = 1;
    while (word && lanes < WARP && lanes < keys->size / word) lanes *= 2;
    WW_CHECK(device, word || keys->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes that are %s are compared on a CPU only; a GPU takes up to %d", keys->size,
             equal ? "given to a function" : "computed", ELEMENT_MOST);
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/mark/mark.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_WORD", word);
    ww__recipe_number(&r, "WW_LANES", lanes);
    ww__recipe_equal(&r, equal);
    if (word)
        ww__recipe_bytes_input(&r, "by", keys);
    else
        ww__recipe_input(&r, "by", keys);
    ww__arguments a;
    const mark_fixed fixed = {.flags = flags, .count = keys->count, .words = word ? keys->size / word : 0};
    WW__ARGUMENTS(&a, fixed);
    if (equal) WW_TRY(ww__argument_environment(device, &a, equal));
    WW_TRY(ww__argument_input(device, &a, keys));
    return ww__gpu_launch(device, &r, "mark", ww__blocks(keys->count, THREADS / lanes), THREADS, 0, &a);
}

ww_status ww__mark(ww_device *device, const ww_input *keys, const ww_function *equal, ww_input *by) {
    uint8_t *flags;
    WW_TRY(ww__scratch(device, keys->count, &flags));
    *by = ww_memory(flags, keys->count);
    return launch(device, keys, equal, flags);
}
