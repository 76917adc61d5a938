/* A whole search in one launch, of ranks that live at once and meet at barriers: bellman-ford, and near-far.
 *
 * A step is a round, which goes through the frontier, or, where that is empty, a look through the pile, which fills it
 * again; between steps there is one barrier. Of the words in which lists count themselves there are three that take turns: one is
 * read in a step, the next is added to, and the third, which nobody reads any more, is made 0 for the step that follows.
 * So all ranks see the same lengths, and decide alike what the next step is. The least distance in a pile is known when the pile is:
 * nobody has to look for where to go on.
 *
 * Where some rows are long a frontier also says how many arcs the rows before each of its vertices have (one addition to a word of 64
 * bits gives a vertex its place and this), and ranks share out arcs: rank r goes through arcs r, r + ranks, …, and finds by
 * bisection whose they are. A hub holds nobody up, and neighbouring ranks read neighbouring arcs. Elsewhere a few neighbouring ranks
 * (lanes) share a row. */
#include "graph/together.h"
#include "graph/sums.h"
#include "warpwise/primitive.h"

/* The row that an element is in: the last of `count` that begins at it or before. */
WW_FUNCTION(row_of, uint32_t, (const uint32_t *begins, uint32_t count, uint32_t element), {
    uint32_t low = 0;
    for (uint32_t many = count; many > 1;) {
        const uint32_t half = many / 2;
        if (begins[low + half] <= element) low += half;
        many -= half;
    }
    return low;
});

#define RUN(kind, number, dist) \
    WW_KERNEL_USES((sum_##kind, limit_##kind, one_##kind, above_##kind, row_of), run_##kind, ww__running, a, rank, { \
        const uint64_t ranks = a->ranks; \
        const number width = (number)a->width; \
        number *const least = a->dist; \
        uint64_t *const totals = a->totals; \
        uint64_t *const lengths = a->lengths; \
        uint32_t *const piled = a->piled; \
        uint32_t *vertices = a->near_vertex; \
        uint32_t *begins = a->near_begin; \
        uint32_t *next = a->next_vertex; \
        uint32_t *next_begins = a->next_begin; \
        uint32_t *pile = a->pile; \
        uint32_t *old_pile = a->other_pile; \
        for (uint64_t v = rank; v < a->vertices; v += ranks) { \
            least[v] = limit_##kind; \
            a->mark[v] = 0; \
            a->waiting[v] = 0; \
        } \
        ww_barrier(totals, ranks); \
        for (uint64_t s = rank; s < a->source_count; s += ranks) { \
            const uint32_t vertex = a->sources[s]; \
            ww_atomic_store(least + vertex, 0); \
            if (ww_atomic_exchange(a->waiting + vertex, 1u) != 1u) pile[ww_append(piled)] = vertex; \
        } \
        number bound = 0; \
        number far = rank ? limit_##kind : 0; \
        number told = limit_##kind; \
        bool too_long = false; \
        uint32_t epoch = 0; \
        for (uint32_t round = 0;; round++) { \
            if (far < told && (uint64_t)far < ww_load_relaxed(totals + 4 + epoch % 3)) \
                ww_atomic_min(totals + 4 + epoch % 3, (uint64_t)far); \
            told = far; \
            ww_barrier(totals, ranks); \
            const uint64_t length = ww_load_relaxed(lengths + round % 3); \
            const uint32_t count = (uint32_t)(length >> 32); \
            const uint32_t wait = ww_load_relaxed(piled + epoch % 3); \
            if (!count && !wait) break; \
            if (rank == 0) { \
                ww_atomic_store(lengths + (round + 2) % 3, 0); \
                totals[1] += count != 0; \
                totals[2] += count; \
                totals[3] += count ? 0 : wait; \
            } \
            const number low = bound; \
            const uint32_t *items = vertices; \
            if (!count) { \
                bound = above_##kind((number)ww_load_relaxed(totals + 4 + epoch % 3), width); \
                far = limit_##kind; \
                told = limit_##kind; \
                if (rank == 0) { \
                    ww_atomic_store(piled + (epoch + 2) % 3, 0); \
                    ww_atomic_store(totals + 4 + (epoch + 2) % 3, 0xFFFFFFFFFFFFFFFFu); \
                } \
                items = pile; \
                pile = old_pile; \
                old_pile = a->pile == pile ? a->other_pile : a->pile; \
                epoch++; \
            } \
            const uint64_t lanes = count && !begins ? a->lanes : 1; \
            const uint64_t work = !count ? wait : begins ? (uint32_t)length : count * lanes; \
            for (uint64_t at = rank; at < work; at += ranks) { \
                const uint64_t item = count && begins ? row_of(begins, count, (uint32_t)at) : at / lanes; \
                const uint32_t vertex = items[item]; \
                const number from = ww_load_relaxed(least + vertex); \
                uint64_t i = 0; \
                uint64_t end = 1; \
                if (count) { \
                    i = a->offsets[vertex] + (begins ? at - begins[item] : at % lanes); \
                    end = begins ? i + 1 : a->offsets[vertex + 1]; \
                } \
                for (; i < end; i += lanes) { \
                    const uint32_t to = count ? a->targets[i] : vertex; \
                    const number sum = count ? sum_##kind(from, a->weights ? a->weights[i] : one_##kind) : from; \
                    if (count ? sum >= ww_load_relaxed(least + to) : sum < low) { \
                        too_long = too_long || sum >= limit_##kind; \
                        continue; \
                    } \
                    if (count && sum >= ww_atomic_min(least + to, sum)) continue; \
                    if (sum >= bound) { \
                        if (sum < far) far = sum; \
                        if (ww_load_relaxed(a->waiting + to) <= epoch && \
                            ww_atomic_exchange(a->waiting + to, epoch + 1) <= epoch) \
                            pile[ww_append(piled + epoch % 3)] = to; \
                        continue; \
                    } \
                    if (ww_load_relaxed(a->mark + to) > round || ww_atomic_exchange(a->mark + to, round + 1) > round) \
                        continue; \
                    const uint32_t row = begins ? (uint32_t)(a->offsets[to + 1] - a->offsets[to]) : 0; \
                    const uint64_t place = ww_append_row(lengths + (round + 1) % 3, row); \
                    next[place >> 32] = to; \
                    if (begins) next_begins[place >> 32] = (uint32_t)place; \
                } \
            } \
            vertices = next; \
            begins = next_begins; \
            next = a->near_vertex == next ? a->next_vertex : a->near_vertex; \
            next_begins = a->near_begin == begins ? a->next_begin : a->near_begin; \
        } \
        if (too_long && !ww_load_relaxed(totals + 7)) ww_atomic_store(totals + 7, 1); \
    })

RUN(whole, uint32_t, dist32);
RUN(wide, uint64_t, dist64);
RUN(float, uint32_t, dist32);

/* ---- the host's side ---- */

static const ww_function *run_of(const ww__search *s) {
    return s->kind->type == &ww_type_uint32_t   ? &run_whole_ww
           : s->kind->type == &ww_type_uint64_t ? &run_wide_ww
                                                : &run_float_ww;
}

/* As many neighbouring ranks as rows are long, on average. */
static uint64_t lanes_of(const ww_graph *graph) {
    uint64_t lanes = 1;
    while (lanes < graph->plan.lanes_most && lanes * graph->vertices < graph->arcs) lanes *= 2;
    return lanes;
}

/* Of the ranks that there can be a divisor, so that each has something to do: small graphs are not worth the others' waking and
 * waiting. */
ww_status ww__search_ranks(const ww_graph *graph, uint64_t lanes, uint64_t *ranks) {
    const uint64_t work = graph->vertices + graph->arcs;
    WW_TRY(ww_together(graph->device, ranks));
    if (graph->info.degree_most <= graph->plan.row_long) *ranks /= graph->plan.together_less;
    while (*ranks > lanes && work / *ranks < graph->plan.rank_work) {
        uint64_t by = 2;
        while (*ranks % by) by++;
        if (*ranks / by % lanes) break;
        *ranks /= by;
    }
    return WW_OK;
}

/* Where some rows are long a frontier has numbers of arcs besides. */
static ww_status rooms(ww__search *s, ww__running *r) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices;
    const bool long_rows = graph->info.degree_most > graph->plan.row_long;
    const struct {
        ww__graph_work work;
        uint64_t count;
        void *to;
    } lists[] = {{WW__GRAPH_MARKS, n, &r->mark},
                 {WW__GRAPH_WAITING, n, &r->waiting},
                 {WW__GRAPH_NEAR, n, &r->near_vertex},
                 {WW__GRAPH_NEXT, n, &r->next_vertex},
                 {WW__GRAPH_PILE, n, &r->pile},
                 {WW__GRAPH_OLD_PILE, n, &r->other_pile},
                 {WW__GRAPH_NEAR_BEGIN, n, &r->near_begin},
                 {WW__GRAPH_NEXT_BEGIN, n, &r->next_begin}};
    const size_t many = sizeof lists / sizeof *lists - (long_rows ? 0 : 2);
    const bool narrow = s->kind->words == &ww_type_uint32_t;
    void *values;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, s->kind->words->size, &values));
    for (size_t l = 0; l < many; l++)
        WW_TRY(ww__graph_work_room(graph, lists[l].work, lists[l].count, sizeof(uint32_t), lists[l].to));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_TOTALS, TOTALS, sizeof(uint64_t), &r->totals));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_COUNTS, WW__GRAPH_COUNTS_MANY, sizeof(uint32_t), &s->a.counts));
    r->lengths = r->totals + LENGTHS;
    r->piled = (uint32_t *)(void *)(r->totals + PILED);
    *(narrow ? (void **)&r->dist32 : (void **)&r->dist64) = values;
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
                     .lanes = lanes_of(graph)};
    WW_TRY(ww__search_ranks(graph, r.lanes, &r.ranks));
    WW_TRY(rooms(s, &r));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)totals, TOTALS), ww_array(r.totals, TOTALS)));
    const ww_function run = ww_bound(run_of(s), &r, 1, &ww__running_ww);
    WW_TRY(ww_launch_together(device, &run, r.ranks));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)r.totals, TOTALS), ww_array(totals, TOTALS)));
    s->report.rounds = totals[ROUNDS];
    s->report.expanded = totals[EXPANDED];
    s->report.regrouped = totals[REGROUPED];
    s->too_long = totals[FLAG] != 0;
    return WW_OK;
}
