/* Quantiles, and the first or n-th elements of segments, against serial oracles: every type, segments of every length, values, rows
 * of a matrix, what is too short, errors. */
#include "reference/order.h"
#include "reference/quantiles.h"
#include "support/cases.h"

typedef struct numbers {
    const ww_type *type;
    reference_before *up, *down;
} numbers;
#define NUMBERS(label, T) \
    { &ww_type_##T, reference_##label##_up, reference_##label##_down }
static const numbers types[] = {
    NUMBERS(u8, uint8_t), NUMBERS(u32, uint32_t), NUMBERS(i16, int16_t),  NUMBERS(f32, float),   NUMBERS(u64, uint64_t),
    NUMBERS(f64, double), NUMBERS(i64, int64_t),  NUMBERS(u16, uint16_t), NUMBERS(i32, int32_t), NUMBERS(i8, int8_t)};
enum { TYPES = sizeof types / sizeof *types };

static double double_at(const ww_type *type, const void *x, size_t i) {
#define AS(T) \
    if (type == &ww_type_##T) return (double)((const T *)x)[i];
    AS(uint8_t)
    AS(uint16_t) AS(uint32_t) AS(uint64_t) AS(int8_t) AS(int16_t) AS(int32_t) AS(int64_t) AS(float) AS(double) return 0;
}

/* ---- quantiles ---- */

static const double quantiles[] = {0.5, 0, 1, 0.25, 0.75, 0.999, 1e-9, 0.3333333333333333, 0.5, 1 - 1e-16};
enum { MANY = sizeof quantiles / sizeof *quantiles };

static void check_quantiles(ww_device *device, const numbers *t, size_t n, shape sh) {
    const size_t size = t->type->size;
    unsigned char *x = need(n * size);
    double *sorted = need(n * sizeof *sorted);
    fill(x, t->type, size, n, sh, seed_of_run() + n);
    const ww_input in = ww_memory_of(x, n, t->type);
    unsigned char *copy = need(n * size);
    memcpy(copy, x, n * size);
    reference_sort(copy, n, size, t->up);
    for (size_t i = 0; i < n; i++) sorted[i] = double_at(t->type, copy, i);
    for (int how = 0; how <= WW_QUANTILE_MIDPOINT; how++) {
        const bool between = how == WW_QUANTILE_LINEAR || how == WW_QUANTILE_MIDPOINT;
        guarded out = guarded_new(MANY * (between ? 8 : size));
        const ww_type *type = between ? &ww_type_double : t->type;
        expect_status(
            device,
            ww_quantiles(device, quantiles, MANY, (ww_quantile_method)how, in, ww_array_of(out.data, MANY, type)),
            WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t q = 0; q < MANY; q++) {
            const double wanted = reference_quantile(sorted, n, quantiles[q], how), got = double_at(type, out.data, q);
            expect(!(got < wanted) && !(got > wanted));
        }
        guarded_check(&out), guarded_free(&out);
    }
    free(x), free(copy), free(sorted);
}

static void every_quantile(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++) {
            static const size_t sizes[] = {1, 2, 3, 4, 5, 11, 100, 257, 1000, 5001};
            if (left_to_gpus(t)) continue;
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                const shape sh = (shape)((k + t) % ADVERSARIAL);
                CASE("quantiles", "%s %s n=%zu %s", setting_name(s), types[t].type->label, sizes[k], shape_name(sh));
                if (case_wanted()) check_quantiles(device, &types[t], sizes[k], sh);
            }
        }
        ww_close(device);
    }
}

/* ---- segments ---- */

/* In the order of keys, stably: by their positions, which are the values here. */
static void sort_pairs(unsigned char *keys, uint32_t *values, size_t n, size_t size, reference_before *before) {
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j && before(keys + j * size, keys + (j - 1) * size); j--) {
            unsigned char key[16];
            memcpy(key, keys + j * size, size);
            memcpy(keys + j * size, keys + (j - 1) * size, size);
            memcpy(keys + (j - 1) * size, key, size);
            const uint32_t value = values[j];
            values[j] = values[j - 1], values[j - 1] = value;
        }
}

typedef struct segments {
    size_t count, n;
    uint64_t *wide;
    uint32_t *narrow;
} segments;

/* Rows of `longest` elements; or segments of which one in ten has up to so many. */
static segments segments_new(size_t count, bool rows, size_t longest) {
    segments g = {count, 0, need((count + 1) * 8), need((count + 1) * 4)};
    uint64_t random = seed_of_run() + count;
    for (size_t s = 0; s <= count; s++) {
        g.wide[s] = g.narrow[s] = (uint32_t)g.n;
        const uint64_t r = random_next(&random);
        if (s < count) g.n += rows ? longest : r % 10 == 0 ? 0 : r % 10 == 1 ? (r >> 8) % longest : (r >> 8) % 12;
    }
    return g;
}

static void check_segments(ww_device *device, const numbers *t, const segments *g, shape sh, uint64_t k,
                           bool descending, bool wide) {
    const size_t size = t->type->size, all = g->count * k;
    unsigned char *x = need(g->n * size), *keys = need(g->n * size), *wanted = need(all * size);
    uint32_t *y = need(g->n * 4), *values = need(g->n * 4), *wanted_values = need(all * 4);
    fill(x, t->type, size, g->n, sh, seed_of_run() + k);
    memcpy(keys, x, g->n * size);
    for (size_t i = 0; i < g->n; i++) y[i] = values[i] = (uint32_t)i;
    guarded keys_out = guarded_new(all * size), values_out = guarded_new(all * 4),
            nth_out = guarded_new(g->count * size);
    unsigned char *wanted_nth = need(g->count * size);
    memcpy(wanted, keys_out.data, all * size), memcpy(wanted_values, values_out.data, all * 4);
    memcpy(wanted_nth, nth_out.data, g->count * size);
    for (size_t s = 0; s < g->count; s++) {
        const size_t begin = (size_t)g->wide[s], n = (size_t)g->wide[s + 1] - begin, first = n < k ? n : (size_t)k;
        sort_pairs(keys + begin * size, values + begin, n, size, descending ? t->down : t->up);
        memcpy(wanted + s * k * size, keys + begin * size, first * size);
        memcpy(wanted_values + s * k, values + begin, first * 4);
        if (k && n > k - 1) memcpy(wanted_nth + s * size, keys + (begin + k - 1) * size, size);
    }
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = descending;
    const ww_input in = ww_memory_of(x, g->n, t->type),
                   by = wide ? ww_memory(g->wide, g->count + 1) : ww_memory(g->narrow, g->count + 1);
    expect_status(device,
                  ww_top_k_segments(device, k, in, ww_memory(y, g->n), by, ww_array_of(keys_out.data, all, t->type),
                                    ww_array((uint32_t *)values_out.data, all), &o),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(keys_out.data, wanted, all, size);
    expect_elements(values_out.data, wanted_values, all, 4);
    expect_status(
        device,
        ww_top_k_segments(device, k, in, ww_no_input, by, ww_array_of(keys_out.data, all, t->type), ww_none, &o),
        WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(keys_out.data, wanted, all, size);
    if (k) {
        expect_status(device, ww_nth_segments(device, k - 1, in, by, ww_array_of(nth_out.data, g->count, t->type), &o),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect_elements(nth_out.data, wanted_nth, g->count, size);
    }
    guarded_check(&keys_out), guarded_check(&values_out), guarded_check(&nth_out);
    guarded_free(&keys_out), guarded_free(&values_out), guarded_free(&nth_out);
    free(x), free(keys), free(wanted), free(y), free(values), free(wanted_values), free(wanted_nth);
}

static void first_of_segments(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 33, 400};
    static const uint64_t ks[] = {1, 3, 10, 0, 150};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t k = 0; k < sizeof ks / sizeof *ks; k++)
                for (int rows = 0; rows < 2; rows++) {
                    const size_t t = (c + 2 * k + (size_t)rows) % (on_emulator() ? 4 : TYPES);
                    CASE("segments", "%s first %llu of %zu %s, %s", setting_name(s), (unsigned long long)ks[k],
                         counts[c], rows ? "rows" : "segments", types[t].type->label);
                    if (!case_wanted()) continue;
                    segments g = segments_new(counts[c], rows, rows ? 40 : 300);
                    /* On the emulator, whose compiler takes long, a type has one direction and one width of offsets. */
                    if (on_emulator())
                        check_segments(device, &types[t], &g, FEW, ks[k], t % 2, t / 2 % 2);
                    else
                        check_segments(device, &types[t], &g, FEW, ks[k], k % 2, c % 2);
                    free(g.wide), free(g.narrow);
                }
        ww_close(device);
    }
}

/* Segments that a GPU's warps do not hold: blocks choose among their elements. */
static void first_of_long_segments(void **state) {
    (void)state;
    static const uint64_t ks[] = {1, 2, 31, 64, 200, 257};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof ks / sizeof *ks; k++)
            for (size_t t = 0; t < (on_emulator() ? 2 : TYPES); t++) {
                const shape sh = (shape)((k + t) % ADVERSARIAL);
                CASE("long segments", "%s first %llu, %s %s", setting_name(s), (unsigned long long)ks[k],
                     types[t].type->label, shape_name(sh));
                if (!case_wanted() || left_to_gpus(t)) continue;
                segments g = segments_new(k % 2 ? 14 : 3, k % 2 == 0, on_emulator() ? 900 : 3000);
                check_segments(device, &types[t], &g, sh, ks[k], k % 2, k / 2 % 2);
                free(g.wide), free(g.narrow);
            }
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *x = need(10 * sizeof *x), *out = need(10 * sizeof *out);
    uint64_t *offsets = need(3 * sizeof *offsets);
    double *middle = need(sizeof *middle);
    const double half = 0.5, wrong[3] = {0.5, 1, 1.5};
    memset(x, 0, 10 * sizeof *x);
    CASE("quantiles", "%s bad arguments", setting_name(0));
    offsets[0] = 0, offsets[1] = 11, offsets[2] = 11;
    const ww_input in = ww_memory(x, 10), by = ww_memory(offsets, 3);
    ww_status status = ww_top_k_segments(device, 2, in, ww_no_input, by, ww_array(out, 4), ww_none, NULL);
    expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE);
    expect_sentence(device, "offsets[1] is 11");
    offsets[1] = 5, offsets[2] = 10;
    expect_status(device, ww_top_k_segments(device, 2, in, ww_no_input, by, ww_array(out, 5), ww_none, NULL),
                  WW_INVALID);
    expect_sentence(device, "keys_out has 5 elements, and 2 segments have 2 each");
    expect_status(device, ww_top_k_segments(device, UINT64_MAX, in, ww_no_input, by, ww_array(out, 5), ww_none, NULL),
                  WW_INVALID);
    expect_status(device, ww_top_k_segments(device, 2, in, in, by, ww_array(out, 4), ww_array(out + 4, 3), NULL),
                  WW_INVALID);
    expect_status(device, ww_top_k_segments(device, 2, in, ww_no_input, by, ww_array(x, 4), ww_none, NULL), WW_OVERLAP);
    expect_status(device, ww_nth_segments(device, 2, in, ww_memory(offsets, 0), ww_array(out, 0), NULL), WW_INVALID);
    expect_status(device, ww_quantiles(device, wrong, 3, WW_QUANTILE_LOWER, in, ww_array(out, 3)), WW_INVALID);
    expect_sentence(device, "quantiles[2] is 1.5, and has to be from 0 to 1");
    expect_status(device, ww_quantiles(device, &half, 1, WW_QUANTILE_LOWER, in, ww_array(middle, 1)), WW_TYPE);
    expect_status(device, ww_quantiles(device, &half, 1, WW_QUANTILE_LINEAR, in, ww_array(out, 1)), WW_TYPE);
    expect_status(device, ww_quantiles(device, &half, 1, (ww_quantile_method)9, in, ww_array(out, 1)), WW_INVALID);
    expect_status(device, ww_quantiles(device, NULL, 1, WW_QUANTILE_LOWER, in, ww_array(out, 1)), WW_INVALID);
    expect_status(device, ww_quantiles(device, &half, 1, WW_QUANTILE_LOWER, ww_memory(x, 0), ww_array(out, 1)),
                  WW_INVALID);
    expect_status(device, ww_quantiles(device, &half, 1, WW_QUANTILE_LOWER, in, ww_array(out, 2)), WW_INVALID);
    free(x), free(out), free(offsets), free(middle);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_quantile),
        cmocka_unit_test(first_of_segments),
        cmocka_unit_test(first_of_long_segments),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests_name("quantiles", tests, NULL, NULL);
}
