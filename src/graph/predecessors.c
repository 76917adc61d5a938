/* Predecessors: all arcs are looked at once more, when all distances are known. An arc lies on a shortest path where its
 * source's distance and its weight are its target's distance.
 *
 * First each vertex takes the smallest source of such arcs that has a smaller distance (an atomic minimum). Where arcs lead
 * between vertices of one distance (weights of 0) some may be left: they get theirs in rounds, from vertices that got one in a
 * round before, or are sources. No predecessor is on a circle: it has a smaller distance or got its own earlier. */
#include "graph/search.h"
#include "warpwise/primitive.h"

static ww__tracing tracing_of(const ww__search *s, ww__tracing_mode mode) {
    return (ww__tracing){
        .dist32 = s->a.dist32, .dist64 = s->a.dist64, .next = s->a.next, .counts = s->a.counts, .mode = mode};
}

/* Over the arcs of `count` vertices, or of all. */
static ww_status trace(ww__search *s, ww__tracing *t, const uint32_t *vertices, uint64_t count,
                       uint32_t counts[WW__GRAPH_COUNTS_MANY]) {
    return ww__graph_walk(s->graph, s->kind->trace, &ww__tracing_ww, &t->walk, vertices, count, s->weighted, counts);
}

ww_status ww__search_unreached(ww__search *s, uint32_t *lowest) {
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    ww__tracing t = tracing_of(s, WW__TRACE_UNREACHED);
    *lowest = WW_NO_VERTEX;
    if (!s->too_long) return WW_OK;
    WW_TRY(ww__graph_set_count(s->graph, WW__COUNT_LOWEST, WW_NO_VERTEX));
    WW_TRY(trace(s, &t, NULL, s->graph->vertices, counts));
    *lowest = counts[WW__COUNT_LOWEST];
    return WW_OK;
}

/* Rounds over arcs between vertices of one distance: the first from all that have been found, then from those just found. */
static ww_status beside(ww__search *s, ww__tracing *t) {
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    uint32_t *frontier = NULL, *other = s->frontier;
    uint64_t count = s->graph->vertices;
    t->mode = WW__TRACE_BESIDE;
    for (t->round = 1; count; t->round++) {
        WW_TRY(ww__graph_set_count(s->graph, WW__COUNT_NEXT, 0));
        WW_TRY(trace(s, t, frontier, count, counts));
        count = counts[WW__COUNT_NEXT];
        frontier = t->next;
        t->next = other;
        other = frontier;
    }
    return WW_OK;
}

ww_status ww__search_predecessors(ww__search *s, uint32_t **predecessors) {
    ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    const uint64_t n = graph->vertices;
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    ww__tracing t = tracing_of(s, WW__TRACE_BELOW);
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_PREDECESSORS, n, sizeof(uint32_t), &t.predecessor));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_STEPS, n, sizeof(uint32_t), &t.step));
    *predecessors = t.predecessor;
    WW_TRY(ww_fill(device, ww_array(t.predecessor, n), ww_value(uint32_t, WW_NO_VERTEX)));
    WW_TRY(ww_fill(device, ww_array(t.step, n), ww_value(uint32_t, UINT32_MAX)));
    WW_TRY(ww_scatter(device, ww_constant(ww_value(uint32_t, 0), s->source_count),
                      ww_memory(s->sources, s->source_count), ww_array(t.step, n), ww_scatter_by(WW_CONFLICT_ANY)));
    WW_TRY(ww__graph_set_count(graph, WW__COUNT_FLAG, 0));
    WW_TRY(trace(s, &t, NULL, n, counts));
    return counts[WW__COUNT_FLAG] ? beside(s, &t) : WW_OK;
}
