/* Random numbers, permutations and samples. Peers draw other numbers: what is checked is what all of them have in common, means
 * and places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

static const ww_random from = {2026, 1, 0};

static void make(bench_work *w) { w->out = work_pages(w, w->out_bytes = w->n * w->parameter); }

static ww_status run_u64(bench_work *w) { return ww_random_fill(w->device, from, ww_array((uint64_t *)w->out, w->n)); }
static ww_status run_f64(bench_work *w) { return ww_random_fill(w->device, from, ww_array((double *)w->out, w->n)); }
static ww_status run_f32(bench_work *w) { return ww_random_fill(w->device, from, ww_array((float *)w->out, w->n)); }
static ww_status run_below(bench_work *w) {
    return ww_random_below(w->device, from, 1000, ww_array((uint32_t *)w->out, w->n));
}
static ww_status run_normal(bench_work *w) {
    return ww_random_normal(w->device, from, 0, 1, ww_array((double *)w->out, w->n));
}

/* The mean is within six standard deviations of it. */
static bool mean_is(double sum, size_t n, double mean, double deviation) {
    return fabs(sum / (double)n - mean) <= 6 * deviation / sqrt((double)n);
}
#define RIGHT(name, T, mean, deviation, number) \
    static bool name(const bench_work *w) { \
        const T *x = w->out; \
        double sum = 0; \
        for (size_t i = 0; i < w->n; i++) sum += number; \
        return mean_is(sum, w->n, mean, deviation); \
    }
RIGHT(right_u64, uint64_t, 0.5, 0.289, (double)(x[i] >> 11) * 0x1p-53)
RIGHT(right_f64, double, 0.5, 0.289, x[i])
RIGHT(right_f32, float, 0.5, 0.289, (double)x[i])
RIGHT(right_below, uint32_t, 499.5, 288.7, (double)x[i])
RIGHT(right_normal, double, 0, 1, x[i])

/* ---- permutations and samples of the numbers 0, 1, … ---- */

static size_t results(const bench_work *w) { return w->n < w->parameter ? 1 : w->n / w->parameter; }
static void make_numbers(bench_work *w) {
    uint32_t *x = w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = results(w) * 4);
    for (size_t i = 0; i < w->n; i++) x[i] = (uint32_t)i;
}

static ww_status run_shuffle(bench_work *w) {
    return ww_shuffle(w->device, from, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n));
}
static ww_status run_sample(bench_work *w) {
    return ww_sample(w->device, from, ww_memory((const uint32_t *)w->in, w->n),
                     ww_array((uint32_t *)w->out, results(w)), WW_SAMPLE_SORTED);
}

/* Each number at most once. */
static bool right_shuffle(const bench_work *w) {
    const uint32_t *x = w->out;
    unsigned char *seen = calloc(w->n, 1);
    bool right = seen;
    for (size_t i = 0; right && i < w->n; i++) right = x[i] < w->n && !seen[x[i]]++;
    free(seen);
    return right;
}
static bool right_sample(const bench_work *w) {
    const uint32_t *x = w->out;
    double sum = 0;
    for (size_t i = 0; i < results(w); i++) {
        if (x[i] >= w->n || (i && x[i] <= x[i - 1])) return false;
        sum += x[i];
    }
    return mean_is(sum, results(w), (double)w->n / 2, (double)w->n * 0.289);
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "random u64", .call = "ww_random_fill", .make = make, .run = run_u64, .right = right_u64, .bytes = 8, .element = 8,
     .parameter = 8, .peer = "random u64"},
    {.name = "random f64 in [0, 1)", .call = "ww_random_fill", .make = make, .run = run_f64, .right = right_f64, .bytes = 8,
     .element = 8, .parameter = 8, .peer = "random f64"},
    {.name = "random f32 in [0, 1)", .call = "ww_random_fill", .make = make, .run = run_f32, .right = right_f32, .bytes = 4,
     .element = 4, .parameter = 4, .peer = "random f32"},
    {.name = "random u32 below 1000", .call = "ww_random_below", .make = make, .run = run_below, .right = right_below, .bytes = 4,
     .element = 4, .parameter = 4, .peer = "random u32 below 1000"},
    {.name = "normal f64", .call = "ww_random_normal", .make = make, .run = run_normal, .right = right_normal, .bytes = 8,
     .element = 8, .parameter = 8, .peer = "normal f64"},
    {.name = "shuffle u32", .call = "ww_shuffle", .make = make_numbers, .run = run_shuffle, .right = right_shuffle, .bytes = 8,
     .element = 4, .parameter = 1, .peer = "shuffle u32"},
    {.name = "shuffle 2^13 u32", .call = "ww_shuffle", .make = make_numbers, .run = run_shuffle, .right = right_shuffle, .bytes = 8,
     .element = 4, .parameter = 1, .items = 1 << 13, .calls = 128, .peer = "shuffle u32"},
    {.name = "shuffle 2^18 u32", .call = "ww_shuffle", .make = make_numbers, .run = run_shuffle, .right = right_shuffle, .bytes = 8,
     .element = 4, .parameter = 1, .items = 1 << 18, .calls = 16, .peer = "shuffle u32"},
    {.name = "sample half of u32", .call = "ww_sample", .make = make_numbers, .run = run_sample, .right = right_sample, .bytes = 6,
     .element = 4, .parameter = 2, .peer = "sample u32"},
    {.name = "sample a tenth of u32", .call = "ww_sample", .make = make_numbers, .run = run_sample, .right = right_sample,
     .bytes = 4.8, .element = 4, .parameter = 10, .peer = "sample u32"},
    {.name = "sample a thousandth of u32", .call = "ww_sample", .make = make_numbers, .run = run_sample, .right = right_sample,
     .bytes = 0.008, .element = 4, .parameter = 1000, .peer = "sample u32"},
};
/* clang-format on */

const bench_family family_random = {.name = "random",
                                    .title = "Random numbers, permutations and samples",
                                    .rows = rows,
                                    .count = BENCH_COUNT(rows)};
