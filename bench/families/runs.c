/* Run lengths, sums and distinct elements of an input whose runs are four elements long on average. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    data_runs(w->in, w->n, 4, 20);
}

static ww_status run_lengths(bench_work *w) {
    return ww_run_lengths(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n),
                          ww_array((uint32_t *)w->out_second, w->n), ww_array((uint64_t *)w->number, 1));
}

static ww_status run_unique(bench_work *w) {
    return ww_unique(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n),
                     ww_array((uint64_t *)w->number, 1));
}

WW_MAP2(same_number, uint8_t, uint32_t, a, uint32_t, b, void, none, { return a == b; });
static ww_status run_unique_by(bench_work *w) {
    return ww_unique_by(w->device, &same_number_ww, ww_memory((const uint32_t *)w->in, w->n),
                        ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1));
}

static ww_status run_lengths_by(bench_work *w) {
    return ww_run_lengths_by(w->device, &same_number_ww, ww_memory((const uint32_t *)w->in, w->n),
                             ww_array((uint32_t *)w->out, w->n), ww_array((uint32_t *)w->out_second, w->n),
                             ww_array((uint64_t *)w->number, 1));
}

/* Of a fresh copy each time; the base writes to another array. */
static ww_status unique_copy(bench_work *w, void *to) {
    const ww_status status = ww_copy(w->device, ww_memory((const uint32_t *)w->in, w->n),
                                     ww_array((uint32_t *)to, w->n));
    return status ? status
                  : ww_unique(w->device, ww_memory((const uint32_t *)to, w->n), ww_array((uint32_t *)w->out, w->n),
                              ww_array((uint64_t *)w->number, 1));
}
static ww_status run_in_place(bench_work *w) { return unique_copy(w, w->out); }
static ww_status run_elsewhere(bench_work *w) { return unique_copy(w, w->out_second); }

/* Sums of values by key. */
static void make_sums(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n * 4);
    data_u32(w->second, w->n, 21);
}
static ww_status run_sums(bench_work *w) {
    return ww_reduce_by_key(w->device, &ww_add, ww_memory((const uint32_t *)w->in, w->n),
                            ww_memory((const uint32_t *)w->second, w->n), ww_array((uint32_t *)w->out, w->n),
                            ww_array((uint32_t *)w->out_second, w->n), ww_array((uint64_t *)w->number, 1));
}
static ww_status run_sums_by(bench_work *w) {
    return ww_reduce_by_key_by(w->device, &same_number_ww, &ww_add, ww_memory((const uint32_t *)w->in, w->n),
                               ww_memory((const uint32_t *)w->second, w->n), ww_array((uint32_t *)w->out, w->n),
                               ww_array((uint32_t *)w->out_second, w->n), ww_array((uint64_t *)w->number, 1));
}
static bool right_sums(const bench_work *w) {
    const uint32_t *x = w->in, *y = w->second, *keys = w->out, *sums = w->out_second;
    size_t runs = 0;
    for (size_t i = 0; i < w->n; runs++) {
        const uint32_t key = x[i];
        uint32_t sum = 0;
        for (; i < w->n && x[i] == key; i++) sum += y[i];
        if (keys[runs] != key || sums[runs] != sum) return false;
    }
    return w->result == runs;
}

static bool right(const bench_work *w, const uint32_t *lengths) {
    const uint32_t *x = w->in, *values = w->out;
    size_t runs = 0;
    for (size_t i = 0, k = 0; i < w->n; i = k, runs++) {
        while (k < w->n && x[k] == x[i]) k++;
        if (values[runs] != x[i] || (lengths && lengths[runs] != k - i)) return false;
    }
    return w->result == runs;
}

static bool right_lengths(const bench_work *w) { return right(w, w->out_second); }
static bool right_unique(const bench_work *w) { return right(w, NULL); }

/* clang-format off */
static const bench_row rows[] = {
    {.name = "run lengths u32", .call = "ww_run_lengths, runs of 4", .make = make, .run = run_lengths,
     .right = right_lengths, .bytes = 6, .element = 4, .peer = "lengths of runs of u32"},
    {.name = "unique u32 by the caller's equality", .call = "ww_unique_by, runs of 4", .make = make, .run = run_unique_by,
     .right = right_unique, .bytes = 5, .element = 4, .peer = "unique u32"},
    {.name = "run lengths u32 by the caller's equality", .call = "ww_run_lengths_by, runs of 4", .make = make,
     .run = run_lengths_by, .right = right_lengths, .bytes = 6, .element = 4, .peer = "lengths of runs of u32"},
    {.name = "sums of u32 by the caller's equality", .call = "ww_reduce_by_key_by(ww_add), runs of 4", .make = make_sums,
     .run = run_sums_by, .right = right_sums, .bytes = 10, .element = 4, .peer = "sums of runs of u32"},
    {.name = "unique in place, u32, after a copy", .call = "ww_copy, ww_unique in place", .make = make, .run = run_in_place,
     .right = right_unique, .bytes = 13, .element = 4, .base_call = "the same into another array", .base = run_elsewhere,
     .peer = "unique in place u32"},
    {.name = "unique u32", .call = "ww_unique, runs of 4", .make = make, .run = run_unique, .right = right_unique,
     .bytes = 5, .element = 4, .peer = "unique u32"},
    {.name = "sums of u32 by key", .call = "ww_reduce_by_key(ww_add), runs of 4", .make = make_sums, .run = run_sums,
     .right = right_sums, .bytes = 10, .element = 4, .peer = "sums of runs of u32"},
};
/* clang-format on */

const bench_family family_runs = {.name = "runs", .title = "Runs", .rows = rows, .count = BENCH_COUNT(rows)};
