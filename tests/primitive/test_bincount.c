/* Counts of numbers, counts that add to what stands there, and the built-in bucket functions as predicates, maps and buckets of a
 * histogram, against loops. */
#include <stdio.h>

#include "support/cases.h"

static const ww_type *const types[] = {&ww_type_uint8_t,  &ww_type_int8_t,  &ww_type_uint16_t, &ww_type_int32_t,
                                       &ww_type_uint32_t, &ww_type_int64_t, &ww_type_uint64_t};
enum { TYPES = sizeof types / sizeof *types, BINS = 50 };

static void put(void *x, const ww_type *type, size_t i, int64_t value) {
    memcpy((unsigned char *)x + i * type->size, &value, type->size); /* the low bytes come first where this runs */
}

/* Numbers from -3 (0, where there are no negative ones) to 60, some below `most`. */
static int64_t number_at(const ww_type *type, size_t i, int64_t most) {
    uint64_t state = seed_of_run() + i;
    const int64_t least = type->kind == WW_KIND_SIGNED && most > BINS ? -3 : 0;
    return least + (int64_t)(random_next(&state) % (uint64_t)(most - least));
}

static uint64_t count_at(const guarded *g, bool wide, size_t b) {
    return wide ? ((uint64_t *)g->data)[b] : ((uint32_t *)g->data)[b];
}

static void check_counts(ww_device *device, const ww_type *type, size_t n, bool wide) {
    void *x = need(n * type->size);
    uint64_t wanted[BINS] = {0}, beyond = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t v = number_at(type, i, 60);
        put(x, type, i, v);
        if (v >= 0 && v < BINS)
            wanted[v]++;
        else
            beyond++;
    }
    guarded counts = guarded_new(BINS * (wide ? 8 : 4)), outside = guarded_new(8);
    const ww_array out = ww_array_of(counts.data, BINS, wide ? &ww_type_uint64_t : &ww_type_uint32_t);
    const ww_input in = ww_memory_of(x, n, type);
    ww_histogram_options more = WW_HISTOGRAM_OPTIONS;
    more.accumulate = 1;
    for (uint64_t round = 1; round <= 3; round++) {
        expect_status(device,
                      ww_bincount(device, in, out, ww_array((uint64_t *)outside.data, 1), round > 1 ? &more : NULL),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t b = 0; b < BINS; b++) expect(count_at(&counts, wide, b) == round * wanted[b]);
        expect(*(uint64_t *)outside.data == beyond);
        guarded_check(&counts), guarded_check(&outside);
    }
    guarded_free(&counts), guarded_free(&outside);
    free(x);
}

static void numbers(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++) {
            const size_t sizes[] = {0, 1, 31, 1000, 4097, on_emulator() ? 20000 : 300001};
            if (left_to_gpus(t)) continue;
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                CASE("bincount", "%s %s n=%zu", setting_name(s), types[t]->label, sizes[k]);
                if (case_wanted()) check_counts(device, types[t], sizes[k], (k + t) % 2);
            }
        }
        ww_close(device);
    }
}

/* Other histograms that add; one bin, in memory that kernels do not reach. */
static void accumulated(void **state) {
    (void)state;
    enum { N = 5000 };
    uint32_t *x = need(N * sizeof *x), *edges = need(4 * sizeof *edges), *counts = need(3 * sizeof *counts);
    for (uint32_t i = 0; i < N; i++) x[i] = i;
    for (uint32_t e = 0; e < 4; e++) edges[e] = 100 * e + 7;
    ww_histogram_options more = WW_HISTOGRAM_OPTIONS;
    more.accumulate = 1;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("bincount", "%s accumulated", setting_name(s));
        if (case_wanted()) {
            for (uint32_t b = 0; b < 3; b++) counts[b] = b;
            expect_status(
                device,
                ww_histogram_edges(device, ww_memory(x, N), ww_memory(edges, 4), ww_array(counts, 3), ww_none, &more),
                WW_OK);
            expect_status(device,
                          ww_histogram_even(device, ww_memory(x, N), ww_value(uint32_t, 0), ww_value(uint32_t, 30),
                                            ww_array(counts, 3), ww_none, &more),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint32_t b = 0; b < 3; b++) expect(counts[b] == b + 110);
            uint64_t all = 70;
            expect_status(device,
                          ww_histogram_even(device, ww_memory(x, N), ww_value(uint32_t, 0), ww_value(uint32_t, N),
                                            ww_array(&all, 1), ww_none, &more),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(all == 70 + N);
        }
        ww_close(device);
    }
    free(x), free(edges), free(counts);
}

/* Bytes in runs, whose lengths are about those of what is counted at once, at every distance from a line; and the lowest
 * position of a byte that has no bin. */
static void check_runs(ww_device *device, size_t n, size_t off) {
    uint8_t *x = need(n + off);
    uint32_t wanted[256] = {0}, *counts = need(256 * sizeof *counts);
    uint64_t state = seed_of_run() + n;
    size_t first_above = n;
    for (size_t i = 0; i < n;) {
        const uint64_t r = random_next(&state);
        for (size_t run = r >> 8 & 3 ? 1 + r % 3 : r >> 16 & 511; run && i < n; run--, i++)
            x[off + i] = (uint8_t)(r >> 32);
    }
    for (size_t i = n; i-- > 0;) {
        wanted[x[off + i]]++;
        if (x[off + i] >= 200) first_above = i;
    }
    const ww_input in = ww_memory(x + off, n);
    expect_status(device, ww_bincount(device, in, ww_array(counts, 256), ww_none, NULL), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(counts, wanted, 256, 4);
    if (!on_gpu() && first_above < n) {
        expect_status(device, ww_bincount(device, in, ww_array(counts, 200), ww_none, NULL), WW_RANGE);
        char sentence[40];
        snprintf(sentence, sizeof sentence, "in[%zu]:", first_above);
        expect_sentence(device, sentence);
    }
    free(x), free(counts);
}

static void runs_of_bytes(void **state) {
    (void)state;
    static const size_t sizes[] = {2047, 2048, 2100, 16384 + 71, 100001};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            CASE("bincount", "%s runs of bytes n=%zu", setting_name(s), sizes[k]);
            if (case_wanted()) check_runs(device, sizes[k], 3 * k);
        }
        ww_close(device);
    }
}

/* ww_by_number, ww_by_bits and ww_by_delta wherever a function is taken. */
static void built_in_functions(void **state) {
    (void)state;
    enum { N = 3000 };
    uint32_t *x = need(N * sizeof *x), *out = need(N * sizeof *out), *counts = need(16 * sizeof *counts);
    uint64_t *number = need(sizeof *number);
    const ww_bits bits = {3, 4};
    const ww_delta delta = {200};
    for (uint32_t i = 0; i < N; i++) x[i] = (i * 2654435761u) % 1000;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("bincount", "%s built-in functions", setting_name(s));
        if (case_wanted()) {
            uint64_t many = 0, kept = 0;
            uint32_t wanted[16] = {0};
            for (size_t i = 0; i < N; i++) {
                wanted[x[i] >> 3 & 15]++;
                many += x[i] / 200 != 0;
                kept += x[i] != 0;
            }
            expect_status(
                device,
                ww_histogram(device, ww_with(ww_by_bits, &bits), ww_memory(x, N), ww_array(counts, 16), ww_none, NULL),
                WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(counts, wanted, 16, 4);
            expect_status(device, ww_map(device, ww_with(ww_by_bits, &bits), ww_memory(x, N), ww_array(out, N)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < N; i++) expect(out[i] == (x[i] >> 3 & 15));
            expect_status(
                device, ww_count_if(device, ww_with(ww_by_delta, &delta), ww_memory(x, N), ww_array(number, 1)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(*number == many);
            expect_status(
                device, ww_pack_if(device, &ww_by_number, ww_memory(x, N), ww_array(out, N), ww_array(number, 1), NULL),
                WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(*number == kept);
            expect_status(
                device,
                ww_split_if(device, &ww_by_number, ww_memory(x, N), ww_array(out, N), ww_array(number, 1), NULL),
                WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(*number == N - kept);
        }
        ww_close(device);
    }
    free(x), free(out), free(counts), free(number);
}

static void out_of_range(void **state) {
    (void)state;
    enum { N = 20000 };
    int32_t *x = need(N * sizeof *x);
    uint32_t *counts = need(BINS * sizeof *counts);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int negative = 0; negative < 2; negative++) {
            CASE("bincount", "%s out of range, %d", setting_name(s), negative);
            if (!case_wanted()) continue;
            for (int i = 0; i < N; i++) x[i] = i % BINS;
            x[19000] = BINS + 3;
            x[1234] = negative ? -1 : BINS;
            const ww_status status = ww_bincount(device, ww_memory(x, N), ww_array(counts, BINS), ww_none, NULL);
            expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE);
            expect_sentence(device, "ww_bincount", "in[1234]", "50");
        }
        ww_close(device);
    }
    free(x), free(counts);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    float f[3] = {1, 2, 3};
    uint32_t x[3] = {1, 2, 3}, counts[4];
    const ww_bits too_many = {30, 4};
    const ww_delta none = {0};
    ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
    o.accumulate = 2;
    expect_status(device, ww_bincount(device, ww_memory(f, 3), ww_array(counts, 4), ww_none, NULL), WW_TYPE);
    expect_sentence(device, "f32, which are not integers");
    expect_status(device, ww_bincount(device, ww_no_input, ww_array(counts, 4), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_bincount(device, ww_memory(x, 3), ww_array(counts, 0), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_bincount(device, ww_memory(x, 3), ww_array(x, 3), ww_none, NULL), WW_OVERLAP);
    expect_status(device, ww_bincount(device, ww_memory(x, 3), ww_array(counts, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "options.accumulate is 2, and has to be 0 or 1");
    expect_status(device, ww_map(device, ww_with(ww_by_bits, &too_many), ww_memory(x, 3), ww_array(counts, 3)),
                  WW_INVALID);
    expect_sentence(device, "4 bits from bit 30 on");
    expect_status(device, ww_map(device, ww_with(ww_by_delta, &none), ww_memory(x, 3), ww_array(counts, 3)),
                  WW_INVALID);
    expect_status(device, ww_map(device, &ww_by_bits, ww_memory(x, 3), ww_array(counts, 3)), WW_INVALID);
    expect_status(device, ww_map(device, &ww_by_number, ww_memory(f, 3), ww_array(counts, 3)), WW_TYPE);
    expect_status(device, ww_map(device, &ww_add, ww_memory(x, 3), ww_array(counts, 3)), WW_TYPE);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),      cmocka_unit_test(accumulated),   cmocka_unit_test(built_in_functions),
        cmocka_unit_test(out_of_range), cmocka_unit_test(bad_arguments), cmocka_unit_test(runs_of_bytes),
    };
    return cmocka_run_group_tests_name("bincount", tests, NULL, NULL);
}
