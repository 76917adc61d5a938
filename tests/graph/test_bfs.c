/* Breadth-first searches whose steps go from either end of the arcs: of graphs that go both ways, and of others whose arcs are known
 * the other way round because ranks were asked for before. Beside an oracle that goes through all arcs until nothing changes. */
#include "support/graphs.h"

typedef enum arcs_back { BACK_UNKNOWN, BACK_MADE, BOTH_WAYS, ARCS_BACK } arcs_back;
static const char *const names[] = {"unknown", "made", "both ways"};

static void search(ww_device *device, const test_graph *g, arcs_back back, const uint32_t *sources, size_t many) {
    const size_t n = g->arcs.n, m = g->arcs.m;
    test_graph twice = graph_doubled(g);
    const reference_arcs all = back == BOTH_WAYS ? twice.arcs : g->arcs;
    ww_graph_options o = WW_GRAPH_OPTIONS;
    ww_graph *graph;
    guarded levels = guarded_new(4 * n), parents = guarded_new(4 * n);
    uint64_t *distance = need(8 * n);
    uint32_t *parent = need(4 * n), *given = need(4 * many);
    float *rank = need(4 * n);
    memcpy(given, sources, 4 * many);
    reference_distances(&all, DISTANCE_U32, sources, many, distance);
    reference_predecessors(&all, DISTANCE_U32, sources, many, distance, parent);
    o.both_ways = back == BOTH_WAYS;
    expect_status(
        device, ww_graph_create(device, n, ww_memory(g->from, m), ww_memory(g->to, m), ww_no_input, &o, &graph), WW_OK);
    if (back == BACK_MADE) expect_status(device, ww_pagerank(graph, ww_array(rank, n), NULL, NULL), WW_OK);
    for (int twice = 0; twice < 2; twice++) {
        memset(levels.data, 0xA5, 4 * n);
        expect_status(device,
                      ww_bfs(graph, ww_memory(given, many), ww_array((uint32_t *)levels.data, n),
                             twice ? ww_none : ww_array((uint32_t *)parents.data, n)),
                      WW_OK);
        for (size_t v = 0; v < n; v++) {
            const uint32_t wanted = distance[v] == UINT64_MAX ? WW_NO_VERTEX : (uint32_t)distance[v];
            expect(((const uint32_t *)levels.data)[v] == wanted);
        }
    }
    expect_bytes(parents.data, parent, 4 * n);
    ww_graph_destroy(graph);
    guarded_check(&levels);
    guarded_check(&parents);
    guarded_free(&levels);
    guarded_free(&parents);
    free(distance);
    free(parent);
    free(given);
    free(rank);
    graph_free(&twice);
}

static void every_shape(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int shape = 0; shape < GRAPH_SHAPES; shape++)
            for (int back = 0; back < ARCS_BACK; back++) {
                test_graph g = graph_make((graph_shape)shape, WEIGHTS_NONE, seed_of_run() + 90 + (uint64_t)shape);
                const uint32_t sources[] = {(uint32_t)(g.arcs.n / 2), (uint32_t)(g.arcs.n - 1),
                                            (uint32_t)(g.arcs.n / 2)};
                CASE("bfs", "%s %s back=%s", setting_name(s), graph_shape_name((graph_shape)shape), names[back]);
                if (case_wanted()) search(device, &g, (arcs_back)back, sources, (shape + back) % 2 ? 3 : 1);
                graph_free(&g);
            }
        ww_close(device);
    }
}

/* A crowd, into which a chain leads, and out of it another one with a star at its end: the search goes up, and down again. */
static void a_chain_a_crowd_and_a_star(void **state) {
    (void)state;
    const size_t crowd = on_gpu() ? 600 : 20000, chain = on_gpu() ? 9 : 50, star = on_gpu() ? 90 : 70000;
    const size_t n = 2 * chain + crowd + star, m = 2 * chain + 8 * crowd + star;
    test_graph g = {.from = need(4 * m), .to = need(4 * m)};
    uint32_t *const from = g.from, *const to = g.to;
    uint64_t seed = seed_of_run();
    size_t i = 0;
    for (size_t v = 0; v < 2 * chain; v++, i++) {
        const size_t next = v == chain - 1 ? 2 * chain : v + 1;
        from[i] = (uint32_t)v;
        to[i] = (uint32_t)(v + 1 == 2 * chain ? 2 * chain + crowd : next);
    }
    for (size_t k = 0; k < 8 * crowd; k++, i++) {
        from[i] = (uint32_t)(2 * chain + random_next(&seed) % crowd);
        to[i] = (uint32_t)(2 * chain + random_next(&seed) % crowd);
    }
    from[i - 1] = (uint32_t)(2 * chain);
    to[i - 1] = (uint32_t)chain; /* out of the crowd */
    for (size_t k = 1; k <= star; k++, i++) {
        from[i] = (uint32_t)(n - star);
        to[i] = (uint32_t)(k < star ? n - star + k : 2 * chain + 1);
    }
    g.arcs = (reference_arcs){n, m, from, to, NULL};
    const uint32_t source = 0;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (int back = 0; back < ARCS_BACK; back++) {
            CASE("bfs", "%s chain, crowd, star back=%s", setting_name(s), names[back]);
            if (case_wanted()) search(device, &g, (arcs_back)back, &source, 1);
        }
        ww_close(device);
    }
    graph_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape),
        cmocka_unit_test(a_chain_a_crowd_and_a_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
