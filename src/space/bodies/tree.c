/* The tree, level by level from the root. The codes of a node's bodies agree in all digits above its level, so that its
 * children are runs of bodies with the same next digit: binary searches among the sorted codes find where each begins. Every
 * node of a level counts its children, a scan of the counts says where they stand in the next level, and every node writes
 * them there. */
#include "space/bodies/bodies.h"

WW_STRUCT_USES((tree_node), growing, {
    const uint64_t *codes;
    tree_node *nodes;
    uint32_t *begins; /* of each node of the level, where its bodies of each digit begin */
    uint32_t *counts;
    const uint32_t *offsets;
    uint64_t base;       /* the level's first node */
    uint64_t below_base; /* the next one's */
    uint32_t shift;      /* of the digit that divides this level's nodes */
    uint32_t digits;     /* 4 or 8 */
    uint32_t leaf;
});

/* The first of codes first … last - 1 whose digit is not below d. */
WW_FUNCTION(digit_begins, uint32_t,
            (const uint64_t *codes, uint32_t first, uint32_t last, uint32_t shift, uint32_t digits, uint32_t d), {
                while (first < last) {
                    const uint32_t middle = first + (last - first) / 2;
                    if ((codes[middle] >> shift & (digits - 1)) < d)
                        first = middle + 1;
                    else
                        last = middle;
                }
                return first;
            });

/* A rank for each digit: the first levels' nodes are few, and the steps of a search wait for one another. */
WW_KERNEL_USES((digit_begins), find_digits, growing, a, rank, {
    const tree_node *node = a->nodes + a->base + rank / a->digits;
    const uint32_t d = (uint32_t)(rank % a->digits);
    const bool leaf = node->last - node->first <= a->leaf;
    a->begins[rank] = leaf || !d ? node->first : digit_begins(a->codes, node->first, node->last, a->shift, a->digits, d);
});

WW_KERNEL(count_children, growing, a, rank, {
    const tree_node *node = a->nodes + a->base + rank;
    const uint32_t *begins = a->begins + rank * a->digits;
    uint32_t count = 0;
    for (uint32_t d = 0; d < a->digits; d++) {
        const uint32_t end = d + 1 < a->digits ? begins[d + 1] : node->last;
        count += end > begins[d] ? 1u : 0u;
    }
    a->counts[rank] = node->last - node->first > a->leaf ? count : 0;
});

WW_KERNEL(make_children, growing, a, rank, {
    tree_node *node = a->nodes + a->base + rank;
    const uint32_t *begins = a->begins + rank * a->digits;
    const uint32_t count = a->counts[rank];
    uint32_t at = (uint32_t)(a->below_base + a->offsets[rank]);
    node->child = count ? at : 0;
    node->children = count;
    const uint32_t behind = at + count;
    for (uint32_t d = 0; count && d < a->digits; d++) {
        const uint32_t end = d + 1 < a->digits ? begins[d + 1] : node->last;
        if (end == begins[d]) continue;
        a->nodes[at].first = begins[d];
        a->nodes[at].last = end;
        a->nodes[at].child = 0;
        a->nodes[at].next = at + 1 < behind ? at + 1 : node->next;
        at++;
    }
});

static ww_status node_rooms(ww_nbody *nbody, uint64_t nodes, uint64_t kept) {
    WW_TRY(ww__bodies_room(nbody, &nbody->node, nodes, sizeof(tree_node), kept * sizeof(tree_node)));
    WW_TRY(ww__bodies_room(nbody, &nbody->box, nodes, sizeof(node_box), 0));
    return nbody->options.quadrupoles ? ww__bodies_room(nbody, &nbody->moments, nodes, sizeof(node_moments), 0) : WW_OK;
}

/* The children of a level's nodes; *made is how many. */
static ww_status grow(ww_nbody *nbody, growing *a, uint64_t many, uint32_t *made) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    WW_TRY(ww__bodies_room(nbody, &nbody->begins, many * a->digits, sizeof(uint32_t), 0));
    WW_TRY(ww__bodies_room(nbody, &nbody->counts, many, sizeof(uint32_t), 0));
    WW_TRY(ww__bodies_room(nbody, &nbody->offsets, many, sizeof(uint32_t), 0));
    const ww_array counts = ww_array((uint32_t *)nbody->counts.data, many);
    const ww_array offsets = ww_array((uint32_t *)nbody->offsets.data, many);
    a->nodes = nbody->node.data;
    a->begins = nbody->begins.data;
    a->counts = counts.data;
    a->offsets = offsets.data;
    WW_TRY(ww_launch(nbody->device, ww_with(find_digits, a), many * a->digits));
    WW_TRY(ww_launch(nbody->device, ww_with(count_children, a), many));
    o.exclusive = true;
    o.total = ww_array(made, 1);
    WW_TRY(ww_scan(nbody->device, &ww_add, ww_from(counts), offsets, &o));
    WW_TRY(ww_sync(nbody->device));
    WW_TRY(node_rooms(nbody, a->below_base + *made, a->below_base));
    a->nodes = nbody->node.data;
    return ww_launch(nbody->device, ww_with(make_children, a), many);
}

ww_status ww__bodies_tree(ww_nbody *nbody) {
    const uint32_t bits = nbody->options.dimensions, digits = 1u << bits;
    const uint32_t deepest = bits == 2 ? 31 : 21;
    const tree_node root = {.next = UINT32_MAX, .first = 0, .last = (uint32_t)nbody->n};
    WW_TRY(node_rooms(nbody, nbody->n / 5 + 64, 0));
    WW_TRY(
        ww_copy(nbody->device, ww_memory_of(&root, 1, &tree_node_ww), ww_array_of(nbody->node.data, 1, &tree_node_ww)));
    nbody->level_first[0] = 0;
    nbody->nodes = 1;
    for (nbody->levels = 0;;) {
        const uint64_t base = nbody->level_first[nbody->levels];
        uint32_t made = 0;
        nbody->level_first[++nbody->levels] = nbody->nodes;
        growing a = {nbody->codes, NULL, NULL, NULL, NULL, base, nbody->nodes, 0, digits, WW__BODIES_LEAF};
        if (nbody->levels > deepest) return WW_OK;
        a.shift = bits * (deepest - nbody->levels);
        WW_TRY(grow(nbody, &a, nbody->nodes - base, &made));
        if (!made) return WW_OK;
        nbody->nodes += made;
    }
}
