/* Making graphs. Of arcs: each becomes a key of 64 bits, its source above its target; keys are sorted, with the weights;
 * where a row begins is found by searching for its first possible key, all rows at once; targets are the keys' lower halves. */
#include <string.h>

#include "device/options.h"
#include "device/paper.h"
#include "graph/graph.h"
#include "warpwise/sort.h"

typedef unsigned long long ull;

static const uint64_t ARCS_MOST = (uint64_t)1 << 32;

/* ---- rows of keys ---- */

WW_MAP(first_key, uint64_t, uint64_t, vertex, void, none, { return vertex << 32; });
WW_MAP(target_of_key, uint32_t, uint64_t, key, void, none, { return (uint32_t)key; });

ww_status ww__graph_rows(ww_graph *graph, uint64_t arcs, ww__kept *keys, ww__kept *weights, ww__kept *offsets,
                         ww__kept *targets, ww__kept *weights_out) {
    const uint64_t starts = graph->vertices + 1;
    const ww_array sorted = ww_array((uint64_t *)keys->data, arcs);
    const ww_array with = weights ? ww_array((uint32_t *)weights->data, arcs) : ww_none;
    WW_TRY(ww_sort(graph->device, ww_from(sorted), weights ? ww_from(with) : ww_no_input, sorted, with, NULL));
    WW_TRY(ww__kept_capacity(graph->device, offsets, starts, sizeof(uint64_t), 0));
    WW_TRY(ww__kept_capacity(graph->device, targets, arcs, sizeof(uint32_t), 0));
    WW_TRY(ww_lower_bound(graph->device, NULL, ww_from(sorted),
                          ww_mapped(&first_key_ww, ww_counting(&ww_type_uint64_t, 0, starts)),
                          ww_array((uint64_t *)offsets->data, starts)));
    WW_TRY(ww_map(graph->device, &target_of_key_ww, ww_from(sorted), ww_array((uint32_t *)targets->data, arcs)));
    if (weights) {
        *weights_out = *weights;
        *weights = (ww__kept){NULL, 0};
    }
    return WW_OK;
}

/* ---- checks of what is given ---- */

/* Of the first part of a call, which looks at everything but the data. */
typedef struct given {
    const char *call;
    uint64_t vertices, arcs; /* arcs: as given, one way */
    const ww_input *weight;  /* NULL: none */
    bool both_ways;
} given;

static ww_status check_arcs(ww_device *device, const char *name, const ww_input *input, uint64_t arcs) {
    WW_CHECK(device, input->type, WW_INVALID, "%s is missing", name);
    WW_CHECK(device, input->type == &ww_type_uint32_t, WW_TYPE, "%s is of %s, and vertices are u32", name,
             input->type->label);
    WW_CHECK(device, input->count == arcs, WW_INVALID, "to has %llu arcs, %s %llu", (ull)arcs, name, (ull)input->count);
    return WW_OK;
}

static ww_status check(ww_device *device, const ww_input *to, const ww_input *weight, const ww_graph_options *options,
                       bool twice, ww_graph **graph, given *g) {
    ww_graph_options o;
    WW_CHECK(device, graph, WW_INVALID, "graph is NULL");
    *graph = NULL;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__take_options(device, options, "WW_GRAPH_OPTIONS", &o, sizeof o));
    WW_CHECK(device, g->vertices < WW_NO_VERTEX + (uint64_t)1, WW_LIMIT,
             "there are %llu vertices, and at most 2^32 - 1 can be", (ull)g->vertices);
    WW_TRY(check_arcs(device, "to", to, to->count));
    WW_CHECK(device, to->count <= ARCS_MOST / (twice && o.both_ways ? 2 : 1), WW_LIMIT,
             "there are %llu arcs%s, and at most 2^32 can be", (ull)to->count, o.both_ways ? " and as many back" : "");
    if (weight->type) {
        WW_CHECK(device, weight->type == &ww_type_uint32_t || weight->type == &ww_type_float, WW_TYPE,
                 "weight is of %s, and weights are u32 or f32", weight->type->label);
        WW_CHECK(device, weight->count == to->count, WW_INVALID, "to has %llu arcs, weight %llu", (ull)to->count,
                 (ull)weight->count);
        g->weight = weight;
    }
    g->arcs = to->count;
    g->both_ways = o.both_ways;
    return WW_OK;
}

static ww_status allocate(ww_device *device, const given *g, ww_graph **made) {
    ww_graph *graph = ww__allocate(device, sizeof *graph, _Alignof(ww_graph));
    if (!graph) return ww__no_memory(device, sizeof *graph);
    memset(graph, 0, sizeof *graph);
    graph->device = device;
    graph->vertices = g->vertices;
    *made = graph;
    return WW_OK;
}

/* ---- the data ---- */

WW_MAP2(key_of, uint64_t, uint32_t, from, uint32_t, to, void, none, { return (uint64_t)from << 32 | to; });

/* Positions of what is wrong, and beyond all of them for what is right. */
WW_MAP2(wrong_key, uint64_t, uint64_t, key, uint64_t, position, uint64_t, vertices,
        { return key >> 32 < *vertices && (uint32_t)key < *vertices ? 0xFFFFFFFFFFFFFFFFu : position; });
WW_MAP2(wrong_target, uint64_t, uint32_t, to, uint64_t, position, uint64_t, vertices,
        { return to < *vertices ? 0xFFFFFFFFFFFFFFFFu : position; });
WW_MAP2(wrong_weight, uint64_t, uint32_t, bits, uint64_t, position, void, none,
        { return bits < 0x7F800000u || bits == 0x80000000u ? 0xFFFFFFFFFFFFFFFFu : position; });

/* The first position that a WW_MAP2 of elements and positions gives; UINT64_MAX where all are right. */
static ww_status first_wrong(ww_device *device, const ww_function *wrong, ww_input in, uint64_t *position) {
    const ww_input positions = ww_counting(&ww_type_uint64_t, 0, in.count);
    return ww_reduce(device, &ww_min, ww_mapped2(wrong, in, positions), ww_array(position, 1));
}

static ww_status take_weights(ww_graph *graph, const given *g, ww__kept *block) {
    ww_device *device = graph->device;
    const bool floats = g->weight->type == &ww_type_float;
    const uint64_t times = g->both_ways ? 2 : 1;
    uint64_t position;
    float bad;
    WW_TRY(ww__kept_capacity(graph->device, block, g->arcs * times, sizeof(uint32_t), 0));
    for (uint64_t part = 0; part < times; part++)
        WW_TRY(ww_store(device, *g->weight,
                        ww_array_of((uint32_t *)block->data + part * g->arcs, g->arcs, g->weight->type)));
    if (!floats) return WW_OK;
    WW_TRY(first_wrong(device, &wrong_weight_ww, ww_memory((const uint32_t *)block->data, g->arcs), &position));
    if (position == UINT64_MAX) return WW_OK;
    WW_TRY(ww_copy(device, ww_memory((const float *)block->data + position, 1), ww_array(&bad, 1)));
    return ww__fail_call(device, g->call, WW_INVALID, "arc %llu has weight %g, and weights are finite and not below 0",
                         (ull)position, (double)bad);
}

static ww_status take_keys(ww_graph *graph, const given *g, const ww_input *from, const ww_input *to, ww__kept *block) {
    ww_device *device = graph->device;
    const uint64_t vertices = graph->vertices, times = g->both_ways ? 2 : 1;
    uint64_t position, key;
    WW_TRY(ww__kept_capacity(graph->device, block, g->arcs * times, sizeof(uint64_t), 0));
    uint64_t *keys = block->data;
    WW_TRY(ww_map2(device, &key_of_ww, *from, *to, ww_array(keys, g->arcs)));
    if (g->both_ways) WW_TRY(ww_map2(device, &key_of_ww, *to, *from, ww_array(keys + g->arcs, g->arcs)));
    WW_TRY(first_wrong(device, ww_with(wrong_key, &vertices), ww_memory((const uint64_t *)keys, g->arcs), &position));
    if (position == UINT64_MAX) return WW_OK;
    WW_TRY(ww_copy(device, ww_memory((const uint64_t *)keys + position, 1), ww_array(&key, 1)));
    return ww__fail_call(device, g->call, WW_RANGE, "arc %llu goes from %llu to %llu, and there are %llu vertices",
                         (ull)position, (ull)(key >> 32), (ull)(key & UINT32_MAX), (ull)vertices);
}

static ww_status build(ww_graph *graph, const given *g, const ww_input *from, const ww_input *to) {
    ww__kept keys = {NULL, 0}, weights = {NULL, 0};
    graph->arcs = g->arcs * (g->both_ways ? 2 : 1);
    ww_status status = take_keys(graph, g, from, to, &keys);
    if (!status && g->weight) status = take_weights(graph, g, &weights);
    if (!status)
        status = ww__graph_rows(graph, graph->arcs, &keys, g->weight ? &weights : NULL, &graph->offsets,
                                &graph->targets, &graph->weights);
    ww__kept_drop(graph->device, &keys);
    ww__kept_drop(graph->device, &weights);
    return status;
}

/* ---- rows that are there ---- */

WW_MAP(wrong_offset, uint64_t, uint64_t, position, uint64_t, offsets,
       { return offsets[position] <= offsets[position + 1] ? 0xFFFFFFFFFFFFFFFFu : position + 1; });

static ww_status take_offsets(ww_graph *graph, const given *g, const ww_input *offsets) {
    ww_device *device = graph->device;
    const uint64_t n = graph->vertices;
    uint64_t position, first, last;
    WW_TRY(ww__kept_capacity(graph->device, &graph->offsets, n + 1, sizeof(uint64_t), 0));
    const uint64_t *data = graph->offsets.data;
    WW_TRY(ww_store(device, *offsets, ww_array((uint64_t *)graph->offsets.data, n + 1)));
    WW_TRY(ww_copy(device, ww_memory(data, 1), ww_array(&first, 1)));
    WW_TRY(ww_copy(device, ww_memory(data + n, 1), ww_array(&last, 1)));
    if (first || last != g->arcs)
        return ww__fail_call(device, g->call, WW_INVALID, "offsets go from %llu to %llu, and to has %llu arcs",
                             (ull)first, (ull)last, (ull)g->arcs);
    WW_TRY(ww_reduce(device, &ww_min,
                     ww_mapped(ww_with_array(wrong_offset, data, n + 1), ww_counting(&ww_type_uint64_t, 0, n)),
                     ww_array(&position, 1)));
    if (position == UINT64_MAX) return WW_OK;
    return ww__fail_call(device, g->call, WW_INVALID, "offset %llu is below the one before it", (ull)position);
}

static ww_status take_rows(ww_graph *graph, given *g, const ww_input *offsets, const ww_input *to) {
    ww_device *device = graph->device;
    const uint64_t vertices = graph->vertices;
    uint64_t position;
    uint32_t bad;
    graph->arcs = g->arcs;
    WW_TRY(take_offsets(graph, g, offsets));
    WW_TRY(ww__kept_capacity(graph->device, &graph->targets, g->arcs, sizeof(uint32_t), 0));
    const uint32_t *targets = graph->targets.data;
    WW_TRY(ww_store(device, *to, ww_array((uint32_t *)graph->targets.data, g->arcs)));
    WW_TRY(first_wrong(device, ww_with(wrong_target, &vertices), ww_memory(targets, g->arcs), &position));
    if (position != UINT64_MAX) {
        WW_TRY(ww_copy(device, ww_memory(targets + position, 1), ww_array(&bad, 1)));
        return ww__fail_call(device, g->call, WW_RANGE, "arc %llu goes to %u, and there are %llu vertices",
                             (ull)position, bad, (ull)vertices);
    }
    g->both_ways = false; /* the opposite arcs are among these */
    return g->weight ? take_weights(graph, g, &graph->weights) : WW_OK;
}

/* ---- the public functions ---- */

/* The rest of both calls: a graph that could not be made is destroyed. */
static ww_status finish(ww_graph *made, const given *g, bool both_ways, ww_status status, ww_graph **graph) {
    if (!status) status = ww__graph_look(made, g->weight ? g->weight->type : NULL, both_ways);
    if (!status) status = ww_sync(made->device);
    if (status)
        ww_graph_destroy(made);
    else
        *graph = made;
    return status;
}

ww_status ww_graph_create(ww_device *device, uint64_t vertices, ww_input from, ww_input to, ww_input weight,
                          const ww_graph_options *options, ww_graph **graph) {
    given g = {.call = "ww_graph_create", .vertices = vertices};
    ww_graph *made = NULL;
    WW_TRY(ww__enter(device, g.call));
    ww_status status = check(device, &to, &weight, options, true, graph, &g);
    if (!status) status = check_arcs(device, "from", &from, to.count);
    if (!status) status = allocate(device, &g, &made);
    WW_TRY(ww__leave(device, status));
    status = ww__graph_plan_of(device, &made->plan);
    if (!status) status = build(made, &g, &from, &to);
    return finish(made, &g, g.both_ways, status, graph);
}

static ww_status check_offsets(ww_device *device, const ww_input *offsets) {
    WW_CHECK(device, offsets->type, WW_INVALID, "offsets is missing");
    WW_CHECK(device, offsets->type == &ww_type_uint64_t, WW_TYPE, "offsets are of %s, and have to be u64",
             offsets->type->label);
    WW_CHECK(device, offsets->count, WW_INVALID, "offsets is empty; it has one element more than there are vertices");
    return WW_OK;
}

ww_status ww_graph_create_rows(ww_device *device, ww_input offsets, ww_input to, ww_input weight,
                               const ww_graph_options *options, ww_graph **graph) {
    given g = {.call = "ww_graph_create_rows", .vertices = offsets.count ? offsets.count - 1 : 0};
    ww_graph *made = NULL;
    WW_TRY(ww__enter(device, g.call));
    ww_status status = check(device, &to, &weight, options, false, graph, &g);
    if (!status) status = check_offsets(device, &offsets);
    if (!status) status = allocate(device, &g, &made);
    WW_TRY(ww__leave(device, status));
    const bool both_ways = g.both_ways;
    status = ww__graph_plan_of(device, &made->plan);
    if (!status) status = take_rows(made, &g, &offsets, &to);
    return finish(made, &g, both_ways, status, graph);
}

void ww_graph_destroy(ww_graph *graph) {
    if (!graph) return;
    ww__kept *const blocks[] = {&graph->offsets,      &graph->targets,         &graph->weights,
                                &graph->back_offsets, &graph->back_targets,    &graph->by_weight,
                                &graph->place,        &graph->ordered_offsets, &graph->ordered_targets};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) ww__kept_drop(graph->device, blocks[b]);
    for (size_t b = 0; b < WW__GRAPH_WORKS; b++) ww__kept_drop(graph->device, &graph->work[b]);
    ww__release(graph->device, graph, sizeof *graph);
}
