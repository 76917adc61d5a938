/* Radix trees over sorted keys: numbers, prefixes of numbers, strings of bytes; exact look-up, longest-prefix match, range.
 *
 *     ww_radix_tree *tree;
 *     ww_radix_tree_create(device, NULL, &tree);
 *     ww_radix_tree_build(tree, ww_memory(keys, n), ww_no_input);              keys: uint64_t, ascending
 *     ww_radix_tree_find(tree, ww_memory(queries, m), ww_array(positions, m)); where each is among the keys
 *     ww_radix_tree_destroy(tree);
 *
 * A level of the tree takes r = 1 to 8 bits of the keys, from the highest on, and is built from the one above: neighbours of
 * a node's keys are compared, children begin where their digits differ, scans say where each goes. Nodes with one child are
 * left out (Morrison's PATRICIA, 1968), so that there are fewer inner nodes than keys, whatever the keys are.
 * radix_tree_kernel.h describes its layout in memory, and has look-ups for kernels; docs/space.md explains it.
 *
 *   keys       ascending, equal ones beside each other; up to 2^31 - 1 (LIMIT). They are copied. Positions count from 0 in
 *              what was given; WW_RADIX_NONE (2^64 - 1) stands for none. A tree of no keys is a tree
 *   numbers    u8, u16, u32 or u64
 *   prefixes   numbers with lengths (u8, u16 or u32): the key is the number's upper `length` bits, of which there may be
 *              none. The bits below must be 0. Ascending: by number, and of equal numbers the shorter first
 *   strings    bytes (u8) and offsets (u32 or u64), one more than there are strings: string i is offsets[i] … offsets[i + 1]
 *              - 1. By memcmp, of two that agree the shorter first; empty ones may be there; shorter than 2^29 bytes
 *              (LIMIT). With lengths in bits they are prefixes, of as many bytes as hold that many bits (INVALID), the last
 *              one's lower bits 0
 *   memory     8 bytes a number (4 an offset's half, and the bytes; 4 a length; 4 a different key where some are equal); a node
 *              32 bytes (48 with r = 7, 64 with 8; where keys end early 8 to 36 more), a child 4. While it is built up to 40
 *              bytes a key, which is kept for the next time
 *   statuses   OK, INVALID, TYPE, BUSY, MEMORY, LIMIT, and RANGE with the position for errors in the data. The sentence is in
 *              the device's ww_error
 *   on error   of a build: the tree is empty
 *   devices    everything is built from public primitives and kernels, the same on every device (docs/space.md) */
#ifndef WARPWISE_RADIX_TREE_H
#define WARPWISE_RADIX_TREE_H

#include "device.h"
#include "input.h"
#include "radix_tree_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_radix_tree ww_radix_tree;

typedef struct ww_radix_tree_options {
    size_t size;   /* WW_RADIX_TREE_OPTIONS fills it */
    uint32_t bits; /* r, of a level: 1 to 8; 0: 8 */
    uint32_t
        leaf; /* whole numbers: so many different keys, up to 64, may share a leaf, in which they are looked through;
                        * 0: 4. 1: each has a leaf of its own. Of other trees each has */
    uint32_t reserved; /* 0 */
    uint32_t unused;   /* 0 */
} ww_radix_tree_options;
#define WW_RADIX_TREE_OPTIONS \
    { sizeof(ww_radix_tree_options), 0, 0, 0, 0 }

/* An empty tree, which uses the device's memory and threads; destroy it before that is closed. NULL is fine for
 * ww_radix_tree_destroy. */
WW_API ww_status ww_radix_tree_create(ww_device *device, const ww_radix_tree_options *options, ww_radix_tree **tree);
WW_API void ww_radix_tree_destroy(ww_radix_tree *tree);

/* Builds the tree, replacing its contents, from numbers or, with lengths (else ww_no_input), from prefixes.
 *   checked   RANGE with the position: a key below the one before it, a length that the type does not have, a prefix with bits
 *             behind its length
 *   work      the keys of all nodes with more than one leaf's, level by level: n for each level, of which there are as many
 *             as the longest path has nodes: about log n / log 2^r for random keys, at most 64 / r. The host waits three
 *             times a level
 *   passes    a level reads 1 n keys, and reads and writes about 20 n bytes more */
WW_API ww_status ww_radix_tree_build(ww_radix_tree *tree, ww_input numbers, ww_input lengths);
/* The same from strings. Offsets that decrease, or end beyond the bytes, are RANGE with the position. */
WW_API ww_status ww_radix_tree_build_strings(ww_radix_tree *tree, ww_input bytes, ww_input offsets, ww_input lengths);

/* How many keys, distinct keys, inner nodes, children of these, keys that end within a node's digit, and levels with inner
 * nodes there are. */
typedef struct ww_radix_tree_counts {
    uint64_t keys, places, nodes, slots, ended, levels;
} ww_radix_tree_counts;
WW_API ww_radix_tree_counts ww_radix_tree_count(const ww_radix_tree *tree);

/* out[i] (u64) = for numbers of the tree's type (TYPE), which of a tree of prefixes are whole ones:
 *   find          the first position of the key that equals it
 *   match         … of the longest key that is a prefix of it (of a tree without lengths: as find)
 *   lower_bound   the first position whose key is not below it, upper_bound: is above it; the number of keys where there is
 *                 none. Keys a … b are positions lower_bound(a) … upper_bound(b) - 1
 * Work: a node for each level. Out may be in any memory, as for ww_map; INVALID if the tree is one of strings. */
WW_API ww_status ww_radix_tree_find(ww_radix_tree *tree, ww_input numbers, ww_array out);
WW_API ww_status ww_radix_tree_match(ww_radix_tree *tree, ww_input numbers, ww_array out);
WW_API ww_status ww_radix_tree_lower_bound(ww_radix_tree *tree, ww_input numbers, ww_array out);
WW_API ww_status ww_radix_tree_upper_bound(ww_radix_tree *tree, ww_input numbers, ww_array out);

/* The same for strings, given as the tree's are; they are copied. INVALID if the tree is one of numbers. */
typedef enum ww_radix_query {
    WW_RADIX_FIND,
    WW_RADIX_MATCH,
    WW_RADIX_LOWER_BOUND,
    WW_RADIX_UPPER_BOUND
} ww_radix_query;
WW_API ww_status ww_radix_tree_strings(ww_radix_tree *tree, ww_radix_query query, ww_input bytes, ww_input offsets,
                                       ww_array out);

/* For kernels; of an empty tree it says so. */
WW_API ww_status ww_radix_tree_view(const ww_radix_tree *tree, ww_radix_view *view);

#ifdef __cplusplus
}
#endif
#endif
