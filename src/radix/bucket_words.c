/* How kernels are told what a key's bucket is: bucket.cuh's macros and struct. */
#include "device/gpu/environment.h"
#include "radix/bucket_arguments.cuh"
#include "radix/sweeps_gpu.h"

uint32_t ww__shared_edges(const ww__bucket_words *w) {
    enum { LEAST = 16, MOST = 1024 };
    uint32_t room = LEAST;
    if (w->how != 2 || w->edges->count > MOST) return 0;
    while (room < w->edges->count) room *= 2;
    return room;
}

void ww__recipe_buckets(ww__recipe *recipe, const ww__bucket_words *w, const void *at) {
    ww__recipe_number(recipe, "WW_BY", w->how);
    ww__recipe_number(recipe, "WW_CHECKED", w->checked);
    if (!w->how) return;
    ww__recipe_number(recipe, "WW_SHARED_EDGES", ww__shared_edges(w));
    if (w->how == 2) {
        ww__recipe_input(recipe, "edges", w->edges);
        return;
    }
    const ww_kind kind = w->map->result->kind; /* by_delta gives the keys' own type */
    ww__recipe_number(recipe, "WW_KIND", kind == WW_KIND_FLOAT ? 2 : kind == WW_KIND_SIGNED);
    if (w->how == 3) return;
    ww__recipe_type(recipe, "ww_item", w->key_type, w->key_size, at);
    ww__recipe_environment(recipe, "ww_environment", w->map);
    ww__recipe_function(recipe, "ww_bucket_of", w->map);
}

ww_status ww__argument_buckets(ww_device *device, ww__arguments *a, const ww__bucket_words *w) {
    const bucket_fixed fixed = {.checking = w->checking, .many = (uint32_t)w->buckets};
    const bucket_division division = {w->division.factor, w->division.shift_first, w->division.shift};
    WW_TRY(ww__argument(device, a, &fixed, sizeof fixed, 16));
    if (w->how == 3) WW_TRY(ww__argument(device, a, &division, sizeof division, _Alignof(bucket_division)));
    if (w->how == 2) WW_TRY(ww__argument_input(device, a, w->edges));
    if (w->how == 1) WW_TRY(ww__argument_environment(device, a, w->map));
    return ww__argument_align(device, a);
}
