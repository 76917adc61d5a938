/* The radix sort of a GPU. */
#ifndef WW__RADIX_GPU_H
#define WW__RADIX_GPU_H

#include "radix/sweeps_gpu.h"

/* Queues a stable sort by the job's bits: in one block what a block holds, else by sweeps. */
ww_status ww__radix_sort_gpu(ww_device *device, const ww__sweeping *job);

/* Whether one block does. */
bool ww__radix_in_block(ww_device *device, const ww__sweeping *job);
/* Where it does: of the sorted elements those from `from` on, below `until`, to the beginning of the outputs. */
ww_status ww__radix_part_gpu(ww_device *device, const ww__sweeping *job, uint64_t from, uint64_t until);

#endif
