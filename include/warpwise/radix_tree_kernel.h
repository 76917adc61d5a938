/* A radix tree inside kernels: a WW_KERNEL, or a WW_MAP, looks up keys, on every device.
 *
 *     WW_MAP_USES((ww_radix_match, ww_radix_key), hop, uint32_t, uint32_t, address, routes, r, {
 *         ww_radix_key key = {0};
 *         key.number = (uint64_t)address << 32;
 *         key.bits = 32;
 *         const uint64_t route = ww_radix_match(&r->tree, &key);
 *         return route == WW_RADIX_NONE ? 0 : r->hop[route];
 *     });
 *
 * The struct of the kernel's arguments holds a view (WW_STRUCT_USES((ww_radix_view), …)), which ww_radix_tree_view fills. It
 * is good until the tree is rebuilt or destroyed. Kernels list the functions below that they call.
 *
 *     uint64_t ww_radix_find(const ww_radix_view *tree, const ww_radix_key *key)     the first position of that key
 *     uint64_t ww_radix_match(const ww_radix_view *tree, const ww_radix_key *key)    … of the longest key that it begins with
 *     uint64_t ww_radix_bound(const ww_radix_view *tree, const ww_radix_key *key, uint32_t upper)
 *                                              the first position whose key is not below it (upper: is above it)
 *     uint64_t ww_radix_find_whole(const ww_radix_view *tree, uint64_t number)
 *                                              find, where keys are numbers without lengths
 *
 * Positions are those in the sorted keys that the tree was built from; WW_RADIX_NONE, 2^64 - 1: there is none.
 *
 * The layout in memory. Keys are strings of bits, and a level branches on r of these, from the first on. An inner node stands
 * for the keys in places begin … end - 1, which agree in their first `depth` bits, a multiple of r, and not in the r bits after
 * these: a digit. (So nodes with one child are left out, as in Morrison's PATRICIA, 1968.) A node is `stride` words:
 *
 *     0   the number of its first child's slot        3   end
 *     1   depth                                       4…  a bit for each digit that keys go on with: 2^r bits
 *     2   begin
 *
 * and behind these bits a byte for each 32 of them: how many are set in the words before.
 * The child of digit d has slot word 0 + (how many smaller digits have one): an inner node's number, or, with the highest
 * bit set, a leaf's first place. Keys that end within the digit, k < r bits after the depth, are not children: they have bits
 * of their own, in the order of keys (2^r - 1 of them, in preorder of the binary tree that r bits span), and consecutive places
 * in `end`, as in the tree bitmap of Eatherton, Varghese and Dittia (2004). */
#ifndef WARPWISE_RADIX_TREE_KERNEL_H
#define WARPWISE_RADIX_TREE_KERNEL_H

#include "function.h"

/* Bodies are C and C++ at once, whose one cast is C's: C++ compilers are not to warn of it, here or where macros are used. */
#ifdef __cplusplus
#pragma GCC system_header
#endif

/* Where a tree's parts are. */
WW_STRUCT(ww_radix_view, {
    const uint64_t *number; /* keys that are numbers, from the highest bit of 64 on; else a null pointer */
    const uint8_t *bytes;   /* keys that are strings */
    const uint64_t *offset;
    const uint32_t *length;   /* bits of each key, or a null pointer: all of them */
    const uint32_t *position; /* of each place (there is one for each different key); a null pointer: all keys differ */
    const uint32_t *node;
    const uint32_t *slot;
    const uint32_t *ending; /* for each node: where its entries in `end` begin, and 2^r bits; a null pointer: none does */
    const uint32_t *end;
    uint64_t places; /* different keys */
    uint64_t keys;
    uint32_t root; /* a slot */
    uint32_t digit_bits;
    uint32_t stride;
    uint32_t ending_stride;
    uint32_t leaf; /* the most places of a leaf */
    uint32_t before; /* where in a node the bytes are */
});

/* A string of bits: the upper ones of a number, or those of bytes, each from its highest on. Bits behind the last are 0 (of a
 * number's, and of the last byte's). A key that is a whole number of a tree without lengths has bits = WW_RADIX_WHOLE. */
WW_STRUCT(ww_radix_key, {
    uint64_t number;
    const uint8_t *bytes; /* a null pointer: it is a number */
    uint64_t bits;
});
WW_CONSTANT(WW_RADIX_WHOLE, uint64_t, 4096);
WW_CONSTANT(WW_RADIX_NONE, uint64_t, 0xFFFFFFFFFFFFFFFFu);
WW_CONSTANT(WW_RADIX_LEAF, uint32_t, 0x80000000u);

/* ---- keys ---- */

WW_FUNCTION(ww__in_tree_clz, uint64_t, (uint64_t x), {
    const uint32_t high = (uint32_t)(x >> 32);
    return high ? (uint64_t)ww_clz(high) : 32 + (uint64_t)ww_clz((uint32_t)x);
});

/* The r bits behind `depth`; 0 where there are none. */
WW_FUNCTION(ww__in_tree_digit, uint32_t, (const ww_radix_key *key, uint64_t depth, uint32_t r), {
    if (!key->bytes) return depth < 64 ? (uint32_t)(key->number << depth >> (64 - r)) : 0;
    const uint64_t size = (key->bits + 7) / 8;
    const uint64_t at = depth / 8;
    uint32_t two = at < size ? (uint32_t)key->bytes[at] << 8 : 0;
    if (at + 1 < size) two |= key->bytes[at + 1];
    return two >> (16 - (uint32_t)(depth % 8) - r) & ((1u << r) - 1);
}, ww_radix_key);

/* How many first bits two keys have in common. */
WW_FUNCTION(ww__in_tree_common, uint64_t, (const ww_radix_key *a, const ww_radix_key *b), {
    const uint64_t most = a->bits < b->bits ? a->bits : b->bits;
    uint64_t common = most;
    if (!a->bytes) {
        const uint64_t differ = a->number ^ b->number;
        if (differ) common = ww__in_tree_clz(differ);
    } else {
        const uint64_t size = (most + 7) / 8;
        uint64_t i = 0;
        while (i < size && a->bytes[i] == b->bytes[i]) i++;
        if (i < size) common = 8 * i + (uint64_t)ww_clz((uint32_t)(a->bytes[i] ^ b->bytes[i])) - 24;
    }
    return common < most ? common : most;
}, ww_radix_key, ww__in_tree_clz);

/* 0: a is below b; 1: equal; 2: above. A key is below all that it is a proper prefix of. */
WW_FUNCTION(ww__in_tree_order, uint32_t, (const ww_radix_key *a, const ww_radix_key *b), {
    const uint64_t common = ww__in_tree_common(a, b);
    if (common == a->bits) return common == b->bits ? 1u : 0u;
    if (common == b->bits) return 2;
    if (!a->bytes) return a->number < b->number ? 0u : 2u;
    return a->bytes[common / 8] < b->bytes[common / 8] ? 0u : 2u;
}, ww_radix_key, ww__in_tree_common);

WW_FUNCTION(ww__in_tree_key_at, ww_radix_key, (const ww_radix_view *t, uint64_t place), {
    const uint64_t i = t->position ? t->position[place] : place;
    ww_radix_key key;
    key.bytes = 0;
    key.number = 0;
    key.bits = WW_RADIX_WHOLE;
    if (t->number) {
        key.number = t->number[i];
        if (t->length) key.bits = t->length[i];
    } else {
        const uint64_t begin = t->offset[i];
        key.bytes = t->bytes + begin;
        key.bits = t->length ? t->length[i] : 8 * (t->offset[i + 1] - begin);
    }
    return key;
}, ww_radix_key, ww_radix_view, WW_RADIX_WHOLE);

/* ---- nodes ---- */

/* How many of the bits below bit `index` are set. */
WW_FUNCTION(ww__in_tree_below, uint32_t, (const uint32_t *bits, uint32_t index), {
    uint32_t many = (uint32_t)ww_popcount(bits[index / 32] & ((1u << index % 32) - 1));
    for (uint32_t word = 0; word < index / 32; word++) many += (uint32_t)ww_popcount(bits[word]);
    return many;
});

/* The slot's number of the child that goes on with the digit; UINT32_MAX where there is none. */
WW_FUNCTION(ww__in_tree_child, uint32_t, (const ww_radix_view *t, const uint32_t *node, uint32_t digit), {
    const uint32_t word = digit / 32;
    const uint32_t bits = node[4 + word];
    if (!(bits >> digit % 32 & 1)) return 0xFFFFFFFFu;
    const uint32_t before = node[t->before + word / 4] >> word % 4 * 8 & 255;
    return node[0] + before + (uint32_t)ww_popcount(bits & ((1u << digit % 32) - 1));
}, ww_radix_view);

/* The place of the node's key that ends k bits behind its depth, which are the first ones of the digit; UINT32_MAX: none
 * does. */
WW_FUNCTION(ww__in_tree_ended, uint32_t, (const ww_radix_view *t, uint32_t node, uint32_t digit, uint32_t k), {
    const uint32_t *ending = t->ending + (uint64_t)node * t->ending_stride;
    const uint32_t first = digit >> (t->digit_bits - k) << (t->digit_bits - k);
    const uint32_t index = k + first - (uint32_t)ww_popcount(first);
    if (!(ending[1 + index / 32] >> index % 32 & 1)) return 0xFFFFFFFFu;
    return t->end[ending[0] + ww__in_tree_below(ending + 1, index)];
}, ww_radix_view, ww__in_tree_below);

/* Where the path of a key ends, by its digits alone: at a leaf, or at an inner node that it cannot leave. What nodes skip is
 * not looked at, so that the key may have left the path before. */
WW_FUNCTION(ww__in_tree_descend, uint32_t, (const ww_radix_view *t, const ww_radix_key *key), {
    uint32_t slot = t->root;
    while (!(slot & WW_RADIX_LEAF)) {
        const uint32_t *node = t->node + (uint64_t)slot * t->stride;
        if (key->bits < (uint64_t)node[1] + t->digit_bits) break;
        const uint32_t child = ww__in_tree_child(t, node, ww__in_tree_digit(key, node[1], t->digit_bits));
        if (child == 0xFFFFFFFFu) break;
        slot = t->slot[child];
    }
    return slot;
}, ww_radix_view, ww_radix_key, WW_RADIX_LEAF, ww__in_tree_child, ww__in_tree_digit);

/* ---- what is looked up ---- */

WW_FUNCTION(ww_radix_find, uint64_t, (const ww_radix_view *t, const ww_radix_key *key), {
    if (!t->places) return WW_RADIX_NONE;
    const uint32_t slot = ww__in_tree_descend(t, key);
    uint64_t place = slot & ~WW_RADIX_LEAF;
    uint64_t last = place + t->leaf;
    if (!(slot & WW_RADIX_LEAF)) {
        const uint32_t depth = t->node[(uint64_t)slot * t->stride + 1];
        if (!t->ending || key->bits < depth || key->bits >= (uint64_t)depth + t->digit_bits) return WW_RADIX_NONE;
        place = ww__in_tree_ended(t, slot, ww__in_tree_digit(key, depth, t->digit_bits), (uint32_t)(key->bits - depth));
        if (place == 0xFFFFFFFFu) return WW_RADIX_NONE;
        last = place + 1;
    }
    if (last > t->places) last = t->places;
    for (; place < last; place++) {
        const ww_radix_key other = ww__in_tree_key_at(t, place);
        const uint32_t order = ww__in_tree_order(&other, key);
        if (order == 1) return t->position ? t->position[place] : place;
        if (order == 2) break;
    }
    return WW_RADIX_NONE;
}, WW_RADIX_LEAF, WW_RADIX_NONE, ww__in_tree_descend, ww__in_tree_ended, ww__in_tree_digit, ww__in_tree_key_at,
ww__in_tree_order);

/* A key of the path to a slot, and how many first bits of it the key that went there has: all that the slot's node asks for,
 * if it went there rightly. */
WW_FUNCTION(ww__in_tree_agreed, uint64_t, (const ww_radix_view *t, uint32_t slot, const ww_radix_key *key), {
    const bool leaf = slot & WW_RADIX_LEAF;
    const ww_radix_key other = ww__in_tree_key_at(t, leaf ? slot & ~WW_RADIX_LEAF : t->node[(uint64_t)slot * t->stride + 2]);
    return ww__in_tree_common(&other, key);
}, ww_radix_view, ww_radix_key, WW_RADIX_LEAF, ww__in_tree_key_at, ww__in_tree_common);

/* Two walks: the first finds how many bits the key has in common with what lies on its path, the second takes the last key that
 * ends in these. */
WW_FUNCTION(ww_radix_match, uint64_t, (const ww_radix_view *t, const ww_radix_key *key), {
    if (!t->places) return WW_RADIX_NONE;
    if (t->leaf > 1) return ww_radix_find(t, key);
    const uint32_t stop = ww__in_tree_descend(t, key);
    const uint64_t agreed = ww__in_tree_agreed(t, stop, key);
    uint32_t best = 0xFFFFFFFFu;
    uint32_t slot = t->root;
    while (!(slot & WW_RADIX_LEAF)) {
        const uint32_t *node = t->node + (uint64_t)slot * t->stride;
        const uint64_t depth = node[1];
        if (depth > agreed) break;
        const uint32_t digit = ww__in_tree_digit(key, depth, t->digit_bits);
        const uint64_t left = key->bits - depth;
        uint32_t k = left < t->digit_bits ? (uint32_t)left + 1 : t->digit_bits;
        while (t->ending && k) {
            k--;
            const uint32_t ended = slot == stop || depth + k <= agreed ? ww__in_tree_ended(t, slot, digit, k) : 0xFFFFFFFFu;
            if (ended != 0xFFFFFFFFu) {
                best = ended;
                break;
            }
        }
        if (slot == stop) break;
        slot = t->slot[ww__in_tree_child(t, node, digit)];
    }
    if (slot & WW_RADIX_LEAF) {
        const ww_radix_key last = ww__in_tree_key_at(t, slot & ~WW_RADIX_LEAF);
        if (last.bits <= agreed) best = slot & ~WW_RADIX_LEAF;
    }
    if (best == 0xFFFFFFFFu) return WW_RADIX_NONE;
    return t->position ? t->position[best] : best;
}, WW_RADIX_LEAF, WW_RADIX_NONE, ww_radix_find, ww__in_tree_agreed, ww__in_tree_ended, ww__in_tree_child, ww__in_tree_descend);

/* The walk ends where the key would be, if it has the `depth` bits of the last node. If it has not, another walk stops at
 * the first node of which that is so: the key is below or above all of its keys. */
WW_FUNCTION(ww_radix_bound, uint64_t, (const ww_radix_view *t, const ww_radix_key *key, uint32_t upper), {
    uint64_t low = 0;
    uint64_t high = 0;
    uint32_t slot = t->root;
    uint32_t last = WW_RADIX_LEAF;
    while (!(slot & WW_RADIX_LEAF)) {
        const uint32_t *node = t->node + (uint64_t)slot * t->stride;
        last = slot;
        if (key->bits < (uint64_t)node[1] + t->digit_bits) break;
        const uint32_t child = ww__in_tree_child(t, node, ww__in_tree_digit(key, node[1], t->digit_bits));
        if (child == 0xFFFFFFFFu) break;
        slot = t->slot[child];
    }
    if (last != WW_RADIX_LEAF) {
        const uint64_t agreed = ww__in_tree_agreed(t, slot, key);
        const uint32_t *node = t->node + (uint64_t)last * t->stride;
        if (node[1] > agreed) {
            slot = t->root;
            for (;;) {
                node = t->node + (uint64_t)slot * t->stride;
                if (node[1] > agreed) break;
                slot = t->slot[ww__in_tree_child(t, node, ww__in_tree_digit(key, node[1], t->digit_bits))];
            }
        }
        low = node[2];
        high = node[3];
    }
    if (slot & WW_RADIX_LEAF) {
        low = slot & ~WW_RADIX_LEAF;
        high = t->places - low < t->leaf ? t->places : low + t->leaf;
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const ww_radix_key other = ww__in_tree_key_at(t, middle);
        if (ww__in_tree_order(&other, key) < 1 + upper)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->places ? (t->position ? t->position[low] : low) : t->keys;
}, WW_RADIX_LEAF, ww__in_tree_agreed, ww__in_tree_child, ww__in_tree_digit, ww__in_tree_key_at, ww__in_tree_order);

/* ww_radix_find in a tree of whole numbers, from the highest of 64 bits on. A leaf's keys are counted, not looked through
 * one after the other: nothing there depends on where the key stands. */
WW_FUNCTION(ww_radix_find_whole, uint64_t, (const ww_radix_view *t, uint64_t number), {
    uint32_t slot = t->root;
    while (!(slot & WW_RADIX_LEAF)) {
        const uint32_t *node = t->node + (uint64_t)slot * t->stride;
        const uint32_t child = ww__in_tree_child(t, node, (uint32_t)(number << node[1] >> (64 - t->digit_bits)));
        if (child == 0xFFFFFFFFu) return WW_RADIX_NONE;
        slot = t->slot[child];
    }
    uint64_t place = slot & ~WW_RADIX_LEAF;
    const uint64_t most = t->places - place;
    const uint64_t keys = most < t->leaf ? most : t->leaf;
    uint64_t below = 0;
    if (t->position) {
        for (uint64_t k = 0; k < keys; k++) below += t->number[t->position[place + k]] < number;
    } else {
        for (uint64_t k = 0; k < keys; k++) below += t->number[place + k] < number;
    }
    if (below == keys) return WW_RADIX_NONE;
    place = t->position ? t->position[place + below] : place + below;
    return t->number[place] == number ? place : WW_RADIX_NONE;
}, WW_RADIX_LEAF, WW_RADIX_NONE, ww__in_tree_child);

#endif
