/* Components: a forest of vertices, in which each names one that is not larger than itself, and roots name themselves. Every
 * arc joins the trees of its two ends: the larger one goes down to what it names, until both are one vertex, or the larger one
 * is a root, which is hooked on the smaller one (a compare and swap: if it still is a root). Going down halves the way for
 * those who come after. Then each vertex looks its root up, which is the smallest vertex of its component. Whatever the order,
 * vertices only ever name smaller ones, so that there are no circles.
 *
 * Of a graph that goes both ways two arcs of each row tell most (Sutton, Ben-Nun and Barak, Optimizing Parallel Graph Connectivity
 * Computation via Subgraph Sampling, 2018): the first, when vertices begin by naming its end, and the second. Of the vertices that are in
 * the largest tree then, by a sample, the rows need no look any more: who has an arc to one of them finds it in its own row. Where the
 * first arcs alone bring nearly all together, as in grids, the second are left out in the same way. */
#include "device/array.h"
#include "function/check.h"
#include "graph/graph.h"
#include "warpwise/primitive.h"

WW_STRUCT_USES((ww__walk), joining, {
    ww__walk walk;
    uint32_t *label;
    uint32_t *counts;
    uint64_t vertices;
    uint64_t first; /* of whole rows only these arcs */
    uint64_t last;
    bool skips;        /* vertices with the label in counts[4] are left out */
    uint32_t dominant; /* … which so many of 64 vertices are to have; else none is */
});

/* From what two vertices name on, one step at a time: the larger of two goes down to what it names, and where it names itself, to the
 * other. Rows, and labels of the first arcs' ends, are asked for eight at a time. */
WW_KERNEL_USES((ww__walk_end, ww__walk_vertex, ww__walk_first_arc, ww__walk_last_arc), join, joining, a, rank, {
    const uint64_t end_item = ww__walk_end(&a->walk, rank);
    const uint64_t *const offsets = a->walk.offsets;
    const uint32_t *const targets = a->walk.targets;
    uint32_t *const label = a->label;
    const uint64_t first = a->first;
    const uint64_t last = a->last;
    const uint64_t hub = a->walk.hub;
    const bool slices = a->walk.number;
    const bool skips = a->skips && !slices;
    const uint32_t most = skips ? a->counts[4] : 0;
    for (uint64_t item = rank * a->walk.group; item < end_item; item++) {
        if (item % 8 == 0 && !skips && !slices) {
            const uint64_t end = item + 8 < end_item ? item + 8 : end_item;
            for (uint64_t k = item; k < end; k++) ww_prefetch(targets + offsets[k]);
            for (uint64_t k = item; k < end; k++)
                if (offsets[k] + first < offsets[k + 1]) ww_prefetch(label + targets[offsets[k] + first]);
        }
        uint32_t vertex = (uint32_t)item;
        uint64_t i = 0;
        uint64_t end = 0;
        if (slices) {
            vertex = ww__walk_vertex(&a->walk, item);
            i = ww__walk_first_arc(&a->walk, item, vertex);
            end = ww__walk_last_arc(&a->walk, i, vertex);
        } else {
            if (skips && ww_load_relaxed(label + vertex) == most) continue;
            i = offsets[vertex];
            end = offsets[vertex + 1];
            end = end - i < last ? end : i + last;
            i = end - i < first ? end : i + first;
        }
        if (end - i > hub) {
            a->walk.hubs[ww_atomic_add(a->walk.hub_count, 1u)] = vertex;
            continue;
        }
        uint32_t mine = ww_load_relaxed(label + vertex);
        for (; i < end; i++) {
            uint32_t other = ww_load_relaxed(label + targets[i]);
            while (mine != other) {
                const uint32_t high = mine < other ? other : mine;
                const uint32_t low = mine < other ? mine : other;
                const uint32_t named = ww_load_relaxed(label + high);
                if (named == high) {
                    const uint32_t found = ww_atomic_cas(label + high, high, low);
                    other = found == high ? low : found;
                } else {
                    const uint32_t beyond = ww_load_relaxed(label + named);
                    if (beyond < named) ww_atomic_store(label + high, beyond);
                    other = named;
                }
                mine = low;
            }
        }
    }
});

/* Vertices name the first that an arc leads to, where that is smaller. */
WW_KERNEL(name_first, joining, a, rank, {
    const uint64_t begin = a->walk.offsets[rank < a->vertices ? rank : 0];
    if (rank < a->vertices) {
        const uint32_t other = begin < a->walk.offsets[rank + 1] ? a->walk.targets[begin] : (uint32_t)rank;
        a->label[rank] = other < (uint32_t)rank ? other : (uint32_t)rank;
    }
});

/* The label that most of 64 vertices have, which lie about as far from one another, if enough have. */
WW_KERNEL(look_for_most, joining, a, rank, {
    uint32_t labels[64];
    uint32_t best = a->dominant - 1;
    a->counts[4] = 0xFFFFFFFFu;
    for (uint32_t k = 0; k < 64; k++) labels[k] = a->label[(2 * k + 1 + rank) * a->vertices / 129];
    for (uint32_t k = 0; k < 64; k++) {
        uint32_t many = 0;
        for (uint32_t l = 0; l < 64; l++) many += labels[l] == labels[k];
        if (many > best) a->counts[4] = labels[k];
        best = many > best ? many : best;
    }
});

WW_KERNEL(look_up, joining, a, rank, {
    if (rank < a->vertices) {
        const uint32_t mine = ww_load_relaxed(a->label + rank);
        uint32_t root = mine;
        for (uint32_t named = ww_load_relaxed(a->label + root); named != root; named = ww_load_relaxed(a->label + root))
            root = named;
        if (root != mine) ww_atomic_store(a->label + rank, root);
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

/* Some arcs of each row, then labels that are roots. */
static ww_status join_some(ww_graph *graph, joining *a, uint64_t first, uint64_t last) {
    uint32_t counts[WW__GRAPH_COUNTS_MANY];
    a->first = first;
    a->last = last;
    WW_TRY(ww__graph_walk(graph, &join_ww, &joining_ww, &a->walk, NULL, graph->vertices, false, counts));
    return ww__graph_launch(graph, &look_up_ww, a, &joining_ww, graph->vertices, graph->vertices);
}

static ww_status choose_most(ww_graph *graph, joining *a, uint32_t dominant) {
    a->skips = true;
    a->dominant = dominant;
    return ww__graph_launch(graph, &look_for_most_ww, a, &joining_ww, 1, 0);
}

static ww_status join_all(ww_graph *graph, joining *a) {
    enum { SAMPLED = 2, DOMINANT = 48 }; /* arcs of each vertex; of 64 vertices, such that one arc was enough */
    WW_TRY(ww__graph_set_count(graph, WW__COUNT_HUBS, 0));
    a->counts = graph->work[WW__GRAPH_COUNTS].data;
    a->walk.offsets = graph->offsets.data;
    a->walk.targets = graph->targets.data;
    WW_TRY(ww__graph_launch(graph, &name_first_ww, a, &joining_ww, graph->vertices, graph->vertices));
    WW_TRY(ww__graph_launch(graph, &look_up_ww, a, &joining_ww, graph->vertices, graph->vertices));
    if (graph->info.both_ways && graph->arcs > 2 * graph->vertices) {
        WW_TRY(choose_most(graph, a, DOMINANT));
        WW_TRY(join_some(graph, a, 1, SAMPLED));
        WW_TRY(choose_most(graph, a, 1));
    }
    return join_some(graph, a, 0, UINT64_MAX);
}

ww_status ww_components(ww_graph *graph, ww_array labels, ww_array count) {
    static const char call[] = "ww_components";
    const bool wanted = !ww__is_none(&count);
    if (!graph) return WW_INVALID;
    ww_device *device = graph->device;
    const uint64_t n = graph->vertices;
    WW_TRY(ww__enter(device, call));
    WW_TRY(ww__leave(device, check(graph, &labels, &count)));
    WW_TRY(ww__graph_check_output(graph, call, "labels", &labels, NULL, "count", wanted ? &count : NULL));
    joining a = {.vertices = n};
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_VALUES, n, sizeof(uint32_t), &a.label));
    const ww_array label = ww_array(a.label, n);
    WW_TRY(join_all(graph, &a));
    if (wanted)
        WW_TRY(ww_reduce(device, &ww_add, ww_mapped2(&is_root_ww, ww_from(label), ww_counting(&ww_type_uint64_t, 0, n)),
                         count));
    WW_TRY(ww_store(device, ww_from(label), labels));
    return ww_sync(device);
}
