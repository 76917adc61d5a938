/* The backends of map.h. */
#ifndef WW__MAP_SIDES_H
#define WW__MAP_SIDES_H

#include "primitive/map/map.h"

ww_status ww__map_cpu(ww_device *device, const ww__map_request *r);
ww_status ww__map_gpu(ww_device *device, const ww__map_request *r);

ww_status ww__map_into_cpu(ww_device *device, const ww__map_into_request *r);
ww_status ww__map_into_gpu(ww_device *device, const ww__map_into_request *r);

ww_status ww__launch_cpu(ww_device *device, const ww__launch_request *r);
ww_status ww__launch_gpu(ww_device *device, const ww__launch_request *r);

uint64_t ww__together_cpu(const ww_device *device);
uint64_t ww__together_gpu(const ww_device *device);
ww_status ww__launch_together_cpu(ww_device *device, const ww_function *kernel, uint64_t ranks);
ww_status ww__launch_together_gpu(ww_device *device, const ww_function *kernel, uint64_t ranks);

#endif
