/* The backends of storing inputs and launching kernels. */
#ifndef WW__MAP_H
#define WW__MAP_H

#include "device/device.h"
#include "warpwise/input.h"

/* out[i] = in[i]; arguments are checked. `f` names the outermost function in the trace, or is NULL. */
ww_status ww__store_cpu(ww_device *device, const ww_input *in, const ww_array *out, const ww_function *f);
/* A kernel with its arguments. */
ww_status ww__launch_cpu(ww_device *device, const ww_function *kernel, uint64_t count);

ww_status ww__store_gpu(ww_device *device, const ww_input *in, const ww_array *out);
ww_status ww__launch_gpu(ww_device *device, const ww_function *kernel, uint64_t count);

#endif
