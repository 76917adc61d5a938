/* Sorts and splits by the plans that GPUs get (support/plans.h). */
#include <stdio.h>

#include "device/device.h"
#include "reference/multisplit.h"
#include "reference/sort.h"
#include "reference/sort_records.h"
#include "reference/split_records.h"
#include "sort/arrays.h"
#include "support/plans.h"
#include "support/traced.h"

#define U32 (&ww_type_uint32_t)
#define U64 (&ww_type_uint64_t)

/* ---- sorts ---- */

typedef struct sorting {
    const ww_type *type;
    size_t n, value_size;
    ww_sort_options options;
    bool in_place;
} sorting;

static sorting sorting_of(const ww_type *type, size_t n, size_t value_size, ww_sort_method method) {
    sorting s = {type, n, value_size, WW_SORT_OPTIONS, false};
    s.options.method = method;
    return s;
}

/* Elements of x where positions say. */
static void *moved(const void *x, const uint32_t *positions, size_t n, size_t size) {
    unsigned char *to = need(n * size);
    for (size_t i = 0; i < n; i++) memcpy(to + i * size, (const unsigned char *)x + positions[i] * size, size);
    return to;
}

/* Frees the keys. Values are any bytes. */
static void check_sort(ww_device *device, const sorting *s, void *keys) {
    const reference_order order = {s->type, s->options.descending, s->options.bit_first, s->options.bit_count};
    uint32_t *positions = need(s->n * 4);
    reference_sort_positions(order, keys, s->n, positions);
    void *values = plan_numbers(&ww_type_uint8_t, s->n * s->value_size, 0);
    void *keys_wanted = moved(keys, positions, s->n, s->type->size);
    void *values_wanted = moved(values, positions, s->n, s->value_size);
    sort_arrays a = sort_arrays_new(s->type, keys, values, s->n, s->value_size, s->in_place);
    expect_status(device, ww_sort(device, a.keys_in, a.values_in, a.keys_out, a.values_out, &s->options), WW_OK);
    sort_arrays_end(&a, keys_wanted, values_wanted);
    free(keys), free(positions), free(values), free(keys_wanted), free(values_wanted);
}

static void sort_any(ww_device *device, const ww_type *type, size_t n, size_t value_size, uint64_t below) {
    const sorting s = sorting_of(type, n, value_size, WW_SORT_AUTO);
    check_sort(device, &s, plan_numbers(type, n, below));
}

static void check_u32(ww_device *device, size_t n) { sort_any(device, U32, n, 0, 0); }
static void check_u8(ww_device *device, size_t n) { sort_any(device, &ww_type_uint8_t, n, 0, 0); }
static void check_u64(ww_device *device, size_t n) { sort_any(device, U64, n, 0, 0); }
static void check_u64_narrow(ww_device *device, size_t n) { sort_any(device, U64, n, 0, 1 << 20); }
#if WW_HAS_U128
static void check_u128(ww_device *device, size_t n) { sort_any(device, &ww_type_ww_u128, n, 0, 0); }
#endif
static void check_pairs(ww_device *device, size_t n) { sort_any(device, U32, n, 4, 50000); }
static void check_wide_pairs(ww_device *device, size_t n) { sort_any(device, U64, n, 8, 50000); }

/* Every one of the few kinds comes in the first keys and in the last. */
static void check_few(ww_device *device, size_t n) { sort_any(device, U32, n, 0, 5); }

static void check_in_order(ww_device *device, size_t n) {
    const sorting s = sorting_of(U32, n, 0, WW_SORT_AUTO);
    uint32_t *x = need(n * 4);
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)i * 3;
    check_sort(device, &s, x);
}

static void check_reversed(ww_device *device, size_t n) {
    const sorting s = sorting_of(U32, n, 4, WW_SORT_AUTO);
    uint32_t *x = need(n * 4);
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(n - i) * 3;
    check_sort(device, &s, x);
}

static void check_bits(ww_device *device, size_t n) {
    for (uint32_t bits = 1; bits <= 5; bits += 4) {
        sorting s = sorting_of(U32, n, 0, WW_SORT_AUTO);
        s.options.bit_first = 3, s.options.bit_count = bits, s.in_place = bits > 1;
        check_sort(device, &s, plan_numbers(U32, n, 0));
    }
}

static void sort_by_method(ww_device *device, size_t n, size_t value_size, ww_sort_method method) {
    const sorting s = sorting_of(U32, n, value_size, method);
    check_sort(device, &s, plan_numbers(U32, n, value_size ? 1000 : 0));
}

static void check_merge(ww_device *device, size_t n) { sort_by_method(device, n, 0, WW_SORT_MERGE); }
static void check_merge_pairs(ww_device *device, size_t n) { sort_by_method(device, n, 4, WW_SORT_MERGE); }
static void check_merge_search(ww_device *device, size_t n) { sort_by_method(device, n, 4, WW_SORT_MERGE_SEARCH); }
static void check_quick(ww_device *device, size_t n) { sort_by_method(device, n, 0, WW_SORT_QUICK); }
static void check_bitonic(ww_device *device, size_t n) { sort_by_method(device, n, 0, WW_SORT_BITONIC); }
static void check_network(ww_device *device, size_t n) { sort_by_method(device, n, 0, WW_SORT_MERGE_NETWORK); }

/* In three chunks or so. */
static void check_large(ww_device *device, size_t n) {
    enum { SLACK = (1 << 20) + 4096, KEY = 4, OTHER = 2 };
    uint32_t *x = plan_numbers(U32, n, 0), *positions = need(n * 4), *wanted;
    guarded out = guarded_new(n * 4);
    reference_sort_positions((reference_order){U32, false, 0, 0}, x, n, positions);
    wanted = moved(x, positions, n, 4);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device, ww_scratch_limit(device, SLACK + n / 3 * (4 * KEY + OTHER)), WW_OK);
    expect_status(device,
                  ww_sort_large(device, ww_memory(x, n), ww_no_input, ww_array((uint32_t *)out.data, n), ww_none, NULL),
                  WW_OK);
    expect_status(device, ww_scratch_limit(device, 0), WW_OK);
    plan_expect(&out, wanted, n, 4);
    free(x), free(positions), free(wanted);
}

/* ---- segments ---- */

/* Of every class of lengths, and longer than one block holds. */
static void sort_segments(ww_device *device, const ww_type *type, size_t n, size_t value_size) {
    const size_t size = type->size;
    unsigned char *keys = plan_numbers(type, n, 0), *values = plan_numbers(&ww_type_uint8_t, n * value_size, 0);
    uint32_t *offsets = need((n + 1) * 4), *positions = need(n * 4);
    size_t segments = 0, length = 1;
    for (offsets[0] = 0; offsets[segments] < n; segments++, length = length < 20000 ? length * 5 / 3 + 1 : 1) {
        const size_t first = offsets[segments], end = n - first < length ? n : first + length;
        offsets[segments + 1] = (uint32_t)end;
        reference_sort_positions((reference_order){type, false, 0, 0}, keys + first * size, end - first,
                                 positions + first);
        for (size_t i = first; i < end; i++) positions[i] += (uint32_t)first;
    }
    void *keys_wanted = moved(keys, positions, n, size), *values_wanted = moved(values, positions, n, value_size);
    sort_arrays a = sort_arrays_new(type, keys, values, n, value_size, false);
    expect_status(device,
                  ww_sort_segments(device, a.keys_in, a.values_in, ww_memory(offsets, segments + 1), a.keys_out,
                                   a.values_out, NULL),
                  WW_OK);
    sort_arrays_end(&a, keys_wanted, values_wanted);
    free(keys), free(values), free(offsets), free(positions), free(keys_wanted), free(values_wanted);
}

static void check_segments(ww_device *device, size_t n) { sort_segments(device, U32, n, 0); }
static void check_segments_pairs(ww_device *device, size_t n) { sort_segments(device, U64, n, 4); }

#if WW_HAS_U128
/* The buckets that the radix sort makes of many keys of 16 bytes which it compares by some bits only: each is sorted on chip, and
 * none is merged of chunks. */
static void check_bucket_of_wide(ww_device *device, size_t n) {
    const reference_order order = {&ww_type_ww_u128, false, 0, 96};
    ww_u128 *keys = plan_numbers(&ww_type_ww_u128, n, 0);
    uint32_t *positions = need(n * 4), *offsets = need(2 * 4);
    offsets[0] = 0, offsets[1] = (uint32_t)n;
    reference_sort_positions(order, keys, n, positions);
    void *wanted = moved(keys, positions, n, sizeof *keys);
    guarded out = guarded_new(n * sizeof *keys);
    char text[8192];
    ww_sort_options options = WW_SORT_OPTIONS;
    options.bit_count = 96;
    device->trace = true;
    traced t = traced_begin();
    const ww_status status = ww_sort_segments(device, ww_memory(keys, n), ww_no_input, ww_memory(offsets, 2),
                                              ww_array((ww_u128 *)out.data, n), ww_none, &options);
    traced_end(&t, text, sizeof text);
    device->trace = false;
    expect_status(device, status, WW_OK);
    plan_expect(&out, wanted, n, sizeof *keys);
    if (on_gpu()) expect(strstr(text, "sort_segments_by_digits") && !strstr(text, "merge_segments"));
    free(keys), free(positions), free(wanted), free(offsets);
}
#endif

/* ---- the first k, the n-th, records ---- */

static void check_top(ww_device *device, size_t n) {
    const size_t wanted[] = {100, n / 2};
    uint32_t *x = plan_numbers(U32, n, n / 2), *values = plan_numbers(U32, n, 0), *positions = need(n * 4);
    reference_sort_positions((reference_order){U32, true, 0, 0}, x, n, positions);
    void *keys_wanted = moved(x, positions, n, 4), *values_wanted = moved(values, positions, n, 4);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = true;
    for (int k = 0; k < 2; k++) {
        guarded keys_out = guarded_new(wanted[k] * 4), values_out = guarded_new(wanted[k] * 4);
        expect_status(device,
                      ww_top_k(device, ww_memory(x, n), ww_memory(values, n),
                               ww_array((uint32_t *)keys_out.data, wanted[k]),
                               ww_array((uint32_t *)values_out.data, wanted[k]), &options),
                      WW_OK);
        plan_expect(&keys_out, keys_wanted, wanted[k], 4), plan_expect(&values_out, values_wanted, wanted[k], 4);
    }
    guarded out = guarded_new(4);
    expect_status(device, ww_nth(device, n / 3, ww_memory(x, n), ww_array((uint32_t *)out.data, 1), &options), WW_OK);
    plan_expect(&out, (unsigned char *)keys_wanted + n / 3 * 4, 1, 4);
    free(x), free(values), free(positions), free(keys_wanted), free(values_wanted);
}

static void check_records(ww_device *device, size_t n) {
    enum { SIZE = 24, FIRST = 4, BYTES = 4 };
    unsigned char *x = plan_numbers(&ww_type_uint8_t, n * SIZE, 7);
    uint32_t *positions = need(n * 4);
    reference_sort_records(x, n, SIZE, FIRST, BYTES, false, positions);
    void *wanted = moved(x, positions, n, SIZE);
    guarded out = guarded_new(n * SIZE);
    expect_status(
        device,
        ww_sort_records(device, FIRST, BYTES, ww_record_memory(x, n, SIZE), ww_records(out.data, n, SIZE), NULL),
        WW_OK);
    plan_expect(&out, wanted, n, SIZE);
    free(x), free(positions), free(wanted);
}

static void check_split_records(ww_device *device, size_t n) {
    enum { SIZE = 20, BIT = 11 };
    unsigned char *x = plan_numbers(&ww_type_uint8_t, n * SIZE, 0);
    uint32_t *positions = need(n * 4);
    uint64_t *begins = need(257 * 8);
    reference_split_bits(x, n, SIZE, BIT, 8, positions);
    reference_split_begins(x, n, SIZE, BIT, 8, begins);
    void *wanted = moved(x, positions, n, SIZE);
    guarded out = guarded_new(n * SIZE), offsets = guarded_new(257 * 8);
    expect_status(device,
                  ww_split8(device, BIT, ww_record_memory(x, n, SIZE), ww_records(out.data, n, SIZE),
                            ww_array((uint64_t *)offsets.data, 257)),
                  WW_OK);
    begins[256] = n;
    plan_expect(&out, wanted, n, SIZE), plan_expect(&offsets, begins, 257, 8);
    free(x), free(positions), free(begins), free(wanted);
}

/* ---- multisplit ---- */

WW_MAP(plan_seventh, uint32_t, uint32_t, x, void, none, { return x % 7; });

typedef struct splitting {
    uint32_t buckets;
    bool function;
    size_t value_size;
    ww_multisplit_method method;
} splitting;

static void multisplit(ww_device *device, size_t n, splitting s) {
    uint32_t *x = plan_numbers(U32, n, s.function ? 0 : s.buckets), *bucket = need(n * 4), *positions = need(n * 4);
    uint64_t *begins = need((s.buckets + 1) * 8ull);
    for (size_t i = 0; i < n; i++) bucket[i] = s.function ? x[i] % 7 : x[i];
    reference_multisplit(bucket, n, s.buckets, positions, begins);
    void *values = plan_numbers(&ww_type_uint8_t, n * s.value_size, 0);
    void *keys_wanted = moved(x, positions, n, 4), *values_wanted = moved(values, positions, n, s.value_size);
    guarded offsets = guarded_new((s.buckets + 1) * 8ull);
    sort_arrays a = sort_arrays_new(U32, x, values, n, s.value_size, false);
    const ww_multisplit_options options = {sizeof options, s.method, 0};
    expect_status(device,
                  ww_multisplit(device, s.function ? &plan_seventh_ww : &ww_by_number, s.buckets, a.keys_in,
                                a.values_in, a.keys_out, a.values_out,
                                ww_array((uint64_t *)offsets.data, s.buckets + 1), &options),
                  WW_OK);
    sort_arrays_end(&a, keys_wanted, values_wanted);
    plan_expect(&offsets, begins, s.buckets + 1, 8);
    free(x), free(bucket), free(positions), free(begins), free(values), free(keys_wanted), free(values_wanted);
}

#define MULTISPLIT(name, ...) \
    static void name(ww_device *device, size_t n) { multisplit(device, n, (splitting){__VA_ARGS__}); }
MULTISPLIT(check_split_2, 2, false, 0, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_20, 20, false, 0, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_200, 200, false, 0, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_3000, 3000, false, 4, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_function, 7, true, 0, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_pairs, 20, false, 4, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_pairs_200, 200, false, 4, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_pairs_function, 7, true, 8, WW_MULTISPLIT_ONEPASS)
MULTISPLIT(check_split_direct, 20, false, 0, WW_MULTISPLIT_DIRECT)
MULTISPLIT(check_split_warp, 20, false, 0, WW_MULTISPLIT_WARP)
MULTISPLIT(check_split_block, 200, false, 4, WW_MULTISPLIT_BLOCK)

static const plan plans[] = {
    {"sort u8", check_u8, {25345}},
    {"sort u32", check_u32, {4096, 12673, 38017}},
    {"sort u64", check_u64, {2048, 6001, 30001}},
    {"sort u64 of few digits", check_u64_narrow, {13825, 27649}},
#if WW_HAS_U128
    {"sort u128", check_u128, {6145, 9217}},
#endif
    {"sort pairs", check_pairs, {18433, 37001}},
    {"sort wide pairs", check_wide_pairs, {7001, 21505}},
    {"sort few", check_few, {33001, 70001}},
    {"sort in order", check_in_order, {12673, 33001}},
    {"sort reversed", check_reversed, {8193, 40001}},
    {"sort bits", check_bits, {16385}},
    {"sort merge", check_merge, {900, 13799, 60001}},
    {"sort merge, two by two", check_merge, {16384, 16385}},
    {"sort merge of a tile", check_merge, {1900, 4000, 7001}},
    {"sort merge pairs", check_merge_pairs, {1276, 8688, 40001}},
    {"sort merge search", check_merge_search, {20001}},
    {"sort quick", check_quick, {5001}},
    {"sort bitonic", check_bitonic, {5001}},
    {"sort merge network", check_network, {5001}},
    {"sort large", check_large, {20001}},
    {"sort segments", check_segments, {90001}},
    {"sort segments pairs", check_segments_pairs, {60001}},
#if WW_HAS_U128
    {"sort bucket of wide keys", check_bucket_of_wide, {2049, 4001}},
#endif
    {"top", check_top, {20001}},
    {"sort records", check_records, {13001}},
    {"split records", check_split_records, {13001}},
    {"split 2", check_split_2, {13313}},
    {"split 20", check_split_20, {16385, 25001}},
    {"split 200", check_split_200, {25345}},
    {"split 3000", check_split_3000, {20001}},
    {"split by function", check_split_function, {18433}},
    {"split pairs", check_split_pairs, {14337}},
    {"split pairs 200", check_split_pairs_200, {18433}},
    {"split pairs by function", check_split_pairs_function, {15361}},
    {"split direct", check_split_direct, {2049}},
    {"split warp", check_split_warp, {2049}},
    {"split block", check_split_block, {12289}},
};

static void sorts(void **state) {
    (void)state;
    plans_check(plans, sizeof plans / sizeof *plans);
    expect(case_count() > 0);
}

int main(void) {
    if (!on_gpu()) printf("on a CPU these are some sizes more: the plans are a GPU's\n");
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
