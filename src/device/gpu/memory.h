#ifndef WW__GPU_MEMORY_H
#define WW__GPU_MEMORY_H

#include "device/gpu/gpu.h"

ww_status ww__gpu_allocate(ww_device *device, size_t bytes, void **block);
ww_status ww__gpu_allocate_host(ww_device *device, size_t bytes, void **block);
ww_status ww__gpu_release(ww_device *device, void *block);
/* Whether the driver finds what touches closed memory: then pieces of a block are laid with closed zones between them. */
bool ww__gpu_finds_closed(const ww_device *device);
/* Closes a part of a block to kernels, copies and fills, or opens it; where the driver finds that, otherwise nothing. */
void ww__gpu_close_bytes(ww_device *device, const void *start, size_t bytes);
void ww__gpu_open_bytes(ww_device *device, const void *start, size_t bytes);
/* Where the call is recorded for replays, the block of scratch memory that it uses stays until ww_close. */
ww_status ww__gpu_keep_captured(ww_device *device, ww__block *block);
void ww__gpu_captured_release(ww_device *device);
/* Sets the elements of a checked, not empty array to the one at `value`, in the host's memory. */
ww_status ww__gpu_fill_elements(ww_device *device, const ww_array *array, const void *value);

#endif
