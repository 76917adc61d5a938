/* The tree of a reduction, level by level. */
#include "reduce_tree.h"

#include <string.h>

/* Elements of a tile, as docs/determinism.md says. */
static uint64_t tile_of(size_t size) {
    const uint64_t tile = 16384 / size;
    return tile > 4096 ? 4096 : tile;
}

static ww_array elements(const ww_array *of, uint64_t first, uint64_t count) {
    ww_array some = *of;
    some.data = (unsigned char *)of->data + first * of->size;
    some.count = count;
    return some;
}

int tree_begin(reduce_tree *tree, job *j, const ww_function *op, const ww_type *type, uint64_t most) {
    ww_array room;
    tree->job = j;
    tree->op = op;
    tree->tile = tile_of(type->size);
    const uint64_t first = tree->tile + most / tree->tile + 1;
    if (job_room(j, ww_array_of(NULL, 0, type), first + (TREE_LEVELS - 1) * tree->tile, &room)) return FAILED;
    for (uint64_t l = 0; l < TREE_LEVELS; l++)
        tree->level[l] = elements(&room, l ? first + (l - 1) * tree->tile : 0, 0);
    return DONE;
}

/* Folds the first `count` results of a level, a tile at most, into one of the next. */
static int fold(reduce_tree *tree, size_t l, uint64_t count) {
    job *j = tree->job;
    ww_array *const from = &tree->level[l], *const to = &tree->level[l + 1];
    const ww_array folded = elements(from, 0, count), rest = elements(from, count, from->count - count);
    if (job_check(j, ww_reduce(j->device, tree->op, ww_from(folded), elements(to, to->count, 1)))) return FAILED;
    to->count++;
    memmove(from->data, rest.data, rest.count * rest.size);
    from->count = rest.count;
    return DONE;
}

int tree_add(reduce_tree *tree, ww_input part) {
    job *j = tree->job;
    ww_array *const first = &tree->level[0];
    const uint64_t tiles = part.count / tree->tile, whole = tiles * tree->tile, left = part.count - whole;
    const ww_input begins = ww_strided(ww_counting(&ww_type_uint64_t, 0, whole + 1), 0, (int64_t)tree->tile, tiles + 1);
    if (tiles &&
        job_check(j, ww_reduce_segments(j->device, tree->op, part, begins, elements(first, first->count, tiles))))
        return FAILED;
    first->count += tiles;
    const ww_input rest = ww_strided(part, whole, 1, left);
    if (left && job_check(j, ww_reduce(j->device, tree->op, rest, elements(first, first->count, 1)))) return FAILED;
    first->count += left != 0;
    if (job_check(j, ww_sync(j->device))) return FAILED; /* the host moves results */
    for (size_t l = 0; l + 1 < TREE_LEVELS; l++)
        while (tree->level[l].count >= tree->tile)
            if (fold(tree, l, tree->tile)) return FAILED;
    return DONE;
}

int tree_end(reduce_tree *tree, void *value) {
    job *j = tree->job;
    uint64_t all = 0;
    size_t l = 0;
    for (size_t k = 0; k < TREE_LEVELS; k++) all += tree->level[k].count;
    for (; all > 1; l++) {
        const uint64_t count = tree->level[l].count;
        if (!count) continue;
        if (fold(tree, l, count)) return FAILED;
        all -= count - 1;
    }
    while (all && !tree->level[l].count) l++;
    const ww_array last = elements(&tree->level[l], 0, all);
    return job_check(j, ww_reduce(j->device, tree->op, ww_from(last), ww_array_of(value, 1, last.type)));
}
