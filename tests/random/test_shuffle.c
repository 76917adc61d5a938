/* Shuffles against a serial oracle, in every size of element, in place and not, of memory and of what is computed; that they are
 * permutations, and uniform ones (chi-square, fixed seeds); errors. */
#include <stdio.h>

#include "random/random.h"
#include "reference/random.h"
#include "support/cases.h"

enum { LEAF = 8192 };

static ww_random from_of(uint64_t offset) {
    const ww_random from = {seed_of_run() * 0x9E3779B97F4A7C15u, 7, offset};
    return from;
}

/* ---- beside the oracle ---- */

static void check_shuffle(ww_device *device, const char *setting, const ww_type *type, size_t size, size_t n,
                          bool in_place) {
    const ww_random from = from_of(n % 3);
    CASE("shuffle", "%s %s size=%zu n=%zu%s", setting, type->label, size, n, in_place ? " in place" : "");
    if (!case_wanted()) return;
    uint64_t *order = need((n + 1) * sizeof *order);
    unsigned char *in = need(n * size + 1), *wanted = need(n * size + 1);
    guarded out = guarded_new(n * size);
    reference_permutation(from.seed, from.stream, from.offset, LEAF, n, order);
    fill(in, type, size, n, UNIFORM, seed_of_run());
    for (size_t i = 0; i < n; i++) memcpy(wanted + i * size, in + order[i] * size, size);
    if (in_place) memcpy(out.data, in, n * size);
    const ww_array to = {out.data, n, type, size, NULL, 0}, read = {in, n, type, size, NULL, 0};
    expect_status(device, ww_shuffle(device, from, ww_from(in_place ? to : read), to), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, size);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted);
    free(in);
    free(order);
}

static void sizes(void **state) {
    static const size_t counts[] = {0, 1, 2, 3, 31, 1024, 1025, 8192, 8193, 16385, 30011, 32769, 150003};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int in_place = 0; in_place < (on_emulator() ? 1 : 2); in_place++)
                check_shuffle(device, setting_name(s), &ww_type_uint32_t, 4, counts[c], in_place);
        ww_close(device);
    }
}

static void types(void **state) {
    static const struct {
        const ww_type *type;
        size_t size;
    } of[] = {{&ww_type_uint8_t, 1}, {&ww_type_double, 8},  {&ww_type_record, 3},  {&ww_type_record, 16},
              {&ww_type_int16_t, 2}, {&ww_type_record, 24}, {&ww_type_record, 100}};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof of / sizeof *of; t++)
            for (int in_place = 0; in_place < 2; in_place++) {
                if (on_emulator() && in_place && t % 2) continue;
                check_shuffle(device, setting_name(s), of[t].type, of[t].size, 17000, in_place);
                check_shuffle(device, setting_name(s), of[t].type, of[t].size, 700, in_place);
            }
        ww_close(device);
    }
}

/* Several levels of buckets, by the inner interface: with small leaves, which few elements are enough for. */
static void check_levels(ww_device *device, const char *setting, uint64_t leaf, size_t n, bool in_place) {
    const ww_random from = from_of(5);
    CASE("shuffle", "%s leaf=%d n=%zu%s", setting, (int)leaf, n, in_place ? " in place" : "");
    if (!case_wanted()) return;
    uint64_t *order = need((n + 1) * sizeof *order);
    uint32_t *in = need(n * 4), *wanted = need(n * 4);
    guarded out = guarded_new(n * 4);
    reference_permutation(from.seed, from.stream, from.offset, leaf, n, order);
    for (size_t i = 0; i < n; i++) in[i] = (uint32_t)i * 7;
    for (size_t i = 0; i < n; i++) wanted[i] = (uint32_t)order[i] * 7;
    if (in_place) memcpy(out.data, in, n * 4);
    const ww_array to = ww_array((uint32_t *)out.data, n);
    const ww_input read = in_place ? ww_from(to) : ww_memory(in, n);
    const ww__shuffle_request r = {ww__random_own(&from, WW__FOR_SHUFFLE), &read, &to, leaf};
    expect(!ww__enter(device, "shuffle"));
    expect_status(device, ww__leave(device, ww__shuffle(device, &r)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, 4);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted);
    free(in);
    free(order);
}

static void levels(void **state) {
    static const struct {
        uint64_t leaf;
        size_t n;
    } of[] = {{16, 20000}, {1, 70000}, {4000, 9000}, {1, 300}};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < 4; k++)
            for (int in_place = 0; in_place < 2; in_place++)
                if (!on_emulator() || in_place == (int)k % 2)
                    check_levels(device, setting_name(s), of[k].leaf, of[k].n, in_place);
        if (!on_emulator()) check_shuffle(device, setting_name(s), &ww_type_uint16_t, 2, 1500001, s % 2);
        ww_close(device);
    }
}

WW_MAP(tripled, uint64_t, uint32_t, x, void, none, { return (uint64_t)3 * x; });

/* What ww_permutation gives is the order that ww_shuffle makes, of computed inputs too. */
static void permutations(void **state) {
    static const size_t counts[] = {1, 900, 20000};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < 3; c++) {
            const size_t n = counts[c];
            CASE("shuffle", "%s permutation n=%zu", setting_name(s), n);
            if (!case_wanted()) continue;
            uint64_t *order = need(n * 8), *mapped = need(n * 8);
            uint32_t *narrow = need(n * 4);
            const ww_random from = from_of(12345);
            reference_permutation(from.seed, from.stream, from.offset, LEAF, n, order);
            expect_status(device, ww_permutation(device, from, ww_array(narrow, n)), WW_OK);
            expect_status(device,
                          ww_shuffle(device, from, ww_mapped(&tripled_ww, ww_counting(&ww_type_uint32_t, 0, n)),
                                     ww_array(mapped, n)),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < n; i++) expect(narrow[i] == order[i] && mapped[i] == 3 * order[i]);
            expect_status(device, ww_permutation(device, from, ww_array(mapped, n)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(mapped, order, n, 8);
            free(narrow);
            free(mapped);
            free(order);
        }
        ww_close(device);
    }
}

/* ---- uniform ---- */

/* Of `cells` that are equally likely; 5 standard deviations, for seeds that are fixed. */
static void expect_even(const uint64_t *seen, size_t cells, uint64_t all) {
    const double each = (double)all / (double)cells, free_cells = (double)(cells - 1);
    double square = 0;
    for (size_t c = 0; c < cells; c++) square += ((double)seen[c] - each) * ((double)seen[c] - each) / each;
    const double off = square - free_cells;
    expect(off * off < 25 * 2 * free_cells);
}

/* All orders of five elements, one for each offset, and for each seed. */
static void orders_of_few(void **state) {
    enum { ORDERS = 120, TRIES = 60000 };
    (void)state;
    if (left_out_on_gpu("the CPU makes the same permutations")) return;
    ww_device *device = setting_open(0);
    for (int by_seed = 0; by_seed < 2; by_seed++) {
        uint64_t seen[ORDERS] = {0};
        CASE("shuffle", "orders by %s", by_seed ? "seed" : "offset");
        for (uint64_t k = 0; k < TRIES && case_wanted(); k++) {
            uint32_t x[5], number = 0;
            const ww_random from = {by_seed ? k : 1, 2, by_seed ? 0 : k};
            if (ww_permutation(device, from, ww_array(x, 5))) expect_status(device, WW_INVALID, WW_OK);
            for (unsigned i = 0; i < 5; i++) { /* its number in the factorial system */
                unsigned below = 0;
                for (unsigned j = i + 1; j < 5; j++) below += x[j] < x[i];
                number = number * (5 - i) + below;
            }
            seen[number]++;
        }
        if (case_wanted()) expect_even(seen, ORDERS, TRIES);
    }
    ww_close(device);
}

/* Of several buckets: where elements of each sixteenth go, and how far neighbours get apart. */
static void places_of_many(void **state) {
    enum { N = 40000, TRIES = 40, PARTS = 16 };
    (void)state;
    if (left_out_on_gpu("the CPU makes the same permutations")) return;
    ww_device *device = setting_open(0);
    uint64_t seen[PARTS * PARTS] = {0}, apart[PARTS * PARTS] = {0};
    uint32_t *x = need(N * 4), *at = need(N * 4);
    CASE("shuffle", "places of many");
    for (uint64_t k = 0; k < TRIES && case_wanted(); k++) {
        expect_status(device, ww_permutation(device, from_of(k), ww_array(x, N)), WW_OK);
        for (uint32_t i = 0; i < N; i++) {
            seen[x[i] / (N / PARTS) * PARTS + i / (N / PARTS)]++;
            at[x[i]] = i;
        }
        for (uint32_t i = 0; i < N; i += 2) apart[at[i] / (N / PARTS) * PARTS + at[i + 1] / (N / PARTS)]++;
    }
    if (case_wanted()) {
        expect_even(seen, PARTS * PARTS, (uint64_t)N * TRIES);
        expect_even(apart, PARTS * PARTS, (uint64_t)N / 2 * TRIES);
    }
    free(at);
    free(x);
    ww_close(device);
}

/* ---- errors ---- */

static void errors(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("shuffle", "%s errors", setting_name(s));
        if (case_wanted()) {
            uint32_t *x = need(400), *y = need(400);
            const ww_random from = from_of(0);
            memset(y, 0xA5, 400);
            expect_status(device, ww_shuffle(device, from, ww_memory(x, 10), ww_array(y, 9)), WW_INVALID);
            expect_sentence(device, "ww_shuffle", "in has 10 elements, out 9");
            expect_status(device, ww_shuffle(device, from, ww_memory(x, 10), ww_array((float *)y, 10)), WW_TYPE);
            expect_status(device, ww_shuffle(device, from, ww_memory(y, 10), ww_array(y + 1, 10)), WW_OVERLAP);
            expect_status(device, ww_shuffle(device, from, ww_no_input, ww_array(y, 10)), WW_INVALID);
            expect_status(device, ww_permutation(device, from, ww_array((int32_t *)y, 10)), WW_TYPE);
            expect_status(device, ww_permutation(device, from, ww_array((uint16_t *)y, 10)), WW_TYPE);
            expect_status(device, ww_permutation(device, from_of(((uint64_t)1 << 60) + 1), ww_array(y, 10)), WW_LIMIT);
            for (size_t i = 0; i < 100; i++) expect(y[i] == 0xA5A5A5A5);
            expect_status(device, ww_permutation(device, from, ww_array(y, 0)), WW_OK);
            free(y);
            free(x);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),        cmocka_unit_test(types),         cmocka_unit_test(levels),
        cmocka_unit_test(permutations), cmocka_unit_test(orders_of_few), cmocka_unit_test(places_of_many),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
