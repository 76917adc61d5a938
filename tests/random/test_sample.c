/* Samples: as many as were asked for, different, in order, the same on all devices; every element as likely as every other, and
 * every pair (chi-square, fixed seeds); draws that fail and are made anew, by the inner interface; errors. What is right to the bit
 * is said by a device with one thread and plain loops, and a few fixed samples. */
#include <stdio.h>

#include "random/random.h"
#include "random/sides.h"
#include "support/cases.h"

typedef unsigned long long ull;

static ww_random from_of(uint64_t offset) {
    const ww_random from = {seed_of_run() * 0x9E3779B97F4A7C15u, 11, offset};
    return from;
}

/* ---- what samples are ---- */

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* k different numbers below n. */
static void expect_sample(const uint64_t *x, size_t k, uint64_t n, bool sorted) {
    uint64_t *y = need((k + 1) * sizeof *y);
    memcpy(y, x, k * sizeof *y);
    if (!sorted) qsort(y, k, sizeof *y, by_number);
    for (size_t i = 0; i < k; i++) expect(y[i] < n && (!i || y[i - 1] < y[i]));
    free(y);
}

static void check_sample(ww_device *device, ww_device *plain, const char *setting, uint64_t n, size_t k, bool sorted) {
    const ww_random from = from_of(k % 7);
    CASE("sample", "%s %zu of %llu%s", setting, k, (ull)n, sorted ? "" : " shuffled");
    if (!case_wanted()) return;
    const ww_sample_order order = sorted ? WW_SAMPLE_SORTED : WW_SAMPLE_SHUFFLED;
    const ww_input numbers = ww_counting(&ww_type_uint64_t, 0, n);
    guarded out = guarded_new(k * 8);
    uint64_t *wanted = need((k + 1) * 8);
    expect_status(plain, ww_sample(plain, from, numbers, ww_array(wanted, k), order), WW_OK);
    expect_status(device, ww_sample(device, from, numbers, ww_array((uint64_t *)out.data, k), order), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, k, 8);
    expect_sample(wanted, k, n, sorted);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted);
}

static void samples(void **state) {
    static const struct {
        uint64_t n;
        size_t k;
    } of[] = {{0, 0},
              {1, 0},
              {1, 1},
              {2, 1},
              {256, 256},
              {257, 257},
              {300, 257},
              {64, 64},
              {1000, 256},
              {1000, 257},
              {1000, 999},
              {1000, 1000},
              {4112, 257},
              {4111, 257},
              {5000, 312},
              {5000, 313},
              {5000, 2500},
              {100000, 1},
              {100000, 100},
              {100000, 6250},
              {100000, 6251},
              {100000, 50000},
              {30011, 300},
              {30011, 29000},
              {1u << 31, 3000},
              {0xFFFFFFFFu, 500},
              {0x100000000, 500},
              {1ull << 50, 2000}};
    ww_device *plain;
    (void)state;
    expect_status(NULL, ww_open("cpu:threads=1", &plain), WW_OK);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
            if (on_emulator() && of[k].n == 100000 && k % 2) continue;
            check_sample(device, plain, setting_name(s), of[k].n, of[k].k, true);
            if (k % 3 == 0) check_sample(device, plain, setting_name(s), of[k].n, of[k].k, false);
        }
        if (!on_emulator()) {
            check_sample(device, plain, setting_name(s), 1500000, 700001, true);
            check_sample(device, plain, setting_name(s), 1500000, 60000, s % 2);
        }
        ww_close(device);
    }
    ww_close(plain);
}

/* Elements of all kinds of inputs: those at the positions that counting numbers say. */
WW_MAP(squared, uint64_t, uint32_t, x, void, none, { return (uint64_t)x * x; });

static void elements(void **state) {
    enum { N = 3000, K = 900, BYTES = 12 };
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (int order = WW_SAMPLE_SORTED; order <= WW_SAMPLE_SHUFFLED; order++) {
            CASE("sample", "%s elements%s", setting_name(s), order ? " shuffled" : "");
            if (!case_wanted()) continue;
            const ww_random from = from_of(4);
            const ww_sample_order by = (ww_sample_order)order;
            uint64_t *positions = need(K * 8), *squares = need(K * 8);
            uint32_t *narrow = need(K * 4);
            uint16_t *small = need(K * 2);
            unsigned char *in = need(N * BYTES), *out = need(K * BYTES);
            fill(in, &ww_type_record, BYTES, N, UNIFORM, seed_of_run());
            expect_status(device,
                          ww_sample(device, from, ww_counting(&ww_type_uint64_t, 0, N), ww_array(positions, K), by),
                          WW_OK);
            expect_status(
                device, ww_sample(device, from, ww_record_memory(in, N, BYTES), ww_records(out, K, BYTES), by), WW_OK);
            expect_status(
                device,
                ww_sample(device, from, ww_counting(&ww_type_uint32_t, 0xFFFFFF00u, N), ww_array(narrow, K), by),
                WW_OK);
            expect_status(device, ww_sample(device, from, ww_counting(&ww_type_uint16_t, 5, N), ww_array(small, K), by),
                          WW_OK);
            expect_status(device,
                          ww_sample(device, from, ww_mapped(&squared_ww, ww_counting(&ww_type_uint32_t, 0, N)),
                                    ww_array(squares, K), by),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_sample(positions, K, N, by == WW_SAMPLE_SORTED);
            for (size_t i = 0; i < K; i++) {
                expect(!memcmp(out + i * BYTES, in + positions[i] * BYTES, BYTES));
                expect(narrow[i] == (uint32_t)(positions[i] + 0xFFFFFF00u) && small[i] == positions[i] + 5);
                expect(squares[i] == positions[i] * positions[i]);
            }
            free(out);
            free(in);
            free(small);
            free(narrow);
            free(squares);
            free(positions);
        }
        ww_close(device);
    }
}

/* Without a margin about half of the draws have too few: they are made anew, the same on all devices. */
static void draws_that_fail(void **state) {
    static const struct {
        uint64_t n;
        size_t k;
    } of[] = {{1000, 300}, {4000, 3500}, {100000, 3000}, {6000, 375}};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < 4; c++)
            for (uint64_t seed = 0; seed < (on_emulator() ? 2 : 8); seed++) {
                const size_t k = of[c].k;
                CASE("sample", "%s %zu of %llu without a margin, seed %llu", setting_name(s), k, (ull)of[c].n,
                     (ull)seed);
                if (!case_wanted()) continue;
                uint32_t *x = need(k * 4);
                uint64_t *wide = need(k * 8);
                const ww_array out = ww_array(x, k);
                const ww__sample_request r = {{.seed = seed, .stream = 3}, of[c].n, 0, &out};
                expect(!ww__enter(device, "sample"));
                expect_status(device, ww__leave(device, ww__sample(device, &r)), WW_OK);
                expect_status(device, ww_sync(device), WW_OK);
                for (size_t i = 0; i < k; i++) wide[i] = x[i];
                expect_sample(wide, k, of[c].n, true);
                free(wide);
                free(x);
            }
        ww_close(device);
    }
}

/* A position is chosen whose word is the limit's predecessor, and none whose word is the limit. */
static void limits(void **state) {
    enum { N = 3000 };
    static const size_t places[] = {0, 5, 1023, 1024, N - 1};
    const random_source source = {.seed = seed_of_run(), .stream = 9};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < 4 * sizeof places / sizeof *places; c++) {
            const size_t place = places[c / 4], size = c % 2 ? 8 : 4;
            CASE("sample", "%s words below word %zu%s as u%zu", setting_name(s), place, c / 2 % 2 ? "" : " and it",
                 8 * size);
            if (!case_wanted()) continue;
            const ww_random_block block = ww_philox(source.seed, source.stream, place / 4);
            const uint64_t limit = (uint64_t)block.word[place % 4] + !(c / 2 % 2);
            guarded out = guarded_new(N * size);
            const ww__choosing choosing = {source, N, limit, 0,
                                           ww_array_of(out.data, N, size == 8 ? &ww_type_uint64_t : &ww_type_uint32_t)};
            uint64_t chosen = 77, wanted = 0;
            expect(!ww__enter(device, "sample"));
            expect_status(device,
                          ww__leave(device, device->gpu ? ww__draw_positions_gpu(device, &choosing, &chosen)
                                                        : ww__draw_positions_cpu(device, &choosing, &chosen)),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < N; i++) {
                if (ww_philox(source.seed, source.stream, i / 4).word[i % 4] >= limit) continue;
                expect(wanted < chosen);
                expect((size == 8 ? ((uint64_t *)out.data)[wanted] : ((uint32_t *)out.data)[wanted]) == i);
                wanted++;
            }
            expect(wanted == chosen);
            guarded_check(&out);
            guarded_free(&out);
        }
        ww_close(device);
    }
}

/* ---- uniform ---- */

/* 5 standard deviations of chi-square. */
static void expect_even(const uint64_t *seen, size_t cells, double each, double part) {
    double square = 0;
    for (size_t c = 0; c < cells; c++) square += ((double)seen[c] - each) * ((double)seen[c] - each) / each;
    const double off = square / part - (double)cells;
    expect(off * off < 25 * 2 * (double)cells);
}

/* Each of n is in as many samples as every other, also in the first and the last place of shuffled ones. Elements of one sample
 * are not independent: the variance of a cell is 1 - k / n of what it would be. */
static void check_even(ww_device *device, size_t n, size_t k, uint64_t tries) {
    CASE("sample", "even, %zu of %zu", k, n);
    if (!case_wanted()) return;
    uint64_t *seen = need(n * 8), *first = need(n * 8), *last = need(n * 8);
    uint32_t *x = need(k * 4);
    memset(seen, 0, n * 8);
    memset(first, 0, n * 8);
    memset(last, 0, n * 8);
    for (uint64_t t = 0; t < tries; t++) {
        const ww_input numbers = ww_counting(&ww_type_uint32_t, 0, n);
        if (ww_sample(device, from_of(t), numbers, ww_array(x, k), WW_SAMPLE_SHUFFLED))
            expect_status(device, WW_INVALID, WW_OK);
        for (size_t i = 0; i < k; i++) seen[x[i]]++;
        first[x[0]]++;
        last[x[k - 1]]++;
    }
    if (k < n) expect_even(seen, n, (double)tries * (double)k / (double)n, 1 - (double)k / (double)n);
    expect_even(first, n, (double)tries / (double)n, 1);
    expect_even(last, n, (double)tries / (double)n, 1);
    free(x);
    free(last);
    free(first);
    free(seen);
}

/* All sets of three of seven. */
static void sets_of_few(void **state) {
    enum { TRIES = 35000 };
    (void)state;
    if (left_out_on_gpu("the CPU draws the same samples")) return;
    ww_device *device = setting_open(0);
    uint64_t seen[35] = {0};
    CASE("sample", "sets of few");
    if (case_wanted()) {
        for (uint64_t t = 0; t < TRIES; t++) {
            uint32_t x[3];
            unsigned number = 0;
            expect(
                !ww_sample(device, from_of(t), ww_counting(&ww_type_uint32_t, 0, 7), ww_array(x, 3), WW_SAMPLE_SORTED));
            for (unsigned a = 0; a < 7; a++) /* sets in order */
                for (unsigned b = a + 1; b < 7; b++)
                    for (unsigned c = b + 1; c < 7; c++, number++) seen[number] += x[0] == a && x[1] == b && x[2] == c;
        }
        expect_even(seen, 35, TRIES / 35.0, 1);
    }
    ww_close(device);
}

static void even(void **state) {
    (void)state;
    if (left_out_on_gpu("the CPU draws the same samples")) return;
    ww_device *device = setting_open(0);
    check_even(device, 50, 20, 20000);   /* by Floyd's algorithm */
    check_even(device, 4800, 300, 3000); /* with replacement */
    check_even(device, 600, 300, 4000);  /* by words */
    check_even(device, 400, 380, 4000);
    check_even(device, 20000, 1250, 800);
    ww_close(device);
}

/* ---- errors ---- */

static void errors(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("sample", "%s errors", setting_name(s));
        if (case_wanted()) {
            uint32_t *x = need(400), *y = need(400);
            const ww_random from = from_of(0);
            memset(y, 0xA5, 400);
            expect_status(device, ww_sample(device, from, ww_memory(x, 9), ww_array(y, 10), WW_SAMPLE_SORTED),
                          WW_RANGE);
            expect_sentence(device, "ww_sample", "out has 10 elements, and there are 9 to draw from");
            expect_status(device, ww_sample(device, from, ww_memory(x, 9), ww_array((float *)y, 3), WW_SAMPLE_SORTED),
                          WW_TYPE);
            expect_status(device, ww_sample(device, from, ww_memory(y, 9), ww_array(y, 3), WW_SAMPLE_SORTED),
                          WW_OVERLAP);
            expect_status(device, ww_sample(device, from, ww_memory(x, 9), ww_array(y, 3), (ww_sample_order)2),
                          WW_INVALID);
            expect_status(device, ww_sample(device, from, ww_no_input, ww_array(y, 3), WW_SAMPLE_SORTED), WW_INVALID);
            expect_status(device,
                          ww_sample(device, from_of(UINT64_MAX), ww_memory(x, 9), ww_array(y, 3), WW_SAMPLE_SORTED),
                          WW_LIMIT);
            for (size_t i = 0; i < 100; i++) expect(y[i] == 0xA5A5A5A5);
            uint64_t one = 7; /* in the host's own memory */
            expect_status(
                device,
                ww_sample(device, from, ww_counting(&ww_type_uint64_t, 40, 1), ww_array(&one, 1), WW_SAMPLE_SHUFFLED),
                WW_OK);
            expect(one == 40);
            free(y);
            free(x);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples), cmocka_unit_test(elements),    cmocka_unit_test(draws_that_fail),
        cmocka_unit_test(limits),  cmocka_unit_test(sets_of_few), cmocka_unit_test(even),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
