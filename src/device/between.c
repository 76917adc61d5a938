#include "device/between.h"

#include <stdarg.h>
#include <stdio.h>

#include "device/paper.h"
#include "warpwise/input.h"

ww_status ww__fail_call(ww_device *device, const char *call, ww_status status, const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    WW_TRY(ww__enter(device, call));
    return ww__leave(device, ww__fail(device, status, "%s", sentence));
}

ww_status ww__call_not_on_paper(ww_device *device, const char *call) {
    WW_TRY(ww__enter(device, call));
    return ww__leave(device, ww__not_on_paper(device));
}

/* ---- memory ---- */

void ww__kept_drop(ww_device *device, ww__kept *block) {
    if (block->data) ww_free(device, block->data);
    *block = (ww__kept){NULL, 0};
}

ww_status ww__kept_capacity(ww_device *device, ww__kept *block, uint64_t count, size_t size, size_t keep) {
    size_t bytes;
    void *data = NULL;
    if (!ww__bytes(count, size, &bytes))
        return ww__fail_call(device, "ww_alloc", WW_MEMORY, "%llu elements of %zu bytes are more than memory",
                             (unsigned long long)count, size);
    if (bytes <= block->bytes) return WW_OK;
    const size_t half_more = block->bytes + block->bytes / 2;
    size_t capacity = half_more > bytes ? half_more : bytes;
    ww_status status = ww_alloc(device, capacity, &data);
    if (status == WW_MEMORY && capacity > bytes) status = ww_alloc(device, capacity = bytes, &data);
    if (!status && keep)
        status = ww_copy(device, ww_memory((const uint8_t *)block->data, keep), ww_array((uint8_t *)data, keep));
    if (status) {
        if (data) ww_free(device, data);
        return status;
    }
    ww__kept_drop(device, block);
    *block = (ww__kept){data, capacity};
    return WW_OK;
}
