/* Searches in one launch: what their kernels are given. */
#ifndef WW__GRAPH_TOGETHER_H
#define WW__GRAPH_TOGETHER_H

#include "graph/search.h"

/* Where in `totals` is what. */
enum {
    BARRIER,
    ROUNDS,
    EXPANDED,
    REGROUPED,
    LEAST,
    FLAG = LEAST + 3,
    LENGTHS,
    PILED = LENGTHS + 3,
    CLAIMS = PILED + 2,
    TOTALS = CLAIMS + 3
};
_Static_assert(BARRIER == 0 && ROUNDS == 1 && EXPANDED == 2 && REGROUPED == 3 && LEAST == 4 && FLAG == 7,
               "kernels have these as numbers");

WW_STRUCT(ww__running, {
    const uint64_t *offsets;
    const uint32_t *targets;
    const uint32_t *weights;
    uint32_t *dist32; /* one of these two */
    uint64_t *dist64;
    uint32_t *done32; /* of roam: the distance with which a vertex was last gone through */
    uint64_t *done64;
    uint32_t *mark;    /* the last round for which a vertex was put in a frontier */
    uint32_t *waiting; /* the last epoch in which it was put in the pile, from 1 on */
    uint32_t *
        near_vertex; /* frontiers that take turns: vertices, and how many arcs those before have; NULL: rows are short */
    uint32_t *near_begin;
    uint32_t *next_vertex;
    uint32_t *next_begin;
    uint32_t *pile; /* piles that take turns */
    uint32_t *other_pile;
    uint64_t *totals;
    uint64_t *lengths; /* three of frontiers: vertices, and arcs in the lower half */
    uint32_t *piled;   /* three of piles */
    uint64_t *claims;  /* of roam: three of frontiers' parts that ranks have taken */
    const uint32_t *sources;
    uint64_t source_count;
    uint64_t vertices;
    uint64_t width;
    uint64_t ranks;
    uint64_t row_long; /* longer rows are gone through in slices of this */
});

/* How many ranks search a graph; `lanes` of them share a row. */
ww_status ww__search_ranks(const ww_graph *graph, uint64_t lanes, uint64_t *ranks);

/* The kernel for few strong ranks (roam.c), for distances of a type. */
const ww_function *ww__roam_of(const ww_type *type);

#endif
