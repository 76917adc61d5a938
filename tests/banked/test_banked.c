/* Sorting, partitioning, permuting and converting on the banked model against the serial oracles: every method, shape and
 * seed; steps within their bounds; and what is refused, with nothing moved. */
#include "device/device.h"
#include "reference/banked.h"
#include "reference/sort.h"
#include "support/cases.h"

static const uint64_t banks_of[] = {2, 3, 8, 32, 100, 1024};
static const uint64_t columns_of[] = {1, 2, 5, 8, 16, 33, 64, 100, 512};
enum { BANKS = sizeof banks_of / sizeof *banks_of, COLUMNS = sizeof columns_of / sizeof *columns_of };

/* Of tables, and of a few cases with many columns. Every step is looked at, which takes seconds where everything is slow. */
static uint64_t n_most(void) { return tests_are_short() ? 1 << 14 : 1 << 16; }
static uint64_t many_items(void) { return tests_are_short() ? 1 << 16 : 1 << 20; }

static ww_banked_options options_of(ww_banked_method method, uint64_t seed) {
    ww_banked_options o = WW_BANKED_OPTIONS;
    o.method = method;
    o.seed = seed;
    return o;
}

/* A method that is not for this shape or problem is refused by a sentence; another failure is none of these. */
static bool refused(ww_device *device, ww_status status, ww_banked_method method) {
    if (!status) return false;
    expect_status(device, status, WW_INVALID);
    expect(method != WW_BANKED_AUTO && (strstr(ww_error(device), " needs ") || strstr(ww_error(device), "not one of")));
    return true;
}

static void check_result(const ww_banked_result *r, ww_banked_method method, uint64_t banks, uint64_t columns) {
    const bool network = method == WW_BANKED_ODDEVEN || method == WW_BANKED_BITONIC;
    expect(r->steps - r->conflicts <= r->bound);
    expect(network || r->conflicts == 0);
    expect(r->work == r->steps * banks);
    expect(r->accesses <= r->work && r->columns >= columns);
    expect(method == WW_BANKED_AUTO ? r->method != WW_BANKED_AUTO : r->method == (uint32_t)method);
}

static uint32_t *shuffled(uint64_t n, uint64_t kinds, uint64_t seed) {
    uint32_t *x = need(n * sizeof *x);
    for (uint64_t k = 0; k < n; k++) x[k] = (uint32_t)(k % kinds);
    for (uint64_t k = n; k > 1; k--) {
        const uint64_t other = random_next(&seed) % k;
        const uint32_t kept = x[k - 1];
        x[k - 1] = x[other];
        x[other] = kept;
    }
    return x;
}

/* ---- sort ---- */

static void check_sort(ww_device *device, const ww_type *type, uint64_t banks, uint64_t n, shape s,
                       ww_banked_method method) {
    CASE("banked sort", "%s banks=%llu n=%llu %s method=%d", type->label, (unsigned long long)banks,
         (unsigned long long)n, shape_name(s), method);
    if (!case_wanted()) return;
    const ww_banked_options o = options_of(method, 0);
    ww_banked_result r = WW_BANKED_RESULT;
    guarded keys = guarded_new(n * type->size);
    unsigned char *before = need(n * type->size), *wanted = need(n * type->size);
    uint32_t *order = need(n * sizeof *order);
    fill(before, type, type->size, n, s, seed_of_run() + n);
    memcpy(keys.data, before, n * type->size);
    if (!refused(device, ww_banked_sort(device, ww_array_of(keys.data, n, type), banks, &o, &r), method)) {
        reference_sort_positions((reference_order){.type = type}, before, n, order);
        for (uint64_t k = 0; k < n; k++) memcpy(wanted + k * type->size, before + order[k] * type->size, type->size);
        check_result(&r, method, banks, (n + banks - 1) / banks);
    } else {
        memcpy(wanted, before, n * type->size);
    }
    expect_elements(keys.data, wanted, n, type->size);
    guarded_check(&keys);
    guarded_free(&keys);
    free(before);
    free(wanted);
    free(order);
}

static void sorts(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    size_t number = 0;
    for (size_t b = 0; b < BANKS; b++)
        for (size_t c = 0; c < COLUMNS; c++)
            for (ww_banked_method method = WW_BANKED_AUTO; method <= WW_BANKED_SORTING; method++) {
                const uint64_t n = banks_of[b] * columns_of[c];
                if (n > n_most()) continue;
                /* A multiple of the banks, and some that are none. */
                const shape s = (shape)(number++ % SHAPES);
                check_sort(device, number % 2 ? &ww_type_uint32_t : &ww_type_uint64_t, banks_of[b],
                           n - (number % 3) * (n > 5), s, method);
            }
    check_sort(device, &ww_type_uint32_t, 1024, 1, UNIFORM, WW_BANKED_AUTO); /* fewer items than banks */
    check_sort(device, &ww_type_uint64_t, 101, 5000, UNIFORM, WW_BANKED_AUTO);
    check_sort(device, &ww_type_uint32_t, 32, many_items(), UNIFORM, WW_BANKED_AUTO);
    check_sort(device, &ww_type_uint32_t, 1024, many_items(), UNIFORM, WW_BANKED_AUTO);
    ww_close(device);
}

/* ---- partition ---- */

static void check_partition(ww_device *device, uint64_t banks, uint64_t n, ww_banked_method method, uint64_t seed) {
    CASE("banked partition", "banks=%llu n=%llu method=%d seed=%llu", (unsigned long long)banks, (unsigned long long)n,
         method, (unsigned long long)seed);
    if (!case_wanted()) return;
    const ww_banked_options o = options_of(method, 0);
    ww_banked_result r = WW_BANKED_RESULT;
    guarded values = guarded_new(n * sizeof(uint32_t)), labels = guarded_new(n * sizeof(uint32_t));
    uint32_t *before = shuffled(n, banks, seed);
    memcpy(labels.data, before, n * sizeof *before);
    for (uint64_t k = 0; k < n; k++) ((uint32_t *)values.data)[k] = (uint32_t)k;
    const ww_status status = ww_banked_partition(device, ww_array((uint32_t *)labels.data, n),
                                                 ww_array((uint32_t *)values.data, n), banks, &o, &r);
    if (refused(device, status, method)) {
        expect_elements(labels.data, before, n, sizeof *before);
    } else {
        expect(reference_banked_partitioned(before, labels.data, values.data, n, banks));
        check_result(&r, method, banks, n / banks);
    }
    guarded_check(&values);
    guarded_check(&labels);
    guarded_free(&values);
    guarded_free(&labels);
    free(before);
}

static void partitions(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (size_t b = 0; b < BANKS; b++)
        for (size_t c = 0; c < COLUMNS; c++)
            for (ww_banked_method method = WW_BANKED_AUTO; method <= WW_BANKED_SORTING; method++)
                if (banks_of[b] * columns_of[c] <= n_most())
                    check_partition(device, banks_of[b], banks_of[b] * columns_of[c], method, seed_of_run() + c);
    check_partition(device, 32, many_items(), WW_BANKED_AUTO, 1);
    check_partition(device, 1024, many_items(), WW_BANKED_AUTO, 2);
    ww_close(device);
}

/* ---- permute ---- */

typedef enum places { AT_RANDOM, IN_PLACE, REVERSED_PLACES, TRANSPOSED, ALL_TO_NEXT, PLACES } places;

static uint32_t *places_of(places p, uint64_t banks, uint64_t n, uint64_t seed) {
    uint32_t *index = shuffled(n, n, seed);
    const uint64_t columns = n / banks;
    for (uint64_t k = 0; k < n && p != AT_RANDOM; k++)
        index[k] = (uint32_t)(p == IN_PLACE          ? k
                              : p == REVERSED_PLACES ? n - 1 - k
                              : p == TRANSPOSED      ? k % banks * columns + k / banks
                                                     : (k + columns) % n); /* a row's labels all go to one row */
    return index;
}

static void check_permute(ww_device *device, uint64_t banks, uint64_t n, places p, ww_banked_method method,
                          uint64_t seed) {
    CASE("banked permute", "banks=%llu n=%llu places=%d method=%d seed=%llu", (unsigned long long)banks,
         (unsigned long long)n, p, method, (unsigned long long)seed);
    if (!case_wanted()) return;
    const ww_banked_options o = options_of(method, seed);
    ww_banked_result r = WW_BANKED_RESULT;
    guarded values = guarded_new(n * sizeof(uint32_t));
    uint32_t *index = places_of(p, banks, n, seed), *before = shuffled(n, n, seed + 1),
             *wanted = need(n * sizeof *wanted);
    memcpy(values.data, before, n * sizeof *before);
    const ww_status status = ww_banked_permute(device, ww_array(index, n), ww_array((uint32_t *)values.data, n), banks,
                                               &o, &r);
    if (refused(device, status, method)) {
        expect_elements(values.data, before, n, sizeof *before);
    } else {
        reference_banked_permute(index, before, n, wanted);
        expect_elements(values.data, wanted, n, sizeof *wanted);
        check_result(&r, method, banks, n / banks);
    }
    guarded_check(&values);
    guarded_free(&values);
    free(index);
    free(before);
    free(wanted);
}

static void permutes(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    size_t number = 0;
    for (size_t b = 0; b < BANKS; b++)
        for (size_t c = 0; c < COLUMNS; c++)
            for (ww_banked_method method = WW_BANKED_AUTO; method <= WW_BANKED_SORTING; method++)
                for (uint64_t seed = 0; seed < 2; seed++)
                    if (banks_of[b] * columns_of[c] <= n_most() / 2)
                        check_permute(device, banks_of[b], banks_of[b] * columns_of[c], (places)(number++ % PLACES),
                                      method, seed);
    check_permute(device, 32, many_items(), AT_RANDOM, WW_BANKED_AUTO, 1);
    check_permute(device, 1024, many_items(), ALL_TO_NEXT, WW_BANKED_AUTO, 2);
    check_permute(device, 1024, 1 << 18, AT_RANDOM, WW_BANKED_OFFLINE, 3);
    /* The last labels are packed, sorted and sent. */
    for (uint64_t seed = 0; seed < 40; seed++) check_permute(device, 256, 1024, AT_RANDOM, WW_BANKED_THEOREM4, seed);
    ww_close(device);
}

/* ---- convert ---- */

static void converts(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (size_t b = 0; b < BANKS; b++)
        for (size_t c = 0; c < COLUMNS; c++)
            for (int to_columns = 0; to_columns < 2; to_columns++) {
                const uint64_t banks = banks_of[b], n = banks * columns_of[c];
                CASE("banked convert", "banks=%llu n=%llu to_columns=%d", (unsigned long long)banks,
                     (unsigned long long)n, to_columns);
                if (n > n_most() || !case_wanted()) continue;
                ww_banked_result r = WW_BANKED_RESULT;
                guarded values = guarded_new(n * sizeof(uint32_t));
                uint32_t *before = shuffled(n, n, n), *wanted = need(n * sizeof *wanted);
                memcpy(values.data, before, n * sizeof *before);
                reference_banked_convert(before, n, banks, to_columns, wanted);
                expect_status(device,
                              ww_banked_convert(device, ww_array((uint32_t *)values.data, n), banks, to_columns, &r),
                              WW_OK);
                expect_elements(values.data, wanted, n, sizeof *wanted);
                expect(r.steps <= r.bound && !r.conflicts);
                guarded_check(&values);
                guarded_free(&values);
                free(before);
                free(wanted);
            }
    ww_close(device);
}

/* ---- the same everywhere; separation; refusals ---- */

static void same_everywhere(void **state) {
    (void)state;
    ww_banked_result first = WW_BANKED_RESULT;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        ww_banked_result r = WW_BANKED_RESULT;
        uint32_t *index = shuffled(4096, 4096, 5), *values = shuffled(4096, 4096, 6);
        CASE("banked", "%s: the same steps", setting_name(s));
        expect_status(device, ww_banked_permute(device, ww_array(index, 4096), ww_array(values, 4096), 256, NULL, &r),
                      WW_OK);
        if (!s) first = r;
        expect_bytes(&r, &first, sizeof r);
        free(index);
        free(values);
        ww_close(device);
    }
}

/* Permuting takes fewer steps than partitioning where there are many more banks than columns, and a network has conflicts
 * where the methods for banks have none. */
static void separation(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (uint64_t columns = 4; columns <= (tests_are_short() ? 8 : 32); columns *= 2) {
        const uint64_t n = 1024 * columns;
        ww_banked_result partitioned = WW_BANKED_RESULT, permuted = WW_BANKED_RESULT, sorted = WW_BANKED_RESULT;
        uint32_t *labels = shuffled(n, 1024, 1), *index = shuffled(n, n, 2), *values = shuffled(n, n, 3);
        const ww_banked_options o = options_of(WW_BANKED_BITONIC, 0);
        CASE("banked", "separation columns=%llu", (unsigned long long)columns);
        expect_status(device, ww_banked_partition(device, ww_array(labels, n), ww_none, 1024, NULL, &partitioned),
                      WW_OK);
        expect_status(device, ww_banked_permute(device, ww_array(index, n), ww_array(values, n), 1024, NULL, &permuted),
                      WW_OK);
        expect_status(device, ww_banked_sort(device, ww_array(values, n), 1024, &o, &sorted), WW_OK);
        expect(device->scratch_peak <= (64 + 24 + 4) * n + 400 * 1024); /* as the header says */
        expect(3 * permuted.steps < 2 * partitioned.steps);
        expect(sorted.conflicts > 0);
        free(labels);
        free(index);
        free(values);
    }
    ww_close(device);
}

static ww_device *asked;
static uint32_t given[64], kept[64], others[64];

/* A call that has to be refused with this sentence, and move nothing. */
static void refuse(ww_status status, ww_status wanted, const char *sentence) {
    CASE("banked", "refused: %s", sentence);
    expect_status(asked, status, wanted);
    expect_sentence(asked, sentence);
    expect_elements(given, kept, 64, sizeof *given);
    for (uint32_t k = 0; k < 64; k++) expect(others[k] == k);
}

#define GIVEN(n) ww_array(given, n)
#define OTHERS(n) ww_array(others, n)

static void refusals(void **state) {
    (void)state;
    ww_banked_options o = WW_BANKED_OPTIONS;
    asked = setting_open(0);
    for (uint32_t k = 0; k < 64; k++) {
        given[k] = kept[k] = k / 8;
        others[k] = k;
    }
    refuse(ww_banked_sort(asked, GIVEN(64), 1, NULL, NULL), WW_INVALID, "banks is 1: a machine has at least 2");
    refuse(ww_banked_sort(asked, GIVEN(64), 0, NULL, NULL), WW_INVALID, "banks is 0");
    refuse(ww_banked_partition(asked, GIVEN(64), OTHERS(64), 1, NULL, NULL), WW_INVALID, "banks is 1: a machine has");
    refuse(ww_banked_permute(asked, GIVEN(64), OTHERS(64), 1, NULL, NULL), WW_INVALID, "banks is 1: a machine has");
    refuse(ww_banked_convert(asked, GIVEN(64), 1, true, NULL), WW_INVALID, "banks is 1: a machine has at least 2");
    refuse(ww_banked_sort(asked, GIVEN(64), UINT64_MAX, NULL, NULL), WW_LIMIT, "banks is 18446744073709551615");
    refuse(ww_banked_sort(asked, GIVEN(0), 8, NULL, NULL), WW_INVALID, "keys has no elements");
    refuse(ww_banked_sort(asked, ww_array((float *)(void *)given, 64), 8, NULL, NULL), WW_TYPE, "keys is of f32");
    refuse(ww_banked_partition(asked, GIVEN(63), ww_none, 8, NULL, NULL), WW_INVALID,
           "63 elements, not a multiple of 8 banks");
    refuse(ww_banked_partition(asked, GIVEN(4), ww_none, 8, NULL, NULL), WW_INVALID, "more banks than items");
    refuse(ww_banked_permute(asked, OTHERS(63), GIVEN(63), 8, NULL, NULL), WW_INVALID,
           "index has 63 elements, not a multiple");
    refuse(ww_banked_permute(asked, OTHERS(4), GIVEN(4), 8, NULL, NULL), WW_INVALID, "more banks than items");
    refuse(ww_banked_convert(asked, GIVEN(63), 8, true, NULL), WW_INVALID, "values has 63 elements, not a multiple");
    refuse(ww_banked_convert(asked, GIVEN(4), 8, true, NULL), WW_INVALID, "more banks than items");
    refuse(ww_banked_partition(asked, GIVEN(64), OTHERS(32), 8, NULL, NULL), WW_INVALID,
           "labels has 64 elements, values 32");
    refuse(ww_banked_permute(asked, OTHERS(64), OTHERS(64), 8, NULL, NULL), WW_OVERLAP, "values");
    o.method = 11;
    refuse(ww_banked_sort(asked, GIVEN(64), 8, &o, NULL), WW_INVALID, "options.method is 11");
    o.method = WW_BANKED_THEOREM4;
    refuse(ww_banked_sort(asked, GIVEN(64), 8, &o, NULL), WW_INVALID, "options.method 8 is not one of this problem");
    o.method = WW_BANKED_LEMMA1;
    refuse(ww_banked_sort(asked, GIVEN(64), 8, &o, NULL), WW_INVALID, "lemma1 needs");
    given[9] = kept[9] = 8; /* labels */
    refuse(ww_banked_partition(asked, GIVEN(64), OTHERS(64), 8, NULL, NULL), WW_RANGE,
           "labels[9] is 8, and there are 8 rows");
    given[9] = kept[9] = 3;
    refuse(ww_banked_partition(asked, GIVEN(64), OTHERS(64), 8, NULL, NULL), WW_RANGE,
           "label 1 occurs 7 times, and a row takes 8");
    for (uint32_t k = 0; k < 64; k++) given[k] = kept[k] = 63 - k; /* places */
    given[20] = kept[20] = 60;
    refuse(ww_banked_permute(asked, GIVEN(64), OTHERS(64), 8, NULL, NULL), WW_RANGE,
           "index[20] is 60 again, and no place is 43");
    given[20] = kept[20] = 64;
    refuse(ww_banked_permute(asked, GIVEN(64), OTHERS(64), 8, NULL, NULL), WW_RANGE,
           "index[20] is 64, and there are 64 places");
    ww_close(asked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts),           cmocka_unit_test(partitions),
                                       cmocka_unit_test(permutes),        cmocka_unit_test(converts),
                                       cmocka_unit_test(same_everywhere), cmocka_unit_test(separation),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("memory in banks", tests, NULL, NULL);
}
