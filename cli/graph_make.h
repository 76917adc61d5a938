/* Graphs by rule: arc after arc, the same ones everywhere, since each is a hash of the seed and its own number.
 *
 *   R-MAT     2^scale vertices, or fewer; each arc falls into one quarter of the matrix after another, by a chance of 0.5, 0.1,
 *             0.1 and 0.3 (Chakrabarti, Zhan and Faloutsos 2004; the numbers are those of Ashkiani 2017, table 3.9), and is
 *             drawn again where it leads from or to a vertex that there is not. Loops and parallel arcs stay
 *   grid      like roads: width x height crossings. Each has a street to the one above it or to its left, which makes a tree
 *             of all of them, and the other street with a chance of 0.38: 2.76 arcs a vertex, as New York's roads have.
 *             Streets go both ways
 *   uniform   both ends of an arc are any vertex */
#ifndef CLI_GRAPH_MAKE_H
#define CLI_GRAPH_MAKE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum graph_kind { GRAPH_UNKNOWN, GRAPH_RMAT, GRAPH_GRID, GRAPH_UNIFORM } graph_kind;

typedef struct graph_plan {
    graph_kind kind;
    unsigned scale;         /* R-MAT: up to 31 */
    uint64_t width, height; /* grid */
    uint64_t vertices;      /* up to 2^32 - 1; R-MAT: above 2^(scale - 1), so that few arcs are drawn again */
    uint64_t arcs;          /* a grid's follow from the rest */
    uint64_t seed;
    uint32_t weight_most; /* weights are 1 … weight_most, each as likely; a street's are equal both ways */
} graph_plan;

typedef bool graph_take(void *context, uint32_t from, uint32_t to, uint32_t weight);

/* Hands all arcs over, in one order, until `take` is false, which is returned then. */
bool graph_plan_each(const graph_plan *plan, graph_take *take, void *context);

/* How many there are. */
uint64_t graph_plan_arcs(const graph_plan *plan);

#endif
