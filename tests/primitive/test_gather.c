/* Gathering against a serial oracle: every type and many record sizes, indices of u32 and u64 in every shape, good and
 * bad, computed and in memory. */
#include <sched.h>
#include <stdio.h>

#include "device/device.h"
#include "function/types.h"
#include "reference/gather.h"
#include "support/cases.h"

/* Each way of moving an element, and the sizes between. */
static const size_t record_sizes[] = {1,  2,  3,  4,  5,  7,   8,   9,   12,   15,   16,   17,   24,   31,   32,
                                      33, 48, 63, 64, 65, 100, 128, 129, 1000, 4095, 4096, 4100, 9000, 20000};
enum { RECORDS = sizeof record_sizes / sizeof *record_sizes };

typedef enum order { RANDOM, ALL_ONE, FORWARD, BACKWARD, NEAR, ORDERS } order;
static const char *const order_names[] = {"random", "all one", "forward", "backward", "near"};

static void fill_index(uint64_t *index, size_t n, size_t count, order o, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        index[i] = (o == RANDOM     ? r
                    : o == ALL_ONE  ? count / 2
                    : o == FORWARD  ? i
                    : o == BACKWARD ? n - 1 - i
                                    : i / 8 + r % 8) %
                   count;
    }
}

/* The index as an input of u32 or u64; *narrow is to be freed. */
static ww_input index_input(const uint64_t *index, size_t n, bool wide, uint32_t **narrow) {
    *narrow = NULL;
    if (wide) return ww_memory(index, n);
    *narrow = need(n * sizeof **narrow);
    for (size_t i = 0; i < n; i++) (*narrow)[i] = (uint32_t)index[i];
    return ww_memory(*narrow, n);
}

/* A GPU finds bad indices while it works: the next ww_sync says so. */
static ww_status finished(ww_device *device, ww_status status) {
    return on_gpu() && !status ? ww_sync(device) : status;
}

static void check_gather(ww_device *device, const char *setting, const ww_type *type, size_t size, size_t n,
                         size_t count, order o, bool wide, size_t bad) {
    CASE("gather", "%s %s size=%zu n=%zu from=%zu %s u%d bad=%zu", setting, type->label, size, n, count, order_names[o],
         wide ? 64 : 32, bad);
    if (!case_wanted() || (on_emulator() && n * size > 2000000)) return;
    unsigned char *from = need(count * size);
    uint64_t *index = need(n * sizeof *index), state = seed_of_run();
    fill(from, type, size, count, UNIFORM, seed_of_run());
    fill_index(index, n, count, o, seed_of_run() + n);
    size_t lowest = SIZE_MAX;
    for (size_t b = 0; b < bad; b++) {
        const size_t at = (size_t)(random_next(&state) % n);
        index[at] = b % 2 ? (wide ? UINT64_MAX : UINT32_MAX) : count;
        if (at < lowest) lowest = at;
    }
    uint32_t *narrow;
    const ww_input in = index_input(index, n, wide, &narrow);
    guarded out = guarded_new(n * size), wanted = guarded_new(n * size);
    reference_gather(from, count, index, n, wanted.data, size);
    const ww_array a = {from, count, type, size, NULL, 0}, to = {out.data, n, type, size, NULL, 0};
    expect_status(device, finished(device, ww_gather(device, ww_from(a), in, to)), bad ? WW_RANGE : WW_OK);
    if (bad) {
        char place[64];
        snprintf(place, sizeof place, "index[%zu] is %llu", lowest, (unsigned long long)index[lowest]);
        expect_sentence(device, on_gpu() ? "ww_gather (queued): " : "ww_gather: ", place);
    }
    expect_elements(out.data, wanted.data, n, size);
    guarded_check(&out);
    guarded_free(&out);
    guarded_free(&wanted);
    free(narrow);
    free(index);
    free(from);
}

static void types_and_sizes(void **state) {
#define LISTED(T, label) &ww_type_##T,
    static const ww_type *const types[] = {WW__EACH_NUMBER(LISTED)};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            size_t sizes;
            const size_t *n = sizes_of(types[t]->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_gather(device, setting_name(s), types[t], types[t]->size, n[i], 1 + (i + t) * 997 % 70000,
                             (order)((i + t) % ORDERS), (i + t + s) % 2, n[i] && i % 4 == 0 ? i : 0);
        }
        ww_close(device);
    }
}

static void records(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t r = 0; r < RECORDS; r++) {
            const size_t size = record_sizes[r], many = (on_emulator() ? 60000 : 600000) / size + 3;
            check_gather(device, setting_name(s), &ww_type_record, size, many, many / 2 + 1, RANDOM, r % 2, 0);
            check_gather(device, setting_name(s), &ww_type_record, size, many, many / 2 + 1, BACKWARD, (r + 1) % 2, 2);
            check_gather(device, setting_name(s), &ww_type_record, size, 70, 33, RANDOM, r % 2, r % 3);
        }
        ww_close(device);
    }
}

/* Outputs so large that they go past the caches. */
static void large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        check_gather(device, setting_name(s), &ww_type_uint32_t, 4, 4 * size_large(), size_large(), RANDOM, s % 2, 0);
        check_gather(device, setting_name(s), &ww_type_uint64_t, 8, 2 * size_large(), 1000, NEAR, (s + 1) % 2, 3);
        check_gather(device, setting_name(s), &ww_type_record, 100, on_emulator() ? 4000 : 400000, 5000, RANDOM, s % 2,
                     0);
        check_gather(device, setting_name(s), &ww_type_record, 5000, on_emulator() ? 90 : 9000, 700, RANDOM, s % 2, 1);
        ww_close(device);
    }
}

WW_MAP(backwards, uint64_t, uint64_t, i, uint64_t, last, { return *last - i; });

static void computed_index(void **state) {
    enum { N = 150000 };
    uint16_t *x = need(N * sizeof *x), *out = need(N * sizeof *out);
    uint64_t last = N - 1;
    (void)state;
    for (size_t i = 0; i < N; i++) x[i] = (uint16_t)(i * 7);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("gather", "%s computed index", setting_name(s));
        const ww_input index = ww_mapped(ww_with(backwards, &last), ww_counting(&ww_type_uint64_t, 0, N));
        expect_status(device, ww_gather(device, ww_memory(x, N), index, ww_array(out, N)), WW_OK);
        for (size_t i = 0; i < N; i++) expect(out[i] == x[N - 1 - i]);
        expect_status(device, finished(device, ww_gather(device, ww_memory(x, N - 1), index, ww_array(out, N))),
                      WW_RANGE);
        expect_sentence(device, "index[0] is 149999", "149999 elements");
        ww_close(device);
    }
    free(x);
    free(out);
}

static void scratch(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    for (size_t r = 0; r < RECORDS; r++) {
        ww_device *device = setting_open(0);
        const size_t size = record_sizes[r], n = ((size_t)1 << 24) / size + 1;
        ww_device_info info = WW_DEVICE_INFO;
        CASE("scratch", "gather size=%zu", size);
        unsigned char *out = need(n * size), *from = need(10 * size);
        uint64_t last = 9;
        const ww_input index = ww_constant(ww_value(uint64_t, last), n);
        memset(from, 1, 10 * size);
        expect_status(device, ww_gather(device, ww_record_memory(from, 10, size), index, ww_records(out, n, size)),
                      WW_OK);
        ww_device_info_get(device, &info);
        expect(info.scratch_peak <= 65536 + 65536 * (size_t)info.threads);
        free(out);
        free(from);
        ww_close(device);
    }
}

/* Two indices are bad, each in one of the two pieces. Neither is read before a worker is at each, so that both tell at about
 * the same time; many a time, since which is first is for the machine to decide. */
enum { MET_COUNT = 1 << 17, MET_FIRST = 1000, MET_SECOND = MET_COUNT / 4 * 3 + 1000 };
static unsigned met_delay; /* of the worker that comes last, which is the first to know */
static int met;            /* atomic: workers that are at one of the two */

WW_MAP(bad_when_both, uint64_t, uint64_t, i, void, none, {
    if (i == MET_FIRST || i == MET_SECOND) {
        const int last = __atomic_fetch_add(&met, 1, __ATOMIC_ACQ_REL);
        for (volatile unsigned k = 0; last && k < met_delay; k++) {}
        for (unsigned looks = 0; __atomic_load_n(&met, __ATOMIC_ACQUIRE) < 2; looks++)
            if (looks > 1000) sched_yield();
        return UINT64_MAX;
    }
    return i;
});

static void lowest_of_two_at_once(void **state) {
    (void)state;
    if (left_out_on_gpu("workers are the CPU's")) return;
    uint8_t *x = need(MET_COUNT), *out = need(MET_COUNT);
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = 2;
    memset(x, 1, MET_COUNT);
    CASE("gather", "bad indices found at once");
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    device->light_bytes = 0; /* the other thread begins at once: each waits for the other */
    const bool wanted = case_wanted();
    const ww_input index = ww_mapped(&bad_when_both_ww, ww_counting(&ww_type_uint64_t, 0, MET_COUNT));
    const unsigned turns = tests_are_short() ? 256 : 1500;
    for (unsigned turn = 0; turn < turns && wanted; turn++) {
        met = 0;
        met_delay = turn % 256;
        expect_status(device, ww_gather(device, ww_memory(x, MET_COUNT), index, ww_array(out, MET_COUNT)), WW_RANGE);
        expect_sentence(device, "index[1000] is");
    }
    ww_close(device);
    free(x);
    free(out);
}

/* Indices that are computed from elements of more than a KiB. */
WW_STRUCT(index_page, {
    uint64_t index;
    uint8_t rest[2040];
});
WW_MAP(page_of_index, index_page, uint64_t, i, void, none, {
    index_page page;
    for (int b = 0; b < 2040; b++) page.rest[b] = 0;
    page.index = 100 * i;
    return page;
});
WW_MAP(index_of_page, uint64_t, index_page, page, void, none, { return page.index; });

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[8] = {0}, out[8], index[8] = {0};
    memset(out, 0x5A, sizeof out);
    const ww_array a = ww_array(x, 8), to = ww_array(out, 8);
    const ww_input in = ww_memory(index, 8);
    CASE("refused", "gather");
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        for (size_t i = 0; i < 8; i++) expect(out[i] == 0x5A5A5A5A); \
    } while (0)
    REFUSED(WW_INVALID, ww_gather(device, ww_no_input, in, to), "ww_gather: in");
    REFUSED(WW_INVALID, ww_gather(device, ww_from(a), ww_no_input, to), "index");
    REFUSED(WW_INVALID, ww_gather(device, ww_from(a), in, ww_none), "out");
    REFUSED(WW_INVALID, ww_gather(device, ww_memory((uint32_t *)NULL, 8), in, to), "in is NULL");
    REFUSED(WW_INVALID, ww_gather(device, ww_from(a), in, ww_array(out, 7)), "8", "7");
    REFUSED(WW_INVALID, ww_gather(device, ww_counting(&ww_type_uint32_t, 0, 8), in, to), "in is computed", "ww_store");
    REFUSED(WW_TYPE, ww_gather(device, ww_from(a), ww_memory((uint16_t *)index, 8), to), "u16");
    REFUSED(WW_TYPE, ww_gather(device, ww_from(a), in, ww_array((float *)(void *)out, 8)), "f32");
    REFUSED(WW_TYPE, ww_gather(device, ww_record_memory(x, 8, 4), in, ww_records(out, 8, 3)), "4 bytes", "3 bytes");
    REFUSED(WW_OVERLAP, ww_gather(device, ww_memory(out + 4, 4), in, to), "out");
    REFUSED(WW_OVERLAP, ww_gather(device, ww_from(a), ww_memory(out, 8), to), "index");
    REFUSED(WW_RANGE, ww_gather(device, ww_memory(x, 0), in, to), "index[0] is 0", "0 elements");
    const ww_input pages = ww_mapped(&page_of_index_ww, ww_counting(&ww_type_uint64_t, 1, 8));
    REFUSED(WW_RANGE, ww_gather(device, ww_memory(x, 0), ww_mapped(&index_of_page_ww, pages), to), "index[0] is 100",
            "0 elements");
    expect(ww_gather(NULL, ww_from(a), in, to) == WW_INVALID);
    expect_status(device, ww_gather(device, ww_from(a), ww_memory(index, 0), ww_array(out, 0)), WW_OK);
    ww_close(device);
}

/* What a GPU's record of bad data promises: the first call's lowest position, reported once, by whatever waits first; calls
 * queued behind it do nothing. On a CPU the call itself says it. */
static void record(void **state) {
    enum { N = 3000 };
    (void)state;
    if (!on_gpu()) return;
    ww_device *device = setting_open(0);
    uint32_t *x = need(N * sizeof *x), *index = need(N * sizeof *index), *bad = need(N * sizeof *bad);
    uint32_t *first = need(N * sizeof *first), *second = need(N * sizeof *second), one = 0;
    CASE("gather", "the record");
    if (!case_wanted()) return;
    for (uint32_t i = 0; i < N; i++) {
        x[i] = i + 7;
        index[i] = i;
        bad[i] = i >= 17 ? N + i : i;
        first[i] = second[i] = 1;
    }
    expect(!ww_gather(device, ww_memory(x, N), ww_memory(bad, N), ww_array(first, N)));
    expect(!ww_gather(device, ww_memory(x, N), ww_memory(index, N), ww_array(second, N)));
    expect(!ww_gather(device, ww_memory(x, 5), ww_memory(index, N), ww_array(second, N)));
    expect_status(device, ww_sync(device), WW_RANGE);
    expect_sentence(device, "ww_gather (queued): index[17] is 3017, and there are 3000 elements");
    for (uint32_t i = 0; i < N; i++) expect(first[i] == (i < 17 ? i + 7 : 1) && second[i] == 1);
    expect_status(device, ww_sync(device), WW_OK);
    expect_status(device, ww_gather(device, ww_memory(x, N), ww_memory(index, N), ww_array(second, N)), WW_OK);
    expect_bytes(second, x, N * sizeof *x);
    expect(!ww_gather(device, ww_memory(x, 9), ww_memory(index, N), ww_array(second, N)));
    expect_status(device, ww_copy(device, ww_memory(x, 1), ww_array(&one, 1)), WW_RANGE);
    expect_sentence(device, "ww_gather (queued): index[9] is 9, and there are 9 elements");
    expect(!ww_gather(device, ww_memory(x, 9), ww_memory(index, N), ww_array(second, N)));
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, N), ww_array(&one, 1)), WW_RANGE);
    expect_status(device, ww_sync(device), WW_OK);
    expect(!ww_gather(device, ww_memory(x, 9), ww_memory(index, N), ww_array(second, N)));
    ww_close(device);
    free(second);
    free(first);
    free(bad);
    free(index);
    free(x);
}

/* The last index is outside, wherever the rows that vector units look up end. */
static void last_is_bad(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (uint32_t n = 1; n <= 18; n++) {
            CASE("gather", "%s the last of %u is outside", setting_name(s), n);
            if (!case_wanted()) continue;
            for (int k = 0; k < 4; k++) {
                const bool wide = k % 2, long_elements = k / 2;
                uint32_t *narrow = need(n * 4), *from = need(20 * 4);
                uint64_t *index = need(n * 8), *from_long = need(20 * 8);
                guarded out = guarded_new(n * 8);
                for (uint32_t i = 0; i < 20; i++) from[i] = i + 1, from_long[i] = i + 1;
                for (uint32_t i = 0; i < n; i++)
                    narrow[i] = i + 1 == n ? 20 : i, index[i] = i + 1 == n ? (n % 2 ? 20 : UINT64_MAX) : i;
                memset(out.data, 0x5a, n * 8);
                const ww_input at = wide ? ww_memory(index, n) : ww_memory(narrow, n);
                const ww_status status = long_elements ? ww_gather(device, ww_memory(from_long, 20), at,
                                                                   ww_array((uint64_t *)out.data, n))
                                                       : ww_gather(device, ww_memory(from, 20), at,
                                                                   ww_array((uint32_t *)out.data, n));
                expect_status(device, finished(device, status), WW_RANGE);
                for (uint32_t i = 0; i < n; i++) {
                    const uint64_t got = long_elements ? ((uint64_t *)out.data)[i] : ((uint32_t *)out.data)[i];
                    expect(got == (i + 1 < n ? i + 1 : long_elements ? 0x5a5a5a5a5a5a5a5a : 0x5a5a5a5a));
                }
                guarded_check(&out), guarded_free(&out);
                free(narrow), free(from), free(index), free(from_long);
            }
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_is_bad), cmocka_unit_test(types_and_sizes), cmocka_unit_test(records),
        cmocka_unit_test(large),       cmocka_unit_test(computed_index),  cmocka_unit_test(scratch),
        cmocka_unit_test(refused),     cmocka_unit_test(record),          cmocka_unit_test(lowest_of_two_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
