/* Stable two-way splits, by flags and by a user's predicate. Bytes are counted as one read and one write of the elements
 * (and of the flags), although a stable split must know the zeros' count first. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "studies/split_study.h"
#include "measuring/user_functions.h"

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->aside = work_pages(w, w->n * 4);
    data_u32(w->in, w->n, 8);
}

static void make_flagged(bench_work *w) {
    make(w);
    w->second = work_pages(w, w->n);
    data_flags(w->second, w->n, 2, 9);
}

static ww_status run_flags(bench_work *w) {
    return ww_split(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_memory((const uint8_t *)w->second, w->n),
                    ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1), NULL);
}

static ww_status run_predicate(bench_work *w) {
    return ww_split_if(w->device, w->user->odd, ww_memory((const uint32_t *)w->in, w->n),
                       ww_array((uint32_t *)w->out, w->n), ww_array((uint64_t *)w->number, 1), NULL);
}

static bool right(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    const uint8_t *flags = w->second;
    size_t at = 0, zeros = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < w->n; i++)
            if ((flags ? flags[i] != 0 : x[i] & 1) == (unsigned)side && out[at++] != x[i]) return false;
        if (side == 0) zeros = at;
    }
    return w->result == zeros;
}

/* clang-format off */
static const bench_row rows[] = {
    {.name = "stable split u32 by flags", .call = "ww_split", .make = make_flagged, .run = run_flags, .right = right,
     .bytes = 9, .element = 4, .peer = "split by flags", .target = {AGAINST_COPY, 0.35, 2000}},
    {.name = "stable split u32 by predicate", .call = "ww_split_if(x & 1)", .make = make, .run = run_predicate,
     .right = right, .bytes = 8, .element = 4, .user = 1, .peer = "split by predicate",
     .target = {AGAINST_COPY, 0.35, 2000}},
};
/* clang-format on */

const bench_family family_split = {.name = "split",
                                   .title = "Split",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows),
                                   .studies = split_studies,
                                   .tables = split_tables};
