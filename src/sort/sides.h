/* The backends of a sort by keys' bits, and the other methods. */
#ifndef WW__SORT_SIDES_H
#define WW__SORT_SIDES_H

#include "sort/sort.h"

/* offsets: of segments that are sorted each for itself; NULL: all is sorted. */
ww_status ww__sort_cpu(ww_device *device, const ww__sorting *sorting, const ww_input *offsets);
ww_status ww__sort_gpu(ww_device *device, const ww__sorting *sorting, const ww_input *offsets);

/* The other methods, on every device: merge sorts; stable splits by digits of 1 bit (split1), or of more (multisplit); networks and
 * quicksort. */
ww_status ww__sort_by_merging(ww_device *device, const ww__sorting *sorting, ww_sort_method method);
ww_status ww__sort_by_digits(ww_device *device, const ww__sorting *sorting, unsigned digit_bits);
ww_status ww__sort_by_order(ww_device *device, const ww__sorting *sorting, ww_sort_method method);

#endif
