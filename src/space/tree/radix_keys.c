/* The keys of a radix tree and the queries to one: copies in the device's memory, numbers widened to 64 bits, and what is
 * wrong with them. Each check is one pass, a reduction to the least position that is wrong. */
#include "space/tree/tree.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* ---- copies ---- */

WW_MAP(ww__tree_high8, uint64_t, uint8_t, x, void, none, { return (uint64_t)x << 56; });
WW_MAP(ww__tree_high16, uint64_t, uint16_t, x, void, none, { return (uint64_t)x << 48; });
WW_MAP(ww__tree_high32, uint64_t, uint32_t, x, void, none, { return (uint64_t)x << 32; });
WW_MAP(ww__tree_as8, uint64_t, uint8_t, x, void, none, { return x; });
WW_MAP(ww__tree_as16, uint64_t, uint16_t, x, void, none, { return x; });
WW_MAP(ww__tree_as32, uint64_t, uint32_t, x, void, none, { return x; });
WW_MAP(ww__tree_narrow, uint32_t, uint64_t, x, void, none, { return (uint32_t)x; });

ww_input ww__tree_wide(const ww_input *numbers, bool high) {
    const ww_type *const type = numbers->type;
    if (type == &ww_type_uint8_t) return ww_mapped(high ? &ww__tree_high8_ww : &ww__tree_as8_ww, *numbers);
    if (type == &ww_type_uint16_t) return ww_mapped(high ? &ww__tree_high16_ww : &ww__tree_as16_ww, *numbers);
    if (type == &ww_type_uint32_t) return ww_mapped(high ? &ww__tree_high32_ww : &ww__tree_as32_ww, *numbers);
    return *numbers;
}

static ww_status store(ww_device *device, ww__kept *block, const ww_input *in, const ww_type *type) {
    WW_TRY(ww__kept_capacity(device, block, in->count, type->size, 0));
    return ww_store(device, *in, ww_array_of(block->data, in->count, type));
}

/* The least element, which is the place of what is wrong; UINT64_MAX: nothing is. */
static ww_status least(ww_device *device, ww_input places, uint64_t *place) {
    *place = UINT64_MAX;
    return ww_reduce(device, &ww_min, places, ww_array(place, 1));
}

static bool is_unsigned(const ww_input *in, size_t most) {
    return in->type->kind == WW_KIND_UNSIGNED && in->size <= most;
}

static ww_status take_lengths(ww_device *device, const char *call, ww__tree_keys *keys, const ww_input *lengths,
                              uint64_t count) {
    keys->prefixes = lengths->type != NULL;
    if (!keys->prefixes) return WW_OK;
    if (!is_unsigned(lengths, 4))
        return ww__fail_call(device, call, WW_TYPE, "lengths are %s, and have to be u8, u16 or u32",
                             lengths->type->label);
    if (lengths->count != count)
        return ww__fail_call(device, call, WW_INVALID, "there are %llu keys, and lengths has %llu elements", (ull)count,
                             (ull)lengths->count);
    const ww_input wide = ww__tree_wide(lengths, false), narrow = ww_mapped(&ww__tree_narrow_ww, wide);
    return store(device, &keys->length, &narrow, &ww_type_uint32_t);
}

static ww_status check_count(ww_device *device, const char *call, uint64_t count) {
    return count <= WW__TREE_MOST
               ? WW_OK
               : ww__fail_call(device, call, WW_LIMIT, "there are %llu keys, and at most 2^31 - 1 can be", (ull)count);
}

ww_status ww__tree_take_numbers(ww_device *device, const char *call, ww__tree_keys *keys, const ww_input *numbers,
                                const ww_input *lengths) {
    if (!numbers->type) return ww__fail_call(device, call, WW_INVALID, "numbers is missing");
    if (!is_unsigned(numbers, 8))
        return ww__fail_call(device, call, WW_TYPE, "numbers are %s, and have to be u8, u16, u32 or u64",
                             numbers->type->label);
    WW_TRY(check_count(device, call, numbers->count));
    const ww_input wide = ww__tree_wide(numbers, true);
    keys->strings = false;
    WW_TRY(store(device, &keys->number, &wide, &ww_type_uint64_t));
    WW_TRY(take_lengths(device, call, keys, lengths, numbers->count));
    keys->count = numbers->count;
    return WW_OK;
}

/* ---- strings ---- */

WW_STRUCT(tree_offsets, {
    const uint64_t *offset;
    uint64_t bytes;
    uint64_t longest;
});

/* An offset that is below the one before, or behind the bytes: twice its place; a string that is too long: that of its end
 * and 1. */
WW_MAP(bad_offset, uint64_t, uint64_t, i, tree_offsets, o, {
    const uint64_t to = o->offset[i];
    const uint64_t from = i ? o->offset[i - 1] : 0;
    if (to > o->bytes || to < from) return 2 * i;
    return i && to - from > o->longest ? 2 * i + 1 : (uint64_t)-1;
});

static ww_status check_offsets(ww_device *device, const char *call, const ww__tree_keys *keys, uint64_t count) {
    const tree_offsets o = {keys->offset.data, keys->byte_count, ((uint64_t)1 << 29) - 1};
    const ww_input places = ww_counting(&ww_type_uint64_t, 0, count + 1);
    uint64_t at;
    WW_TRY(least(device, ww_mapped(ww_with(bad_offset, &o), places), &at));
    if (at == UINT64_MAX) return WW_OK;
    if (at % 2) return ww__fail_call(device, call, WW_LIMIT, "string %llu has 2^29 bytes or more", (ull)(at / 2 - 1));
    return ww__fail_call(device, call, WW_RANGE,
                         "offsets[%llu] is below the one before, or beyond the %llu bytes that there are",
                         (ull)(at / 2), (ull)keys->byte_count);
}

ww_status ww__tree_take_strings(ww_device *device, const char *call, ww__tree_keys *keys, const ww_input *bytes,
                                const ww_input *offsets, const ww_input *lengths) {
    if (!bytes->type || !offsets->type)
        return ww__fail_call(device, call, WW_INVALID, "%s is missing", bytes->type ? "offsets" : "bytes");
    if (bytes->type->kind != WW_KIND_UNSIGNED || bytes->size != 1)
        return ww__fail_call(device, call, WW_TYPE, "bytes are %s, and have to be u8", bytes->type->label);
    if (!is_unsigned(offsets, 8) || offsets->size < 4)
        return ww__fail_call(device, call, WW_TYPE, "offsets are %s, and have to be u32 or u64", offsets->type->label);
    if (!offsets->count)
        return ww__fail_call(device, call, WW_INVALID,
                             "offsets is empty; it has one element more than there are strings");
    WW_TRY(check_count(device, call, offsets->count - 1));
    const ww_input wide = ww__tree_wide(offsets, false);
    keys->strings = true;
    WW_TRY(store(device, &keys->bytes, bytes, &ww_type_uint8_t));
    WW_TRY(store(device, &keys->offset, &wide, &ww_type_uint64_t));
    keys->byte_count = bytes->count;
    WW_TRY(check_offsets(device, call, keys, offsets->count - 1));
    WW_TRY(take_lengths(device, call, keys, lengths, offsets->count - 1));
    keys->count = offsets->count - 1;
    return WW_OK;
}

void ww__tree_drop_keys(ww_device *device, ww__tree_keys *keys) {
    ww__kept_drop(device, &keys->number);
    ww__kept_drop(device, &keys->bytes);
    ww__kept_drop(device, &keys->offset);
    ww__kept_drop(device, &keys->length);
}

/* ---- what is wrong with keys ---- */

WW_STRUCT_USES((ww_radix_view), tree_check, {
    ww_radix_view view;
    uint32_t width; /* bits of a number */
    uint32_t unused;
});

/* The place of a prefix that is none: its length does not fit, or it has bits behind it. */
WW_MAP_USES((ww_radix_view), bad_length, uint64_t, uint64_t, i, tree_check, c, {
    const ww_radix_view *const t = &c->view;
    const uint64_t bits = t->length[i];
    if (t->number) {
        if (bits > c->width) return i;
        return bits < 64 && t->number[i] << bits ? i : (uint64_t)-1;
    }
    const uint64_t from = t->offset[i];
    const uint64_t size = t->offset[i + 1] - from;
    if ((bits + 7) / 8 != size) return i;
    return bits % 8 && (t->bytes[from + size - 1] << bits % 8 & 255) ? i : (uint64_t)-1;
});

/* The first key that is below the one before it, and how many equal theirs. */
WW_STRUCT(tree_order, {
    uint64_t wrong;
    uint64_t equal;
});
WW_COMBINE(both_orders, tree_order, a, b, WW_COMMUTES, WW_IDENTITY({(uint64_t)-1, 0}), {
    tree_order c;
    c.wrong = a.wrong < b.wrong ? a.wrong : b.wrong;
    c.equal = a.equal + b.equal;
    return c;
});
WW_MAP_USES((ww__in_tree_key_at, ww__in_tree_order), order_here, tree_order, uint64_t, i, ww_radix_view, t, {
    tree_order o;
    const ww_radix_key before = ww__in_tree_key_at(t, i - 1);
    const ww_radix_key key = ww__in_tree_key_at(t, i);
    const uint32_t order = ww__in_tree_order(&before, &key);
    o.wrong = order == 2 ? i : (uint64_t)-1;
    o.equal = order == 1;
    return o;
});
WW_MAP_USES((ww__in_tree_key_at, ww__in_tree_order), differs, uint8_t, uint32_t, i, ww_radix_view, t, {
    if (!i) return 1;
    const ww_radix_key before = ww__in_tree_key_at(t, (uint64_t)i - 1);
    const ww_radix_key key = ww__in_tree_key_at(t, i);
    return (uint8_t)(ww__in_tree_order(&before, &key) != 1);
});

static ww_status check_lengths(ww_radix_tree *tree, const char *call) {
    const tree_check c = {tree->view, tree->type ? (uint32_t)(8 * tree->type->size) : 0, 0};
    uint64_t at;
    if (!tree->keys.prefixes) return WW_OK;
    const ww_input places = ww_counting(&ww_type_uint64_t, 0, tree->keys.count);
    WW_TRY(least(tree->device, ww_mapped(ww_with(bad_length, &c), places), &at));
    if (at == UINT64_MAX) return WW_OK;
    return ww__fail_call(tree->device, call, WW_RANGE,
                         tree->keys.strings
                             ? "key %llu has another number of bytes than its length says, or bits after it"
                             : "key %llu has a length that numbers of its type do not have, or bits after it",
                         (ull)at);
}

/* Positions of the keys that differ from the one before. */
static ww_status pack_places(ww_radix_tree *tree, uint64_t places) {
    const uint64_t n = tree->keys.count;
    uint64_t packed = 0;
    ww_radix_view view = tree->view;
    WW_TRY(ww__kept_capacity(tree->device, &tree->position, places, sizeof(uint32_t), 0));
    const ww_array position = ww_array((uint32_t *)tree->position.data, places);
    const ww_input every = ww_counting(&ww_type_uint32_t, 0, n);
    WW_TRY(
        ww_pack(tree->device, every, ww_mapped(ww_with(differs, &view), every), position, ww_array(&packed, 1), NULL));
    tree->view.position = position.data;
    return WW_OK;
}

ww_status ww__tree_check_keys(ww_radix_tree *tree, const char *call) {
    const uint64_t n = tree->keys.count;
    tree_order order = {UINT64_MAX, 0};
    ww_radix_view view = tree->view;
    if (!n) return WW_OK;
    WW_TRY(check_lengths(tree, call));
    const ww_input pairs = ww_counting(&ww_type_uint64_t, 1, n - 1);
    WW_TRY(ww_reduce(tree->device, &both_orders_ww, ww_mapped(ww_with(order_here, &view), pairs),
                     ww_array_of(&order, 1, &tree_order_ww)));
    if (order.wrong != UINT64_MAX)
        return ww__fail_call(tree->device, call, WW_RANGE,
                             "key %llu is below the one before it: keys have to be sorted", (ull)order.wrong);
    if (order.equal) WW_TRY(pack_places(tree, n - order.equal));
    tree->view.places = n - order.equal;
    return WW_OK;
}
