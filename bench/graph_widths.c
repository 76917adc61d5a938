/* warpwise-bench-graph DEVICE GRAPH...: every method of ww_sssp by several widths, and searches by breadth, on graphs that the device
 * makes itself; which method and width `auto` took, and how far that is from the best of the others, in the same run.
 *
 *   rmat:SCALE:VERTICES:ARCS:WAYS    chances of 0.5, 0.1, 0.1, 0.3; arcs to vertices that there are not are drawn again
 *   uniform:VERTICES:ARCS:WAYS       both ends are any vertex
 *   torus:SIDE                       a square grid, its ends joined, both ways
 *   a file's name                    what `warpwise graph` reads; weights are drawn anew
 *   weights:LEAST:MOST               no graph: of those behind it all weights are drawn from these (1 to 255)
 *
 * WAYS is 1, or 2 where each arc goes back too. Ashkiani's R-MAT (2017, table 3.9) is weights:0:1000 rmat:20:800000:4800000:2. A line has the mean over three sources of the least time of
 * some calls; distances stay on the device. Distances are compared, by their sum and that of their squares, with those of the
 * first line. Rates are the graph's arcs by that time. It prints as it goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <warpwise.h>

#include "graph_arcs.h"

enum { SOURCES = 3, CALLS = 4 };

static ww_device *device;
static uint32_t lightest = 1, heaviest = 255; /* weights of graphs that come next */
static bool wrong;

static void need(bool right, const char *what) {
    if (right) return;
    fprintf(stderr, "warpwise-bench-graph: %s%s%s\n", what, device ? ": " : "", device ? ww_error(device) : "");
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- graphs ---- */

WW_STRUCT(making, {
    uint32_t *from;
    uint32_t *to;
    uint32_t *weight;
    uint64_t vertices;
    uint64_t side; /* torus */
    uint32_t scale;
    uint32_t lightest; /* of so many weights */
    uint32_t weights;
    uint32_t draws; /* whether ends are drawn at all: a file has its own */
});

/* The number with this position in a sequence: SplitMix64 (Steele, Lea and Flood 2014). */
WW_FUNCTION(drawn, uint64_t, (uint64_t position), {
    uint64_t x = (position + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
});

WW_KERNEL_USES((drawn), make_arc, making, a, arc, {
    a->weight[arc] = a->lightest + (uint32_t)((drawn(arc * 4096) >> 32) * a->weights >> 32);
    if (a->side) {
        const uint64_t v = arc / 2;
        const uint64_t x = v % a->side;
        const uint64_t y = v / a->side;
        a->from[arc] = (uint32_t)v;
        a->to[arc] = (uint32_t)(arc % 2 ? (y + 1) % a->side * a->side + x : y * a->side + (x + 1) % a->side);
    } else if (a->draws && !a->scale) {
        a->from[arc] = (uint32_t)((drawn(arc * 4096 + 1) >> 32) * a->vertices >> 32);
        a->to[arc] = (uint32_t)((drawn(arc * 4096 + 2) >> 32) * a->vertices >> 32);
    } else if (a->draws) {
        for (uint64_t at = arc * 4096 + 1;;) {
            uint64_t from = 0;
            uint64_t to = 0;
            for (uint32_t bit = 0; bit < a->scale; bit++) {
                const uint64_t chance = (drawn(at++) >> 32) * 10 >> 32;
                from = 2 * from + (chance >= 6);
                to = 2 * to + (chance == 5 || chance >= 7);
            }
            a->from[arc] = (uint32_t)from;
            a->to[arc] = (uint32_t)to;
            if (from < a->vertices && to < a->vertices) break;
        }
    }
});

typedef struct plan {
    uint64_t vertices, arcs, side;
    unsigned scale;
    bool both_ways, file;
} plan;

static plan plan_of(const char *text, graph_arcs *arcs) {
    plan p = {0};
    unsigned long long v, m;
    int ways = 1;
    if (sscanf(text, "rmat:%u:%llu:%llu:%d", &p.scale, &v, &m, &ways) == 4 ||
        sscanf(text, "uniform:%llu:%llu:%d", &v, &m, &ways) == 3) {
        p.vertices = v;
        p.arcs = m;
    } else if (sscanf(text, "torus:%llu", &v) == 1) {
        p.side = v;
        p.vertices = p.side * p.side;
        p.arcs = 2 * p.vertices;
        ways = 2;
    } else {
        char sentence[GRAPH_SENTENCE] = "";
        graph_source source = {.name = text, .sentence = sentence};
        need(graph_source_open(&source, text) && graph_arcs_read(&source, arcs), sentence);
        graph_source_close(&source);
        p.vertices = arcs->vertices;
        p.arcs = arcs->count;
        p.file = true;
    }
    p.both_ways = ways == 2;
    return p;
}

/* `sources` has vertices that arcs leave. */
static ww_graph *make(const char *text, uint32_t *sources) {
    graph_arcs arcs = {0};
    const plan p = plan_of(text, &arcs);
    making a = {.vertices = p.vertices,
                .side = p.side,
                .scale = p.scale,
                .draws = !p.file,
                .lightest = lightest,
                .weights = heaviest - lightest + 1};
    void *memory = NULL;
    ww_graph_options o = WW_GRAPH_OPTIONS;
    ww_graph *graph = NULL;
    need(!ww_alloc(device, 3 * p.arcs * sizeof(uint32_t), &memory), "memory for arcs");
    a.from = memory;
    a.to = a.from + p.arcs;
    a.weight = a.to + p.arcs;
    if (p.file)
        need(!ww_copy(device, ww_memory(arcs.from, p.arcs), ww_array(a.from, p.arcs)) &&
                 !ww_copy(device, ww_memory(arcs.to, p.arcs), ww_array(a.to, p.arcs)),
             "arcs");
    need(!ww_launch(device, ww_with(make_arc, &a), p.arcs), "arcs");
    for (uint64_t s = 0; s < SOURCES; s++)
        need(!ww_copy(device, ww_memory((const uint32_t *)a.from + (s * 2 + 1) * (p.arcs / (2 * SOURCES)), 1),
                      ww_array(sources + s, 1)),
             "sources");
    o.both_ways = p.both_ways;
    need(!ww_graph_create(device, p.vertices, ww_memory((const uint32_t *)a.from, p.arcs),
                          ww_memory((const uint32_t *)a.to, p.arcs), ww_memory((const uint32_t *)a.weight, p.arcs), &o,
                          &graph),
         "a graph");
    need(!ww_sync(device), "a graph");
    ww_free(device, memory);
    graph_arcs_release(&arcs);
    return graph;
}

/* ---- distances ---- */

typedef struct sums {
    uint64_t plain, squares, reached;
} sums;
WW_MAP(plain_of, uint64_t, uint32_t, d, void, none, { return d == 0xFFFFFFFFu ? 0 : d; });
WW_MAP(square_of, uint64_t, uint32_t, d, void, none, { return d == 0xFFFFFFFFu ? 0 : (uint64_t)d * d; });
WW_MAP(reached_of, uint64_t, uint32_t, d, void, none, { return d != 0xFFFFFFFFu; });

static sums sums_of(const uint32_t *distances, uint64_t n) {
    sums s;
    const ww_input d = ww_memory(distances, n);
    need(!ww_reduce(device, &ww_add, ww_mapped(&plain_of_ww, d), ww_array(&s.plain, 1)) &&
             !ww_reduce(device, &ww_add, ww_mapped(&square_of_ww, d), ww_array(&s.squares, 1)) &&
             !ww_reduce(device, &ww_add, ww_mapped(&reached_of_ww, d), ww_array(&s.reached, 1)),
         "sums");
    return s;
}

/* ---- measuring ---- */

static const char *const methods[] = {"auto", "dijkstra", "bellman-ford", "near-far", "buckets-sort", "buckets", "bfs"};
enum { BFS = WW_SSSP_BUCKETS + 1 };

/* By a method and width; the sums are known from the first line of each source. Seconds. */
static double line(ww_graph *graph, const ww_graph_info *info, const uint32_t *sources, uint32_t *distances,
                   uint32_t method, double width, sums *known, double *used) {
    ww_sssp_options o = WW_SSSP_OPTIONS;
    ww_sssp_report report = WW_SSSP_REPORT;
    double best[SOURCES], mean = 0;
    bool right = true;
    const double begin = now();
    o.method = method == BFS ? 0 : method;
    o.width = width;
    for (int s = 0; s < SOURCES; s++) {
        best[s] = 1e9;
        for (int call = 0; call <= CALLS; call++) { /* the first call is not counted: it may compile */
            const double from = now();
            const ww_array to = ww_array(distances, info->vertices);
            need(!(method == BFS ? ww_bfs(graph, ww_memory(sources + s, 1), to, ww_none)
                                 : ww_sssp(graph, ww_memory(sources + s, 1), to, ww_none, &o, &report)) &&
                     !ww_sync(device),
                 methods[method]);
            const double took = now() - from;
            if (call && took < best[s]) best[s] = took;
            if (call && now() - begin > 1) break;
        }
        const sums got = sums_of(distances, info->vertices);
        if (!known[s].reached) known[s] = got;
        right = right && !memcmp(&got, &known[s], sizeof got);
        mean += best[s] / SOURCES;
    }
    wrong = wrong || !right;
    *used = report.width;
    printf("%-13s", methods[method]);
    if (method == WW_SSSP_AUTO) printf("(%s) ", methods[report.method]);
    printf("%8.3f ms (%.3f %.3f %.3f) %7.3f G arcs/s", mean * 1e3, best[0] * 1e3, best[1] * 1e3, best[2] * 1e3,
           (double)info->arcs / mean * 1e-9);
    if (method != BFS)
        printf("  width %g, %llu rounds, %.2f expanded, %.2f regrouped", report.width,
               (unsigned long long)report.rounds, (double)report.expanded / (double)info->vertices,
               (double)report.regrouped / (double)info->vertices);
    printf(", %.2f reached: %s\n", (double)known[SOURCES - 1].reached / (double)info->vertices,
           right ? "same" : "OTHERS");
    fflush(stdout);
    return mean;
}

static void measure(const char *text) {
    static const double by[] = {1, 0.0625, 0.25, 0.5, 2, 4, 16};
    uint32_t *sources, *distances;
    void *memory = NULL;
    ww_graph_info info = WW_GRAPH_INFO;
    sums known[SOURCES] = {{0}}, levels[SOURCES] = {{0}};
    double width, unused, best = 1e9, best_width = 0;
    uint32_t best_method = 0;
    need(!ww_alloc_host(device, SOURCES * sizeof *sources, &memory), "memory for sources");
    sources = memory;
    ww_graph *graph = make(text, sources);
    need(!ww_graph_info_get(graph, &info), "what the graph is");
    need(!ww_alloc(device, info.vertices * sizeof *distances, &memory), "memory for distances");
    distances = memory;
    printf("== %s: %llu vertices, %llu arcs in the graph, longest row %llu\n", text, (unsigned long long)info.vertices,
           (unsigned long long)info.arcs, (unsigned long long)info.degree_most);
    const double first = line(graph, &info, sources, distances, WW_SSSP_AUTO, 0, known, &width);
    for (uint32_t method = WW_SSSP_BELLMAN_FORD; method <= WW_SSSP_BUCKETS; method++)
        for (size_t w = 0;
             w < (method == WW_SSSP_BELLMAN_FORD || method == WW_SSSP_BUCKETS_SORT ? 1 : sizeof by / sizeof *by); w++) {
            const double took = line(graph, &info, sources, distances, method,
                                     method == WW_SSSP_BELLMAN_FORD ? 0 : by[w] * width, known, &unused);
            if (took >= best) continue;
            best = took;
            best_method = method;
            best_width = unused;
        }
    const double again = line(graph, &info, sources, distances, WW_SSSP_AUTO, 0, known, &width);
    printf("auto %.3f ms, best named %.3f (%s, width %g): %.2f times as long\n", (first < again ? first : again) * 1e3,
           best * 1e3, methods[best_method], best_width, (first < again ? first : again) / best);
    line(graph, &info, sources, distances, BFS, 0, levels, &unused);
    ww_graph_destroy(graph);
    ww_free(device, distances);
    ww_free(device, sources);
}

int main(int many, char **words) {
    if (many < 3) {
        fputs("Usage: warpwise-bench-graph DEVICE GRAPH...\n", stderr);
        return 2;
    }
    if (ww_open(words[1], &device)) need(false, "opening the device");
    for (int k = 2; k < many; k++) {
        if (sscanf(words[k], "weights:%u:%u", &lightest, &heaviest) == 2)
            need(lightest <= heaviest && heaviest < UINT32_MAX, "weights:LEAST:MOST");
        else
            measure(words[k]);
    }
    ww_close(device);
    return wrong;
}
