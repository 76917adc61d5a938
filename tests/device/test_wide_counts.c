/* More than 2^32 elements on a CPU, at no cost of memory: pages of zeros that nobody has written yet, or inputs that are
 * computed as they are read. What comes out lies beyond 32 bits: positions, counts, offsets. (A GPU's are test_huge.c's.) */
#include <stdio.h>
#include <sys/mman.h>

#include "support/cases.h"

static const uint64_t BEYOND = (uint64_t)1 << 32, ONES = ((uint64_t)1 << 33) + 3001;

/* The first setting is the widest vectors' with two threads. */
static bool begin(ww_device **device, const char *name) {
    CASE("wide", "%s %s", setting_name(0), name);
    if (!case_wanted()) return false;
    *device = setting_open(0);
    return true;
}

/* Going over so many elements takes a second or more. */
static bool not_here(void) {
    if (tests_are_short()) left_out("takes a second or more");
    return tests_are_short();
}

/* Zeros: pages that are only read are all the same one. NULL where so much cannot be mapped. */
static uint8_t *zeros(uint64_t bytes) {
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        left_out("%llu bytes cannot be mapped", (unsigned long long)bytes);
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

/* ---- zeros, but for two elements ---- */

static const uint64_t first_one = ((uint64_t)1 << 32) + 5, second_one = ((uint64_t)1 << 32) + 12000;

/* Takes a case on n bytes, of which these two are 1. */
static uint8_t *begin_sparse(ww_device **device, const char *name, uint64_t n) {
    if (not_here() || !begin(device, name)) return NULL;
    uint8_t *x = zeros(n);
    if (x)
        x[first_one] = x[second_one] = 1;
    else
        ww_close(*device);
    return x;
}

static void end(ww_device *device, uint8_t *x, uint64_t n) {
    munmap(x, n);
    ww_close(device);
}

static void sums(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    uint8_t *x = begin_sparse(&device, "reduce", n), sum = 77;
    if (!x) return;
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&sum, 1)), WW_OK);
    expect(sum == 2);
    end(device, x, n);
}

static void extremes(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    uint8_t *x = begin_sparse(&device, "arg_max", n), value = 77;
    uint64_t at = 77;
    if (!x) return;
    expect_status(device, ww_arg_max(device, NULL, ww_memory(x, n), ww_array(&value, 1), ww_array(&at, 1)), WW_OK);
    expect(value == 1 && at == first_one);
    end(device, x, n);
}

/* Bytes by their own loop, and, in rounds, as other elements are counted. */
static void counts(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    uint8_t *x = begin_sparse(&device, "histogram", n);
    if (!x) return;
    const uint8_t low = 0, high = 4;
    for (int rounds = 0; rounds < 2; rounds++) {
        ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
        uint64_t got[4];
        memset(got, 0xA5, sizeof got);
        if (rounds) o.method = WW_HISTOGRAM_WARP;
        expect_status(device,
                      ww_histogram_even(device, ww_memory(x, n), ww_value(uint8_t, low), ww_value(uint8_t, high),
                                        ww_array(got, 4), ww_none, &o),
                      WW_OK);
        expect(got[0] == n - 2 && got[1] == 2 && !got[2] && !got[3]);
    }
    end(device, x, n);
}

static void packed(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    uint8_t *flags = begin_sparse(&device, "pack", n), out[2] = {7, 7};
    uint64_t kept = 77;
    if (!flags) return;
    uint8_t *const x = zeros(n);
    if (x) {
        x[first_one] = 2, x[second_one] = 3;
        x[first_one - BEYOND] = x[second_one - BEYOND] = 9;
        expect_status(device,
                      ww_pack(device, ww_memory(x, n), ww_memory(flags, n), ww_array(out, 2), ww_array(&kept, 1), NULL),
                      WW_OK);
        expect(kept == 2 && out[0] == 2 && out[1] == 3);
        munmap(x, n);
    }
    end(device, flags, n);
}

/* One run of more than 2^32, and short ones. */
static void runs(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    uint8_t *keys = begin_sparse(&device, "runs", n), values[5];
    uint64_t lengths[5], many = 77;
    if (!keys) return;
    expect_status(
        device,
        ww_run_lengths(device, ww_memory(keys, n), ww_array(values, 5), ww_array(lengths, 5), ww_array(&many, 1)),
        WW_OK);
    expect(many == 5 && !values[0] && values[1] == 1 && !values[2] && values[3] == 1 && !values[4]);
    expect(lengths[0] == first_one && lengths[1] == 1 && lengths[2] == second_one - first_one - 1 && lengths[3] == 1 &&
           lengths[4] == n - 1 - second_one);
    end(device, keys, n);
}

/* Needles in order, `low` and then `low` + 1, in memory that has zeros, and ones from 2^33 + 3001 on: they lie as far apart
 * as can be, or close together far up. */
static void check_ordered_needles(ww_device *device, const uint8_t *memory, uint64_t n, uint8_t low) {
    enum { NEEDLES = 3000 };
    static uint8_t needles[NEEDLES];
    static uint64_t found[NEEDLES];
    const uint64_t lower[] = {0, ONES, n}, upper[] = {ONES, n, n};
    for (size_t i = 0; i < NEEDLES; i++) needles[i] = (uint8_t)(low + (i >= NEEDLES / 2));
    for (int above = 0; above < 2; above++) {
        expect_status(device,
                      (above ? ww_upper_bound : ww_lower_bound)(device, NULL, ww_memory(memory, n),
                                                                ww_memory((const uint8_t *)needles, NEEDLES),
                                                                ww_array(found, NEEDLES)),
                      WW_OK);
        for (size_t i = 0; i < NEEDLES; i++) expect(found[i] == (above ? upper : lower)[needles[i]]);
    }
}

/* Few elements far up in memory: segments, bounds, and elements taken and put. */
static void far_places(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = 2 * BEYOND + 4096;
    uint8_t *memory;
    if (!begin(&device, "far places")) return;
    const uint64_t offsets[] = {BEYOND - 3, BEYOND - 3, BEYOND + 1, BEYOND + 1000, BEYOND + 1000};
    uint64_t sums_of[4] = {7, 7, 7, 7};
    expect_status(device,
                  ww_reduce_segments(device, &ww_add, ww_counting(&ww_type_uint64_t, 0, n), ww_memory(offsets, 5),
                                     ww_array(sums_of, 4)),
                  WW_OK);
    expect(!sums_of[0] && sums_of[1] == 4 * BEYOND - 6 && sums_of[2] == 999 * BEYOND + 999 * 1000 / 2 && !sums_of[3]);
    if ((memory = zeros(n))) {
        const uint64_t index[] = {BEYOND + 77, 77, 2 * BEYOND + 77, BEYOND - 1};
        const uint8_t in[] = {1, 2, 3, 4}, needles[] = {0, 1, 2};
        uint8_t out[4] = {9, 9, 9, 9};
        uint64_t bounds[3];
        expect_status(device,
                      ww_scatter(device, ww_memory(in, 4), ww_memory(index, 4), ww_array(memory, n),
                                 ww_scatter_by(WW_CONFLICT_LAST)),
                      WW_OK);
        for (size_t i = 0; i < 4; i++) expect(memory[index[i]] == in[i]);
        expect_status(device, ww_gather(device, ww_memory(memory, n), ww_memory(index, 4), ww_array(out, 4)), WW_OK);
        expect_bytes(out, in, 4);
        for (size_t i = 0; i < 4; i++) memory[index[i]] = 0;
        memset(memory + ONES, 1, n - ONES);
        expect_status(device,
                      ww_lower_bound(device, NULL, ww_memory(memory, n), ww_memory(needles, 3), ww_array(bounds, 3)),
                      WW_OK);
        expect(bounds[0] == 0 && bounds[1] == ONES && bounds[2] == n);
        expect_status(device,
                      ww_upper_bound(device, NULL, ww_memory(memory, n), ww_memory(needles, 3), ww_array(bounds, 3)),
                      WW_OK);
        expect(bounds[0] == ONES && bounds[1] == n && bounds[2] == n);
        check_ordered_needles(device, memory, n, 0);
        check_ordered_needles(device, memory, n, 1);
        munmap(memory, n);
    }
    ww_close(device);
}

/* A match that lies across 2^32, and one behind. */
static void text(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    uint8_t *letters;
    if (not_here() || !begin(&device, "find")) return;
    if ((letters = zeros(n))) {
        static const char pattern[] = "between";
        uint64_t at[2] = {7, 7}, many = 77;
        memcpy(letters + BEYOND - 3, pattern, 7);
        memcpy(letters + n - 7, pattern, 7);
        expect_status(device,
                      ww_find(device, ww_memory(letters, n), pattern, 7, ww_array(at, 2), ww_array(&many, 1), NULL),
                      WW_OK);
        expect(many == 2 && at[0] == BEYOND - 3 && at[1] == n - 7);
        expect_status(device, ww_find_last(device, ww_memory(letters, n), pattern, 7, ww_array(at, 1), NULL), WW_OK);
        expect(at[0] == n - 7);
        munmap(letters, n);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums), cmocka_unit_test(extremes),   cmocka_unit_test(counts), cmocka_unit_test(packed),
        cmocka_unit_test(runs), cmocka_unit_test(far_places), cmocka_unit_test(text)};
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
