/* What the files of selecting share: the first k elements of a sort, and its n-th key. */
#ifndef WW__TOP_H
#define WW__TOP_H

#include "sort/sort.h"

/* Checked requests, inside a call that is under way, on the device's backend: the first keys_out.count elements that the
 * sort would give, and the key that it would put at position n, to keys_out. */
ww_status ww__top(ww_device *device, const ww__sorting *sorting);
ww_status ww__nth(ww_device *device, const ww__sorting *sorting, uint64_t n);

/* The first keys_out.count elements that the sort would give; fewer than there are, and at least one. */
ww_status ww__top_cpu(ww_device *device, const ww__sorting *sorting);
ww_status ww__top_gpu(ww_device *device, const ww__sorting *sorting);

/* The key that the sort would put at position n, to `out`. */
ww_status ww__nth_cpu(ww_device *device, const ww__sorting *sorting, uint64_t n, void *out);
ww_status ww__nth_gpu(ww_device *device, const ww__sorting *sorting, uint64_t n, void *out);

#endif
