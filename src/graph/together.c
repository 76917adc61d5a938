/* A whole search in one launch, of ranks that live at once and meet at barriers: how many ranks there are, and the host's side of that
 * by few strong ones (roam.c). That by many weak ones is in warps.c. */
#include "graph/together.h"
#include "warpwise/primitive.h"

/* Of the ranks that there can be a divisor, so that each has something to do: small graphs are not worth the others' waking and
 * waiting. */
ww_status ww__search_ranks(const ww_graph *graph, uint64_t lanes, uint64_t *ranks) {
    const uint64_t work = graph->vertices + graph->arcs;
    WW_TRY(ww_together(graph->device, ranks));
    while (*ranks > lanes && work / *ranks < graph->plan.rank_work) {
        uint64_t by = 2;
        while (*ranks % by) by++;
        if (*ranks / by % lanes) break;
        *ranks /= by;
    }
    return WW_OK;
}

/* Frontiers have room for slices of long rows; ranks leave places of lists empty, 63 each at most. */
static ww_status rooms(ww__search *s, ww__running *r) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices, spare = 64 * r->ranks, slices = graph->arcs / r->row_long;
    const bool long_rows = graph->info.degree_most > r->row_long;
    const struct {
        ww__graph_work work;
        uint64_t count;
        void *to;
    } lists[] = {{WW__GRAPH_MARKS, n, &r->mark},
                 {WW__GRAPH_WAITING, n, &r->waiting},
                 {WW__GRAPH_NEAR, n + slices + spare, &r->near_vertex},
                 {WW__GRAPH_NEXT, n + slices + spare, &r->next_vertex},
                 {WW__GRAPH_PILE, n + spare, &r->pile},
                 {WW__GRAPH_OLD_PILE, n + spare, &r->other_pile},
                 {WW__GRAPH_NEAR_BEGIN, n + slices + spare, &r->near_begin},
                 {WW__GRAPH_NEXT_BEGIN, n + slices + spare, &r->next_begin}};
    const size_t many = sizeof lists / sizeof *lists - (long_rows ? 0 : 2);
    const bool narrow = s->kind->words == &ww_type_uint32_t;
    void *values, *done;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, s->kind->words->size, &values));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_DONE, n, s->kind->words->size, &done));
    for (size_t l = 0; l < many; l++)
        WW_TRY(ww__graph_work_room(graph, lists[l].work, lists[l].count, sizeof(uint32_t), lists[l].to));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_TOTALS, TOTALS, sizeof(uint64_t), &r->totals));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_COUNTS, WW__GRAPH_COUNTS_MANY, sizeof(uint32_t), &s->a.counts));
    r->lengths = r->totals + LENGTHS;
    r->piled = (uint32_t *)(void *)(r->totals + PILED);
    r->claims = r->totals + CLAIMS;
    *(narrow ? (void **)&r->dist32 : (void **)&r->dist64) = values;
    *(narrow ? (void **)&r->done32 : (void **)&r->done64) = done;
    s->a.dist32 = r->dist32;
    s->a.dist64 = r->dist64;
    s->frontier = r->near_vertex; /* for what comes afterwards */
    s->a.next = r->next_vertex;
    return WW_OK;
}

ww_status ww__search_together(ww__search *s) {
    const ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    uint64_t totals[TOTALS] = {[LEAST] = UINT64_MAX, UINT64_MAX, UINT64_MAX};
    ww__running r = {.offsets = graph->offsets.data,
                     .targets = graph->targets.data,
                     .weights = s->weighted ? graph->weights.data : NULL,
                     .sources = s->sources,
                     .source_count = s->source_count,
                     .vertices = graph->vertices,
                     .width = s->width,
                     .row_long = graph->plan.row_long};
    WW_TRY(ww__search_ranks(graph, graph->plan.lanes, &r.ranks));
    WW_TRY(rooms(s, &r));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)totals, TOTALS), ww_array(r.totals, TOTALS)));
    const ww_function run = ww_bound(ww__roam_of(s->kind->type), &r, 1, &ww__running_ww);
    WW_TRY(ww_launch_together(device, &run, r.ranks));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)r.totals, TOTALS), ww_array(totals, TOTALS)));
    s->report.rounds = totals[ROUNDS];
    s->report.expanded = totals[EXPANDED];
    s->report.regrouped = totals[REGROUPED];
    s->too_long = totals[FLAG] != 0;
    return WW_OK;
}
