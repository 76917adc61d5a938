/* What an input describes, in memory: for algorithms that read at random, or more than once. */
#include "device/steps.h"
#include "primitive/map/map.h"

ww_status ww__stored_copy(ww_device *device, const ww_input *in, ww_array *copy) {
    *copy = (ww_array){
        .count = in->count, .type = in->type, .size = in->size, .count_at = in->count_at};
    WW_TRY(ww__scratch_array(device, in->count, in->size, &copy->data));
    return ww__map(device, &(ww__map_request){.in = in, .out = copy});
}

ww_status ww__stored(ww_device *device, const ww_input *in, ww_array *memory) {
    void *const own = (void *)(uintptr_t)ww__input_memory(in); /* which is only read */
    if (!own) return ww__stored_copy(device, in, memory);
    *memory = (ww_array){
        .data = own, .count = in->count, .type = in->type, .size = in->size, .count_at = in->count_at};
    return WW_OK;
}
