/* The ways that calls go where nothing compiles (emu:alone=1): one program for records of any size, splits by labels, plans that are
 * the same for all numbers of elements. */
#include <stdio.h>

#include "reference/gather.h"
#include "reference/histogram.h"
#include "reference/inputs.h"
#include "reference/multisplit.h"
#include "reference/pack.h"
#include "reference/run.h"
#include "reference/sort.h"
#include "reference/sort_records.h"
#include "reference/split.h"
#include "support/cases.h"

/* Words of every length, and records that are one word, of which nothing is special. */
static const size_t record_sizes[] = {1, 3, 4, 6, 10, 12, 16, 20, 24, 40, 48, 100, 520};
enum { RECORD_SIZES = sizeof record_sizes / sizeof *record_sizes };
static const size_t counts[] = {1, 31, 700};
enum { COUNTS = sizeof counts / sizeof *counts };

static ww_device *open_alone(void) {
    ww_device *device = NULL;
    expect_status(device, ww_open("emu:alone=1,counters=0,threads=2", &device), WW_OK);
    return device;
}

/* Few different ones, so that runs have several. */
static void fill_records(unsigned char *x, size_t n, size_t size, uint64_t *seed) {
    for (size_t i = 0; i < n; i++) {
        memset(x + i * size, (int)(random_next(seed) % 3), size);
        x[i * size + size - 1] = (unsigned char)(random_next(seed) % 2);
    }
}

static void check_moves(ww_device *device, size_t n, size_t size) {
    CASE("driver only", "moves size=%zu n=%zu", size, n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n + size, total = 0;
    unsigned char *x = need(n * size);
    uint64_t *index = need(n * sizeof *index);
    uint8_t *flags = need(n);
    fill_records(x, n, size, &seed);
    for (size_t i = 0; i < n; i++) {
        index[i] = random_next(&seed) % n;
        flags[i] = random_next(&seed) % 3 == 0;
    }
    const ww_input in = ww_from(ww_records(x, n, size)), by = ww_memory(index, n);
    guarded out = guarded_new(n * size), wanted = guarded_new(n * size);
    const ww_array to = ww_records(out.data, n, size);

    reference_gather(x, n, index, n, wanted.data, size);
    expect_status(device, ww_gather(device, in, by, to), WW_OK);
    expect_elements(out.data, wanted.data, n, size);

    memset(out.data, 0x11, n * size);
    memset(wanted.data, 0x11, n * size);
    reference_scatter(x, &ww_type_record, size, index, n, wanted.data, n, WW_CONFLICT_LAST);
    expect_status(device, ww_scatter(device, in, by, to, ww_scatter_by(WW_CONFLICT_LAST)), WW_OK);
    expect_elements(out.data, wanted.data, n, size);
    for (size_t i = 0; i < n; i++) index[i] = n - 1 - i;
    reference_scatter(x, &ww_type_record, size, index, n, wanted.data, n, WW_CONFLICT_LAST);
    for (int any = 0; any < 2; any++) {
        memset(out.data, 0x22, n * size);
        expect_status(device, ww_scatter(device, in, by, to, ww_scatter_by(any ? WW_CONFLICT_ANY : WW_CONFLICT_UNIQUE)),
                      WW_OK);
        expect_elements(out.data, wanted.data, n, size);
    }

    const size_t kept = reference_pack(wanted.data, x, flags, n, size);
    memset(out.data, 0xA5, n * size);
    expect_status(device, ww_pack(device, in, ww_memory(flags, n), to, ww_array(&total, 1), NULL), WW_OK);
    expect(total == kept);
    expect_elements(out.data, wanted.data, kept, size);
    for (size_t b = kept * size; b < n * size; b++) expect(((unsigned char *)out.data)[b] == 0xA5);

    const size_t zeros = reference_split(wanted.data, x, flags, n, size, false);
    expect_status(device, ww_split(device, in, ww_memory(flags, n), to, ww_array(&total, 1), NULL), WW_OK);
    expect(total == zeros);
    expect_elements(out.data, wanted.data, n, size);

    /* In place elements are packed from a copy. */
    memcpy(out.data, x, n * size);
    reference_pack(wanted.data, x, flags, n, size);
    expect_status(device, ww_pack(device, ww_from(to), ww_memory(flags, n), to, ww_array(&total, 1), NULL), WW_OK);
    expect_elements(out.data, wanted.data, kept, size);
    guarded_check(&out);
    guarded_free(&out), guarded_free(&wanted);
    free(flags), free(index), free(x);
}

static void check_runs(ww_device *device, size_t n, size_t size) {
    CASE("driver only", "runs size=%zu n=%zu", size, n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n + size, total = 0;
    unsigned char *x = need(n * size);
    uint64_t *starts = need(n * sizeof *starts);
    fill_records(x, n, size, &seed);
    const size_t runs = reference_runs(starts, x, n, size);
    guarded out = guarded_new(n * size), lengths = guarded_new(n * sizeof(uint64_t));
    const ww_array to = ww_records(out.data, n, size), long_by = ww_array((uint64_t *)lengths.data, n);
    for (int with_lengths = 0; with_lengths < 2; with_lengths++) {
        const ww_input in = ww_from(ww_records(x, n, size));
        memset(out.data, 0xA5, n * size);
        expect_status(device,
                      with_lengths ? ww_run_lengths(device, in, to, long_by, ww_array(&total, 1))
                                   : ww_unique(device, in, to, ww_array(&total, 1)),
                      WW_OK);
        expect(total == runs);
        for (size_t r = 0; r < runs; r++) {
            expect(!memcmp((unsigned char *)out.data + r * size, x + starts[r] * size, size));
            if (with_lengths) expect(((uint64_t *)lengths.data)[r] == (r + 1 < runs ? starts[r + 1] : n) - starts[r]);
        }
    }
    guarded_check(&out), guarded_check(&lengths);
    guarded_free(&out), guarded_free(&lengths);
    free(starts), free(x);
}

static void check_sorted_records(ww_device *device, size_t n, size_t size) {
    CASE("driver only", "sorted records size=%zu n=%zu", size, n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n + size;
    unsigned char *x = need(n * size);
    uint32_t *order = need(n * sizeof *order);
    fill_records(x, n, size, &seed);
    guarded out = guarded_new(n * size);
    const size_t first = size > 4 ? 1 : 0;
    reference_sort_records(x, n, size, first, size - first, false, order);
    expect_status(device,
                  ww_sort_records(device, first, size - first, ww_from(ww_records(x, n, size)),
                                  ww_records(out.data, n, size), NULL),
                  WW_OK);
    for (size_t i = 0; i < n; i++) expect(!memcmp((unsigned char *)out.data + i * size, x + order[i] * size, size));
    guarded_check(&out);
    guarded_free(&out);
    free(order), free(x);
}

static void records(void **state) {
    (void)state;
    if (!on_emulator()) {
        left_out("the emulator alone can be told that nothing compiles");
        return;
    }
    ww_device *device = open_alone();
    for (size_t s = 0; s < RECORD_SIZES; s++)
        for (size_t c = 0; c < COUNTS; c++) {
            check_moves(device, counts[c], record_sizes[s]);
            check_runs(device, counts[c], record_sizes[s]);
            if (record_sizes[s] < 100) check_sorted_records(device, counts[c], record_sizes[s]);
        }
    ww_close(device);
}

/* One program for all orders of keys, by each way to sort. */
static void check_sort(ww_device *device, const ww_type *type, bool descending, size_t n, size_t way) {
    static const char *const ways[] = {"sort", "pairs", "segments", "top", "quick", "bitonic", "merge"};
    CASE("driver only", "%s %s descending=%d n=%zu", ways[way], type->label, descending, n);
    if (!case_wanted()) return;
    const size_t size = type->size, k = way == 3 ? n / 3 + 1 : n;
    unsigned char *keys = need(n * size), *wanted = need(n * size);
    uint32_t *order = need(n * sizeof *order);
    uint64_t *values = need(n * sizeof *values);
    const uint64_t offsets[] = {0, n};
    fill(keys, type, size, n, ADVERSARIAL, seed_of_run() + n);
    reference_sort_positions((reference_order){.type = type, .descending = descending}, keys, n, order);
    for (size_t i = 0; i < n; i++) {
        memcpy(wanted + i * size, keys + order[i] * size, size);
        values[i] = i;
    }
    guarded out = guarded_new(k * size), moved = guarded_new(n * sizeof *values);
    const ww_input in = ww_memory_of(keys, n, type);
    const ww_array to = ww_array_of(out.data, k, type), with = ww_array((uint64_t *)moved.data, n);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = descending;
    static const ww_sort_method methods[] = {WW_SORT_QUICK, WW_SORT_BITONIC, WW_SORT_MERGE};
    if (way >= 4) options.method = methods[way - 4];
    const ww_status status = way == 1   ? ww_sort(device, in, ww_memory(values, n), to, with, &options)
                             : way == 2 ? ww_sort_segments(device, in, ww_no_input, ww_memory(offsets, 2), to, ww_none,
                                                           &options)
                             : way == 3 ? ww_top_k(device, in, ww_no_input, to, ww_none, &options)
                                        : ww_sort(device, in, ww_no_input, to, ww_none, &options);
    expect_status(device, status, WW_OK);
    expect_elements(out.data, wanted, k, size);
    if (way == 1)
        for (size_t i = 0; i < n; i++) expect(((uint64_t *)moved.data)[i] == order[i]);
    guarded_check(&out), guarded_check(&moved);
    guarded_free(&out), guarded_free(&moved);
    free(values), free(order), free(wanted), free(keys);
}

static void sorts(void **state) {
    (void)state;
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_int32_t, &ww_type_float, &ww_type_int64_t};
    if (!on_emulator()) {
        left_out("the emulator alone can be told that nothing compiles");
        return;
    }
    ww_device *device = open_alone();
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t way = 0; way < 7; way++)
            for (int descending = 0; descending < 2; descending++) {
                check_sort(device, types[t], descending, 300, way);
                check_sort(device, types[t], descending, 2500, way);
            }
    ww_close(device);
}

/* By a width and by edges, with values and without, by the usual method and in stages. */
static void check_split(ww_device *device, size_t n, size_t buckets, bool by_edges, bool with_values,
                        ww_multisplit_method method) {
    const ww_multisplit_options options = {sizeof options, method, 0};
    CASE("driver only", "split n=%zu buckets=%zu edges=%d values=%d method=%d", n, buckets, by_edges, with_values,
         (int)method);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n;
    const ww_delta width = {3};
    uint32_t *keys = need(n * sizeof *keys), *bucket = need(n * sizeof *bucket), *order = need(n * sizeof *order),
             *edges = need(buckets * sizeof *edges);
    uint16_t *values = need(n * sizeof *values);
    uint64_t *offsets = need((buckets + 1) * sizeof *offsets);
    for (size_t e = 0; e + 1 < buckets; e++) edges[e] = (uint32_t)(3 * (e + 1));
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint32_t)(random_next(&seed) % (3 * buckets));
        bucket[i] = keys[i] / 3;
        values[i] = (uint16_t)i;
    }
    reference_multisplit(bucket, n, buckets, order, offsets);
    guarded out = guarded_new(n * sizeof *keys), moved = guarded_new(n * sizeof *values),
            begins = guarded_new((buckets + 1) * sizeof *offsets);
    const ww_input in = ww_memory(keys, n), with = with_values ? ww_memory(values, n) : ww_no_input;
    const ww_array to = ww_array((uint32_t *)out.data, n), at = ww_array((uint64_t *)begins.data, buckets + 1),
                   values_to = with_values ? ww_array((uint16_t *)moved.data, n) : ww_none;
    expect_status(
        device,
        by_edges ? ww_multisplit_edges(device, in, with, ww_memory(edges, buckets - 1), to, values_to, at, &options)
                 : ww_multisplit(device, ww_with(ww_by_delta, &width), buckets, in, with, to, values_to, at, &options),
        WW_OK);
    for (size_t i = 0; i < n; i++) {
        expect(((uint32_t *)out.data)[i] == keys[order[i]]);
        if (with_values) expect(((uint16_t *)moved.data)[i] == values[order[i]]);
    }
    expect_elements(begins.data, offsets, buckets + 1, sizeof *offsets);
    guarded_check(&out), guarded_check(&moved), guarded_check(&begins);
    guarded_free(&out), guarded_free(&moved), guarded_free(&begins);
    free(offsets), free(values), free(edges), free(order), free(bucket), free(keys);
}

static void splits(void **state) {
    (void)state;
    static const size_t buckets[] = {2, 30, 300};
    if (!on_emulator()) {
        left_out("the emulator alone can be told that nothing compiles");
        return;
    }
    ww_device *device = open_alone();
    for (size_t b = 0; b < sizeof buckets / sizeof *buckets; b++)
        for (size_t c = 0; c < COUNTS; c++)
            for (int way = 0; way < 4; way++) {
                static const ww_multisplit_method methods[] = {WW_MULTISPLIT_AUTO, WW_MULTISPLIT_DIRECT,
                                                               WW_MULTISPLIT_WARP, WW_MULTISPLIT_BLOCK};
                check_split(device, counts[c], buckets[b], way % 2, way / 2, WW_MULTISPLIT_AUTO);
                check_split(device, counts[c], buckets[b], way % 2, way / 2, methods[way]);
            }
    ww_close(device);
}

/* One program for exclusive scans and others, of segments with an initial value or none. */
static void check_scan(ww_device *device, size_t n, bool exclusive, bool segmented, bool with_initial) {
    CASE("driver only", "scan n=%zu exclusive=%d segmented=%d initial=%d", n, exclusive, segmented, with_initial);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n, sum = 0;
    const uint32_t initial = 1000;
    uint32_t *x = need(n * sizeof *x), *wanted = need(n * sizeof *wanted);
    uint8_t *heads = need(n);
    for (size_t i = 0; i < n; i++) {
        x[i] = (uint32_t)(random_next(&seed) % 100);
        heads[i] = random_next(&seed) % 37 == 0;
        if (!i || (segmented && heads[i])) sum = with_initial ? initial : 0;
        wanted[i] = (uint32_t)(exclusive ? sum : sum + x[i]);
        sum += x[i];
    }
    guarded out = guarded_new(n * sizeof *x);
    const ww_array to = ww_array((uint32_t *)out.data, n);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = exclusive;
    if (with_initial) options.initial = ww_value_of(&initial, &ww_type_uint32_t);
    expect_status(device,
                  segmented ? ww_scan_segmented(device, &ww_add, ww_memory(x, n), ww_memory(heads, n), to, &options)
                            : ww_scan(device, &ww_add, ww_memory(x, n), to, &options),
                  WW_OK);
    expect_elements(out.data, wanted, n, sizeof *x);
    guarded_check(&out);
    guarded_free(&out);
    free(heads), free(wanted), free(x);
}

/* Few plans for all numbers of bins. */
static void check_histogram(ww_device *device, size_t n, size_t bins, bool by_edges, ww_histogram_method method) {
    CASE("driver only", "histogram n=%zu bins=%zu edges=%d method=%d", n, bins, by_edges, (int)method);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n, outside = 0, counted = 0;
    const int32_t low = 0, high = (int32_t)bins * 3;
    int32_t *x = need(n * sizeof *x), *edges = need((bins + 1) * sizeof *edges);
    uint64_t *wanted = need(bins * sizeof *wanted);
    for (size_t e = 0; e <= bins; e++) edges[e] = (int32_t)(3 * e);
    for (size_t i = 0; i < n; i++) x[i] = (int32_t)(random_next(&seed) % (3 * bins + 20)) - 10;
    reference_histogram_even(&ww_type_int32_t, x, n, &low, &high, bins, wanted, &outside);
    guarded out = guarded_new(bins * sizeof *wanted);
    const ww_array to = ww_array((uint64_t *)out.data, bins), rest = ww_array(&counted, 1);
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    options.method = method;
    expect_status(device,
                  by_edges ? ww_histogram_edges(device, ww_memory(x, n), ww_memory(edges, bins + 1), to, rest, &options)
                           : ww_histogram_even(device, ww_memory(x, n), ww_value_of(&low, &ww_type_int32_t),
                                               ww_value_of(&high, &ww_type_int32_t), to, rest, &options),
                  WW_OK);
    expect_elements(out.data, wanted, bins, sizeof *wanted);
    expect(counted == outside);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted), free(edges), free(x);
}

static void check_bounds(ww_device *device, size_t n, bool upper) {
    CASE("driver only", "bounds n=%zu upper=%d", n, upper);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n;
    uint32_t *sorted = need(n * sizeof *sorted), *needles = need(n * sizeof *needles);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = (uint32_t)(i / 3 * 2);
        needles[i] = (uint32_t)(random_next(&seed) % (n + 2));
    }
    guarded out = guarded_new(n * sizeof(uint64_t));
    const ww_array to = ww_array((uint64_t *)out.data, n);
    expect_status(
        device,
        (upper ? ww_upper_bound : ww_lower_bound)(device, NULL, ww_memory(sorted, n), ww_memory(needles, n), to),
        WW_OK);
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;
        while (at < n && (upper ? sorted[at] <= needles[i] : sorted[at] < needles[i])) at++;
        expect(((uint64_t *)out.data)[i] == at);
    }
    guarded_check(&out);
    guarded_free(&out);
    free(needles), free(sorted);
}

static void general_plans(void **state) {
    (void)state;
    static const size_t bins[] = {10, 300, 5000};
    if (!on_emulator()) {
        left_out("the emulator alone can be told that nothing compiles");
        return;
    }
    ww_device *device = open_alone();
    for (size_t c = 0; c < COUNTS; c++)
        for (int way = 0; way < 8; way++) check_scan(device, 3 * counts[c], way % 2, way / 2 % 2, way / 4);
    for (size_t b = 0; b < sizeof bins / sizeof *bins; b++)
        for (int way = 0; way < 4; way++)
            if (way < 2 || bins[b] <= 256)
                check_histogram(device, 2000, bins[b], way % 2, way / 2 ? WW_HISTOGRAM_WARP : WW_HISTOGRAM_AUTO);
    for (size_t c = 0; c < COUNTS; c++)
        for (int upper = 0; upper < 2; upper++) check_bounds(device, counts[c], upper);
    ww_close(device);
}

/* Inputs that the library computes by steps of its own are stored first, whatever they are of. */
static const ww_type *const numbers[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t,
                                         &ww_type_int8_t,  &ww_type_int16_t,  &ww_type_int32_t,  &ww_type_int64_t,
                                         &ww_type_float,   &ww_type_double,   &ww_type_ww_f16,   &ww_type_ww_bf16,
#if WW_HAS_U128
                                         &ww_type_ww_u128
#endif
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

WW_STRUCT(padded, {
    uint64_t a;
    uint8_t b;
    uint32_t c;
});

/* Elements i * stride + first, of n * apart; and the same by indices, forwards and backwards, unsigned and signed. */
static void check_views(ww_device *device, const ww_type *type, size_t size, size_t n) {
    enum { APART = 3 };
    CASE("driver only", "views %s size=%zu n=%zu", type->label, size, n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n + size;
    unsigned char *x = need(APART * n * size), *wanted = need(n * size);
    uint64_t *places = need(n * sizeof *places), *backwards = need(n * sizeof *backwards);
    uint32_t *index = need(n * sizeof *index);
    int64_t *index_signed = need(n * sizeof *index_signed);
    for (size_t b = 0; b < APART * n * size; b++) x[b] = (unsigned char)random_next(&seed);
    for (size_t i = 0; i < n; i++) {
        places[i] = random_next(&seed) % (APART * n);
        index[i] = (uint32_t)places[i];
        index_signed[n - 1 - i] = (int64_t)places[i];
    }
    guarded out = guarded_new(n * size);
    const bool is_record = type->kind == WW_KIND_RECORD;
    const ww_input in = is_record ? ww_from(ww_records(x, APART * n, size)) : ww_memory_of(x, APART * n, type);
    const ww_array to = is_record ? ww_records(out.data, n, size) : ww_array_of(out.data, n, type);

    reference_strided(wanted, x, size, 1, APART, n);
    expect_status(device, ww_store(device, ww_strided(in, 1, APART, n), to), WW_OK);
    expect_elements(out.data, wanted, n, size);
    reference_strided(wanted, x, size, (int64_t)(APART * n) - 1, -2, n);
    expect_status(device, ww_store(device, ww_strided(in, APART * n - 1, -2, n), to), WW_OK);
    expect_elements(out.data, wanted, n, size);
    reference_permuted(wanted, x, size, places, n);
    expect_status(device, ww_store(device, ww_permuted(in, ww_memory(index, n)), to), WW_OK);
    expect_elements(out.data, wanted, n, size);
    memset(out.data, 0x77, n * size);
    expect_status(device, ww_store(device, ww_permuted(in, ww_reversed(ww_memory(index_signed, n))), to), WW_OK);
    expect_elements(out.data, wanted, n, size);

    /* Steps on steps, of a call that takes them for an index. */
    for (size_t i = 0; i < n; i++) backwards[i] = n - 1 - i;
    expect_status(device,
                  ww_gather(device, in, ww_permuted(ww_memory(places, n), ww_reversed(ww_memory(backwards, n))), to),
                  WW_OK);
    expect_elements(out.data, wanted, n, size);

    if (n > 1) { /* the lowest position is said */
        index_signed[n / 2] = -1;
        expect(!ww_store(device, ww_permuted(in, ww_memory(index_signed, n)), to));
        expect_status(device, ww_sync(device), WW_RANGE);
        expect_sentence(device, "-1");
    }
    guarded_check(&out);
    guarded_free(&out);
    free(index_signed), free(index), free(backwards), free(places), free(wanted), free(x);
}

static void check_casts(ww_device *device, const ww_type *from, size_t n) {
    unsigned char *x = need(n * from->size), *wanted = need(n * 16);
    fill(x, from, from->size, n, n > 100 ? UNIFORM : ADVERSARIAL, seed_of_run() + n);
    for (size_t t = 0; t < NUMBERS; t++) {
        const ww_type *const to = numbers[t];
        CASE("driver only", "cast %s to %s n=%zu", from->label, to->label, n);
        if (!case_wanted()) continue;
        guarded out = guarded_new(n * to->size);
        reference_cast(wanted, to, x, from, n);
        expect_status(device,
                      ww_store(device, ww_reversed(ww_cast(to, ww_reversed(ww_memory_of(x, n, from)))),
                               ww_array_of(out.data, n, to)),
                      WW_OK);
        expect_elements(out.data, wanted, n, to->size);
        guarded_check(&out);
        guarded_free(&out);
    }
    free(wanted), free(x);
}

static void check_constants(ww_device *device, size_t n) {
    static const size_t sizes[] = {1, 4, 12, 40, 200, 264};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t size = sizes[s];
        unsigned char *value = need(size);
        CASE("driver only", "constant size=%zu n=%zu", size, n);
        for (size_t b = 0; case_wanted() && b < size; b++) value[b] = (unsigned char)(b + 1);
        guarded out = guarded_new(n * size);
        const ww_input many = ww_constant(ww_record_value(value, size), n);
        expect_status(device, ww_store(device, many, ww_records(out.data, n, size)), WW_OK);
        for (size_t i = 0; i < n; i++) expect(!memcmp((unsigned char *)out.data + i * size, value, size));
        guarded_check(&out);
        guarded_free(&out);
        free(value);
    }
}

static void check_counting(ww_device *device, size_t n) {
    for (size_t t = 0; t < NUMBERS; t++) {
        const ww_type *const type = numbers[t];
        if (type->kind == WW_KIND_FLOAT) continue;
        CASE("driver only", "counting %s n=%zu", type->label, n);
        if (!case_wanted()) continue;
        guarded out = guarded_new(n * type->size);
        for (int by = 0; by < 2; by++) {
            const ww_input in = by ? ww_strided(ww_counting(type, 5, 4 * n), 2, 3, n) : ww_counting(type, 7, n);
            expect_status(device, ww_store(device, in, ww_array_of(out.data, n, type)), WW_OK);
            for (size_t i = 0; i < n; i++) {
                const uint64_t number = by ? 7 + 3 * i : 7 + i;
                expect(!memcmp((unsigned char *)out.data + i * type->size, &number, type->size < 8 ? type->size : 8));
            }
        }
        guarded_check(&out);
        guarded_free(&out);
    }
}

static void check_zip(ww_device *device, size_t n) {
    CASE("driver only", "zip n=%zu", n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n;
    uint64_t *a = need(n * sizeof *a);
    uint8_t *b = need(n);
    uint32_t *c = need(n * sizeof *c);
    unsigned char *wanted = need(n * sizeof(padded));
    for (size_t i = 0; i < n; i++) a[i] = random_next(&seed), b[i] = (uint8_t)a[i], c[i] = (uint32_t)(a[i] >> 20);
    memset(wanted, 0, n * sizeof(padded));
    reference_member(wanted, sizeof(padded), offsetof(padded, a), a, 8, n);
    reference_member(wanted, sizeof(padded), offsetof(padded, b), b, 1, n);
    reference_member(wanted, sizeof(padded), offsetof(padded, c), c, 4, n);
    guarded out = guarded_new(n * sizeof(padded));
    const ww_input in = ww_zip(&padded_ww, ww_memory(a, n), ww_memory(b, n), ww_memory(c, n));
    expect_status(device, ww_store(device, in, ww_array_of(out.data, n, &padded_ww)), WW_OK);
    expect_elements(out.data, wanted, n, sizeof(padded));
    guarded_check(&out);
    guarded_free(&out);
    free(wanted), free(c), free(b), free(a);
}

/* Programs write counts of u64, from which those of u32 are stored. */
static void check_narrow_counts(ww_device *device, size_t n) {
    CASE("driver only", "narrow counts n=%zu", n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n;
    uint32_t *keys = need(n * sizeof *keys), *other = need(n * sizeof *other), *count = need(sizeof *count);
    uint32_t runs = 0, in_both = 0;
    for (size_t i = 0; i < n; i++) {
        keys[i] = i ? keys[i - 1] + (uint32_t)(random_next(&seed) % 2) : 5;
        other[i] = (uint32_t)(3 * i);
        runs += !i || keys[i] != keys[i - 1];
    }
    for (size_t i = 0; i < n; i++) in_both += (!i || keys[i] != keys[i - 1]) && keys[i] % 3 == 0 && keys[i] / 3 < n;
    guarded out = guarded_new(2 * n * sizeof *keys), sums = guarded_new(n * sizeof *keys);
    const ww_array to = ww_array((uint32_t *)out.data, n), sums_to = ww_array((uint32_t *)sums.data, n),
                   one = ww_array(count, 1);
    *count = 77;
    expect_status(device, ww_set_intersection(device, NULL, ww_memory(keys, n), ww_memory(other, n), to, one), WW_OK);
    expect(*count == in_both);
    for (size_t i = 1; i < in_both; i++) expect(((uint32_t *)out.data)[i - 1] < ((uint32_t *)out.data)[i]);
    *count = 77;
    expect_status(device, ww_reduce_by_key(device, &ww_add, ww_memory(keys, n), ww_memory(other, n), to, sums_to, one),
                  WW_OK);
    expect(*count == runs);
    for (size_t i = 0, r = 0; i < n; r++) {
        uint32_t sum = 0;
        expect(((uint32_t *)out.data)[r] == keys[i]);
        for (const uint32_t key = keys[i]; i < n && keys[i] == key; i++) sum += other[i];
        expect(((uint32_t *)sums.data)[r] == sum);
    }
    guarded_check(&out), guarded_check(&sums);
    guarded_free(&out), guarded_free(&sums);
    free(count), free(other), free(keys);
}

/* Counts on the device are looked at by the host where no program at hand looks at them. */
static void check_counted(ww_device *device, size_t n) {
    CASE("driver only", "counted n=%zu", n);
    if (!case_wanted() || n < 2) return;
    const uint64_t there = n / 2;
    uint32_t *x = need(n * sizeof *x), *y = need(n * sizeof *y);
    uint64_t *number = need(sizeof *number);
    *number = there;
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(n - i), y[i] = 0xA5;
    expect_status(
        device,
        ww_scan(device, &ww_add, ww_counted(ww_memory(x, n), number), ww_counted_array(ww_array(y, n), number), NULL),
        WW_OK);
    for (size_t i = 0, sum = 0; i < n; i++) {
        sum += x[i];
        expect(y[i] == (i < there ? (uint32_t)sum : 0xA5));
    }
    for (size_t i = 0; i < n; i++) y[i] = 0xA5;
    const ww_input in = ww_counted(ww_reversed(ww_memory(x, n)), number);
    expect_status(device, ww_store(device, in, ww_counted_array(ww_array(y, n), number)), WW_OK);
    for (size_t i = 0; i < n; i++) expect(y[i] == (i < there ? x[n - 1 - i] : 0xA5));
    free(number), free(y), free(x);
}

static void computed(void **state) {
    (void)state;
    if (!on_emulator()) {
        left_out("the emulator alone can be told that nothing compiles");
        return;
    }
    ww_device *device = open_alone();
    for (size_t k = 0; k < COUNTS; k++) {
        for (size_t t = 0; t < NUMBERS; t++) {
            check_views(device, numbers[t], numbers[t]->size, counts[k]);
            check_casts(device, numbers[t], counts[k]);
        }
        for (size_t s = 0; s < RECORD_SIZES; s++) check_views(device, &ww_type_record, record_sizes[s], counts[k]);
        check_constants(device, counts[k]);
        check_counting(device, counts[k]);
        check_zip(device, counts[k]);
        check_narrow_counts(device, counts[k]);
        check_counted(device, counts[k]);
    }
    ww_close(device);
}

/* ---- orders and operators that kernels are told, positions and keys of each type, outputs without functions ---- */

/* The same memory for both devices; what a call may write is put to 0x5A before each. */
typedef struct given {
    const ww_type *type;
    size_t n;
    void *x, *up, *down, *index, *keys, *offsets;
    guarded out, wide, one;
} given;

static void clear(const given *g) {
    memset(g->out.data, 0x5A, 2 * g->n * g->type->size);
    memset(g->wide.data, 0x5A, (g->n + 1) * sizeof(uint64_t));
    memset(g->one.data, 0x5A, 2 * g->type->size);
}

static ww_status by_order(ww_device *d, const given *g, const ww_function *less, int call) {
    const ww_type *const type = g->type;
    const size_t n = g->n;
    const ww_input x = ww_memory_of(g->x, n, type),
                   sorted = ww_memory_of(less == &ww_descending ? g->down : g->up, n, type),
                   offsets = ww_memory((uint32_t *)g->offsets, n / 8 + 2);
    const ww_array out = ww_array_of(g->out.data, n, type), twice = ww_array_of(g->out.data, 2 * n, type),
                   wide = ww_array((uint64_t *)g->wide.data, n), count = ww_array((uint64_t *)g->wide.data, 1),
                   one = ww_array_of(g->one.data, 1, type),
                   other = ww_array_of((unsigned char *)g->one.data + type->size, 1, type);
    switch (call) {
    case 0:
        return ww_merge(d, less, sorted, x.count > 1 ? sorted : x, ww_no_input, ww_no_input, twice, ww_none);
    case 1:
        return ww_set_union(d, less, sorted, sorted, twice, count);
    case 2:
        return ww_lower_bound(d, less, sorted, x, wide);
    case 3:
        return ww_upper_bound(d, less, sorted, x, wide);
    case 4:
        return ww_arg_min(d, less, x, one, count);
    case 5:
        return ww_arg_max(d, less, x, one, count);
    case 6:
        return ww_min_max(d, less, x, one, other);
    case 7:
        return ww_is_sorted(d, less, x, ww_none, count);
    case 8:
        return ww_sort_by(d, less, x, ww_no_input, out, ww_none, NULL);
    case 9:
        return ww_sort(
            d, x, ww_no_input, out, ww_none,
            &(ww_sort_options){sizeof(ww_sort_options), .method = WW_SORT_MERGE, .descending = less == &ww_descending});
    default:
        return ww_arg_max_segments(d, less, x, offsets, ww_array((uint64_t *)g->wide.data, n / 8 + 1));
    }
}
enum { BY_ORDER = 11 };

static ww_status by_operator(ww_device *d, const given *g, const ww_function *op, int call) {
    const ww_type *const type = g->type;
    const size_t n = g->n;
    const ww_input x = ww_memory_of(g->x, n, type), keys = ww_memory_of(g->up, n, type),
                   flags = ww_memory((uint8_t *)g->keys, n), offsets = ww_memory((uint32_t *)g->offsets, n / 8 + 2);
    const ww_array out = ww_array_of(g->out.data, n, type), one = ww_array_of(g->one.data, 1, type),
                   count = ww_array((uint64_t *)g->wide.data, 1);
    ww_scan_options exclusive = WW_SCAN_OPTIONS;
    exclusive.exclusive = true;
    switch (call) {
    case 0:
        return ww_reduce(d, op, x, one);
    case 1:
        return ww_scan(d, op, x, out, NULL);
    case 2:
        return ww_scan(d, op, x, out, &exclusive);
    case 3:
        return ww_scan_segmented(d, op, x, flags, out, NULL);
    case 4:
        return ww_scan_by_key(d, op, keys, x, out, &exclusive);
    case 5:
        return ww_reduce_segments(d, op, x, offsets, ww_array_of(g->out.data, n / 8 + 1, type));
    default:
        return ww_reduce_by_key(d, op, keys, x, ww_none, out, count);
    }
}
enum { BY_OPERATOR = 7 };

static ww_status by_place(ww_device *d, const given *g, const ww_type *index_type, int call) {
    const ww_type *const type = g->type;
    const size_t n = g->n;
    const ww_input x = ww_memory_of(g->x, n, type), index = ww_memory_of(g->index, n, index_type);
    const ww_array out = ww_array_of(g->out.data, n, type), placed = ww_permuted_into(out, index);
    switch (call) {
    case 0:
        return ww_gather(d, x, index, out);
    case 1:
        return ww_scatter(d, x, index, out, NULL);
    case 2:
        return ww_store(d, x, placed);
    case 3:
        return ww_scan(d, &ww_max, x, placed, NULL);
    case 4:
        return ww_gather(d, x, index, placed);
    case 5:
        return ww_pack(d, x, ww_memory((uint8_t *)g->keys, n), placed, ww_array((uint64_t *)g->wide.data, 1), NULL);
    default:
        return ww_sort(d, x, ww_no_input, placed, ww_none, NULL);
    }
}
enum { BY_PLACE = 7 };

/* Each kind of machine makes its own NaN of two. */
static void make_nans_alike(const given *g) {
    double *const arrays[] = {(double *)g->out.data, (double *)g->one.data};
    const size_t lengths[] = {2 * g->n, 2};
    if (g->type != &ww_type_double) return;
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 0; i < lengths[a]; i++)
            if (arrays[a][i] != arrays[a][i]) memset(&arrays[a][i], 0xFF, sizeof(double));
}

/* What a call on this device gives is what it gives on a CPU. */
static void expect_as_cpu(const given *g, const given *cpu, ww_device *device, ww_device *of_cpu, ww_status status,
                          ww_status cpu_status) {
    expect_status(device, status, WW_OK);
    expect_status(of_cpu, cpu_status, WW_OK);
    expect_elements(g->out.data, cpu->out.data, 2 * g->n, g->type->size);
    expect_elements(g->wide.data, cpu->wide.data, g->n + 1, sizeof(uint64_t));
    expect_elements(g->one.data, cpu->one.data, 2, g->type->size);
}

static given given_of(const ww_type *type, size_t n) {
    given g = {.type = type,
               .n = n,
               .x = need(n * type->size),
               .up = need(n * type->size),
               .down = need(n * type->size),
               .index = need(n * sizeof(uint64_t)),
               .keys = need(n),
               .offsets = need((n / 8 + 2) * sizeof(uint32_t)),
               .out = guarded_new(2 * n * type->size),
               .wide = guarded_new((n + 1) * sizeof(uint64_t)),
               .one = guarded_new(2 * type->size)};
    uint64_t seed = seed_of_run() + n;
    fill(g.x, type, type->size, n, n > 100 ? UNIFORM : ADVERSARIAL, seed);
    for (size_t i = 0; i < n; i++) ((uint8_t *)g.keys)[i] = random_next(&seed) % 3 == 0;
    for (size_t k = 0; k < n / 8 + 2; k++) ((uint32_t *)g.offsets)[k] = (uint32_t)(8 * k < n ? 8 * k : n);
    return g;
}
static void give_back(given *g) {
    guarded_check(&g->out), guarded_check(&g->wide), guarded_check(&g->one);
    guarded_free(&g->out), guarded_free(&g->wide), guarded_free(&g->one);
    free(g->x), free(g->up), free(g->down), free(g->index), free(g->keys), free(g->offsets);
}

static void sort_both(ww_device *cpu, given *g) {
    const ww_input x = ww_memory_of(g->x, g->n, g->type);
    ww_sort_options o = WW_SORT_OPTIONS;
    expect_status(cpu, ww_sort(cpu, x, ww_no_input, ww_array_of(g->up, g->n, g->type), ww_none, &o), WW_OK);
    o.descending = true;
    expect_status(cpu, ww_sort(cpu, x, ww_no_input, ww_array_of(g->down, g->n, g->type), ww_none, &o), WW_OK);
}

static void put_index(given *g, const ww_type *type) {
    uint32_t *const narrow = g->index;
    uint64_t *const wide = g->index;
    for (size_t i = 0; i < g->n; i++) {
        if (type->size == 4)
            narrow[i] = (uint32_t)(g->n - 1 - i);
        else
            wide[i] = g->n - 1 - i;
    }
}

static void check_told(ww_device *device, ww_device *cpu, const ww_type *type, size_t n) {
    static const ww_function *const orders[] = {&ww_ascending, &ww_descending}, *const operators[] = {&ww_min, &ww_max,
                                                                                                      &ww_add, &ww_mul,
                                                                                                      &ww_and, &ww_or};
    static const ww_type *const index_types[] = {&ww_type_uint32_t, &ww_type_int32_t, &ww_type_uint64_t,
                                                 &ww_type_int64_t};
    const bool is_float = type->kind == WW_KIND_FLOAT;
    given g = given_of(type, n), h = g;
    h.out = guarded_new(2 * n * type->size), h.wide = guarded_new((n + 1) * sizeof(uint64_t)),
    h.one = guarded_new(2 * type->size);
    sort_both(cpu, &g);
    for (size_t o = 0; o < 2; o++)
        for (int call = 0; call < BY_ORDER; call++) {
            CASE("driver only", "order %zu call %d %s n=%zu", o, call, type->label, n);
            if (!case_wanted()) continue;
            clear(&g), clear(&h);
            expect_as_cpu(&g, &h, device, cpu, by_order(device, &g, orders[o], call),
                          by_order(cpu, &h, orders[o], call));
        }
    for (size_t o = 0; o < (is_float ? 2 : 6); o++)
        for (int call = 0; call < BY_OPERATOR; call++) {
            CASE("driver only", "operator %zu call %d %s n=%zu", o, call, type->label, n);
            if (!case_wanted()) continue;
            clear(&g), clear(&h);
            const ww_status status = by_operator(device, &g, operators[o], call),
                            cpu_status = by_operator(cpu, &h, operators[o], call);
            make_nans_alike(&g), make_nans_alike(&h);
            expect_as_cpu(&g, &h, device, cpu, status, cpu_status);
        }
    for (size_t t = 0; t < 4; t++)
        for (int call = 0; call < BY_PLACE; call++) {
            CASE("driver only", "index %s call %d %s n=%zu", index_types[t]->label, call, type->label, n);
            if (!case_wanted()) continue;
            put_index(&g, index_types[t]);
            clear(&g), clear(&h);
            expect_as_cpu(&g, &h, device, cpu, by_place(device, &g, index_types[t], call),
                          by_place(cpu, &h, index_types[t], call));
        }
    guarded_check(&h.out), guarded_check(&h.wide), guarded_check(&h.one);
    guarded_free(&h.out), guarded_free(&h.wide), guarded_free(&h.one);
    give_back(&g);
}

/* Members of structs to arrays of their own, also at indices, of which one is outside. */
static void check_members(ww_device *device, size_t n) {
    CASE("driver only", "members n=%zu", n);
    if (!case_wanted()) return;
    uint64_t seed = seed_of_run() + n;
    padded *x = need(n * sizeof *x);
    int32_t *index = need(n * sizeof *index);
    guarded a = guarded_new(n * sizeof(uint64_t)), b = guarded_new(n), c = guarded_new(n * sizeof(uint32_t)),
            wide = guarded_new(n * sizeof(uint64_t));
    const ww_array as = ww_array((uint64_t *)a.data, n), bs = ww_array((uint8_t *)b.data, n),
                   cs = ww_array((uint32_t *)c.data, n);
    for (size_t i = 0; i < n; i++) {
        x[i] = (padded){random_next(&seed), (uint8_t)i, (uint32_t)random_next(&seed)};
        index[i] = (int32_t)(n - 1 - i);
    }
    for (int turned = 0; turned < 2; turned++) {
        const ww_array out = ww_zipped_into(&padded_ww, as, bs, cs);
        expect_status(device,
                      turned
                          ? ww_store(device, ww_memory_of(x, n, &padded_ww), ww_permuted_into(out, ww_memory(index, n)))
                          : ww_store(device, ww_memory_of(x, n, &padded_ww), out),
                      WW_OK);
        for (size_t i = 0; i < n; i++) {
            const size_t to = turned ? n - 1 - i : i;
            expect(((uint64_t *)a.data)[to] == x[i].a && ((uint8_t *)b.data)[to] == x[i].b &&
                   ((uint32_t *)c.data)[to] == x[i].c);
        }
    }
    if (n > 1) {
        index[n / 2] = -1;
        expect(!ww_store(device, ww_memory_of(x, n, &padded_ww),
                         ww_permuted_into(ww_zipped_into(&padded_ww, as, bs, cs), ww_memory(index, n))));
        expect_status(device, ww_sync(device), WW_RANGE);
        expect_sentence(device, "-1");
        ww_gather(device, ww_from(as), ww_memory(index, n), ww_array((uint64_t *)wide.data, n));
        expect_status(device, ww_sync(device), WW_RANGE);
        expect_sentence(device, "-1");
    }
    guarded_check(&a), guarded_check(&b), guarded_check(&c);
    guarded_check(&wide);
    guarded_free(&a), guarded_free(&b), guarded_free(&c), guarded_free(&wide);
    free(index), free(x);
}

static void told(void **state) {
    (void)state;
    if (!on_emulator()) {
        left_out("the emulator alone can be told that nothing compiles");
        return;
    }
    static const ww_type *const types[] = {
        &ww_type_int16_t,
        &ww_type_double,
#if WW_HAS_U128
        &ww_type_ww_i128
#endif
    };
    ww_device *device = open_alone(), *cpu = NULL;
    expect_status(cpu, ww_open("cpu", &cpu), WW_OK);
    for (size_t k = 0; k < COUNTS; k++) {
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) check_told(device, cpu, types[t], counts[k]);
        check_members(device, counts[k]);
    }
    ww_close(cpu);
    ww_close(device);
}

int main(void) {
    /* on_gpu() in its text has it run on the emulator, too */
    const struct CMUnitTest tests[] = {cmocka_unit_test(records),  cmocka_unit_test(sorts),
                                       cmocka_unit_test(splits),   cmocka_unit_test(general_plans),
                                       cmocka_unit_test(computed), cmocka_unit_test(told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
