/* Walks: the arcs of many vertices, shared out so that no row is long for a rank.
 *
 * 1. A launch over the vertices: each rank goes through the rows of a few of them. Rows that are longer than the plan's
 *    `hub` are put on a list.
 * 2. Where there are such: ww_expand turns the list into slices, each vertex into as many as its row has, and a launch goes
 *    through these.
 *
 * What a rank does at most is a group of short rows or one slice, whatever the graph is. */
#include "graph/graph.h"
#include "warpwise/primitive.h"

ww_status ww__graph_launch(ww_graph *graph, const ww_function *kernel, const void *arguments, const ww_type *type,
                           uint64_t count, uint64_t work) {
    const ww_function bound = ww_bound(kernel, arguments, 1, type);
    const uint64_t least = work > graph->plan.work_least ? graph->plan.ranks_least : 0;
    return ww_launch(graph->device, &bound, count < least ? least : count);
}

WW_STRUCT(slicing, {
    const uint64_t *offsets;
    uint64_t slice;
});
WW_MAP(slices_of, uint64_t, uint32_t, vertex, slicing, s,
       { return (s->offsets[vertex + 1] - s->offsets[vertex] + s->slice - 1) / s->slice; });

/* The hubs' slices into the graph's memory, which grows where there are more of them than there is room for. */
static ww_status cut(ww_graph *graph, ww__walk *walk, uint64_t hubs) {
    enum { LEAST = 4096 };
    const slicing s = {walk->offsets, graph->plan.slice};
    const ww_input vertices = ww_memory((const uint32_t *)walk->hubs, hubs);
    uint64_t room = graph->work[WW__GRAPH_SLICE_NUMBER].bytes / sizeof(uint32_t), total = 0;
    if (!room) room = LEAST;
    for (int again = 0;; again++) {
        uint32_t *vertex, *number;
        WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SLICE_VERTEX, room, sizeof *vertex, &vertex));
        WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SLICE_NUMBER, room, sizeof *number, &number));
        const ww_status status = ww_expand(graph->device, vertices, ww_mapped(ww_with(slices_of, &s), vertices),
                                           ww_array(vertex, room), ww_none, ww_array(number, room),
                                           ww_array(&total, 1));
        walk->items = vertex;
        walk->number = number;
        walk->count = total;
        if (status != WW_LIMIT || again || total <= room) return status;
        room = total;
    }
}

/* Groups are as large as leaves enough ranks to share out. */
static uint64_t group_of(const ww__graph_plan *plan, uint64_t count) {
    const uint64_t group = count / plan->ranks_wanted;
    return group < 1 ? 1 : group > plan->group_most ? plan->group_most : group;
}

/* First whole rows, with hubs put aside. */
static ww_status begin(ww_graph *graph, ww__walk *walk, const uint32_t *vertices, uint64_t count, bool weighted) {
    uint32_t *const words = graph->work[WW__GRAPH_COUNTS].data;
    uint32_t *hubs = NULL;
    if (graph->info.degree_most > graph->plan.hub)
        WW_TRY(ww__graph_work_room(graph, WW__GRAPH_HUBS, graph->vertices, sizeof *hubs, &hubs));
    *walk = (ww__walk){.offsets = graph->offsets.data,
                       .targets = graph->targets.data,
                       .weights = weighted ? graph->weights.data : NULL,
                       .items = vertices,
                       .count = count,
                       .group = group_of(&graph->plan, count),
                       .slice = UINT64_MAX,
                       .hub = graph->plan.hub,
                       .hubs = hubs,
                       .hub_count = words + WW__COUNT_HUBS};
    return ww__graph_set_count(graph, WW__COUNT_HUBS, 0);
}

/* Then these in slices. */
static ww_status slice(ww_graph *graph, ww__walk *walk, uint64_t hubs) {
    WW_TRY(cut(graph, walk, hubs));
    walk->group = 1;
    walk->slice = graph->plan.slice;
    walk->hub = UINT64_MAX;
    return WW_OK;
}

/* What hubs the first launch has put aside, in slices. */
static ww_status go_on(ww_graph *graph, const ww_function *kernel, const ww_type *type, ww__walk *walk,
                       uint32_t counts[WW__GRAPH_COUNTS_MANY]) {
    WW_TRY(ww__graph_counts(graph, counts));
    if (!counts[WW__COUNT_HUBS]) return WW_OK;
    WW_TRY(slice(graph, walk, counts[WW__COUNT_HUBS]));
    WW_TRY(ww__graph_launch(graph, kernel, walk, type, walk->count, walk->count * walk->slice));
    return ww__graph_counts(graph, counts);
}

ww_status ww__graph_walk(ww_graph *graph, const ww_function *kernel, const ww_type *type, ww__walk *walk,
                         const uint32_t *vertices, uint64_t count, bool weighted,
                         uint32_t counts[WW__GRAPH_COUNTS_MANY]) {
    const uint64_t mean = 1 + graph->arcs / (graph->vertices + 1);
    WW_TRY(begin(graph, walk, vertices, count, weighted));
    WW_TRY(ww__graph_launch(graph, kernel, walk, type, (count + walk->group - 1) / walk->group, count * mean));
    return go_on(graph, kernel, type, walk, counts);
}

ww_status ww__graph_chase(ww_graph *graph, const ww_function *chase, const ww_function *kernel, const ww_type *type,
                          ww__walk *walk, const uint32_t *vertices, uint64_t count, bool weighted,
                          uint32_t counts[WW__GRAPH_COUNTS_MANY]) {
    enum { FEW = 64 }; /* vertices, for which nobody is woken */
    WW_TRY(begin(graph, walk, vertices, count, weighted));
    WW_TRY(ww__graph_set_count(graph, WW__COUNT_CLAIMS, 0));
    WW_TRY(ww__graph_launch(graph, chase, walk, type, 1, count > FEW ? UINT64_MAX : 0));
    return go_on(graph, kernel, type, walk, counts);
}
