/* A reduction of an array that comes in parts, with the brackets that ww_reduce sets in the whole one (docs/determinism.md):
 * every tile is folded into one partial result, every tile of those into one of the next level, and so on. So sums of floats
 * have the same bits as ww_reduce's, in memory for a tile of results a level. */
#ifndef CLI_REDUCE_TREE_H
#define CLI_REDUCE_TREE_H

#include "job.h"

enum { TREE_LEVELS = 7 }; /* of tiles of 1024 elements and more: 2^70 */

typedef struct reduce_tree {
    job *job;
    const ww_function *op;
    uint64_t tile;
    ww_array level[TREE_LEVELS]; /* results that are not in the next level's yet: fewer than a tile between calls */
} reduce_tree;

/* Parts have at most so many elements; all but the last one are whole tiles, as those of a power of two are. The value after
 * the last one has the type; of no elements it is the operator's identity. */
int tree_begin(reduce_tree *tree, job *j, const ww_function *op, const ww_type *type, uint64_t most);
int tree_add(reduce_tree *tree, ww_input part);
int tree_end(reduce_tree *tree, void *value);

#endif
