/* A search for shortest paths that is under way: what its methods share. */
#ifndef WW__GRAPH_SEARCH_H
#define WW__GRAPH_SEARCH_H

#include "graph/relax.h"

typedef struct ww__search {
    ww_graph *graph;
    const ww__distances *kind;
    bool weighted; /* else each arc counts 1 */
    bool levels;   /* nothing is asked for but ww_bfs's results */
    const uint32_t *sources;
    uint64_t source_count;
    uint64_t width; /* of whole numbers, or a float's bits; 0: one bound above all distances */
    ww__relaxing a; /* its frontier and pile are those that are filled next */
    uint32_t *frontier;
    uint64_t frontier_count, pile_count;
    bool too_long; /* a sum was: perhaps one that no shortest path has */
    ww_sssp_report report;
} ww__search;

/* ---- steps ---- */

/* Memory for all, distances without a path, and the sources as the first frontier. */
ww_status ww__search_begin(ww__search *s);
/* Expands the frontier: what it shortens is the next one, or in the pile. */
ww_status ww__search_round(ww__search *s);
/* Rounds until the frontier is empty: all below the bound is settled. */
ww_status ww__search_settle(ww__search *s);

/* A bound, and one that is a width above it. */
uint64_t ww__search_above(const ww__search *s, uint64_t bound);

/* Looks through vertices for those that the next frontier is made of: ww__search_collect_begin, then one or two times
 * ww__search_collect, and ww__search_collect_end. In between a.pile is empty, *pile what it was before. */
ww_status ww__search_collect_begin(ww__search *s, uint64_t low, uint64_t bound, const uint32_t **pile, uint64_t *count);
ww_status ww__search_collect(ww__search *s, const uint32_t *vertices, uint64_t count);
ww_status ww__search_collect_end(ww__search *s);

/* The least distance of vertices in the pile that is not below `low`. */
ww_status ww__search_least(ww__search *s, uint64_t low, uint64_t *least);

/* ---- methods ---- */

ww_status ww__search_dijkstra(ww__search *s);
ww_status ww__search_near_far(ww__search *s);
ww_status ww__search_buckets(ww__search *s, bool by_sort);

/* The same, and bellman-ford, in one launch, of few strong ranks and of a GPU's warps; all of the search. */
ww_status ww__search_roam(ww__search *s);
ww_status ww__search_warps(ww__search *s);

/* How many ranks search a graph; `lanes` of them share a row. */
ww_status ww__search_ranks(const ww_graph *graph, uint64_t lanes, uint64_t *ranks);
/* Levels alone, in one launch: the distances of a search that counts each arc as 1. */
ww_status ww__search_levels(ww__search *s);

/* All of a search, by the method in s->report. */
ww_status ww__search_run(ww__search *s);
/* After it: whether a path leads to a vertex whose distance was too long, and the smallest such vertex. */
ww_status ww__search_unreached(ww__search *s, uint32_t *lowest);
/* After it: predecessors, in the graph's memory. */
ww_status ww__search_predecessors(ww__search *s, uint32_t **predecessors);

#endif
