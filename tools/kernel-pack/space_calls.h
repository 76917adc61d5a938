/* What the rooms of space do: bodies, grids, radix trees, bounding volumes. */
#ifndef KERNEL_PACK_SPACE_CALLS_H
#define KERNEL_PACK_SPACE_CALLS_H

#include "warpwise.h"

enum { BODIES = 12, GRIDS = 6 };

/* Bodies by each method, in two dimensions and three, with second moments or without. */
ww_status bodies_calls(ww_device *device, uint64_t n, size_t variant);

/* A grid of points of that type by each method, in each domain, and all that it is asked. */
ww_status grid_calls(ww_device *device, const ww_type *type, uint64_t n, size_t variant);

/* A tree of numbers of that type, and all that it is asked; of strings where the type is u8. */
ww_status radix_tree_calls(ww_device *device, const ww_type *type, uint64_t n);

ww_status volumes_calls(ww_device *device, uint64_t n);

#endif
