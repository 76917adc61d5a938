/* Merging two sorted halves, and searching a sorted array for random needles. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

static void make_halves(bench_work *w) {
    w->m = w->n / 2;
    w->in = work_pages(w, (w->n - w->m) * 4);
    w->second = work_pages(w, w->m * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_sorted(w->in, w->n - w->m, 16);
    data_sorted(w->second, w->m, 17);
}

static ww_status run_merge(bench_work *w) {
    return ww_merge(w->device, NULL, ww_memory((const uint32_t *)w->in, w->n - w->m),
                    ww_memory((const uint32_t *)w->second, w->m), ww_no_input, ww_no_input,
                    ww_array((uint32_t *)w->out, w->n), ww_none);
}

static bool right_merge(const bench_work *w) {
    const uint32_t *a = w->in, *b = w->second, *out = w->out;
    size_t i = 0, j = 0;
    const size_t na = w->n - w->m;
    for (size_t k = 0; k < w->n; k++) {
        const uint32_t least = j == w->m || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
        if (out[k] != least) return false;
    }
    return true;
}

/* n needles in 16 n sorted numbers: far more than the caches hold. */
static void make_needles(bench_work *w) {
    w->m = w->n * 16;
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->m * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 18);
    data_sorted(w->second, w->m, 19);
}

static ww_status run_bound(bench_work *w) {
    return ww_lower_bound(w->device, NULL, ww_memory((const uint32_t *)w->second, w->m),
                          ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n));
}

static bool right_bound(const bench_work *w) {
    const uint32_t *needle = w->in, *sorted = w->second, *out = w->out;
    for (size_t i = 0; i < w->n; i++) {
        const size_t at = out[i];
        if (at > w->m || (at < w->m && sorted[at] < needle[i]) || (at && sorted[at - 1] >= needle[i])) return false;
    }
    return true;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "merge u32", .call = "ww_merge of two halves", .make = make_halves, .run = run_merge,
     .right = right_merge, .bytes = 8, .element = 4, .peer = "merge u32"},
    {.name = "lower bound u32", .call = "ww_lower_bound of n random needles in 16 n", .make = make_needles,
     .run = run_bound, .right = right_bound, .bytes = 8, .element = 4, .divide = 32, .peer = "lower bound u32"},
};
/* clang-format on */

const bench_family family_merge = {.name = "merge",
                                   .title = "Merge and search",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows)};
