/* Inputs that are computed as they are read, beside the loops that one writes by hand: a cast, every third element, elements at
 * indices, neighbours, members of a struct. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

enum { STRIDE = 3 };

WW_STRUCT(weighed, {
    uint32_t number;
    uint32_t weight;
});
WW_MAP(weight_of, uint64_t, weighed, w, void, none, { return (uint64_t)w.number * w.weight; });
WW_WINDOW(three, uint32_t, uint32_t, x, 1, 1, void, none, { return x[-1] + x[0] + x[1]; });

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 61);
}

/* Other numbers in `second`, or positions in random order. */
static void make_two(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n * 4);
    data_u32(w->second, w->n, 62);
}
static void make_index(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n * 4);
    data_permutation(w->second, w->n, 63);
}

static ww_input numbers(const bench_work *w) { return ww_memory((const uint32_t *)w->in, w->n); }
static ww_input seconds(const bench_work *w) { return ww_memory((const uint32_t *)w->second, w->n); }

static ww_status run_cast(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory((const uint8_t *)w->in, w->n)),
                     ww_array((uint64_t *)w->number, 1));
}
static ww_status run_strided(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_strided(numbers(w), 0, STRIDE, (w->n + STRIDE - 1) / STRIDE),
                     ww_array((uint32_t *)w->number, 1));
}
static ww_status run_permuted(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_permuted(numbers(w), seconds(w)), ww_array((uint32_t *)w->number, 1));
}
static ww_status run_zip(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_mapped(&weight_of_ww, ww_zip(&weighed_ww, numbers(w), seconds(w))),
                     ww_array((uint64_t *)w->number, 1));
}
static ww_status run_window(bench_work *w) {
    return ww_store(w->device, ww_window(&three_ww, numbers(w), WW_BORDER_CLAMP, ww_no_value),
                    ww_array((uint32_t *)w->out, w->n));
}

static bool right_cast(const bench_work *w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += ((const uint8_t *)w->in)[i];
    return w->result == sum;
}
static bool right_strided(const bench_work *w) {
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i += STRIDE) sum += ((const uint32_t *)w->in)[i];
    return w->result == sum;
}
static bool right_permuted(const bench_work *w) {
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += ((const uint32_t *)w->in)[i]; /* each once */
    return w->result == sum;
}
static bool right_zip(const bench_work *w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += (uint64_t)((const uint32_t *)w->in)[i] * ((const uint32_t *)w->second)[i];
    return w->result == sum;
}
static bool right_window(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != x[i ? i - 1 : 0] + x[i] + x[i + 1 < w->n ? i + 1 : i]) return false;
    return true;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "sum of u8 as u64", .call = "ww_reduce(ww_add, ww_cast)", .make = make, .run = run_cast, .right = right_cast,
     .bytes = 1, .element = 1, .peer = "sum of u8"},
    {.name = "sum of every third u32", .call = "ww_reduce(ww_add, ww_strided)", .make = make, .run = run_strided,
     .right = right_strided, .bytes = 4, .element = 4, .peer = "sum of every third u32"},
    {.name = "sum of u32 at indices", .call = "ww_reduce(ww_add, ww_permuted), checked", .make = make_index, .run = run_permuted,
     .right = right_permuted, .bytes = 8, .element = 4, .peer = "sum of u32 at indices"},
    {.name = "sum of products of two u32", .call = "ww_reduce(ww_add, ww_mapped(ww_zip))", .make = make_two, .run = run_zip,
     .right = right_zip, .bytes = 8, .element = 4, .peer = "sum of products of u32"},
    {.name = "sums of three neighbours, u32", .call = "ww_store(ww_window)", .make = make, .run = run_window,
     .right = right_window, .bytes = 8, .element = 4, .peer = "three neighbours of u32"},
};
/* clang-format on */

const bench_family family_inputs = {.name = "inputs",
                                    .title = "Computed inputs",
                                    .rows = rows,
                                    .count = BENCH_COUNT(rows)};
