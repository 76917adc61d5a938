/* The binary radix tree over n sorted codes, in one step (Karras 2012, section 4 and figure 4; names are the paper's). Inner
 * node i is one end of its range of codes: delta(i, j), the number of first bits that codes i and j share, says on which
 * side of i the range lies, where it ends, and where it splits. Equal codes are followed by their positions, as bits behind
 * the 64. */
#include "space/tree/volumes.h"
#include "warpwise/primitive.h"

WW_STRUCT(binary_tree, {
    const uint64_t *code;
    uint32_t *children;
    uint32_t *parents;
    int64_t n;
});

WW_FUNCTION(
    delta, int64_t, (const binary_tree *t, int64_t i, int64_t j),
    {
        if (j < 0 || j >= t->n) return -1;
        const uint64_t differ = t->code[i] ^ t->code[j];
        return differ ? (int64_t)ww__in_tree_clz(differ) : 64 + (int64_t)ww__in_tree_clz((uint64_t)(i ^ j));
    },
    binary_tree, ww__in_tree_clz);

WW_KERNEL_USES((delta, WW_RADIX_LEAF), make_node, binary_tree, t, rank, {
    const int64_t i = (int64_t)rank;
    const int64_t d = delta(t, i, i + 1) > delta(t, i, i - 1) ? 1 : -1;
    /* The range's other end, j. */
    const int64_t delta_min = delta(t, i, i - d);
    int64_t most = 2;
    while (delta(t, i, i + most * d) > delta_min) most *= 2;
    int64_t l = 0;
    for (int64_t step = most / 2; step; step /= 2)
        if (delta(t, i, i + (l + step) * d) > delta_min) l += step;
    const int64_t j = i + l * d;
    /* The split, gamma: the last code that shares more with i than j does. */
    const int64_t delta_node = delta(t, i, j);
    int64_t s = 0;
    for (int64_t step = (l + 1) / 2; step; step = step > 1 ? (step + 1) / 2 : 0)
        if (s + step < l && delta(t, i, i + (s + step) * d) > delta_node) s += step;
    const int64_t gamma = i + s * d + (d < 0 ? -1 : 0);
    const int64_t first = i < j ? i : j;
    const int64_t last = i < j ? j : i;
    t->children[2 * i] = (uint32_t)gamma | (first == gamma ? WW_RADIX_LEAF : 0);
    t->children[2 * i + 1] = (uint32_t)(gamma + 1) | (last == gamma + 1 ? WW_RADIX_LEAF : 0);
    t->parents[first == gamma ? gamma : t->n + gamma - 1] = (uint32_t)i;
    t->parents[last == gamma + 1 ? gamma + 1 : t->n + gamma] = (uint32_t)i;
});

ww_status ww__volumes_tree(ww_volumes *v, uint64_t n) {
    ww_device *const device = v->device;
    if (n < 2) return WW_OK;
    WW_TRY(ww__kept_capacity(device, &v->children, 2 * (n - 1), sizeof(uint32_t), 0));
    WW_TRY(ww__kept_capacity(device, &v->parents, 2 * n - 2, sizeof(uint32_t), 0));
    const binary_tree t = {v->codes.data, v->children.data, v->parents.data, (int64_t)n};
    return ww_launch(device, ww_with(make_node, &t), n - 1);
}
