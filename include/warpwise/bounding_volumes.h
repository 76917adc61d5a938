/* Bounding volumes: a binary radix tree over Morton codes with a box at each node; nearest neighbours, and intersections.
 *
 *     ww_volumes *volumes;
 *     ww_volumes_create(device, &volumes);
 *     ww_volumes_build_points(volumes, ww_memory_of(points, n, &ww_volume_point_ww));
 *     ww_volumes_nearest(volumes, queries, nearest);             which point, and how far
 *     ww_volumes_destroy(volumes);
 *
 * A Morton code interleaves the bits of the coordinates, 21 of each, so that what has the same first bits lies in one box. Over
 * sorted codes the whole binary radix tree is built in one step, each of the n - 1 inner nodes by itself (Karras, Maximizing
 * Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012); then boxes are joined from the leaves up, by the
 * later of a node's two children each (docs/space.md).
 *
 *   items      points or boxes of f32, up to 2^31 - 1 (LIMIT). They are copied; results are their positions in the input. No
 *              item, one item, all in one place: fine. A coordinate that is NaN or infinite, or a box whose low is above its
 *              high: RANGE with the position. One item far away from all others leaves these few distinct codes, which costs
 *              time in queries: they are still right
 *   memory     92 bytes an item, and 36 while it is built, which are kept for the next time
 *   statuses   OK, INVALID, TYPE, BUSY, MEMORY, LIMIT, RANGE. The sentence is in the device's ww_error
 *   on error   of a build: there are no volumes; of a query: outputs may be partly written */
#ifndef WARPWISE_BOUNDING_VOLUMES_H
#define WARPWISE_BOUNDING_VOLUMES_H

#include "device.h"
#include "input.h"

WW_STRUCT(ww_volume_point, { float x[3]; });
WW_STRUCT(ww_volume_box, {
    float low[3];
    float high[3];
});

/* A query's answer: the squared distance, in double precision, and the item. */
WW_STRUCT(ww_volume_nearest, {
    double squared;
    uint64_t item; /* 2^64 - 1: none */
});

/* An inner node: its children's boxes, which they are (an inner node's number, or with the highest bit set a leaf's place in
 * the order of codes), and the least item of each. */
WW_STRUCT_USES((ww_volume_box), ww_volume_node, {
    ww_volume_box box[2];
    uint32_t child[2];
    uint32_t least[2];
});

/* Where the parts are, for kernels. Places are in the order of codes; node 0 is the root. */
WW_STRUCT_USES((ww_volume_node), ww_volumes_view, {
    const uint64_t *code;
    const uint32_t *item;     /* of each place; a null pointer: the codes were given */
    const uint32_t *children; /* 2 for each of n - 1 inner nodes, as ww_volume_node's child */
    const uint32_t *parents;  /* of the n leaves, then of the inner nodes but for the root */
    const ww_volume_node *node;
    uint64_t count;
});

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_volumes ww_volumes;

/* Makes empty volumes, which use the device's memory and threads; destroy them before that is closed. NULL is fine for
 * ww_volumes_destroy. */
WW_API ww_status ww_volumes_create(ww_device *device, ww_volumes **volumes);
WW_API void ww_volumes_destroy(ww_volumes *volumes);

/* The binary radix tree alone, over ascending codes (u64; all 64 bits count; one below the one before it is RANGE with its
 * position). Equal codes are told apart by their positions, so that the tree has at most 96 levels. A view has it then;
 * queries are INVALID.
 *   work      O(n log n) at worst: each node looks for its ends and its split by doubling and halving steps
 *   passes    codes are copied and checked, 3 n; the tree is 16 bytes a code */
WW_API ww_status ww_volumes_build_codes(ww_volumes *volumes, ww_input codes);

/* Volumes of boxes (ww_volume_box) or points (ww_volume_point), by the codes of their centres. Costs: a sort of n codes with
 * their positions, the tree, and for each item's path as many nodes as it is the last to reach: n in all. */
WW_API ww_status ww_volumes_build_boxes(ww_volumes *volumes, ww_input boxes);
WW_API ww_status ww_volumes_build_points(ww_volumes *volumes, ww_input points);

WW_API uint64_t ww_volumes_count(const ww_volumes *volumes);

/* out[i] (ww_volume_nearest) = the item whose box (or point) is nearest to points[i], of several the first: the same as if all
 * were compared. Inside a box the distance is 0. None, at a distance of infinity, if there are no items or a coordinate is NaN
 * or infinite. Out may be in any memory, as for ww_map. */
WW_API ww_status ww_volumes_nearest(ww_volumes *volumes, ww_input points, ww_array out);

/* The items whose boxes intersect boxes[i] (touching is enough) are found_out[offsets_out[i]] and those after it, up to
 * offsets_out[i + 1]: u32, in the order of codes. A box with NaN, or whose low is above its high, intersects none; infinite
 * ones are fine.
 *   offsets_out   one more than there are boxes, u64
 *   found_out     capacity for all, which is *total (NULL: not wanted); too little is LIMIT, with offsets_out and *total right.
 *                 ww_none: not wanted
 * The tree is walked twice: to count, and to write. The host waits for *total. */
WW_API ww_status ww_volumes_meet(ww_volumes *volumes, ww_input boxes, ww_array offsets_out, ww_array found_out,
                                 uint64_t *total);

/* For kernels; good until the next build. */
WW_API ww_status ww_volumes_view_get(const ww_volumes *volumes, ww_volumes_view *view);

#ifdef __cplusplus
}
#endif
#endif
