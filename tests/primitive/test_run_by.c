/* Run lengths, unique and reduction by key where the caller says which neighbours are equal: numbers, structs that stand in
 * registers and such that do not, functions without an environment, with one, and with a table. */
#include <stdio.h>

#include "reference/run.h"
#include "support/cases.h"

WW_STRUCT(entry, { uint32_t key, tag; });
WW_STRUCT(row, { uint64_t key, tag[2]; });
WW_STRUCT(wide_row, { uint64_t tag[5], key; });

WW_MAP2(same_letter, uint8_t, uint8_t, a, uint8_t, b, void, none, { return (a | 32) == (b | 32); });
WW_MAP2(same_class, uint32_t, uint8_t, a, uint8_t, b, uint8_t, class_of, { return class_of[a] == class_of[b]; });
WW_MAP2(same_decade, int64_t, uint32_t, a, uint32_t, b, uint32_t, years, { return a / *years == b / *years ? -1 : 0; });
WW_MAP2(is_near, float, float, a, float, b, float, distance,
        { return a - b < *distance && b - a < *distance ? 0.5f : 0; });
WW_MAP2(same_entry, uint8_t, entry, a, entry, b, void, none, { return a.key == b.key; });
WW_MAP2(same_row, uint8_t, row, a, row, b, void, none, { return a.key == b.key; });
WW_MAP2(same_wide_row, uint8_t, wide_row, a, wide_row, b, uint64_t, bits, { return a.key >> *bits == b.key >> *bits; });

static const uint32_t years = 10;
static const float distance = 1.5f;
static const uint64_t bits = 2;
static uint8_t *class_of; /* in memory that a GPU reaches */

#define PLAIN(name, T, environment) \
    static bool name##_elements(const void *before, const void *x) { \
        T a, b; \
        memcpy(&a, before, sizeof a); \
        memcpy(&b, x, sizeof b); \
        return name(a, b, environment) != 0; \
    }
PLAIN(same_letter, uint8_t, NULL)
PLAIN(same_class, uint8_t, class_of)
PLAIN(same_decade, uint32_t, &years)
PLAIN(is_near, float, &distance)
PLAIN(same_entry, entry, NULL)
PLAIN(same_row, row, NULL)
PLAIN(same_wide_row, wide_row, &bits)

enum { KINDS = 7, CLASSES = 256 };
typedef struct kind {
    const char *name;
    ww_function equal;
    const ww_type *type;
    reference_equal *oracle;
} kind;

static void list_kinds(kind *k) {
    k[0] = (kind){"letters", same_letter_ww, &ww_type_uint8_t, same_letter_elements};
    k[1] = (kind){"classes", *ww_with_array(same_class, class_of, CLASSES), &ww_type_uint8_t, same_class_elements};
    k[2] = (kind){"decades", *ww_with(same_decade, &years), &ww_type_uint32_t, same_decade_elements};
    k[3] = (kind){"near", *ww_with(is_near, &distance), &ww_type_float, is_near_elements};
    k[4] = (kind){"entries", same_entry_ww, &entry_ww, same_entry_elements};
    k[5] = (kind){"rows", same_row_ww, &row_ww, same_row_elements};
    k[6] = (kind){"wide rows", *ww_with(same_wide_row, &bits), &wide_row_ww, same_wide_row_elements};
}

/* Runs of about `length`, whose elements are equal as the functions say, seldom in their bytes. */
static void *make(const kind *k, size_t n, size_t length) {
    unsigned char *x = need(n * k->type->size + 1);
    uint64_t seed = seed_of_run() + n, key = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        if (r % length == 0) key += 1 + (r >> 40) % 3;
        const uint64_t other = r >> 48;
        unsigned char *const to = x + i * k->type->size;
        if (k->type == &ww_type_uint8_t) {
            *to = (uint8_t)('A' + key % 20 + other % 2 * 32);
        } else if (k->type == &ww_type_uint32_t) {
            const uint32_t year = (uint32_t)(key * years + other % years);
            memcpy(to, &year, sizeof year);
        } else if (k->type == &ww_type_float) {
            const float place = (float)(3 * key) + (float)(other % 3) / 2;
            memcpy(to, &place, sizeof place);
        } else if (k->type == &entry_ww) {
            const entry e = {(uint32_t)key, (uint32_t)other};
            memcpy(to, &e, sizeof e);
        } else if (k->type == &row_ww) {
            const row e = {key, {other, r}};
            memcpy(to, &e, sizeof e);
        } else {
            const wide_row e = {{r, other, 0, 1, i}, 4 * key + other % 4};
            memcpy(to, &e, sizeof e);
        }
    }
    return x;
}

typedef struct wanted_runs {
    uint64_t *starts, *lengths;
    uint32_t *sums;
    unsigned char *values;
    size_t runs;
} wanted_runs;

static wanted_runs want(const kind *k, const unsigned char *x, const uint32_t *summed, size_t n) {
    const size_t size = k->type->size;
    wanted_runs w = {need(n * 8 + 8), need(n * 8 + 8), need(n * 4 + 4), need(n * size + 1), 0};
    w.runs = reference_runs_by(w.starts, x, n, size, k->oracle);
    for (size_t r = 0; r < w.runs; r++) {
        const uint64_t end = r + 1 < w.runs ? w.starts[r + 1] : n;
        memcpy(w.values + r * size, x + w.starts[r] * size, size);
        w.lengths[r] = end - w.starts[r];
        w.sums[r] = 0;
        for (uint64_t i = w.starts[r]; i < end; i++) w.sums[r] += summed[i];
    }
    return w;
}

static void free_wanted(wanted_runs *w) {
    free(w->starts);
    free(w->lengths);
    free(w->sums);
    free(w->values);
}

static void check(ww_device *device, const char *setting, const kind *k, size_t n, size_t length) {
    CASE("run by", "%s %s n=%zu runs of %zu", setting, k->name, n, length);
    const size_t size = k->type->size;
    if (!case_wanted() || (on_emulator() && n * size > 1 << 19)) return;
    unsigned char *x = make(k, n, length);
    uint32_t *summed = need(n * 4 + 4);
    for (size_t i = 0; i < n; i++) summed[i] = (uint32_t)(i * 2654435761u);
    wanted_runs w = want(k, x, summed, n);
    const ww_input in = ww_memory_of(x, n, k->type);
    for (int less = 0; less < 2; less++) { /* room for all, and for fewer */
        const size_t room = less ? w.runs / 2 : w.runs;
        const ww_status status = room < w.runs ? WW_LIMIT : WW_OK;
        guarded values = guarded_new(room * size), lengths = guarded_new(room * 8), sums = guarded_new(room * 4);
        uint64_t runs = 77;
        expect_status(device,
                      ww_unique_by(device, &k->equal, in, ww_array_of(values.data, room, k->type), ww_array(&runs, 1)),
                      status);
        expect(runs == w.runs);
        expect_elements(values.data, w.values, room, size);
        memset(values.data, 0, values.bytes);
        runs = 77;
        expect_status(device,
                      ww_run_lengths_by(device, &k->equal, in, ww_array_of(values.data, room, k->type),
                                        ww_array((uint64_t *)lengths.data, room), ww_array(&runs, 1)),
                      status);
        expect(runs == w.runs);
        expect_elements(values.data, w.values, room, size);
        expect_elements(lengths.data, w.lengths, room, 8);
        memset(values.data, 0, values.bytes);
        runs = 77;
        expect_status(device,
                      ww_reduce_by_key_by(device, &k->equal, &ww_add, in, ww_memory(summed, n),
                                          ww_array_of(values.data, room, k->type),
                                          ww_array((uint32_t *)sums.data, room), ww_array(&runs, 1)),
                      status);
        expect(runs == w.runs);
        expect_elements(values.data, w.values, room, size);
        expect_elements(sums.data, w.sums, room, 4);
        guarded_check(&values);
        guarded_check(&lengths);
        guarded_check(&sums);
        guarded_free(&values);
        guarded_free(&lengths);
        guarded_free(&sums);
    }
    free_wanted(&w);
    free(summed);
    free(x);
}

static void runs_of_all_kinds(void **state) {
    static const size_t lengths[] = {1, 3, 40, 5000};
    (void)state;
    kind kinds[KINDS];
    class_of = need(CLASSES);
    for (size_t i = 0; i < CLASSES; i++) class_of[i] = (uint8_t)((i & 31) / 3);
    list_kinds(kinds);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < KINDS; k++) {
            size_t sizes;
            const size_t *n = sizes_of(kinds[k].type->size, &sizes);
            if (on_emulator() && k == 3) continue;
            for (size_t i = 0; i < sizes; i++) check(device, setting_name(s), &kinds[k], n[i], lengths[(i + k) % 4]);
        }
        ww_close(device);
    }
    free(class_of);
}

static void large(void **state) {
    (void)state;
    kind kinds[KINDS];
    class_of = need(CLASSES);
    memset(class_of, 0, CLASSES);
    list_kinds(kinds);
    for (size_t s = 0; s < setting_count_short() && !on_emulator(); s++) {
        ww_device *device = setting_open(s);
        check(device, setting_name(s), &kinds[1], size_large(), 1);
        check(device, setting_name(s), &kinds[2], size_large() / 2, 3);
        check(device, setting_name(s), &kinds[5], size_large() / 9, 20);
        ww_close(device);
    }
    free(class_of);
}

WW_MAP(third, uint32_t, uint32_t, i, void, none, { return i / 3; });

/* Computed elements: decades of thirds are runs of 30. */
static void computed(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        CASE("run by", "%s computed", setting_name(s));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(s);
        const size_t n = on_emulator() ? 20003 : 100003;
        uint32_t *values = need(n * 4), *lengths = need(n * 4), runs = 0;
        const ww_input in = ww_mapped(&third_ww, ww_counting(&ww_type_uint32_t, 0, n));
        expect_status(device,
                      ww_run_lengths_by(device, ww_with(same_decade, &years), in, ww_array(values, n),
                                        ww_array(lengths, n), ww_array(&runs, 1)),
                      WW_OK);
        expect(runs == (n + 29) / 30);
        for (uint32_t r = 0; r < runs; r++)
            expect(values[r] == 10 * r && lengths[r] == (r + 1 < runs ? 30 : n - 30 * (size_t)r));
        free(values);
        free(lengths);
        ww_close(device);
    }
}

WW_COMBINE_WITH(add_shifted, uint32_t, a, b, uint32_t, none, WW_COMMUTES, WW_IDENTITY(0),
                { return a + b + none[299]; });

/* Two tables in the host's own memory, which a GPU does not reach: both are staged. */
static void two_environments(void **state) {
    enum { N = 5000, TABLE = 300 };
    (void)state;
    guarded classes = guarded_in_host(CLASSES, 0), zeros = guarded_in_host(TABLE * 4, 0);
    for (size_t i = 0; i < CLASSES; i++) ((uint8_t *)classes.data)[i] = (uint8_t)(i / 100);
    memset(zeros.data, 0, TABLE * 4);
    for (size_t s = 0; s < setting_count(); s++) {
        CASE("run by", "%s two environments", setting_name(s));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(s);
        uint8_t *x = need(N), *keys = need(N);
        uint32_t *ones = need(N * 4), *sums = need(N * 4), runs = 0;
        for (size_t i = 0; i < N; i++) {
            x[i] = (uint8_t)(i / 8);
            ones[i] = 1;
        }
        expect_status(device,
                      ww_reduce_by_key_by(device, ww_with_array(same_class, (uint8_t *)classes.data, CLASSES),
                                          ww_with_array(add_shifted, (uint32_t *)zeros.data, TABLE), ww_memory(x, N),
                                          ww_memory(ones, N), ww_array(keys, N), ww_array(sums, N), ww_array(&runs, 1)),
                      WW_OK);
        size_t all = 0;
        for (uint32_t r = 0; r < runs; r++) {
            expect(keys[r] == x[all] && (r % 3 == 2 ? sums[r] <= 448 : sums[r] <= 800));
            all += sums[r];
        }
        expect(all == N && runs == (N + 2047) / 2048 * 3 - (N % 2048 <= 800 ? 2 : N % 2048 <= 1600 ? 1 : 0));
        free(x);
        free(keys);
        free(ones);
        free(sums);
        ww_close(device);
    }
    guarded_free(&classes);
    guarded_free(&zeros);
}

static void errors(void **state) {
    (void)state;
    CASE("run by", "errors");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    uint32_t *x = need(4 * 4), *out = need(4 * 4), count = 77;
    memset(x, 0, 16);
    const ww_input in = ww_memory(x, 4);
    const ww_array to = ww_array(out, 4), c = ww_array(&count, 1);
    const ww_function *by = ww_with(same_decade, &years);
#define REFUSED(status, call, ...) \
    expect_status(device, call, status); \
    expect_sentence(device, __VA_ARGS__)
    REFUSED(WW_INVALID, ww_unique_by(device, NULL, in, to, c), "ww_unique_by: the function is NULL");
    REFUSED(WW_INVALID, ww_run_lengths_by(device, NULL, in, to, to, c), "ww_run_lengths_by: the function is NULL");
    REFUSED(WW_INVALID, ww_reduce_by_key_by(device, NULL, &ww_add, in, in, to, to, c), "the function that compares");
    REFUSED(WW_INVALID, ww_reduce_by_key_by(device, by, NULL, in, in, to, to, c), "ww_reduce_by_key_by");
    REFUSED(WW_INVALID, ww_unique_by(device, &same_decade_ww, in, to, c), "same_decade");
    REFUSED(WW_TYPE, ww_unique_by(device, &same_letter_ww, in, to, c), "same_letter takes elements of type u8");
    REFUSED(WW_TYPE, ww_unique_by(device, &third_ww, in, to, c), "third is not a WW_MAP2");
    REFUSED(WW_TYPE, ww_unique_by(device, &ww_add, in, to, c), "not a WW_MAP2");
    REFUSED(WW_OVERLAP,
            ww_run_lengths_by(device, ww_with(same_decade, x), ww_memory(out, 3), ww_none, ww_array(x, 4), c),
            "lengths_out", "the environment of same_decade");
    expect(count == 77);
    expect_status(device, ww_unique_by(device, by, ww_memory(x, 0), to, c), WW_OK);
    expect(count == 0);
    free(out);
    free(x);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_all_kinds), cmocka_unit_test(large),  cmocka_unit_test(computed),
        cmocka_unit_test(two_environments),  cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
