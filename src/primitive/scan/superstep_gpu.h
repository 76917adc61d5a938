/* What the teaching scans share on a GPU: programs of one element or node a thread, and the part of their structs that the
 * scan itself says. */
#ifndef WW__SCAN_SUPERSTEP_GPU_H
#define WW__SCAN_SUPERSTEP_GPU_H

#include "device/gpu/gpu.h"
#include "primitive/scan/sides.h"

/* LIMIT for elements that are too long. */
ww_status ww__superstep_recipe(const ww__scanning *s, const char *file, ww__recipe *r);

/* What comes behind the fixed part: initial, in, by. */
WW__LOOKED_AT ww_status ww__superstep_arguments(const ww__scanning *s, ww__arguments *a);

/* Queues a kernel for `threads` elements or nodes. */
ww_status ww__superstep_launch(const ww__scanning *s, const ww__recipe *r, const char *kernel, uint64_t threads,
                               const ww__arguments *a);

#endif
