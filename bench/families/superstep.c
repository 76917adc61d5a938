/* Threads that fork: n children of n / 64 parents, spread evenly, as one parent's and one each of all others, and skewed (the
 * k-th largest has 1 / k of the largest's, in random order). A team with two columns of 4 bytes forks, and the primitive that
 * forks rest on expands one array, with the parents' numbers. What is counted are children. */
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

enum { EACH = 64 };
typedef enum spread { EVEN, HUB, SKEWED } spread;

static size_t parents(const bench_work *w) { return w->n / EACH ? w->n / EACH : 1; }

/* In random order, summing to n. */
static void make_skewed(bench_work *w, uint32_t *counts, size_t p) {
    double sum = 0;
    size_t given = 0;
    uint32_t *order = work_pages(w, p * 4);
    data_permutation(order, p, 51);
    for (size_t i = 0; i < p; i++) sum += 1 / (double)(i + 1);
    for (size_t i = 1; i < p; i++) given += counts[order[i]] = (uint32_t)((double)w->n / sum / (double)(i + 1));
    counts[order[0]] = (uint32_t)(w->n - given);
}

static void make(bench_work *w) {
    const size_t p = parents(w);
    uint32_t *counts = work_pages(w, p * 4);
    w->in = counts;
    w->second = work_pages(w, p * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    data_u32(w->second, p, 50);
    for (size_t i = 0; i < p; i++) counts[i] = w->parameter == EVEN ? (uint32_t)(w->n / p) : 1;
    if (w->parameter == EVEN) counts[p - 1] += (uint32_t)(w->n % p);
    if (w->parameter == HUB) counts[p / 3] = (uint32_t)(w->n - (p - 1));
    if (w->parameter == SKEWED) make_skewed(w, counts, p);
}

static ww_input counts_of(const bench_work *w) { return ww_memory((const uint32_t *)w->in, parents(w)); }
static ww_input values_of(const bench_work *w) { return ww_memory((const uint32_t *)w->second, parents(w)); }

/* Each parent's value and number, count times. */
static bool right_children(const bench_work *w, const uint32_t *values, const uint32_t *numbers) {
    const uint32_t *counts = w->in, *value = w->second;
    size_t at = 0;
    for (size_t i = 0; i < parents(w); i++)
        for (uint32_t k = 0; k < counts[i]; k++, at++)
            if (values[at] != value[i] || numbers[at] != i) return false;
    return at == w->n;
}

/* ---- the primitive ---- */

static ww_status run_expand(bench_work *w) {
    return ww_expand(w->device, values_of(w), counts_of(w), ww_array((uint32_t *)w->out, w->n),
                     ww_array((uint32_t *)w->out_second, w->n), ww_none, ww_array((uint64_t *)w->number, 1));
}

static bool right_expand(const bench_work *w) { return w->result == w->n && right_children(w, w->out, w->out_second); }

/* A plain loop, on one thread of a CPU. */
static ww_status run_loop(bench_work *w) {
    ww_device_info info = WW_DEVICE_INFO;
    const uint32_t *counts = w->in, *value = w->second;
    uint32_t *out = w->out, *numbers = w->out_second;
    size_t at = 0;
    if (ww_device_info_get(w->device, &info) || strcmp(info.backend, "cpu")) return WW_UNSUPPORTED;
    for (size_t i = 0; i < parents(w); i++)
        for (uint32_t k = 0; k < counts[i]; k++, at++) {
            out[at] = value[i];
            numbers[at] = (uint32_t)i;
        }
    *(uint64_t *)w->number = at;
    return WW_OK;
}

/* ---- teams ---- */

/* Of the row that is measured. */
static ww_team *team;
static ww_column value, number;

static void end(void) {
    ww_team_destroy(team);
    team = NULL;
}

static ww_status begin(bench_work *w) {
    const size_t p = parents(w);
    ww_status status = ww_team_create(w->device, p, &team);
    if (!status) status = ww_team_add(team, values_of(w), &value);
    return status ? status : ww_team_add(team, ww_counting(&ww_type_uint32_t, 0, p), &number);
}

static ww_status run_fork(bench_work *w) {
    ww_status status = team ? ww_team_restart(team, parents(w)) : begin(w);
    if (!status) status = ww_store(w->device, values_of(w), ww_team_array(team, value));
    if (!status)
        status = ww_store(w->device, ww_counting(&ww_type_uint32_t, 0, parents(w)), ww_team_array(team, number));
    return status ? status : ww_team_fork(team, counts_of(w), NULL);
}

static bool right_fork(const bench_work *w) {
    if (ww_team_size(team) != w->n) return false;
    if (ww_copy(w->device, ww_from(ww_team_array(team, value)), ww_array((uint32_t *)w->out, w->n)) ||
        ww_copy(w->device, ww_from(ww_team_array(team, number)), ww_array((uint32_t *)w->out_second, w->n)) ||
        ww_sync(w->device))
        return false;
    return right_children(w, w->out, w->out_second);
}

/* clang-format off */
static const bench_rival loop[] = {{.who = "a loop", .call = "a loop on one thread", .run = run_loop}};
#define EXPAND_CALL "ww_expand u32, with positions"
#define FORK_CALL "ww_team_fork, two columns of u32"
#define EXPAND(title, how) \
    {.name = "expand, " title, .call = EXPAND_CALL, .make = make, .run = run_expand, .right = right_expand, \
     .bytes = 8 + 12.0 / EACH, .element = 4, .parameter = how, .rivals = loop, .rival_count = BENCH_COUNT(loop)}
#define FORK(title, how) \
    {.name = "fork, " title, .call = FORK_CALL, .make = make, .run = run_fork, .right = right_fork, .end = end, \
     .bytes = 8 + 44.0 / EACH, .element = 4, .parameter = how}
static const bench_row rows[] = {
    EXPAND("even", EVEN), EXPAND("one hub", HUB), EXPAND("skewed", SKEWED),
    FORK("even", EVEN), FORK("one hub", HUB), FORK("skewed", SKEWED),
};
/* clang-format on */

const bench_family family_superstep = {.name = "superstep",
                                       .title = "Threads that fork",
                                       .rows = rows,
                                       .count = BENCH_COUNT(rows)};
