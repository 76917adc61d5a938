/* Questions about an array: counts, a first position that is not there, order that holds, ends. */
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

WW_MAP(odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(low_number, uint8_t, uint32_t, x, void, none, { return x < 0x80000000u; });
WW_MAP(last_number, uint8_t, uint32_t, x, void, none, { return x == 0xffffffffu; });

/* Uniform numbers, without the largest. */
static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = 16);
    data_u32(w->in, w->n, 11);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] &= 0x7fffffff;
}

static void make_rising(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] = (uint32_t)(i / 3);
}

static void make_floats(bench_work *w) {
    make(w);
    for (size_t i = 0; i < w->n; i++) ((float *)w->in)[i] = (float)(int32_t)((uint32_t *)w->in)[i] / 1000 - 1000000;
}

static ww_input numbers(const bench_work *w) { return ww_memory((const uint32_t *)w->in, w->n); }
static ww_array answer(const bench_work *w) { return ww_array((uint64_t *)w->number, 1); }

static ww_status run_count(bench_work *w) { return ww_count_if(w->device, &odd_ww, numbers(w), answer(w)); }
static ww_status run_find(bench_work *w) { return ww_find_if(w->device, &last_number_ww, numbers(w), answer(w)); }
static ww_status run_all(bench_work *w) {
    return ww_all(w->device, &low_number_ww, numbers(w), ww_array((uint8_t *)w->number, 1));
}
static ww_status run_any(bench_work *w) {
    return ww_any(w->device, &last_number_ww, numbers(w), ww_array((uint8_t *)w->number, 1));
}
static ww_status run_sorted(bench_work *w) { return ww_is_sorted(w->device, NULL, numbers(w), ww_none, answer(w)); }
static ww_status run_ends(bench_work *w) {
    float *const out = w->out;
    return ww_min_max(w->device, NULL, ww_memory((const float *)w->in, w->n), ww_array(out, 1), ww_array(out + 1, 1));
}

static bool right_count(const bench_work *w) {
    const uint32_t *x = w->in;
    uint64_t many = 0;
    for (size_t i = 0; i < w->n; i++) many += x[i] & 1;
    return w->result == many;
}

static bool right_all(const bench_work *w) { return w->result == w->n; }
static bool right_true(const bench_work *w) { return (uint8_t)w->result == 1; }

static bool right_false(const bench_work *w) { return !(uint8_t)w->result; }

static bool right_ends(const bench_work *w) {
    const float *x = w->in, *out = w->out;
    float least = x[0], greatest = x[0];
    for (size_t i = 1; i < w->n; i++) {
        if (x[i] < least) least = x[i];
        if (x[i] > greatest) greatest = x[i];
    }
    return out[0] <= least && out[0] >= least && out[1] <= greatest && out[1] >= greatest;
}

/* ---- rows of 256, bins, quantiles ---- */

enum { ROW = 256, FIRST = 8, BINS = 1024 };

static size_t rows_in(const bench_work *w) { return w->n / ROW; }

/* Offsets of rows in `second`; a place for each in `out`. */
static void make_rows(bench_work *w) {
    make(w);
    w->second = work_pages(w, (rows_in(w) + 1) * 4);
    w->out = work_pages(w, w->out_bytes = rows_in(w) * FIRST * 4);
    for (size_t r = 0; r <= rows_in(w); r++) ((uint32_t *)w->second)[r] = (uint32_t)(r * ROW);
}

static ww_status run_least(bench_work *w) {
    return ww_arg_min_segments(w->device, NULL, numbers(w), ww_memory((const uint32_t *)w->second, rows_in(w) + 1),
                               ww_array((uint32_t *)w->out, rows_in(w)));
}
static bool right_least(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t r = 0; r < rows_in(w); r++) {
        size_t at = r * ROW;
        for (size_t i = at + 1; i < (r + 1) * ROW; i++)
            if (x[i] < x[at]) at = i;
        if (out[r] != at) return false;
    }
    return true;
}

static ww_status run_greatest(bench_work *w) {
    return ww_arg_max_segments(w->device, NULL, numbers(w), ww_memory((const uint32_t *)w->second, rows_in(w) + 1),
                               ww_array((uint32_t *)w->out, rows_in(w)));
}
static bool right_greatest(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t r = 0; r < rows_in(w); r++) {
        size_t at = r * ROW;
        for (size_t i = at + 1; i < (r + 1) * ROW; i++)
            if (x[i] > x[at]) at = i;
        if (out[r] != at) return false;
    }
    return true;
}

static ww_status run_first(bench_work *w) {
    return ww_top_k_segments(w->device, FIRST, numbers(w), ww_no_input,
                             ww_memory((const uint32_t *)w->second, rows_in(w) + 1),
                             ww_array((uint32_t *)w->out, FIRST * rows_in(w)), ww_none, NULL);
}
static bool right_first(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t r = 0; r < rows_in(w); r++)
        for (size_t k = 0; k < FIRST; k++) {
            const uint32_t mine = out[r * FIRST + k];
            size_t below = 0, same = 0;
            for (size_t i = r * ROW; i < (r + 1) * ROW; i++) {
                below += x[i] < mine;
                same += x[i] == mine;
            }
            if (!same || below > k || below + same <= k) return false;
        }
    return true;
}

static ww_status run_middle(bench_work *w) {
    return ww_nth_segments(w->device, ROW / 2, numbers(w), ww_memory((const uint32_t *)w->second, rows_in(w) + 1),
                           ww_array((uint32_t *)w->out, rows_in(w)), NULL);
}
static bool right_middle(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t r = 0; r < rows_in(w); r++) {
        size_t below = 0, same = 0;
        for (size_t i = r * ROW; i < (r + 1) * ROW; i++) {
            below += x[i] < out[r];
            same += x[i] == out[r];
        }
        if (below > ROW / 2 || below + same <= ROW / 2) return false;
    }
    return true;
}

/* Bins in `in`, weights, which are small whole numbers, in `second`. */
static void make_weights(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n * 8);
    w->out = work_pages(w, w->out_bytes = BINS * 8);
    for (size_t i = 0; i < w->n; i++) {
        ((uint32_t *)w->in)[i] %= BINS;
        ((double *)w->second)[i] = (double)(i % 5);
    }
}
static ww_status run_weighted(bench_work *w) {
    return ww_histogram_weighted(w->device, &ww_by_number, numbers(w), ww_memory((const double *)w->second, w->n),
                                 ww_array((double *)w->out, BINS));
}
static bool right_weighted(const bench_work *w) {
    uint64_t sum[BINS] = {0};
    for (size_t i = 0; i < w->n; i++) sum[((uint32_t *)w->in)[i]] += i % 5;
    for (size_t b = 0; b < BINS; b++)
        if ((uint64_t)((double *)w->out)[b] != sum[b]) return false;
    return true;
}

/* The same of Zipf's bins, of weights that are no whole numbers, and of integers. */
static void make_fractions(bench_work *w) {
    make_weights(w);
    for (size_t i = 0; i < w->n; i++) ((double *)w->second)[i] = (double)(i % 1000003) / 7;
}
static void skew_bins(const bench_work *w) {
    data_skewed(w->in, w->n, BINS, 13);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] >>= 21;
}
static void make_fractions_skewed(bench_work *w) {
    make_fractions(w);
    skew_bins(w);
}
static bool right_fractions(const bench_work *w) {
    static double sum[BINS];
    const double *x = w->second, *out = w->out;
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < w->n; i++) sum[((uint32_t *)w->in)[i]] += x[i];
    for (size_t b = 0; b < BINS; b++) {
        const double apart = out[b] < sum[b] ? sum[b] - out[b] : out[b] - sum[b];
        if (!(apart <= 1e-9 * sum[b])) return false;
    }
    return true;
}
static void make_integer_weights(bench_work *w) {
    make_weights(w);
    data_u32(w->second, w->n, 14);
}
static ww_status run_integers(bench_work *w) {
    return ww_histogram_weighted(w->device, &ww_by_number, numbers(w), ww_memory((const uint32_t *)w->second, w->n),
                                 ww_array((uint32_t *)w->out, BINS));
}
static bool right_integers(const bench_work *w) {
    uint32_t sum[BINS] = {0};
    for (size_t i = 0; i < w->n; i++) sum[((uint32_t *)w->in)[i]] += ((uint32_t *)w->second)[i];
    return !memcmp(sum, w->out, sizeof sum);
}

static ww_status run_quantiles(bench_work *w) {
    static const double quarters[3] = {0.25, 0.5, 0.75};
    return ww_quantiles(w->device, quarters, 3, WW_QUANTILE_LOWER, numbers(w), ww_array((uint32_t *)w->out, 3));
}
static bool right_quantiles(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t q = 0; q < 3; q++) {
        const size_t place = (size_t)((double)(q + 1) / 4 * (double)(w->n - 1));
        size_t below = 0, same = 0;
        for (size_t i = 0; i < w->n; i++) {
            below += x[i] < out[q];
            same += x[i] == out[q];
        }
        if (below > place || below + same <= place) return false;
    }
    return true;
}

/* Bins without weights, and those of pairs: 32 by 32. */
static void make_bins(bench_work *w) {
    make(w);
    w->out = work_pages(w, w->out_bytes = BINS * 4);
    for (size_t i = 0; i < w->n; i++) ((uint32_t *)w->in)[i] %= BINS;
}
static ww_status run_bins(bench_work *w) {
    return ww_bincount(w->device, numbers(w), ww_array((uint32_t *)w->out, BINS), ww_none, NULL);
}
static bool right_bins(const bench_work *w) {
    uint32_t counts[BINS] = {0};
    for (size_t i = 0; i < w->n; i++) counts[((uint32_t *)w->in)[i]]++;
    return !memcmp(counts, w->out, sizeof counts);
}

static void make_skewed_bins(bench_work *w) {
    make_bins(w);
    skew_bins(w);
}

enum { SIDE = 32 };
static void make_pairs(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = (SIDE + 1) * 4);
    w->out = work_pages(w, w->out_bytes = BINS * 4);
    data_u31(w->second, w->n, 12);
}
static ww_status run_pairs(bench_work *w) {
    static uint32_t edges[SIDE + 1];
    for (uint32_t e = 0; e <= SIDE; e++) edges[e] = e < SIDE ? e << 26 : 0x80000000;
    const ww_status status = ww_copy(w->device, ww_memory(edges, SIDE + 1),
                                     ww_array((uint32_t *)w->out_second, SIDE + 1));
    const ww_input at = ww_memory((const uint32_t *)w->out_second, SIDE + 1);
    return status ? status
                  : ww_histogram_2d(w->device, numbers(w), ww_memory((const uint32_t *)w->second, w->n), at, at,
                                    ww_array((uint32_t *)w->out, BINS), ww_none);
}
static bool right_pairs(const bench_work *w) {
    uint32_t counts[BINS] = {0};
    const uint32_t *x = w->in, *y = w->second;
    for (size_t i = 0; i < w->n; i++) counts[(x[i] >> 26) * SIDE + (y[i] >> 26)]++;
    return !memcmp(counts, w->out, sizeof counts);
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "count if u32", .call = "ww_count_if(x & 1)", .make = make, .run = run_count, .right = right_count, .bytes = 4,
     .element = 4, .peer = "count if u32"},
    {.name = "find if u32, nowhere", .call = "ww_find_if", .make = make, .run = run_find, .right = right_all, .bytes = 4,
     .element = 4, .peer = "find if u32"},
    {.name = "is sorted u32", .call = "ww_is_sorted", .make = make_rising, .run = run_sorted, .right = right_all, .bytes = 4,
     .element = 4, .peer = "is sorted u32"},
    {.name = "min and max of f32", .call = "ww_min_max", .make = make_floats, .run = run_ends, .right = right_ends, .bytes = 4,
     .element = 4, .peer = "min max f32"},
    {.name = "arg min of rows of 256 u32", .call = "ww_arg_min_segments", .make = make_rows, .run = run_least,
     .right = right_least, .bytes = 4, .element = 4, .peer = "least of rows of u32"},
    {.name = "arg max of rows of 256 u32", .call = "ww_arg_max_segments", .make = make_rows, .run = run_greatest,
     .right = right_greatest, .bytes = 4, .element = 4, .peer = "greatest of rows of u32"},
    {.name = "first 8 of rows of 256 u32", .call = "ww_top_k_segments", .make = make_rows, .run = run_first,
     .right = right_first, .bytes = 4, .element = 4, .peer = "first of rows of u32"},
    {.name = "weighted histogram, 1024 bins, f64", .call = "ww_histogram_weighted", .make = make_weights, .run = run_weighted,
     .right = right_weighted, .bytes = 12, .element = 4, .peer = "weighted bins"},
    {.name = "weighted histogram, 1024 bins, fractions", .call = "ww_histogram_weighted", .make = make_fractions,
     .run = run_weighted, .right = right_fractions, .bytes = 12, .element = 4, .peer = "weighted bins"},
    {.name = "weighted histogram, fractions, skewed", .call = "ww_histogram_weighted, Zipf",
     .make = make_fractions_skewed, .run = run_weighted, .right = right_fractions, .bytes = 12, .element = 4,
     .peer = "weighted bins"},
    {.name = "weighted histogram, 1024 bins, u32", .call = "ww_histogram_weighted", .make = make_integer_weights,
     .run = run_integers, .right = right_integers, .bytes = 8, .element = 4, .peer = "weighted bins of u32"},
    {.name = "counts of 1024 numbers, skewed", .call = "ww_bincount, Zipf", .make = make_skewed_bins, .run = run_bins,
     .right = right_bins, .bytes = 4, .element = 4, .peer = "bins of u32"},
    {.name = "counts of 1024 numbers", .call = "ww_bincount", .make = make_bins, .run = run_bins, .right = right_bins, .bytes = 4,
     .element = 4, .peer = "bins of u32"},
    {.name = "histogram of pairs, 32 x 32 bins", .call = "ww_histogram_2d", .make = make_pairs, .run = run_pairs,
     .right = right_pairs, .bytes = 8, .element = 4, .peer = "bins of two u32"},
    {.name = "quartiles of u32", .call = "ww_quantiles", .make = make, .run = run_quantiles, .right = right_quantiles, .bytes = 4,
     .element = 4, .peer = "quartiles of u32"},
    {.name = "all of u32", .call = "ww_all", .make = make, .run = run_all, .right = right_true, .bytes = 4, .element = 4,
     .peer = "all of u32"},
    {.name = "any of u32, none", .call = "ww_any", .make = make, .run = run_any, .right = right_false, .bytes = 4, .element = 4,
     .peer = "any of u32"},
    {.name = "n-th of rows of 256 u32, the middle", .call = "ww_nth_segments", .make = make_rows, .run = run_middle,
     .right = right_middle, .bytes = 4, .element = 4, .peer = "middle of rows of u32"},
};
/* clang-format on */

const bench_family family_query = {.name = "query", .title = "Queries", .rows = rows, .count = BENCH_COUNT(rows)};
