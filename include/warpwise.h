/* Warpwise: data-parallel primitives for CPUs and GPUs, and what is built on them. Each header documents itself.
 *
 *     device.h      open, close, errors, memory          primitive.h   map, reduce, scan, pack, split, …
 *     type.h        element types, arrays                sort.h        sorting
 *     function.h    functions of the caller's            multisplit.h  splitting into buckets
 *     input.h       what calls read                      text.h        finding patterns
 *     file.h        raw arrays and .npy                  tiles.h       tiles in a GPU's shared memory
 *     lsm.h         an ordered dictionary                dict.h        the same in a file
 *     slab.h        a hash dictionary                    slab_kernel.h the same inside kernels
 *     superstep.h   threads that fork                    banked.h      a model of banked memory
 *     graph.h       shortest paths, search, components   grid.h        points in cells, neighbours
 *     nbody.h       bodies that attract each other       radix_tree.h  trees over sorted keys (…_kernel.h)
 *     arrange.h     reverse, rotate, transpose           bounding_volumes.h  nearest points, boxes
 *     query.h       how many, any, all, where, in order  sort_columns.h      rows by several columns
 *     random.h      random numbers, samples (…_kernel.h) sort_file.h         files larger than memory
 *     group.h       several devices on one array        group_dictionary.h  dictionaries in shards
 *     sparse.h      a sparse matrix times vectors       output.h      where results go to
 *     group_nccl.h  groups of GPUs, over NCCL           group_file.h    files that ranks read and write together
 */
#ifndef WARPWISE_H
#define WARPWISE_H

#include "warpwise/arrange.h"
#include "warpwise/banked.h"
#include "warpwise/bounding_volumes.h"
#include "warpwise/device.h"
#include "warpwise/dict.h"
#include "warpwise/file.h"
#include "warpwise/function.h"
#include "warpwise/graph.h"
#include "warpwise/grid.h"
#include "warpwise/grid_kernel.h"
#include "warpwise/group.h"
#include "warpwise/group_dictionary.h"
#include "warpwise/group_file.h"
#include "warpwise/group_nccl.h"
#include "warpwise/input.h"
#include "warpwise/lsm.h"
#include "warpwise/multisplit.h"
#include "warpwise/nbody.h"
#include "warpwise/output.h"
#include "warpwise/primitive.h"
#include "warpwise/query.h"
#include "warpwise/radix_tree.h"
#include "warpwise/radix_tree_kernel.h"
#include "warpwise/random.h"
#include "warpwise/random_kernel.h"
#include "warpwise/slab.h"
#include "warpwise/slab_kernel.h"
#include "warpwise/sort.h"
#include "warpwise/sort_columns.h"
#include "warpwise/sort_file.h"
#include "warpwise/sparse.h"
#include "warpwise/superstep.h"
#include "warpwise/text.h"
#include "warpwise/tiles.h"
#include "warpwise/type.h"

#endif
