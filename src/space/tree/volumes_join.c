/* Boxes from the leaves up (Karras 2012, section 4): a thread for each leaf brings its box to the parent, and the one that
 * comes there second, who finds both children's boxes, joins them and goes on; the first one ends. So each node is joined
 * once, when both of its children are. The counter at which they meet acquires and releases: what the first thread wrote
 * before it counted, the second one sees after it has. */
#include "space/tree/volumes.h"
#include "warpwise/primitive.h"

/* Kernels' own atomics are relaxed: this one is not. */
static inline __attribute__((unused)) uint32_t ww__volumes_arrive(uint32_t *counter) {
    return __atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL);
}
static const ww_text ww__definition_of_ww__volumes_arrive __attribute__((unused)) = {
    "ww__volumes_arrive",
    "WW_INLINE uint32_t ww__volumes_arrive(uint32_t *counter) { return ww_add_acq_rel(counter, 1u); }\n", __FILE__,
    __LINE__, NULL};

WW_STRUCT_USES((ww_volume_node, ww_volume_box), volumes_join, {
    const ww_volume_box *boxes;
    const uint32_t *items;
    const uint32_t *children;
    const uint32_t *parents;
    ww_volume_node *node;
    uint32_t *arrived;
    uint64_t n;
});

WW_KERNEL_USES((ww__volumes_arrive, WW_RADIX_LEAF), join_up, volumes_join, a, leaf, {
    uint32_t me = (uint32_t)leaf | WW_RADIX_LEAF;
    uint32_t least = a->items[leaf];
    ww_volume_box box = a->boxes[least];
    for (;;) {
        const uint32_t parent = a->parents[me & WW_RADIX_LEAF ? leaf : a->n + me - 1];
        const uint32_t side = a->children[2 * (uint64_t)parent] == me ? 0 : 1;
        ww_volume_node *node = &a->node[parent];
        node->box[side] = box;
        node->child[side] = me;
        node->least[side] = least;
        if (parent == 0 || ww__volumes_arrive(&a->arrived[parent]) == 0) return;
        const ww_volume_box *other = &node->box[1 - side];
        for (uint32_t k = 0; k < 3; k++) {
            if (other->low[k] < box.low[k]) box.low[k] = other->low[k];
            if (other->high[k] > box.high[k]) box.high[k] = other->high[k];
        }
        if (node->least[1 - side] < least) least = node->least[1 - side];
        me = parent;
    }
});

/* One item: a root whose second child is nothing, which no query comes near to. */
WW_KERNEL_USES((WW_RADIX_LEAF), join_one, volumes_join, a, rank, {
    ww_volume_node *node = &a->node[rank];
    const float infinity = ww_float_of_bits(0x7F800000u);
    node->box[0] = a->boxes[0];
    node->child[0] = WW_RADIX_LEAF;
    node->least[0] = 0;
    node->child[1] = 0xFFFFFFFFu;
    node->least[1] = 0xFFFFFFFFu;
    for (uint32_t k = 0; k < 3; k++) {
        node->box[1].low[k] = infinity;
        node->box[1].high[k] = -infinity;
    }
});

ww_status ww__volumes_join(ww_volumes *v, uint64_t n) {
    ww_device *const device = v->device;
    if (!n) return WW_OK;
    WW_TRY(ww__kept_capacity(device, &v->nodes, n, sizeof(ww_volume_node), 0));
    WW_TRY(ww__kept_capacity(device, &v->arrived, n, sizeof(uint32_t), 0));
    const volumes_join a = {
        v->boxes.data, v->items.data, v->children.data, v->parents.data, v->nodes.data, v->arrived.data, n};
    if (n == 1) return ww_launch(device, ww_with(join_one, &a), 1);
    WW_TRY(ww_fill(device, ww_array((uint32_t *)v->arrived.data, n), ww_value(uint32_t, 0)));
    return ww_launch(device, ww_with(join_up, &a), n);
}
