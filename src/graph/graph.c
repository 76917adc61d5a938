/* What a graph is: its rows, what can be said of them, and the checks that all calls on graphs make. */

#include "graph/graph.h"
#include "device/array.h"
#include "device/options.h"
#include "device/paper.h"
#include "function/check.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

ww_array ww_graph_offsets(const ww_graph *graph) {
    return graph ? ww_array((uint64_t *)graph->offsets.data, graph->vertices + 1) : ww_none;
}
ww_array ww_graph_targets(const ww_graph *graph) {
    return graph ? ww_array((uint32_t *)graph->targets.data, graph->arcs) : ww_none;
}
ww_array ww_graph_weights(const ww_graph *graph) {
    return graph && graph->info.weight ? ww_array_of(graph->weights.data, graph->arcs, graph->info.weight) : ww_none;
}

/* ---- what is said of it ---- */

WW_MAP2(row_length, uint64_t, uint64_t, begin, uint64_t, end, void, none, { return end - begin; });
WW_MAP2(row_is_empty, uint64_t, uint64_t, begin, uint64_t, end, void, none, { return begin == end; });
WW_MAP2(is_loop, uint64_t, uint32_t, from, uint32_t, to, void, none, { return from == to; });
WW_MAP(real_of_whole, double, uint32_t, x, void, none, { return x; });
WW_MAP(real_of_float, double, float, x, void, none, { return x; });

static ww_status look_at_rows(ww_graph *graph) {
    ww_device *device = graph->device;
    const uint64_t *offsets = graph->offsets.data;
    const ww_input begins = ww_memory(offsets, graph->vertices), ends = ww_memory(offsets + 1, graph->vertices);
    WW_TRY(ww_reduce(device, &ww_max, ww_mapped2(&row_length_ww, begins, ends), ww_array(&graph->info.degree_most, 1)));
    return ww_reduce(device, &ww_add, ww_mapped2(&row_is_empty_ww, begins, ends), ww_array(&graph->info.rows_empty, 1));
}

static ww_status look_for_loops(ww_graph *graph) {
    const uint64_t *offsets = graph->offsets.data;
    ww__kept block = {NULL, 0};
    ww_status status = ww__kept_capacity(graph->device, &block, graph->arcs, sizeof(uint32_t), 0);
    const ww_array from = ww_array((uint32_t *)block.data, graph->arcs);
    if (!status)
        status = ww_expand_offsets(graph->device, ww_no_input, ww_memory(offsets, graph->vertices + 1), ww_none, from,
                                   ww_none);
    if (!status)
        status = ww_reduce(graph->device, &ww_add,
                           ww_mapped2(&is_loop_ww, ww_from(from), ww_from(ww_graph_targets(graph))),
                           ww_array(&graph->info.loops, 1));
    ww__kept_drop(graph->device, &block);
    return status;
}

static ww_status look_at_weights(ww_graph *graph, const ww_type *type) {
    const ww_input weights = ww_memory_of(graph->weights.data, graph->arcs, type);
    const ww_input reals = ww_mapped(type == &ww_type_float ? &real_of_float_ww : &real_of_whole_ww, weights);
    double sum;
    WW_TRY(ww_reduce(graph->device, &ww_min, reals, ww_array(&graph->info.weight_least, 1)));
    WW_TRY(ww_reduce(graph->device, &ww_max, reals, ww_array(&graph->info.weight_most, 1)));
    WW_TRY(ww_reduce(graph->device, &ww_add, reals, ww_array(&sum, 1)));
    graph->info.weight_mean = sum / (double)graph->arcs;
    return WW_OK;
}

ww_status ww__graph_look(ww_graph *graph, const ww_type *weight, bool both_ways) {
    graph->info.vertices = graph->vertices;
    graph->info.arcs = graph->arcs;
    graph->info.weight = weight;
    graph->info.both_ways = both_ways;
    if (graph->vertices) WW_TRY(look_at_rows(graph));
    if (!graph->arcs) return WW_OK;
    graph->info.weight_least = graph->info.weight_most = graph->info.weight_mean = 1;
    WW_TRY(look_for_loops(graph));
    return weight ? look_at_weights(graph, weight) : WW_OK;
}

ww_status ww_graph_info_get(const ww_graph *graph, ww_graph_info *info) {
    if (!graph) return WW_INVALID;
    WW_TRY(ww__enter(graph->device, "ww_graph_info_get"));
    return ww__leave(graph->device,
                     ww__give_struct(graph->device, &graph->info, "WW_GRAPH_INFO", info, sizeof graph->info));
}

/* ---- checks ---- */

static ww_status check_output(const ww_graph *graph, const char *name, const ww_array *array, const ww_input *input,
                              const char *other_name, const ww_array *other) {
    ww_device *device = graph->device;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__check_any_array(device, name, array));
    WW_CHECK(device, array->count == graph->vertices, WW_INVALID, "there are %llu vertices, and %s has %llu elements",
             (ull)graph->vertices, name, (ull)array->count);
    if (input) WW_TRY(ww__check_apart(device, "sources", input, name, array, WW__APART));
    return other ? ww__check_outputs_apart(device, name, array, other_name, other) : WW_OK;
}

ww_status ww__graph_check_output(const ww_graph *graph, const char *call, const char *name, const ww_array *array,
                                 const ww_input *input, const char *other_name, const ww_array *other) {
    WW_TRY(ww__enter(graph->device, call));
    return ww__leave(graph->device, check_output(graph, name, array, input, other_name, other));
}

/* ---- sources ---- */

WW_MAP2(wrong_source, uint64_t, uint32_t, source, uint64_t, position, uint64_t, vertices,
        { return source < *vertices ? 0xFFFFFFFFFFFFFFFFu : position; });

static ww_status check_sources(ww_device *device, const ww_input *sources) {
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, sources->type, WW_INVALID, "sources is missing");
    WW_CHECK(device, sources->type == &ww_type_uint32_t, WW_TYPE, "sources are of %s, and vertices are u32",
             sources->type->label);
    WW_CHECK(device, sources->count, WW_INVALID, "there is no source");
    return WW_OK;
}

ww_status ww__graph_sources(ww_graph *graph, const char *call, ww_input sources, uint32_t **copy) {
    ww_device *device = graph->device;
    const uint64_t vertices = graph->vertices;
    uint64_t position;
    uint32_t bad;
    WW_TRY(ww__enter(device, call));
    WW_TRY(ww__leave(device, check_sources(device, &sources)));
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_SOURCES, sources.count, sizeof **copy, copy));
    const ww_array to = ww_array(*copy, sources.count);
    WW_TRY(ww_store(device, sources, to));
    WW_TRY(ww_reduce(
        device, &ww_min,
        ww_mapped2(ww_with(wrong_source, &vertices), ww_from(to), ww_counting(&ww_type_uint64_t, 0, sources.count)),
        ww_array(&position, 1)));
    if (position == UINT64_MAX) return WW_OK;
    WW_TRY(ww_copy(device, ww_memory((const uint32_t *)*copy + position, 1), ww_array(&bad, 1)));
    return ww__fail_call(device, call, WW_RANGE, "source %llu is %u, and there are %llu vertices", (ull)position, bad,
                         (ull)vertices);
}
