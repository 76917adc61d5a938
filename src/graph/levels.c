/* A breadth-first search in one launch, by levels, from either end of the arcs (Beamer, Asanovic and Patterson, Direction-Optimizing
 * Breadth-First Search, 2012). A step is one of
 *
 *   down     through the arcs that leave the frontier, a list of vertices. Who is not in `seen`, a bit a vertex, is of the next level
 *   spread   the list becomes bits, for a step up
 *   up       each vertex that has not been seen looks for one of the frontier among those whose arcs lead to it, and stops at the
 *            first. Where the frontier has many arcs, most vertices find one soon. The next frontier is bits, too; a step
 *            down takes it from there
 *
 * and between steps there is a barrier. What ranks count, in words of which three take turns (together.c), decides alike for all of
 * them which step comes next. Up goes who has more arcs to go through than a fifteenth of those that are left; down again when
 * the frontier becomes smaller, and is less than an eighteenth of the vertices: Beamer's numbers.
 *
 * A rank takes 64 vertices of a list at a time, and asks for the rows of all of them before it goes through the first. Vertices that
 * it finds it notes down, and puts them in the list many at once. Rows that are long stand in a list of their own: all ranks
 * share each of them. */
#include "graph/search.h"
#include "warpwise/primitive.h"

/* Counters, each three words that take turns: the frontier's list, its long rows, its vertices and arcs in all, and 64s of
 * the list, or of words of bits, that ranks have taken. */
enum { LEVELS_LISTED = 1, LEVELS_LONG = 4, LEVELS_MET = 7, LEVELS_ARCS = 10, LEVELS_CLAIMS = 13, LEVELS_TOTALS = 16 };
_Static_assert(LEVELS_LISTED == 1 && LEVELS_LONG == 4 && LEVELS_MET == 7 && LEVELS_ARCS == 10 && LEVELS_CLAIMS == 13,
               "the kernel has these as numbers");

WW_STRUCT(leveling, {
    const uint64_t *offsets;
    const uint32_t *targets;
    const uint64_t *back_offsets; /* the arcs by where they lead; NULL: unknown, all steps go down */
    const uint32_t *back_targets;
    uint32_t *level;
    uint32_t *seen;  /* bits */
    uint32_t *front; /* … of the frontier; while steps go down all 0 */
    uint32_t *next_front;
    uint32_t *list;
    uint32_t *next_list;
    uint32_t *hubs; /* of the frontier's vertices those with long rows */
    uint32_t *next_hubs;
    uint64_t *totals;
    const uint32_t *sources;
    uint64_t source_count;
    uint64_t vertices;
    uint64_t arcs;
    uint64_t row_long;
    uint64_t ranks;
});

/* The kernel's text is longer than what C99 promises that every compiler takes; these have no such limit. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

WW_KERNEL(go_by_levels, leveling, a, rank, {
    const uint64_t *const offsets = a->offsets;
    const uint32_t *const targets = a->targets;
    uint32_t *const level = a->level;
    uint32_t *const seen = a->seen;
    uint64_t *const totals = a->totals;
    const uint64_t words = (a->vertices + 31) / 32;
    uint32_t *front = a->front;
    uint32_t *next_front = a->next_front;
    uint32_t *list = a->list;
    uint32_t *next_list = a->next_list;
    uint32_t *hubs = a->hubs;
    uint32_t *next_hubs = a->next_hubs;
    uint32_t own[512];
    uint32_t found = 0;
    for (uint64_t v = a->vertices * rank / a->ranks; v < a->vertices * (rank + 1) / a->ranks; v++)
        level[v] = 0xFFFFFFFFu;
    for (uint64_t w = words * rank / a->ranks; w < words * (rank + 1) / a->ranks; w++) {
        seen[w] = 0;
        front[w] = 0;
    }
    ww_barrier(totals, a->ranks);
    if (rank == 0) {
        if (a->vertices % 32) seen[words - 1] = 0xFFFFFFFFu << a->vertices % 32;
        uint64_t listed = 0;
        uint64_t long_rows = 0;
        uint64_t arcs = 0;
        for (uint64_t s = 0; s < a->source_count; s++) {
            const uint32_t vertex = a->sources[s];
            const uint64_t length = offsets[vertex + 1] - offsets[vertex];
            if (level[vertex] == 0) continue;
            level[vertex] = 0;
            seen[vertex / 32] |= 1u << vertex % 32;
            arcs += length;
            if (length > a->row_long)
                hubs[long_rows++] = vertex;
            else
                list[listed++] = vertex;
        }
        ww_atomic_store(totals + 1, listed);
        ww_atomic_store(totals + 4, long_rows);
        ww_atomic_store(totals + 7, listed + long_rows);
        ww_atomic_store(totals + 10, arcs);
    }
    uint64_t arcs_left = a->arcs;
    uint64_t met_before = 0;
    bool up = false;
    bool bits = false;
    uint32_t depth = 1;
    for (uint32_t step = 0;; step++) {
        const uint32_t now = step % 3;
        const uint32_t later = (step + 1) % 3;
        ww_barrier(totals, a->ranks);
        const uint64_t listed = ww_load_relaxed(totals + 1 + now);
        const uint64_t long_rows = ww_load_relaxed(totals + 4 + now);
        const uint64_t met = ww_load_relaxed(totals + 7 + now);
        const uint64_t arcs = ww_load_relaxed(totals + 10 + now);
        if (!met) break;
        if (rank == 0)
            for (uint32_t t = 1 + (step + 2) % 3; t < 16; t += 3) ww_atomic_store(totals + t, 0);
        bool spread = false;
        if (up) {
            up = met >= met_before || met > a->vertices / 18;
            bits = true;
        } else {
            arcs_left -= arcs < arcs_left ? arcs : arcs_left;
            spread = a->back_offsets && arcs > arcs_left / 15;
        }
        met_before = met;
        uint64_t many_met = 0;
        uint64_t many_arcs = 0;
        if (spread) {
            for (uint64_t i = listed * rank / a->ranks; i < listed * (rank + 1) / a->ranks; i++)
                ww_atomic_or(front + list[i] / 32, 1u << list[i] % 32);
            for (uint64_t i = rank; i < long_rows; i += a->ranks)
                ww_atomic_or(front + hubs[i] / 32, 1u << hubs[i] % 32);
            if (rank == 0) many_met = met;
            up = true;
        } else if (up) {
            for (;;) {
                uint64_t w = 64 * ww_atomic_add(totals + 13 + now, (uint64_t)1);
                const uint64_t end_word = w + 64 < words ? w + 64 : words;
                if (w >= words) break;
                for (; w < end_word; w++) {
                    const uint32_t unseen = ~seen[w];
                    uint32_t reached = 0;
                    uint32_t alone = 0;
                    for (uint32_t left = unseen; left; left &= left - 1)
                        ww_prefetch(a->back_targets + a->back_offsets[32 * w + (uint32_t)ww_ffs(left) - 1]);
                    for (uint32_t left = unseen; left; left &= left - 1) {
                        const uint64_t vertex = 32 * w + (uint32_t)ww_ffs(left) - 1;
                        const uint32_t bit = left & (~left + 1);
                        uint64_t i = a->back_offsets[vertex];
                        const uint64_t end = a->back_offsets[vertex + 1];
                        if (i == end) alone |= bit;
                        for (; i < end; i++) {
                            const uint32_t from = a->back_targets[i];
                            if (!(front[from / 32] >> from % 32 & 1)) continue;
                            reached |= bit;
                            level[vertex] = depth;
                            break;
                        }
                    }
                    next_front[w] = reached;
                    if (unseen) seen[w] |= reached | alone;
                    many_met += (uint32_t)ww_popcount(reached);
                }
            }
            uint32_t *const other = front;
            front = next_front;
            next_front = other;
            depth++;
        } else {
            const uint64_t work = bits ? words : listed;
            const uint64_t each = bits ? 2 : 64;
            uint64_t hub = 0;
            uint64_t hub_at = rank;
            uint32_t batch[64];
            uint64_t begins[64];
            uint64_t ends[64];
            uint32_t many = 0;
            uint32_t k = 0;
            bool more = true;
            while (more || k < many || found) {
                if (more && k == many) {
                    uint64_t at = each * ww_atomic_add(totals + 13 + now, (uint64_t)1);
                    const uint64_t last = at + each < work ? at + each : work;
                    more = at < work;
                    many = 0;
                    k = 0;
                    for (; at < last && !bits; at++) batch[many++] = list[at];
                    for (; at < last && bits; at++) {
                        for (uint32_t left = front[at]; left; left &= left - 1)
                            batch[many++] = (uint32_t)(32 * at) + (uint32_t)ww_ffs(left) - 1;
                        front[at] = 0;
                    }
                    for (uint32_t b = 0; b < many; b++) ww_prefetch(offsets + batch[b]);
                    for (uint32_t b = 0; b < many; b++) {
                        begins[b] = offsets[batch[b]];
                        ends[b] = offsets[batch[b] + 1];
                        ww_prefetch(targets + begins[b]);
                    }
                    while (!more && hub < long_rows) {
                        const uint64_t begin = offsets[hubs[hub]] + hub_at * a->row_long;
                        const uint64_t end = offsets[hubs[hub] + 1];
                        hub_at += a->ranks;
                        if (begin < end) {
                            begins[0] = begin;
                            ends[0] = end - begin < a->row_long ? end : begin + a->row_long;
                            many = 1;
                            more = true;
                        } else {
                            hub++;
                            hub_at = rank;
                        }
                    }
                }
                while (k < many && found <= 448) {
                    uint64_t i = begins[k];
                    const uint64_t end = ends[k] - i < 64 ? ends[k] : i + 64;
                    for (; i < end; i++) {
                        const uint32_t to = targets[i];
                        const uint32_t bit = 1u << to % 32;
                        if (ww_load_relaxed(seen + to / 32) & bit) continue;
                        if (ww_atomic_or(seen + to / 32, bit) & bit) continue;
                        level[to] = depth;
                        own[found++] = to;
                    }
                    begins[k] = i;
                    k += i == ends[k];
                }
                if (found <= 448 && (more || k < many)) continue;
                uint32_t short_rows = 0;
                for (uint32_t f = 0; f < found; f++) ww_prefetch(offsets + own[f]);
                for (uint32_t f = 0; f < found; f++) {
                    const uint64_t length = offsets[own[f] + 1] - offsets[own[f]];
                    many_arcs += length;
                    if (length > a->row_long)
                        next_hubs[ww_atomic_add(totals + 4 + later, (uint64_t)1)] = own[f];
                    else
                        own[short_rows++] = own[f];
                }
                uint64_t place = short_rows ? ww_atomic_add(totals + 1 + later, (uint64_t)short_rows) : 0;
                for (uint32_t f = 0; f < short_rows; f++) next_list[place++] = own[f];
                many_met += found;
                found = 0;
            }
            bits = false;
            depth++;
        }
        if (many_met) ww_atomic_add(totals + 7 + later, many_met);
        if (many_arcs) ww_atomic_add(totals + 10 + later, many_arcs);
        uint32_t *const other = list;
        list = next_list;
        next_list = other;
        uint32_t *const other_hubs = hubs;
        hubs = next_hubs;
        next_hubs = other_hubs;
    }
});

/* ---- the host's side ---- */

static ww_status rooms(ww__search *s, leveling *l) {
    ww_graph *graph = s->graph;
    const uint64_t n = graph->vertices, words = (n + 31) / 32;
    const uint64_t hubs = graph->info.degree_most > l->row_long ? graph->arcs / l->row_long + 1 : 0;
    const struct {
        ww__graph_work work;
        uint64_t count;
        void *to;
    } lists[] = {{WW__GRAPH_VALUES, n, &l->level},
                 {WW__GRAPH_MARKS, words, &l->seen},
                 {WW__GRAPH_DONE, words, &l->front},
                 {WW__GRAPH_WAITING, words, &l->next_front},
                 {WW__GRAPH_NEAR, n, &l->list},
                 {WW__GRAPH_NEXT, n, &l->next_list},
                 {WW__GRAPH_PILE, hubs, &l->hubs},
                 {WW__GRAPH_OLD_PILE, hubs, &l->next_hubs},
                 {WW__GRAPH_COUNTS, WW__GRAPH_COUNTS_MANY, &s->a.counts}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        WW_TRY(ww__graph_work_room(graph, lists[i].work, lists[i].count, sizeof(uint32_t), lists[i].to));
    s->a.dist32 = l->level; /* for what comes afterwards */
    s->frontier = l->list;
    s->a.next = l->next_list;
    return ww__graph_work_room(graph, WW__GRAPH_TOTALS, LEVELS_TOTALS, sizeof(uint64_t), &l->totals);
}

ww_status ww__search_levels(ww__search *s) {
    const ww_graph *graph = s->graph;
    const bool back = graph->info.both_ways, known = back || graph->back_offsets.data;
    leveling l = {.offsets = graph->offsets.data,
                  .targets = graph->targets.data,
                  .sources = s->sources,
                  .source_count = s->source_count,
                  .vertices = graph->vertices,
                  .arcs = graph->arcs,
                  .row_long = graph->plan.row_long};
    if (known) l.back_offsets = back ? graph->offsets.data : graph->back_offsets.data;
    if (known) l.back_targets = back ? graph->targets.data : graph->back_targets.data;
    WW_TRY(ww__search_ranks(graph, 1, &l.ranks));
    WW_TRY(rooms(s, &l));
    WW_TRY(ww_fill(graph->device, ww_array(l.totals, LEVELS_TOTALS), ww_value(uint64_t, 0)));
    return ww_launch_together(graph->device, ww_with(go_by_levels, &l), l.ranks);
}
