/* The steps of a search: it begins at the sources, expands frontiers, and looks through piles. A vertex stands in a frontier
 * once (its mark is the round for which it was put there) and in a pile once (its epoch says so), so that both have room in an
 * element for each vertex. */
#include <math.h>
#include <string.h>

#include "graph/search.h"
#include "warpwise/primitive.h"

static ww_status rooms(ww__search *s, void **values) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices;
    uint32_t **const lists[] = {&s->a.mark, &s->a.waiting, &s->frontier, &s->a.next, &s->a.pile};
    static const ww__graph_work works[] = {WW__GRAPH_MARKS, WW__GRAPH_WAITING, WW__GRAPH_NEAR, WW__GRAPH_NEXT,
                                           WW__GRAPH_PILE};
    void *unused;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, s->kind->words->size, values));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_OLD_PILE, n, sizeof(uint32_t), &unused));
    for (size_t l = 0; l < sizeof works / sizeof *works; l++)
        WW_TRY(ww__graph_work_room(graph, works[l], n, sizeof(uint32_t), lists[l]));
    return WW_OK;
}

ww_status ww__search_begin(ww__search *s) {
    ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    const ww_type *words = s->kind->words;
    const uint64_t n = graph->vertices, zero = 0, limit = s->kind->limit;
    void *values, *done;
    for (int c = 0; c < WW__GRAPH_COUNTS_MANY; c++) WW_TRY(ww__graph_set_count(graph, (ww__graph_count)c, 0));
    WW_TRY(rooms(s, &values));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_DONE, n, words->size, &done));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_EXPANDED, 2, sizeof *s->a.expanded, &s->a.expanded));
    WW_TRY(ww_fill(device, ww_array(s->a.expanded, 2), ww_value(uint64_t, 0)));
    const ww_array distances = ww_array_of(values, n, words);
    s->a.dist32 = words == &ww_type_uint32_t ? values : NULL;
    s->a.dist64 = words == &ww_type_uint32_t ? NULL : values;
    s->a.done32 = words == &ww_type_uint32_t ? done : NULL;
    s->a.done64 = words == &ww_type_uint32_t ? NULL : done;
    s->a.counts = graph->work[WW__GRAPH_COUNTS].data;
    WW_TRY(ww_fill(device, distances, ww_value_of(&limit, words)));
    WW_TRY(ww_fill(device, ww_array_of(done, n, words), ww_value_of(&limit, words)));
    WW_TRY(ww_fill(device, ww_array(s->a.mark, n), ww_value(uint32_t, 0)));
    WW_TRY(ww_fill(device, ww_array(s->a.waiting, n), ww_value(uint32_t, 0)));
    WW_TRY(ww_scatter(device, ww_constant(ww_value_of(&zero, words), s->source_count),
                      ww_memory(s->sources, s->source_count), distances, ww_scatter_by(WW_CONFLICT_ANY)));
    const uint32_t *pile;
    uint64_t piled;
    WW_TRY(ww__search_collect_begin(s, 0, ww__search_above(s, 0), &pile, &piled));
    WW_TRY(ww__search_collect(s, s->sources, s->source_count));
    return ww__search_collect_end(s);
}

/* The next frontier becomes this one. */
static void turn(ww__search *s, const uint32_t counts[WW__GRAPH_COUNTS_MANY]) {
    uint32_t *const done = s->frontier;
    s->frontier = s->a.next;
    s->a.next = done;
    s->frontier_count = counts[WW__COUNT_NEXT];
    s->pile_count = counts[WW__COUNT_PILE];
    s->too_long = s->too_long || counts[WW__COUNT_FLAG];
}

/* Levels of a breadth-first search, and bellman-ford, need each round to end before the next. */
static bool chases(const ww__search *s) { return s->graph->plan.chases && s->width; }

ww_status ww__search_round(ww__search *s) {
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    s->a.round++;
    s->report.rounds++;
    WW_TRY(ww__graph_set_count(s->graph, WW__COUNT_NEXT, 0));
    if (chases(s)) {
        WW_TRY(ww__graph_chase(s->graph, s->kind->chase, s->kind->relax, &ww__relaxing_ww, &s->a.walk, s->frontier,
                               s->frontier_count, s->weighted, counts));
        s->report.expanded += counts[WW__COUNT_HUBS];
    } else {
        s->report.expanded += s->frontier_count;
        WW_TRY(ww__graph_walk(s->graph, s->kind->relax, &ww__relaxing_ww, &s->a.walk, s->frontier, s->frontier_count,
                              s->weighted, counts));
    }
    turn(s, counts);
    return WW_OK;
}

/* Rounds that are queued one after another; the host looks at the frontier's length after some. Those behind the last one find
 * nothing to do. */
static ww_status settle_ahead(ww__search *s) {
    enum { RANKS_LEAST = 4096 };
    const ww_graph *graph = s->graph;
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    s->a.walk = (ww__walk){.offsets = graph->offsets.data,
                           .targets = graph->targets.data,
                           .weights = s->weighted ? graph->weights.data : NULL};
    for (uint32_t turn = 0; turn < 3; turn++)
        WW_TRY(ww__graph_set_count(s->graph, (ww__graph_count)(WW__COUNT_STEPS + turn),
                                   turn ? 0 : (uint32_t)s->frontier_count));
    s->a.turn = 0;
    while (s->frontier_count) {
        s->a.from_count = s->frontier_count < RANKS_LEAST ? RANKS_LEAST : s->frontier_count;
        for (uint32_t r = 0; r < graph->plan.ahead; r++) {
            s->a.round++;
            uint32_t *const from = s->frontier;
            s->a.from = from;
            WW_TRY(ww__graph_launch(s->graph, s->kind->step, &s->a, &ww__relaxing_ww, s->a.from_count, 0));
            s->frontier = s->a.next;
            s->a.next = from;
            s->a.turn = (s->a.turn + 1) % 3;
        }
        WW_TRY(ww__graph_counts(s->graph, counts));
        s->frontier_count = counts[WW__COUNT_STEPS + s->a.turn];
        s->pile_count = counts[WW__COUNT_PILE];
        s->too_long = s->too_long || counts[WW__COUNT_FLAG];
    }
    return WW_OK;
}

ww_status ww__search_settle(ww__search *s) {
    if (s->graph->plan.ahead && s->graph->info.degree_most <= s->graph->plan.ahead_degree) return settle_ahead(s);
    while (s->frontier_count) WW_TRY(ww__search_round(s));
    return WW_OK;
}

/* ---- bounds ---- */

static uint64_t above_float(uint32_t bound, uint32_t width) {
    float low, step, high;
    uint32_t bits;
    memcpy(&low, &bound, sizeof low);
    memcpy(&step, &width, sizeof step);
    high = low + step;
    if (!(high > low)) high = nextafterf(low, INFINITY);
    memcpy(&bits, &high, sizeof bits);
    return bits;
}

uint64_t ww__search_above(const ww__search *s, uint64_t bound) {
    const uint64_t limit = s->kind->limit;
    if (!s->width || bound >= limit) return limit;
    if (s->kind->type == &ww_type_float) return above_float((uint32_t)bound, (uint32_t)s->width);
    return limit - bound > s->width ? bound + s->width : limit;
}

/* ---- piles ---- */

ww_status ww__search_collect_begin(ww__search *s, uint64_t low, uint64_t bound, const uint32_t **pile,
                                   uint64_t *count) {
    *pile = s->a.pile;
    *count = s->pile_count;
    s->a.pile = s->a.pile == s->graph->work[WW__GRAPH_PILE].data ? s->graph->work[WW__GRAPH_OLD_PILE].data
                                                                 : s->graph->work[WW__GRAPH_PILE].data;
    s->a.low = low;
    s->a.bound = bound;
    s->a.epoch++;
    s->a.round++;
    WW_TRY(ww__graph_set_count(s->graph, WW__COUNT_NEXT, 0));
    return ww__graph_set_count(s->graph, WW__COUNT_PILE, 0);
}

ww_status ww__search_collect(ww__search *s, const uint32_t *vertices, uint64_t count) {
    s->a.from = vertices;
    s->a.from_count = count;
    s->report.regrouped += count;
    return count ? ww__graph_launch(s->graph, s->kind->collect, &s->a, &ww__relaxing_ww, count, count) : WW_OK;
}

ww_status ww__search_collect_end(ww__search *s) {
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    WW_TRY(ww__graph_counts(s->graph, counts));
    turn(s, counts);
    return WW_OK;
}

ww_status ww__search_least(ww__search *s, uint64_t low, uint64_t *least) {
    const ww__bucketing b = {.dist32 = s->a.dist32, .dist64 = s->a.dist64, .low = low};
    const ww_function f = ww_bound(s->kind->least, &b, 1, &ww__bucketing_ww);
    const ww_array to = ww_array_of(least, 1, s->kind->words);
    *least = 0; /* one of u32 is its lower half */
    s->report.regrouped += s->pile_count;
    return ww_reduce(s->graph->device, &ww_min, ww_mapped(&f, ww_memory((const uint32_t *)s->a.pile, s->pile_count)),
                     to);
}

/* ---- all of it ---- */

ww_status ww__search_dijkstra(ww__search *s) {
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    ww_graph *graph = s->graph;
    const ww__settling a = {.walk = {.offsets = graph->offsets.data,
                                     .targets = graph->targets.data,
                                     .weights = s->weighted ? graph->weights.data : NULL},
                            .dist32 = s->a.dist32,
                            .dist64 = s->a.dist64,
                            .heap = s->a.pile,
                            .place = s->a.waiting,
                            .counts = s->a.counts,
                            .sources = s->sources,
                            .source_count = s->source_count};
    const ww_function settle = ww_bound(s->kind->settle, &a, 1, &ww__settling_ww);
    WW_TRY(ww_fill(graph->device, ww_array(s->a.waiting, graph->vertices), ww_value(uint32_t, 0)));
    WW_TRY(ww_launch(graph->device, &settle, 1));
    WW_TRY(ww__graph_counts(graph, counts));
    s->report.rounds = s->report.expanded = counts[WW__COUNT_NEXT];
    s->report.regrouped = 0;
    s->too_long = counts[WW__COUNT_FLAG] != 0;
    return WW_OK;
}

ww_status ww__search_near_far(ww__search *s) {
    for (;;) {
        const uint32_t *pile;
        uint64_t piled, low = s->a.bound;
        WW_TRY(ww__search_settle(s));
        if (!s->pile_count) return WW_OK;
        WW_TRY(ww__search_collect_begin(s, low, ww__search_above(s, low), &pile, &piled));
        WW_TRY(ww__search_collect(s, pile, piled));
        WW_TRY(ww__search_collect_end(s));
        if (s->frontier_count || !s->pile_count) continue;
        /* Nothing is as near as that: on to the nearest. */
        WW_TRY(ww__search_least(s, low, &low));
        WW_TRY(ww__search_collect_begin(s, low, ww__search_above(s, low), &pile, &piled));
        WW_TRY(ww__search_collect(s, pile, piled));
        WW_TRY(ww__search_collect_end(s));
    }
}

static ww_status run_method(ww__search *s) {
    switch (s->report.method) {
    case WW_SSSP_DIJKSTRA:
        return ww__search_dijkstra(s);
    case WW_SSSP_BUCKETS:
    case WW_SSSP_BUCKETS_SORT:
        return ww__search_buckets(s, s->report.method == WW_SSSP_BUCKETS_SORT);
    default:
        return ww__search_near_far(s); /* bellman-ford: below a bound that no distance reaches */
    }
}

/* Lists are counted in 32 bits there, with 64 places for each rank besides. */
static bool is_together(const ww__search *s) {
    enum { SPARE = 1 << 24 };
    const ww_graph *graph = s->graph;
    return graph->plan.together && graph->arcs <= UINT32_MAX && graph->vertices <= UINT32_MAX - SPARE &&
           (s->report.method == WW_SSSP_NEAR_FAR || s->report.method == WW_SSSP_BELLMAN_FORD);
}

ww_status ww__search_run(ww__search *s) {
    uint64_t expanded[2];
    if (s->levels && s->graph->plan.together && s->graph->plan.levels) return ww__search_levels(s);
    if (is_together(s))
        return s->graph->plan.together == WW__TOGETHER_FEW ? ww__search_roam(s) : ww__search_warps(s);
    WW_TRY(ww__search_begin(s));
    WW_TRY(run_method(s));
    WW_TRY(ww_copy(s->graph->device, ww_memory((const uint64_t *)s->a.expanded, 2), ww_array(expanded, 2)));
    s->report.expanded += expanded[0];
    s->report.rounds += expanded[1];
    return WW_OK;
}
