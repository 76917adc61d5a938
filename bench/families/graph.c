/* Graphs whose arcs go both ways, with 16 arcs a vertex as they are given: R-MAT (0.57, 0.19, 0.19) and uniform ones,
 * vertices in random order; and square grids with two. Weights are 1 … 255. What is counted are arcs as they are given, each
 * of which is two. */
#include <stdio.h>
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/report.h"

enum { EACH = 16 };
typedef enum graph_shape { KRON, UNIFORM, GRID } graph_shape;

typedef struct arcs {
    uint32_t *from, *to, *weight;
    size_t n, m; /* vertices, arcs */
} arcs;

/* The largest power of two of vertices that has up to so many arcs. */
static arcs arcs_of(const bench_work *w) {
    const size_t each = w->parameter == GRID ? 2 : EACH;
    arcs a = {.from = w->in, .to = w->second, .weight = (uint32_t *)w->second + w->n, .n = 4};
    while (a.n * 4 * each <= w->n && w->parameter == GRID) a.n *= 4;
    while (a.n * 2 * each <= w->n && w->parameter != GRID) a.n *= 2;
    a.m = w->n;
    return a;
}

/* Two bits of each step of R-MAT at a time: the quadrant by a number below 100. */
static void make_kron(const arcs *a) {
    uint32_t *order = pages_new(a->n * 4), *draw = pages_new(a->m * 4);
    data_permutation(order, a->n, 61);
    for (size_t i = 0; i < a->m; i++) a->from[i] = a->to[i] = 0;
    for (size_t bit = 1; bit < a->n; bit *= 2) {
        data_below(draw, a->m, 100, 62 + bit);
        for (size_t i = 0; i < a->m; i++) {
            a->from[i] = 2 * a->from[i] + (draw[i] >= 76);
            a->to[i] = 2 * a->to[i] + ((draw[i] >= 57 && draw[i] < 76) || draw[i] >= 95);
        }
    }
    for (size_t i = 0; i < a->m; i++) {
        a->from[i] = order[a->from[i]];
        a->to[i] = order[a->to[i]];
    }
    pages_free(order, a->n * 4);
    pages_free(draw, a->m * 4);
}

/* Each vertex to the right and down; of the last ones to themselves. */
static void make_grid(const arcs *a) {
    size_t side = 1;
    while (side * side < a->n) side *= 2;
    for (size_t i = 0; i < a->m; i++) {
        const size_t v = i / 2 % a->n, x = v % side, y = v / side;
        a->from[i] = (uint32_t)v;
        a->to[i] = (uint32_t)(i % 2 ? v + (y + 1 < side ? side : 0) : v + (x + 1 < side));
    }
}

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n * 8);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    const arcs a = arcs_of(w);
    if (w->parameter == KRON) make_kron(&a);
    if (w->parameter == GRID) make_grid(&a);
    if (w->parameter == UNIFORM) {
        data_below(a.from, a.m, (uint32_t)a.n, 63);
        data_below(a.to, a.m, (uint32_t)a.n, 64);
    }
    data_below(a.weight, a.m, 255, 65);
    for (size_t i = 0; i < a.m; i++) a.weight[i]++;
}

/* ---- the calls ---- */

/* Of the row that is measured. */
static ww_graph *graph;
static uint32_t source;
static uint32_t *found; /* distances that were found right; NULL: none was yet */
static size_t found_bytes;

static void end(void) {
    ww_graph_destroy(graph);
    graph = NULL;
    pages_free(found, found_bytes);
    found = NULL;
}

static ww_status begin(bench_work *w) {
    const arcs a = arcs_of(w);
    ww_graph_options o = WW_GRAPH_OPTIONS;
    if (graph) return WW_OK;
    o.both_ways = true;
    return ww_graph_create(w->device, a.n, ww_memory(a.from, a.m), ww_memory(a.to, a.m), ww_memory(a.weight, a.m), &o,
                           &graph);
}

static ww_status shortest(bench_work *w, uint32_t method) {
    const arcs a = arcs_of(w);
    ww_sssp_options o = WW_SSSP_OPTIONS;
    o.method = method;
    const ww_status status = begin(w);
    if (status) return status;
    if (ww_copy(w->device, ww_memory(a.from, 1), ww_array(&source, 1)) || ww_sync(w->device)) return WW_LOST;
    return ww_sssp(graph, ww_memory(&source, 1), ww_array((uint32_t *)w->out, a.n), ww_none, &o, NULL);
}
static ww_status run_auto(bench_work *w) { return shortest(w, WW_SSSP_AUTO); }
static ww_status run_dijkstra(bench_work *w) { return shortest(w, WW_SSSP_DIJKSTRA); }
static ww_status run_bellman_ford(bench_work *w) {
    ww_device_info info = WW_DEVICE_INFO;
    if (w->parameter == GRID && w->n > 1000000 && !ww_device_info_get(w->device, &info) &&
        !strcmp(info.backend, "cpu")) {
        w->cannot = "takes minutes on a CPU";
        return WW_UNSUPPORTED;
    }
    return shortest(w, WW_SSSP_BELLMAN_FORD);
}
static ww_status run_near_far(bench_work *w) { return shortest(w, WW_SSSP_NEAR_FAR); }
static ww_status run_sort(bench_work *w) { return shortest(w, WW_SSSP_BUCKETS_SORT); }
static ww_status run_buckets(bench_work *w) { return shortest(w, WW_SSSP_BUCKETS); }

static ww_status run_search(bench_work *w) {
    const arcs a = arcs_of(w);
    const ww_status status = begin(w);
    if (status) return status;
    if (ww_copy(w->device, ww_memory(a.from, 1), ww_array(&source, 1)) || ww_sync(w->device)) return WW_LOST;
    return ww_bfs(graph, ww_memory(&source, 1), ww_array((uint32_t *)w->out, a.n), ww_none);
}

static ww_status run_components(bench_work *w) {
    const ww_status status = begin(w);
    return status ? status : ww_components(graph, ww_array((uint32_t *)w->out, arcs_of(w).n), ww_none);
}

/* Twenty rounds, as long as they may change ranks. */
static ww_status run_ranks(bench_work *w) {
    ww_pagerank_options o = WW_PAGERANK_OPTIONS;
    const ww_status status = begin(w);
    o.tolerance = 0;
    o.iterations = 20;
    return status ? status : ww_pagerank(graph, ww_array((float *)w->out, arcs_of(w).n), &o, NULL);
}

/* ---- checks ---- */

/* No arc makes a way shorter, and each vertex with a distance has an arc that it came by; weights are above 0. */
static bool right_by(const bench_work *w, bool weighted) {
    const arcs a = arcs_of(w);
    const uint32_t *d = w->out;
    uint8_t *reached = pages_new(a.n);
    bool right = d[a.from[0]] == 0;
    for (size_t v = 0; v < a.n; v++) reached[v] = d[v] == UINT32_MAX || v == a.from[0];
    for (size_t i = 0; i < a.m && right; i++)
        for (int way = 0; way < 2; way++) {
            const uint32_t u = way ? a.to[i] : a.from[i], v = way ? a.from[i] : a.to[i];
            const uint64_t sum = d[u] == UINT32_MAX ? UINT64_MAX : (uint64_t)d[u] + (weighted ? a.weight[i] : 1);
            if (sum < d[v]) right = false;
            if (sum == d[v]) reached[v] = 1;
        }
    for (size_t v = 0; v < a.n; v++) right = right && reached[v];
    pages_free(reached, a.n);
    return right;
}
/* All methods are to give the same bytes: what one of them gave is looked at once. */
static bool right_paths(const bench_work *w) {
    const size_t bytes = arcs_of(w).n * 4;
    if (found && !memcmp(found, w->out, bytes)) return true;
    if (!right_by(w, true)) return false;
    pages_free(found, found_bytes);
    found = pages_new(found_bytes = bytes);
    memcpy(found, w->out, bytes);
    return true;
}
static bool right_levels(const bench_work *w) { return right_by(w, false); }

/* Ends of arcs agree; labels name themselves and are not larger than what they label. (That no two could be one follows from
 * each being reached: a label's vertices are counted by the tests.) */
static bool right_components(const bench_work *w) {
    const arcs a = arcs_of(w);
    const uint32_t *label = w->out;
    for (size_t i = 0; i < a.m; i++)
        if (label[a.from[i]] != label[a.to[i]]) return false;
    for (size_t v = 0; v < a.n; v++)
        if (label[v] > v || label[label[v]] != label[v]) return false;
    return true;
}

/* Ranks are above 0 and add up to 1. */
static bool right_ranks(const bench_work *w) {
    const arcs a = arcs_of(w);
    const float *rank = w->out;
    double sum = 0;
    for (size_t v = 0; v < a.n; v++) {
        if (!(rank[v] > 0)) return false;
        sum += (double)rank[v];
    }
    return sum > 0.999 && sum < 1.001;
}

/* clang-format off */
static const bench_rival methods[] = {{.who = "dijkstra", .call = "method dijkstra", .run = run_dijkstra},
                                      {.who = "near-far", .call = "method near-far", .run = run_near_far},
                                      {.who = "sort", .call = "method buckets-sort", .run = run_sort},
                                      {.who = "buckets", .call = "method buckets", .run = run_buckets}};
#define ROWS(title, shape) \
    {.name = "sssp, " title, .peer = "sssp, " title, .call = "ww_sssp u32", .make = make, .run = run_auto, .right = right_paths, \
     .end = end, .bytes = 24, .element = 4, .parameter = shape, .rivals = methods, .rival_count = BENCH_COUNT(methods)}, \
    {.name = "bfs, " title, .peer = "bfs, " title, .call = "ww_bfs", .make = make, .run = run_search, .right = right_levels, \
     .end = end, .bytes = 16, .element = 4, .parameter = shape}, \
    {.name = "components, " title, .peer = "components, " title, .call = "ww_components", .make = make, .run = run_components, \
     .right = right_components, .end = end, .bytes = 16, .element = 4, .parameter = shape}, \
    {.name = "pagerank, " title, .peer = "pagerank, " title, .call = "ww_pagerank f32, 20 rounds", .make = make, .run = run_ranks, \
     .right = right_ranks, .end = end, .bytes = 320, .element = 4, .parameter = shape}
static const bench_row rows[] = {ROWS("kron", KRON), ROWS("uniform", UNIFORM), ROWS("grid", GRID)};
/* clang-format on */

/* ---- the study: every method on graphs of ten to 10^8 arcs ---- */

static const size_t lengths[] = {10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
static const char *const shapes[] = {"R-MAT, 16 arcs a vertex", "uniform, 16 arcs a vertex", "grid, 2 arcs a vertex"};
/* One thread, which on a GPU is a slow one, goes first where graphs grow: it has none of more than a million arcs. */
static const bench_rival all_methods[] = {
    {.who = "bellman-ford", .call = "method bellman-ford", .run = run_bellman_ford},
    {.who = "near-far", .call = "method near-far", .run = run_near_far},
    {.who = "buckets-sort", .call = "method buckets-sort", .run = run_sort},
    {.who = "buckets", .call = "method buckets", .run = run_buckets},
    {.who = "dijkstra", .call = "method dijkstra", .run = run_dijkstra}};
enum {
    LENGTHS = BENCH_COUNT(lengths),
    SHAPES = BENCH_COUNT(shapes),
    METHODS = BENCH_COUNT(all_methods),
    SERIAL_MOST = 1000000
};

static const bench_row *studies(size_t *count) {
    static bench_row row[SHAPES * LENGTHS];
    static char name[SHAPES * LENGTHS][48];
    *count = SHAPES * LENGTHS;
    for (size_t i = 0; i < *count && !row[i].name; i++) {
        const size_t n = lengths[i % LENGTHS], shape = i / LENGTHS;
        snprintf(name[i], sizeof name[i], "sssp, %.4s, %zu arcs", shapes[shape], n);
        row[i] = (bench_row){.name = name[i],
                             .call = "ww_sssp u32",
                             .make = make,
                             .run = run_auto,
                             .right = right_paths,
                             .end = end,
                             .bytes = 24,
                             .element = 4,
                             .items = n,
                             .least = n,
                             .item_bytes = 64,
                             .parameter = shape,
                             .rivals = all_methods,
                             .rival_count = METHODS - (n > SERIAL_MOST),
                             .point = &lengths[i % LENGTHS]};
    }
    return row;
}

static const bench_result *result_of(const bench_report *report, size_t shape, size_t n) {
    for (size_t i = 0; i < report->count; i++) {
        const bench_row *row = report->results[i].row;
        if (row && report->results[i].family == &family_graph && row->point && row->parameter == shape &&
            *(const size_t *)row->point == n)
            return &report->results[i];
    }
    return NULL;
}

static void tables(const bench_report *report, bench_each_table *each, void *to) {
    study_maker k = {.report = report, .each = each, .to = to};
    const size_t columns = study_lengths(report, lengths, LENGTHS, true);
    for (size_t shape = 0; shape < SHAPES; shape++) {
        study_begin(&k.table, "M arcs/s", "arcs as given, each there and back", true,
                    "Shortest paths by each method: %s", shapes[shape]);
        for (size_t c = 0; c < columns; c++) study_column(&k.table, "%zu", lengths[c]);
        for (size_t m = 0; m <= METHODS; m++) {
            const char *who = m ? all_methods[m - 1].who : "auto";
            const size_t line = study_line(&k.table, "%s", who);
            for (size_t c = 0; c < columns; c++)
                k.table.value[line][c] = (double)study_items(report, lengths[c]) / 1e6 /
                                         seconds_by(result_of(report, shape, lengths[c]), who);
        }
        each(&k.table, to);
    }
}

const bench_family family_graph = {.name = "graph",
                                   .title = "Graphs",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows),
                                   .studies = studies,
                                   .tables = tables};
