/* Sorting what the host's memory holds on a GPU whose own may be too small for it. */
#ifndef WW__LARGE_GPU_H
#define WW__LARGE_GPU_H

#include "sort/sort.h"

/* A checked request of arrays in any memory, inputs too; and on the device's backend. */
ww_status ww__sort_large(ww_device *device, const ww__sort_request *request);
ww_status ww__sort_large_gpu(ww_device *device, const ww__sort_request *request);

#endif
