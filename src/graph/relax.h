/* Distances and what is done with them, for each kind of them: u32, u64, f32. Those of f32 are kept as their bits, whose
 * order as numbers is that of the floats, for none is below 0. */
#ifndef WW__GRAPH_RELAX_H
#define WW__GRAPH_RELAX_H

#include "graph/graph.h"

/* What the kernels of shortest paths are given. */
WW_STRUCT_USES((ww__walk), ww__relaxing, {
    ww__walk walk;
    uint32_t *dist32; /* one of these two */
    uint64_t *dist64;
    uint32_t *done32; /* of chase: the distance with which a vertex was last gone through */
    uint64_t *done64;
    uint64_t low;      /* what is below has been settled */
    uint64_t bound;    /* what is below comes next, the rest waits */
    uint32_t *mark;    /* the last round for which a vertex was put in a frontier */
    uint32_t *waiting; /* the last epoch in which it was put in the pile */
    uint32_t *next;    /* the next frontier */
    uint32_t *pile;
    uint32_t *counts;
    const uint32_t *from; /* of collect and step: vertices, */
    uint64_t from_count;  /* and how many there are; of step: how many ranks */
    uint64_t *expanded;   /* of chase and step: vertices whose row was gone through, but for hubs; of step: rounds */
    uint32_t round;
    uint32_t epoch;
    uint32_t turn; /* of step: which of three words has the frontier's length */
});

/* Buckets of a pile: bucket b has distances from edge[b - 1] on and below edge[b], the last one all beyond, and one more is
 * for what is settled. */
enum { WW__BUCKETS = 10 };
WW_STRUCT(ww__bucketing, {
    const uint32_t *dist32;
    const uint64_t *dist64;
    uint64_t low;
    uint64_t edge[9];
});

/* What the kernel of Dijkstra's algorithm is given: a heap of vertices, and where each stands in it. */
WW_STRUCT_USES((ww__walk), ww__settling, {
    ww__walk walk;
    uint32_t *dist32;
    uint64_t *dist64;
    uint32_t *heap;
    uint32_t *place; /* 1 + the place; 0: never in the heap, 2^32 - 1: settled */
    uint32_t *counts;
    const uint32_t *sources;
    uint64_t source_count;
});

/* What those are given that look for predecessors, or for vertices that a path leads to and no distance. */
typedef enum ww__tracing_mode {
    WW__TRACE_BELOW,    /* predecessors at a smaller distance */
    WW__TRACE_BESIDE,   /* … at the same distance, found in the round before */
    WW__TRACE_UNREACHED /* vertices without a distance that have a predecessor with one */
} ww__tracing_mode;
WW_STRUCT_USES((ww__walk), ww__tracing, {
    ww__walk walk;
    const uint32_t *dist32;
    const uint64_t *dist64;
    uint32_t *predecessor;
    uint32_t *step; /* the round in which a vertex got its predecessor; 2^32 - 1: it has none */
    uint32_t *next;
    uint32_t *counts;
    uint32_t mode;
    uint32_t round;
});

typedef struct ww__distances {
    const ww_type *type, *words; /* the caller's, and as what they are kept */
    const ww_type *weight;
    uint64_t limit; /* that of a vertex which no path leads to */
    const ww_function *relax, *chase, *step, *collect, *least, *bucket, *settle, *trace;
} ww__distances;

/* The kind for distances of a type; NULL: there is none. */
const ww__distances *ww__distances_of(const ww_type *type);

#endif
