/* Graphs in compressed rows: shortest paths, breadth-first search, connected components, PageRank.
 *
 *     ww_graph *graph;
 *     ww_graph_create(device, vertices, ww_memory(from, m), ww_memory(to, m), ww_memory(weight, m), NULL, &graph);
 *     ww_sssp(graph, ww_memory(&source, 1), ww_array(distance, vertices), ww_none, NULL, NULL);
 *     ww_graph_destroy(graph);
 *
 * Vertices are numbers 0 … vertices - 1 of u32. An arc goes from one to another and may have a weight of u32 or f32; a graph
 * whose arcs have none counts each as 1. Loops (arcs from a vertex to itself) and parallel arcs are fine. Row v of a graph
 * holds the arcs that leave v, in the order of their targets; parallel ones keep the order in which they were given.
 *
 * All of it is built from this library's public primitives and kernels that any program could write (WW_KERNEL), so that one
 * source runs on every device (docs/graph.md). The arcs of a frontier are divided by number, not by vertex: a vertex with a
 * million neighbours does not delay the others.
 *
 * Common to all of it, and not repeated below:
 *   arrays     inputs and outputs may be in any memory, as for every call (device.h). Outputs must not overlap the inputs or
 *              one another (OVERLAP)
 *   results    are the same for every device, method, number of threads and run, and are complete when the call returns: it
 *              waits for a GPU, with some methods once a round
 *   memory     the graph takes 8 bytes a vertex and 4 an arc, 8 with weights. The working memory of calls, which each
 *              specifies, is kept for the next one until ww_graph_destroy. A call like one before it allocates nothing
 *   statuses   OK, INVALID, TYPE, RANGE, OVERLAP, BUSY, MEMORY, and what the primitives that they use return; the sentence is
 *              in the device's ww_error
 *   on error   outputs may be partly written, the graph stays as it was; arguments that are refused leave outputs untouched
 *   on paper   (ww_scratch_ask) none of these calls can be made: UNSUPPORTED */
#ifndef WARPWISE_GRAPH_H
#define WARPWISE_GRAPH_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_graph ww_graph;

/* In place of a vertex (a predecessor, a parent) if there is none, and of a level, or a u32 distance, that does not exist; the
 * number of vertices is at most this. */
#define WW_NO_VERTEX UINT32_MAX

/* ---- graphs ---- */

typedef struct ww_graph_options {
    size_t size;         /* WW_GRAPH_OPTIONS fills it */
    bool both_ways;      /* each given arc stands for two, one in each direction: an undirected graph */
    uint8_t reserved[7]; /* 0 */
} ww_graph_options;
#define WW_GRAPH_OPTIONS \
    { \
        sizeof(ww_graph_options), false, { 0 } \
    }

/* A graph of arcs from[i] -> to[i] with weight[i], in any order.
 *   vertices   up to 2^32 - 1 (LIMIT)
 *   from, to   u32, one each for an arc; up to 2^32 arcs (LIMIT), counted both ways where they go both ways
 *   weight     u32 or f32, one for each arc; or ww_no_input: every arc counts 1
 *   checked    a vertex that does not exist is RANGE, a weight that is negative, infinite or a NaN INVALID, both with the first
 *              such arc's position and what it has
 *   graph      has to be destroyed before the device is closed; NULL if the call fails
 *   passes     a ww_sort of keys of 8 bytes, and weights with them; keys are written once before and read twice after it
 *   memory     while it is built 24 bytes an arc, 32 with weights, and what ww_sort takes */
WW_API ww_status ww_graph_create(ww_device *device, uint64_t vertices, ww_input from, ww_input to, ww_input weight,
                                 const ww_graph_options *options, ww_graph **graph);

/* A graph from rows in CSR form: the arcs of vertex v are offsets[v] … offsets[v + 1] - 1, which is how graphs are kept here
 * too. Everything is copied; arcs stay in their order.
 *   offsets    u64, one more than there are vertices; the first is 0, none is below the one before (INVALID, with the
 *              position), the last is the number of targets (INVALID)
 *   to, weight and what is checked of them: as above
 *   options    both_ways promises that each arc has its opposite with the same weight; it is not checked. It saves
 *              ww_pagerank the reversed arcs, and ww_bfs, and ww_sssp on a CPU, most of the arcs */
WW_API ww_status ww_graph_create_rows(ww_device *device, ww_input offsets, ww_input to, ww_input weight,
                                      const ww_graph_options *options, ww_graph **graph);

/* Frees all of its memory. NULL is fine. */
WW_API void ww_graph_destroy(ww_graph *graph);

typedef struct ww_graph_info {
    size_t size; /* of this struct; WW_GRAPH_INFO fills it */
    uint64_t vertices, arcs;
    const ww_type *weight;                         /* u32 or f32; NULL: arcs have none */
    uint64_t degree_most;                          /* arcs of the longest row */
    uint64_t rows_empty;                           /* vertices that no arc leaves */
    uint64_t loops;                                /* arcs from a vertex to itself */
    double weight_least, weight_most, weight_mean; /* 1 where there are none; 0 without arcs */
    bool both_ways;
    uint8_t reserved[7];
} ww_graph_info;
#define WW_GRAPH_INFO \
    { \
        sizeof(ww_graph_info), 0, 0, NULL, 0, 0, 0, 0, 0, 0, false, { 0 } \
    }

/* What the graph is; `*info` begins as WW_GRAPH_INFO. */
WW_API ww_status ww_graph_info_get(const ww_graph *graph, ww_graph_info *info);

/* The rows, in memory that the device's kernels can access, to be read by any call and any kernel as long as the graph lives:
 * vertices + 1 offsets of u64, the arcs' targets of u32, their weights (ww_none where they have none). */
WW_API ww_array ww_graph_offsets(const ww_graph *graph);
WW_API ww_array ww_graph_targets(const ww_graph *graph);
WW_API ww_array ww_graph_weights(const ww_graph *graph);

/* ---- shortest paths ---- */

typedef enum ww_sssp_method {
    WW_SSSP_AUTO = 0,     /* the device's default in a table, with a width of its own */
    WW_SSSP_DIJKSTRA,     /* the serial reference: one thread and a heap, on any device */
    WW_SSSP_BELLMAN_FORD, /* all vertices whose distance has decreased, round after round */
    WW_SSSP_NEAR_FAR,     /* those below a bound first, which rises by the width; the others wait in a far pile */
    WW_SSSP_BUCKETS_SORT, /* learning: the pile is put into buckets of the width by sorting */
    WW_SSSP_BUCKETS       /* the pile is put into buckets of the width by ww_multisplit */
} ww_sssp_method;

typedef struct ww_sssp_options {
    size_t size;       /* WW_SSSP_OPTIONS fills it */
    uint32_t method;   /* a ww_sssp_method */
    uint32_t reserved; /* 0 */
    double width; /* of near-far and buckets, in the weights' unit: above 0 and finite (INVALID), whole numbers for u32
                          (it is rounded up); 0: chosen */
} ww_sssp_options;
#define WW_SSSP_OPTIONS \
    { sizeof(ww_sssp_options), WW_SSSP_AUTO, 0, 0 }

/* Statistics of a call. */
typedef struct ww_sssp_report {
    size_t size;       /* of this struct; WW_SSSP_REPORT fills it */
    uint32_t method;   /* that was used: a ww_sssp_method */
    uint32_t reserved; /* 0 */
    double width;      /* that was used; 0 where the method has none */
    uint64_t rounds;   /* in which a frontier was expanded; dijkstra: vertices that were settled */
    uint64_t
        expanded; /* expansions of vertices, repeated ones included: at best one for each vertex that is reached */
    uint64_t regrouped; /* vertices of the pile, or of all, that were examined to find the next ones */
} ww_sssp_report;
#define WW_SSSP_REPORT \
    { sizeof(ww_sssp_report), 0, 0, 0, 0, 0, 0 }

/* The length of a shortest path to every vertex from the nearest of the sources.
 *   sources       u32, 1 or more (INVALID); one that does not exist is RANGE with its position; equal ones are fine
 *   distances     one for each vertex: u32 or u64 where weights are u32 or none, f32 where they are f32 (TYPE). Where no path
 *                 leads: UINT32_MAX, UINT64_MAX, infinity
 *   predecessors  one u32 for each vertex, or ww_none: the vertex before it on a shortest path, WW_NO_VERTEX for sources and
 *                 where no path leads. They form a tree for each source, whatever the weights. Of several possible ones it
 *                 is the smallest whose distance is below the vertex's own. Where all have its own distance (over arcs of
 *                 weight 0, or too small to change a sum of f32), consider the least number of such arcs to the vertex from one
 *                 that has such a predecessor, or from a source: its predecessor is the smallest vertex with one arc fewer
 *   options       or NULL
 *   report        or NULL; begins as WW_SSSP_REPORT
 *   too long      a distance that u32 (2^32 - 1 or more) or f32 cannot hold is LIMIT: such vertices get the distance of
 *                 unreachable ones, all others are right, and so are predecessors. Distances of u64 can hold every sum. The
 *                 sentence has the smallest such vertex among those to which an arc leads from one with a distance
 *   f32           a path's length is the sum from its source on, rounded at each arc; the smallest over all paths is given
 *   work          dijkstra: (n + m) log n. bellman-ford: up to n m. The others: that of Dijkstra's algorithm without its
 *                 heap at best, up to bellman-ford's; expanded / n says how often
 *   memory        40 bytes a vertex (48 for u64; buckets 5 more), 8 for each slice of a large row; predecessors 8 a vertex
 *                 more; on a GPU buckets, and predecessors, 8 bytes for each arc of the largest frontier. On a CPU near-far
 *                 keeps the arcs of graphs that go both ways, with 8 a vertex or more, a second time in the order of their
 *                 weights: the first search makes them, 8 bytes an arc, which takes as long as a few searches
 * Near-far and buckets: Davidson, Baxter, Garland and Owens, Work-Efficient Parallel GPU Methods for Single-Source Shortest
 * Paths (2014); by multisplit: Ashkiani (2017), section 3.7.2; widths: Meyer and Sanders, Delta-stepping
 * (2003). Arcs left out by weight, and from either end: Chakaravarthy, Checconi, Petrini and Sabharwal, Scalable Single Source
 * Shortest Path Algorithms for Massively Parallel Systems (2014). */
WW_API ww_status ww_sssp(ww_graph *graph, ww_input sources, ww_array distances, ww_array predecessors,
                         const ww_sssp_options *options, ww_sssp_report *report);

/* ---- search, components, ranks ---- */

/* The smallest number of arcs to each vertex from the nearest of the sources; weights are ignored.
 *   sources    as ww_sssp's
 *   levels     u32, one for each vertex; WW_NO_VERTEX where no path leads
 *   parents    u32, one for each vertex, or ww_none: the smallest vertex of the level before from which an arc leads here;
 *              WW_NO_VERTEX for sources and where no path leads
 *   work       n + m, a round for each level; on a CPU less where arcs are known from both ends: of graphs that go both
 *              ways, and of others after ww_pagerank
 *   memory     as ww_sssp's, for u32, at most
 * From either end of the arcs: Beamer, Asanovic and Patterson, Direction-Optimizing Breadth-First Search (2012). */
WW_API ww_status ww_bfs(ww_graph *graph, ww_input sources, ww_array levels, ww_array parents);

/* Connected components, whatever the direction of the arcs: labels[v] (u32, one for each vertex) is the smallest vertex of v's
 * component. `count` (one u64, or ww_none) is how many components there are.
 *   work       each arc joins two trees of vertices, whose roots are searched for; near n + m. If arcs go both ways, two for
 *              each vertex, and all arcs of vertices outside the largest component
 *   memory     12 bytes a vertex
 * Hooking larger roots on smaller ones: Shiloach and Vishkin (1982); Jaiganesh and Burtscher (ECL-CC, 2018). Samples: Sutton,
 * Ben-Nun and Barak, Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling (2018). */
WW_API ww_status ww_components(ww_graph *graph, ww_array labels, ww_array count);

typedef struct ww_pagerank_options {
    size_t size;         /* WW_PAGERANK_OPTIONS fills it */
    double damping;      /* 0 <= damping < 1 (INVALID); WW_PAGERANK_OPTIONS: 0.85 */
    double tolerance;    /* stops when all changes of ranks add up to no more: at least 0; WW_PAGERANK_OPTIONS: 1e-6 */
    uint32_t iterations; /* or after this many; WW_PAGERANK_OPTIONS: 100 */
    uint32_t reserved;   /* 0 */
} ww_pagerank_options;
#define WW_PAGERANK_OPTIONS \
    { sizeof(ww_pagerank_options), 0.85, 1e-6, 100, 0 }

typedef struct ww_pagerank_report {
    size_t size;         /* of this struct; WW_PAGERANK_REPORT fills it */
    double change;       /* the sum of changes in the last iteration */
    uint32_t iterations; /* that were made */
    uint32_t reserved;   /* 0 */
} ww_pagerank_report;
#define WW_PAGERANK_REPORT \
    { sizeof(ww_pagerank_report), 0, 0, 0 }

/* The share of visits to each vertex by one who follows arcs at random (parallel ones count each, weights do not), and with
 * probability 1 - damping, or where no arc leaves, goes to any vertex.
 *   ranks      f32 or f64, one for each vertex; they add up to 1 (except for rounding)
 *   options    or NULL, which is WW_PAGERANK_OPTIONS: a 0 in a struct means 0 here
 *   report     or NULL; begins as WW_PAGERANK_REPORT. Not reaching the tolerance is not an error: `change` shows it
 *   passes     an iteration reads 3 n + m numbers of 8, m of them at random, and m of 4, and writes 2 n of 8
 *   memory     24 bytes a vertex; without both_ways the reversed arcs, 8 bytes a vertex and 4 an arc, which are
 *              sorted in the first call and kept (as ww_graph_create). With both_ways, on a CPU, where some rows are long
 *              and there are 2^17 vertices, the arcs between vertices in the order of their degrees, 12 bytes a vertex and
 *              4 an arc, which the first call makes and keeps, too
 * Sums are computed in f64 and in a fixed order, so that ranks are the same for any number of threads; a GPU's may differ in
 * their last bits where the primitives' do (docs/determinism.md). Page et al., The PageRank Citation Ranking (1999); vertices
 * in the order of degrees: Zhang, Kiriansky, Mendis, Amarasinghe and Zaharia, Making Caches Work for Graph Analytics (2017). */
WW_API ww_status ww_pagerank(ww_graph *graph, ww_array ranks, const ww_pagerank_options *options,
                             ww_pagerank_report *report);

#ifdef __cplusplus
}
#endif
#endif
