/* Memory of a graph, which grows and is kept, and the words that kernels count in. */
#include "graph/graph.h"
#include "warpwise/primitive.h"

ww_status ww__graph_work_room(ww_graph *graph, ww__graph_work work, uint64_t count, size_t size, void *to) {
    WW_TRY(ww__kept_capacity(graph->device, &graph->work[work], count, size, 0));
    *(void **)to = graph->work[work].data;
    return WW_OK;
}

/* ---- counts ---- */

ww_status ww__graph_set_count(ww_graph *graph, ww__graph_count which, uint32_t value) {
    uint32_t *words;
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_COUNTS, WW__GRAPH_COUNTS_MANY, sizeof *words, &words));
    return ww_fill(graph->device, ww_array(words + which, 1), ww_value(uint32_t, value));
}

ww_status ww__graph_counts(ww_graph *graph, uint32_t counts[WW__GRAPH_COUNTS_MANY]) {
    const uint32_t *words = graph->work[WW__GRAPH_COUNTS].data;
    return ww_copy(graph->device, ww_memory(words, WW__GRAPH_COUNTS_MANY), ww_array(counts, WW__GRAPH_COUNTS_MANY));
}
