/* One pattern, and the read rate that it is held against. */
#include <string.h>

#include "measuring/pages.h"
#include "studies/text_study.h"

void text_find_make(bench_work *w) {
    const size_t m = text_row_m(w);
    text_make(w, text_row_kind(w), 8, TEXT_TURNS, m, m);
    text_make_room(w, 8);
}

ww_status text_find_run(bench_work *w) {
    size_t m;
    const uint8_t *pattern = text_pattern(w, &m);
    return ww_find(w->device, ww_memory((const uint8_t *)w->in, w->n), pattern, m,
                   ww_array((uint32_t *)w->out, text_room(w)), ww_array((uint64_t *)w->number, 1), NULL);
}

/* ---- reading: what is behind the last whole number is left out ---- */

ww_status text_read_run(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_memory((const uint64_t *)w->in, w->n / 8),
                     ww_array((uint64_t *)w->number, 1));
}

static ww_status read_as_u32(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_memory((const uint32_t *)w->in, w->n / 4),
                     ww_array((uint32_t *)w->number, 1));
}

static ww_status read_as_u8(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_memory((const uint8_t *)w->in, w->n), ww_array((uint8_t *)w->number, 1));
}

static bool right_sum(const bench_work *w) {
    const uint64_t *x = w->in;
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n / 8; i++) sum += x[i];
    return w->result == sum;
}

static bool right_sum_u32(const bench_work *w) {
    const uint32_t *x = w->in;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n / 4; i++) sum += x[i];
    return w->result == sum;
}

static bool right_sum_u8(const bench_work *w) {
    const uint8_t *x = w->in;
    uint8_t sum = 0;
    for (size_t i = 0; i < w->n; i++) sum = (uint8_t)(sum + x[i]);
    return w->result == sum;
}

const bench_rival text_read_rivals[2] = {{"as u32", "ww_reduce(ww_add) as u32", read_as_u32, right_sum_u32},
                                         {"as u8", "ww_reduce(ww_add) as u8", read_as_u8, right_sum_u8}};

/* The row that reads has a 1 where others have how many characters may differ. */
bool text_find_right(const bench_work *w) { return w->base || text_row_most(w) ? right_sum(w) : text_right_one(w); }
