/* The order of a call on a GPU: what order.cuh is told. */
#ifndef WW__ORDER_GPU_H
#define WW__ORDER_GPU_H

#include "device/gpu/gpu.h"

/* Without a compiler, of elements in memory: a built-in order as one of words of their size, which kernels are told, so that one program
 * serves all types and directions; u32 and u64 ascending, and what is none of these, stay as they are. */
const ww_function *ww__order_told(const ww_device *device, const ww_function *order, const ww_input *a,
                                  const ww_input *b);
/* An input of a program by such an order. */
void ww__recipe_ordered(ww__recipe *r, const char *name, const ww_input *input, const ww_function *order);
/* ww_item, and ww_before by an order of elements of that type. */
void ww__recipe_order(ww__recipe *r, const ww_function *order, const ww_type *type, size_t size);

#endif
