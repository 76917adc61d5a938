/* A whole search in one launch, of many weak ranks: bellman-ford, and near-far, by the warps of a GPU.
 *
 * A step goes through the frontier or, where that is empty, through the pile, whose near vertices are gone through at once; between
 * steps there is one barrier. A warp takes some vertices, one a lane, and its lanes share out their arcs: each finds by bisection over
 * the lanes whose arc it has. What a lane has brought near, or put away for the pile, it notes down itself; so a warp adds to the words in
 * which lists count themselves once a step, or when a lane has no room left. (All additions to one word come one after another,
 * 0.75 ns each on an H100: one for each vertex cost more than all else.) With what it has brought near a warp goes on itself, so often as
 * the plan says and while it is few arcs (delta-stepping's "bucket fusion", Zhang et al., 2020), so that small rounds need no barrier
 * each; the rest is the next frontier. `done` has the distance with which a vertex was last gone through: who would do so again with the
 * same one does not. Rows that are long go to the next frontier in slices, so that a hub is many warps' work.
 *
 * A vertex is put in the pile by who gives it its first distance, if that is far, and again by who finds it far when the pile is looked
 * through: so it is there once. Of the words in which lists count themselves there are three that take turns: one is read in a
 * step, the next is added to, and the third, which nobody reads any more, is made 0 for the step that follows. So all ranks see the
 * same lengths, and decide alike what the next step is. The least distance in a pile is known when the pile is: nobody has to look for
 * where to go on. */
#include "graph/search.h"
#include "graph/sums.h"
#include "warpwise/primitive.h"

/* The kernel's text is longer than what C99 promises that every compiler takes; these have no such limit. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* Where in `words` is what; of what has three words they take turns. Lengths are of u32, two in a word. */
enum {
    AT_BARRIER,
    AT_ROUNDS,
    AT_EXPANDED,
    AT_REGROUPED,
    AT_LEAST,
    AT_FLAG = AT_LEAST + 3,
    AT_PILED,
    AT_COUNT = AT_PILED + 2,
    WORDS = AT_COUNT + 2
};
_Static_assert(AT_BARRIER == 0 && AT_ROUNDS == 1 && AT_EXPANDED == 2 && AT_REGROUPED == 3 && AT_LEAST == 4 &&
                   AT_FLAG == 7,
               "kernels have these as numbers");

WW_STRUCT(ww__warping, {
    const uint64_t *offsets;
    const uint32_t *targets;
    const uint32_t *weights; /* their bits; NULL: 1 each */
    uint32_t *dist32;        /* one of these two */
    uint64_t *dist64;
    uint32_t *done32; /* the distance with which a vertex was last gone through */
    uint64_t *done64;
    uint32_t *mark;   /* the last step for which a vertex was put in a frontier, from 1 on */
    uint32_t *near;   /* frontiers that take turns: vertices, */
    uint32_t *slices; /* and which slice of its row it is, from 1 on, or 0; NULL: rows are short */
    uint32_t *next;
    uint32_t *next_slices;
    uint32_t *pile; /* piles that take turns */
    uint32_t *other_pile;
    uint64_t *words;
    uint32_t *piled; /* three lengths of piles, */
    uint32_t *count; /* … of frontiers, in words */
    const uint32_t *sources;
    uint64_t source_count;
    uint64_t vertices;
    uint64_t width;
    uint64_t ranks;
    uint32_t row_long;   /* longer rows are gone through in slices of this */
    uint32_t goes;       /* how often a warp goes on with what it has brought near itself, */
    uint32_t arcs_alone; /* if these have so many arcs at most */
});

/* of_lane: a distance of another lane's. */
#define RUN(kind, number, dist, done, of_lane) \
    WW_KERNEL_USES((sum_##kind, limit_##kind, one_##kind, above_##kind), run_##kind, ww__warping, a, rank, { \
        const uint64_t *const offsets = a->offsets; \
        const uint32_t lane = (uint32_t)(rank % WW_WARP); \
        const uint32_t warp = (uint32_t)(rank / WW_WARP); \
        const uint32_t warps = (uint32_t)(a->ranks / WW_WARP); \
        number *const least = a->dist; \
        uint64_t *const words = a->words; \
        uint32_t *near = a->near; \
        uint32_t *slices = a->slices; \
        uint32_t *next = a->next; \
        uint32_t *next_slices = a->next_slices; \
        uint32_t *pile = a->pile; \
        uint32_t *old_pile = a->other_pile; \
        for (uint64_t v = rank; v < a->vertices; v += a->ranks) { \
            least[v] = limit_##kind; \
            a->done[v] = limit_##kind; \
            a->mark[v] = 0; \
        } \
        ww_barrier(words, a->ranks); \
        number bound = 0; \
        number far = limit_##kind; \
        for (uint64_t s = rank; s < a->source_count; s += a->ranks) { \
            const uint32_t vertex = a->sources[s]; \
            ww_atomic_store(least + vertex, 0); \
            if (ww_atomic_exchange(a->mark + vertex, 1u) != 1u) pile[ww_append(a->piled)] = vertex; \
            far = 0; \
        } \
        number told = limit_##kind; \
        uint32_t epoch = 0; \
        uint32_t expanded = 0; \
        bool too_long = false; \
        for (uint32_t step = 1;; step++) { \
            for (uint32_t o = WW_WARP / 2; o; o /= 2) { \
                const number its = of_lane(far, lane ^ o); \
                if (its < far) far = its; \
            } \
            if (lane == 0 && far < told && (uint64_t)far < ww_load_relaxed(words + 4 + epoch % 3)) \
                ww_atomic_min(words + 4 + epoch % 3, (uint64_t)far); \
            told = far; \
            ww_barrier(words, a->ranks); \
            const uint32_t count = a->count[step % 3]; \
            const uint32_t work = count ? count : a->piled[epoch % 3]; \
            if (!work) break; \
            if (rank == 0) { \
                ww_atomic_store(a->count + (step + 2) % 3, 0); \
                words[1]++; \
                words[3] += count ? 0 : work; \
            } \
            const number low = bound; \
            const uint32_t *items = near; \
            if (!count) { \
                bound = above_##kind((number)words[4 + epoch % 3], (number)a->width); \
                far = limit_##kind; \
                told = limit_##kind; \
                if (rank == 0) { \
                    ww_atomic_store(a->piled + (epoch + 2) % 3, 0); \
                    ww_atomic_store(words + 4 + (epoch + 2) % 3, 0xFFFFFFFFFFFFFFFFu); \
                } \
                items = pile; \
                pile = old_pile; \
                old_pile = a->pile == pile ? a->other_pile : a->pile; \
                epoch++; \
            } \
            const uint32_t share = (work - 1) / warps + 1; \
            const uint32_t many = share < WW_WARP ? share : (uint32_t)WW_WARP; \
            uint32_t at = warp * many; \
            uint32_t own[16]; \
            uint32_t away[16]; \
            uint32_t head = 0; \
            uint32_t tail = 0; \
            uint32_t fars = 0; \
            uint32_t goes = a->goes; \
            uint32_t base = 0; \
            uint32_t all = 0; \
            uint32_t end = 0; \
            uint32_t begin = 0; \
            number from = 0; \
            for (bool over = at >= work; !over;) { \
                if (base >= all) { \
                    const bool alone = at >= work; \
                    uint32_t vertex = 0; \
                    uint32_t slice = 0; \
                    bool have = false; \
                    if (!alone && lane < many && at + lane < work) { \
                        vertex = items[at + lane]; \
                        slice = count && slices ? slices[at + lane] : 0; \
                        from = ww_load_relaxed(least + vertex); \
                        have = count || (from >= low && from < bound); \
                        if (!count && from >= bound) { \
                            if (from < far) far = from; \
                            away[fars++] = vertex; \
                        } \
                    } \
                    if (!alone) at += warps * many; \
                    if (!have && head != tail && goes) { \
                        vertex = own[head++ % 16]; \
                        slice = 0; \
                        from = ww_load_relaxed(least + vertex); \
                        have = true; \
                    } \
                    if (alone && goes) goes--; \
                    bool hub = false; \
                    uint32_t size = 0; \
                    if (have) { \
                        begin = (uint32_t)offsets[vertex]; \
                        size = (uint32_t)offsets[vertex + 1] - begin; \
                        if (slice) { \
                            begin += (slice - 1) * a->row_long; \
                            size -= (slice - 1) * a->row_long; \
                            if (size > a->row_long) size = a->row_long; \
                        } else if (a->goes && ww_load_relaxed(a->done + vertex) <= from) { \
                            have = false; \
                            size = 0; \
                        } else if (size > a->row_long) { \
                            hub = true; \
                            size = 0; \
                        } \
                    } \
                    end = size; \
                    for (uint32_t o = 1; o < WW_WARP; o *= 2) { \
                        const uint32_t before = ww_u32_of_lane(end, lane - o); \
                        if (lane >= o) end += before; \
                    } \
                    all = ww_u32_of_lane(end, WW_WARP - 1); \
                    base = 0; \
                    begin += size - end; \
                    over = alone && (!ww_ballot(have) || all > a->arcs_alone); \
                    if (over) { \
                        all = 0; \
                        if (have) head--; \
                        have = false; \
                        hub = false; \
                    } \
                    if (hub) hub = have = ww_atomic_exchange(a->mark + vertex, step + 1) <= step; \
                    if (have && !slice) { \
                        if (a->goes) ww_atomic_store(a->done + vertex, from); \
                        expanded++; \
                    } \
                    for (uint32_t hubs = ww_ballot(hub); hubs; hubs &= hubs - 1) { \
                        const uint32_t sliced = ww_u32_of_lane(vertex, (uint32_t)ww_ffs(hubs) - 1); \
                        const uint32_t pieces = ((uint32_t)(offsets[sliced + 1] - offsets[sliced]) - 1) / \
                                                    a->row_long + \
                                                1; \
                        const uint32_t place = ww_u32_of_lane( \
                            lane == 0 ? ww_atomic_add(a->count + (step + 1) % 3, pieces) : 0u, 0); \
                        for (uint32_t p = lane; p < pieces; p += WW_WARP) { \
                            next[place + p] = sliced; \
                            next_slices[place + p] = p + 1; \
                        } \
                    } \
                } \
                for (uint32_t turn = 0; turn < 8 && base < all; turn++) { \
                    const uint32_t arc = base + lane; \
                    base += WW_WARP; \
                    uint32_t owner = 0; \
                    for (uint32_t o = WW_WARP / 2; o; o /= 2) \
                        if (ww_u32_of_lane(end, owner + o - 1) <= arc) owner += o; \
                    const number its = of_lane(from, owner); \
                    const uint32_t i = ww_u32_of_lane(begin, owner) + arc; \
                    if (arc >= all) continue; \
                    const uint32_t to = a->targets[i]; \
                    const number sum = sum_##kind(its, a->weights ? a->weights[i] : one_##kind); \
                    if (sum >= ww_load_relaxed(least + to)) { \
                        too_long = too_long || sum >= limit_##kind; \
                        continue; \
                    } \
                    const number old = ww_atomic_min(least + to, sum); \
                    if (sum >= old) continue; \
                    if (sum < bound) { \
                        own[tail++ % 16] = to; \
                        continue; \
                    } \
                    if (sum < far) far = sum; \
                    if (old == limit_##kind) away[fars++] = to; \
                } \
                if (base >= all && at >= work && !(goes && ww_ballot(head != tail))) over = true; \
                if (!ww_ballot(over ? fars || head != tail : fars > 7 || tail - head > 8)) continue; \
                const uint32_t first = head; \
                uint32_t put = 0; \
                for (; head != tail; head++) \
                    if (ww_atomic_exchange(a->mark + own[head % 16], step + 1) <= step) \
                        own[(first + put++) % 16] = own[head % 16]; \
                uint32_t last = put << 16 | fars; \
                for (uint32_t o = 1; o < WW_WARP; o *= 2) { \
                    const uint32_t before = ww_u32_of_lane(last, lane - o); \
                    if (lane >= o) last += before; \
                } \
                uint32_t place = 0; \
                uint32_t far_place = 0; \
                if (lane == WW_WARP - 1 && last >> 16) place = ww_atomic_add(a->count + (step + 1) % 3, last >> 16); \
                if (lane == WW_WARP - 1 && last % 65536) \
                    far_place = ww_atomic_add(a->piled + epoch % 3, last % 65536); \
                place = ww_u32_of_lane(place, WW_WARP - 1) + (last >> 16) - put; \
                far_place = ww_u32_of_lane(far_place, WW_WARP - 1) + last % 65536 - fars; \
                for (uint32_t k = 0; k < put; k++) { \
                    next[place + k] = own[(first + k) % 16]; \
                    if (next_slices) next_slices[place + k] = 0; \
                } \
                for (uint32_t k = 0; k < fars; k++) pile[far_place + k] = away[k]; \
                fars = 0; \
            } \
            near = next; \
            slices = next_slices; \
            next = a->near == next ? a->next : a->near; \
            next_slices = a->slices == slices ? a->next_slices : a->slices; \
        } \
        for (uint32_t o = WW_WARP / 2; o; o /= 2) expanded += ww_u32_of_lane(expanded, lane ^ o); \
        if (lane == 0 && expanded) ww_atomic_add(words + 2, (uint64_t)expanded); \
        if (too_long && !ww_load_relaxed(words + 7)) ww_atomic_store(words + 7, 1); \
    })

RUN(whole, uint32_t, dist32, done32, ww_u32_of_lane);
RUN(wide, uint64_t, dist64, done64, ww_u64_of_lane);
RUN(float, uint32_t, dist32, done32, ww_u32_of_lane);

/* ---- the host's side ---- */

static const ww_function *run_of(const ww__search *s) {
    return s->kind->type == &ww_type_uint32_t   ? &run_whole_ww
           : s->kind->type == &ww_type_uint64_t ? &run_wide_ww
                                                : &run_float_ww;
}

/* In a frontier each vertex is once, or the slices of its row are. */
static ww_status rooms(ww__search *s, ww__warping *w) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices;
    const bool long_rows = graph->info.degree_most > w->row_long, narrow = s->kind->words == &ww_type_uint32_t;
    const uint64_t front = n + (long_rows ? graph->arcs / w->row_long : 0);
    const struct {
        ww__graph_work work;
        uint64_t count;
        void *to;
    } lists[] = {{WW__GRAPH_MARKS, n, &w->mark},
                 {WW__GRAPH_NEAR, front, &w->near},
                 {WW__GRAPH_NEXT, front, &w->next},
                 {WW__GRAPH_PILE, n, &w->pile},
                 {WW__GRAPH_OLD_PILE, n, &w->other_pile},
                 {WW__GRAPH_NEAR_BEGIN, front, &w->slices},
                 {WW__GRAPH_NEXT_BEGIN, front, &w->next_slices}};
    const size_t many = sizeof lists / sizeof *lists - (long_rows ? 0 : 2);
    void *values, *done;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, s->kind->words->size, &values));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_DONE, n, s->kind->words->size, &done));
    for (size_t l = 0; l < many; l++)
        WW_TRY(ww__graph_work_room(graph, lists[l].work, lists[l].count, sizeof(uint32_t), lists[l].to));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_TOTALS, WORDS, sizeof(uint64_t), &w->words));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_COUNTS, WW__GRAPH_COUNTS_MANY, sizeof(uint32_t), &s->a.counts));
    w->piled = (uint32_t *)(void *)(w->words + AT_PILED);
    w->count = (uint32_t *)(void *)(w->words + AT_COUNT);
    *(narrow ? (void **)&w->dist32 : (void **)&w->dist64) = values;
    *(narrow ? (void **)&w->done32 : (void **)&w->done64) = done;
    s->a.dist32 = w->dist32;
    s->a.dist64 = w->dist64;
    s->frontier = w->near; /* for what comes afterwards */
    s->a.next = w->next;
    return WW_OK;
}

ww_status ww__search_warps(ww__search *s) {
    const ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    uint64_t words[WORDS] = {[AT_LEAST] = UINT64_MAX, UINT64_MAX, UINT64_MAX};
    ww__warping w = {.offsets = graph->offsets.data,
                     .targets = graph->targets.data,
                     .weights = s->weighted ? graph->weights.data : NULL,
                     .sources = s->sources,
                     .source_count = s->source_count,
                     .vertices = graph->vertices,
                     .width = s->width,
                     .row_long = graph->plan.row_long,
                     .goes = !s->width                                           ? 0
                             : graph->info.degree_most > graph->plan.wide_degree ? graph->plan.goes_long
                                                                                 : graph->plan.goes,
                     .arcs_alone = graph->plan.arcs_alone};
    WW_TRY(ww__search_ranks(graph, graph->plan.lanes, &w.ranks));
    WW_TRY(rooms(s, &w));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)words, WORDS), ww_array(w.words, WORDS)));
    const ww_function run = ww_bound(run_of(s), &w, 1, &ww__warping_ww);
    WW_TRY(ww_launch_together(device, &run, w.ranks));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)w.words, WORDS), ww_array(words, WORDS)));
    s->report.rounds = words[AT_ROUNDS];
    s->report.expanded = words[AT_EXPANDED];
    s->report.regrouped = words[AT_REGROUPED];
    s->too_long = words[AT_FLAG] != 0;
    return WW_OK;
}
