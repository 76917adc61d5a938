/* The order of a call on a GPU: what order.cuh is told. */
#ifndef WW__ORDER_GPU_H
#define WW__ORDER_GPU_H

#include "device/gpu/recipe.h"

/* ww_item, and ww_before by an order of elements of that type. */
void ww__recipe_order(ww__recipe *r, const ww_function *order, const ww_type *type, size_t size);

#endif
