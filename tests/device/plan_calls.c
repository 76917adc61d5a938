#include "plan_calls.h"

#include <stdio.h>

/* ---- elements of many sizes ---- */

typedef struct element {
    const ww_type *type;
    const ww_function *less, *join, *equal, *keep;
} element;

#define STRUCT_OF(bytes) \
    WW_STRUCT(of_##bytes, { uint8_t byte[bytes]; }); \
    WW_LESS(less_##bytes, of_##bytes, a, b, { return a.byte[0] < b.byte[0]; }); \
    WW_COMBINE(join_##bytes, of_##bytes, a, b, WW_ORDERED, WW_IDENTITY({{0}}), { return b.byte[0] ? b : a; }); \
    WW_MAP2(equal_##bytes, uint8_t, of_##bytes, a, of_##bytes, b, void, none, \
            { return (uint8_t)(a.byte[0] == b.byte[0]); }); \
    WW_MAP(keep_##bytes, uint8_t, of_##bytes, x, void, none, { return x.byte[0]; });
#define ELEMENT_OF(bytes) \
    { &of_##bytes##_ww, &less_##bytes##_ww, &join_##bytes##_ww, &equal_##bytes##_ww, &keep_##bytes##_ww }

STRUCT_OF(3)
STRUCT_OF(12)
STRUCT_OF(24)
STRUCT_OF(40)
STRUCT_OF(80)
STRUCT_OF(100)
STRUCT_OF(200)
STRUCT_OF(400)
STRUCT_OF(1024)
static const element elements[] = {ELEMENT_OF(3),   ELEMENT_OF(12),  ELEMENT_OF(24),  ELEMENT_OF(40),  ELEMENT_OF(80),
                                   ELEMENT_OF(100), ELEMENT_OF(200), ELEMENT_OF(400), ELEMENT_OF(1024)};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static const ww_type *const numbers[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t,
                                         &ww_type_ww_u128};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Every plan for few and many. */
static const uint64_t sizes[] = {700, (uint64_t)1 << 17, (uint64_t)1 << 22, (uint64_t)1 << 26, (uint64_t)1 << 29};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- arrays, where no memory is ---- */

static void *at(unsigned place) { return (void *)(((uintptr_t)1 << 61) + ((uintptr_t)place << 40)); }
static ww_array array(unsigned place, const ww_type *type, uint64_t n) { return ww_array_of(at(place), n, type); }
static ww_input input(unsigned place, const ww_type *type, uint64_t n) { return ww_memory_of(at(place), n, type); }
static ww_array count(void) { return array(9, &ww_type_uint64_t, 1); }
static ww_input flags(uint64_t n) { return input(8, &ww_type_uint8_t, n); }

/* What a GPU does not take is said by the call, as it should be. */
static bool said(ww_device *device, const char *call, size_t bytes, ww_status status) {
    if (!status || status == WW_LIMIT) return true;
    fprintf(stderr, "%s, elements of %zu bytes: %s\n", call, bytes, ww_error(device));
    return false;
}
#define CALL(bytes, call) \
    if (!said(device, #call, bytes, call)) return false

/* ---- the calls ---- */

static bool of_structs(ww_device *device, const element *e, uint64_t n) {
    const size_t bytes = e->type->size;
    const ww_input x = input(1, e->type, n), y = input(2, e->type, n / 2), keys = input(3, &ww_type_uint32_t, n);
    const ww_array out = array(4, e->type, n), twice = array(4, e->type, n + n / 2),
                   lengths = array(5, &ww_type_uint32_t, n);
    const ww_array positions = array(6, &ww_type_uint64_t, n);
    CALL(bytes, ww_merge(device, e->less, x, y, ww_no_input, ww_no_input, twice, ww_none));
    CALL(bytes, ww_merge(device, e->less, x, y, keys, input(7, &ww_type_uint32_t, n / 2), twice,
                         array(5, &ww_type_uint32_t, n + n / 2)));
    CALL(bytes, ww_set_union(device, e->less, x, y, twice, count()));
    CALL(bytes, ww_set_difference(device, e->less, x, y, twice, count()));
    CALL(bytes, ww_lower_bound(device, e->less, x, y, array(6, &ww_type_uint64_t, n / 2)));
    CALL(bytes, ww_sort_by(device, e->less, x, ww_no_input, out, ww_none, NULL));
    CALL(bytes, ww_sort_by(device, e->less, x, keys, out, array(5, &ww_type_uint32_t, n), NULL));
    CALL(bytes, ww_reduce(device, e->join, x, array(4, e->type, 1)));
    CALL(bytes, ww_scan(device, e->join, x, out, NULL));
    CALL(bytes, ww_scan_segmented(device, e->join, x, flags(n), out, NULL));
    CALL(bytes, ww_scan_by_key(device, e->join, keys, x, out, NULL));
    CALL(bytes, ww_reduce_by_key(device, e->join, keys, x, array(5, &ww_type_uint32_t, n), out, count()));
    CALL(bytes, ww_reduce_by_key(device, &ww_add, x, keys, out, array(5, &ww_type_uint32_t, n), count()));
    CALL(bytes, ww_pack(device, x, flags(n), out, count(), NULL));
    CALL(bytes, ww_pack_if(device, e->keep, x, out, count(), NULL));
    CALL(bytes, ww_split(device, x, flags(n), out, count(), NULL));
    CALL(bytes, ww_split_if(device, e->keep, x, out, count(), NULL));
    CALL(bytes, ww_unique(device, x, out, count()));
    CALL(bytes, ww_unique_by(device, e->equal, x, out, count()));
    CALL(bytes, ww_run_lengths(device, x, out, lengths, count()));
    CALL(bytes, ww_run_lengths_by(device, e->equal, x, out, lengths, count()));
    CALL(bytes, ww_gather(device, x, ww_from(positions), out));
    CALL(bytes, ww_scatter(device, x, ww_from(positions), out, ww_scatter_by(WW_CONFLICT_LAST)));
    CALL(bytes, ww_reverse(device, x, out));
    CALL(bytes, ww_transpose(device, n / 8, 8, input(1, e->type, n / 8 * 8), array(4, e->type, n / 8 * 8)));
    CALL(bytes, ww_find_if(device, e->keep, x, count()));
    CALL(bytes, ww_sort(device, keys, x, lengths, out, NULL));
    CALL(bytes, ww_sort_segments(device, keys, x, input(6, &ww_type_uint64_t, n / 2 + 1), lengths, out, NULL));
    return true;
}

static bool of_pairs(ww_device *device, const ww_type *key, const ww_type *value, uint64_t n) {
    const size_t bytes = key->size;
    const ww_input x = input(1, key, n), y = input(2, key, n), a = input(3, value, n), b = input(5, value, n);
    const ww_array out = array(4, key, n), twice = array(4, key, 2 * n), values = array(6, value, n);
    const ww_input segments = input(7, &ww_type_uint64_t, n / 2 + 1);
    CALL(bytes, ww_merge(device, NULL, x, y, a, b, twice, array(6, value, 2 * n)));
    CALL(bytes, ww_sort_by(device, NULL, x, a, out, values, NULL));
    CALL(bytes, ww_sort_segments(device, x, a, segments, out, values, NULL));
    CALL(bytes, ww_scan_by_key(device, &ww_add, x, a, values, NULL));
    CALL(bytes, ww_reduce_by_key(device, &ww_add, x, a, out, values, count()));
    CALL(bytes, ww_set_intersection(device, NULL, x, y, out, count()));
    CALL(bytes, ww_run_lengths(device, x, out, array(6, &ww_type_uint64_t, n), count()));
    return true;
}

/* Tiles of every size, of elements with values or without. */
static bool of_tiles(ww_device *device, const ww_type *key, const ww_type *value, uint64_t n) {
    const size_t bytes = key->size;
    const ww_input x = input(1, key, n), a = input(3, value, n), places = input(5, &ww_type_uint32_t, n);
    const ww_array out = array(4, key, n), values = array(6, value, n);
    for (uint64_t tile = WW_TILE_LEAST; tile <= WW_TILE_MOST && tile <= n; tile *= 2) {
        CALL(bytes, ww_tiles_sort(device, tile, x, ww_no_input, out, ww_none));
        CALL(bytes, ww_tiles_sort(device, tile, x, a, out, values));
        CALL(bytes, ww_tiles_permute(device, tile, x, places, out));
        CALL(bytes, ww_tiles_partition(device, tile, 32, x, places, out));
        CALL(bytes, ww_tiles_transpose(device, 32, tile / 32, x, out));
    }
    return true;
}

WW_MAP(low_bits, uint32_t, uint32_t, x, void, none, { return x & 1023; });

/* Calls of one type, or two. */
static bool of_rest(ww_device *device, uint64_t n) {
    static const ww_type *const reals[] = {&ww_type_float, &ww_type_double};
    const ww_input x = input(1, &ww_type_uint32_t, n), offsets = input(5, &ww_type_uint64_t, n / 8 + 1);
    const ww_array out = array(4, &ww_type_uint32_t, n), counts = array(6, &ww_type_uint32_t, 1024);
    const ww_random from = {.seed = 1};
    for (size_t r = 0; r < 2; r++) {
        const ww_input values = input(2, reals[r], n), vector = input(3, reals[r], n / 4);
        CALL(reals[r]->size, ww_spmv(device, values, x, offsets, vector, array(7, reals[r], n / 8), NULL));
        CALL(reals[r]->size, ww_histogram_weighted(device, &low_bits_ww, x, values, array(6, reals[r], 1024)));
        CALL(reals[r]->size, ww_random_normal(device, from, 0, 1, array(7, reals[r], n)));
        CALL(reals[r]->size, ww_sort(device, values, x, array(7, reals[r], n), out, NULL));
    }
    CALL(4, ww_bincount(device, x, counts, ww_none, NULL));
    CALL(4, ww_histogram(device, &low_bits_ww, x, counts, ww_none, NULL));
    CALL(4, ww_shuffle(device, from, x, out));
    CALL(4,
         ww_top_k_segments(device, 3, x, ww_no_input, offsets, array(4, &ww_type_uint32_t, n / 8 * 3), ww_none, NULL));
    CALL(4, ww_arg_min_segments(device, NULL, x, offsets, array(7, &ww_type_uint64_t, n / 8)));
    CALL(4, ww_expand(device, x, input(2, &ww_type_uint32_t, n), array(4, &ww_type_uint32_t, 4 * n),
                      array(6, &ww_type_uint32_t, 4 * n), array(7, &ww_type_uint32_t, 4 * n), count()));
    CALL(4, ww_split8(device, 3, x, out, array(6, &ww_type_uint64_t, 257)));
    CALL(8, ww_reduce(device, &ww_add, ww_cast(&ww_type_double, x), array(6, &ww_type_double, 1)));
    return true;
}

bool make_plan_calls(ww_device *device) {
    for (size_t s = 0; s < SIZES; s++) {
        for (size_t e = 0; e < ELEMENTS; e++)
            if (!of_structs(device, &elements[e], sizes[s])) return false;
        if (!of_rest(device, sizes[s])) return false;
        for (size_t k = 0; k < NUMBERS; k++)
            for (size_t v = 0; v < NUMBERS; v++)
                if (!of_pairs(device, numbers[k], numbers[v], sizes[s])) return false;
    }
    for (size_t k = 2; k < 4; k++) /* of 4 and 8 bytes */
        for (size_t v = 2; v < 4; v++)
            if (!of_tiles(device, numbers[k], numbers[v], WW_TILE_MOST)) return false;
    return true;
}
