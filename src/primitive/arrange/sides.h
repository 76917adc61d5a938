/* The backends of arrange.h. What is transposed is memory. */
#ifndef WW__ARRANGE_SIDES_H
#define WW__ARRANGE_SIDES_H

#include "device/array.h"
#include "primitive/arrange/arrange.h"

ww_status ww__reverse_cpu(ww_device *device, const ww__reverse_request *r);
ww_status ww__reverse_gpu(ww_device *device, const ww__reverse_request *r);
ww_status ww__rotate_cpu(ww_device *device, const ww__rotate_request *r);
ww_status ww__rotate_gpu(ww_device *device, const ww__rotate_request *r);
ww_status ww__transpose_cpu(ww_device *device, const ww__transpose_request *r, const void *from);
ww_status ww__transpose_gpu(ww_device *device, const ww__transpose_request *r, const void *from);

#endif
