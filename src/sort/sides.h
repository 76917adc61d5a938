/* The backends of a sort by keys' bits, and the other methods. */
#ifndef WW__SORT_SIDES_H
#define WW__SORT_SIDES_H

#include "sort/sort.h"

ww_status ww__sort_cpu(ww_device *device, const ww__sorting *sorting);
ww_status ww__sort_gpu(ww_device *device, const ww__sorting *sorting);

/* The other methods, on every device: merge sorts; split1 and multisplit; networks and quicksort. */
ww_status ww__sort_by_merging(ww_device *device, const ww__sorting *sorting);
ww_status ww__sort_by_digits(ww_device *device, const ww__sorting *sorting);
ww_status ww__sort_by_order(ww_device *device, const ww__sorting *sorting);

#endif
