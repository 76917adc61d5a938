/* See graph_calls.h. How a search goes on depends on what the host reads of the GPU's memory: positions of what is wrong (all bits are
 * set where nothing is), lengths of frontiers and piles. So the driver is told what to answer: n as often as the variant says, then
 * n for piles alone, then 0, which ends every loop. That then something does not fit together, or a distance is too long, is no mistake. */
#include "graph_calls.h"

#include "compile_only.h"
#include "device/gpu/gpu.h"
#include "device/gpu/record.h"
#include "graph/graph.h"

enum { ARCS_EACH = 4, BFS = WW_SSSP_BUCKETS + 1, OTHERS };
_Static_assert(2 * (OTHERS + 1) * GRAPH_DEPTHS == GRAPH_VARIANTS, "a call each");

static void *at(unsigned place) { return (void *)(((uintptr_t)1 << 61) + ((uintptr_t)place << 40)); }

/* What the next copies from the GPU's memory give, behind those that have been told before; and forgetting these. */
static void answer(compile_only *c, uint32_t word, uint32_t where, size_t times) {
    for (size_t k = 0; k < times && c->answers < COMPILE_ONLY_ANSWERS; k++)
        c->answer[c->answers++] = (compile_only_answer){word, where};
}
static void forget(compile_only *c) { c->answers = c->answered = 0; }

static ww_status paths(ww_graph *graph, const ww_type *weight, uint64_t n, uint32_t method, bool predecessors) {
    const ww_type *const type = method == BFS              ? &ww_type_uint32_t
                                : weight == &ww_type_float ? &ww_type_float
                                                           : &ww_type_uint64_t;
    const ww_array found = ww_array_of(at(4), n, type);
    const ww_input source = ww_memory((const uint32_t *)at(5), 1);
    ww_sssp_options o = WW_SSSP_OPTIONS;
    const ww_array before = predecessors ? ww_array((uint32_t *)at(6), n) : ww_none;
    o.method = method;
    return method == BFS ? ww_bfs(graph, source, found, before) : ww_sssp(graph, source, found, before, &o, NULL);
}

static ww_status others(ww_graph *graph, uint64_t n) {
    ww_pagerank_options o = WW_PAGERANK_OPTIONS;
    const ww_status status = ww_components(graph, ww_array((uint32_t *)at(4), n), ww_none);
    o.iterations = 2;
    return status ? status : ww_pagerank(graph, ww_array((double *)at(4), n), &o, NULL);
}

ww_status graph_calls(ww_device *device, const ww_type *weight, uint64_t n, size_t variant) {
    const uint64_t arcs = ARCS_EACH * n;
    const bool weighted = weight != &ww_type_uint8_t;
    const uint32_t call = (uint32_t)(variant / GRAPH_DEPTHS % (OTHERS + 1));
    const uint32_t *const from = at(1), *const to = at(2);
    compile_only *const c = (compile_only *)(void *)device->gpu->driver;
    ww_graph *graph = NULL;
    c->host_apart = true;
    c->kept_zero = device->gpu->record ? device->gpu->record->memory : NULL; /* what bad data was found: none */
    answer(c, UINT32_MAX, UINT32_MAX, COMPILE_ONLY_ANSWERS);
    ww_status status = ww_graph_create(device, n, ww_memory(from, arcs), ww_memory(to, arcs),
                                       weighted ? ww_memory_of(at(3), arcs, weight) : ww_no_input, NULL, &graph);
    forget(c);
    if (graph && variant >= GRAPH_VARIANTS / 2) graph->info.degree_most = 1;
    for (int predecessors = 0; !status && predecessors <= (call < OTHERS); predecessors++) {
        answer(c, UINT32_MAX, UINT32_MAX, call < OTHERS); /* the source is right */
        answer(c, (uint32_t)n, UINT32_MAX, variant % GRAPH_DEPTHS);
        answer(c, (uint32_t)n, 1 << WW__COUNT_PILE, COMPILE_ONLY_ANSWERS);
        status = call == OTHERS ? others(graph, n) : paths(graph, weight, n, call, predecessors);
        if (status != WW_COMPILE && status != WW_UNSUPPORTED && status != WW_LOST) status = WW_OK;
        forget(c);
    }
    c->host_apart = false;
    ww_graph_destroy(graph);
    return status == WW_COMPILE || status == WW_UNSUPPORTED || status == WW_LOST ? status : WW_OK;
}
