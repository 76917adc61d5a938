/* Radix trees: handles, builds, and what is looked up from the host. */
#include <string.h>

#include "device/options.h"
#include "space/tree/tree.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* ---- handles ---- */

static ww_status create(ww_device *device, const ww_radix_tree_options *options, ww_radix_tree **made) {
    ww_radix_tree_options o;
    ww_radix_tree *tree;
    WW_CHECK(device, made, WW_INVALID, "tree is NULL");
    *made = NULL;
    WW_TRY(ww__take_options(device, options, "WW_RADIX_TREE_OPTIONS", &o, sizeof o));
    WW_CHECK(device, o.bits <= 8, WW_INVALID, "options.bits is %u, and has to be 1 to 8", o.bits);
    WW_CHECK(device, o.leaf <= 64, WW_INVALID, "options.leaf is %u, and has to be 1 to 64", o.leaf);
    tree = ww__allocate(device, sizeof *tree, _Alignof(ww_radix_tree));
    if (!tree) return ww__no_memory(device, sizeof *tree);
    memset(tree, 0, sizeof *tree);
    tree->device = device;
    tree->digit_bits = o.bits ? o.bits : 8;
    tree->leaf = o.leaf ? o.leaf : 4;
    tree->view.root = WW_RADIX_LEAF;
    *made = tree;
    return WW_OK;
}

ww_status ww_radix_tree_create(ww_device *device, const ww_radix_tree_options *options, ww_radix_tree **tree) {
    WW_TRY(ww__enter(device, "ww_radix_tree_create"));
    return ww__leave(device, create(device, options, tree));
}

void ww_radix_tree_destroy(ww_radix_tree *tree) {
    if (!tree) return;
    ww__kept *const blocks[] = {&tree->position, &tree->node,  &tree->slot,  &tree->ending, &tree->end,
                                &tree->begins,   &tree->ends,  &tree->sizes, &tree->source, &tree->heads,
                                &tree->first,    &tree->ranks, &tree->flags};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ww__kept_drop(tree->device, blocks[i]);
    ww__tree_drop_keys(tree->device, &tree->keys);
    ww__tree_drop_keys(tree->device, &tree->queries);
    ww__release(tree->device, tree, sizeof *tree);
}

ww_radix_tree_counts ww_radix_tree_count(const ww_radix_tree *tree) {
    const ww_radix_tree_counts none = {0, 0, 0, 0, 0, 0};
    return tree ? tree->counts : none;
}

ww_status ww_radix_tree_view(const ww_radix_tree *tree, ww_radix_view *view) {
    if (!tree || !view) return WW_INVALID;
    *view = tree->view;
    return WW_OK;
}

/* ---- building ---- */

static void forget(ww_radix_tree *tree) {
    memset(&tree->view, 0, sizeof tree->view);
    memset(&tree->counts, 0, sizeof tree->counts);
    tree->keys.count = 0;
    tree->view.root = WW_RADIX_LEAF;
}

/* Where the keys are that have been copied. */
static void see_keys(ww_radix_tree *tree) {
    const ww__tree_keys *const keys = &tree->keys;
    const bool whole = !keys->strings && !keys->prefixes;
    ww_radix_view *const view = &tree->view;
    view->number = keys->strings ? NULL : keys->number.data;
    view->bytes = keys->strings ? keys->bytes.data : NULL;
    view->offset = keys->strings ? keys->offset.data : NULL;
    view->length = keys->prefixes ? keys->length.data : NULL;
    view->keys = keys->count;
    view->digit_bits = tree->digit_bits;
    view->leaf = whole ? tree->leaf : 1;
    view->stride = tree->digit_bits == 8 ? 16 : tree->digit_bits == 7 ? 12 : 8;
    view->before = 4 + (tree->digit_bits > 5 ? 1u << (tree->digit_bits - 5) : 1);
    view->ending_stride = tree->digit_bits > 5 ? 1 + (1u << (tree->digit_bits - 5)) : 2;
}

static ww_status build(ww_radix_tree *tree, const char *call) {
    see_keys(tree);
    ww_status status = ww__tree_check_keys(tree, call);
    if (!status) status = ww__tree_build_levels(tree);
    if (status) forget(tree);
    tree->counts.keys = tree->view.keys;
    tree->counts.places = tree->view.places;
    return status;
}

ww_status ww_radix_tree_build(ww_radix_tree *tree, ww_input numbers, ww_input lengths) {
    static const char call[] = "ww_radix_tree_build";
    if (!tree) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(tree->device, call));
    forget(tree);
    WW_TRY(ww__tree_take_numbers(tree->device, call, &tree->keys, &numbers, &lengths));
    tree->type = numbers.type;
    return build(tree, call);
}

ww_status ww_radix_tree_build_strings(ww_radix_tree *tree, ww_input bytes, ww_input offsets, ww_input lengths) {
    static const char call[] = "ww_radix_tree_build_strings";
    if (!tree) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(tree->device, call));
    forget(tree);
    WW_TRY(ww__tree_take_strings(tree->device, call, &tree->keys, &bytes, &offsets, &lengths));
    tree->type = NULL;
    return build(tree, call);
}

/* ---- numbers ---- */

WW_STRUCT_USES((ww_radix_view), tree_query, {
    ww_radix_view tree;
    uint64_t bits;
});
WW_FUNCTION(
    number_key, ww_radix_key, (const tree_query *q, uint64_t number),
    {
        ww_radix_key key;
        key.number = number;
        key.bytes = 0;
        key.bits = q->bits;
        return key;
    },
    tree_query, ww_radix_key);
WW_MAP_USES((number_key, ww_radix_find, ww_radix_find_whole), find_number, uint64_t, uint64_t, x, tree_query, q, {
    if (!q->tree.length) return ww_radix_find_whole(&q->tree, x);
    const ww_radix_key key = number_key(q, x);
    return ww_radix_find(&q->tree, &key);
});
WW_MAP_USES((number_key, ww_radix_match), match_number, uint64_t, uint64_t, x, tree_query, q, {
    const ww_radix_key key = number_key(q, x);
    return ww_radix_match(&q->tree, &key);
});
WW_MAP_USES((number_key, ww_radix_bound), lower_number, uint64_t, uint64_t, x, tree_query, q, {
    const ww_radix_key key = number_key(q, x);
    return ww_radix_bound(&q->tree, &key, 0);
});
WW_MAP_USES((number_key, ww_radix_bound), upper_number, uint64_t, uint64_t, x, tree_query, q, {
    const ww_radix_key key = number_key(q, x);
    return ww_radix_bound(&q->tree, &key, 1);
});

static ww_status look_up(ww_radix_tree *tree, const char *call, const ww_function *how, ww_input numbers,
                         ww_array out) {
    if (!tree) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(tree->device, call));
    if (!numbers.type) return ww__fail_call(tree->device, call, WW_INVALID, "numbers is missing");
    if (tree->keys.strings) return ww__fail_call(tree->device, call, WW_INVALID, "the tree is one of strings");
    if (tree->type && numbers.type != tree->type)
        return ww__fail_call(tree->device, call, WW_TYPE, "numbers are %s, and the tree's keys are %s",
                             numbers.type->label, tree->type->label);
    const tree_query q = {tree->view, tree->view.length ? 8 * numbers.size : WW_RADIX_WHOLE};
    const ww_function bound = ww_bound(how, &q, 1, &tree_query_ww);
    return ww_map(tree->device, &bound, ww__tree_wide(&numbers, true), out);
}

ww_status ww_radix_tree_find(ww_radix_tree *tree, ww_input numbers, ww_array out) {
    return look_up(tree, "ww_radix_tree_find", &find_number_ww, numbers, out);
}

ww_status ww_radix_tree_match(ww_radix_tree *tree, ww_input numbers, ww_array out) {
    return look_up(tree, "ww_radix_tree_match", &match_number_ww, numbers, out);
}

ww_status ww_radix_tree_lower_bound(ww_radix_tree *tree, ww_input numbers, ww_array out) {
    return look_up(tree, "ww_radix_tree_lower_bound", &lower_number_ww, numbers, out);
}

ww_status ww_radix_tree_upper_bound(ww_radix_tree *tree, ww_input numbers, ww_array out) {
    return look_up(tree, "ww_radix_tree_upper_bound", &upper_number_ww, numbers, out);
}

/* ---- strings ---- */

WW_STRUCT_USES((ww_radix_view), tree_strings, {
    ww_radix_view tree;
    const uint8_t *bytes;
    const uint64_t *offset;
    uint32_t query;
    uint32_t unused;
});
WW_MAP_USES((ww_radix_find, ww_radix_match, ww_radix_bound), look_up_string, uint64_t, uint64_t, i, tree_strings, q, {
    ww_radix_key key;
    key.number = 0;
    key.bytes = q->bytes + q->offset[i];
    key.bits = 8 * (q->offset[i + 1] - q->offset[i]);
    if (q->query == 0) return ww_radix_find(&q->tree, &key);
    if (q->query == 1) return ww_radix_match(&q->tree, &key);
    return ww_radix_bound(&q->tree, &key, q->query - 2);
});

ww_status ww_radix_tree_strings(ww_radix_tree *tree, ww_radix_query query, ww_input bytes, ww_input offsets,
                                ww_array out) {
    static const char call[] = "ww_radix_tree_strings";
    const ww_input none = ww_no_input;
    if (!tree) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(tree->device, call));
    if ((unsigned)query > WW_RADIX_UPPER_BOUND)
        return ww__fail_call(tree->device, call, WW_INVALID, "query is %u", (unsigned)query);
    if (tree->type) return ww__fail_call(tree->device, call, WW_INVALID, "the tree is one of numbers");
    WW_TRY(ww__tree_take_strings(tree->device, call, &tree->queries, &bytes, &offsets, &none));
    const tree_strings q = {tree->view, tree->queries.bytes.data, tree->queries.offset.data, (uint32_t)query, 0};
    return ww_map(tree->device, ww_with(look_up_string, &q), ww_counting(&ww_type_uint64_t, 0, tree->queries.count),
                  out);
}
