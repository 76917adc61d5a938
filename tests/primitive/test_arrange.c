/* Reversing, rotating and transposing against the oracles: elements of every size, records that lie at any address, matrices of
 * every shape, computed inputs, in place, errors. */
#include <stdio.h>

#include "reference/arrange.h"
#include "support/cases.h"

WW_MAP(times_three, uint32_t, uint32_t, x, void, none, { return 3 * x; });
WW_STRUCT(point, { double x, y, z; });

static const ww_type *const types[] = {&ww_type_uint8_t,  &ww_type_int16_t, &ww_type_float,
                                       &ww_type_uint64_t, &ww_type_ww_u128, &point_ww};
enum { TYPES = sizeof types / sizeof *types };
static const size_t records[] = {1, 3, 4, 16, 24, 100, 5000};
enum { RECORDS = sizeof records / sizeof *records };

/* Type number t, or behind the types record number t - TYPES. */
static const ww_type *type_of(size_t t) { return t < TYPES ? types[t] : &ww_type_record; }
static size_t size_of(size_t t) { return t < TYPES ? types[t]->size : records[t - TYPES]; }
static ww_array array_of(void *data, size_t n, size_t t) {
    return t < TYPES ? ww_array_of(data, n, types[t]) : ww_records(data, n, records[t - TYPES]);
}

typedef enum way { REVERSE, ROTATE, TRANSPOSE } way;

typedef struct arranging {
    way what;
    size_t n, rows, columns;
    int64_t by;
} arranging;

static ww_status arrange(ww_device *device, const arranging *a, ww_input in, ww_array out) {
    switch (a->what) {
    case REVERSE:
        return ww_reverse(device, in, out);
    case ROTATE:
        return ww_rotate(device, a->by, in, out);
    case TRANSPOSE:
        return ww_transpose(device, a->rows, a->columns, in, out);
    }
    return WW_INVALID;
}

static void arrange_by_oracle(const arranging *a, void *out, const void *in, size_t size) {
    if (a->what == REVERSE) reference_reverse(out, in, a->n, size);
    if (a->what == ROTATE && a->n) reference_rotate(out, in, a->n, size, a->by);
    if (a->what == TRANSPOSE) reference_transpose(out, in, a->rows, a->columns, size);
}

/* `off`: records that many bytes behind where they would be aligned. */
static void check(ww_device *device, const arranging *a, size_t t, size_t off) {
    const size_t size = size_of(t), bytes = a->n * size;
    unsigned char *x = need(bytes + off), *wanted = need(bytes);
    guarded out = guarded_new(bytes + off);
    fill(x + off, type_of(t), size, a->n, UNIFORM, seed_of_run() + a->n);
    arrange_by_oracle(a, wanted, x + off, size);
    expect_status(
        device,
        arrange(device, a, ww_from(array_of(x + off, a->n, t)), array_of((unsigned char *)out.data + off, a->n, t)),
        WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    if (a->n) expect_elements((unsigned char *)out.data + off, wanted, a->n, size);
    guarded_check(&out);
    if (a->what == REVERSE && a->n) {
        memcpy((unsigned char *)out.data + off, x + off, bytes);
        const ww_array here = array_of((unsigned char *)out.data + off, a->n, t);
        expect_status(device, ww_reverse(device, ww_from(here), here), size > 1024 && on_gpu() ? WW_LIMIT : WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        if (size <= 1024 || !on_gpu()) expect_elements((unsigned char *)out.data + off, wanted, a->n, size);
        guarded_check(&out);
    }
    guarded_free(&out);
    free(x), free(wanted);
}

/* Of a size that a GPU does not reverse. */
static bool is_too_long(const arranging *a, size_t t) { return on_gpu() && a->what == REVERSE && size_of(t) > 1024; }

static void reversed_and_rotated(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES + RECORDS; t++) {
            size_t sizes;
            const size_t *n = sizes_of(size_of(t), &sizes);
            if (left_to_gpus(t)) continue;
            for (size_t i = 0; i < sizes; i++) {
                if (n[i] * size_of(t) > 4000000) continue;
                const arranging reverse = {.what = REVERSE, .n = n[i]};
                CASE("arrange", "%s reverse %s %zu n=%zu", setting_name(s), type_of(t)->label, size_of(t), n[i]);
                if (case_wanted() && !is_too_long(&reverse, t)) check(device, &reverse, t, t < TYPES ? 0 : i % 4);
                const int64_t count = (int64_t)n[i];
                const int64_t places[] = {0, 1, -1, count / 3, count, -count / 2 - 1, INT64_MAX, INT64_MIN};
                const int64_t by = places[(i + t) % (sizeof places / sizeof *places)];
                const arranging rotate = {.what = ROTATE, .n = n[i], .by = by};
                CASE("arrange", "%s rotate %s %zu n=%zu by %lld", setting_name(s), type_of(t)->label, size_of(t), n[i],
                     (long long)by);
                if (case_wanted()) check(device, &rotate, t, t < TYPES ? 0 : i % 4);
            }
        }
        ww_close(device);
    }
}

static void transposed(void **state) {
    (void)state;
    static const size_t shapes[][2] = {{1, 1},   {1, 77},   {77, 1},   {2, 2},     {3, 5},    {16, 16},   {17, 31},
                                       {32, 32}, {33, 32},  {64, 65},  {8, 1000},  {1000, 8}, {3, 2001},  {2001, 3},
                                       {4, 500}, {129, 70}, {256, 96}, {300, 257}, {1, 5000}, {700, 450}, {5, 9999}};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES + RECORDS; t++)
            for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
                const size_t rows = shapes[k][0], columns = shapes[k][1], n = rows * columns;
                if (left_to_gpus(t) || n * size_of(t) > (on_emulator() ? 400000u : 8000000u)) continue;
                CASE("arrange", "%s transpose %s %zu %zu x %zu", setting_name(s), type_of(t)->label, size_of(t), rows,
                     columns);
                if (!case_wanted()) continue;
                check(device, &(arranging){.what = TRANSPOSE, .n = n, .rows = rows, .columns = columns}, t,
                      t < TYPES ? 0 : k % 4);
            }
        ww_close(device);
    }
}

/* Past the caches, by all threads, with powers of two between rows and without. */
static void large_matrices(void **state) {
    (void)state;
    static const size_t shapes[][2] = {{1024, 2048}, {2047, 1025}, {3, 700001}, {700001, 3}};
    if (left_out_on_gpu("a CPU's blocks and streams")) return;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (size_t t = 0; t < 4; t++) {
                const size_t rows = shapes[k][0], columns = shapes[k][1];
                CASE("arrange", "%s transpose %s %zu x %zu", setting_name(s), type_of(t)->label, rows, columns);
                if (!case_wanted()) continue;
                check(device, &(arranging){.what = TRANSPOSE, .n = rows * columns, .rows = rows, .columns = columns}, t,
                      0);
            }
        CASE("arrange", "%s large, reversed and rotated", setting_name(s));
        if (case_wanted()) {
            check(device, &(arranging){.what = REVERSE, .n = size_large()}, 2, 0);
            check(device, &(arranging){.what = ROTATE, .n = size_large(), .by = 12345}, 2, 0);
        }
        ww_close(device);
    }
}

static void computed(void **state) {
    (void)state;
    enum { ROWS = 90, COLUMNS = 110, N = ROWS * COLUMNS };
    uint32_t *x = need(N * sizeof *x), *wanted = need(N * sizeof *wanted);
    for (uint32_t i = 0; i < N; i++) x[i] = 3 * i + 15;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (way what = REVERSE; what <= TRANSPOSE; what++) {
            CASE("arrange", "%s computed, %d", setting_name(s), (int)what);
            if (!case_wanted()) continue;
            const arranging a = {.what = what, .n = N, .rows = ROWS, .columns = COLUMNS, .by = -1234};
            guarded out = guarded_new(N * sizeof *x);
            arrange_by_oracle(&a, wanted, x, sizeof *x);
            expect_status(device,
                          arrange(device, &a, ww_mapped(&times_three_ww, ww_counting(&ww_type_uint32_t, 5, N)),
                                  ww_array((uint32_t *)out.data, N)),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(out.data, wanted, N, sizeof *x);
            guarded_check(&out), guarded_free(&out);
        }
        ww_close(device);
    }
    free(x), free(wanted);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, out[12] = {77};
    uint64_t wide[6];
    const ww_input in = ww_memory(x, 6);
    expect_status(NULL, ww_reverse(NULL, in, ww_array(out, 6)), WW_INVALID);
    expect_status(device, ww_reverse(device, in, ww_array(out, 5)), WW_INVALID);
    expect_sentence(device, "in has 6 elements, out 5");
    expect_status(device, ww_reverse(device, in, ww_array(wide, 6)), WW_TYPE);
    expect_status(device, ww_reverse(device, in, ww_array(x + 1, 6)), WW_OVERLAP);
    expect_status(device, ww_reverse(device, ww_mapped(&times_three_ww, in), ww_array(x, 6)), WW_OVERLAP);
    expect_status(device, ww_reverse(device, ww_no_input, ww_array(out, 6)), WW_INVALID);
    expect_status(device, ww_rotate(device, 2, in, ww_none), WW_INVALID);
    expect_status(device, ww_rotate(device, 2, in, ww_array(x, 6)), WW_OVERLAP);
    expect_status(device, ww_rotate(device, 2, in, ww_array(out, 7)), WW_INVALID);
    expect_status(device, ww_transpose(device, 2, 4, in, ww_array(out, 6)), WW_INVALID);
    expect_sentence(device, "in has 6 elements, and a matrix of 2 rows and 4 columns does not have that many");
    expect_status(device, ww_transpose(device, UINT64_MAX / 2 + 1, 2, ww_memory(x, 0), ww_array(out, 0)), WW_INVALID);
    expect_status(device, ww_transpose(device, 2, 3, in, ww_array(x, 6)), WW_OVERLAP);
    expect_status(device, ww_transpose(device, 2, 3, in, ww_array(x + 5, 6)), WW_OVERLAP);
    expect_status(device, ww_transpose(device, 0, 3, ww_memory(x, 0), ww_array(out, 0)), WW_OK);
    expect(x[0] == 1 && x[5] == 6 && out[0] == 77);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reversed_and_rotated), cmocka_unit_test(transposed),
        cmocka_unit_test(large_matrices),       cmocka_unit_test(computed),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests_name("arrange", tests, NULL, NULL);
}
