/* Packing and unique where the output is the array that is read: elements of every size, all shares kept, by flags, by a predicate, by
 * changes and by the caller's equality, beside the same call into another array. */
#include <stdio.h>

#include "reference/pack.h"
#include "reference/run.h"
#include "support/cases.h"

WW_STRUCT(tagged, { uint32_t key, tag[10]; });

WW_MAP(odd_byte, uint8_t, uint8_t, x, void, none, { return x & 1; });
WW_MAP(odd_number, uint32_t, uint32_t, x, void, none, { return x & 1; });
WW_MAP(odd_tagged, uint8_t, tagged, x, void, none, { return (uint8_t)(x.key & 1); });
WW_MAP2(same_half, uint8_t, uint32_t, a, uint32_t, b, void, none, { return a / 2 == b / 2; });
WW_MAP2(same_key, uint8_t, tagged, a, tagged, b, void, none, { return a.key == b.key; });
WW_MAP(times_three, uint32_t, uint32_t, x, void, none, { return 3 * x; });

static const struct {
    const ww_type *type;
    size_t size;
} elements[] = {
    {&ww_type_uint8_t, 1}, {&ww_type_uint32_t, 4},  {&ww_type_double, 8},  {&ww_type_ww_u128, 16},
    {&ww_type_record, 3},  {&ww_type_record, 28},   {&ww_type_record, 40}, {&ww_type_record, 100},
    {&tagged_ww, 44},      {&ww_type_record, 5000},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

typedef enum share { NONE, ALL, HALF, MOST, FEW_KEPT, FIRST_GONE, LATER_HALF, SHARES } share;
static const char *const share_names[] = {
    "none", "all", "half", "most", "few", "all but the first", "half from the middle on"};

static bool is_kept(share s, size_t i, size_t n, uint64_t r) {
    switch (s) {
    case NONE:
        return false;
    case ALL:
        return true;
    case HALF:
        return r & 1;
    case MOST:
        return r % 100 != 0;
    case FEW_KEPT:
        return r % 100 == 0;
    case FIRST_GONE:
        return i != 0;
    default:
        return i < n / 2 || (r & 1);
    }
}

static bool skipped(size_t n, size_t size) { return on_emulator() && n * size > 1 << 19; }

static ww_array array_of(void *data, size_t n, const ww_type *type, size_t size) {
    return (ww_array){data, n, type, size, NULL, 0};
}

/* What is behind the kept elements is unspecified, but nothing behind the array is written. */
static void expect_packed(guarded *x, const void *wanted, size_t kept, size_t size) {
    expect_elements(x->data, wanted, kept, size);
    guarded_check(x);
}

/* ---- pack ---- */

static void check_pack(ww_device *device, const char *setting, size_t e, size_t n, share s, uint32_t method) {
    const ww_type *type = elements[e].type;
    const size_t size = elements[e].size;
    CASE("in place", "%s pack %s %zu n=%zu %s method %u", setting, type->label, size, n, share_names[s], method);
    if (!case_wanted() || skipped(n, size)) return;
    guarded x = guarded_new(n * size);
    unsigned char *wanted = need(n * size + 1);
    uint8_t *flags = need(n + 1);
    uint64_t seed = seed_of_run() + n, count = 77;
    fill(x.data, &ww_type_record, size, n, UNIFORM, seed);
    for (size_t i = 0; i < n; i++) flags[i] = is_kept(s, i, n, random_next(&seed) >> 20);
    const size_t kept = reference_pack(wanted, x.data, flags, n, size);
    const ww_array in = array_of(x.data, n, type, size);
    ww_pack_options options = WW_PACK_OPTIONS;
    options.method = method;
    expect_status(device, ww_pack(device, ww_from(in), ww_memory(flags, n), in, ww_array(&count, 1), &options), WW_OK);
    expect(count == kept);
    expect_packed(&x, wanted, kept, size);
    guarded_free(&x);
    free(wanted);
    free(flags);
}

static void packs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < ELEMENTS; e++) {
            size_t sizes;
            const size_t *n = sizes_of(elements[e].size, &sizes);
            if (left_to_gpus(e)) continue;
            for (size_t i = 0; i < sizes; i++) {
                check_pack(device, setting_name(s), e, n[i], (share)((i + e) % SHARES), WW_PACK_AUTO);
                check_pack(device, setting_name(s), e, n[i], (share)((i + e + 3) % SHARES), WW_PACK_AUTO);
                if (e % 3 == 1)
                    check_pack(device, setting_name(s), e, n[i], (share)((i + e + 1) % SHARES), WW_PACK_ENUMERATE);
            }
        }
        ww_close(device);
    }
}

static void large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (share k = NONE; k < SHARES; k++) check_pack(device, setting_name(s), 1, size_large(), k, WW_PACK_AUTO);
        check_pack(device, setting_name(s), 0, size_large(), MOST, WW_PACK_AUTO);
        check_pack(device, setting_name(s), 3, size_large() / 3, HALF, WW_PACK_AUTO);
        ww_close(device);
    }
}

/* By predicates, also of elements that are computed of what is written. */
static void check_predicate(ww_device *device, const char *setting, size_t e, size_t n, bool mapped, bool all) {
    static const ww_function *const keep[] = {&odd_byte_ww, &odd_number_ww};
    const ww_type *type = elements[e].type;
    const size_t size = elements[e].size;
    const ww_function *by = type == &tagged_ww ? &odd_tagged_ww : keep[e];
    CASE("in place", "%s pack_if %s n=%zu mapped=%d all=%d", setting, type->label, n, mapped, all);
    if (!case_wanted() || skipped(n, size)) return;
    guarded x = guarded_new(n * size);
    unsigned char *wanted = need(n * size + 1);
    uint8_t *flags = need(n + 1);
    uint64_t count = 77;
    fill(x.data, &ww_type_record, size, n, UNIFORM, seed_of_run() + n);
    for (size_t i = 0; all && i < n; i++) ((unsigned char *)x.data)[i * size] |= 1;
    for (size_t i = 0; i < n; i++) flags[i] = *((unsigned char *)x.data + i * size) & 1;
    const size_t kept = reference_pack(wanted, x.data, flags, n, size);
    for (size_t i = 0; mapped && i < kept; i++) ((uint32_t *)(void *)wanted)[i] *= 3;
    const ww_array in = array_of(x.data, n, type, size);
    const ww_input from = mapped ? ww_mapped(&times_three_ww, ww_from(in)) : ww_from(in);
    expect_status(device, ww_pack_if(device, by, from, in, ww_array(&count, 1), NULL), WW_OK);
    expect(count == kept);
    expect_packed(&x, wanted, kept, size);
    guarded_free(&x);
    free(wanted);
    free(flags);
}

static void predicates(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < ELEMENTS; e++) {
            if (e > 1 && elements[e].type != &tagged_ww) continue;
            size_t sizes;
            const size_t *n = sizes_of(elements[e].size, &sizes);
            for (size_t i = 0; i < sizes; i++) {
                check_predicate(device, setting_name(s), e, n[i], false, i % 2);
                if (e != 1) continue;
                check_predicate(device, setting_name(s), e, n[i], true, false);
                check_predicate(device, setting_name(s), e, n[i], true, true);
            }
        }
        ww_close(device);
    }
}

/* ---- unique ---- */

/* Runs of about `length`; a length of 0 has no two equal neighbours. */
static void fill_runs(unsigned char *x, size_t n, size_t size, size_t length) {
    uint64_t seed = seed_of_run() + n, key = 0;
    memset(x, 7, n * size);
    for (size_t i = 0; i < n; i++) {
        if (!length || random_next(&seed) % length == 0) key += size == 1 ? 1 : 2;
        memcpy(x + i * size, &key, size < sizeof key ? size : sizeof key);
    }
}

static bool same_half_elements(const void *before, const void *x) {
    uint32_t a, b;
    memcpy(&a, before, sizeof a);
    memcpy(&b, x, sizeof b);
    return a / 2 == b / 2;
}
static bool same_key_elements(const void *before, const void *x) { return !memcmp(before, x, sizeof(uint32_t)); }

static void check_unique(ww_device *device, const char *setting, size_t e, size_t n, size_t length, bool by) {
    const ww_type *type = elements[e].type;
    const size_t size = elements[e].size;
    CASE("in place", "%s unique %s %zu n=%zu runs of %zu by=%d", setting, type->label, size, n, length, by);
    if (!case_wanted() || skipped(n, size)) return;
    guarded x = guarded_new(n * size);
    unsigned char *wanted = need(n * size + 1);
    uint64_t *starts = need(n * sizeof *starts + 1), count = 77;
    fill_runs(x.data, n, size, length);
    const size_t runs = by ? reference_runs_by(starts, x.data, n, size,
                                               type == &tagged_ww ? same_key_elements : same_half_elements)
                           : reference_runs(starts, x.data, n, size);
    for (size_t r = 0; r < runs; r++) memcpy(wanted + r * size, (unsigned char *)x.data + starts[r] * size, size);
    const ww_array in = array_of(x.data, n, type, size), c = ww_array(&count, 1);
    const ww_function *equal = type == &tagged_ww ? &same_key_ww : &same_half_ww;
    expect_status(device, by ? ww_unique_by(device, equal, ww_from(in), in, c) : ww_unique(device, ww_from(in), in, c),
                  WW_OK);
    expect(count == runs);
    expect_packed(&x, wanted, runs, size);
    guarded_free(&x);
    free(wanted);
    free(starts);
}

/* Elements that are computed of what is written. */
static void check_computed_unique(ww_device *device, const char *setting, size_t n) {
    CASE("in place", "%s unique of computed n=%zu", setting, n);
    if (!case_wanted() || skipped(n, 4)) return;
    guarded x = guarded_new(n * 4);
    uint32_t *const numbers = x.data, *wanted = need(n * 4 + 1);
    uint64_t count = 77, seed = seed_of_run() + n;
    size_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        numbers[i] = (uint32_t)(i < n / 2 ? i : random_next(&seed) % 3);
        if (!i || numbers[i] != numbers[i - 1]) wanted[runs++] = 3 * numbers[i];
    }
    expect_status(
        device,
        ww_unique(device, ww_mapped(&times_three_ww, ww_memory(numbers, n)), ww_array(numbers, n), ww_array(&count, 1)),
        WW_OK);
    expect(count == runs);
    expect_packed(&x, wanted, runs, 4);
    guarded_free(&x);
    free(wanted);
}

static void uniques(void **state) {
    static const size_t lengths[] = {0, 1, 2, 30, 10000};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < ELEMENTS; e++) {
            size_t sizes;
            const size_t *n = sizes_of(elements[e].size, &sizes);
            if (on_emulator() && e % 4 == 3) continue;
            for (size_t i = 0; i < sizes; i++) {
                check_unique(device, setting_name(s), e, n[i], lengths[(i + e) % 5], false);
                check_unique(device, setting_name(s), e, n[i], lengths[(i + e + 1) % 5], false);
                if (e == 1) check_computed_unique(device, setting_name(s), n[i]);
                if (elements[e].type == &tagged_ww || elements[e].type == &ww_type_uint32_t)
                    check_unique(device, setting_name(s), e, n[i], lengths[(i + e) % 5], true);
            }
        }
        ww_close(device);
    }
}

static void large_uniques(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        check_unique(device, setting_name(s), 1, size_large(), 0, false);
        check_unique(device, setting_name(s), 1, size_large(), 100000, false);
        check_unique(device, setting_name(s), 2, size_large() / 2, 2, false);
        ww_close(device);
    }
}

/* ---- what is refused ---- */

static void errors(void **state) {
    (void)state;
    CASE("in place", "errors");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    uint32_t *x = need(8 * 4), count = 0;
    uint8_t *flags = need(8);
    memset(x, 0, 32);
    memset(flags, 1, 8);
    const ww_array c = ww_array(&count, 1);
#define REFUSED(status, call, ...) \
    expect_status(device, call, status); \
    expect_sentence(device, __VA_ARGS__)
    REFUSED(WW_OVERLAP, ww_pack(device, ww_memory(x + 1, 7), ww_memory(flags, 7), ww_array(x, 7), c, NULL), "out");
    REFUSED(WW_OVERLAP, ww_pack(device, ww_memory(x, 7), ww_memory(flags, 7), ww_array(x + 1, 7), c, NULL), "out");
    REFUSED(WW_OVERLAP, ww_pack(device, ww_memory(x, 8), ww_memory(flags, 8), ww_array(x, 7), c, NULL), "out");
    REFUSED(WW_OVERLAP, ww_unique(device, ww_memory(x, 8), ww_array(x, 4), c), "out");
    REFUSED(WW_OVERLAP, ww_run_lengths(device, ww_memory(x, 8), ww_array(x, 8), ww_none, c), "values_out");
    free(x);
    free(flags);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs),   cmocka_unit_test(large),         cmocka_unit_test(predicates),
        cmocka_unit_test(uniques), cmocka_unit_test(large_uniques), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
