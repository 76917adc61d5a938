/* Weighted histograms, and histograms in two dimensions, against loops: sums of floats bit for bit as a reduction of the bin's weights,
 * NaNs, elements outside, errors. */
#include <math.h>

#include "reference/reduce.h"
#include "support/cases.h"

enum { BINS = 37 };

#define ADD(T) \
    static void add_##T(void *r, const void *a, const void *b) { \
        T x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        x = (T)(x + y); \
        memcpy(r, &x, sizeof x); \
    }
ADD(float)
ADD(double)
ADD(uint64_t)
ADD(uint32_t)

typedef struct weight {
    const ww_type *type;
    reference_combine *add;
} weight;
static const weight weights[] = {{&ww_type_float, add_float},
                                 {&ww_type_double, add_double},
                                 {&ww_type_uint64_t, add_uint64_t},
                                 {&ww_type_uint32_t, add_uint32_t}};
enum { WEIGHTS = sizeof weights / sizeof *weights };

/* The sums of the weights whose bin is b, each from the bin's weights alone; bins at or above BINS are outside. */
static void sums_by_oracle(const weight *w, const uint32_t *bin, const unsigned char *y, size_t n,
                           unsigned char *sums) {
    const size_t size = w->type->size;
    const uint64_t zero = 0;
    unsigned char *of_bin = need(n * size);
    for (uint32_t b = 0; b < BINS; b++) {
        size_t many = 0;
        for (size_t i = 0; i < n; i++)
            if (bin[i] == b) memcpy(of_bin + many++ * size, y + i * size, size);
        reference_reduce_tree(sums + b * size, of_bin, many, size, true, w->add, &zero);
    }
    free(of_bin);
}

static void check_weighted(ww_device *device, const weight *w, size_t n, bool few) {
    const size_t size = w->type->size;
    uint32_t *x = need(n * sizeof *x), *edges = need((BINS + 1) * sizeof *edges), *bin = need(n * sizeof *bin);
    unsigned char *y = need(n * size), *wanted = need(BINS * size);
    uint64_t random = seed_of_run() + n;
    fill(y, w->type, size, n, UNIFORM, seed_of_run());
    for (uint32_t e = 0; e <= BINS; e++) edges[e] = 100 + 10 * e;
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(random_next(&random) % (few ? 3 : BINS));
    sums_by_oracle(w, x, y, n, wanted);
    guarded sums = guarded_new(BINS * size);
    const ww_array out = ww_array_of(sums.data, BINS, w->type);
    const ww_input by = ww_memory_of(y, n, w->type);
    expect_status(device, ww_histogram_weighted(device, &ww_by_number, ww_memory(x, n), by, out), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(sums.data, wanted, BINS, size);
    for (size_t i = 0; i < n; i++) {
        x[i] = (uint32_t)(random_next(&random) % 600);
        bin[i] = x[i] < 100 || x[i] >= edges[BINS] ? UINT32_MAX : (x[i] - 100) / 10;
    }
    sums_by_oracle(w, bin, y, n, wanted);
    expect_status(device, ww_histogram_edges_weighted(device, ww_memory(x, n), ww_memory(edges, BINS + 1), by, out),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(sums.data, wanted, BINS, size);
    guarded_check(&sums), guarded_free(&sums);
    free(x), free(edges), free(bin), free(y), free(wanted);
}

static void weighted(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 37, 1000, 5000, on_emulator() ? 9000 : 200001};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t w = 0; w < WEIGHTS; w++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                CASE("weighted", "%s %s n=%zu", setting_name(s), weights[w].type->label, sizes[k]);
                if (case_wanted()) check_weighted(device, &weights[w], sizes[k], k % 2);
            }
        ww_close(device);
    }
}

/* Whole numbers, which a CPU adds in any order, and what keeps them from that: late fractions, too large a number, -0, which is a bin's sum
 * where it has nothing else. */
typedef enum odd_one { NOTHING_ODD, FRACTION, LARGE, MINUS_ZERO, ODD_ONES } odd_one;
static const char *const odd_names[] = {"whole", "a fraction", "a large number", "-0"};

static void put_real(const weight *w, unsigned char *to, double x) {
    const float narrow = (float)x;
    memcpy(to, w->type->size == sizeof x ? (const void *)&x : &narrow, w->type->size);
}

static void check_whole(ww_device *device, const weight *w, size_t n, odd_one odd) {
    const size_t size = w->type->size;
    uint32_t *bin = need(n * sizeof *bin);
    unsigned char *y = need(n * size), *wanted = need(BINS * size);
    uint64_t random = seed_of_run() + n;
    for (size_t i = 0; i < n; i++) {
        bin[i] = (uint32_t)(random_next(&random) % BINS);
        put_real(w, y + i * size, odd == MINUS_ZERO && bin[i] == 5 ? -0.0 : (double)(random_next(&random) % 7) - 3);
    }
    if (odd == FRACTION) put_real(w, y + (n - 1) * size, 0.1);
    if (odd == LARGE) put_real(w, y + (n - n / 8 - 1) * size, 36028797018963968.0); /* 2^55 */
    sums_by_oracle(w, bin, y, n, wanted);
    guarded sums = guarded_new(BINS * size);
    expect_status(device,
                  ww_histogram_weighted(device, &ww_by_number, ww_memory(bin, n), ww_memory_of(y, n, w->type),
                                        ww_array_of(sums.data, BINS, w->type)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(sums.data, wanted, BINS, size);
    guarded_check(&sums), guarded_free(&sums);
    free(bin), free(y), free(wanted);
}

static void whole_numbers(void **state) {
    (void)state;
    const size_t sizes[] = {3, 100, 2000, on_emulator() ? 9000 : 200001};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t w = 0; w < 2; w++)
            for (odd_one odd = 0; odd < ODD_ONES; odd++)
                for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                    CASE("weighted", "%s %s %s n=%zu", setting_name(s), weights[w].type->label, odd_names[odd],
                         sizes[k]);
                    if (case_wanted()) check_whole(device, &weights[w], sizes[k], odd);
                }
        ww_close(device);
    }
}

/* All in one bin: as many as a tile of a reduction has, around that, and so many that there are three levels of tiles. */
static void check_one_bin(ww_device *device, const weight *w, size_t n) {
    const size_t size = w->type->size;
    const uint64_t zero = 0;
    unsigned char *y = need(n * size), wanted[2 * 8] = {0};
    fill(y, w->type, size, n, UNIFORM, seed_of_run() + n);
    reference_reduce_tree(wanted + size, y, n, size, true, w->add, &zero);
    guarded sums = guarded_new(2 * size);
    expect_status(device,
                  ww_histogram_weighted(device, &ww_by_number, ww_constant(ww_value(uint8_t, 1), n),
                                        ww_memory_of(y, n, w->type), ww_array_of(sums.data, 2, w->type)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(sums.data, wanted, 2, size);
    guarded_check(&sums), guarded_free(&sums);
    free(y);
}

static void one_bin(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t w = 0; w < 2; w++) {
            const size_t tile = 16384 / weights[w].type->size;
            const size_t sizes[] = {15, 16, 33, tile - 1, tile, tile + 1, 3 * tile, tile * tile + 5};
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                const bool large = sizes[k] > 1000000;
                if (large && (s || w == 0 || on_gpu())) continue; /* once, of doubles: 34 MB */
                CASE("weighted", "%s %s one bin n=%zu", setting_name(s), weights[w].type->label, sizes[k]);
                if (case_wanted()) check_one_bin(device, &weights[w], sizes[k]);
            }
        }
        ww_close(device);
    }
}

static void not_numbers(void **state) {
    (void)state;
    enum { N = 1000 };
    uint32_t *x = need(N * sizeof *x);
    float *y = need(N * sizeof *y), *sums = need(10 * sizeof *sums);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("weighted", "%s a NaN", setting_name(s));
        if (case_wanted()) {
            for (uint32_t i = 0; i < N; i++) x[i] = i % 10, y[i] = 1;
            y[334] = NAN;
            expect_status(
                device,
                ww_histogram_weighted(device, &ww_by_number, ww_memory(x, N), ww_memory(y, N), ww_array(sums, 10)),
                WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint32_t b = 0; b < 10; b++) expect(b == 4 ? isnan(sums[b]) : !(sums[b] < 100) && !(sums[b] > 100));
            x[500] = 10;
            const ww_status status = ww_histogram_weighted(device, &ww_by_number, ww_memory(x, N), ww_memory(y, N),
                                                           ww_array(sums, 10));
            expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE);
            expect_sentence(device, "ww_histogram_weighted", "500");
        }
        ww_close(device);
    }
    free(x), free(y), free(sums);
}

static void two_dimensions(void **state) {
    (void)state;
    enum { ACROSS = 7, DOWN = 9 };
    const size_t sizes[] = {0, 1, 1000, on_emulator() ? 6000 : 100001};
    float *edges = need((ACROSS + 1) * sizeof *edges);
    int32_t *y_edges = need((DOWN + 1) * sizeof *y_edges);
    for (int e = 0; e <= ACROSS; e++) edges[e] = (float)(e * e) - 4;
    for (int e = 0; e <= DOWN; e++) y_edges[e] = 5 * e - 20;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const size_t n = sizes[k];
            CASE("histogram 2d", "%s n=%zu", setting_name(s), n);
            if (!case_wanted()) continue;
            float *x = need(n * sizeof *x);
            int32_t *y = need(n * sizeof *y);
            uint64_t wanted[ACROSS * DOWN] = {0}, beyond = 0, random = seed_of_run() + n;
            guarded counts = guarded_new(sizeof wanted), outside = guarded_new(8);
            for (size_t i = 0; i < n; i++) {
                int a = 0, d = 0;
                x[i] = i % 50 == 7 ? NAN : i % 50 == 8 ? -NAN : (float)(random_next(&random) % 600) / 10 - 8;
                y[i] = (int32_t)(random_next(&random) % 60) - 25;
                while (a <= ACROSS && x[i] >= edges[a]) a++;
                while (d <= DOWN && y[i] >= y_edges[d]) d++;
                if (a && a <= ACROSS && d && d <= DOWN)
                    wanted[(a - 1) * DOWN + d - 1]++;
                else
                    beyond++;
            }
            for (int with = 0; with < 2; with++) {
                expect_status(device,
                              ww_histogram_2d(device, ww_memory(x, n), ww_memory(y, n), ww_memory(edges, ACROSS + 1),
                                              ww_memory(y_edges, DOWN + 1),
                                              ww_array((uint64_t *)counts.data, ACROSS * DOWN),
                                              with ? ww_array((uint64_t *)outside.data, 1) : ww_none),
                              WW_OK);
                expect_status(device, ww_sync(device), WW_OK);
                expect_elements(counts.data, wanted, ACROSS * DOWN, 8);
            }
            expect(*(uint64_t *)outside.data == beyond);
            guarded_check(&counts), guarded_check(&outside);
            guarded_free(&counts), guarded_free(&outside);
            free(x), free(y);
        }
        ww_close(device);
    }
    free(edges), free(y_edges);
}

/* totalOrder's numbers. */
static int64_t order_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static size_t bin_of(const double *edges, size_t count, double x) { /* from 1; 0 and `count` are outside */
    size_t above = 0;
    while (above < count && order_of(edges[above]) <= order_of(x)) above++;
    return above;
}

/* -0 is below 0, among edges and elements, of f32 and f64; and edges may be equal. */
static void zeros_in_two_dimensions(void **state) {
    (void)state;
    enum { EDGES = 4, N = 700 };
    static const double edges_of[][EDGES] = {{-1, -0.0, 1, 2},  {-1, 0.0, 1, 2},  {0.0, 0.5, 1, 2},
                                             {-0.0, 0.5, 1, 2}, {-2, -1, 0.0, 1}, {-2, -1, -0.5, -0.0},
                                             {-0.0, 0.0, 1, 2}, {-1, 1, 1, 2}};
    static const double values[] = {-0.0, 0.0, -1, 1, 0.5, -0.5, NAN, -NAN, 2, -2, INFINITY};
    enum { LISTS = sizeof edges_of / sizeof *edges_of, VALUES = sizeof values / sizeof *values };
    float *x = need(N * sizeof *x), *edges = need(EDGES * sizeof *edges);
    double *y = need(N * sizeof *y), *wide = need(EDGES * sizeof *wide);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t l = 0; l < LISTS; l++) {
            const double *across = edges_of[l], *down = edges_of[(3 * l + 1) % LISTS];
            uint64_t wanted[(EDGES - 1) * (EDGES - 1)] = {0};
            CASE("histogram 2d", "%s zeros %zu", setting_name(s), l);
            if (!case_wanted()) continue;
            guarded counts = guarded_new(sizeof wanted);
            for (size_t e = 0; e < EDGES; e++) edges[e] = (float)across[e], wide[e] = down[e];
            for (size_t i = 0; i < N; i++) {
                x[i] = (float)values[i % VALUES];
                y[i] = values[i / VALUES % VALUES];
                const size_t a = bin_of(across, EDGES, values[i % VALUES]), d = bin_of(down, EDGES, y[i]);
                if (a && a < EDGES && d && d < EDGES) wanted[(a - 1) * (EDGES - 1) + d - 1]++;
            }
            expect_status(device,
                          ww_histogram_2d(device, ww_memory(x, N), ww_memory(y, N), ww_memory(edges, EDGES),
                                          ww_memory(wide, EDGES), ww_array((uint64_t *)counts.data, sizeof wanted / 8),
                                          ww_none),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(counts.data, wanted, sizeof wanted / 8, 8);
            guarded_check(&counts);
            guarded_free(&counts);
        }
        ww_close(device);
    }
    free(x), free(y), free(edges), free(wide);
}

/* Both sides of one type, many edges, and so many that a GPU has no room for them beside the counters. */
#define ONE_TYPE(T, label) \
    static void one_type_##label(ww_device *device, size_t n, size_t across, size_t down) { \
        T *x = need(n * sizeof *x), *y = need(n * sizeof *y); \
        T *edges = need((across + 1) * sizeof *edges), *y_edges = need((down + 1) * sizeof *y_edges); \
        uint64_t *wanted = need(across * down * 8), beyond = 0, random = seed_of_run() + n + across; \
        guarded counts = guarded_new(across * down * 8), outside = guarded_new(8); \
        memset(wanted, 0, across *down * 8); \
        for (size_t e = 0; e <= across; e++) edges[e] = (T)(3 * e + e % 2); \
        for (size_t e = 0; e <= down; e++) y_edges[e] = (T)(2 * e + 5); \
        for (size_t i = 0; i < n; i++) { \
            size_t a = 0, d = 0; \
            x[i] = (T)(random_next(&random) % (3 * across + 4)); \
            y[i] = (T)(random_next(&random) % (2 * down + 9)); \
            while (a <= across && x[i] >= edges[a]) a++; \
            while (d <= down && y[i] >= y_edges[d]) d++; \
            if (a && a <= across && d && d <= down) \
                wanted[(a - 1) * down + d - 1]++; \
            else \
                beyond++; \
        } \
        expect_status(device, \
                      ww_histogram_2d(device, ww_memory(x, n), ww_memory(y, n), ww_memory(edges, across + 1), \
                                      ww_memory(y_edges, down + 1), ww_array((uint64_t *)counts.data, across *down), \
                                      ww_array((uint64_t *)outside.data, 1)), \
                      WW_OK); \
        expect_status(device, ww_sync(device), WW_OK); \
        expect_elements(counts.data, wanted, across *down, 8); \
        expect(*(uint64_t *)outside.data == beyond); \
        guarded_check(&counts), guarded_check(&outside); \
        guarded_free(&counts), guarded_free(&outside); \
        free(x), free(y), free(edges), free(y_edges), free(wanted); \
    }
ONE_TYPE(float, f32)
ONE_TYPE(double, f64)
ONE_TYPE(uint32_t, u32)
ONE_TYPE(int64_t, i64)

static void one_type_in_two_dimensions(void **state) {
    (void)state;
    static const struct { size_t across, down; } sides[] = {{1, 1}, {3, 17}, {40, 40}, {70, 3}, {2, 900}, {1, 1100}};
    typedef void check(ww_device * device, size_t n, size_t across, size_t down);
    static check *const checks[] = {one_type_f32, one_type_f64, one_type_u32, one_type_i64};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
            for (size_t t = on_emulator() ? k % 4 : 0; t < (on_emulator() ? k % 4 + 1 : 4); t++) {
                CASE("histogram 2d", "%s %zu x %zu, type %zu", setting_name(s), sides[k].across, sides[k].down, t);
                if (case_wanted()) checks[t](device, on_emulator() ? 2000 : 20000, sides[k].across, sides[k].down);
            }
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {0, 1, 2, 3}, sums[4], counts[9];
    float y[4] = {1, 2, 3, 4}, f[4];
    expect_status(device,
                  ww_histogram_weighted(device, &ww_by_number, ww_memory(x, 4), ww_memory(y, 3), ww_array(f, 4)),
                  WW_INVALID);
    expect_sentence(device, "in has 4 elements, weights 3");
    expect_status(device,
                  ww_histogram_weighted(device, &ww_by_number, ww_memory(x, 4), ww_memory(y, 4), ww_array(sums, 4)),
                  WW_TYPE);
    expect_status(device,
                  ww_histogram_weighted(device, &ww_by_number, ww_memory(y, 4), ww_memory(y, 4), ww_array(f, 4)),
                  WW_TYPE);
    expect_status(device,
                  ww_histogram_weighted(device, &ww_by_number, ww_memory(x, 4), ww_memory(y, 4), ww_array(y, 4)),
                  WW_OVERLAP);
    expect_status(device, ww_histogram_weighted(device, NULL, ww_memory(x, 4), ww_memory(y, 4), ww_array(f, 4)),
                  WW_INVALID);
    expect_status(
        device, ww_histogram_edges_weighted(device, ww_memory(x, 4), ww_memory(x, 4), ww_memory(y, 4), ww_array(f, 4)),
        WW_INVALID);
    expect_sentence(device, "there are 4 edges for 4 bins, not 5");
    expect_status(device,
                  ww_histogram_2d(device, ww_memory(x, 4), ww_memory(x, 3), ww_memory(x, 4), ww_memory(x, 4),
                                  ww_array(counts, 9), ww_none),
                  WW_INVALID);
    expect_sentence(device, "x has 4 elements, y 3");
    expect_status(device,
                  ww_histogram_2d(device, ww_memory(x, 4), ww_memory(x, 4), ww_memory(x, 4), ww_memory(x, 4),
                                  ww_array(counts, 8), ww_none),
                  WW_INVALID);
    expect_sentence(device, "counts has 8 bins; the edges make 3 times 3");
    expect_status(device,
                  ww_histogram_2d(device, ww_memory(x, 4), ww_memory(x, 4), ww_memory(x, 1), ww_memory(x, 4),
                                  ww_array(counts, 9), ww_none),
                  WW_INVALID);
    expect_status(device,
                  ww_histogram_2d(device, ww_memory(x, 4), ww_memory(x, 4), ww_memory(y, 4), ww_memory(x, 4),
                                  ww_array(counts, 9), ww_none),
                  WW_TYPE);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weighted),       cmocka_unit_test(whole_numbers),
        cmocka_unit_test(one_bin),        cmocka_unit_test(not_numbers),
        cmocka_unit_test(two_dimensions), cmocka_unit_test(zeros_in_two_dimensions),
        cmocka_unit_test(bad_arguments),  cmocka_unit_test(one_type_in_two_dimensions),
    };
    return cmocka_run_group_tests_name("weighted", tests, NULL, NULL);
}
