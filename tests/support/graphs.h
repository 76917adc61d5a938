/* Small graphs of every kind, for tests of what is done with graphs. */
#ifndef TESTS_GRAPHS_H
#define TESTS_GRAPHS_H

#include "reference/graph.h"
#include "support/cases.h"

typedef enum graph_shape {
    SHAPE_RANDOM,
    SHAPE_SKEWED, /* R-MAT: few vertices have most of the arcs */
    SHAPE_GRID,   /* both ways */
    SHAPE_STAR,   /* one vertex to all others and back: longer a row than any slice */
    SHAPE_CHAIN,
    SHAPE_ISOLATED, /* no arc at all */
    SHAPE_CROWDED,  /* five vertices, hundreds of arcs: parallel ones and loops */
    SHAPE_ISLANDS,  /* several parts, and vertices that no arc leaves */
    SHAPE_SINGLE,   /* one vertex, with a loop */
    GRAPH_SHAPES
} graph_shape;
const char *graph_shape_name(graph_shape shape);

typedef enum graph_weights {
    WEIGHTS_NONE,
    WEIGHTS_SMALL,      /* 1 … 255 */
    WEIGHTS_ZEROS,      /* half of them 0 */
    WEIGHTS_LONG,       /* some 2^29: sums leave u32 */
    WEIGHTS_REAL,       /* f32 below 1 */
    WEIGHTS_REAL_ZEROS, /* f32: 0, -0, and so light that sums do not change */
    WEIGHTS_REAL_LONG,  /* f32 near the largest */
    GRAPH_WEIGHTS
} graph_weights;
const char *graph_weights_name(graph_weights weights);
bool graph_weights_are_real(graph_weights weights);

/* Arcs in memory that the device reaches as `need` gives it, to be freed by graph_free. */
typedef struct test_graph {
    reference_arcs arcs;
    uint32_t *from, *to, *weight;
} test_graph;
test_graph graph_make(graph_shape shape, graph_weights weights, uint64_t seed);
/* Each arc twice, the second time the other way, with its weight where there are any. */
test_graph graph_doubled(const test_graph *g);
void graph_free(test_graph *g);
ww_input graph_weight_input(const test_graph *g, graph_weights weights);

#endif
