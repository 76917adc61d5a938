/* Reductions: the built-in sum, a user's operator, and a user's map applied on the fly. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    data_u32(w->in, w->n, 1);
}

static ww_status reduce_with(bench_work *w, const ww_function *op, ww_input in) {
    return ww_reduce(w->device, op, in, ww_array((uint32_t *)w->number, 1));
}

static ww_input input(const bench_work *w) { return ww_memory((const uint32_t *)w->in, w->n); }

static ww_status run_add(bench_work *w) { return reduce_with(w, &ww_add, input(w)); }
static ww_status run_user(bench_work *w) { return reduce_with(w, w->user->add, input(w)); }
static ww_status run_user_map(bench_work *w) { return reduce_with(w, &ww_add, ww_mapped(w->user->affine, input(w))); }

static bool right_sum(const bench_work *w) {
    const uint32_t *x = w->in;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += x[i];
    return w->result == sum;
}

static bool right_map_sum(const bench_work *w) {
    if (w->base) return right_sum(w);
    const uint32_t *x = w->in;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += x[i] * 2 + 1;
    return w->result == sum;
}

/* Small whole numbers, as f16 and, for the row's base, as floats: sums that both hold. */
static int half_at(size_t i) { return (int)(i * 7 % 15) - 7; }

static void make_halves(bench_work *w) {
    ww_f16 *x = w->in = work_pages(w, w->n * sizeof *x);
    float *wide = w->second = work_pages(w, w->n * sizeof *wide);
    for (size_t i = 0; i < w->n; i++) {
        wide[i] = (float)half_at(i);
        x[i] = ww_f16_of_float(wide[i]);
    }
}

static ww_status run_halves(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_memory((const ww_f16 *)w->in, w->n), ww_array((ww_f16 *)w->number, 1));
}
static ww_status run_floats(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_memory((const float *)w->second, w->n), ww_array((float *)w->number, 1));
}

static bool right_halves(const bench_work *w) {
    int64_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += half_at(i);
    const ww_f16 half = {(uint16_t)w->result};
    return (w->base ? ww_float_of_bits((uint32_t)w->result) : ww_float_of_f16(half)) == (float)sum;
}

/* clang-format off */
#define USER_ROWS(which) \
    {.name = "reduce, user's WW_COMBINE", .call = "ww_reduce(a + b)", .make = make, .run = run_user, .right = right_sum, \
     .bytes = 4, .element = 4, .user = which, .base_call = "ww_reduce(ww_add)", .base = run_add, \
     .target = {AGAINST_BASE, 0.85, 0}}, \
    {.name = "reduce of a user's WW_MAP", .call = "ww_reduce(ww_add, ww_mapped(x * 2 + 1))", .make = make, \
     .run = run_user_map, .right = right_map_sum, .bytes = 4, .element = 4, .user = which, \
     .base_call = "ww_reduce(ww_add)", .base = run_add}

static const bench_row rows[] = {
    {.name = "reduce u32", .call = "ww_reduce(ww_add)", .make = make, .run = run_add, .right = right_sum, .bytes = 4,
     .element = 4, .peer = "reduce u32", .target = {AGAINST_TBB, 1.2, 0}},
    {.name = "reduce f16", .call = "ww_reduce(ww_add), in floats", .make = make_halves, .run = run_halves,
     .right = right_halves, .bytes = 2, .element = 2, .base_call = "ww_reduce of as many floats", .base = run_floats},
    USER_ROWS(1),
    USER_ROWS(2),
};
/* clang-format on */

const bench_family family_reduce = {.name = "reduce", .title = "Reduce", .rows = rows, .count = BENCH_COUNT(rows)};
