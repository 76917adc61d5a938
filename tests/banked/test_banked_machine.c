/* The machine of banked memory from inside: that it refuses what it has to, counts what it has to, and that what the
 * algorithms are made of moves words where it says, in as many steps as it says. */
#include "banked/network.h"
#include "banked/order.h"
#include "support/cases.h"

static ww_device *entered(void) {
    ww_device *device = setting_open(0);
    assert_int_equal(ww__enter(device, "test"), WW_OK);
    return device;
}

static void leave(ww_device *device) {
    ww__leave(device, WW_OK);
    ww_close(device);
}

static void conflicts_are_refused(void **state) {
    (void)state;
    ww_device *device = entered();
    ww__machine m;
    CASE("machine", "refusals");
    if (!case_wanted()) {
        leave(device);
        return;
    }
    expect_status(device, ww__machine_new(device, 8, 16, &m), WW_OK);
    ww__bank_write(&m, 1, 2, 3, 77);
    ww__bank_write(&m, 2, 3, 3, 78);
    ww__step(&m);
    expect(ww__bank_read(&m, 0, 2, 3) == 77);
    ww__step(&m);
    expect_status(device, ww__machine_check(device, &m), WW_OK);
    ww__bank_read(&m, 4, 6, 0);
    ww__bank_write(&m, 7, 6, 9, 1); /* another word of the same bank */
    ww__step(&m);
    ww__bank_read(&m, 0, 0, 0);
    ww__bank_read(&m, 1, 0, 0); /* the first one is told */
    expect_status(device, ww__machine_check(device, &m), WW_INVALID);
    expect_sentence(device, "step 3: processors 4 and 7 both touch bank 6");
    expect(*ww__machine_word(&m, 6, 9) == 0);

    /* Two words of one processor, and words that are none. */
    expect_status(device, ww__machine_new(device, 8, 16, &m), WW_OK);
    ww__bank_read(&m, 4, 6, 0);
    ww__bank_read(&m, 4, 5, 0);
    expect_status(device, ww__machine_check(device, &m), WW_INVALID);
    expect_sentence(device, "step 1: processor 4 touches a second word, in bank 5");
    expect_status(device, ww__machine_new(device, 8, 16, &m), WW_OK);
    ww__bank_write(&m, 4, 6, 16, 1);
    expect_status(device, ww__machine_check(device, &m), WW_INVALID);
    expect_sentence(device, "step 1: processor 4 touches word 16 of bank 6, of 8 banks of 16 words");
    expect_status(device, ww__machine_new(device, 8, 16, &m), WW_OK);
    ww__bank_write(&m, 4, 8, 0, 1);
    expect_status(device, ww__machine_check(device, &m), WW_INVALID);
    expect_status(device, ww__machine_new(device, 8, 16, &m), WW_OK);
    ww__own own = ww__own_begin(&m, 3);
    ww__own_write(&own, 15, 1);
    ww__own_write(&own, 16, 1);
    ww__own_end(&own);
    ww__alone_end(&m);
    expect_status(device, ww__machine_check(device, &m), WW_INVALID);
    expect_sentence(device, "step 2: processor 3 touches word 16 of bank 3");
    leave(device);
}

static void steps_are_counted(void **state) {
    (void)state;
    ww_device *device = entered();
    ww__machine m;
    CASE("machine", "counts");
    if (!case_wanted()) {
        leave(device);
        return;
    }
    expect_status(device, ww__machine_new(device, 4, 4, &m), WW_OK);
    for (uint32_t p = 0; p < 4; p++) { /* a phase lasts as long as its slowest */
        ww__own own = ww__own_begin(&m, p);
        for (uint32_t k = 0; k < p; k++) ww__own_write(&own, k, p);
        ww__own_end(&own);
    }
    ww__alone_end(&m);
    expect(ww__machine_steps(&m) == 3 && m.accesses == 6);
    m.serialize = true;
    for (uint32_t p = 0; p < 4; p++) ww__bank_read(&m, p, p < 3 ? 1 : 2, 0); /* three in one bank: two wait */
    ww__step(&m);
    expect(ww__machine_steps(&m) == 6 && m.accesses == 10 && m.conflicts == 2);
    for (uint32_t p = 0; p < 4; p++) ww__bank_read(&m, p, p, 0);
    ww__step(&m);
    expect(ww__machine_steps(&m) == 7 && m.conflicts == 2);
    expect_status(device, ww__machine_check(device, &m), WW_OK);
    leave(device);
}

/* ---- matrices ---- */

static const uint32_t banks_of[] = {2, 3, 8, 12, 32, 100};
static const uint64_t widths[] = {1, 2, 3, 8, 12, 33, 64};
enum { BANKS = sizeof banks_of / sizeof *banks_of, WIDTHS = sizeof widths / sizeof *widths };

static uint64_t *at(ww__run *run, uint64_t row, uint64_t column) {
    return ww__machine_word(&run->machine, (uint32_t)row, run->at + column);
}

static void check_conversion(ww_device *device, uint32_t banks, uint64_t width, bool in_place) {
    ww__run run;
    ww__rows all;
    CASE("machine", "convert%s banks=%u width=%u", in_place ? " in place" : "", banks, (unsigned)width);
    if (!case_wanted()) return;
    expect_status(device, ww__run_new(&run, device, banks, width, in_place ? 1 : 2, in_place ? (width + 63) / 64 : 0),
                  WW_OK);
    expect_status(device, ww__rows_all(&run, width, &all), WW_OK);
    for (uint64_t k = 0; k < banks * width; k++) *at(&run, k / width, k % width) = k;
    (in_place ? ww__convert_in_place : ww__convert)(&run, &all, true);
    for (uint64_t k = 0; k < banks * width; k++) expect(*at(&run, k % banks, k / banks) == k);
    const uint64_t steps = ww__machine_steps(&run.machine);
    expect(in_place ? steps <= 13 * width : steps == 2 * width);
    (in_place ? ww__convert_in_place : ww__convert)(&run, &all, false);
    for (uint64_t k = 0; k < banks * width; k++) expect(*at(&run, k / width, k % width) == k);
    expect_status(device, ww__machine_check(device, &run.machine), WW_OK);
}

static void check_columns(ww_device *device, uint32_t banks, uint64_t width) {
    const uint64_t blocks = (width + banks - 1) / banks;
    ww__run run;
    ww__rows all, folded;
    CASE("machine", "columns banks=%u width=%u", banks, (unsigned)width);
    if (!case_wanted()) return;
    expect_status(device, ww__run_new(&run, device, banks, ww__max_u64(2 * width, blocks * banks), 2, 0), WW_OK);
    expect_status(device, ww__rows_all(&run, width, &all), WW_OK);
    for (uint64_t k = 0; k < banks * width; k++) *at(&run, k / width, k % width) = k + 1;
    ww__gather_columns(&run, &all);
    for (uint64_t k = 0; k < banks * width; k++)
        expect(*at(&run, k % width % banks, k % width / banks * banks + k / width) == k + 1);
    ww__scatter_columns(&run, &all);
    for (uint64_t k = 0; k < banks * width; k++) expect(*at(&run, k / width, k % width) == k + 1);
    if (banks > width) {
        expect_status(device, ww__fold_columns(&run, &all, &folded), WW_OK);
        for (uint64_t row = 0; row < folded.rows * width; row++)
            for (uint64_t c = 0; c < folded.width; c++) {
                const uint64_t x = row % folded.rows * folded.width + c;
                expect(*at(&run, row, c) == (x < banks ? x * width + row / folded.rows + 1 : UINT64_MAX));
            }
        ww__unfold_columns(&run, &all, &folded);
        for (uint64_t k = 0; k < banks * width; k++) expect(*at(&run, k / width, k % width) == k + 1);
    }
    expect_status(device, ww__machine_check(device, &run.machine), WW_OK);
}

static void matrices_are_moved(void **state) {
    (void)state;
    for (size_t b = 0; b < BANKS; b++)
        for (size_t w = 0; w < WIDTHS; w++) {
            ww_device *device = entered();
            check_conversion(device, banks_of[b], widths[w], false);
            check_conversion(device, banks_of[b], widths[w], true);
            check_columns(device, banks_of[b], widths[w]);
            leave(device);
        }
}

/* ---- sorting, every way, zeros and ones (whose boundary is anywhere) and words, both directions ---- */

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_sort(uint32_t banks, uint64_t width, ww__how how, bool labels, uint64_t kinds, bool falling) {
    ww_device *device = entered();
    const uint64_t n = banks * width, counted = ww__max_u64(16, width);
    uint64_t random = seed_of_run() + n, *wanted = need(n * sizeof *wanted);
    ww__run run = {.key_bits = labels ? 10 : 0, .counted = counted};
    ww__rows all;
    const ww__plan plan = ww__sort_plan(&run, banks, width, how);
    CASE("machine", "sort way %d banks=%u width=%u%s kinds=%u%s", how, banks, (unsigned)width, labels ? " labels" : "",
         (unsigned)kinds, falling ? " falling" : "");
    if (plan.steps < UINT64_MAX && case_wanted()) {
        expect_status(device, ww__run_new(&run, device, banks, plan.room, 2, counted), WW_OK);
        run.key_bits = labels ? 10 : 0;
        run.key_first = 32;
        expect_status(device, ww__rows_all(&run, width, &all), WW_OK);
        for (uint32_t p = 0; p < banks; p++) all.mask[p] = falling ? UINT64_MAX : 0;
        for (uint64_t k = 0; k < n; k++)
            *at(&run, k / width, k % width) = wanted[k] = random_next(&random) % kinds << 32;
        expect_status(device, ww__sort_matrices(&run, &all, how), WW_OK);
        expect_status(device, ww__machine_check(device, &run.machine), WW_OK);
        expect(ww__machine_steps(&run.machine) <= plan.steps);
        qsort(wanted, n, sizeof *wanted, compare);
        for (uint64_t k = 0; k < n; k++) expect(*at(&run, k / width, k % width) == wanted[falling ? n - 1 - k : k]);
    }
    free(wanted);
    leave(device);
}

static void matrices_are_sorted(void **state) {
    (void)state;
    static const uint64_t kinds[] = {2, 1000};
    for (size_t b = 0; b < BANKS; b++)
        for (size_t w = 0; w < WIDTHS; w++)
            for (ww__how how = WW__HOW_AUTO; how <= WW__HOW_SHEARSORT; how++)
                for (size_t k = 0; k < 2; k++)
                    for (int labels = 0; labels < 2; labels++)
                        check_sort(banks_of[b], widths[w], how, labels, kinds[k], k);
    /* Two divisions of lemma 2, and theorem 1 where squares are perfect. */
    check_sort(512, 16, WW__HOW_BALANCED, true, 1000, false);
    check_sort(512, 16, WW__HOW_BALANCED, true, 2, false);
    check_sort(256, 256, WW__HOW_SQUARE, true, 1000, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(conflicts_are_refused), cmocka_unit_test(steps_are_counted),
                                       cmocka_unit_test(matrices_are_moved), cmocka_unit_test(matrices_are_sorted)};
    return cmocka_run_group_tests_name("the machine of banked memory", tests, NULL, NULL);
}
