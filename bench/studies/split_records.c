/* Records split by a field of their bits, the orders that this gives, and moving records by an order. */
#include <string.h>

#include "measuring/data.h"
#include "families/gather.h"
#include "measuring/pages.h"
#include "studies/split_study.h"

static const split_point *point_of(const bench_work *w) { return w->point; }

/* Whether a record has room for its position behind the field: in its last four bytes. */
static bool has_position(const split_point *p) { return p->record >= 8 && p->bits <= 8 * p->record - 32; }

static void make_records(bench_work *w) {
    const split_point *p = w->point;
    const size_t words = w->n * p->record / 4, step = p->record / 4;
    uint32_t *x = w->in = work_pages(w, words * 4);
    w->out = work_pages(w, w->out_bytes = words * 4);
    data_u32(x, words, 31);
    for (size_t i = 0; has_position(p) && i < w->n; i++) x[i * step + step - 1] = (uint32_t)i;
}

static void make_index(bench_work *w) {
    const split_point *p = w->point;
    w->in = work_pages(w, w->n * p->record);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n * p->record / 4, 32);
}

/* ---- calls ---- */

static ww_status run_bits(bench_work *w) {
    return ww_split_bits(w->device, 0, point_of(w)->bits, ww_from(gather_array(w, w->in)), gather_array(w, w->out),
                         ww_none);
}
static ww_status run_eight(bench_work *w) {
    return ww_split8(w->device, 0, ww_from(gather_array(w, w->in)), gather_array(w, w->out), ww_none);
}
static ww_status run_eight_unstable(bench_work *w) {
    return ww_split8_unstable(w->device, 0, ww_from(gather_array(w, w->in)), gather_array(w, w->out), ww_none);
}
static ww_status run_gather_index(bench_work *w) {
    return ww_split_gather_index(w->device, 0, point_of(w)->bits, ww_from(gather_array(w, w->in)),
                                 ww_array((uint32_t *)w->out, w->n), ww_none);
}
static ww_status run_scatter_index(bench_work *w) {
    return ww_split_scatter_index(w->device, 0, point_of(w)->bits, ww_from(gather_array(w, w->in)),
                                  ww_array((uint32_t *)w->out, w->n), ww_none);
}

/* As the paper's figure 11 has it at its top: a thread moves a record, word by word. */
WW_STRUCT(record_move, {
    const uint32_t *from;
    const uint32_t *index;
    uint32_t *to;
    uint64_t words;
});
WW_KERNEL(move_by_a_thread, record_move, m, rank, {
    const uint32_t *from = m->from + m->index[rank] * m->words;
    uint32_t *to = m->to + rank * m->words;
    for (uint64_t k = 0; k < m->words; k++) to[k] = from[k];
});

static ww_status run_by_a_thread(bench_work *w) {
    const record_move m = {w->in, w->second, w->out, w->parameter / 4};
    return ww_launch(w->device, ww_with(move_by_a_thread, &m), w->n);
}

/* ---- checks ---- */

static uint64_t field_of(const split_point *p, const void *records, size_t i) {
    uint64_t x = 0;
    memcpy(&x, (const char *)records + i * p->record, p->record < 8 ? p->record : 8);
    return p->bits < 64 ? x & (((uint64_t)1 << p->bits) - 1) : x;
}

/* Fields rise, and records are the input's: each is the one that stood at its position, positions rising where fields are
 * equal; or, where no position fits, as many of each (order inside a bucket is not looked at then). */
static bool right_records(const bench_work *w) {
    const split_point *p = w->point;
    const size_t words = p->record / 4;
    uint64_t before = 0;
    uint32_t at = 0, at_before = 0;
    for (size_t i = 0; i < w->n; i++) {
        const uint64_t field = field_of(p, w->out, i);
        if (i && field < before) return false;
        if (has_position(p)) {
            memcpy(&at, (const uint32_t *)w->out + i * words + words - 1, sizeof at);
            if (at >= w->n || (i && field == before && at <= at_before)) return false;
            if (memcmp((const uint32_t *)w->out + i * words, (const uint32_t *)w->in + at * words, p->record))
                return false;
        }
        before = field, at_before = at;
    }
    return has_position(p) ||
           (p->record == 4 ? check_same_u32(w->out, w->in, w->n) : check_same_u64(w->out, w->in, w->n));
}

/* order[i]: where the i-th record of the result stands. */
static bool right_order(const bench_work *w, const uint32_t *order) {
    const split_point *p = w->point;
    for (size_t i = 0; i < w->n; i++) {
        if (order[i] >= w->n) return false;
        const uint64_t field = field_of(p, w->in, order[i]), before = i ? field_of(p, w->in, order[i - 1]) : 0;
        if (i && (field < before || (field == before && order[i] <= order[i - 1]))) return false;
    }
    return true;
}

static bool right_gather_index(const bench_work *w) { return right_order(w, w->out); }

static bool right_scatter_index(const bench_work *w) {
    const uint32_t *to = w->out;
    uint32_t *order = pages_new(w->n * 4);
    bool same = true;
    for (size_t i = 0; i < w->n; i++) order[i] = UINT32_MAX;
    for (size_t i = 0; same && i < w->n; i++)
        if ((same = to[i] < w->n)) order[to[i]] = (uint32_t)i;
    same = same && right_order(w, order);
    pages_free(order, w->n * 4);
    return same;
}

/* ---- rows ---- */

static const bench_rival unstable[] = {{"unstable", "ww_split8_unstable", run_eight_unstable, NULL}};
static const bench_rival scatter_index[] = {
    {"scatter index", "ww_split_scatter_index", run_scatter_index, right_scatter_index}};
static const bench_rival moves[] = {{"scatter", "ww_scatter(WW_CONFLICT_UNIQUE)", scatter_run, scatter_right},
                                    {"a thread a record", "ww_launch", run_by_a_thread, NULL}};

const bench_row split_records_row = {.call = "ww_split_bits",
                                     .make = make_records,
                                     .run = run_bits,
                                     .right = right_records,
                                     .seconds = 0.7};
const bench_row split_eight_row = {.call = "ww_split8",
                                   .make = make_records,
                                   .run = run_eight,
                                   .right = right_records,
                                   .rivals = unstable,
                                   .rival_count = BENCH_COUNT(unstable),
                                   .seconds = 1};
const bench_row split_index_row = {.call = "ww_split_gather_index",
                                   .make = make_index,
                                   .run = run_gather_index,
                                   .right = right_gather_index,
                                   .rivals = scatter_index,
                                   .rival_count = BENCH_COUNT(scatter_index),
                                   .seconds = 1};
const bench_row split_move_row = {.call = "ww_gather",
                                  .make = gather_make,
                                  .run = gather_run,
                                  .right = gather_right,
                                  .rivals = moves,
                                  .rival_count = BENCH_COUNT(moves),
                                  .seconds = 1};
