/* Graphs, from nothing but their lists of arcs: slow and plain. */
#ifndef REFERENCE_GRAPH_H
#define REFERENCE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum reference_kind { DISTANCE_U32, DISTANCE_U64, DISTANCE_F32 } reference_kind;

typedef struct reference_arcs {
    size_t n, m;
    const uint32_t *from, *to;
    const uint32_t *weight; /* bits; NULL: 1 each */
} reference_arcs;

/* Distances (a float's: its bits) by going through all arcs until nothing changes; UINT64_MAX: no path, or none that the kind
 * holds. Returns the smallest vertex that an arc from one with a distance leads to and that has none; UINT32_MAX: there is none. */
uint32_t reference_distances(const reference_arcs *g, reference_kind kind, const uint32_t *sources, size_t many,
                             uint64_t *distance);

/* Predecessors as warpwise/graph.h describes them. */
void reference_predecessors(const reference_arcs *g, reference_kind kind, const uint32_t *sources, size_t many,
                            const uint64_t *distance, uint32_t *predecessor);

/* The smallest vertex of each one's component; returns how many components there are. */
uint64_t reference_components(const reference_arcs *g, uint32_t *label);

/* Power iteration until ranks change by `tolerance` in sum, or so often; returns the iterations. */
uint32_t reference_pagerank(const reference_arcs *g, double damping, double tolerance, uint32_t iterations,
                            double *rank, double *change);

#endif
