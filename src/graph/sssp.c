/* ww_sssp and ww_bfs: checks, the method and its width, the search, its results. */
#include <math.h>
#include <string.h>

#include "device/array.h"
#include "device/options.h"
#include "device/paper.h"
#include "graph/search.h"
#include "warpwise/primitive.h"

/* ---- the method and its width ---- */

static bool has_width(uint32_t method) { return method >= WW_SSSP_NEAR_FAR; }

/* So many mean weights over the square of the mean degree, as the plan says: where many arcs leave a vertex narrow buckets hold
 * enough of them already, and fewer are gone through twice. Where rows are longer than those of grids and roads most vertices are a few
 * arcs from each other, frontiers are large, and buckets as narrow as an arc's weight over the degree are best; of few arcs wider ones. */
static double width_chosen(const ww_graph *graph, double mean) {
    const ww__graph_plan *p = &graph->plan;
    const double degree = (double)graph->arcs / (double)graph->vertices;
    const double divisor = degree > 1 ? degree : 1, width = p->width * mean / (divisor * divisor);
    if (graph->info.degree_most > p->wide_degree)
        return (graph->arcs <= p->few ? 2 : 1) * p->width_narrow * mean / divisor;
    return width > p->width_least * mean ? width : p->width_least * mean;
}

/* The width as distances are kept, and in the report as it is used. */
static void set_width(ww__search *s, double wanted) {
    const double width = wanted > 0 ? wanted : width_chosen(s->graph, s->graph->info.weight_mean);
    if (!has_width(s->report.method)) return;
    if (s->kind->type == &ww_type_float) {
        const float f = width < 3e38 ? (float)width : 3e38f;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        s->width = f > 0 ? bits : 1; /* the least float that is above 0 */
        s->report.width = (double)(f > 0 ? f : nextafterf(0, 1));
    } else {
        const double whole = ceil(width);
        s->width = !(whole >= 1) ? 1 : whole < 0x1p63 ? (uint64_t)whole : (uint64_t)1 << 63;
        s->report.width = (double)s->width;
    }
}

/* ---- checks ---- */

static ww_status check(ww__search *s, const ww_array *distances, const ww_sssp_options *options, double *width) {
    const ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    ww_sssp_options o;
    const ww_type *weight = graph->info.weight ? graph->info.weight : &ww_type_uint32_t;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__take_options(device, options, "WW_SSSP_OPTIONS", &o, sizeof o));
    WW_CHECK(device, o.method <= WW_SSSP_BUCKETS, WW_INVALID, "options.method is %u, and the last one is %d", o.method,
             WW_SSSP_BUCKETS);
    WW_CHECK(device, o.width >= 0 && o.width < INFINITY, WW_INVALID, "options.width is %g", o.width);
    WW_CHECK(device, !ww__is_none(distances), WW_INVALID, "distances is missing");
    s->kind = ww__distances_of(distances->type);
    WW_CHECK(device, s->kind && s->kind->weight == weight, WW_TYPE, "distances are of %s, and weights of %s",
             distances->type ? distances->type->label : "no type", weight->label);
    *width = o.width;
    s->report.method = o.method ? o.method : graph->plan.sssp;
    return WW_OK;
}

static ww_status give_report(const ww__search *s, ww_sssp_report *report) {
    return report ? ww__give_struct(s->graph->device, &s->report, "WW_SSSP_REPORT", report, sizeof s->report) : WW_OK;
}

/* ---- a search and its results ---- */

static ww_status run(ww__search *s, const ww_array *distances, const ww_array *predecessors) {
    ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    const void *values;
    uint32_t *found;
    WW_TRY(ww__search_run(s));
    values = graph->work[WW__GRAPH_VALUES].data;
    if (!ww__is_none(predecessors)) {
        WW_TRY(ww__search_predecessors(s, &found));
        WW_TRY(ww_store(device, ww_memory((const uint32_t *)found, graph->vertices), *predecessors));
    }
    WW_TRY(ww_store(device, ww_memory_of(values, graph->vertices, s->kind->type), *distances));
    return ww_sync(device);
}

ww_status ww_sssp(ww_graph *graph, ww_input sources, ww_array distances, ww_array predecessors,
                  const ww_sssp_options *options, ww_sssp_report *report) {
    static const char call[] = "ww_sssp";
    const bool wanted = !ww__is_none(&predecessors);
    ww__search s = {.graph = graph, .weighted = true, .source_count = sources.count, .report = WW_SSSP_REPORT};
    double width = 0;
    uint32_t *copy, lowest;
    if (!graph) return WW_INVALID;
    WW_TRY(ww__enter(graph->device, call));
    ww_status status = check(&s, &distances, options, &width);
    if (!status) status = give_report(&s, report); /* a report that is none is refused before the work */
    WW_TRY(ww__leave(graph->device, status));
    WW_TRY(ww__graph_check_output(graph, call, "distances", &distances, &sources, "predecessors",
                                  wanted ? &predecessors : NULL));
    if (wanted) WW_TRY(ww__graph_check_output(graph, call, "predecessors", &predecessors, &sources, NULL, NULL));
    if (wanted && predecessors.type != &ww_type_uint32_t)
        return ww__fail_call(graph->device, call, WW_TYPE, "predecessors are of %s, and vertices are u32",
                             predecessors.type->label);
    WW_TRY(ww__graph_sources(graph, call, sources, &copy));
    s.sources = copy;
    s.weighted = graph->info.weight != NULL;
    set_width(&s, width);
    WW_TRY(run(&s, &distances, &predecessors));
    WW_TRY(give_report(&s, report));
    WW_TRY(ww__search_unreached(&s, &lowest));
    if (lowest == WW_NO_VERTEX) return WW_OK;
    return ww__fail_call(graph->device, call, WW_LIMIT, "the path to vertex %u is too long for distances of %s", lowest,
                         s.kind->type->label);
}

static ww_status check_levels(ww_device *device, const ww_array *levels, const ww_array *parents) {
    WW_CHECK(device, !ww__is_none(levels), WW_INVALID, "levels is missing");
    WW_CHECK(device, levels->type == &ww_type_uint32_t, WW_TYPE, "levels are of %s, and have to be u32",
             levels->type ? levels->type->label : "no type");
    WW_CHECK(device, ww__is_none(parents) || parents->type == &ww_type_uint32_t, WW_TYPE,
             "parents are of %s, and vertices are u32", parents->type ? parents->type->label : "no type");
    return WW_OK;
}

/* A search that counts each arc as 1, in which a round settles a level, or some. */
ww_status ww_bfs(ww_graph *graph, ww_input sources, ww_array levels, ww_array parents) {
    static const char call[] = "ww_bfs";
    ww__search s = {.graph = graph,
                    .kind = ww__distances_of(&ww_type_uint32_t),
                    .levels = true,
                    .source_count = sources.count,
                    .report = WW_SSSP_REPORT};
    const bool wanted = !ww__is_none(&parents);
    uint32_t *copy;
    if (!graph) return WW_INVALID;
    WW_TRY(ww__enter(graph->device, call));
    WW_TRY(ww__leave(graph->device, check_levels(graph->device, &levels, &parents)));
    WW_TRY(ww__graph_check_output(graph, call, "levels", &levels, &sources, "parents", wanted ? &parents : NULL));
    if (wanted) WW_TRY(ww__graph_check_output(graph, call, "parents", &parents, &sources, NULL, NULL));
    WW_TRY(ww__graph_sources(graph, call, sources, &copy));
    s.sources = copy;
    s.report.method = WW_SSSP_BELLMAN_FORD;
    /* Where rows are short rounds have few vertices, and warps go on with what they bring near (warps.c). */
    if (graph->plan.together == WW__TOGETHER_MANY && graph->info.degree_most <= graph->plan.wide_degree)
        s.width = (uint64_t)ceil(width_chosen(graph, 1));
    return run(&s, &levels, &parents);
}
