/* The arcs of a graph as files list them, and reading them.
 *
 * Text is told by its first line that says something: "p sp N M" and "a U V W" are DIMACS, "%%MatrixMarket matrix coordinate
 * …" is Matrix Market, "U V" or "U V W" an edge list, whose vertices are counted from 0. Any of them may be compressed by
 * gzip. A file named *.npy is an array of numbers of shape (arcs, 2) or (arcs, 3), vertices from 0.
 *
 * Memory grows with the arcs that really come, whatever a file says that there are. */
#ifndef CLI_GRAPH_ARCS_H
#define CLI_GRAPH_ARCS_H

#include "graph_source.h"

typedef enum arc_weights { WEIGHTS_NONE, WEIGHTS_WHOLE, WEIGHTS_REAL } arc_weights;

typedef union arc_weight {
    uint32_t whole;
    float real;
} arc_weight;

typedef struct graph_arcs {
    uint32_t *from, *to; /* from 0 */
    arc_weight *weight;  /* there is memory for it whether arcs have any or not */
    uint64_t count, room;
    uint64_t vertices;
    unsigned first; /* the number of the first vertex in the file: 0 or 1 */
    arc_weights weights;
    const char *format;
} graph_arcs;

/* Arcs that a file says nothing of: so many vertices without any are believed, and LONELY_EACH more for each arc. */
enum { LONELY_MOST = 1 << 24, LONELY_EACH = 64 };

/* Reads text to its end. False: the source's sentence says file, line and value. The arcs are to be released in any case. */
bool graph_arcs_read(graph_source *source, graph_arcs *arcs);

/* One arc more. False: no memory. */
bool graph_arcs_add(graph_arcs *arcs, uint64_t from, uint64_t to, arc_weight weight);

/* False, with the sentence: more vertices than are believed, or than there can be. */
bool graph_arcs_check(graph_source *source, const graph_arcs *arcs);

void graph_arcs_release(graph_arcs *arcs);

#endif
