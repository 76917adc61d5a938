/* ww_sssp and ww_bfs: every method, shape, kind of weights and of distances against the oracle, byte for byte, with
 * predecessors; several sources; sums that are too long; widths of all sizes. Graphs that go both ways, whose arcs are left for
 * later, small against the oracle and large against Dijkstra's algorithm. */
#include <math.h>
#include <stdio.h>

#include "support/graphs.h"

static const char *const methods[] = {"auto", "dijkstra", "bellman-ford", "near-far", "buckets-sort", "buckets"};

typedef struct wanted {
    reference_kind kind;
    uint64_t *distance;
    uint32_t *predecessor, lowest;
} wanted;

static const ww_type *type_of(reference_kind kind) {
    return kind == DISTANCE_U32 ? &ww_type_uint32_t : kind == DISTANCE_U64 ? &ww_type_uint64_t : &ww_type_float;
}

/* Oracles' distances as the call gives them. */
static void expect_distances(const wanted *w, const void *got, size_t n) {
    const size_t size = type_of(w->kind)->size;
    char *bytes = need(n * size + 1);
    for (size_t v = 0; v < n; v++) {
        uint64_t d = w->distance[v];
        if (d == UINT64_MAX && w->kind == DISTANCE_F32) d = 0x7F800000u;
        memcpy(bytes + v * size, &d, size); /* little-endian */
    }
    expect_elements(got, bytes, n, size);
    free(bytes);
}

/* Predecessors lead to a source from everywhere, on no circle. */
static void expect_trees(const wanted *w, const uint32_t *predecessor, size_t n) {
    for (size_t v = 0; v < n; v++) {
        size_t at = v, steps = 0;
        while (predecessor[at] != WW_NO_VERTEX && steps <= n) at = predecessor[at], steps++;
        expect(steps < n && (w->distance[v] == UINT64_MAX ? at == v : w->distance[at] == 0));
    }
}

static void try_call(ww_device *device, ww_graph *graph, const test_graph *g, const uint32_t *sources, size_t many,
                     const wanted *w, ww_sssp_options o) {
    const size_t n = g->arcs.n;
    guarded distances = guarded_new(n * type_of(w->kind)->size), predecessors = guarded_new(4 * n);
    ww_sssp_report report = WW_SSSP_REPORT;
    const ww_status status = ww_sssp(graph, ww_memory(sources, many), ww_array_of(distances.data, n, type_of(w->kind)),
                                     ww_array((uint32_t *)predecessors.data, n), &o, &report);
    expect_status(device, status, w->lowest == WW_NO_VERTEX ? WW_OK : WW_LIMIT);
    if (status) {
        char vertex[32];
        snprintf(vertex, sizeof vertex, "vertex %u is", w->lowest);
        expect_sentence(device, vertex, type_of(w->kind)->label);
    }
    expect_distances(w, distances.data, n);
    expect_bytes(predecessors.data, w->predecessor, 4 * n);
    expect_trees(w, predecessors.data, n);
    expect(report.method >= WW_SSSP_DIJKSTRA && (!o.method || report.method == o.method));
    expect(report.rounds && report.expanded && (report.method >= WW_SSSP_NEAR_FAR) == (report.width > 0));
    expect(!(o.width > 0) || report.method < WW_SSSP_NEAR_FAR || report.width >= o.width * 0.999);
    guarded_check(&distances);
    guarded_check(&predecessors);
    guarded_free(&distances);
    guarded_free(&predecessors);
}

/* Some methods, with widths that make one bucket of all, and very many. */
typedef struct some_methods {
    uint32_t first, last;
} some_methods;
static const some_methods all_methods = {WW_SSSP_AUTO, WW_SSSP_BUCKETS};
static const some_methods near_far = {WW_SSSP_NEAR_FAR, WW_SSSP_NEAR_FAR};

static void try_methods(ww_device *device, ww_graph *graph, const test_graph *g, const uint32_t *sources, size_t many,
                        const wanted *w, some_methods some, const char *text) {
    static const double widths[] = {0, 3, 1e12};
    for (uint32_t method = some.first; method <= some.last; method++)
        for (size_t k = 0; k < (method < WW_SSSP_NEAR_FAR ? 1 : on_emulator() ? 2 : 3); k++) {
            ww_sssp_options o = WW_SSSP_OPTIONS;
            o.method = method;
            o.width = widths[k] * (w->kind == DISTANCE_F32 && k == 1 ? 0.01 : 1);
            CASE("sssp", "%s %s %s width=%g", text, type_of(w->kind)->label, methods[method], o.width);
            if (case_wanted()) try_call(device, graph, g, sources, many, w, o);
        }
}

static void try_graph(ww_device *device, const char *setting, graph_shape shape, graph_weights weights, bool twice,
                      some_methods some) {
    test_graph g = graph_make(shape, weights, seed_of_run() + shape);
    test_graph both = graph_doubled(&g);
    const reference_arcs *arcs = twice ? &both.arcs : &g.arcs;
    const size_t n = g.arcs.n;
    const uint32_t sources[] = {(uint32_t)(n / 2), (uint32_t)(n - 1), (uint32_t)(n / 2)};
    uint32_t *given = need(sizeof sources);
    wanted w = {.distance = need(8 * n), .predecessor = need(4 * n)};
    ww_graph_options o = WW_GRAPH_OPTIONS;
    ww_graph *graph;
    o.both_ways = twice;
    memcpy(given, sources, sizeof sources);
    expect_status(device,
                  ww_graph_create(device, n, ww_memory(g.from, g.arcs.m), ww_memory(g.to, g.arcs.m),
                                  graph_weight_input(&g, weights), &o, &graph),
                  WW_OK);
    for (int kind = 0; kind <= DISTANCE_F32; kind++) {
        char text[120];
        const size_t many = shape % 2 ? 3 : 1;
        if ((kind == DISTANCE_F32) != graph_weights_are_real(weights)) continue;
        w.kind = (reference_kind)kind;
        w.lowest = reference_distances(arcs, w.kind, sources, many, w.distance);
        reference_predecessors(arcs, w.kind, sources, many, w.distance, w.predecessor);
        snprintf(text, sizeof text, "%s %s%s weights=%s", setting, graph_shape_name(shape), twice ? " both ways" : "",
                 graph_weights_name(weights));
        try_methods(device, graph, &g, given, many, &w, some, text);
    }
    ww_graph_destroy(graph);
    graph_free(&g);
    graph_free(&both);
    free(given);
    free(w.distance);
    free(w.predecessor);
}

static void against_the_oracle(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int shape = 0; shape < GRAPH_SHAPES; shape++)
            for (int weights = 0; weights < GRAPH_WEIGHTS; weights++)
                if (!on_gpu() || (shape + weights) % 5 == 0)
                    try_graph(device, setting_name(s), (graph_shape)shape, (graph_weights)weights, false, all_methods);
        ww_close(device);
    }
}

/* ---- breadth-first search: distances where every arc counts 1, whatever weights there are ---- */

static void try_search(ww_device *device, const char *setting, graph_shape shape) {
    test_graph g = graph_make(shape, WEIGHTS_REAL, seed_of_run() + 50 + shape);
    const size_t n = g.arcs.n;
    reference_arcs plain = g.arcs;
    uint32_t *source = need(4);
    wanted w = {.kind = DISTANCE_U32, .distance = need(8 * n), .predecessor = need(4 * n)};
    ww_graph *graph;
    guarded levels = guarded_new(4 * n), parents = guarded_new(4 * n);
    plain.weight = NULL;
    *source = (uint32_t)(n / 2);
    reference_distances(&plain, w.kind, source, 1, w.distance);
    reference_predecessors(&plain, w.kind, source, 1, w.distance, w.predecessor);
    CASE("bfs", "%s %s", setting, graph_shape_name(shape));
    if (case_wanted()) {
        expect_status(device,
                      ww_graph_create(device, n, ww_memory(g.from, g.arcs.m), ww_memory(g.to, g.arcs.m),
                                      graph_weight_input(&g, WEIGHTS_REAL), NULL, &graph),
                      WW_OK);
        expect_status(device,
                      ww_bfs(graph, ww_memory(source, 1), ww_array((uint32_t *)levels.data, n),
                             ww_array((uint32_t *)parents.data, n)),
                      WW_OK);
        expect_distances(&w, levels.data, n);
        expect_bytes(parents.data, w.predecessor, 4 * n);
        memset(levels.data, 0xA5, 4 * n);
        expect_status(device, ww_bfs(graph, ww_memory(source, 1), ww_array((uint32_t *)levels.data, n), ww_none),
                      WW_OK);
        expect_distances(&w, levels.data, n);
        ww_graph_destroy(graph);
    }
    guarded_check(&levels);
    guarded_check(&parents);
    guarded_free(&levels);
    guarded_free(&parents);
    graph_free(&g);
    free(source);
    free(w.distance);
    free(w.predecessor);
}

static void searched(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int shape = 0; shape < GRAPH_SHAPES; shape++) try_search(device, setting_name(s), (graph_shape)shape);
        ww_close(device);
    }
}

/* ---- searches in one launch, whose ranks meet: as many as a GPU's plans make, few and many, in several orders ---- */

static void in_many_orders(void **state) {
    static const char *const ranks[] = {"tiles=gpu", "tiles=gpu,threads=3", "threads=1", "threads=4", "threads=7"};
    static const some_methods in_one_launch = {WW_SSSP_BELLMAN_FORD, WW_SSSP_NEAR_FAR};
    enum { RANKS = sizeof ranks / sizeof *ranks };
    const unsigned long long begin = day_of_run() % 2 ? RANKS : 0; /* other graphs and orders every other day */
    (void)state;
    if (!on_gpu() || !tiles_are_small()) {
        left_out("only the emulator runs blocks in an order that it is told");
        return;
    }
    for (unsigned long long k = begin; k < begin + (tests_are_short() ? 3 : RANKS); k++) {
        char name[100];
        ww_device *device;
        snprintf(name, sizeof name, "emu:%s,counters=0,seed=%llu", ranks[k % RANKS],
                 (unsigned long long)day_of_run() + k);
        expect_status(NULL, ww_open(name, &device), WW_OK);
        for (int shape = 0; shape < GRAPH_SHAPES; shape++) {
            for (int weights = 0; weights < GRAPH_WEIGHTS; weights++)
                if ((shape + weights + (int)k) % 4 == 0)
                    try_graph(device, name, (graph_shape)shape, (graph_weights)weights, false, in_one_launch);
            try_search(device, name, (graph_shape)shape);
        }
        ww_close(device);
    }
}

/* ---- graphs that go both ways ---- */

/* Shapes of many arcs a vertex: the others are searched as if they went one way. */
static void both_ways(void **state) {
    static const graph_shape shapes[] = {SHAPE_RANDOM, SHAPE_SKEWED, SHAPE_CROWDED, SHAPE_ISLANDS};
    (void)state;
    if (left_out_on_gpu("there a search does not ask whether arcs go both ways")) return;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (int weights = 0; weights < GRAPH_WEIGHTS; weights++)
                try_graph(device, setting_name(s), shapes[k], (graph_weights)weights, true, near_far);
        ww_close(device);
    }
}

/* ---- large enough for all threads ---- */

/* What they are like: what a search does with them is different. */
typedef enum large_shape {
    LARGE_SKEWED,  /* one way, some vertices with most of the arcs */
    LARGE_UNIFORM, /* both ways, as the others: settled in a few epochs */
    LARGE_HUBS,    /* rows that are dealt out in slices, and most vertices with few arcs */
    LARGE_RING,    /* arcs to neighbours only: many epochs */
    LARGE_ISLANDS, /* two rings with chords; one is not reached */
    LARGE_SHAPES
} large_shape;

static void draw_large(large_shape shape, uint64_t seed, size_t n, size_t m, uint32_t *from, uint32_t *to,
                       uint32_t *weight) {
    for (size_t i = 0; i < m; i++) {
        const size_t a = (random_next(&seed) >> 20) % n, b = (random_next(&seed) >> 20) % n;
        from[i] = (uint32_t)a;
        to[i] = (uint32_t)b;
        if (shape == LARGE_SKEWED && i % 3 == 0) from[i] = (uint32_t)(i % 30 ? 5 : i % 7);
        if (shape == LARGE_HUBS && i % 4) from[i] = i % 8 == 1 ? 9 : 5;
        if (shape == LARGE_RING) to[i] = (uint32_t)((a + 1 + b % 20) % n);
        if (shape == LARGE_ISLANDS) to[i] = (uint32_t)(a / 2 < n / 4 ? b % (n / 2) : n / 2 + b % (n / 2));
        weight[i] = 1 + (uint32_t)(random_next(&seed) >> 20) % (i % 1000 ? 255 : 100000);
    }
}

static void try_large(ww_device *device, ww_graph *graph, const ww_type *type, size_t n, const char *text) {
    const uint32_t source = 3;
    guarded first = guarded_new(n * type->size), got = guarded_new(n * type->size);
    for (uint32_t method = WW_SSSP_DIJKSTRA; method <= WW_SSSP_BUCKETS; method++) {
        ww_sssp_options o = WW_SSSP_OPTIONS;
        void *const data = method == WW_SSSP_DIJKSTRA ? first.data : got.data;
        o.method = method;
        CASE("sssp", "large %s %s %s", text, type->label, methods[method]);
        expect_status(device, ww_sssp(graph, ww_memory(&source, 1), ww_array_of(data, n, type), ww_none, &o, NULL),
                      WW_OK);
        if (method != WW_SSSP_DIJKSTRA) expect_elements(got.data, first.data, n, type->size);
    }
    guarded_check(&first);
    guarded_check(&got);
    guarded_free(&first);
    guarded_free(&got);
}

static void by_many_threads(void **state) {
    (void)state;
    static const char *const names[] = {"skewed", "uniform", "hubs", "ring", "islands"};
    enum { N = 30000, M = 400000 };
    if (left_out_on_gpu("the emulator takes long, and has small numbers for small graphs")) return;
    uint32_t *from = need(4 * M), *to = need(4 * M), *weight = need(4 * M);
    for (int shape = 0; shape < LARGE_SHAPES; shape++) {
        draw_large((large_shape)shape, seed_of_run() + (uint64_t)shape, N, M, from, to, weight);
        for (size_t s = 0; s < setting_count_short(); s++) {
            ww_device *device = setting_open(s);
            ww_graph_options o = WW_GRAPH_OPTIONS;
            ww_graph *graph;
            char text[100];
            o.both_ways = shape != LARGE_SKEWED;
            snprintf(text, sizeof text, "%s %s", setting_name(s), names[shape]);
            expect_status(
                device,
                ww_graph_create(device, N, ww_memory(from, M), ww_memory(to, M), ww_memory(weight, M), &o, &graph),
                WW_OK);
            try_large(device, graph, s % 2 ? &ww_type_uint64_t : &ww_type_uint32_t, N, text);
            ww_graph_destroy(graph);
            ww_close(device);
        }
    }
    free(from);
    free(to);
    free(weight);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_the_oracle), cmocka_unit_test(searched),        cmocka_unit_test(in_many_orders),
        cmocka_unit_test(both_ways),          cmocka_unit_test(by_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
