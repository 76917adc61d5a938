/* What the files of this family share: trees and their keys. */
#ifndef WW__TREE_H
#define WW__TREE_H

#include "device/between.h"
#include "warpwise/radix_tree.h"

/* Strings or numbers, copied. */
typedef struct ww__tree_keys {
    ww__kept number, bytes, offset, length;
    uint64_t count, byte_count;
    bool strings, prefixes;
} ww__tree_keys;

enum { WW__TREE_MOST = 0x7FFFFFFF };

/* Copies the keys of a tree or the queries to one. `strings` and the counts are set where that went well. Numbers stand from
 * the highest of 64 bits on. Offsets are checked; that keys are sorted is not. */
ww_status ww__tree_take_numbers(ww_device *device, const char *call, ww__tree_keys *keys, const ww_input *numbers,
                                const ww_input *lengths);
ww_status ww__tree_take_strings(ww_device *device, const char *call, ww__tree_keys *keys, const ww_input *bytes,
                                const ww_input *offsets, const ww_input *lengths);
void ww__tree_drop_keys(ww_device *device, ww__tree_keys *keys);

/* u8, u16, u32 or u64 as u64 from its highest bit on, or (high: false) as it is. */
ww_input ww__tree_wide(const ww_input *numbers, bool high);

struct ww_radix_tree {
    ww_device *device;
    uint32_t digit_bits, leaf;
    const ww_type *type; /* of numbers */
    ww__tree_keys keys, queries;
    ww_radix_view view; /* what there is; of no places where there is no tree */
    ww_radix_tree_counts counts;
    ww__kept position, node, slot, ending, end;
    /* Of the level that is built, and kept for the next one (radix_build.c). */
    ww__kept begins, ends, sizes, source, heads, first, ranks;
    ww__kept flags;
};

/* Whether the keys of `view` are as they should be, and which of them differ from the one before: view->places and position. */
ww_status ww__tree_check_keys(ww_radix_tree *tree, const char *call);
/* The levels over keys that were checked. */
ww_status ww__tree_build_levels(ww_radix_tree *tree);

#endif
