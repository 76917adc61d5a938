/* A whole search in one launch, of few strong ranks: a CPU's threads. Lists and steps are those of together.c, but for this.
 *
 * A rank takes 64 vertices of the frontier at a time, or of the pile, and goes through the rows of sixteen of them after it has asked for
 * all of these. What it brings near itself it goes on with, when there is nothing left to take and as long as it has room to note
 * it down (delta-stepping's "bucket fusion", Zhang et al., 2020); so that a bucket is a step or two. `done` has the distance
 * with which a vertex was last gone through: who would do so again with the same one does not.
 *
 * Ranks take places in lists by 64, and what they leave of these is filled with WW_NO_VERTEX: a word that two processors add to for
 * each vertex costs more than all else. Rows that are long go to the next frontier in slices.
 *
 * Of a graph that goes both ways and has long rows these lie in the order of their weights (by_weight.c), and most arcs are never gone
 * through. In an epoch in which a rank has gone through a share of all arcs it leaves a row where sums come to the epoch's bound, for the
 * vertices that these lead to will nearly all be brought nearer before. What was left then comes in sweeps over all vertices, an epoch
 * each: rows of what is settled are gone on with, from `place` on, up to the new bound, and who is below that already is expanded. There is
 * no pile then. When few arcs belong to vertices that are not settled, a last sweep has these look for the nearest of what is, in their own
 * rows, which makes up for all that was left (as pulls of Chakaravarthy et al., 2014, and breadth-first searches from either end do). A
 * search that settles little in an epoch, of a graph with a large diameter, goes on as it began after a sweep of all that was left.
 * So all that is below a bound is settled in its epoch, whichever way. */
#include "graph/search.h"
#include "graph/sums.h"
#include "warpwise/primitive.h"

/* The kernel's text is longer than what C99 promises that every compiler takes; these have no such limit. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* Where in `words` is what. Of the latter six there are three words each, which take turns: by rounds, and from `piled` on by epochs. */
enum {
    BARRIER,
    ROUNDS,
    EXPANDED,
    REGROUPED,
    FLAG,
    LENGTHS,
    CLAIMS = LENGTHS + 3,
    PILED = CLAIMS + 3,
    LEAST = PILED + 3,
    GAINED = LEAST + 3,
    LEFT = GAINED + 3,
    WORDS = LEFT + 3
};
_Static_assert(BARRIER == 0 && ROUNDS == 1 && EXPANDED == 2 && REGROUPED == 3 && FLAG == 4 && LENGTHS == 5 &&
                   CLAIMS == 8 && PILED == 11 && LEAST == 14 && GAINED == 17 && LEFT == 20,
               "kernels have these as numbers");

WW_STRUCT(ww__roaming, {
    const uint64_t *offsets;
    const uint32_t *targets; /* arc i's is number i << pairs, and its weight, too */
    const uint32_t *weights;
    uint32_t *dist32; /* one of these two */
    uint64_t *dist64;
    uint32_t *done32; /* the distance with which a vertex was last gone through */
    uint64_t *done64;
    uint32_t *mark;    /* the last round for which a vertex was put in a frontier */
    uint32_t *waiting; /* the last epoch in which it was put in the pile, from 1 on */
    uint32_t
        *place; /* how many arcs of its row have been gone through, or more: where to look for the first that has not */
    uint32_t *near; /* frontiers that take turns: vertices, and which slice of a row, from 1 on; NULL: rows are short */
    uint32_t *near_slices;
    uint32_t *next;
    uint32_t *next_slices;
    uint32_t *pile; /* piles that take turns */
    uint32_t *other_pile;
    uint64_t *words;
    const uint32_t *sources;
    uint64_t source_count;
    uint64_t vertices;
    uint64_t arcs;
    uint64_t width;
    uint64_t ranks;
    uint64_t row_long; /* longer rows are gone through in slices of this */
    uint64_t share;    /* a rank that has gone through more arcs in an epoch leaves rows at the bound */
    uint32_t pairs;    /* 1: a target and its weight lie side by side, rows in the order of weights */
});

#define ROAM(kind, number, dist, done) \
    WW_KERNEL_USES((sum_##kind, limit_##kind, one_##kind, above_##kind), roam_##kind, ww__roaming, a, rank, { \
        const uint64_t *const offsets = a->offsets; \
        const uint32_t *const targets = a->targets; \
        const uint32_t one = one_##kind; \
        const uint32_t *const weights = a->weights ? a->weights : &one; \
        const uint32_t pairs = a->pairs; \
        const uint64_t weighted = a->weights ? 0xFFFFFFFFFFFFFFFFu : 0; \
        number *const done_with = a->done; \
        uint32_t *const mark = a->mark; \
        uint32_t *const waiting = a->waiting; \
        uint32_t *const place = a->place; \
        const uint64_t row_long = a->row_long; \
        number *const least = a->dist; \
        uint64_t *const words = a->words; \
        uint64_t *const lengths = words + 5; \
        uint64_t *const claimed = words + 8; \
        uint64_t *const piled = words + 11; \
        uint64_t *const nearest = words + 14; \
        uint64_t *const gained = words + 17; \
        uint64_t *const left = words + 20; \
        uint32_t *vertices = a->near; \
        uint32_t *slices = a->near_slices; \
        uint32_t *next = a->next; \
        uint32_t *next_slices = a->next_slices; \
        uint32_t *pile = a->pile; \
        uint32_t *old_pile = a->other_pile; \
        uint32_t own[1024]; \
        for (uint64_t v = a->vertices * rank / a->ranks; v < a->vertices * (rank + 1) / a->ranks; v++) { \
            least[v] = limit_##kind; \
            done_with[v] = limit_##kind; \
            mark[v] = 0; \
            waiting[v] = 0; \
            if (place) place[v] = 0; \
        } \
        ww_barrier(words, a->ranks); \
        for (uint64_t s = 0; rank == 0 && s < a->source_count; s++) { \
            const uint32_t vertex = a->sources[s]; \
            least[vertex] = 0; \
            if (waiting[vertex]++ == 0) pile[(*piled)++] = vertex; \
        } \
        number low = 0; \
        number bound = 0; \
        number cut = limit_##kind; \
        number far = rank ? limit_##kind : 0; \
        bool leaves = false; \
        bool too_long = false; \
        uint32_t epoch = 0; \
        uint64_t expanded = 0; \
        uint64_t fresh = 0; \
        uint64_t settled = 0; \
        uint64_t gone = 0; \
        uint64_t share = a->share; \
        uint64_t most = share; \
        for (uint32_t round = 0;; round++) { \
            if (far < limit_##kind) ww_atomic_min(nearest + epoch % 3, (uint64_t)far); \
            if (fresh) ww_atomic_add(gained + epoch % 3, fresh); \
            if (leaves) ww_atomic_store(left + epoch % 3, 1); \
            fresh = 0; \
            ww_barrier(words, a->ranks); \
            const uint64_t count = ww_load_relaxed(lengths + round % 3); \
            uint64_t work = count; \
            const uint32_t *items = vertices; \
            bool sweeps = false; \
            bool pulls = false; \
            if (!count) { \
                if (ww_load_relaxed(nearest + epoch % 3) >= (uint64_t)limit_##kind) break; \
                const uint64_t more = ww_load_relaxed(gained + epoch % 3); \
                settled += more; \
                sweeps = ww_load_relaxed(left + epoch % 3); \
                pulls = sweeps && (a->arcs - settled) * 8 <= settled; \
                low = (number)ww_load_relaxed(nearest + epoch % 3); \
                bound = above_##kind(low, (number)a->width); \
                cut = sweeps && !pulls && more * 8 >= settled ? bound : limit_##kind; \
                if (sweeps && cut == limit_##kind) share = pulls || share >> 60 ? 0xFFFFFFFFFFFFFFFFu : 8 * share; \
                most = sweeps ? 0xFFFFFFFFFFFFFFFFu : share; \
                far = limit_##kind; \
                leaves = false; \
                gone = 0; \
                items = pile; \
                work = sweeps ? a->vertices : ww_load_relaxed(piled + epoch % 3); \
                pile = old_pile; \
                old_pile = a->pile == pile ? a->other_pile : a->pile; \
                if (rank == 0) { \
                    ww_atomic_store(piled + (epoch + 2) % 3, 0); \
                    ww_atomic_store(nearest + (epoch + 2) % 3, 0xFFFFFFFFFFFFFFFFu); \
                    ww_atomic_store(gained + (epoch + 2) % 3, 0); \
                    ww_atomic_store(left + (epoch + 2) % 3, 0); \
                    words[3] += work; \
                } \
                epoch++; \
            } \
            if (rank == 0) { \
                ww_atomic_store(lengths + (round + 2) % 3, 0); \
                ww_atomic_store(claimed + (round + 2) % 3, 0); \
                words[1]++; \
            } \
            uint64_t at = 0; \
            uint64_t last = 0; \
            bool claims = true; \
            uint32_t head = 0; \
            uint32_t tail = 0; \
            uint64_t put = 0; \
            uint64_t put_end = 0; \
            uint64_t far_put = 0; \
            uint64_t far_end = 0; \
            for (;;) { \
                uint32_t batch[16]; \
                uint32_t slice[16]; \
                uint32_t many = 0; \
                if (claims && at == last) { \
                    at = 64 * ww_atomic_add(claimed + round % 3, (uint64_t)1); \
                    last = at + 64 < work ? at + 64 : work; \
                    claims = at < work; \
                } \
                const bool ours = !claims; \
                const bool swept = sweeps && claims; \
                for (; swept && at < last && many < 16; at++) { \
                    const number d = ww_load_relaxed(least + at); \
                    const bool waits = cut < limit_##kind && d >= bound && d < limit_##kind; \
                    if (waits && d < far) far = d; \
                    leaves = leaves || waits; \
                    batch[many] = (uint32_t)at; \
                    slice[many] = 0; \
                    many += pulls ? d >= low : !waits && d < limit_##kind; \
                } \
                for (; !sweeps && at < last && many < 16; at++) { \
                    batch[many] = items[at]; \
                    slice[many] = count && slices ? slices[at] : 0; \
                    many += batch[many] != 0xFFFFFFFFu; \
                } \
                for (; ours && head != tail && many < 16; many++) { \
                    batch[many] = own[head++ % 1024]; \
                    slice[many] = 0; \
                } \
                if (ours && !many) break; \
                for (uint32_t k = 0; k < many; k++) { \
                    ww_prefetch(least + batch[k]); \
                    ww_prefetch(offsets + batch[k]); \
                    ww_prefetch(done_with + batch[k]); \
                } \
                for (uint32_t k = 0; k < many; k++) { \
                    const uint64_t begin = offsets[batch[k]] + \
                                           (swept && !pulls ? ww_load_relaxed(place + batch[k]) : 0); \
                    ww_prefetch(targets + (begin << pairs)); \
                    ww_prefetch(targets + (begin << pairs) + 16); \
                    if (pairs) continue; \
                    if (weighted) ww_prefetch(weights + begin); \
                    if (weighted) ww_prefetch(weights + begin + 16); \
                } \
                for (uint32_t k = 0; k < many; k++) { \
                    const uint32_t vertex = batch[k]; \
                    const uint64_t begin = offsets[vertex]; \
                    number from = ww_load_relaxed(least + vertex); \
                    uint64_t i = begin; \
                    uint64_t end = offsets[vertex + 1]; \
                    if (swept && pulls) { \
                        number best = from; \
                        bool alone = true; \
                        for (; i < end; i++) { \
                            const number d = ww_load_relaxed(least + targets[i << pairs]); \
                            const number sum = d < low ? sum_##kind(d, weights[i << pairs]) : limit_##kind; \
                            if (sum < best) best = sum; \
                            alone = alone && d < low; \
                            too_long = too_long || (d < low && sum == limit_##kind); \
                        } \
                        if (best < from) ww_atomic_min(least + vertex, best); \
                        from = best; \
                        i = begin; \
                        if (alone || from == limit_##kind) continue; \
                    } \
                    const bool waits = from >= bound; \
                    const bool again = swept && from < low; \
                    if (slice[k]) { \
                        i += (slice[k] - 1) * row_long; \
                        end = end - i < row_long ? end : i + row_long; \
                    } else if (!again && (from < low || (!waits && ww_load_relaxed(done_with + vertex) <= from))) { \
                        continue; \
                    } else if (waits) { \
                        end = i + 1; \
                    } else if (end - i > row_long) { \
                        if (ww_atomic_exchange(mark + vertex, round + 1) > round) continue; \
                        if (!again && ww_load_relaxed(done_with + vertex) == limit_##kind) fresh += end - i; \
                        ww_atomic_store(done_with + vertex, from); \
                        const uint64_t pieces = (end - i - 1) / row_long + 1; \
                        const uint64_t to = ww_atomic_add(lengths + (round + 1) % 3, pieces); \
                        for (uint32_t p = 0; p < pieces; p++) { \
                            next[to + p] = vertex; \
                            next_slices[to + p] = p + 1; \
                        } \
                        continue; \
                    } else if (again) { \
                        i += ww_load_relaxed(place + vertex); \
                        while (i > begin && sum_##kind(from, weights[(i - 1) << pairs]) >= low) i--; \
                    } else { \
                        if (ww_load_relaxed(done_with + vertex) == limit_##kind) fresh += end - i; \
                        ww_atomic_store(done_with + vertex, from); \
                        expanded++; \
                    } \
                    gone -= i; \
                    for (; i < end; i++) { \
                        const uint32_t to = waits ? vertex : targets[i << pairs]; \
                        const number sum = waits ? from : sum_##kind(from, weights[(i << pairs) & weighted]); \
                        if (!waits) { \
                            if (sum >= cut) { \
                                too_long = too_long || sum == limit_##kind; \
                                if (!pairs) continue; \
                                if (cut == limit_##kind) break; \
                                if (sum < far) far = sum; \
                                leaves = true; \
                                break; \
                            } \
                            if (sum >= ww_load_relaxed(least + to)) continue; \
                            if (sum >= ww_atomic_min(least + to, sum)) continue; \
                        } \
                        if (sum >= bound) { \
                            if (sum < far) far = sum; \
                            if (ww_load_relaxed(waiting + to) > epoch || \
                                ww_atomic_exchange(waiting + to, epoch + 1) > epoch) \
                                continue; \
                            if (far_put == far_end) { \
                                far_put = ww_atomic_add(piled + epoch % 3, (uint64_t)64); \
                                far_end = far_put + 64; \
                            } \
                            pile[far_put++] = to; \
                        } else if (tail - head < 1024 && !put_end) { \
                            own[tail++ % 1024] = to; \
                        } else if (ww_load_relaxed(mark + to) <= round && \
                                   ww_atomic_exchange(mark + to, round + 1) <= round) { \
                            if (put == put_end) { \
                                put = ww_atomic_add(lengths + (round + 1) % 3, (uint64_t)64); \
                                put_end = put + 64; \
                            } \
                            if (slices) next_slices[put] = 0; \
                            next[put++] = to; \
                        } \
                    } \
                    gone += i; \
                    if (place && !waits && !slice[k]) ww_atomic_store(place + vertex, (uint32_t)(i - begin)); \
                    if (gone > most && bound < cut) cut = bound; \
                } \
            } \
            while (far_put < far_end) pile[far_put++] = 0xFFFFFFFFu; \
            while (put < put_end) next[put++] = 0xFFFFFFFFu; \
            vertices = next; \
            slices = next_slices; \
            next = a->near == next ? a->next : a->near; \
            next_slices = a->near_slices == slices ? a->next_slices : a->near_slices; \
        } \
        if (too_long) ww_atomic_store(words + 4, 1); \
        ww_atomic_add(words + 2, expanded); \
    })

ROAM(whole, uint32_t, dist32, done32);
ROAM(wide, uint64_t, dist64, done64);
ROAM(float, uint32_t, dist32, done32);

static const ww_function *roam_of(const ww_type *type) {
    return type == &ww_type_uint32_t ? &roam_whole_ww : type == &ww_type_uint64_t ? &roam_wide_ww : &roam_float_ww;
}

/* ---- the host's side ---- */

static ww_status rooms(ww__search *s, ww__roaming *r) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices, spare = 64 * r->ranks, slices = graph->arcs / r->row_long;
    const bool long_rows = graph->info.degree_most > r->row_long;
    const bool narrow = s->kind->words == &ww_type_uint32_t;
    const struct {
        ww__graph_work work;
        uint64_t count;
        void *to;
        bool wanted;
    } lists[] = {{WW__GRAPH_MARKS, n, &r->mark, true},
                 {WW__GRAPH_WAITING, n, &r->waiting, true},
                 {WW__GRAPH_NEAR, n + slices + spare, &r->near, true},
                 {WW__GRAPH_NEXT, n + slices + spare, &r->next, true},
                 {WW__GRAPH_PILE, n + spare, &r->pile, true},
                 {WW__GRAPH_OLD_PILE, n + spare, &r->other_pile, true},
                 {WW__GRAPH_PLACES, n, &r->place, r->pairs},
                 {WW__GRAPH_NEAR_BEGIN, n + slices + spare, &r->near_slices, long_rows},
                 {WW__GRAPH_NEXT_BEGIN, n + slices + spare, &r->next_slices, long_rows}};
    void *values, *done;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, s->kind->words->size, &values));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_DONE, n, s->kind->words->size, &done));
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        if (lists[l].wanted)
            WW_TRY(ww__graph_work_room(graph, lists[l].work, lists[l].count, sizeof(uint32_t), lists[l].to));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_TOTALS, WORDS, sizeof(uint64_t), &r->words));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_COUNTS, WW__GRAPH_COUNTS_MANY, sizeof(uint32_t), &s->a.counts));
    *(narrow ? (void **)&r->dist32 : (void **)&r->dist64) = values;
    *(narrow ? (void **)&r->done32 : (void **)&r->done64) = done;
    s->a.dist32 = r->dist32;
    s->a.dist64 = r->dist64;
    s->frontier = r->near; /* for what comes afterwards */
    s->a.next = r->next;
    return WW_OK;
}

/* Where rows are short few arcs could be left. */
static bool leaves_arcs(const ww_graph *graph) {
    return graph->info.both_ways && graph->arcs / graph->plan.by_weight >= graph->vertices;
}

ww_status ww__search_roam(ww__search *s) {
    ww_graph *graph = s->graph;
    ww_device *device = graph->device;
    uint64_t words[WORDS] = {[LEAST] = UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const bool by_weight = s->weighted && s->width && leaves_arcs(graph);
    if (by_weight) WW_TRY(ww__graph_by_weight(graph));
    const uint32_t *const pairs = graph->by_weight.data;
    ww__roaming r = {.offsets = graph->offsets.data,
                     .targets = by_weight ? pairs : graph->targets.data,
                     .weights = by_weight     ? pairs + 1
                                : s->weighted ? graph->weights.data
                                              : NULL,
                     .pairs = by_weight,
                     .sources = s->sources,
                     .source_count = s->source_count,
                     .vertices = graph->vertices,
                     .arcs = graph->arcs,
                     .width = s->width,
                     .row_long = graph->plan.row_long,
                     .share = UINT64_MAX};
    WW_TRY(ww__search_ranks(graph, 1, &r.ranks));
    if (by_weight) r.share = graph->arcs / graph->plan.share / r.ranks;
    WW_TRY(rooms(s, &r));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)words, WORDS), ww_array(r.words, WORDS)));
    const ww_function roam = ww_bound(roam_of(s->kind->type), &r, 1, &ww__roaming_ww);
    WW_TRY(ww_launch_together(device, &roam, r.ranks));
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)r.words, WORDS), ww_array(words, WORDS)));
    s->report.rounds = words[ROUNDS];
    s->report.expanded = words[EXPANDED];
    s->report.regrouped = words[REGROUPED];
    s->too_long = words[FLAG] != 0;
    return WW_OK;
}
