/* Memory of the family's, and its sentences. */
#include <stdarg.h>
#include <stdio.h>

#include "device/paper.h"
#include "space/tree/tree.h"

void ww__tree_drop(ww_device *device, ww__tree_block *block) {
    if (block->data) ww_free(device, block->data);
    block->data = NULL;
    block->bytes = 0;
}

ww_status ww__tree_room(ww_device *device, ww__tree_block *block, uint64_t count, size_t size, size_t keep) {
    size_t bytes;
    void *data = NULL;
    if (!ww__bytes(count ? count : 1, size, &bytes))
        return ww__tree_refuse(device, "ww_radix_tree", WW_MEMORY, "%llu elements of %zu bytes are more than memory",
                               (unsigned long long)count, size);
    if (bytes <= block->bytes) return WW_OK;
    if (!keep) ww__tree_drop(device, block);
    const size_t half_more = block->bytes + block->bytes / 2;
    size_t room = half_more > bytes ? half_more : bytes;
    ww_status status = ww_alloc(device, room, &data);
    if (status == WW_MEMORY && room > bytes) status = ww_alloc(device, room = bytes, &data);
    if (!status && keep)
        status = ww_copy(device, ww_memory((const uint8_t *)block->data, keep), ww_array((uint8_t *)data, keep));
    if (status) {
        if (data) ww_free(device, data);
        return status;
    }
    ww__tree_drop(device, block);
    *block = (ww__tree_block){data, room};
    return WW_OK;
}

ww_status ww__tree_refuse(ww_device *device, const char *call, ww_status status, const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    WW_TRY(ww__enter(device, call));
    return ww__leave(device, ww__fail(device, status, "%s", sentence));
}

ww_status ww__tree_begin(ww_device *device, const char *call) {
    WW_TRY(ww__enter(device, call));
    return ww__leave(device, ww__not_on_paper(device));
}
