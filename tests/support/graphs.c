#include "support/graphs.h"

const char *graph_shape_name(graph_shape shape) {
    static const char *const names[] = {"random",   "skewed",  "grid",    "star",  "chain",
                                        "isolated", "crowded", "islands", "single"};
    return names[shape];
}
const char *graph_weights_name(graph_weights weights) {
    static const char *const names[] = {"none", "small", "zeros", "long", "real", "real-zeros", "real-long"};
    return names[weights];
}
bool graph_weights_are_real(graph_weights weights) { return weights >= WEIGHTS_REAL; }

/* The arcs of a shape, into g->from and g->to unless these are NULL; returns how many there are. */
typedef struct drawing {
    test_graph *g;
    size_t m;
    uint64_t seed;
} drawing;

static uint32_t below(drawing *d, size_t n) { return (uint32_t)((random_next(&d->seed) >> 20) % n); }

static void arc(drawing *d, size_t from, size_t to) {
    d->g->from[d->m] = (uint32_t)from;
    d->g->to[d->m++] = (uint32_t)to;
}

static void draw_skewed(drawing *d, size_t levels, size_t arcs) {
    for (size_t i = 0; i < arcs; i++) {
        size_t from = 0, to = 0;
        for (size_t l = 0; l < levels; l++) {
            const uint32_t r = below(d, 100);
            from = 2 * from + (r >= 76);
            to = 2 * to + ((r >= 57 && r < 76) || r >= 95);
        }
        arc(d, from, to);
    }
}

static void draw_grid(drawing *d, size_t side) {
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            const size_t v = y * side + x;
            if (x + 1 < side) arc(d, v, v + 1), arc(d, v + 1, v);
            if (y + 1 < side) arc(d, v, v + side), arc(d, v + side, v);
        }
}

static size_t draw(drawing *d, graph_shape shape) {
    const size_t more = on_gpu() ? 1 : 4;
    switch (shape) {
    case SHAPE_RANDOM:
        for (size_t i = 0; i < 700 * more; i++) arc(d, below(d, 150 * more), below(d, 150 * more));
        return 150 * more;
    case SHAPE_SKEWED:
        draw_skewed(d, 9, 1200 * more);
        return 512;
    case SHAPE_GRID:
        draw_grid(d, 8 * more);
        return 64 * more * more;
    case SHAPE_STAR:
        for (size_t v = 0; v < 701; v++)
            if (v != 3) arc(d, 3, v), arc(d, v, 3);
        return 701;
    case SHAPE_CHAIN:
        for (size_t v = 0; v + 1 < 40 * more; v++) arc(d, v, v + 1);
        return 40 * more;
    case SHAPE_ISOLATED:
        return 33;
    case SHAPE_CROWDED:
        for (size_t i = 0; i < 300; i++) arc(d, below(d, 5), below(d, 5));
        return 5;
    case SHAPE_ISLANDS:
        for (size_t i = 0; i < 200; i++) arc(d, 40 * (i % 4) + below(d, 20), 40 * (i % 4) + below(d, 30));
        return 170;
    default:
        arc(d, 0, 0);
        return 1;
    }
}

static uint32_t real(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t weigh(drawing *d, graph_weights weights) {
    const uint32_t r = below(d, 1 << 24);
    switch (weights) {
    case WEIGHTS_SMALL:
        return 1 + r % 255;
    case WEIGHTS_ZEROS:
        return r % 2 ? 0 : r / 2 % 9;
    case WEIGHTS_LONG:
        return r % 5 ? 0x1FFFFFFFu + r : UINT32_MAX - r % 2;
    case WEIGHTS_REAL:
        return real((float)r / 0x1p24f);
    case WEIGHTS_REAL_ZEROS:
        return real(r % 4 == 0 ? 0.0f : r % 4 == 1 ? -0.0f : r % 4 == 2 ? 1e-9f : 1.0f);
    case WEIGHTS_REAL_LONG:
        return real(r % 3 ? 1e38f : 3e38f);
    default:
        return 1;
    }
}

test_graph graph_make(graph_shape shape, graph_weights weights, uint64_t seed) {
    enum { MOST = 20000 };
    test_graph g = {.from = need(4 * MOST), .to = need(4 * MOST), .weight = need(4 * MOST)};
    drawing d = {&g, 0, seed};
    const size_t n = draw(&d, shape);
    for (size_t i = 0; i < d.m; i++) g.weight[i] = weigh(&d, weights);
    g.arcs = (reference_arcs){n, d.m, g.from, g.to, weights == WEIGHTS_NONE ? NULL : g.weight};
    return g;
}

test_graph graph_doubled(const test_graph *g) {
    const size_t m = g->arcs.m;
    test_graph twice = {.from = need(8 * m + 1), .to = need(8 * m + 1), .weight = g->arcs.weight ? need(8 * m + 1) : NULL};
    memcpy(twice.from, g->from, 4 * m);
    memcpy(twice.to, g->to, 4 * m);
    memcpy(twice.from + m, g->to, 4 * m);
    memcpy(twice.to + m, g->from, 4 * m);
    for (size_t i = 0; i < 2 * m && twice.weight; i++) twice.weight[i] = g->weight[i % m];
    twice.arcs = (reference_arcs){g->arcs.n, 2 * m, twice.from, twice.to, twice.weight};
    return twice;
}

void graph_free(test_graph *g) {
    free(g->from);
    free(g->to);
    free(g->weight);
}

ww_input graph_weight_input(const test_graph *g, graph_weights weights) {
    if (weights == WEIGHTS_NONE) return ww_no_input;
    return ww_memory_of(g->weight, g->arcs.m, graph_weights_are_real(weights) ? &ww_type_float : &ww_type_uint32_t);
}
