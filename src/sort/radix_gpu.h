/* The GPU's radix sort. */
#ifndef WW__RADIX_GPU_H
#define WW__RADIX_GPU_H

#include "multisplit/sweeps_gpu.h"
#include "sort/sort.h"

/* What orders the keys of a sort; whether its values are such as sweeps move. */
ww__key_order ww__key_order_of(const ww__sorting *s);
bool ww__values_travel(const ww__sorting *s);

/* Queues the sort: in one block what a block holds, else by sweeps. */
ww_status ww__radix_sort_gpu(ww_device *device, const ww__sweeping *job);

#endif
