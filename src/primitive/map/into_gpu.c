/* The host side of storing to outputs that are computed, on a GPU. */
#include "function/into_gpu.h"
#include "device/call.h"
#include "device/gpu/batch.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "primitive/map/sides.h"
#include "primitive/map/store_into_arguments.cuh"

enum { THREADS = 256, ROWS = 4, ROWS_BYTES = 64 };

bool ww__stores_members(const ww_device *device, const ww__into *into) {
    return device->gpu && !ww__gpu_compiles(device) && !into->function && !into->counted &&
           (!into->permuted || ww__input_is_memory(&into->index));
}

static ww_status store_members(ww_device *device, const ww__map_into_request *r, const ww__gpu_into *into) {
    const unsigned char *const from = ww__input_memory(r->in);
    for (uint32_t k = 0; k < into->many; k++) {
        ww_array to = into->array[k];
        WW_TRY(into->some ? ww__gpu_room_kept(device, &into->array[k], &to.data)
                          : ww__gpu_room(device, to.data, to.size, &to.data));
        WW_TRY(ww__store_member(device, r, from + into->at[k], r->in->size, &to));
        WW_TRY(ww__gpu_result(device, into->array[k].data, to.data, to.size));
    }
    return WW_OK;
}

ww_status ww__map_into_gpu(ww_device *device, const ww__map_into_request *r) {
    ww__gpu_into into = ww__into_gpu(r->into);
    into.some |= r->only || r->range;
    if (ww__stores_members(device, r->into) && ww__input_is_memory(r->in)) return store_members(device, r, &into);
    const uint32_t rows = r->in->size + into.row_size <= ROWS_BYTES ? ROWS : 1;
    void *room[WW_ZIP_MOST];
    WW_TRY(ww__check_into_size(device, r->into));
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "primitive/map/store_into.cu");
    ww__recipe_number(&recipe, "WW_THREADS", THREADS);
    ww__recipe_number(&recipe, "WW_ROWS", rows);
    ww__recipe_type(&recipe, "ww_item", r->into->type, r->into->size, NULL);
    ww__recipe_input(&recipe, "in", r->in);
    ww__recipe_into(&recipe, &into);
    ww__arguments a;
    const store_into_fixed fixed = {.count = r->in->count,
                                    .number = r->number ? r->number->data : NULL,
                                    .number_bytes = r->number ? r->number->size : 0,
                                    .only = r->only ? r->only->data : NULL,
                                    .range = r->range ? r->range->data : NULL};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, r->in));
    WW_TRY(ww__argument_into(device, &a, &into, room));
    WW_TRY(ww__gpu_launch(device, &recipe, "store_into", ww__blocks(r->in->count, (uint64_t)THREADS * rows), THREADS, 0,
                          &a));
    return ww__gpu_into_results(device, &into, room);
}
