/* What `warpwise sssp` and `warpwise graph` do. */
#ifndef KERNEL_PACK_GRAPH_CALLS_H
#define KERNEL_PACK_GRAPH_CALLS_H

#include "warpwise.h"

enum { GRAPH_DEPTHS = 10, GRAPH_VARIANTS = 2 * 8 * GRAPH_DEPTHS };

/* A graph of n vertices, with long rows or without, and one of the calls on it, which finds something to do a few times (the variant says
 * all). Weights are of
 * that type; u8: there are none. The device is one of compile_only.h. */
ww_status graph_calls(ww_device *device, const ww_type *weight, uint64_t n, size_t variant);

#endif
