/* Sorting keys on a GPU by their bits. */
#ifndef WW__SORT_KEYS_GPU_H
#define WW__SORT_KEYS_GPU_H

#include "radix/sweeps_gpu.h"
#include "sort/sort.h"

/* Queues the sort: in one block what a block holds, else by sweeps; many wide keys by their highest digits first. */
ww_status ww__sort_keys_gpu(ww_device *device, const ww__sweeping *job);

/* Whether it pays to sort by the highest digits first and buckets on chip then, and that sort. */
bool ww__sorts_by_prefix(const ww_device *device, const ww__sweeping *job);
ww_status ww__prefix_sort_gpu(ww_device *device, const ww__sweeping *job);

/* Whether the request's values are such as sweeps move. */
bool ww__values_move(const ww__sorting *sorting);

#endif
