/* The order of a sort on a GPU (ordering.cuh), for recipes and kernels' structs. */
#ifndef WW__ORDERING_GPU_H
#define WW__ORDERING_GPU_H

#include "device/gpu/gpu.h"
#include "sort/ordering_arguments.cuh"
#include "sort/sort.h"

enum { WW__ORDERED_MOST = 1024 }; /* bytes of a key that kernels compare */

/* WW_BY_LESS and what goes with it: ww_item and the order of the sort's keys. */
void ww__recipe_ordering(const ww_device *device, ww__recipe *r, const ww__sorting *s);
/* The part of kernels' structs that says it. */
ww_ordering ww__ordering_of(const ww__sorting *s);

/* Elements that a block holds in shared memory: a power of two, 8 at least. `elements_more` bytes go with each. */
uint32_t ww__ordered_window(const ww_device *device, const ww__sorting *s, uint32_t most, size_t bytes_more);

#endif
