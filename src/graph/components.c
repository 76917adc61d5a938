/* Components: a forest of vertices, in which each names one that is not larger than itself, and roots name themselves. Every arc
 * joins the trees of its two ends: the larger root is hooked on the smaller one, if it still is a root, and else what has been found
 * instead is joined. Looking for a root halves the way for those who come after. When no arc is left each vertex looks its
 * root up, which is the smallest vertex of its component. Whatever the order, hooks go downwards, so that there are no circles. */
#include "device/array.h"
#include "function/check.h"
#include "graph/graph.h"
#include "warpwise/primitive.h"

WW_STRUCT_USES((ww__walk), joining, {
    ww__walk walk;
    uint32_t *label;
    uint64_t vertices;
});

WW_FUNCTION(root_of, uint32_t, (uint32_t * label, uint32_t vertex), {
    uint32_t at = vertex;
    uint32_t next = ww_load_relaxed(label + at);
    while (next < at) {
        const uint32_t beyond = ww_load_relaxed(label + next);
        if (beyond < next) ww_atomic_min(label + at, beyond);
        at = next;
        next = beyond;
    }
    return at;
});

WW_FUNCTION(
    join, void, (const joining *a, uint32_t vertex, uint64_t begin, uint64_t end),
    {
        uint32_t mine = root_of(a->label, vertex);
        for (uint64_t i = begin; i < end; i++) {
            uint32_t other = root_of(a->label, a->walk.targets[i]);
            while (mine != other) {
                const uint32_t high = mine < other ? other : mine;
                const uint32_t low = mine < other ? mine : other;
                const uint32_t found = ww_atomic_cas(a->label + high, high, low);
                mine = low;
                other = found == high ? low : root_of(a->label, found);
            }
        }
    },
    root_of, joining);
WW__WALK_KERNELS(join, joining, join);

WW_KERNEL_USES((root_of), look_up, joining, a, rank, {
    if (rank < a->vertices) {
        const uint32_t root = root_of(a->label, (uint32_t)rank);
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
    WW_TRY(ww__graph_walk(graph, &join_rows_ww, &join_slices_ww, &joining_ww, &a.walk, n, false, counts));
    WW_TRY(ww__graph_launch(graph, &look_up_ww, &a, &joining_ww, n, n));
    if (wanted)
        WW_TRY(ww_reduce(device, &ww_add, ww_mapped2(&is_root_ww, ww_from(label), ww_counting(&ww_type_uint64_t, 0, n)),
                         count));
    WW_TRY(ww_store(device, ww_from(label), labels));
    return ww_sync(device);
}
