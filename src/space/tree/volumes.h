/* What the files of bounding volumes share. */
#ifndef WW__VOLUMES_H
#define WW__VOLUMES_H

#include "space/tree/tree.h"
#include "warpwise/bounding_volumes.h"

struct ww_volumes {
    ww_device *device;
    uint64_t count;
    ww_volumes_view view; /* of no items where there is no tree */
    ww__kept codes, items, children, parents, nodes;
    ww__kept boxes, unsorted, arrived; /* while they are built */
    ww__kept asked, offsets, found;    /* by ww_volumes_meet */
};

/* The binary radix tree over volumes->codes, n of them. */
ww_status ww__volumes_tree(ww_volumes *volumes, uint64_t n);
/* Boxes of its nodes: leaf places' boxes are boxes[items[place]]. */
ww_status ww__volumes_join(ww_volumes *volumes, uint64_t n);

#endif
