/* PageRank by power iteration. What is kept of a vertex is its share: what each of its arcs hands on, its rank over their number; of one
 * without arcs its rank. In each iteration
 *   sums     for each vertex the shares of those whose arcs lead to it: ww_spmv with the reversed arcs as a matrix of ones,
 *            which balances the work whatever one vertex's number of arcs is
 *   shares   from the sums, in blocks of 1024 vertices, and how much ranks differ from those before, and how much those have whom no
 *            arc leaves, both summed up in each block and then for all (ww_reduce)
 * Where no row is long the blocks add up the sums themselves. Where some are, and shares do not fit in a CPU's near caches, vertices are
 * in the order of their arcs (by_degree.c). */
#include <math.h>

#include "device/array.h"
#include "device/options.h"
#include "device/paper.h"
#include "graph/graph.h"
#include "warpwise/primitive.h"
#include "warpwise/sparse.h"

/* ---- the reversed arcs ---- */

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
    const uint32_t *sources; /* where arcs come from, which is where they lead; NULL: the sums are there */
    const double *sums;
    const double *before; /* shares */
    double *shares;
    double *changes; /* one for each 1024 vertices, as the ends' */
    double *ends;
    uint64_t vertices;
    double damping;
    double everyone; /* what each vertex gets, whoever leads there */
});
WW_STRUCT(ranks_of_some, {
    double change[256];
    double end[256];
});
/* A place in `t` is one thread's: how many a block has divides 256. */
WW_BLOCK_KERNEL(rank_some, ranking, a, ranks_of_some, t, block, {
    const uint64_t first = block * 1024;
    const uint32_t many = a->vertices - first < 1024 ? (uint32_t)(a->vertices - first) : 1024;
    const uint64_t *const offsets = a->offsets + first;
    const uint32_t *const sources = a->sources;
    const double *const sums = a->sums + first;
    const double *const all_before = a->before;
    const double *const before = all_before + first;
    double *const shares = a->shares + first;
    const double damping = a->damping;
    const double everyone = a->everyone;
    WW_LANES(i, many) {
        const uint64_t begin = offsets[i];
        const uint64_t arcs = offsets[i + 1] - begin;
        const double parts = arcs ? (double)arcs : 1.0;
        double sum = sources ? 0.0 : sums[i];
        const uint64_t end = sources ? begin + arcs : begin;
        for (uint64_t k = begin; k < end; k++) sum += all_before[sources[k]];
        const double rank = everyone + damping * sum;
        const double share = rank / parts;
        const double change = fabs((share - before[i]) * parts);
        const double of_end = arcs ? 0.0 : rank;
        t->change[i % 256] = (i < 256 ? 0.0 : t->change[i % 256]) + change;
        t->end[i % 256] = (i < 256 ? 0.0 : t->end[i % 256]) + of_end;
        shares[i] = share;
    }
    WW_LANES(i, many < 256 ? 256 - many : 0) {
        t->change[many + i] = 0.0;
        t->end[many + i] = 0.0;
    }
    for (uint32_t half = 128; half; half /= 2) WW_LANES(i, half) {
            t->change[i] += t->change[i + half];
            t->end[i] += t->end[i + half];
        }
    WW_LANES(i, 1) {
        a->changes[block] = t->change[0];
        a->ends[block] = t->end[0];
    }
});
/* A vertex's rank, of its share. */
WW_STRUCT(giving, {
    const uint64_t *offsets;
    const uint32_t *place; /* where its share is; NULL: the vertex is */
    const double *shares;
    double *ranks;
    uint64_t vertices;
});
WW_KERNEL(give_rank, giving, a, rank, {
    if (rank < a->vertices) {
        const uint64_t arcs = a->offsets[rank + 1] - a->offsets[rank];
        const double share = a->shares[a->place ? a->place[rank] : rank];
        a->ranks[rank] = arcs ? share * (double)arcs : share;
    }
});
WW_MAP(narrow_rank, float, double, rank, void, none, { return (float)rank; });

typedef struct state {
    ww_graph *graph;
    const uint64_t *offsets, *back_offsets; /* of arcs, and of reversed arcs */
    const uint32_t *back_sources;
    bool alone; /* no row is long: blocks add up sums themselves */
    double *before, *shares, *sums, *partial;
    uint64_t blocks;
    double ends; /* the ranks of those whom no arc leaves, in sum */
} state;

/* Shares of the sums, or by `sources` of the shares before, and what follows from them. */
static ww_status rank_all(state *s, const uint32_t *sources, double damping, double everyone, double *change) {
    ww_device *device = s->graph->device;
    double *const before = s->shares;
    s->shares = s->before;
    s->before = before;
    const ranking r = {.offsets = s->offsets,
                       .sources = sources,
                       .sums = s->sums,
                       .before = s->before,
                       .shares = s->shares,
                       .changes = s->partial,
                       .ends = s->partial + s->blocks,
                       .vertices = s->graph->vertices,
                       .damping = damping,
                       .everyone = everyone};
    const ww_function f = ww_bound(&rank_some_ww, &r, 1, &ranking_ww);
    WW_TRY(ww_launch(device, &f, s->blocks));
    WW_TRY(ww_reduce(device, &ww_add, ww_memory((const double *)s->partial, s->blocks), ww_array(change, 1)));
    return ww_reduce(device, &ww_add, ww_memory((const double *)s->partial + s->blocks, s->blocks),
                     ww_array(&s->ends, 1));
}

static ww_status iterate(state *s, double damping, double *change) {
    const uint64_t n = s->graph->vertices, m = s->graph->arcs;
    const double everyone = (1 - damping + damping * s->ends) / (double)n;
    if (!s->alone)
        WW_TRY(ww_spmv(s->graph->device, ww_constant(ww_value(double, 1), m), ww_memory(s->back_sources, m),
                       ww_memory(s->back_offsets, n + 1), ww_memory((const double *)s->shares, n), ww_array(s->sums, n),
                       NULL));
    return rank_all(s, s->alone ? s->back_sources : NULL, damping, everyone, change);
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

/* Where the arcs are, and in which order the vertices. */
static ww_status take_arcs(state *s) {
    ww_graph *graph = s->graph;
    const bool long_rows = graph->info.degree_most > graph->plan.hub;
    s->offsets = graph->offsets.data;
    s->alone = graph->info.both_ways && !long_rows;
    if (!graph->info.both_ways || !long_rows || graph->vertices < graph->plan.by_degree)
        return arcs_back(graph, &s->back_offsets, &s->back_sources);
    WW_TRY(ww__graph_by_degree(graph));
    s->offsets = s->back_offsets = graph->ordered_offsets.data;
    s->back_sources = graph->ordered_targets.data;
    return WW_OK;
}

static ww_status run(state *s, const ww_pagerank_options *o, ww_pagerank_report *done) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices;
    s->blocks = (n + 1023) / 1024;
    WW_TRY(take_arcs(s));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SHARES, n, sizeof(double), &s->shares));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_BEFORE, n, sizeof(double), &s->before));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SUMS, n, sizeof(double), &s->sums));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_PARTIAL, 2 * s->blocks, sizeof(double), &s->partial));
    WW_TRY(ww_fill(graph->device, ww_array(s->sums, n), ww_value(double, 0)));
    WW_TRY(ww_fill(graph->device, ww_array(s->shares, n), ww_value(double, 0)));
    WW_TRY(rank_all(s, NULL, 0, 1 / (double)n, &done->change));
    done->change = INFINITY;
    while (done->iterations < o->iterations && !(done->change <= o->tolerance)) {
        WW_TRY(iterate(s, o->damping, &done->change));
        done->iterations++;
    }
    const giving g = {.offsets = graph->offsets.data,
                      .place = s->offsets == graph->offsets.data ? NULL : graph->place.data,
                      .shares = s->shares,
                      .ranks = s->sums,
                      .vertices = n};
    return ww__graph_launch(graph, &give_rank_ww, &g, &giving_ww, n, n);
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
    const ww_input found = ww_memory((const double *)s.sums, graph->vertices);
    WW_TRY(ww_store(graph->device, ranks.type == &ww_type_float ? ww_mapped(&narrow_rank_ww, found) : found, ranks));
    WW_TRY(ww_sync(graph->device));
    return report ? ww__give_struct(graph->device, &done, "WW_PAGERANK_REPORT", report, sizeof done) : WW_OK;
}
