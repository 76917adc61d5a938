/* Stable sorts, out of place. Peers sort in place, on a copy that is made before their clock runs. Highway and NumPy run on
 * one thread: --threads=1 sets Warpwise beside them. */
#include "bench.h"
#include "data.h"
#include "pages.h"
#include "sort_study.h"

static void make_u32(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 12);
}

static void make_few(bench_work *w) {
    make_u32(w);
    uint32_t *keys = w->in;
    for (size_t i = 0; i < w->n; i++) keys[i] = (keys[i] >> 28) * 2654435761u; /* that differ in all their bits */
}

static void make_sorted(bench_work *w) {
    make_u32(w);
    data_sorted(w->in, w->n, 12);
}

static void make_u64(bench_work *w) {
    w->in = work_pages(w, w->n * 8);
    w->out = work_pages(w, w->out_bytes = w->n * 8);
    data_u64(w->in, w->n, 13);
}

/* Values are the keys' positions, so that the check sees whether equal keys (some hundred thousand pairs of them) kept
 * their order. The peers sort structs, which they keep in `aside`. */
static void make_pairs(bench_work *w) {
    make_u32(w);
    uint32_t *values = w->second = work_pages(w, w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    w->aside = work_pages(w, w->n * 8);
    for (size_t i = 0; i < w->n; i++) values[i] = (uint32_t)i;
}

static ww_status run_u32(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_no_input(),
                   ww_array((uint32_t *)w->out, w->n), ww_none, NULL);
}

static ww_status run_u64(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint64_t *)w->in, w->n), ww_no_input(),
                   ww_array((uint64_t *)w->out, w->n), ww_none, NULL);
}

static ww_status run_pairs(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_memory((const uint32_t *)w->second, w->n),
                   ww_array((uint32_t *)w->out, w->n), ww_array((uint32_t *)w->out_second, w->n), NULL);
}

static bool right_u32(const bench_work *w) { return check_sorted_u32(w->out, w->in, w->n); }
static bool right_u64(const bench_work *w) { return check_sorted_u64(w->out, w->in, w->n); }

static bool right_pairs(const bench_work *w) {
    const uint32_t *in = w->in, *keys = w->out, *values = w->out_second;
    if (!check_sorted_u32(keys, in, w->n)) return false;
    for (size_t i = 0; i < w->n; i++) {
        if (values[i] >= w->n || in[values[i]] != keys[i]) return false;
        if (i && keys[i] == keys[i - 1] && values[i] <= values[i - 1]) return false; /* not stable, or one twice */
    }
    return true;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "sort u32", .call = "ww_sort, stable", .make = make_u32, .run = run_u32, .right = right_u32, .bytes = 8,
     .element = 4, .peer = "sort u32", .target = {AGAINST_COPY, 0.058, 338}},
    {.name = "sort u64", .call = "ww_sort, stable", .make = make_u64, .run = run_u64, .right = right_u64, .bytes = 16,
     .element = 8, .peer = "sort u64", .target = {AGAINST_COPY, 0.058, 169}},
    {.name = "sort u32 + u32", .call = "ww_sort, stable, with values", .make = make_pairs, .run = run_pairs,
     .right = right_pairs, .bytes = 16, .element = 8, .peer = "sort u32 + u32", .target = {AGAINST_COPY, 0.055, 160}},
    {.name = "sort u32, 16 distinct", .call = "ww_sort, stable", .make = make_few, .run = run_u32, .right = right_u32,
     .bytes = 8, .element = 4, .divide = 4, .peer = "sort u32", .target = {AGAINST_COPY, 0.35, 0}},
    {.name = "sort u32, sorted already", .call = "ww_sort, stable", .make = make_sorted, .run = run_u32, .right = right_u32,
     .bytes = 8, .element = 4, .divide = 4, .peer = "sort u32", .target = {AGAINST_COPY, 0.55, 0}},
    {.name = "sort u32, 2^20", .call = "ww_sort, stable", .make = make_u32, .run = run_u32, .right = right_u32, .bytes = 8,
     .element = 4, .items = 1 << 20, .peer = "sort u32", .target = {AGAINST_HIGHWAY, 0.95, 0}},
};
/* clang-format on */

const bench_family family_sort = {.name = "sort",
                                  .title = "Sort",
                                  .rows = rows,
                                  .count = BENCH_COUNT(rows),
                                  .studies = sort_studies,
                                  .tables = sort_tables};
