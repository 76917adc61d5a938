/* Scratch memory: an arena of the handle's that a call takes pieces from and that is given back whole when it leaves. */
#include "device/device.h"

#include <string.h>

#include "device/gpu/memory.h"

ww_status ww__block_memory(ww_device *device, size_t bytes, unsigned char **data) {
    void *block = NULL;
    *data = NULL;
    if (device->gpu) {
        WW_TRY(ww__gpu_allocate(device, bytes, &block));
        *data = block;
        return WW_OK;
    }
    *data = ww__allocate(device, bytes, 64);
    return *data ? WW_OK : ww__no_memory(device, bytes);
}

void ww__block_release(ww_device *device, const ww__block *block) {
    if (!device->gpu)
        ww__release(device, block->data, block->size);
    else if (!block->captured)
        ww__gpu_release(device, block->data);
}

/* Puts a new block of at least `bytes` behind the others. */
static ww_status add_block(ww_device *device, size_t bytes) {
    size_t held = 0;
    for (size_t b = 0; b < device->blocks; b++) held += device->block[b].size;
    if (device->scratch_limit && (bytes > device->scratch_limit || held > device->scratch_limit - bytes))
        return ww__fail(device, WW_LIMIT, "needs %zu bytes of scratch memory more than the %zu held; the limit is %zu",
                        bytes, held, device->scratch_limit);
    if (device->blocks == WW__BLOCKS)
        return ww__fail(device, WW_LIMIT, "takes more than %d pieces of new scratch memory", WW__BLOCKS);
    unsigned char *data;
    WW_TRY(ww__block_memory(device, bytes, &data));
    device->block[device->blocks++] = (ww__block){data, bytes, 0, false};
    return WW_OK;
}

ww_status ww__scratch(ww_device *device, size_t bytes, void *pointer_to_pointer) {
    void **const pointer = pointer_to_pointer;
    *pointer = NULL;
    if (bytes > SIZE_MAX - 4096)
        return ww__fail(device, WW_MEMORY, "out of memory: %zu bytes of scratch memory are more than there can be", bytes);
    bytes = ww__round_up(bytes ? bytes : 1, 64);
    ww__block *block = device->blocks ? &device->block[device->blocks - 1] : NULL;
    if (!block || block->size - block->used < bytes) {
        WW_TRY(add_block(device, bytes));
        block = &device->block[device->blocks - 1];
    }
    if (device->gpu && !block->captured) WW_TRY(ww__gpu_keep_captured(device, block));
    *pointer = block->data + block->used;
    block->used += bytes;
    device->scratch_used += bytes;
    return WW_OK;
}

void ww__scratch_merge(ww_device *device, size_t first) {
    size_t all = 0;
    if (device->blocks <= first + 1) return;
    for (size_t b = first; b < device->blocks; b++) {
        all += device->block[b].size;
        ww__block_release(device, &device->block[b]);
    }
    device->blocks = first;
    unsigned char *data;
    char sentence[sizeof device->error]; /* of the call: this is no failure of its */
    memcpy(sentence, device->error, sizeof sentence);
    if (!ww__block_memory(device, all, &data))
        device->block[device->blocks++] = (ww__block){data, all, 0, false};
    else
        memcpy(device->error, sentence, sizeof sentence);
}

ww__scratch_mark ww__scratch_here(const ww_device *device) {
    return (ww__scratch_mark){device->blocks, device->blocks ? device->block[device->blocks - 1].used : 0,
                              device->scratch_used};
}

void ww__scratch_back(ww_device *device, const ww__scratch_mark *mark) {
    if (device->scratch_used > device->scratch_peak) device->scratch_peak = device->scratch_used;
    device->scratch_used = mark->total;
    ww__scratch_merge(device, mark->blocks);
    if (device->blocks > mark->blocks)
        device->block[device->blocks - 1].used = 0;
    else if (mark->blocks)
        device->block[mark->blocks - 1].used = mark->used;
}

ww_status ww__host_scratch(ww_device *device, size_t bytes, void *pointer_to_pointer) {
    void **const pointer = pointer_to_pointer;
    if (!device->gpu) return ww__scratch(device, bytes, pointer);
    *pointer = NULL;
    if (device->host_blocks == WW__HOST_BLOCKS)
        return ww__fail(device, WW_LIMIT, "takes more than %d pieces of the host's memory", WW__HOST_BLOCKS);
    unsigned char *data = ww__allocate(device, bytes ? bytes : 1, 64);
    if (!data) return ww__no_memory(device, bytes);
    device->host_block[device->host_blocks++] = (ww__block){data, bytes ? bytes : 1, 0, false};
    *pointer = data;
    return WW_OK;
}

ww_status ww__scratch_array(ww_device *device, uint64_t count, size_t size, void *pointer_to_pointer) {
    size_t bytes;
    if (!ww__bytes(count, size, &bytes))
        return ww__fail(device, WW_MEMORY, "out of memory: %llu times %zu bytes of scratch memory do not fit in a size",
                        (unsigned long long)count, size);
    return ww__scratch(device, bytes, pointer_to_pointer);
}

static ww_status reserve(ww_device *device, size_t bytes) {
    if (device->blocks && device->block[0].size >= bytes) return WW_OK;
    if (device->scratch_limit && bytes > device->scratch_limit)
        return ww__fail(device, WW_LIMIT, "%zu bytes are above the limit of %zu", bytes, device->scratch_limit);
    if (bytes > SIZE_MAX - 4096) return ww__no_memory(device, bytes);
    bytes = ww__round_up(bytes, 64);
    unsigned char *data;
    WW_TRY(ww__block_memory(device, bytes, &data));
    if (device->blocks) ww__block_release(device, &device->block[0]);
    device->block[0] = (ww__block){data, bytes, 0, false};
    device->blocks = 1;
    return WW_OK;
}

ww_status ww_scratch_reserve(ww_device *device, size_t bytes) {
    const ww_status status = ww__enter(device, "ww_scratch_reserve");
    return status ? status : ww__leave(device, reserve(device, bytes));
}

ww_status ww_scratch_limit(ww_device *device, size_t bytes) {
    WW_TRY(ww__enter(device, "ww_scratch_limit"));
    device->scratch_limit = bytes;
    return ww__leave(device, WW_OK);
}

ww_status ww_scratch_trim(ww_device *device) {
    WW_TRY(ww__enter(device, "ww_scratch_trim"));
    for (size_t b = 0; b < device->blocks; b++) ww__block_release(device, &device->block[b]);
    device->blocks = 0;
    const ww_status status = ww__leave(device, WW_OK);
    device->scratch_peak = 0;
    return status;
}
