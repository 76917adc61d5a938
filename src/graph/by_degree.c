/* Vertices in the order of their arcs, most first, and the arcs between them in rows of this order: who is asked for often lies side by
 * side, in caches that are near. Vertices are sorted, rows copied one by one, with targets by their places. */
#include "graph/graph.h"
#include "warpwise/primitive.h"
#include "warpwise/sort.h"

WW_STRUCT(copying, {
    const uint64_t *from_offsets;
    const uint32_t *from_targets;
    const uint32_t *order;
    const uint32_t *place;
    const uint64_t *offsets;
    uint32_t *targets;
    uint64_t vertices;
});
WW_KERNEL(copy_row, copying, a, rank, {
    if (rank < a->vertices) {
        const uint32_t *const from = a->from_targets + a->from_offsets[a->order[rank]];
        uint32_t *const to = a->targets + a->offsets[rank];
        const uint64_t arcs = a->offsets[rank + 1] - a->offsets[rank];
        for (uint64_t i = 0; i < arcs; i++) to[i] = a->place[from[i]];
    }
});

WW_MAP2(row_length, uint64_t, uint64_t, begin, uint64_t, end, void, none, { return end - begin; });
WW_MAP(length_of, uint64_t, uint32_t, vertex, uint64_t, offsets, { return offsets[vertex + 1] - offsets[vertex]; });

/* The order, by `lengths` and `order`, which are for this alone, and each vertex's place in it. */
static ww_status sort_vertices(ww_graph *graph, uint64_t *lengths, uint32_t *order) {
    ww_device *device = graph->device;
    const uint64_t n = graph->vertices, *offsets = graph->offsets.data;
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = true;
    WW_TRY(ww_map2(device, &row_length_ww, ww_memory(offsets, n), ww_memory(offsets + 1, n), ww_array(lengths, n)));
    WW_TRY(ww_sort(device, ww_memory((const uint64_t *)lengths, n), ww_counting(&ww_type_uint32_t, 0, n),
                   ww_array(lengths, n), ww_array(order, n), &o));
    return ww_scatter(device, ww_counting(&ww_type_uint32_t, 0, n), ww_memory((const uint32_t *)order, n),
                      ww_array((uint32_t *)graph->place.data, n), ww_scatter_by(WW_CONFLICT_ANY));
}

static ww_status copy_rows(ww_graph *graph, const uint32_t *order) {
    ww_device *device = graph->device;
    const uint64_t n = graph->vertices;
    uint64_t *const offsets = graph->ordered_offsets.data;
    const copying a = {.from_offsets = graph->offsets.data,
                       .from_targets = graph->targets.data,
                       .order = order,
                       .place = graph->place.data,
                       .offsets = offsets,
                       .targets = graph->ordered_targets.data,
                       .vertices = n};
    WW_TRY(ww_fill(device, ww_array(offsets, 1), ww_value(uint64_t, 0)));
    WW_TRY(ww_scan(device, &ww_add, ww_mapped(ww_with_array(length_of, a.from_offsets, n + 1), ww_memory(order, n)),
                   ww_array(offsets + 1, n), NULL));
    return ww__graph_launch(graph, &copy_row_ww, &a, &copying_ww, n, graph->arcs);
}

ww_status ww__graph_by_degree(ww_graph *graph) {
    const uint64_t n = graph->vertices;
    ww__kept lengths = {NULL, 0}, order = {NULL, 0};
    if (graph->ordered_targets.data) return WW_OK;
    ww_status status = ww__kept_capacity(graph->device, &lengths, n, sizeof(uint64_t), 0);
    if (!status) status = ww__kept_capacity(graph->device, &order, n, sizeof(uint32_t), 0);
    if (!status) status = ww__kept_capacity(graph->device, &graph->place, n, sizeof(uint32_t), 0);
    if (!status) status = ww__kept_capacity(graph->device, &graph->ordered_offsets, n + 1, sizeof(uint64_t), 0);
    if (!status) status = sort_vertices(graph, lengths.data, order.data);
    if (!status) status = ww__kept_capacity(graph->device, &graph->ordered_targets, graph->arcs, sizeof(uint32_t), 0);
    if (!status) status = copy_rows(graph, order.data);
    if (status) ww__kept_drop(graph->device, &graph->ordered_targets);
    ww__kept_drop(graph->device, &lengths);
    ww__kept_drop(graph->device, &order);
    return status;
}
