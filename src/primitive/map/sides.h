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

#endif
