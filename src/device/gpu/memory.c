/* Memory of a GPU's handle: ww_alloc, ww_free, ww_fill and scratch memory come here. */
#include "device/gpu/memory.h"

#include <string.h>

/* Whole words: elements of 1 and 2 bytes that threads write at once are changed in the 4 bytes around them. */
static size_t whole_words(size_t bytes) { return bytes > SIZE_MAX - 3 ? bytes : (bytes + 3) / 4 * 4; }

bool ww__gpu_finds_closed(const ww_device *device) { return device->gpu && device->gpu->driver->poison; }

void ww__gpu_close_bytes(ww_device *device, const void *start, size_t bytes) {
    if (ww__gpu_finds_closed(device)) device->gpu->driver->poison(device->gpu->driver, start, bytes, true);
}

void ww__gpu_open_bytes(ww_device *device, const void *start, size_t bytes) {
    if (ww__gpu_finds_closed(device)) device->gpu->driver->poison(device->gpu->driver, start, bytes, false);
}

/* What only fills the last word up is nobody's. */
static ww_status close_rest(ww_device *device, ww_status status, size_t bytes, void *const *block) {
    if (!status) ww__gpu_close_bytes(device, (unsigned char *)*block + bytes, whole_words(bytes) - bytes);
    return ww__gpu_said(device, status);
}

ww_status ww__gpu_allocate(ww_device *device, size_t bytes, void **block) {
    WW_TRY(ww__stage_due(device));
    ww__driver *driver = device->gpu->driver;
    return close_rest(device, driver->allocate(driver, whole_words(bytes), block), bytes, block);
}

ww_status ww__gpu_allocate_host(ww_device *device, size_t bytes, void **block) {
    WW_TRY(ww__stage_due(device));
    ww__driver *driver = device->gpu->driver;
    return close_rest(device, driver->allocate_host(driver, whole_words(bytes), block), bytes, block);
}

ww_status ww__gpu_release(ww_device *device, void *block) {
    ww__driver *driver = device->gpu->driver;
    if (!block) return WW_OK;
    switch (driver->place(driver, block)) {
    case WW__PLACE_DEVICE:
        driver->release(driver, block);
        return WW_OK;
    case WW__PLACE_HOST:
        driver->release_host(driver, block);
        return WW_OK;
    case WW__PLACE_UNREACHABLE:
        break;
    }
    return ww__fail(device, WW_INVALID, "%p is not memory from ww_alloc or ww_alloc_host on this device", block);
}

ww_status ww__gpu_keep_captured(ww_device *device, ww__block *block) {
    ww__gpu *gpu = device->gpu;
    if (!ww__gpu_capturing(device)) return WW_OK;
    if (gpu->captured_blocks == gpu->captured_room) {
        const size_t room = gpu->captured_room ? 2 * gpu->captured_room : 8;
        void **larger = ww__allocate(device, room * sizeof *larger, 64);
        if (!larger) return ww__no_memory(device, room * sizeof *larger);
        if (gpu->captured) memcpy(larger, gpu->captured, gpu->captured_blocks * sizeof *larger);
        ww__release(device, gpu->captured, gpu->captured_room * sizeof *larger);
        gpu->captured = larger;
        gpu->captured_room = room;
    }
    gpu->captured[gpu->captured_blocks++] = block->data;
    block->captured = true;
    return WW_OK;
}

void ww__gpu_captured_release(ww_device *device) {
    ww__gpu *gpu = device->gpu;
    for (size_t b = 0; b < gpu->captured_blocks; b++) gpu->driver->release(gpu->driver, gpu->captured[b]);
    ww__release(device, gpu->captured, gpu->captured_room * sizeof *gpu->captured);
    gpu->captured = NULL;
    gpu->captured_blocks = gpu->captured_room = 0;
}

/* The first element comes from the host, then what is there is doubled: twice the bytes, and a copy for each bit of the count. */
ww_status ww__gpu_fill_elements(ww_device *device, const ww_array *array, const void *value) {
    unsigned char *to = array->data;
    const unsigned char *v = value;
    const size_t bytes = (size_t)array->count * array->size;
    bool one_byte = true;
    for (size_t i = 1; i < array->size; i++) one_byte &= v[i] == v[0];
    if (one_byte) return ww__gpu_fill(device, to, v[0], bytes);
    WW_TRY(ww__gpu_copy(device, to, value, array->size));
    for (size_t done = array->size, more; done < bytes; done += more) {
        more = done < bytes - done ? done : bytes - done;
        WW_TRY(ww__gpu_copy(device, to + done, to, more));
    }
    return WW_OK;
}
