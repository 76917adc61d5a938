/* The tree, level by level from the root. The codes of a node's bodies agree in all digits above its level, so that its
 * children are runs of bodies with the same next digit: binary searches among the sorted codes find where each begins. All
 * levels are one launch, of ranks that wait for one another when a level's children are written. A node takes places for its
 * children, side by side, from the level's counter. So in each run nodes may stand elsewhere, but levels stand one behind the
 * other, and a walk meets the same nodes in the same order. */
#include "space/bodies/bodies.h"

WW_STRUCT_USES((tree_node, tree_levels), growing, {
    const uint64_t *codes;
    tree_node *nodes;
    tree_levels *levels;
    uint64_t ranks;
    uint32_t bodies;
    uint32_t room;    /* for nodes */
    uint32_t bits;    /* of a digit: 2 or 3 */
    uint32_t deepest; /* digits of a code */
    uint32_t leaf;
});

/* Where a node's bodies of each digit begin, and behind the last one's. The digits' searches go side by side, as the steps of one
 * wait for one another. */
WW_STRUCT(digit_places, { uint32_t begins[9]; });
WW_FUNCTION(
    find_digits, digit_places, (const uint64_t *codes, uint32_t first, uint32_t last, uint32_t shift, uint32_t digits),
    {
        digit_places p;
        uint32_t many = last - first;
        for (uint32_t d = 0; d < 8; d++) p.begins[d] = first;
        p.begins[8] = last;
        while (many > 1) {
            const uint32_t half = many / 2;
            for (uint32_t d = 1; d < 8; d++)
                p.begins[d] += (codes[p.begins[d] + half - 1] >> shift & (digits - 1)) < d ? half : 0;
            many -= half;
        }
        for (uint32_t d = 1; d < 8; d++) p.begins[d] += (codes[p.begins[d]] >> shift & (digits - 1)) < d ? 1u : 0u;
        return p;
    },
    digit_places);

WW_FUNCTION(
    count_children, uint32_t, (const digit_places *p),
    {
        uint32_t count = 0;
        for (uint32_t d = 0; d < 8; d++) count += p->begins[d + 1] > p->begins[d] ? 1u : 0u;
        return count;
    },
    digit_places);

WW_FUNCTION(
    make_children, void, (const growing *a, tree_node *node, const digit_places *p, uint32_t at, uint32_t count),
    {
        node->child = at;
        node->children = count;
        for (uint32_t d = 0; d < 8; d++) {
            if (p->begins[d + 1] == p->begins[d]) continue;
            a->nodes[at].first = p->begins[d];
            a->nodes[at].last = p->begins[d + 1];
            a->nodes[at].child = 0;
            a->nodes[at].children = 0;
            at++;
        }
    },
    growing, tree_node, digit_places);

WW_KERNEL_USES((find_digits, count_children, make_children), grow, growing, a, rank, {
    const uint32_t digits = 1u << a->bits;
    uint32_t base = 0;
    uint32_t end = 1;
    uint32_t level = 0;
    if (rank == 0) {
        a->nodes[0].first = 0;
        a->nodes[0].last = a->bodies;
        a->nodes[0].child = 0;
        a->nodes[0].children = 0;
        a->levels->first[0] = 0;
        for (uint32_t k = 0; k < 34; k++) a->levels->grown[k] = 0;
    }
    ww_barrier(&a->levels->barrier, a->ranks);
    while (base < end && end <= a->room) {
        const uint32_t shift = a->bits * (a->deepest - 1 - level);
        if (rank == 0) a->levels->first[level + 1] = end;
        if (level == a->deepest) break;
        for (uint64_t at = rank; at < end - base; at += a->ranks) {
            tree_node *node = a->nodes + base + at;
            if (node->last - node->first <= a->leaf) continue;
            const digit_places p = find_digits(a->codes, node->first, node->last, shift, digits);
            const uint32_t count = count_children(&p);
            const uint32_t to = end + ww_atomic_add(&a->levels->grown[level], count);
            if (to <= a->room && count <= a->room - to) make_children(a, node, &p, to, count);
        }
        ww_barrier(&a->levels->barrier, a->ranks);
        base = end;
        end += ww_atomic_load(&a->levels->grown[level]);
        level++;
    }
    if (rank == 0) {
        a->levels->made = end;
        a->levels->many = base < end ? level + 1 : level;
    }
});

enum { PLACE = 4 * sizeof(double) + sizeof(float) }; /* bytes of a node's */

/* How many nodes there is room for in all of them. */
static uint64_t room_for(const ww_nbody *nbody) {
    uint64_t room = nbody->places.bytes / PLACE - WW__BODIES_BESIDE;
    if (nbody->node.bytes / sizeof(tree_node) < room) room = nbody->node.bytes / sizeof(tree_node);
    if (nbody->box.bytes / sizeof(node_box) < room) room = nbody->box.bytes / sizeof(node_box);
    return room;
}

static ww_status rooms(ww_nbody *nbody, uint64_t nodes) {
    const bool begun = nbody->progress.data != NULL;
    WW_TRY(ww__bodies_room(nbody, &nbody->node, nodes, sizeof(tree_node), 0));
    WW_TRY(ww__bodies_room(nbody, &nbody->places, nodes + WW__BODIES_BESIDE, PLACE, 0));
    WW_TRY(ww__bodies_room(nbody, &nbody->box, nodes, sizeof(node_box), 0));
    WW_TRY(ww__bodies_room(nbody, &nbody->progress, 1, sizeof(tree_levels), 0));
    if (!begun) WW_TRY(ww_fill(nbody->device, ww_array((uint64_t *)nbody->progress.data, 1), ww_value(uint64_t, 0)));
    const uint64_t stride = nbody->places.bytes / PLACE;
    double *const at = nbody->places.data;
    nbody->place = (node_places){at, at + stride, at + 2 * stride, at + 3 * stride, (float *)(at + 4 * stride)};
    return nbody->options.quadrupoles ? ww__bodies_room(nbody, &nbody->moments, nodes, sizeof(node_moments), 0) : WW_OK;
}

/* Few bodies are not worth all ranks' waiting for one another. The number stays: they wait at one word. */
static ww_status ranks_for(ww_nbody *nbody) {
    const uint64_t whole = nbody->warps ? 64 : 2; /* of whole warps */
    if (nbody->ranks) return WW_OK;
    WW_TRY(ww_together(nbody->device, &nbody->ranks));
    while (nbody->ranks % whole == 0 && nbody->ranks / 2 >= nbody->n) nbody->ranks /= 2;
    return WW_OK;
}

ww_status ww__bodies_tree(ww_nbody *nbody) {
    const uint32_t bits = nbody->options.dimensions;
    uint32_t made = 0;
    WW_TRY(ranks_for(nbody));
    for (uint64_t room = nbody->n / 5 + 64;; room = made) {
        WW_TRY(rooms(nbody, room));
        tree_levels *const levels = nbody->progress.data;
        const growing a = {.codes = nbody->codes,
                           .nodes = nbody->node.data,
                           .levels = levels,
                           .ranks = nbody->ranks,
                           .bodies = (uint32_t)nbody->n,
                           .room = (uint32_t)room_for(nbody),
                           .bits = bits,
                           .deepest = bits == 2 ? 31 : 21,
                           .leaf = WW__BODIES_LEAF};
        WW_TRY(ww_launch_together(nbody->device, ww_with(grow, &a), nbody->ranks));
        WW_TRY(ww_copy(nbody->device, ww_memory(&levels->made, 1), ww_array(&made, 1)));
        WW_TRY(ww_sync(nbody->device));
        nbody->nodes = made;
        if (made <= a.room) return WW_OK;
    }
}
