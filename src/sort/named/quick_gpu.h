/* Quicksort on a GPU. */
#ifndef WW__QUICK_GPU_H
#define WW__QUICK_GPU_H

#include "sort/named/network_gpu.h"

/* Sorts n < 2^32 keys where they are, and puts the positions that they stood at to data->positions. */
ww_status ww__quick_gpu(ww_device *device, const ww__sorting *s, uint64_t n, const ww__placed_keys *data);

#endif
