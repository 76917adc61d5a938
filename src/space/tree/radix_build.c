/* The levels of a radix tree, from the root down. A level has m inner nodes, whose keys stand at begin … end - 1, more than
 * a leaf holds; places of keys ascend from node to node. Five steps, each a call for all nodes at once:
 *
 *   open      a node's depth is how many bits its first and last key have in common, rounded down to digits
 *   expand    the keys of these nodes, one behind the other: source = whose each is
 *   heads     a key begins a child where its digit is not that of the key before; a key that ends in the digit is a child of
 *             its own
 *   pack      the heads, so that child c's keys are those between heads c and c + 1
 *   place     a scan of what the children are (a slot, an inner node) gives each its place: it sets its bit in its parent's
 *             bitmap and writes its slot; the inner ones are the next level's m nodes. Then each node counts its bits
 *
 * Keys that have come to a leaf are in no level below. */
#include "space/tree/tree.h"
#include "warpwise/primitive.h"

WW_STRUCT_USES((ww_radix_view), tree_level, {
    ww_radix_view view;
    uint32_t *node;
    uint32_t *slot;
    uint32_t *ending; /* a null pointer: keys are whole numbers */
    uint32_t *end;
    uint32_t *begins; /* of this level's nodes; then of the next one's */
    uint32_t *ends;
    uint64_t *sizes; /* where the level's keys of each node begin */
    uint32_t *source;
    uint8_t *flags;
    const uint32_t *heads;
    uint32_t *first; /* the first key of each child, as it is in the view's places */
    uint64_t *ranks; /* of children: slots before, and inner nodes before in the high half */
    uint64_t active;
    uint64_t children;
    uint64_t inner;
    uint32_t node_base;
    uint32_t slot_base;
    uint32_t end_base;
    uint32_t unused;
});

WW_KERNEL_USES((ww__in_tree_key_at, ww__in_tree_common), open_node, tree_level, a, i, {
    const ww_radix_key first = ww__in_tree_key_at(&a->view, a->begins[i]);
    const ww_radix_key last = ww__in_tree_key_at(&a->view, (uint64_t)a->ends[i] - 1);
    const uint32_t common = (uint32_t)ww__in_tree_common(&first, &last);
    uint32_t *node = a->node + (a->node_base + i) * a->view.stride;
    node[0] = 0;
    node[1] = common - common % a->view.digit_bits;
    node[2] = a->begins[i];
    node[3] = a->ends[i];
    for (uint32_t word = 4; word < a->view.stride; word++) node[word] = 0;
    for (uint32_t word = 0; a->ending && word < a->view.ending_stride; word++)
        a->ending[(a->node_base + i) * a->view.ending_stride + word] = 0;
    a->sizes[i] = a->ends[i] - a->begins[i];
});

/* How a key goes on behind its node's depth: with a digit, or (2^r + …) by ending in it. Keys that end are each another
 * child. */
WW_FUNCTION(
    goes_on, uint32_t, (const ww_radix_view *t, uint64_t place, uint32_t depth),
    {
        const ww_radix_key key = ww__in_tree_key_at(t, place);
        const uint32_t digit = ww__in_tree_digit(&key, depth, t->digit_bits);
        if (key.bits >= (uint64_t)depth + t->digit_bits) return digit;
        const uint32_t k = (uint32_t)(key.bits - depth);
        return (1u << t->digit_bits) + k + digit - (uint32_t)ww_popcount(digit);
    },
    ww_radix_view, ww_radix_key, ww__in_tree_key_at, ww__in_tree_digit);

WW_KERNEL_USES((goes_on), find_head, tree_level, a, i, {
    const uint32_t *node = a->node + ((uint64_t)a->node_base + a->source[i]) * a->view.stride;
    const uint64_t place = node[2] + (i - a->sizes[a->source[i]]);
    a->flags[i] = place == node[2] || goes_on(&a->view, place, node[1]) != goes_on(&a->view, place - 1, node[1]);
});

/* What a child is: 0, a key that ends; 1, a leaf; 2, an inner node. */
WW_KERNEL_USES((goes_on), know_child, tree_level, a, c, {
    const uint32_t head = a->heads[c];
    const uint32_t source = a->source[head];
    const uint32_t *node = a->node + ((uint64_t)a->node_base + source) * a->view.stride;
    const uint32_t first = node[2] + (uint32_t)(head - a->sizes[source]);
    const uint64_t behind = c + 1 < a->children ? a->heads[c + 1] : a->active;
    a->first[c] = first;
    if (goes_on(&a->view, first, node[1]) >> a->view.digit_bits)
        a->flags[c] = 0;
    else
        a->flags[c] = behind - head > a->view.leaf ? 2 : 1;
});

WW_KERNEL_USES((goes_on, WW_RADIX_LEAF), place_child, tree_level, a, c, {
    const uint32_t head = a->heads[c];
    const uint32_t source = a->source[head];
    const uint32_t first = a->first[c];
    const uint32_t slots = (uint32_t)a->ranks[c];
    const uint32_t inner = (uint32_t)(a->ranks[c] >> 32);
    const uint64_t number = (uint64_t)a->node_base + source;
    uint32_t *node = a->node + number * a->view.stride;
    const uint32_t way = goes_on(&a->view, first, node[1]);
    uint32_t *bits = node + 4;
    if (first == node[2]) {
        node[0] = a->slot_base + slots;
        if (a->ending) a->ending[number * a->view.ending_stride] = a->end_base + (uint32_t)c - slots;
    }
    if (a->flags[c] == 0) {
        bits = a->ending + number * a->view.ending_stride + 1;
        a->end[a->end_base + (uint32_t)c - slots] = first;
    } else {
        a->slot[a->slot_base + slots] = a->flags[c] == 2 ? a->node_base + (uint32_t)a->inner + inner
                                                         : first | WW_RADIX_LEAF;
    }
    const uint32_t bit = way & ((1u << a->view.digit_bits) - 1);
    ww_atomic_or(&bits[bit / 32], 1u << bit % 32);
    if (a->flags[c] == 2) {
        const uint64_t behind = c + 1 < a->children ? a->heads[c + 1] : a->active;
        a->begins[inner] = first;
        a->ends[inner] = first + (uint32_t)(behind - head);
    }
});

/* How many bits are set before each word of a node's, when all are. */
WW_KERNEL(count_bits, tree_level, a, i, {
    uint32_t *node = a->node + (a->node_base + i) * a->view.stride;
    uint32_t many = 0;
    for (uint32_t word = 0; 4 + word < a->view.before; word++) {
        node[a->view.before + word / 4] |= many << word % 4 * 8;
        many += (uint32_t)ww_popcount(node[4 + word]);
    }
});

WW_MAP(slots_and_inner, uint64_t, uint8_t, kind, void, none, { return kind == 2 ? ((uint64_t)1 << 32) + 1 : kind; });

/* ---- on the host ---- */

typedef struct level {
    ww_radix_tree *tree;
    uint64_t inner;               /* nodes of this level */
    uint64_t nodes, slots, ended; /* there are with it, and were before it */
} level;

static ww_status room(const level *l, ww__kept *block, uint64_t count, size_t size, uint64_t keep) {
    return ww__kept_capacity(l->tree->device, block, count, size, (size_t)keep * size);
}

static tree_level arguments(const level *l, uint64_t active, uint64_t children) {
    const ww_radix_tree *t = l->tree;
    return (tree_level){.view = t->view,
                        .node = t->node.data,
                        .slot = t->slot.data,
                        .ending = t->ending.data,
                        .end = t->end.data,
                        .begins = t->begins.data,
                        .ends = t->ends.data,
                        .sizes = t->sizes.data,
                        .source = t->source.data,
                        .flags = t->flags.data,
                        .heads = t->heads.data,
                        .first = t->first.data,
                        .ranks = t->ranks.data,
                        .active = active,
                        .children = children,
                        .inner = l->inner,
                        .node_base = (uint32_t)(l->nodes - l->inner),
                        .slot_base = (uint32_t)l->slots,
                        .end_base = (uint32_t)l->ended};
}

/* Opens the level's nodes, and deals out their keys; how many these are. */
static ww_status open_nodes(const level *l, bool ending, uint64_t *active) {
    ww_radix_tree *const t = l->tree;
    const uint64_t before = l->nodes - l->inner;
    ww_scan_options options = WW_SCAN_OPTIONS;
    WW_TRY(room(l, &t->node, l->nodes, t->view.stride * sizeof(uint32_t), before));
    if (ending) WW_TRY(room(l, &t->ending, l->nodes, t->view.ending_stride * sizeof(uint32_t), before));
    WW_TRY(room(l, &t->sizes, l->inner + 1, sizeof(uint64_t), 0));
    tree_level a = arguments(l, 0, 0);
    if (!ending) a.ending = NULL;
    WW_TRY(ww_launch(t->device, ww_with(open_node, &a), l->inner));
    uint64_t *const sizes = t->sizes.data;
    options.exclusive = true;
    options.total = ww_array(sizes + l->inner, 1);
    WW_TRY(ww_scan(t->device, &ww_add, ww_memory(sizes, l->inner), ww_array(sizes, l->inner), &options));
    WW_TRY(ww_copy(t->device, ww_memory(sizes + l->inner, 1), ww_array(active, 1)));
    WW_TRY(room(l, &t->source, *active, sizeof(uint32_t), 0));
    return ww_expand_offsets(t->device, ww_no_input, ww_memory(sizes, l->inner + 1), ww_none,
                             ww_array((uint32_t *)t->source.data, *active), ww_none);
}

/* Where children begin; how many there are. */
static ww_status find_heads(const level *l, uint64_t active, uint64_t *children) {
    ww_radix_tree *const t = l->tree;
    WW_TRY(room(l, &t->flags, active, 1, 0));
    WW_TRY(room(l, &t->heads, active, sizeof(uint32_t), 0));
    const tree_level a = arguments(l, active, 0);
    WW_TRY(ww_launch(t->device, ww_with(find_head, &a), active));
    return ww_pack(t->device, ww_counting(&ww_type_uint32_t, 0, active), ww_memory((uint8_t *)t->flags.data, active),
                   ww_array((uint32_t *)t->heads.data, active), ww_array(children, 1), NULL);
}

/* Puts the children where they belong. *l is the next level then. */
static ww_status place_children(level *l, bool ending, uint64_t active, uint64_t children) {
    ww_radix_tree *const t = l->tree;
    uint64_t total = 0;
    ww_scan_options options = WW_SCAN_OPTIONS;
    WW_TRY(room(l, &t->first, children, sizeof(uint32_t), 0));
    WW_TRY(room(l, &t->ranks, children + 1, sizeof(uint64_t), 0));
    const tree_level know = arguments(l, active, children);
    WW_TRY(ww_launch(t->device, ww_with(know_child, &know), children));
    uint64_t *const ranks = t->ranks.data;
    options.exclusive = true;
    options.total = ww_array(ranks + children, 1);
    WW_TRY(ww_scan(t->device, &ww_add, ww_mapped(&slots_and_inner_ww, ww_memory((uint8_t *)t->flags.data, children)),
                   ww_array(ranks, children), &options));
    WW_TRY(ww_copy(t->device, ww_memory(ranks + children, 1), ww_array(&total, 1)));
    const uint64_t slots = total & UINT32_MAX, inner = total >> 32;
    WW_TRY(room(l, &t->slot, l->slots + slots, sizeof(uint32_t), l->slots));
    if (ending) WW_TRY(room(l, &t->end, l->ended + children - slots, sizeof(uint32_t), l->ended));
    WW_TRY(room(l, &t->begins, inner, sizeof(uint32_t), 0));
    WW_TRY(room(l, &t->ends, inner, sizeof(uint32_t), 0));
    tree_level place = arguments(l, active, children);
    if (!ending) place.ending = NULL;
    WW_TRY(ww_launch(t->device, ww_with(place_child, &place), children));
    WW_TRY(ww_launch(t->device, ww_with(count_bits, &place), l->inner));
    l->slots += slots;
    l->ended += children - slots;
    l->inner = inner;
    l->nodes += inner;
    return WW_OK;
}

static ww_status begin_root(const level *l) {
    ww_radix_tree *const t = l->tree;
    const uint32_t all = (uint32_t)t->view.places;
    WW_TRY(room(l, &t->begins, 1, sizeof(uint32_t), 0));
    WW_TRY(room(l, &t->ends, 1, sizeof(uint32_t), 0));
    WW_TRY(ww_fill(t->device, ww_array((uint32_t *)t->begins.data, 1), ww_value(uint32_t, 0)));
    return ww_fill(t->device, ww_array((uint32_t *)t->ends.data, 1), ww_value(uint32_t, all));
}

ww_status ww__tree_build_levels(ww_radix_tree *tree) {
    const bool ending = tree->keys.strings || tree->keys.prefixes;
    level l = {tree, 1, 1, 0, 0};
    tree->view.root = WW_RADIX_LEAF;
    if (tree->view.places <= tree->view.leaf) return WW_OK;
    WW_TRY(begin_root(&l));
    while (l.inner) {
        uint64_t active = 0, children = 0;
        WW_TRY(open_nodes(&l, ending, &active));
        WW_TRY(find_heads(&l, active, &children));
        WW_TRY(place_children(&l, ending, active, children));
        tree->counts.levels++;
    }
    tree->view.node = tree->node.data;
    tree->view.slot = tree->slot.data;
    tree->view.ending = ending ? tree->ending.data : NULL;
    tree->view.end = ending ? tree->end.data : NULL;
    tree->view.root = 0;
    tree->counts.nodes = l.nodes;
    tree->counts.slots = l.slots;
    tree->counts.ended = l.ended;
    return WW_OK;
}
