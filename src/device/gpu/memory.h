#ifndef WW__GPU_MEMORY_H
#define WW__GPU_MEMORY_H

#include "device/gpu/gpu.h"

ww_status ww__gpu_allocate(ww_device *device, size_t bytes, void **block);
ww_status ww__gpu_allocate_host(ww_device *device, size_t bytes, void **block);
ww_status ww__gpu_release(ww_device *device, void *block);
/* Sets the elements of a checked, not empty array to the one at `value`, in the host's memory. */
ww_status ww__gpu_fill_elements(ww_device *device, const ww_array *array, const void *value);

#endif
