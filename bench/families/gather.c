/* Gather and scatter by a random permutation: 4-byte numbers, and records of 128 bytes. */
#include "families/gather.h"

#include <string.h>

#include "measuring/data.h"
#include "measuring/pages.h"

void gather_make(bench_work *w) {
    const size_t record = w->parameter, words = w->n * record / 4;
    w->in = work_pages(w, words * 4);
    w->second = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = words * 4);
    data_u32(w->in, words, 14);
    data_permutation(w->second, w->n, 15);
}

ww_array gather_array(const bench_work *w, void *data) {
    if (w->parameter == 8) return ww_array((uint64_t *)data, w->n);
    return w->parameter == 4 ? ww_array((uint32_t *)data, w->n) : ww_records(data, w->n, w->parameter);
}

static ww_input index_of(const bench_work *w) { return ww_memory((const uint32_t *)w->second, w->n); }

ww_status gather_run(bench_work *w) {
    return ww_gather(w->device, ww_from(gather_array(w, w->in)), index_of(w), gather_array(w, w->out));
}

static ww_status run_scatter(bench_work *w) {
    return ww_scatter(w->device, ww_from(gather_array(w, w->in)), index_of(w), gather_array(w, w->out),
                      ww_scatter_by(WW_CONFLICT_ANY));
}

static ww_status run_scatter_last(bench_work *w) {
    return ww_scatter(w->device, ww_from(gather_array(w, w->in)), index_of(w), gather_array(w, w->out),
                      ww_scatter_by(WW_CONFLICT_LAST));
}

ww_status scatter_run(bench_work *w) {
    return ww_scatter(w->device, ww_from(gather_array(w, w->in)), index_of(w), gather_array(w, w->out),
                      ww_scatter_by(WW_CONFLICT_UNIQUE));
}

bool gather_right(const bench_work *w) {
    const uint32_t *index = w->second;
    const char *from = w->in, *out = w->out;
    const size_t record = w->parameter;
    for (size_t i = 0; i < w->n; i++)
        if (memcmp(out + i * record, from + index[i] * record, record)) return false;
    return true;
}

bool scatter_right(const bench_work *w) {
    const uint32_t *index = w->second;
    const char *in = w->in, *to = w->out;
    const size_t record = w->parameter;
    for (size_t i = 0; i < w->n; i++)
        if (memcmp(to + index[i] * record, in + i * record, record)) return false;
    return true;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "gather u32", .call = "ww_gather", .make = gather_make, .run = gather_run, .right = gather_right, .bytes = 12,
     .element = 4, .parameter = 4, .peer = "gather u32"},
    {.name = "gather records of 128 bytes", .call = "ww_gather", .make = gather_make, .run = gather_run, .right = gather_right,
     .bytes = 260, .element = 128, .parameter = 128, .divide = 8, .peer = "gather records of 128 bytes"},
    {.name = "scatter u32, any wins", .call = "ww_scatter(WW_CONFLICT_ANY)", .make = gather_make, .run = run_scatter,
     .right = scatter_right, .bytes = 12, .element = 4, .parameter = 4, .peer = "scatter u32"},
    {.name = "scatter u32, last wins", .call = "ww_scatter(WW_CONFLICT_LAST)", .make = gather_make, .run = run_scatter_last,
     .right = scatter_right, .bytes = 12, .element = 4, .parameter = 4},
    {.name = "scatter records of 128 bytes, any wins", .call = "ww_scatter(WW_CONFLICT_ANY)", .make = gather_make,
     .run = run_scatter, .right = scatter_right, .bytes = 260, .element = 128, .parameter = 128, .divide = 8},
    {.name = "scatter unique u32", .call = "ww_scatter(WW_CONFLICT_UNIQUE)", .make = gather_make, .run = scatter_run,
     .right = scatter_right, .bytes = 12, .element = 4, .parameter = 4},
    {.name = "scatter unique records of 128 bytes", .call = "ww_scatter(WW_CONFLICT_UNIQUE)", .make = gather_make,
     .run = scatter_run, .right = scatter_right, .bytes = 260, .element = 128, .parameter = 128, .divide = 8},
};
/* clang-format on */

const bench_family family_gather = {.name = "gather",
                                    .title = "Gather and scatter",
                                    .rows = rows,
                                    .count = BENCH_COUNT(rows)};
