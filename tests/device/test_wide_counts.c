/* More than 2^32 elements on a CPU, at no cost of memory: inputs that are computed as they are read, or pages of zeros that nobody
 * has written yet. What comes out lies beyond 32 bits: positions, counts, offsets. (A GPU's are test_huge.c's.) */
#include <stdio.h>
#include <sys/mman.h>

#include "support/cases.h"

static const uint64_t BEYOND = (uint64_t)1 << 32;

/* The first setting is the widest vectors' with two threads. */
static bool begin(ww_device **device, const char *name) {
    CASE("wide", "%s %s", setting_name(0), name);
    if (!case_wanted()) return false;
    *device = setting_open(0);
    return true;
}

static bool left_out(void) {
    if (sizeof(size_t) < 8) printf("left out: sizes have 32 bits\n");
    if (tests_are_short()) printf("left out: takes seconds for each case\n");
    return left_out_on_gpu("test_huge.c is for GPUs") || sizeof(size_t) < 8 || tests_are_short();
}

/* Zeros: pages that are only read are all the same one. NULL where so much cannot be mapped. */
static uint8_t *zeros(uint64_t bytes) {
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        printf("left out: %llu bytes cannot be mapped\n", (unsigned long long)bytes);
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

/* ---- inputs of one byte, of which few are 1 ---- */

WW_STRUCT(places, { uint64_t one, other; });
WW_MAP(is_there, uint8_t, uint64_t, i, places, p, { return (i == p->one) | (i == p->other); });
WW_MAP(is_one, uint8_t, uint8_t, x, void, none, { return x == 1; });
WW_MAP(number_of, uint32_t, uint8_t, x, void, none, { return x; });

static const places there = {((uint64_t)1 << 32) + 5, ((uint64_t)1 << 32) + 9};
static ww_input flags(uint64_t n) { return ww_mapped(&ww_is_there, &there, ww_counting(&ww_type_uint64_t, 0, n)); }

static void sums(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345, three = 3;
    if (left_out() || !begin(&device, "reduce")) return;
    uint64_t sum = 0;
    expect_status(device, ww_reduce(device, &ww_add, ww_constant(&ww_type_uint64_t, &three, n), ww_array(&sum, 1)), WW_OK);
    expect(sum == 3 * n);
    ww_close(device);
}

static void extremes(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    if (left_out() || !begin(&device, "arg_max")) return;
    uint8_t value = 77;
    uint64_t at = 77;
    expect_status(device, ww_arg_max(device, NULL, flags(n), ww_array(&value, 1), ww_array(&at, 1)), WW_OK);
    expect(value == 1 && at == there.one);
    ww_close(device);
}

static void counts(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 70001;
    const uint8_t two = 2, low = 0, high = 4;
    if (left_out() || !begin(&device, "histogram")) return;
    uint64_t got[4], outside = 77;
    const ww_input in = ww_constant(&ww_type_uint8_t, &two, n);
    expect_status(device, ww_histogram_even(device, in, &low, &high, ww_array(got, 4), ww_array(&outside, 1), NULL), WW_OK);
    expect(!got[0] && !got[1] && got[2] == n && !got[3] && !outside);
    memset(got, 0xA5, sizeof got);
    expect_status(device, ww_histogram(device, &ww_number_of, NULL, in, ww_array(got, 4), ww_none, NULL), WW_OK);
    expect(!got[0] && !got[1] && got[2] == n && !got[3]);
    ww_close(device);
}

/* Two are kept of so many: the positions themselves. */
static void packed(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345;
    if (left_out() || !begin(&device, "pack")) return;
    uint64_t out[2] = {7, 7}, kept = 77;
    expect_status(device,
                  ww_pack(device, ww_counting(&ww_type_uint64_t, 0, n), flags(n), ww_array(out, 2), ww_array(&kept, 1), NULL),
                  WW_OK);
    expect(kept == 2 && out[0] == there.one && out[1] == there.other);
    ww_close(device);
}

/* One run of more than 2^32, and a short one. */
static void runs(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = BEYOND + 12345, one = 1;
    uint8_t *keys;
    if (left_out() || !begin(&device, "runs")) return;
    if ((keys = zeros(n))) {
        uint8_t values[2] = {7, 7};
        uint64_t lengths[2] = {7, 7}, many = 77;
        keys[n - 1] = 1;
        expect_status(device,
                      ww_run_lengths(device, ww_memory(keys, n), ww_array(values, 2), ww_array(lengths, 2), ww_array(&many, 1)),
                      WW_OK);
        expect(many == 2 && !values[0] && values[1] == 1 && lengths[0] == n - 1 && lengths[1] == 1);
        uint64_t found[2] = {7, 7};
        expect_status(device,
                      ww_reduce_by_key(device, &ww_add, ww_memory(keys, n), ww_constant(&ww_type_uint64_t, &one, n),
                                       ww_array(values, 2), ww_array(found, 2), ww_array(&many, 1)),
                      WW_OK);
        expect(many == 2 && found[0] == n - 1 && found[1] == 1);
        munmap(keys, n);
    }
    ww_close(device);
}

/* Few elements far up in memory: segments, bounds, and elements taken and put. */
static void far_places(void **state) {
    (void)state;
    ww_device *device;
    const uint64_t n = 2 * BEYOND + 4096;
    uint8_t *memory;
    if (left_out() || !begin(&device, "far places")) return;
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
        expect_status(device, ww_scatter(device, ww_memory(in, 4), ww_memory(index, 4), ww_array(memory, n), WW_CONFLICT_LAST),
                      WW_OK);
        for (size_t i = 0; i < 4; i++) expect(memory[index[i]] == in[i]);
        expect_status(device, ww_gather(device, ww_array(memory, n), ww_memory(index, 4), ww_array(out, 4)), WW_OK);
        expect_bytes(out, in, 4);
        for (size_t i = 0; i < 4; i++) memory[index[i]] = 0;
        memset(memory + 2 * BEYOND + 1, 1, 4095);
        expect_status(device, ww_lower_bound(device, NULL, ww_memory(memory, n), ww_memory(needles, 3), ww_array(bounds, 3)), WW_OK);
        expect(bounds[0] == 0 && bounds[1] == 2 * BEYOND + 1 && bounds[2] == n);
        expect_status(device, ww_upper_bound(device, NULL, ww_memory(memory, n), ww_memory(needles, 3), ww_array(bounds, 3)), WW_OK);
        expect(bounds[0] == 2 * BEYOND + 1 && bounds[1] == n && bounds[2] == n);
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
    if (left_out() || !begin(&device, "find")) return;
    if ((letters = zeros(n))) {
        static const char pattern[] = "between";
        uint64_t at[2] = {7, 7}, many = 77;
        memcpy(letters + BEYOND - 3, pattern, 7);
        memcpy(letters + n - 7, pattern, 7);
        expect_status(device, ww_find(device, ww_memory(letters, n), pattern, 7, ww_array(at, 2), ww_array(&many, 1), NULL), WW_OK);
        expect(many == 2 && at[0] == BEYOND - 3 && at[1] == n - 7);
        expect_status(device, ww_find_last(device, ww_memory(letters, n), pattern, 7, ww_array(at, 1), NULL), WW_OK);
        expect(at[0] == n - 7);
        munmap(letters, n);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums),   cmocka_unit_test(extremes), cmocka_unit_test(counts),
                                       cmocka_unit_test(packed), cmocka_unit_test(runs),     cmocka_unit_test(far_places),
                                       cmocka_unit_test(text)};
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
