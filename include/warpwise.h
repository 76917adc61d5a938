/* Warpwise: data-parallel primitives for CPUs and GPUs. All of the library; each room's header is its manual.
 *
 *     device.h      open, close, errors, memory          primitive.h   map, reduce, scan, pack, split, …
 *     type.h        element types, arrays                sort.h        sorting
 *     function.h    functions of the caller's            text.h        finding patterns
 *     input.h       what calls read                      file.h        raw arrays and .npy
 *     lsm.h         an ordered dictionary                dict.h        the same in a file
 *     slab.h        a hash dictionary                    slab_kernel.h the same inside of kernels
 *     superstep.h   threads that fork                    banked.h      a model of memory in banks
 *     tiles.h       tiles in a GPU's shared memory       graph.h       shortest paths and what else graphs are for       */
#ifndef WARPWISE_H
#define WARPWISE_H

#include "warpwise/banked.h"
#include "warpwise/device.h"
#include "warpwise/dict.h"
#include "warpwise/file.h"
#include "warpwise/function.h"
#include "warpwise/graph.h"
#include "warpwise/input.h"
#include "warpwise/lsm.h"
#include "warpwise/multisplit.h"
#include "warpwise/primitive.h"
#include "warpwise/slab.h"
#include "warpwise/slab_kernel.h"
#include "warpwise/sort.h"
#include "warpwise/superstep.h"
#include "warpwise/text.h"
#include "warpwise/tiles.h"
#include "warpwise/type.h"

#endif
