/* Indices and offsets of i32 and i64, as those of u32 and u64, negative ones refused with their lowest position; and flags of every
 * integer type. */
#include <stdio.h>

#include "reference/expand.h"
#include "reference/gather.h"
#include "reference/pack.h"
#include "reference/split.h"
#include "support/cases.h"

static const size_t sizes[] = {1, 2, 33, 1000, 4097, 70001};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const ww_type *const index_types[] = {&ww_type_int32_t, &ww_type_int64_t};
enum { INDEX_TYPES = sizeof index_types / sizeof *index_types };

/* A GPU finds bad numbers while it works: the next ww_sync says so. */
static ww_status finished(ww_device *device, ww_status status) {
    return on_gpu() && !status ? ww_sync(device) : status;
}

/* The same numbers as elements of a type. */
static void *as_type(const int64_t *x, size_t n, const ww_type *type) {
    unsigned char *to = need(n * type->size);
    for (size_t i = 0; i < n; i++) {
        const int64_t wide = x[i];
        const int32_t narrow = (int32_t)x[i];
        const int16_t half = (int16_t)x[i];
        const int8_t byte = (int8_t)x[i];
        const void *from = type->size == 8   ? (const void *)&wide
                           : type->size == 4 ? (const void *)&narrow
                           : type->size == 2 ? (const void *)&half
                                             : (const void *)&byte;
        memcpy(to + i * type->size, from, type->size);
    }
    return to;
}

static bool skipped(size_t n) { return on_emulator() && n > 20000; }

/* ---- gather and scatter ---- */

static void check_index(ww_device *device, const char *setting, const ww_type *type, size_t n, bool bad) {
    CASE("index types", "%s gather by %s n=%zu bad=%d", setting, type->label, n, bad);
    if (!case_wanted() || skipped(n)) return;
    uint32_t *x = need(n * sizeof *x);
    uint64_t *index = need(n * sizeof *index), seed = seed_of_run() + n;
    int64_t *given = need(n * sizeof *given);
    for (size_t i = 0; i < n; i++) {
        x[i] = (uint32_t)random_next(&seed);
        index[i] = i;
    }
    for (size_t i = n; i > 1; i--) { /* a permutation, for scattering */
        const size_t j = (size_t)(random_next(&seed) % i);
        const uint64_t kept = index[i - 1];
        index[i - 1] = index[j];
        index[j] = kept;
    }
    if (bad) index[n - 1] = UINT64_MAX - 4; /* -5 */
    if (bad) index[n / 2] = UINT64_MAX - 1; /* -2, or for n = 1 it alone */
    for (size_t i = 0; i < n; i++) given[i] = (int64_t)index[i];
    void *typed = as_type(given, n, type);
    const ww_input by = ww_memory_of(typed, n, type);
    guarded out = guarded_new(n * sizeof *x), wanted = guarded_new(n * sizeof *x);
    char place[64];
    snprintf(place, sizeof place, "index[%zu] is -2, and there are %zu elements", n / 2, n);
    reference_gather(x, n, index, n, wanted.data, sizeof *x);
    expect_status(device, finished(device, ww_gather(device, ww_memory(x, n), by, ww_array((uint32_t *)out.data, n))),
                  bad ? WW_RANGE : WW_OK);
    if (bad) expect_sentence(device, place);
    expect_elements(out.data, wanted.data, n, sizeof *x);
    memset(out.data, 0, out.bytes);
    memset(wanted.data, 0, wanted.bytes);
    reference_scatter(x, &ww_type_uint32_t, sizeof *x, index, n, wanted.data, n, WW_CONFLICT_ADD);
    expect_status(device,
                  finished(device, ww_scatter(device, ww_memory(x, n), by, ww_array((uint32_t *)out.data, n),
                                              ww_scatter_by(WW_CONFLICT_ADD))),
                  bad ? WW_RANGE : WW_OK);
    if (bad) expect_sentence(device, place);
    expect_elements(out.data, wanted.data, n, sizeof *x);
    guarded_check(&out);
    guarded_free(&out);
    guarded_free(&wanted);
    free(typed);
    free(given);
    free(index);
    free(x);
}

static void indices(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < INDEX_TYPES; t++)
            for (size_t i = 0; i < SIZES; i++) {
                check_index(device, setting_name(s), index_types[t], sizes[i], false);
                check_index(device, setting_name(s), index_types[t], sizes[i], true);
            }
        ww_close(device);
    }
}

/* An i32 is never a place beyond 2^31, whatever there is room for. Elements of one byte, none of which is touched. */
static void beyond_i32(void **state) {
    (void)state;
    if (left_out_on_gpu("the memory is not there")) return;
    const int32_t index[2] = {0, -1};
    uint8_t byte = 7, out[2];
    const ww_input many = ww_memory_of(&byte, (uint64_t)1 << 33, &ww_type_uint8_t);
    for (size_t s = 0; s < setting_count(); s++) {
        CASE("index types", "%s beyond i32", setting_name(s));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(s);
        expect_status(device, ww_gather(device, many, ww_memory(index, 2), ww_array(out, 2)), WW_RANGE);
        expect_sentence(device, "index[1] is -1, and there are 8589934592 elements");
        ww_close(device);
    }
}

/* ---- offsets ---- */

/* The offsets of n segments of 0 to 9 elements; the last one is their sum. */
static int64_t *make_offsets(size_t n) {
    int64_t *offsets = need((n + 1) * sizeof *offsets);
    uint64_t seed = seed_of_run() + n;
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) offsets[i + 1] = offsets[i] + (int64_t)(random_next(&seed) % 10);
    return offsets;
}

static void check_offsets(ww_device *device, const char *setting, const ww_type *type, size_t n) {
    CASE("index types", "%s offsets of %s n=%zu", setting, type->label, n);
    if (!case_wanted() || skipped(n)) return;
    int64_t *offsets = make_offsets(n);
    const size_t all = (size_t)offsets[n];
    void *typed = as_type(offsets, n + 1, type);
    const ww_input by = ww_memory_of(typed, n + 1, type);
    uint32_t *x = need(all * sizeof *x + 1), *sorted = need(all * sizeof *x + 1), *source = need(all * sizeof *x + 1),
             *sums = need(n * sizeof *sums);
    uint64_t seed = seed_of_run();
    for (size_t i = 0; i < all; i++) x[i] = (uint32_t)random_next(&seed) % 1000;
    expect_status(device, ww_reduce_segments(device, &ww_add, ww_memory(x, all), by, ww_array(sums, n)), WW_OK);
    expect_status(device,
                  ww_sort_segments(device, ww_memory(x, all), ww_no_input, by, ww_array(sorted, all), ww_none, NULL),
                  WW_OK);
    expect_status(device, ww_expand_offsets(device, ww_no_input, by, ww_none, ww_array(source, all), ww_none), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < n; i++) {
        uint32_t sum = 0, sum_sorted = 0;
        for (size_t k = (size_t)offsets[i]; k < (size_t)offsets[i + 1]; k++) {
            sum += x[k];
            sum_sorted += sorted[k];
            expect(source[k] == i && (k == (size_t)offsets[i] || sorted[k - 1] <= sorted[k]));
        }
        expect(sums[i] == sum && sum == sum_sorted);
    }
    free(sums);
    free(source);
    free(sorted);
    free(x);
    free(typed);
    free(offsets);
}

#define SAYS(call, ...) \
    do { \
        expect_status(device, finished(device, call), WW_RANGE); \
        expect_sentence(device, __VA_ARGS__); \
    } while (0)

/* A negative one among good ones, at a place that varies. */
static void check_negative_offset(ww_device *device, const char *setting, const ww_type *type, size_t n, size_t at) {
    CASE("index types", "%s offsets of %s n=%zu negative at %zu", setting, type->label, n, at);
    if (!case_wanted() || skipped(n)) return;
    int64_t *offsets = make_offsets(n);
    const size_t all = (size_t)offsets[n];
    offsets[at] = -3;
    if (at < n) offsets[n] = -1;
    void *typed = as_type(offsets, n + 1, type);
    const ww_input by = ww_memory_of(typed, n + 1, type);
    uint8_t *x = need(all + 1), *out = need(all + 1), *sums = need(n);
    char place[64];
    memset(x, 'a', all);
    snprintf(place, sizeof place, "offsets[%zu] is -3", at);
    SAYS(ww_reduce_segments(device, &ww_add, ww_memory(x, all), by, ww_array(sums, n)), place);
    SAYS(ww_sort_segments(device, ww_memory(x, all), ww_no_input, by, ww_array(out, all), ww_none, NULL), place);
    SAYS(ww_expand_offsets(device, ww_memory(x, n), by, ww_array(out, n), ww_none, ww_none), place, "below 0");
    uint64_t count = 0;
    SAYS(ww_find_texts(device, ww_memory(x, all), by, "a", 1, ww_none, ww_none, ww_array(&count, 1), NULL), place);
    free(sums);
    free(out);
    free(x);
    free(typed);
    free(offsets);
}

static void offsets_of_segments(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < INDEX_TYPES; t++)
            for (size_t i = 0; i < SIZES; i++) {
                const size_t n = sizes[i];
                check_offsets(device, setting_name(s), index_types[t], n);
                if (n < 33) continue; /* there are elements */
                check_negative_offset(device, setting_name(s), index_types[t], n, 0);
                check_negative_offset(device, setting_name(s), index_types[t], n, n / 2);
                check_negative_offset(device, setting_name(s), index_types[t], n, n);
            }
        ww_close(device);
    }
}

/* ---- counts ---- */

static const ww_type *const signed_types[] = {&ww_type_int8_t, &ww_type_int16_t, &ww_type_int32_t, &ww_type_int64_t};
enum { SIGNED_TYPES = sizeof signed_types / sizeof *signed_types };

static void check_counts(ww_device *device, const char *setting, const ww_type *type, size_t n, bool bad) {
    CASE("index types", "%s counts of %s n=%zu bad=%d", setting, type->label, n, bad);
    if (!case_wanted() || skipped(n)) return;
    int64_t *given = need(n * sizeof *given);
    uint64_t *counts = need(n * sizeof *counts), *wanted = need(8 * n * sizeof *wanted), seed = seed_of_run() + n;
    for (size_t i = 0; i < n; i++) given[i] = (int64_t)(counts[i] = random_next(&seed) % 8);
    const size_t all = (size_t)reference_expand(NULL, 0, counts, n, 8 * n, NULL, wanted, NULL);
    if (bad) given[n - 1] = -1;
    if (bad) given[n / 2] = -2;
    void *typed = as_type(given, n, type);
    uint64_t *source = need(8 * n * sizeof *source), total = 0;
    const ww_status status = ww_expand(device, ww_no_input, ww_memory_of(typed, n, type), ww_none,
                                       ww_array(source, 8 * n), ww_none, ww_array(&total, 1));
    if (bad) {
        char place[64];
        expect_status(device, finished(device, status), WW_RANGE);
        snprintf(place, sizeof place, "counts[%zu] is -2, below 0", n / 2);
        expect_sentence(device, place);
    } else {
        expect_status(device, finished(device, status), WW_OK);
        expect(total == all);
        expect_elements(source, wanted, all, sizeof *source);
    }
    free(source);
    free(typed);
    free(wanted);
    free(counts);
    free(given);
}

static void counts_of_children(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < SIGNED_TYPES; t++)
            for (size_t i = 0; i < SIZES; i++) {
                check_counts(device, setting_name(s), signed_types[t], sizes[i], false);
                check_counts(device, setting_name(s), signed_types[t], sizes[i], true);
            }
        ww_close(device);
    }
}

/* ---- flags ---- */

static const ww_type *const flag_types[] = {&ww_type_int8_t,   &ww_type_uint16_t, &ww_type_int16_t, &ww_type_uint32_t,
                                            &ww_type_uint64_t, &ww_type_int32_t,  &ww_type_int64_t};
enum { FLAG_TYPES = sizeof flag_types / sizeof *flag_types };

/* Numbers whose lowest byte says nothing: 0, 256, -1, the lowest of the type. */
static void choose(int64_t *flags, uint8_t *set, size_t n, const ww_type *type) {
    const int64_t lowest = (int64_t)((uint64_t)1 << (8 * type->size - 1)),
                  some[] = {0, type->size > 1 ? 256 : 64, -1, lowest};
    uint64_t seed = seed_of_run() + n;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        flags[i] = r % 2 ? 0 : some[r / 2 % 4];
        set[i] = flags[i] != 0;
    }
}

static void check_flags(ww_device *device, const char *setting, const ww_type *type, size_t n) {
    CASE("index types", "%s flags of %s n=%zu", setting, type->label, n);
    if (!case_wanted() || skipped(n)) return;
    int64_t *flags = need(n * sizeof *flags);
    uint8_t *set = need(n);
    choose(flags, set, n, type);
    void *typed = as_type(flags, n, type);
    const ww_input by = ww_memory_of(typed, n, type);
    uint32_t *x = need(n * sizeof *x), *out = need(n * sizeof *x), *wanted = need(n * sizeof *x), count = 0;
    uint64_t seed = seed_of_run();
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)random_next(&seed);
    const ww_input in = ww_memory(x, n);
    const size_t kept = reference_pack(wanted, x, set, n, sizeof *x);
    for (uint32_t method = 0; method <= WW_PACK_ENUMERATE; method += WW_PACK_ENUMERATE) {
        ww_pack_options options = WW_PACK_OPTIONS;
        options.method = method;
        expect_status(device, ww_pack(device, in, by, ww_array(out, n), ww_array(&count, 1), &options), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(count == kept);
        expect_elements(out, wanted, kept, sizeof *x);
    }
    reference_split(wanted, x, set, n, sizeof *x, false);
    expect_status(device, ww_split(device, in, by, ww_array(out, n), ww_array(&count, 1), NULL), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(count == n - kept);
    expect_elements(out, wanted, n, sizeof *x);
    expect_status(device, ww_enumerate(device, by, ww_array(out, n), ww_array(&count, 1)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(count == kept);
    for (size_t i = 0, before = 0; i < n; before += set[i++]) expect(out[i] == before);
    expect_status(device, ww_scan_segmented(device, &ww_add, in, by, ww_array(out, n), NULL), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < n; i++) wanted[i] = i && !set[i] ? wanted[i - 1] + x[i] : x[i];
    expect_elements(out, wanted, n, sizeof *x);
    free(wanted);
    free(out);
    free(x);
    free(typed);
    free(set);
    free(flags);
}

static void flags_of_all_types(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < FLAG_TYPES; t++)
            for (size_t i = 0; i < SIZES && !left_to_gpus(t); i++)
                check_flags(device, setting_name(s), flag_types[t], sizes[i]);
        ww_close(device);
    }
}

/* ---- what is refused ---- */

WW_MAP(next_flag, uint32_t, uint32_t, x, void, none, { return x + 1; });

static void errors(void **state) {
    (void)state;
    uint32_t *x = need(8 * sizeof *x), *out = need(8 * sizeof *out), count = 0;
    float *f = need(8 * sizeof *f);
    ww_u128 *wide = need(8 * sizeof *wide);
    memset(x, 0, 8 * sizeof *x);
    const ww_input in = ww_memory(x, 8), floats = ww_memory(f, 8);
    const ww_array to = ww_array(out, 8), c = ww_array(&count, 1);
    CASE("index types", "errors");
    if (case_wanted()) {
        ww_device *device = setting_open(0);
#define REFUSED(status, call, ...) \
    expect_status(device, call, status); \
    expect_sentence(device, __VA_ARGS__)
        REFUSED(WW_TYPE, ww_pack(device, in, floats, to, c, NULL), "flags is of type f32", "integers of up to 64 bits");
        REFUSED(WW_TYPE, ww_split(device, in, floats, to, c, NULL), "flags is of type f32");
        REFUSED(WW_TYPE, ww_enumerate(device, floats, to, c), "flags is of type f32");
        REFUSED(WW_TYPE, ww_scan_segmented(device, &ww_add, in, floats, to, NULL), "heads is of type f32");
        REFUSED(WW_TYPE, ww_pack(device, in, ww_memory(wide, 8), to, c, NULL), "flags is of type u128");
        REFUSED(WW_TYPE, ww_gather(device, in, floats, to), "index is of type f32, not u32, u64, i32 or i64");
        REFUSED(WW_TYPE, ww_gather(device, in, ww_memory((int16_t *)(void *)x, 8), to), "index is of type i16");
        REFUSED(WW_TYPE, ww_expand(device, ww_no_input, ww_memory(wide, 8), ww_none, to, ww_none, c),
                "counts are u128");
        ww_input long_flags = in;
        for (int k = 1; k < WW_INPUT_STEPS; k++) long_flags = ww_mapped(&next_flag_ww, long_flags);
        REFUSED(WW_LIMIT, ww_pack(device, in, long_flags, to, c, NULL), "at most 9 steps");
        ww_close(device);
    }
    free(wide);
    free(f);
    free(out);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices),
        cmocka_unit_test(beyond_i32),
        cmocka_unit_test(offsets_of_segments),
        cmocka_unit_test(counts_of_children),
        cmocka_unit_test(flags_of_all_types),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
