/* Components: a forest of vertices, in which each names one that is not larger than itself, and roots name themselves. Every
 * arc joins the trees of its two ends: the larger one goes down to what it names, until both are one vertex, or the larger one
 * is a root, which is hooked on the smaller one (a compare and swap: if it still is a root). Going down halves the way for
 * those who come after. Then each vertex looks its root up, which is the smallest vertex of its component. Whatever the order,
 * vertices only ever name smaller ones, so that there are no circles. */
#include "device/array.h"
#include "function/check.h"
#include "graph/graph.h"
#include "warpwise/primitive.h"

WW_STRUCT_USES((ww__walk), joining, {
    ww__walk walk;
    uint32_t *label;
    uint64_t vertices;
});

/* From a vertex on, one step at a time: the larger of two goes down to what it names, and where it names itself, to the
 * other. */
WW_KERNEL_USES((ww__walk_end, ww__walk_vertex, ww__walk_first_arc, ww__walk_last_arc), join, joining, a, rank, {
    const uint64_t last = ww__walk_end(&a->walk, rank);
    for (uint64_t item = rank * a->walk.group; item < last; item++) {
        const uint32_t vertex = ww__walk_vertex(&a->walk, item);
        const uint64_t begin = ww__walk_first_arc(&a->walk, item, vertex);
        const uint64_t end = ww__walk_last_arc(&a->walk, begin, vertex);
        if (end - begin > a->walk.hub) {
            a->walk.hubs[ww_atomic_add(a->walk.hub_count, 1u)] = vertex;
            continue;
        }
        uint32_t mine = vertex;
        for (uint64_t i = begin; i < end; i++) {
            uint32_t other = a->walk.targets[i];
            while (mine != other) {
                const uint32_t high = mine < other ? other : mine;
                const uint32_t low = mine < other ? mine : other;
                const uint32_t named = ww_load_relaxed(a->label + high);
                if (named == high) {
                    const uint32_t found = ww_atomic_cas(a->label + high, high, low);
                    other = found == high ? low : found;
                } else {
                    const uint32_t beyond = ww_load_relaxed(a->label + named);
                    if (beyond < named) ww_atomic_min(a->label + high, beyond);
                    other = named;
                }
                mine = low;
            }
        }
    }
});

WW_KERNEL(look_up, joining, a, rank, {
    if (rank < a->vertices) {
        uint32_t root = (uint32_t)rank;
        for (uint32_t named = ww_load_relaxed(a->label + root); named != root; named = ww_load_relaxed(a->label + root))
            root = named;
        ww_atomic_min(a->label + rank, root);
    }
});

WW_MAP2(is_root, uint64_t, uint32_t, label, uint64_t, vertex, void, none, { return label == vertex; });

static ww_status check(const ww_graph *graph, const ww_array *labels, const ww_array *count) {
    ww_device *device = graph->device;
    WW_CHECK(device, !ww__is_none(labels), WW_INVALID, "labels is missing");
    WW_CHECK(device, labels->type == &ww_type_uint32_t, WW_TYPE, "labels are of %s, and vertices are u32",
             labels->type ? labels->type->label : "no type");
    if (ww__is_none(count)) return WW_OK;
    WW_TRY(ww__check_any_array(device, "count", count));
    WW_CHECK(device, count->count == 1, WW_INVALID, "count has %llu elements, and is one number",
             (unsigned long long)count->count);
    WW_CHECK(device, count->type == &ww_type_uint64_t, WW_TYPE, "count is of %s, and has to be u64",
             count->type->label);
    return WW_OK;
}

ww_status ww_components(ww_graph *graph, ww_array labels, ww_array count) {
    static const char call[] = "ww_components";
    const bool wanted = !ww__is_none(&count);
    if (!graph) return WW_INVALID;
    ww_device *device = graph->device;
    const uint64_t n = graph->vertices;
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    WW_TRY(ww__enter(device, call));
    WW_TRY(ww__leave(device, check(graph, &labels, &count)));
    WW_TRY(ww__graph_check_output(graph, call, "labels", &labels, NULL, "count", wanted ? &count : NULL));
    joining a = {.vertices = n};
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, sizeof(uint32_t), &a.label));
    const ww_array label = ww_array(a.label, n);
    WW_TRY(ww__graph_set_count(graph, WW__COUNT_HUBS, 0));
    WW_TRY(ww_store(device, ww_counting(&ww_type_uint32_t, 0, n), label));
    WW_TRY(ww__graph_walk(graph, &join_ww, &joining_ww, &a.walk, NULL, n, false, counts));
    WW_TRY(ww__graph_launch(graph, &look_up_ww, &a, &joining_ww, n, n));
    if (wanted)
        WW_TRY(ww_reduce(device, &ww_add, ww_mapped2(&is_root_ww, ww_from(label), ww_counting(&ww_type_uint64_t, 0, n)),
                         count));
    WW_TRY(ww_store(device, ww_from(label), labels));
    return ww_sync(device);
}
