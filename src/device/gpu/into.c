/* Outputs that are computed, in recipes and arguments. */
#include "device/gpu/into.h"

#include "device/gpu/environment.h"

static const char *const columns[] = {"ww_column0", "ww_column1", "ww_column2", "ww_column3",
                                      "ww_column4", "ww_column5", "ww_column6", "ww_column7"};
static const char *const places[] = {"WW_AT0", "WW_AT1", "WW_AT2", "WW_AT3", "WW_AT4", "WW_AT5", "WW_AT6", "WW_AT7"};

void ww__recipe_into(ww__recipe *r, const ww__gpu_into *into) {
    ww__recipe_number(r, "WW_INTO", into->many);
    ww__recipe_number(r, "WW_INTO_MAPPED", into->function != NULL);
    ww__recipe_number(r, "WW_INTO_PERMUTED", into->index != NULL);
    for (uint32_t k = 0; k < WW_ZIP_MOST; k++) {
        const bool there = k < into->many;
        const ww_type *const type = there ? into->array[k].type : &ww_type_uint8_t;
        ww__recipe_type(r, columns[k], type, there ? into->array[k].size : 1, there ? into->array[k].data : NULL);
        ww__recipe_number(r, places[k], there ? into->at[k] : 0);
    }
    if (into->index) ww__recipe_input(r, "ww_into_index", into->index);
    if (!into->function) return;
    ww__recipe_type(r, "ww_row", into->row, into->row_size, NULL);
    ww__recipe_environment(r, "ww_into_environment", into->function);
    ww__recipe_function(r, "ww_into_body", into->function);
}

ww_status ww__argument_into(ww_device *device, ww__arguments *a, const ww__gpu_into *into, void **room) {
    void *place, **array;
    WW_TRY(ww__argument_place(device, a, WW_ZIP_MOST * sizeof *array, 16, &place));
    array = place;
    for (uint32_t k = 0; k < WW_ZIP_MOST; k++) {
        array[k] = room[k] = NULL;
        if (k >= into->many) continue;
        WW_TRY(into->some ? ww__gpu_room_kept(device, &into->array[k], &room[k])
                          : ww__gpu_room(device, into->array[k].data, into->array[k].size, &room[k]));
        array[k] = room[k];
    }
    if (into->index) {
        WW_TRY(ww__argument_indices(device, a, into->index->type, into->room, true));
        WW_TRY(ww__argument_input(device, a, into->index));
    }
    return into->function ? ww__argument_environment(device, a, into->function) : WW_OK;
}

ww_status ww__gpu_into_results(ww_device *device, const ww__gpu_into *into, void *const *room) {
    for (uint32_t k = 0; k < into->many; k++)
        WW_TRY(ww__gpu_result(device, into->array[k].data, room[k], into->array[k].size));
    return WW_OK;
}
