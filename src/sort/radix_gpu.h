/* The GPU's radix sort. */
#ifndef WW__RADIX_GPU_H
#define WW__RADIX_GPU_H

#include "multisplit/sweeps_gpu.h"

/* Queues the sort: in one block what a block holds, else by sweeps. */
ww_status ww__radix_sort_gpu(ww_device *device, const ww__sweeping *job);

#endif
