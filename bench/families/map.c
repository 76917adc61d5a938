/* A user's map from array to array, beside ww_store, which moves the same bytes with no function in between. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 5);
}

static ww_status run_store(bench_work *w) {
    return ww_store(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n));
}

static ww_status run_map(bench_work *w) {
    return ww_map(w->device, w->user->affine, ww_memory((const uint32_t *)w->in, w->n),
                  ww_array((uint32_t *)w->out, w->n));
}

static bool right_store(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != x[i]) return false;
    return true;
}

static bool right_map(const bench_work *w) {
    if (w->base) return right_store(w);
    const uint32_t *x = w->in, *out = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != x[i] * 2 + 1) return false;
    return true;
}

/* clang-format off */
#define USER_ROW(which) \
    {.name = "map, user's WW_MAP", .call = "ww_map(x * 2 + 1)", .make = make, .run = run_map, .right = right_map, \
     .bytes = 8, .element = 4, .user = which, .base_call = "ww_store", .base = run_store, \
     .peer = which == 1 ? "map u32" : NULL, .target = {AGAINST_BASE, 0.85, 0}}

static const bench_row rows[] = {
    {.name = "store u32", .call = "ww_store", .make = make, .run = run_store, .right = right_store, .bytes = 8,
     .element = 4},
    USER_ROW(1),
    USER_ROW(2),
};
/* clang-format on */

const bench_family family_map = {.name = "map", .title = "Map", .rows = rows, .count = BENCH_COUNT(rows)};
