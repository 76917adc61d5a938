/* The arcs of each row by their weights, a target and its weight side by side: a key of 64 bits, the weight above the target, by a sort
 * of each row (ww_sort_segments). */
#include "graph/graph.h"
#include "warpwise/primitive.h"
#include "warpwise/sort.h"

/* A weight of -0 is one of 0, whose bits are in order. */
WW_MAP2(weight_above_target, uint64_t, uint32_t, weight, uint32_t, target, void, none,
        { return (uint64_t)(weight == 0x80000000u ? 0 : weight) << 32 | target; });
WW_MAP2(whole_above_target, uint64_t, uint32_t, weight, uint32_t, target, void, none,
        { return (uint64_t)weight << 32 | target; });

ww_status ww__graph_by_weight(ww_graph *graph) {
    const uint64_t m = graph->arcs;
    const uint64_t *offsets = graph->offsets.data;
    const bool floats = graph->info.weight == &ww_type_float;
    if (graph->by_weight.data) return WW_OK;
    WW_TRY(ww__kept_capacity(graph->device, &graph->by_weight, m, sizeof(uint64_t), 0));
    const ww_array arcs = ww_array((uint64_t *)graph->by_weight.data, m);
    ww_status status = ww_map2(graph->device, floats ? &weight_above_target_ww : &whole_above_target_ww,
                               ww_memory((const uint32_t *)graph->weights.data, m),
                               ww_memory((const uint32_t *)graph->targets.data, m), arcs);
    if (!status)
        status = ww_sort_segments(graph->device, ww_from(arcs), ww_no_input, ww_memory(offsets, graph->vertices + 1),
                                  arcs, ww_none, NULL);
    if (status) ww__kept_drop(graph->device, &graph->by_weight);
    return status;
}
