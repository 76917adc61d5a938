/* PageRank by power iteration, of primitives alone. In each iteration
 *   a vertex's share   its rank over the number of its arcs (ww_map2), 0 where it has none: such ranks are summed apart
 *   (ww_reduce)
 *   sums               for each vertex the shares of those whose arcs lead to it (ww_spmv: the arcs the other
 *                      way round are a matrix of ones; the work is balanced, whatever one vertex's number of arcs is)
 *   ranks              from the sums (ww_map), and how much they differ from those before (ww_reduce) */
#include <math.h>

#include "device/array.h"
#include "device/options.h"
#include "device/paper.h"
#include "graph/graph.h"
#include "warpwise/primitive.h"
#include "warpwise/sparse.h"

/* ---- the arcs the other way round ---- */

WW_MAP2(back_key, uint64_t, uint32_t, from, uint32_t, to, void, none, { return (uint64_t)to << 32 | from; });

static ww_status turn_round(ww_graph *graph, ww__kept *from, ww__kept *keys) {
    const uint64_t m = graph->arcs;
    const uint64_t *offsets = graph->offsets.data;
    WW_TRY(ww__kept_capacity(graph->device, from, m, sizeof(uint32_t), 0));
    WW_TRY(ww__kept_capacity(graph->device, keys, m, sizeof(uint64_t), 0));
    const ww_array sources = ww_array((uint32_t *)from->data, m);
    WW_TRY(ww_expand_offsets(graph->device, ww_no_input, ww_memory(offsets, graph->vertices + 1), ww_none, sources,
                             ww_none));
    WW_TRY(ww_map2(graph->device, &back_key_ww, ww_from(sources), ww_from(ww_graph_targets(graph)),
                   ww_array((uint64_t *)keys->data, m)));
    return ww__graph_rows(graph, m, keys, NULL, &graph->back_offsets, &graph->back_targets, NULL);
}

/* Where arcs come from, in rows by where they lead: a graph that goes both ways is its own. */
static ww_status arcs_back(ww_graph *graph, const uint64_t **offsets, const uint32_t **sources) {
    ww__kept from = {NULL, 0}, keys = {NULL, 0};
    ww_status status = WW_OK;
    if (!graph->info.both_ways && !graph->back_offsets.data) {
        status = turn_round(graph, &from, &keys);
        ww__kept_drop(graph->device, &from);
        ww__kept_drop(graph->device, &keys);
        if (status) ww__kept_drop(graph->device, &graph->back_offsets);
    }
    *offsets = graph->info.both_ways ? graph->offsets.data : graph->back_offsets.data;
    *sources = graph->info.both_ways ? graph->targets.data : graph->back_targets.data;
    return status;
}

/* ---- an iteration ---- */

WW_STRUCT(ranking, {
    const uint64_t *offsets;
    double damping;
    double everyone; /* what each vertex gets, whoever leads there */
});
WW_MAP2(share_of, double, double, rank, uint64_t, vertex, ranking, r, {
    const uint64_t arcs = r->offsets[vertex + 1] - r->offsets[vertex];
    return arcs ? rank / (double)arcs : 0.0;
});
WW_MAP2(rank_of_end, double, double, rank, uint64_t, vertex, ranking, r,
        { return r->offsets[vertex + 1] == r->offsets[vertex] ? rank : 0.0; });
WW_MAP(rank_of_sum, double, double, sum, ranking, r, { return r->everyone + r->damping * sum; });
WW_MAP2(change_of, double, double, before, double, after, void, none,
        { return before < after ? after - before : before - after; });
WW_MAP(narrow_rank, float, double, rank, void, none, { return (float)rank; });

typedef struct state {
    ww_graph *graph;
    const uint64_t *back_offsets;
    const uint32_t *back_sources;
    double *ranks, *shares, *sums;
    ranking r;
} state;

static ww_status iterate(state *s, double *change) {
    ww_device *device = s->graph->device;
    const uint64_t n = s->graph->vertices, m = s->graph->arcs;
    const double damping = s->r.damping;
    const ww_array ranks = ww_array(s->ranks, n), shares = ww_array(s->shares, n), sums = ww_array(s->sums, n);
    const ww_input vertices = ww_counting(&ww_type_uint64_t, 0, n);
    double ends;
    WW_TRY(ww_map2(device, ww_with(share_of, &s->r), ww_from(ranks), vertices, shares));
    WW_TRY(ww_reduce(device, &ww_add, ww_mapped2(ww_with(rank_of_end, &s->r), ww_from(ranks), vertices),
                     ww_array(&ends, 1)));
    s->r.everyone = (1 - damping + damping * ends) / (double)n;
    WW_TRY(ww_spmv(device, ww_constant(ww_value(double, 1), m), ww_memory(s->back_sources, m),
                   ww_memory(s->back_offsets, n + 1), ww_from(shares), sums, NULL));
    WW_TRY(ww_map(device, ww_with(rank_of_sum, &s->r), ww_from(sums), sums));
    WW_TRY(ww_reduce(device, &ww_add, ww_mapped2(&change_of_ww, ww_from(ranks), ww_from(sums)), ww_array(change, 1)));
    double *const before = s->ranks;
    s->ranks = s->sums;
    s->sums = before;
    return WW_OK;
}

/* ---- the call ---- */

static ww_status check(ww_device *device, const ww_array *ranks, const ww_pagerank_options *options,
                       ww_pagerank_options *o, ww_pagerank_report *report) {
    const ww_pagerank_report nothing = WW_PAGERANK_REPORT;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__take_options(device, options, "WW_PAGERANK_OPTIONS", o, sizeof *o));
    if (!options) *o = (ww_pagerank_options)WW_PAGERANK_OPTIONS;
    WW_CHECK(device, o->damping >= 0 && o->damping < 1, WW_INVALID, "options.damping is %g, and has to be below 1",
             o->damping);
    WW_CHECK(device, o->tolerance >= 0, WW_INVALID, "options.tolerance is %g", o->tolerance);
    WW_CHECK(device, !ww__is_none(ranks), WW_INVALID, "ranks is missing");
    WW_CHECK(device, ranks->type == &ww_type_float || ranks->type == &ww_type_double, WW_TYPE,
             "ranks are of %s, and have to be f32 or f64", ranks->type ? ranks->type->label : "no type");
    return report ? ww__give_struct(device, &nothing, "WW_PAGERANK_REPORT", report, sizeof nothing) : WW_OK;
}

static ww_status run(state *s, const ww_pagerank_options *o, ww_pagerank_report *done) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_RANKS, n, sizeof(double), &s->ranks));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SHARES, n, sizeof(double), &s->shares));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SUMS, n, sizeof(double), &s->sums));
    WW_TRY(arcs_back(graph, &s->back_offsets, &s->back_sources));
    s->r = (ranking){graph->offsets.data, o->damping, 0};
    WW_TRY(ww_fill(graph->device, ww_array(s->ranks, n), ww_value(double, 1 / (double)n)));
    done->change = INFINITY;
    while (done->iterations < o->iterations && !(done->change <= o->tolerance)) {
        WW_TRY(iterate(s, &done->change));
        done->iterations++;
    }
    return WW_OK;
}

ww_status ww_pagerank(ww_graph *graph, ww_array ranks, const ww_pagerank_options *options, ww_pagerank_report *report) {
    static const char call[] = "ww_pagerank";
    ww_pagerank_options o;
    ww_pagerank_report done = WW_PAGERANK_REPORT;
    state s = {.graph = graph};
    if (!graph) return WW_INVALID;
    WW_TRY(ww__enter(graph->device, call));
    WW_TRY(ww__leave(graph->device, check(graph->device, &ranks, options, &o, report)));
    WW_TRY(ww__graph_check_output(graph, call, "ranks", &ranks, NULL, NULL, NULL));
    if (!graph->vertices) return WW_OK;
    WW_TRY(run(&s, &o, &done));
    const ww_input found = ww_memory((const double *)s.ranks, graph->vertices);
    WW_TRY(ww_store(graph->device, ranks.type == &ww_type_float ? ww_mapped(&narrow_rank_ww, found) : found, ranks));
    WW_TRY(ww_sync(graph->device));
    return report ? ww__give_struct(graph->device, &done, "WW_PAGERANK_REPORT", report, sizeof done) : WW_OK;
}
