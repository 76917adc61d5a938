/* Gather and scatter by a random permutation: 4-byte numbers, and records of 128 bytes. */
#include <string.h>

#include "bench.h"
#include "data.h"
#include "pages.h"

static void make(bench_work *w) {
    const size_t record = w->parameter, words = w->n * record / 4;
    w->in = work_pages(w, words * 4);
    w->second = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = words * 4);
    data_u32(w->in, words, 14);
    data_permutation(w->second, w->n, 15);
}

static ww_array array_of(const bench_work *w, void *data) {
    return w->parameter == 4 ? ww_array((uint32_t *)data, w->n) : ww_records(data, w->n, w->parameter);
}

static ww_input index_of(const bench_work *w) { return ww_memory((const uint32_t *)w->second, w->n); }

static ww_status run_gather(bench_work *w) {
    return ww_gather(w->device, array_of(w, w->in), index_of(w), array_of(w, w->out));
}

static ww_status run_scatter(bench_work *w) {
    return ww_scatter(w->device, ww_from(array_of(w, w->in)), index_of(w), array_of(w, w->out), WW_CONFLICT_ANY);
}

static ww_status run_scatter_last(bench_work *w) {
    return ww_scatter(w->device, ww_from(array_of(w, w->in)), index_of(w), array_of(w, w->out), WW_CONFLICT_LAST);
}

static ww_status run_scatter_unique(bench_work *w) {
    return ww_scatter(w->device, ww_from(array_of(w, w->in)), index_of(w), array_of(w, w->out), WW_CONFLICT_UNIQUE);
}

static bool right_gather(const bench_work *w) {
    const uint32_t *index = w->second;
    const char *from = w->in, *out = w->out;
    const size_t record = w->parameter;
    for (size_t i = 0; i < w->n; i++)
        if (memcmp(out + i * record, from + index[i] * record, record)) return false;
    return true;
}

static bool right_scatter(const bench_work *w) {
    const uint32_t *index = w->second;
    const char *in = w->in, *to = w->out;
    const size_t record = w->parameter;
    for (size_t i = 0; i < w->n; i++)
        if (memcmp(to + index[i] * record, in + i * record, record)) return false;
    return true;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "gather u32", .call = "ww_gather", .make = make, .run = run_gather, .right = right_gather, .bytes = 12,
     .element = 4, .parameter = 4, .peer = "gather u32"},
    {.name = "gather records of 128 bytes", .call = "ww_gather", .make = make, .run = run_gather, .right = right_gather,
     .bytes = 260, .element = 128, .parameter = 128, .divide = 8, .peer = "gather records of 128 bytes"},
    {.name = "scatter u32, any wins", .call = "ww_scatter(WW_CONFLICT_ANY)", .make = make, .run = run_scatter,
     .right = right_scatter, .bytes = 12, .element = 4, .parameter = 4, .peer = "scatter u32"},
    {.name = "scatter u32, last wins", .call = "ww_scatter(WW_CONFLICT_LAST)", .make = make, .run = run_scatter_last,
     .right = right_scatter, .bytes = 12, .element = 4, .parameter = 4},
    {.name = "scatter records of 128 bytes, any wins", .call = "ww_scatter(WW_CONFLICT_ANY)", .make = make,
     .run = run_scatter, .right = right_scatter, .bytes = 260, .element = 128, .parameter = 128, .divide = 8},
    {.name = "scatter unique u32", .call = "ww_scatter(WW_CONFLICT_UNIQUE)", .make = make, .run = run_scatter_unique,
     .right = right_scatter, .bytes = 12, .element = 4, .parameter = 4},
    {.name = "scatter unique records of 128 bytes", .call = "ww_scatter(WW_CONFLICT_UNIQUE)", .make = make,
     .run = run_scatter_unique, .right = right_scatter, .bytes = 260, .element = 128, .parameter = 128, .divide = 8},
};
/* clang-format on */

const bench_family family_gather = {.name = "gather",
                                    .title = "Gather and scatter",
                                    .rows = rows,
                                    .count = BENCH_COUNT(rows)};
