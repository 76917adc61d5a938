/* Histograms of 31-bit numbers: uniform, all equal, and skewed by Zipf's law; the base of the latter two is the same
 * call on uniform numbers, and a ratio of 1 / 1.3 is the promise that skew costs at most 1.3 times the time. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"
#include "studies/text_data.h"

enum { EDGES = 100 }; /* of the row that searches edges */

static const uint32_t top = (uint32_t)1 << 31;

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = (w->parameter + 1) * 4);
    data_u31(w->in, w->n, 10);
}

static void make_equal(bench_work *w) {
    make(w);
    w->second = w->in;
    uint32_t *x = w->in = work_pages(w, w->n * 4);
    for (size_t i = 0; i < w->n; i++) x[i] = 0x12345678;
}

static void make_skewed(bench_work *w) {
    make(w);
    w->second = w->in;
    w->in = work_pages(w, w->n * 4);
    data_skewed(w->in, w->n, (uint32_t)w->parameter, 11);
}

static ww_status histogram_of(bench_work *w, const void *data, uint32_t high) {
    return ww_histogram_even(w->device, ww_memory((const uint32_t *)data, w->n), ww_value(uint32_t, 0),
                             ww_value(uint32_t, high), ww_array((uint32_t *)w->out, w->parameter),
                             ww_array((uint64_t *)w->number, 1), NULL);
}

static ww_status run_even(bench_work *w) { return histogram_of(w, w->in, top); }
static ww_status run_uniform(bench_work *w) { return histogram_of(w, w->second, top); }
static ww_status run_odd_width(bench_work *w) { return histogram_of(w, w->in, 1000000000); }

/* By ballots: as fast for any data. */
static ww_status run_warp(bench_work *w) {
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    options.method = WW_HISTOGRAM_WARP;
    return ww_histogram_even(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_value(uint32_t, 0),
                             ww_value(uint32_t, top), ww_array((uint32_t *)w->out, w->parameter),
                             ww_array((uint64_t *)w->number, 1), &options);
}

/* On top of counts in `second`, which are put there first. */
static void make_more(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->parameter * 4);
    data_u32(w->second, w->parameter, 12);
}
static ww_status run_more(bench_work *w) {
    const ww_array counts = ww_array((uint32_t *)w->out, w->parameter);
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    options.accumulate = 1;
    const ww_status status = ww_copy(w->device, ww_memory((const uint32_t *)w->second, w->parameter), counts);
    return status ? status
                  : ww_histogram_even(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_value(uint32_t, 0),
                                      ww_value(uint32_t, top), counts, ww_array((uint64_t *)w->number, 1), &options);
}
static bool right_more(const bench_work *w) {
    const uint32_t *x = w->in, *before = w->second, *counts = w->out;
    uint32_t wanted[256] = {0};
    bool same = !w->result;
    for (size_t b = 0; b < w->parameter && !w->base; b++) wanted[b] = before[b];
    for (size_t i = 0; i < w->n; i++) wanted[x[i] >> 23]++;
    for (size_t b = 0; b < w->parameter; b++) same = same && counts[b] == wanted[b];
    return same;
}

static ww_status run_buckets(bench_work *w) {
    return ww_histogram(w->device, w->user->top8, ww_memory((const uint32_t *)w->in, w->n),
                        ww_array((uint32_t *)w->out, w->parameter), ww_none, NULL);
}

static uint32_t edge(size_t k) { return (uint32_t)(((uint64_t)top * k * k) / (EDGES * EDGES)); }

static void make_edges(bench_work *w) {
    make(w);
    uint32_t *edges = w->second = work_pages(w, (EDGES + 1) * 4);
    for (size_t k = 0; k <= EDGES; k++) edges[k] = edge(k);
}

static ww_status run_edges(bench_work *w) {
    return ww_histogram_edges(w->device, ww_memory((const uint32_t *)w->in, w->n),
                              ww_memory((const uint32_t *)w->second, EDGES + 1), ww_array((uint32_t *)w->out, EDGES),
                              ww_array((uint64_t *)w->number, 1), NULL);
}

/* Bins counted one by one: bin(x) below `bins`, or outside. */
static bool right_by(const bench_work *w, size_t bins, size_t (*bin)(uint32_t x, size_t bins)) {
    const uint32_t *x = w->base ? w->second : w->in, *counts = w->out;
    uint32_t *wanted = pages_new((bins + 1) * 4);
    for (size_t b = 0; b <= bins; b++) wanted[b] = 0;
    for (size_t i = 0; i < w->n; i++) wanted[bin(x[i], bins)]++;
    bool same = w->result == wanted[bins];
    for (size_t b = 0; b < bins; b++) same = same && counts[b] == wanted[b];
    pages_free(wanted, (bins + 1) * 4);
    return same;
}

static size_t bin_even(uint32_t x, size_t bins) { return (size_t)((uint64_t)x * bins >> 31); }
static size_t bin_odd_width(uint32_t x, size_t bins) { return x < 1000000000 ? (uint64_t)x * bins / 1000000000 : bins; }
static size_t bin_edges(uint32_t x, size_t bins) {
    size_t low = 0, high = bins + 1; /* edge(low) <= x < edge(high), edge(bins + 1) being infinite */
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (x >= edge(middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool right_even(const bench_work *w) { return right_by(w, w->parameter, bin_even); }
static bool right_odd_width(const bench_work *w) { return right_by(w, w->parameter, bin_odd_width); }
static bool right_edges(const bench_work *w) { return right_by(w, w->parameter, bin_edges); }

/* ---- bytes: how often each occurs ---- */

enum { BYTES = 256 };

static void make_bytes(bench_work *w) {
    w->in = work_pages(w, w->n);
    w->out = work_pages(w, w->out_bytes = BYTES * 4);
}

static void make_uniform_bytes(bench_work *w) {
    make_bytes(w);
    uint8_t *x = w->in;
    text_fill(x, w->n, TEXT_RANDOM, 8, 16);
}

static void make_skewed_bytes(bench_work *w) {
    make_bytes(w);
    uint32_t *numbers = pages_new(w->n * 4);
    uint8_t *x = w->in;
    data_skewed(numbers, w->n, BYTES, 17);
    for (size_t i = 0; i < w->n; i++) x[i] = (uint8_t)(numbers[i] >> 23);
    pages_free(numbers, w->n * 4);
}

static void make_text_bytes(bench_work *w) {
    make_bytes(w);
    text_fill(w->in, w->n, TEXT_ENGLISH, 8, 18);
}

static ww_status run_bytes(bench_work *w) {
    return ww_bincount(w->device, ww_memory((const uint8_t *)w->in, w->n), ww_array((uint32_t *)w->out, BYTES), ww_none,
                       NULL);
}

static bool right_bytes(const bench_work *w) {
    const uint8_t *x = w->in;
    const uint32_t *counts = w->out;
    uint32_t wanted[BYTES] = {0};
    bool same = true;
    for (size_t i = 0; i < w->n; i++) wanted[x[i]]++;
    for (size_t b = 0; b < BYTES; b++) same = same && counts[b] == wanted[b];
    return same;
}

/* clang-format off */
#define BYTE_ROW(text, maker) \
    {.name = "histogram of u8, " text, .call = "ww_bincount, 256 counts", .make = maker, .run = run_bytes, \
     .right = right_bytes, .bytes = 1, .element = 1}
#define EVEN_ROWS(bins, fraction, rate) \
    {.name = "histogram, " #bins " bins", .call = "ww_histogram_even, uniform", .make = make, .run = run_even, \
     .right = right_even, .bytes = 4, .element = 4, .parameter = bins, .target = {AGAINST_COPY, fraction, rate}}, \
    {.name = "histogram, " #bins " bins, all equal", .call = "ww_histogram_even, one value", .make = make_equal, \
     .run = run_even, .right = right_even, .bytes = 4, .element = 4, .parameter = bins, \
     .base_call = "ww_histogram_even, uniform", .base = run_uniform, .target = {AGAINST_BASE, 1 / 1.3, 0}}, \
    {.name = "histogram, " #bins " bins, skewed", .call = "ww_histogram_even, Zipf", .make = make_skewed, \
     .run = run_even, .right = right_even, .bytes = 4, .element = 4, .parameter = bins, \
     .base_call = "ww_histogram_even, uniform", .base = run_uniform, .target = {AGAINST_BASE, 1 / 1.3, 0}}

#define WARP_ROW(bins) \
    {.name = "histogram, " #bins " bins, method warp", .call = "ww_histogram_even, warp, uniform", .make = make, \
     .run = run_warp, .right = right_even, .bytes = 4, .element = 4, .parameter = bins}

static const bench_row rows[] = {
    EVEN_ROWS(256, 0.6, 3500),
    WARP_ROW(256),
    {.name = "histogram, 256 bins, accumulating", .call = "ww_copy of counts, ww_histogram_even on top", .make = make_more,
     .run = run_more, .right = right_more, .bytes = 4, .element = 4, .parameter = 256, .base_call = "ww_histogram_even",
     .base = run_even},
    {.name = "histogram, 32 bins", .call = "ww_histogram_even, uniform", .make = make, .run = run_even,
     .right = right_even, .bytes = 4, .element = 4, .parameter = 32},
    WARP_ROW(32),
    EVEN_ROWS(65536, 0.27, 1600),
    {.name = "histogram, 1000 bins of 1000000", .call = "ww_histogram_even, uniform, half of it outside", .make = make,
     .run = run_odd_width, .right = right_odd_width, .bytes = 4, .element = 4, .parameter = 1000},
    {.name = "histogram, 256 buckets, user's WW_MAP", .call = "ww_histogram(x >> 23)", .make = make, .run = run_buckets,
     .right = right_even, .bytes = 4, .element = 4, .parameter = 256, .user = 1},
    BYTE_ROW("uniform", make_uniform_bytes),
    BYTE_ROW("Zipf", make_skewed_bytes),
    BYTE_ROW("text", make_text_bytes),
    {.name = "histogram, 100 bins by edges", .call = "ww_histogram_edges", .make = make_edges, .run = run_edges,
     .right = right_edges, .bytes = 4, .element = 4, .parameter = EDGES},
};
/* clang-format on */

const bench_family family_histogram = {.name = "histogram",
                                       .title = "Histogram",
                                       .rows = rows,
                                       .count = BENCH_COUNT(rows)};
