/* The machines' sides of searching sorted inputs; arguments are checked. */
#ifndef WW__SEARCH_H
#define WW__SEARCH_H

#include "device/device.h"
#include "warpwise/input.h"

ww_status ww__bound_cpu(ww_device *device, const ww_function *order, const ww_input *sorted, const ww_input *needles,
                        const ww_array *out, bool upper);

ww_status ww__bound_gpu(ww_device *device, const ww_function *order, const ww_input *sorted, const ww_input *needles,
                        const ww_array *out, bool upper);

#endif
