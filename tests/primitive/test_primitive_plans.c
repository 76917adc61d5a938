/* Every primitive by the plans that GPUs get (support/plans.h). */
#include <stdio.h>

#include "primitive/orders.h"
#include "reference/expand.h"
#include "reference/gather.h"
#include "reference/histogram.h"
#include "reference/merge.h"
#include "reference/pack.h"
#include "reference/run.h"
#include "reference/scan.h"
#include "reference/search.h"
#include "reference/set.h"
#include "reference/split.h"
#include "support/plans.h"
#include "support/scan_operations.h"

#define U32 (&ww_type_uint32_t)
#define U64 (&ww_type_uint64_t)
#define U8 (&ww_type_uint8_t)

static const uint64_t zero[2];

/* Flags and heads: one in eight is set. */
static uint8_t *some_flags(size_t n) {
    uint8_t *flags = plan_numbers(U8, n, 8);
    for (size_t i = 0; i < n; i++) flags[i] = flags[i] == 0;
    return flags;
}

/* ---- map and reduce ---- */

WW_MAP(plan_thrice, uint32_t, uint32_t, x, void, none, { return 3 * x + 1; });

static void check_map(ww_device *device, size_t n) {
    uint32_t *x = plan_numbers(U32, n, 0), *wanted = need(n * 4);
    guarded out = guarded_new(n * 4);
    for (size_t i = 0; i < n; i++) wanted[i] = 3 * x[i] + 1;
    expect_status(device, ww_map(device, &plan_thrice_ww, ww_memory(x, n), ww_array((uint32_t *)out.data, n)), WW_OK);
    plan_expect(&out, wanted, n, 4);
    free(x), free(wanted);
}

/* Sums of floats have the documented brackets. */
static void check_reduce(ww_device *device, size_t n) {
    float *x = plan_numbers(&ww_type_float, n, 0), wanted;
    guarded out = guarded_new(4);
    reference_reduce_tree(&wanted, x, n, 4, true, add_float, zero);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, n), ww_array((float *)out.data, 1)), WW_OK);
    plan_expect(&out, &wanted, 1, 4);
    free(x);
}

static void check_arg_max(ww_device *device, size_t n) {
    uint32_t *x = plan_numbers(U32, n, n / 3);
    uint64_t position = 77;
    const uint64_t wanted = reference_extreme(x, n, 4, true, reference_u32_up);
    expect_status(device, ww_arg_max(device, NULL, ww_memory(x, n), ww_none, ww_array(&position, 1)), WW_OK);
    expect(position == wanted);
    free(x);
}

/* Segments of each kind of length, empty ones too. */
static void check_reduce_segments(ww_device *device, size_t n) {
    enum { KINDS = 5 };
    static const uint64_t lengths[KINDS] = {2, 30, 300, 1, 5000};
    uint32_t *x = plan_numbers(U32, n, 0), *offsets = need((n + 1) * 4), *wanted = need(n * 4);
    uint64_t state = n;
    size_t segments = 0;
    for (offsets[0] = 0; segments < n && offsets[segments] < n; segments++) {
        const uint64_t end = offsets[segments] + random_next(&state) % lengths[segments % 16 ? segments % 4 : 4];
        offsets[segments + 1] = (uint32_t)(end < n ? end : n);
        reference_reduce(&wanted[segments], x + offsets[segments], offsets[segments + 1] - offsets[segments], 4,
                         add_uint32_t, zero);
    }
    guarded out = guarded_new(segments * 4);
    expect_status(device,
                  ww_reduce_segments(device, &ww_add, ww_memory(x, n), ww_memory(offsets, segments + 1),
                                     ww_array((uint32_t *)out.data, segments)),
                  WW_OK);
    plan_expect(&out, wanted, segments, 4);
    free(x), free(offsets), free(wanted);
}

/* ---- scan ---- */

static void scan_of(ww_device *device, const ww_type *type, reference_combine *add, size_t n, bool exclusive) {
    const size_t size = type->size;
    void *x = plan_numbers(type, n, 0), *wanted = need(n * size);
    guarded out = guarded_new(n * size);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = exclusive;
    reference_scan(&(reference_scanning){n, size, add, zero, exclusive, NULL, false}, wanted, NULL, x);
    expect_status(device, ww_scan(device, &ww_add, ww_memory_of(x, n, type), ww_array_of(out.data, n, type), &options),
                  WW_OK);
    plan_expect(&out, wanted, n, size);
    free(x), free(wanted);
}

static void check_scan(ww_device *device, size_t n) { scan_of(device, U32, add_uint32_t, n, false); }
static void check_scan_u64(ww_device *device, size_t n) { scan_of(device, U64, add_uint64_t, n, true); }

/* Segments by heads, or by keys that change where heads are. */
static void segmented_scan(ww_device *device, size_t n, bool by_key) {
    uint32_t *x = plan_numbers(U32, n, 0), *keys = need(n * 4), *wanted = need(n * 4);
    uint8_t *heads = some_flags(n);
    guarded out = guarded_new(n * 4);
    const ww_array to = ww_array((uint32_t *)out.data, n);
    for (size_t i = 0; i < n; i++) keys[i] = (i ? keys[i - 1] : 0) + heads[i];
    if (n > 9000) memset(heads + 1000, 0, 8000), memset(keys + 1000, 0xEE, 8000 * 4);
    if (n > 9000) heads[1000] = heads[9000] = 1; /* a segment longer than a tile */
    for (size_t i = 9000; i < n; i++) keys[i] = keys[i - 1] + heads[i];
    reference_scan(&(reference_scanning){n, 4, add_uint32_t, zero, false, heads, false}, wanted, NULL, x);
    expect_status(device,
                  by_key ? ww_scan_by_key(device, &ww_add, ww_memory(keys, n), ww_memory(x, n), to, NULL)
                         : ww_scan_segmented(device, &ww_add, ww_memory(x, n), ww_memory(heads, n), to, NULL),
                  WW_OK);
    plan_expect(&out, wanted, n, 4);
    free(x), free(keys), free(heads), free(wanted);
}

static void check_scan_segmented(ww_device *device, size_t n) { segmented_scan(device, n, false); }
static void check_scan_by_key(ww_device *device, size_t n) { segmented_scan(device, n, true); }

static void check_enumerate(ww_device *device, size_t n) {
    uint8_t *flags = some_flags(n);
    uint32_t *wanted = need(n * 4), before = 0;
    uint64_t total = 77;
    guarded out = guarded_new(n * 4);
    for (size_t i = 0; i < n; i++) wanted[i] = before, before += flags[i];
    expect_status(device,
                  ww_enumerate(device, ww_memory(flags, n), ww_array((uint32_t *)out.data, n), ww_array(&total, 1)),
                  WW_OK);
    expect(total == before);
    plan_expect(&out, wanted, n, 4);
    free(flags), free(wanted);
}

static void check_difference(ww_device *device, size_t n) {
    uint32_t *x = plan_numbers(U32, n, 0), *wanted = need(n * 4);
    guarded out = guarded_new(n * 4);
    for (size_t i = 0; i < n; i++) wanted[i] = x[i] - (i ? x[i - 1] : 0);
    expect_status(device, ww_adjacent_difference(device, ww_memory(x, n), ww_array((uint32_t *)out.data, n)), WW_OK);
    plan_expect(&out, wanted, n, 4);
    free(x), free(wanted);
}

/* ---- pack and split ---- */

static void pack_of(ww_device *device, size_t n, size_t size) {
    uint8_t *flags = some_flags(n);
    void *x = plan_numbers(U8, n * size, 0), *wanted = need(n * size);
    const size_t kept = reference_pack(wanted, x, flags, n, size);
    guarded out = guarded_new(kept * size);
    uint64_t count = 77;
    expect_status(device,
                  ww_pack(device, ww_record_memory(x, n, size), ww_memory(flags, n), ww_records(out.data, kept, size),
                          ww_array(&count, 1), NULL),
                  WW_OK);
    expect(count == kept);
    plan_expect(&out, wanted, kept, size);
    free(flags), free(x), free(wanted);
}

static void check_pack(ww_device *device, size_t n) { pack_of(device, n, 4); }
static void check_pack_8(ww_device *device, size_t n) { pack_of(device, n, 8); }
static void check_pack_records(ww_device *device, size_t n) { pack_of(device, n, 40); }

static void check_split(ww_device *device, size_t n) {
    uint8_t *flags = some_flags(n);
    uint32_t *x = plan_numbers(U32, n, 0), *wanted = need(n * 4);
    const size_t first = reference_split(wanted, x, flags, n, 4, false);
    guarded out = guarded_new(n * 4);
    uint64_t zeros = 77;
    expect_status(device,
                  ww_split(device, ww_memory(x, n), ww_memory(flags, n), ww_array((uint32_t *)out.data, n),
                           ww_array(&zeros, 1), NULL),
                  WW_OK);
    expect(zeros == first);
    plan_expect(&out, wanted, n, 4);
    free(flags), free(x), free(wanted);
}

/* ---- expand ---- */

/* Tiles of one parent, of several and of very many: the first has a third of the children, the last thousandth another. */
static void check_expand(ww_device *device, size_t n) {
    const size_t parents = 200000;
    uint32_t *counts = plan_numbers(U32, parents, 1), *x = plan_numbers(U32, parents, 0), *wanted = need(4 * n);
    uint64_t *wide = need(8 * parents), *source = need(8 * n), *total = need(8);
    guarded out = guarded_new(4 * n), source_out = guarded_new(8 * n);
    counts[0] = (uint32_t)(n / 3);
    for (size_t i = 0; i < 200; i++) counts[parents - 1 - i] = (uint32_t)(n / 600);
    for (size_t i = 1; i < n / 10; i++) counts[i] = 1;
    for (size_t i = 0; i < parents; i++) wide[i] = counts[i];
    const uint64_t all = reference_expand(x, 4, wide, parents, n, wanted, source, NULL);
    memset((char *)wanted + 4 * all, 0xA5, 4 * (n - all));
    memset((char *)source + 8 * all, 0xA5, 8 * (n - all));
    expect_status(device,
                  ww_expand(device, ww_memory(x, parents), ww_memory(counts, parents),
                            ww_array((uint32_t *)out.data, n), ww_array((uint64_t *)source_out.data, n), ww_none,
                            ww_array(total, 1)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*total == all);
    plan_expect(&out, wanted, n, 4);
    plan_expect(&source_out, source, n, 8);
    free(counts), free(x), free(wanted), free(wide), free(source), free(total);
}

/* ---- gather and scatter ---- */

static void gather_of(ww_device *device, size_t n, size_t size) {
    const size_t from = 1000;
    void *x = plan_numbers(U8, from * size, 0), *wanted = need(n * size);
    uint64_t *index = plan_numbers(U64, n, from);
    guarded out = guarded_new(n * size);
    reference_gather(x, from, index, n, wanted, size);
    expect_status(
        device, ww_gather(device, ww_record_memory(x, from, size), ww_memory(index, n), ww_records(out.data, n, size)),
        WW_OK);
    plan_expect(&out, wanted, n, size);
    free(x), free(index), free(wanted);
}

static void check_gather(ww_device *device, size_t n) { gather_of(device, n, 4); }
static void check_gather_records(ww_device *device, size_t n) { gather_of(device, n, 32); }

/* Places that no index names keep what they have. unique: each place at most once. */
static void scatter_of(ww_device *device, const ww_type *type, size_t size, size_t n, ww_conflict conflict,
                       bool unique) {
    const size_t places = unique ? n + 100 : n / 2 + 1;
    unsigned char *x = plan_numbers(U8, n * size, 0), *wanted = need(places * size);
    uint64_t *index = plan_numbers(U64, n, places);
    guarded out = guarded_new(places * size);
    for (size_t i = 0; unique && i < n; i++) index[i] = places - 1 - i;
    memcpy(wanted, out.data, places * size);
    reference_scatter(x, type, size, index, n, wanted, places,
                      conflict == WW_CONFLICT_ANY ? WW_CONFLICT_LAST : conflict);
    const ww_input in = type ? ww_memory_of(x, n, type) : ww_record_memory(x, n, size);
    const ww_array to = type ? ww_array_of(out.data, places, type) : ww_records(out.data, places, size);
    expect_status(device, ww_scatter(device, in, ww_memory(index, n), to, ww_scatter_by(conflict)), WW_OK);
    plan_expect(&out, wanted, places, size);
    free(x), free(index), free(wanted);
}

static void check_scatter(ww_device *device, size_t n) { scatter_of(device, U32, 4, n, WW_CONFLICT_LAST, false); }
static void check_scatter_add(ww_device *device, size_t n) { scatter_of(device, U8, 1, n, WW_CONFLICT_ADD, false); }
static void check_scatter_min(ww_device *device, size_t n) {
    scatter_of(device, &ww_type_int16_t, 2, n, WW_CONFLICT_MIN, false);
}
/* Elements of 8 and 16 bits are stored beside one another. */
static void check_scatter_any(ww_device *device, size_t n) {
    scatter_of(device, U8, 1, n, WW_CONFLICT_ANY, true);
    scatter_of(device, &ww_type_uint16_t, 2, n, WW_CONFLICT_ANY, true);
}
static void check_scatter_records(ww_device *device, size_t n) {
    scatter_of(device, NULL, 32, n, WW_CONFLICT_LAST, false);
}

/* ---- histogram ---- */

static void histogram_of(ww_device *device, size_t n, uint32_t bins, ww_histogram_method method, bool edges) {
    uint32_t *x = plan_numbers(U32, n, 3 * (uint64_t)bins), *edge = need((bins + 1) * 4ull);
    uint64_t *wanted = need(bins * 8ull), outside_wanted = 0, outside = 77;
    const uint32_t low = 0, high = 2 * bins;
    guarded out = guarded_new(bins * 8ull);
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    options.method = method;
    for (size_t i = 0; i < n / 2; i++) x[i] %= 7; /* many to few bins */
    for (uint32_t b = 0; b <= bins; b++) edge[b] = 2 * b + b % 3 / 2;
    if (edges)
        reference_histogram_edges(U32, x, n, edge, bins, wanted, &outside_wanted);
    else
        reference_histogram_even(U32, x, n, &low, &high, bins, wanted, &outside_wanted);
    const ww_array counts = ww_array((uint64_t *)out.data, bins);
    expect_status(device,
                  edges ? ww_histogram_edges(device, ww_memory(x, n), ww_memory(edge, bins + 1), counts,
                                             ww_array(&outside, 1), &options)
                        : ww_histogram_even(device, ww_memory(x, n), ww_value(uint32_t, low), ww_value(uint32_t, high),
                                            counts, ww_array(&outside, 1), &options),
                  WW_OK);
    expect(outside == outside_wanted);
    plan_expect(&out, wanted, bins, 8);
    free(x), free(edge), free(wanted);
}

static void check_histogram(ww_device *device, size_t n) { histogram_of(device, n, 256, WW_HISTOGRAM_AUTO, false); }
static void check_histogram_edges(ww_device *device, size_t n) {
    histogram_of(device, n, 100, WW_HISTOGRAM_AUTO, true);
}
static void check_histogram_warp(ww_device *device, size_t n) {
    histogram_of(device, n, 100, WW_HISTOGRAM_WARP, false);
}
/* Counters of 16 bits, more than a block of 32-bit ones holds; and in two parts. */
static void check_histogram_halves(ww_device *device, size_t n) {
    histogram_of(device, n, n > 115000 ? 120000 : 50000, WW_HISTOGRAM_AUTO, false);
}

/* ---- merge, search, sets ---- */

static const order *order_u32(void) {
    const order *o = orders;
    while (o->type != U32 || o->less) o++;
    return o;
}

static void check_merge(ww_device *device, size_t n) {
    const size_t na = n / 3, nb = n - na;
    void *a = sorted_new(order_u32(), na, UNIFORM, 1), *b = sorted_new(order_u32(), nb, FEW, 2), *wanted = need(n * 4);
    bool *from = need(n);
    guarded out = guarded_new(n * 4);
    reference_merge(wanted, from, a, na, b, nb, 4, reference_u32_up);
    expect_status(device,
                  ww_merge(device, NULL, ww_memory_of(a, na, U32), ww_memory_of(b, nb, U32), ww_no_input, ww_no_input,
                           ww_array_of(out.data, n, U32), ww_none),
                  WW_OK);
    plan_expect(&out, wanted, n, 4);
    free(a), free(b), free(from), free(wanted);
}

/* Values are positions, in the order in which keys came. */
static void check_merge_pairs(ww_device *device, size_t n) {
    const size_t na = n / 2, nb = n - na;
    void *a = sorted_new(order_u32(), na, FEW, 1), *b = sorted_new(order_u32(), nb, FEW, 2), *wanted = need(n * 4);
    uint32_t *values = need(n * 4), *values_wanted = need(n * 4), next[2] = {0, (uint32_t)na};
    bool *from = need(n);
    guarded out = guarded_new(n * 4), values_out = guarded_new(n * 4);
    reference_merge(wanted, from, a, na, b, nb, 4, reference_u32_up);
    for (size_t i = 0; i < n; i++) values[i] = (uint32_t)i, values_wanted[i] = next[from[i]]++;
    expect_status(device,
                  ww_merge(device, NULL, ww_memory_of(a, na, U32), ww_memory_of(b, nb, U32), ww_memory(values, na),
                           ww_memory(values + na, nb), ww_array_of(out.data, n, U32),
                           ww_array((uint32_t *)values_out.data, n)),
                  WW_OK);
    plan_expect(&out, wanted, n, 4), plan_expect(&values_out, values_wanted, n, 4);
    free(a), free(b), free(from), free(wanted), free(values), free(values_wanted);
}

/* An array that is sampled; needles in no order and, the second half, in order. */
static void check_search(ww_device *device, size_t n) {
    enum { SORTED_ELEMENTS = 330000 };
    unsigned char *sorted = sorted_new(order_u32(), SORTED_ELEMENTS, UNIFORM, 1);
    uint32_t *needles = plan_numbers(U32, n, 0);
    uint64_t *wanted = need(n * 8);
    guarded out = guarded_new(n * 8);
    for (size_t i = 0; i < n; i += 3) memcpy(&needles[i], sorted + 4 * (needles[i] % SORTED_ELEMENTS), 4);
    reference_sort(needles + n / 2, n - n / 2, 4, reference_u32_up);
    reference_bounds(wanted, sorted, SORTED_ELEMENTS, needles, n, 4, false, reference_u32_up);
    expect_status(device,
                  ww_lower_bound(device, NULL, ww_memory_of(sorted, SORTED_ELEMENTS, U32), ww_memory(needles, n),
                                 ww_array((uint64_t *)out.data, n)),
                  WW_OK);
    plan_expect(&out, wanted, n, 8);
    free(sorted), free(needles), free(wanted);
}

typedef ww_status set_call(ww_device *, const ww_function *, ww_input, ww_input, ww_array, ww_array);

static void check_sets(ww_device *device, size_t n) {
    static set_call *const calls[] = {ww_set_union, ww_set_intersection, ww_set_difference};
    static reference_set *const oracles[] = {reference_union, reference_intersection, reference_difference};
    const size_t na = n / 2, nb = n - na;
    void *a = sorted_new(order_u32(), na, FEW, 1), *b = sorted_new(order_u32(), nb, FEW, 2), *wanted = need(n * 4);
    for (int k = 0; k < 3; k++) {
        const size_t many = oracles[k](wanted, a, na, b, nb, 4, reference_u32_up);
        uint64_t count = 77;
        guarded out = guarded_new(many * 4);
        expect_status(device,
                      calls[k](device, NULL, ww_memory_of(a, na, U32), ww_memory_of(b, nb, U32),
                               ww_array_of(out.data, many, U32), ww_array(&count, 1)),
                      WW_OK);
        expect(count == many);
        plan_expect(&out, wanted, many, 4);
    }
    free(a), free(b), free(wanted);
}

/* ---- runs ---- */

/* Some runs of one element, some longer, one longer than a tile. */
static uint32_t *runs_new(size_t n) {
    uint32_t *x = plan_numbers(U32, n, 4);
    for (size_t i = 1; i < n; i++)
        x[i] = x[i] || (i > 500 && i < 9500) ? x[i - 1] : i % 2 ? x[i - 1] + 1 : x[i - 1] - 3;
    return x;
}

static void check_run_lengths(ww_device *device, size_t n) {
    uint32_t *x = runs_new(n), *values = need(n * 4), *lengths = need(n * 4);
    uint64_t *starts = need(n * 8), count = 77;
    const size_t runs = reference_runs(starts, x, n, 4);
    for (size_t r = 0; r < runs; r++) {
        values[r] = x[starts[r]];
        lengths[r] = (uint32_t)((r + 1 < runs ? starts[r + 1] : n) - starts[r]);
    }
    guarded values_out = guarded_new(runs * 4), lengths_out = guarded_new(runs * 4);
    expect_status(device,
                  ww_run_lengths(device, ww_memory(x, n), ww_array((uint32_t *)values_out.data, runs),
                                 ww_array((uint32_t *)lengths_out.data, runs), ww_array(&count, 1)),
                  WW_OK);
    expect(count == runs);
    plan_expect(&values_out, values, runs, 4), plan_expect(&lengths_out, lengths, runs, 4);
    values_out = guarded_new(runs * 4);
    expect_status(device,
                  ww_unique(device, ww_memory(x, n), ww_array((uint32_t *)values_out.data, runs), ww_array(&count, 1)),
                  WW_OK);
    expect(count == runs);
    plan_expect(&values_out, values, runs, 4);
    free(x), free(values), free(lengths), free(starts);
}

/* Keys as numbers of `to` bytes; of 8 bytes the higher four. Frees them. */
static void *keys_of_size(uint32_t *keys, size_t n, size_t to) {
    unsigned char *wide = need(n * to);
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = to == 4 ? keys[i] : (uint64_t)keys[i] << 32;
        memcpy(wide + i * to, &key, to); /* little-endian */
    }
    free(keys);
    return wide;
}

static void reduce_by_key(ww_device *device, size_t n, const ww_type *key, const ww_type *type, reference_combine *add) {
    const size_t size = type->size;
    unsigned char *keys = keys_of_size(runs_new(n), n, key->size), *keys_wanted = need(n * key->size);
    unsigned char *x = plan_numbers(type, n, 0), *wanted = need(n * size);
    uint64_t *starts = need(n * 8), count = 77;
    const size_t runs = reference_runs(starts, keys, n, key->size);
    for (size_t r = 0; r < runs; r++) {
        const size_t end = r + 1 < runs ? starts[r + 1] : n;
        memcpy(keys_wanted + r * key->size, keys + starts[r] * key->size, key->size);
        reference_reduce(wanted + r * size, x + starts[r] * size, end - starts[r], size, add, zero);
    }
    guarded keys_out = guarded_new(runs * key->size), out = guarded_new(runs * size);
    expect_status(device,
                  ww_reduce_by_key(device, &ww_add, ww_memory_of(keys, n, key), ww_memory_of(x, n, type),
                                   ww_array_of(keys_out.data, runs, key), ww_array_of(out.data, runs, type),
                                   ww_array(&count, 1)),
                  WW_OK);
    expect(count == runs);
    plan_expect(&keys_out, keys_wanted, runs, key->size), plan_expect(&out, wanted, runs, size);
    free(keys), free(keys_wanted), free(x), free(wanted), free(starts);
}

static void check_reduce_by_key(ww_device *device, size_t n) { reduce_by_key(device, n, U32, U32, add_uint32_t); }
static void check_reduce_by_key_u64(ww_device *device, size_t n) { reduce_by_key(device, n, U32, U64, add_uint64_t); }
static void check_reduce_by_key_wide(ww_device *device, size_t n) { reduce_by_key(device, n, U64, U64, add_uint64_t); }

static const plan plans[] = {
    {"map", check_map, {4096 * 2 + 5}},
    {"reduce", check_reduce, {70001}},
    {"arg max", check_arg_max, {40001}},
    {"reduce segments", check_reduce_segments, {30001}},
    {"scan", check_scan, {4097, 8192, 65543}},
    {"scan large", check_scan, {300001}},
    {"scan u64", check_scan_u64, {4101, 65543}},
    {"scan segmented", check_scan_segmented, {6145, 18433}},
    {"scan by key", check_scan_by_key, {6144, 12301}},
    {"enumerate", check_enumerate, {8193, 150001}},
    {"difference", check_difference, {8205}},
    {"pack", check_pack, {4097, 12289, 65543}},
    {"pack 8", check_pack_8, {8193}},
    {"pack large", check_pack, {263001}},
    {"pack records", check_pack_records, {3073}},
    {"split", check_split, {12289, 65543}},
    {"expand", check_expand, {60001}},
    {"gather", check_gather, {4099}},
    {"gather records", check_gather_records, {777}},
    {"scatter", check_scatter, {4099}},
    {"scatter add", check_scatter_add, {8211}},
    {"scatter min", check_scatter_min, {4099}},
    {"scatter any", check_scatter_any, {4099}},
    {"scatter records", check_scatter_records, {777}},
    {"histogram", check_histogram, {30001}},
    {"histogram edges", check_histogram_edges, {30001}},
    {"histogram warp", check_histogram_warp, {30001}},
    {"histogram halves", check_histogram_halves, {60001, 121001}},
    {"merge", check_merge, {7681, 31001}},
    {"merge pairs", check_merge_pairs, {31001}},
    {"search", check_search, {3601}},
    {"sets", check_sets, {9001}},
    {"runs", check_run_lengths, {12289, 66001}},
    {"reduce by key", check_reduce_by_key, {12289, 33001, 101001}},
    {"reduce by key u64", check_reduce_by_key_u64, {12289}},
    {"reduce by key of 8 bytes", check_reduce_by_key_wide, {6145, 101001}},
};

static void primitives(void **state) {
    (void)state;
    plans_check(plans, sizeof plans / sizeof *plans);
    expect(case_count() > 0);
}

int main(void) {
    if (!on_gpu()) printf("on a CPU these are some sizes more: the plans are a GPU's\n");
    const struct CMUnitTest tests[] = {cmocka_unit_test(primitives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
