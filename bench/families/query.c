/* Questions about an array: counts, a first position that is not there, order that holds, ends. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

WW_MAP(odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
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

static bool right_ends(const bench_work *w) {
    const float *x = w->in, *out = w->out;
    float least = x[0], greatest = x[0];
    for (size_t i = 1; i < w->n; i++) {
        if (x[i] < least) least = x[i];
        if (x[i] > greatest) greatest = x[i];
    }
    return out[0] <= least && out[0] >= least && out[1] <= greatest && out[1] >= greatest;
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
};
/* clang-format on */

const bench_family family_query = {.name = "query", .title = "Queries", .rows = rows, .count = BENCH_COUNT(rows)};
