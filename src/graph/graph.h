/* What the files of this room share: a graph's rows and memory, the plan for its device, and walks over the arcs of many
 * vertices. */
#ifndef WW__GRAPH_H
#define WW__GRAPH_H

#include "device/between.h"
#include "warpwise/graph.h"

/* ---- memory ---- */

/* What calls work in; a block grows to the most that was asked for, and stays. */
typedef enum ww__graph_work {
    WW__GRAPH_VALUES,  /* an element a vertex: distances, labels */
    WW__GRAPH_MARKS,   /* the round in which a vertex was put in a frontier */
    WW__GRAPH_DONE,    /* the distance with which it was last gone through */
    WW__GRAPH_WAITING, /* the epoch in which it was put in a pile */
    WW__GRAPH_NEAR,    /* frontiers: this round's and the next one's */
    WW__GRAPH_NEXT,
    WW__GRAPH_PILE, /* piles: the one that is filled, and the one that is looked through */
    WW__GRAPH_OLD_PILE,
    WW__GRAPH_SPLIT, /* a pile in buckets, and the numbers of these */
    WW__GRAPH_NUMBERS,
    WW__GRAPH_NEAR_BEGIN, /* … which slices of rows they are, where there are long ones */
    WW__GRAPH_NEXT_BEGIN,
    WW__GRAPH_TOTALS,       /* what a search in one launch counts */
    WW__GRAPH_HUBS,         /* vertices of a frontier whose rows are dealt out in slices */
    WW__GRAPH_SLICE_VERTEX, /* each slice's vertex, */
    WW__GRAPH_SLICE_NUMBER, /* and which of that one's slices it is */
    WW__GRAPH_COUNTS,       /* ww__graph_counts */
    WW__GRAPH_EXPANDED,     /* two u64: vertices that chases and steps have gone through, rounds that steps were */
    WW__GRAPH_SOURCES,      /* a copy of them */
    WW__GRAPH_PREDECESSORS,
    WW__GRAPH_STEPS,  /* in which round of the search for predecessors a vertex got its own */
    WW__GRAPH_SHARES, /* PageRank: what each arc of a vertex hands on, and did before, sums of these */
    WW__GRAPH_BEFORE,
    WW__GRAPH_SUMS,
    WW__GRAPH_PARTIAL, /* … and sums over blocks of vertices */
    WW__GRAPH_PLACES,  /* how many arcs of its row a search has gone through */
    WW__GRAPH_WORKS
} ww__graph_work;

/* A work block of at least count * size bytes, whose address *to gets; what it held is lost when it grows. */
ww_status ww__graph_work_room(ww_graph *graph, ww__graph_work work, uint64_t count, size_t size, void *to);

/* ---- the graph ---- */

/* Kernels of searches in one launch: none, of many weak ranks, of few strong ones. */
typedef enum ww__graph_together { WW__TOGETHER_NOT, WW__TOGETHER_MANY, WW__TOGETHER_FEW } ww__graph_together;

/* How a device walks over arcs. Rows of up to `hub` arcs are gone through by one rank, which takes several of them where
 * there are many; longer ones are dealt out in slices, each to a rank. */
typedef struct ww__graph_plan {
    uint64_t hub, slice;
    uint64_t ranks_wanted; /* ranks take several rows only where there are more rows than this */
    uint64_t group_most;   /* … and so many at most */
    uint64_t
        work_least; /* launches of more work (arcs, vertices) than this are filled up to so many ranks, the rest being */
    uint64_t ranks_least; /* … idle, for the device to share out; 0: they are not */
    bool chases;          /* near-far and buckets go on within a launch, by ww__graph_chase */
    uint32_t ahead;       /* rounds that are queued before the host looks, where no row is longer than … */
    uint32_t ahead_degree;
    uint32_t together;    /* whether near-far and bellman-ford are one launch, and of which kernel: */
    uint64_t rank_work;   /* of vertices and arcs a rank has so many at least; */
    uint32_t lanes;       /* ranks of a warp, which share out arcs; */
    uint32_t goes_long;   /* how often a warp goes on with what it has brought near, where there are rows longer than */
    uint32_t goes;        /* … wide_degree, and elsewhere, */
    uint32_t arcs_alone;  /* if these have so many arcs at most; */
    uint32_t row_long;    /* longer rows are gone through in slices */
    bool levels;          /* breadth-first searches go through arcs from either end (levels.c) */
    uint32_t sssp;        /* ww_sssp_method of auto */
    double width;         /* auto's width: so many mean weights over the square of the mean degree, */
    double width_least;   /* and at least so many mean weights; */
    uint32_t wide_degree; /* but where rows are longer than this */
    double width_narrow;  /* so many over the mean degree, */
    uint64_t few;         /* and twice as many where there are no more arcs than this */
    /* Of few strong ranks: rows are put in the order of weights where there are so many arcs a vertex, */
    uint64_t by_weight;
    uint64_t share;     /* and ranks that have gone through one arc in so many in an epoch leave rows at its bound */
    uint64_t by_degree; /* PageRank puts so many vertices or more in the order of degrees, where rows are long */
} ww__graph_plan;

struct ww_graph {
    ww_device *device;
    ww__graph_plan plan;
    ww_graph_info info;
    uint64_t vertices, arcs;
    ww__kept offsets, targets, weights;
    ww__kept back_offsets, back_targets; /* the reversed arcs, where PageRank has made them */
    ww__kept
        by_weight; /* arcs, each a target and its weight, rows in the order of these, where searches have made them */
    ww__kept place, ordered_offsets,
        ordered_targets; /* each vertex's place in the order of degrees, arcs in it, for PageRank */
    ww__kept work[WW__GRAPH_WORKS];
};

ww_status ww__graph_plan_of(ww_device *device, ww__graph_plan *plan);

/* Arcs (keys: from << 32 | to, with their weights or none), to rows. `keys` and `weights` are lost. */
ww_status ww__graph_rows(ww_graph *graph, uint64_t arcs, ww__kept *keys, ww__kept *weights, ww__kept *offsets,
                         ww__kept *targets, ww__kept *weights_out);

/* Makes graph->by_weight, and vertices and arcs in the order of degrees, unless they are there. */
ww_status ww__graph_by_weight(ww_graph *graph);
ww_status ww__graph_by_degree(ww_graph *graph);

/* Fills graph->info from its rows. */
ww_status ww__graph_look(ww_graph *graph, const ww_type *weight, bool both_ways);

/* An output: an array of `vertices` elements of the type, apart from the input (NULL: none) and from another output (NULL). */
ww_status ww__graph_check_output(const ww_graph *graph, const char *call, const char *name, const ww_array *array,
                                 const ww_input *input, const char *other_name, const ww_array *other);

/* A copy of the sources where kernels reach it, after a look whether all are vertices. */
ww_status ww__graph_sources(ww_graph *graph, const char *call, ww_input sources, uint32_t **copy);

/* ---- walks ---- */

/* Which vertices' arcs are gone through, and how they are shared out among ranks; the first member of what a walk's kernel is
 * given. Its items are vertices or slices, and it reads
 *
 *     for (uint64_t item = rank * a->walk.group; item < ww__walk_end(&a->walk, rank); item++) {
 *         const uint32_t vertex = ww__walk_vertex(&a->walk, item);
 *         const uint64_t begin = ww__walk_first_arc(&a->walk, item, vertex), end = ww__walk_last_arc(&a->walk, begin, vertex);
 *         if (end - begin > a->walk.hub) put the vertex on the list of hubs, to be sliced
 *         else go through these arcs */
WW_STRUCT(ww__walk, {
    const uint64_t *offsets;
    const uint32_t *targets;
    const uint32_t *weights; /* their bits; NULL: 1 each */
    const uint32_t *items;   /* vertices; NULL: all of them */
    const uint32_t *number;  /* of slices: which of its vertex's it is; NULL: items are whole rows */
    uint64_t count;          /* of items */
    uint64_t group;          /* items a rank */
    uint64_t slice;          /* arcs an item, at most */
    uint64_t hub;            /* longer rows go to hubs */
    uint32_t *hubs;
    uint32_t *hub_count;
});
WW_FUNCTION(
    ww__walk_end, uint64_t, (const ww__walk *w, uint64_t rank),
    { return (rank + 1) * w->group < w->count ? (rank + 1) * w->group : w->count; }, ww__walk);
WW_FUNCTION(
    ww__walk_vertex, uint32_t, (const ww__walk *w, uint64_t item),
    { return w->items ? w->items[item] : (uint32_t)item; }, ww__walk);
WW_FUNCTION(
    ww__walk_first_arc, uint64_t, (const ww__walk *w, uint64_t item, uint32_t vertex),
    { return w->offsets[vertex] + (w->number ? w->number[item] * w->slice : 0); }, ww__walk);
WW_FUNCTION(
    ww__walk_last_arc, uint64_t, (const ww__walk *w, uint64_t begin, uint32_t vertex),
    { return w->offsets[vertex + 1] - begin < w->slice ? w->offsets[vertex + 1] : begin + w->slice; }, ww__walk);

/* Words that kernels count in, in the device's memory. */
typedef enum ww__graph_count {
    WW__COUNT_HUBS,
    WW__COUNT_NEXT, /* vertices of the next frontier */
    WW__COUNT_PILE, /* … of the pile */
    WW__COUNT_FLAG, /* a distance was too long; there are arcs between vertices of one distance; components that are joined */
    WW__COUNT_LOWEST, /* of vertices that something is wrong with */
    WW__COUNT_CLAIMS, /* sixteens of a frontier that ranks have taken */
    WW__COUNT_STEPS,  /* three words that take turns: the length of frontiers that the host does not wait for */
    WW__GRAPH_COUNTS_MANY = WW__COUNT_STEPS + 3
} ww__graph_count;

/* Sets some of the counts to a value; reads all. */
ww_status ww__graph_set_count(ww_graph *graph, ww__graph_count which, uint32_t value);
ww_status ww__graph_counts(ww_graph *graph, uint32_t counts[WW__GRAPH_COUNTS_MANY]);

/* Has a walk's kernel go through all arcs of `count` vertices (NULL: all there are). `walk` is the first member of the
 * `type` that the kernel is given, and is set here. `counts` gets the counts as the walk leaves them. */
ww_status ww__graph_walk(ww_graph *graph, const ww_function *kernel, const ww_type *type, ww__walk *walk,
                         const uint32_t *vertices, uint64_t count, bool weighted,
                         uint32_t counts[WW__GRAPH_COUNTS_MANY]);
/* The same, whole rows by `chase`, a kernel of few ranks that claim vertices themselves (relax.c). */
ww_status ww__graph_chase(ww_graph *graph, const ww_function *chase, const ww_function *kernel, const ww_type *type,
                          ww__walk *walk, const uint32_t *vertices, uint64_t count, bool weighted,
                          uint32_t counts[WW__GRAPH_COUNTS_MANY]);

/* A kernel for `count` ranks, or more of which the rest does nothing; together they go through so many arcs or vertices,
 * about. */
ww_status ww__graph_launch(ww_graph *graph, const ww_function *kernel, const void *arguments, const ww_type *type,
                           uint64_t count, uint64_t work);

#endif
