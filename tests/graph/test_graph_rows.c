/* Graphs themselves, components and PageRank against oracles; what is refused, with its sentence; memory that runs out; a
 * steady
 * state that allocates nothing. */
#include <math.h>

#include "support/graphs.h"

static ww_graph *make(ww_device *device, const test_graph *g, graph_weights weights, bool both_ways) {
    ww_graph_options o = WW_GRAPH_OPTIONS;
    ww_graph *graph;
    o.both_ways = both_ways;
    expect_status(device,
                  ww_graph_create(device, g->arcs.n, ww_memory(g->from, g->arcs.m), ww_memory(g->to, g->arcs.m),
                                  graph_weight_input(g, weights), &o, &graph),
                  WW_OK);
    return graph;
}

/* ---- rows ---- */

/* Rows by insertion: arcs by source, then target, equal ones as they came. */
static void rows_of(const test_graph *g, bool both_ways, uint64_t *offsets, uint32_t *targets, uint32_t *weights) {
    size_t m = 0;
    memset(offsets, 0, (g->arcs.n + 1) * sizeof *offsets);
    uint32_t *from = need(8 * g->arcs.m + 1);
    for (int way = 0; way <= both_ways; way++)
        for (size_t i = 0; i < g->arcs.m; i++, m++) {
            const uint32_t a = way ? g->to[i] : g->from[i], b = way ? g->from[i] : g->to[i];
            size_t at = m;
            for (; at && (from[at - 1] > a || (from[at - 1] == a && targets[at - 1] > b)); at--) {
                from[at] = from[at - 1];
                targets[at] = targets[at - 1];
                weights[at] = weights[at - 1];
            }
            from[at] = a;
            targets[at] = b;
            weights[at] = g->weight[i];
        }
    for (size_t i = 0; i < m; i++) offsets[from[i] + 1]++;
    for (size_t v = 0; v < g->arcs.n; v++) offsets[v + 1] += offsets[v];
    free(from);
}

static void expect_array(ww_device *device, ww_array array, const void *wanted, size_t count, size_t size) {
    guarded got = guarded_new(count * size);
    expect(array.count == count && array.size == size);
    expect_status(device, ww_copy(device, ww_from(array), (ww_array){got.data, count, array.type, size, NULL, 0}),
                  WW_OK);
    expect_elements(got.data, wanted, count, size);
    guarded_check(&got);
    guarded_free(&got);
}

/* Least, most and mean of the weights; each arc counts 1 where there are none. */
static void expect_weights(const ww_graph_info *info, const test_graph *g, graph_weights weights) {
    double least = INFINITY, most = 0, sum = 0;
    for (size_t i = 0; i < g->arcs.m; i++) {
        float real;
        memcpy(&real, &g->weight[i], sizeof real);
        const double x = weights == WEIGHTS_NONE ? 1 : graph_weights_are_real(weights) ? (double)real : g->weight[i];
        least = x < least ? x : least;
        most = x > most ? x : most;
        sum += x;
    }
    if (!g->arcs.m) least = 0;
    const double mean = g->arcs.m ? sum / (double)g->arcs.m : 0;
    expect(info->weight_least == least && info->weight_most == most);
    expect(fabs(info->weight_mean - mean) <= 1e-12 * mean);
}

static void expect_info(const ww_graph *graph, const test_graph *g, graph_weights weights, const uint64_t *offsets,
                        size_t m) {
    ww_graph_info info = WW_GRAPH_INFO;
    uint64_t most = 0, empty = 0, loops = 0;
    for (size_t v = 0; v < g->arcs.n; v++) {
        const uint64_t length = offsets[v + 1] - offsets[v];
        most = length > most ? length : most;
        empty += !length;
    }
    for (size_t i = 0; i < g->arcs.m; i++) loops += g->from[i] == g->to[i];
    expect(ww_graph_info_get(graph, &info) == WW_OK);
    expect(info.vertices == g->arcs.n && info.arcs == m && info.degree_most == most && info.rows_empty == empty);
    expect(info.loops == (m > g->arcs.m ? 2 * loops : loops));
    expect_weights(&info, g, weights);
}

static void try_rows(ww_device *device, const char *setting, graph_shape shape, graph_weights weights) {
    const bool both_ways = shape % 2;
    test_graph g = graph_make(shape, weights, seed_of_run() + shape);
    const size_t m = g.arcs.m * (both_ways ? 2 : 1), n = g.arcs.n;
    uint64_t *offsets = need(8 * n + 8);
    uint32_t *targets = need(4 * m + 1), *wanted = need(4 * m + 1);
    ww_graph_options o = WW_GRAPH_OPTIONS;
    ww_graph *graph, *again;
    CASE("graph", "rows %s %s weights=%s", setting, graph_shape_name(shape), graph_weights_name(weights));
    if (case_wanted()) {
        rows_of(&g, both_ways, offsets, targets, wanted);
        graph = make(device, &g, weights, both_ways);
        o.both_ways = both_ways;
        expect_status(device,
                      ww_graph_create_rows(
                          device, ww_memory(offsets, n + 1), ww_memory(targets, m),
                          weights == WEIGHTS_NONE ? ww_no_input : ww_memory_of(wanted, m, ww_graph_weights(graph).type),
                          &o, &again),
                      WW_OK);
        for (int k = 0; k < 2; k++) {
            ww_graph *const one = k ? again : graph;
            expect_array(device, ww_graph_offsets(one), offsets, n + 1, 8);
            expect_array(device, ww_graph_targets(one), targets, m, 4);
            if (weights != WEIGHTS_NONE) expect_array(device, ww_graph_weights(one), wanted, m, 4);
            if (weights == WEIGHTS_NONE) expect(!ww_graph_weights(one).type);
            expect_info(one, &g, weights, offsets, m);
        }
        ww_graph_destroy(graph);
        ww_graph_destroy(again);
    }
    graph_free(&g);
    free(offsets);
    free(targets);
    free(wanted);
}

static void rows(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int shape = 0; shape < GRAPH_SHAPES; shape++)
            try_rows(device, setting_name(s), (graph_shape)shape, (graph_weights)(shape % GRAPH_WEIGHTS));
        ww_close(device);
    }
}

/* ---- components and ranks ---- */

static void try_components(ww_device *device, ww_graph *graph, const test_graph *g) {
    const size_t n = g->arcs.n;
    uint32_t *wanted = need(4 * n);
    guarded labels = guarded_new(4 * n);
    uint64_t count = 0;
    const uint64_t many = reference_components(&g->arcs, wanted);
    expect_status(device, ww_components(graph, ww_array((uint32_t *)labels.data, n), ww_array(&count, 1)), WW_OK);
    expect(count == many);
    expect_elements(labels.data, wanted, n, 4);
    guarded_check(&labels);
    guarded_free(&labels);
    free(wanted);
}

static void try_ranks(ww_device *device, ww_graph *graph, const test_graph *g, const ww_pagerank_options *o) {
    const size_t n = g->arcs.n;
    double *wanted = need(8 * n), change, sum = 0;
    guarded wide = guarded_new(8 * n), narrow = guarded_new(4 * n);
    ww_pagerank_report report = WW_PAGERANK_REPORT;
    const uint32_t iterations = reference_pagerank(&g->arcs, o ? o->damping : 0.85, o ? o->tolerance : 1e-6,
                                                   o ? o->iterations : 100, wanted, &change);
    expect_status(device, ww_pagerank(graph, ww_array((double *)wide.data, n), o, &report), WW_OK);
    expect_status(device, ww_pagerank(graph, ww_array((float *)narrow.data, n), o, NULL), WW_OK);
    expect(report.iterations == iterations);
    expect((isinf(change) && isinf(report.change)) || fabs(change - report.change) < 1e-9);
    for (size_t v = 0; v < n; v++) {
        const double got = ((double *)wide.data)[v];
        expect(fabs(got - wanted[v]) <= 1e-12 + 1e-10 * wanted[v]);
        expect(((float *)narrow.data)[v] == (float)got);
        sum += got;
    }
    expect(fabs(sum - 1) < 1e-9);
    guarded_check(&wide);
    guarded_check(&narrow);
    guarded_free(&wide);
    guarded_free(&narrow);
    free(wanted);
}

static void components_and_ranks(void **state) {
    (void)state;
    ww_pagerank_options few = WW_PAGERANK_OPTIONS;
    few.iterations = 3;
    few.tolerance = 1e-12;
    few.damping = 0.5;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int shape = 0; shape < GRAPH_SHAPES; shape++) {
            test_graph g = graph_make((graph_shape)shape, WEIGHTS_NONE, seed_of_run() + 9 + (uint64_t)shape);
            test_graph twice = graph_doubled(&g);
            CASE("graph", "components, ranks %s %s", setting_name(s), graph_shape_name((graph_shape)shape));
            if (case_wanted()) {
                ww_graph *graph = make(device, &g, WEIGHTS_NONE, false), *both = make(device, &g, WEIGHTS_NONE, true);
                try_components(device, graph, &g);
                try_components(device, both, &twice);
                try_ranks(device, graph, &g, shape % 2 ? &few : NULL);
                try_ranks(device, both, &twice, &few);
                ww_graph_destroy(graph);
                ww_graph_destroy(both);
            }
            graph_free(&g);
            graph_free(&twice);
        }
        ww_close(device);
    }
}

/* Two crowds and thousands of small components, with a hub in the smaller crowd; arcs in any order. The larger crowd's rows are left
 * out, once it is seen. */
static void many_components(void **state) {
    (void)state;
    const size_t n = on_gpu() ? 700 : 60000, m = 3 * n / 2, first = n / 2, second = first + n / 5;
    test_graph g = {.from = need(4 * m), .to = need(4 * m)};
    uint64_t seed = seed_of_run() + 77;
    for (size_t i = 0; i < m; i++) {
        const uint64_t r = random_next(&seed) >> 8;
        const size_t low = i % 8 < 4 ? 0 : i % 8 < 7 ? first : second;
        const size_t many = i % 8 < 4 ? first : i % 8 < 7 ? second - first : n - second;
        g.from[i] = (uint32_t)(i % 16 == 5 ? second - 1 : low + r % many);
        g.to[i] = (uint32_t)(low + random_next(&seed) % many);
    }
    g.arcs = (reference_arcs){n, m, g.from, g.to, NULL};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int both_ways = 0; both_ways < 2; both_ways++) {
            CASE("graph", "many components %s both_ways=%d", setting_name(s), both_ways);
            if (!case_wanted()) continue;
            ww_graph *graph = make(device, &g, WEIGHTS_NONE, both_ways);
            try_components(device, graph, &g);
            ww_graph_destroy(graph);
        }
        ww_close(device);
    }
    graph_free(&g);
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *from = need(16), *to = need(16), *whole = need(16);
    float *weight = need(16);
    uint64_t *offsets = need(32);
    ww_graph *graph = (ww_graph *)&graph;
    CASE("graph", "refused %s", setting_name(0));
    for (uint32_t i = 0; i < 4; i++) from[i] = i, to[i] = 3 - i, weight[i] = 1, whole[i] = UINT32_MAX;
#define REFUSE(call, status, ...) \
    do { \
        expect_status(device, (call), (status)); \
        expect_sentence(device, __VA_ARGS__); \
        expect(!graph); \
    } while (0)
#define CREATE(n, a, b, w) ww_graph_create(device, n, a, b, w, NULL, &graph)
    const ww_input f = ww_memory(from, 4), t = ww_memory(to, 4);
    REFUSE(CREATE(3, f, t, ww_no_input), WW_RANGE, "ww_graph_create: arc 0 goes from 0 to 3", "3 vertices");
    REFUSE(CREATE(4, f, ww_memory(to, 3), ww_no_input), WW_INVALID, "from");
    REFUSE(CREATE(4, ww_no_input, t, ww_no_input), WW_INVALID, "from is missing");
    REFUSE(CREATE(4, ww_memory(weight, 4), t, ww_no_input), WW_TYPE, "from is of f32");
    REFUSE(CREATE(4, f, t, ww_memory(offsets, 4)), WW_TYPE, "weight is of u64");
    REFUSE(CREATE(4, f, t, ww_memory(weight, 3)), WW_INVALID, "weight 3");
    REFUSE(CREATE((uint64_t)1 << 32, f, t, ww_no_input), WW_LIMIT, "4294967296 vertices");
    const ww_input too_many = ww_counting(&ww_type_uint32_t, 0, ((uint64_t)1 << 32) + 1);
    REFUSE(CREATE(4, too_many, too_many, ww_no_input), WW_LIMIT, "4294967297 arcs");
    const float wrong[] = {-1, -1e-40f, INFINITY, NAN};
    for (size_t k = 0; k < 4; k++) {
        weight[2] = wrong[k];
        REFUSE(CREATE(4, f, t, ww_memory(weight, 4)), WW_INVALID, "arc 2 has weight");
    }
    weight[2] = -0.0f;
    const uint64_t falling[] = {0, 2, 1, 4}, short_by_one[] = {0, 1, 2, 3};
    memcpy(offsets, falling, sizeof falling);
#define ROWS(n) ww_graph_create_rows(device, ww_memory(offsets, n), t, ww_no_input, NULL, &graph)
    REFUSE(ROWS(4), WW_INVALID, "offset 2 is below");
    memcpy(offsets, short_by_one, sizeof short_by_one);
    REFUSE(ROWS(4), WW_INVALID, "0 to 3", "4 arcs");
    REFUSE(ROWS(0), WW_INVALID, "offsets is empty");
    const uint64_t right[] = {0, 1, 2, 4};
    memcpy(offsets, right, sizeof right);
    REFUSE(ROWS(4), WW_RANGE, "arc 0 goes to 3");
    expect_status(device, ww_graph_create(device, 4, f, t, ww_no_input, NULL, NULL), WW_INVALID);

    /* Calls on a graph: outputs stay as they are. */
    ww_sssp_options o = WW_SSSP_OPTIONS;
    guarded out = guarded_new(32), as_it_was = guarded_new(32);
    const ww_array d = ww_array((float *)out.data, 4), p = ww_array((uint32_t *)out.data + 4, 4);
    expect_status(device, CREATE(4, f, t, ww_memory(weight, 4)), WW_OK);
#define REFUSE_CALL(call, status, ...) \
    do { \
        expect_status(device, (call), (status)); \
        expect_sentence(device, __VA_ARGS__); \
        expect_bytes(out.data, as_it_was.data, 32); \
    } while (0)
    const ww_input source = ww_memory(from, 1);
    REFUSE_CALL(ww_sssp(graph, ww_memory(whole, 2), d, p, NULL, NULL), WW_RANGE, "source 0 is 4294967295",
                "4 vertices");
    REFUSE_CALL(ww_sssp(graph, ww_memory(from, 0), d, p, NULL, NULL), WW_INVALID, "no source");
    REFUSE_CALL(ww_sssp(graph, ww_memory(weight, 1), d, p, NULL, NULL), WW_TYPE, "sources are of f32");
    REFUSE_CALL(ww_sssp(graph, source, p, ww_none, NULL, NULL), WW_TYPE, "distances are of u32");
    REFUSE_CALL(ww_sssp(graph, source, ww_none, p, NULL, NULL), WW_INVALID, "distances");
    REFUSE_CALL(ww_sssp(graph, source, ww_array((float *)out.data, 3), p, NULL, NULL), WW_INVALID, "3 elements");
    REFUSE_CALL(ww_sssp(graph, source, d, ww_array((uint32_t *)out.data + 3, 4), NULL, NULL), WW_OVERLAP,
                "predecessors");
    REFUSE_CALL(ww_sssp(graph, source, d, ww_array((float *)out.data + 4, 4), NULL, NULL), WW_TYPE, "predecessors");
    o.method = 6;
    REFUSE_CALL(ww_sssp(graph, source, d, p, &o, NULL), WW_INVALID, "method");
    o.method = 0;
    o.width = -1;
    REFUSE_CALL(ww_sssp(graph, source, d, p, &o, NULL), WW_INVALID, "width");
    REFUSE_CALL(ww_bfs(graph, source, d, ww_none), WW_TYPE, "levels are of f32");
    REFUSE_CALL(ww_bfs(graph, source, p, ww_array((uint32_t *)out.data, 3)), WW_INVALID, "parents has 3 elements");
    REFUSE_CALL(ww_components(graph, d, ww_none), WW_TYPE, "labels are of f32");
    uint64_t two[2] = {0, 0};
    REFUSE_CALL(ww_components(graph, p, ww_array(two, 2)), WW_INVALID, "count has 2 elements");
    expect(!ww_graph_weights(NULL).type && !ww_graph_targets(NULL).type && !ww_graph_offsets(NULL).type);
    ww_pagerank_options r = WW_PAGERANK_OPTIONS;
    r.damping = 1;
    REFUSE_CALL(ww_pagerank(graph, d, &r, NULL), WW_INVALID, "damping");
    REFUSE_CALL(ww_pagerank(graph, p, NULL, NULL), WW_TYPE, "ranks are of u32");
    expect_status(device, ww_sssp(graph, source, d, p, NULL, NULL), WW_OK);
    expect(ww_sssp(NULL, source, d, p, NULL, NULL) == WW_INVALID && ww_bfs(NULL, source, p, ww_none) == WW_INVALID);
    expect(ww_components(NULL, p, ww_none) == WW_INVALID && ww_pagerank(NULL, d, NULL, NULL) == WW_INVALID);
    guarded_check(&out);
    guarded_free(&out);
    guarded_free(&as_it_was);
    ww_graph_destroy(graph);
    ww_graph_destroy(NULL);
    ww_close(device);
    free(from);
    free(to);
    free(whole);
    free(weight);
    free(offsets);
}

static void without_vertices(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_graph *graph;
    const uint32_t nothing = 0;
    uint64_t count = 9;
    CASE("graph", "without vertices %s", setting_name(0));
    const ww_input none = ww_memory(&nothing, 0);
    expect_status(device, ww_graph_create(device, 0, none, none, ww_no_input, NULL, &graph), WW_OK);
    const ww_array empty = ww_array_of(NULL, 0, &ww_type_uint32_t);
    expect_status(device, ww_components(graph, empty, ww_array(&count, 1)), WW_OK);
    expect(count == 0);
    expect_status(device, ww_sssp(graph, ww_memory(&nothing, 1), empty, ww_none, NULL, NULL), WW_RANGE);
    expect_status(device, ww_pagerank(graph, ww_array_of(NULL, 0, &ww_type_float), NULL, NULL), WW_OK);
    ww_graph_destroy(graph);
    ww_close(device);
}

/* ---- memory ---- */

static ww_device *open_counting(counting_allocator *counter) {
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = 1;
    options.allocator = counting_allocator_use(counter);
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    return device;
}

static ww_status all_calls(ww_graph *graph, const test_graph *g) {
    static uint32_t distance[701], other[701];
    static double rank[701];
    const uint32_t source = 1;
    const size_t n = g->arcs.n;
    ww_sssp_options o = WW_SSSP_OPTIONS;
    ww_status status = WW_OK;
    for (o.method = 0; o.method <= WW_SSSP_BUCKETS && !status; o.method++)
        status = ww_sssp(graph, ww_memory(&source, 1), ww_array(distance, n), ww_array(other, n), &o, NULL);
    if (!status) status = ww_bfs(graph, ww_memory(&source, 1), ww_array(distance, n), ww_array(other, n));
    if (!status) status = ww_components(graph, ww_array(distance, n), ww_none);
    return status ? status : ww_pagerank(graph, ww_array(rank, n), NULL, NULL);
}

static ww_status copied(ww_device *device, const ww_graph *graph) {
    ww_graph *copy;
    const ww_status status = ww_graph_create_rows(device, ww_from(ww_graph_offsets(graph)),
                                                  ww_from(ww_graph_targets(graph)), ww_from(ww_graph_weights(graph)),
                                                  NULL, &copy);
    expect(!status == (copy != NULL));
    ww_graph_destroy(copy);
    return status;
}

/* Each request fails in turn, until none does. */
static void try_memory(graph_shape shape, bool both_ways) {
    test_graph g = graph_make(shape, WEIGHTS_ZEROS, seed_of_run());
    const ww_input from = ww_memory(g.from, g.arcs.m), to = ww_memory(g.to, g.arcs.m);
    const ww_input weight = graph_weight_input(&g, WEIGHTS_ZEROS);
    ww_graph_options o = WW_GRAPH_OPTIONS;
    o.both_ways = both_ways;
    for (size_t k = 0, done = 0; !done; k++) {
        counting_allocator counter = {.fail_at = SIZE_MAX};
        ww_device *device = open_counting(&counter);
        ww_graph *graph = NULL;
        CASE("graph", "%s both_ways=%d request %zu fails", graph_shape_name(shape), both_ways, k);
        if (k) counter.fail_at = k; /* 0: none does */
        ww_status status = ww_graph_create(device, g.arcs.n, from, to, weight, &o, &graph);
        expect(!status == (graph != NULL));
        if (!status) status = all_calls(graph, &g);
        if (!status) status = copied(device, graph);
        done = k && !status;
        if (status) expect_status(device, status, WW_MEMORY);
        if (status) expect_sentence(device, "memory");
        if (!k) {
            const size_t requests = counter.requests;
            expect_status(device, all_calls(graph, &g), WW_OK);
            expect(counter.requests == requests);
        }
        ww_graph_destroy(graph);
        ww_close(device);
        expect(counter.live_blocks == 0 && counter.live_bytes == 0 && k < 200);
    }
    graph_free(&g);
}

static void memory(void **state) {
    (void)state;
    if (left_out_on_gpu("the host's allocator is counted, and fails")) return;
    try_memory(SHAPE_STAR, false);
    try_memory(SHAPE_SKEWED, true);
}

/* ---- vertices in the order of their arcs: on a CPU only of graphs that caches do not hold ---- */

static void many_ranks(void **state) {
    (void)state;
    enum { N = (1 << 17) + 77, M = 400000 };
    if (left_out_on_gpu("its small numbers have small graphs in that order")) return;
    test_graph g = {.from = need(4 * M), .to = need(4 * M)};
    ww_pagerank_options o = WW_PAGERANK_OPTIONS;
    double *first = need(8 * N), *ranks = need(8 * N);
    uint64_t seed = seed_of_run() + 5;
    for (size_t i = 0; i < M; i++) {
        g.from[i] = i % 8 ? (uint32_t)((random_next(&seed) >> 8) % N) : (uint32_t)(i % 7 * 1000);
        g.to[i] = (uint32_t)((random_next(&seed) >> 8) % N);
    }
    g.arcs = (reference_arcs){N, M, g.from, g.to, NULL};
    test_graph twice = graph_doubled(&g);
    o.iterations = 4;
    o.tolerance = 0;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("graph", "many ranks %s", setting_name(s));
        ww_graph *graph = make(device, &g, WEIGHTS_NONE, true);
        if (s == 0) try_ranks(device, graph, &twice, &o);
        expect_status(device, ww_pagerank(graph, ww_array(s ? ranks : first, N), &o, NULL), WW_OK);
        if (s) expect_bytes(ranks, first, 8 * (size_t)N);
        ww_graph_destroy(graph);
        ww_close(device);
    }
    graph_free(&g);
    graph_free(&twice);
    free(first);
    free(ranks);
}

/* ---- a row of more slices than there is room for at first ---- */

static void many_slices(void **state) {
    (void)state;
    enum { LEAVES = 8500 }; /* the emulator's slices are two arcs, and the first room has 4096 */
    uint32_t *from = need(4 * LEAVES), *to = need(4 * LEAVES), *labels = need(4 * (LEAVES + 1));
    for (uint32_t i = 0; i < LEAVES; i++) from[i] = LEAVES, to[i] = i;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        ww_graph *graph;
        uint64_t count = 0;
        CASE("graph", "many slices %s", setting_name(s));
        expect_status(device,
                      ww_graph_create(device, LEAVES + 1, ww_memory(from, LEAVES), ww_memory(to, LEAVES), ww_no_input,
                                      NULL, &graph),
                      WW_OK);
        expect_status(device, ww_components(graph, ww_array(labels, LEAVES + 1), ww_array(&count, 1)), WW_OK);
        for (size_t v = 0; v <= LEAVES; v++) expect(labels[v] == 0);
        expect(count == 1);
        ww_graph_destroy(graph);
        ww_close(device);
    }
    free(from);
    free(to);
    free(labels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(components_and_ranks),
        cmocka_unit_test(refused),
        cmocka_unit_test(without_vertices),
        cmocka_unit_test(memory),
        cmocka_unit_test(many_slices),
        cmocka_unit_test(many_components),
        cmocka_unit_test(many_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
