/* The machines' sides of sets of sorted inputs; arguments are checked. */
#ifndef WW__SET_H
#define WW__SET_H

#include "device/device.h"
#include "warpwise/input.h"

typedef enum ww__set_kind { WW__SET_UNION, WW__SET_INTERSECTION, WW__SET_DIFFERENCE, WW__SET_KINDS } ww__set_kind;

/* Writes what there is room for; *count is the number of elements of the result. */
ww_status ww__set_cpu(ww_device *device, ww__set_kind kind, const ww_function *order, const ww_input *a,
                      const ww_input *b, const ww_array *out, uint64_t *count);

/* The same, with the count written; `found` is 0 where that stays on the GPU. most: elements of any result. */
ww_status ww__set_gpu(ww_device *device, ww__set_kind kind, const ww_function *order, const ww_input *a,
                      const ww_input *b, const ww_array *out, const ww_array *count, uint64_t most, uint64_t *found);

#endif
