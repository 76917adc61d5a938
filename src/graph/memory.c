/* Memory of a graph, which grows and is kept, and the words that kernels count in. */
#include "graph/graph.h"
#include "warpwise/primitive.h"

void ww__graph_drop(ww_graph *graph, ww__graph_block *block) {
    if (block->data) ww_free(graph->device, block->data);
    *block = (ww__graph_block){NULL, 0};
}

ww_status ww__graph_room(ww_graph *graph, ww__graph_block *block, uint64_t count, size_t size) {
    size_t bytes;
    void *data = NULL;
    if (!ww__bytes(count, size, &bytes))
        return ww__graph_refuse(graph->device, "ww_graph", WW_MEMORY, "%llu elements of %zu bytes are more than memory",
                                (unsigned long long)count, size);
    if (bytes <= block->bytes) return WW_OK;
    WW_TRY(ww_alloc(graph->device, bytes, &data));
    ww__graph_drop(graph, block);
    *block = (ww__graph_block){data, bytes};
    return WW_OK;
}

ww_status ww__graph_work_room(ww_graph *graph, ww__graph_work work, uint64_t count, size_t size, void *to) {
    WW_TRY(ww__graph_room(graph, &graph->work[work], count, size));
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
