/* warpwise sssp: the length of a shortest path from one vertex to each. */
#include <inttypes.h>

#include "arguments.h"
#include "graph_job.h"
#include "option.h"

typedef struct request {
    graph_job graph;
    bool sourced;
    uint64_t source;
    uint32_t method;
} request;

enum { SOURCE = 1, METHOD };

static const char *const names[] = {"GRAPH", "OUT", NULL};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    static const char *const methods[] = {"auto", "dijkstra", "bellman-ford", "near-far", "buckets-sort", "buckets"};
    request *r = state->input;
    switch (key) {
    case SOURCE:
        r->sourced = parse_count(argument, 0, UINT64_MAX, &r->source);
        if (!r->sourced) argp_error(state, "--source=%s: is not the number of a vertex", argument);
        return 0;
    case METHOD:
        r->method = (uint32_t)parse_method(state, argument, methods, sizeof methods / sizeof methods[0]);
        return 0;
    case ARGP_KEY_END:
        if (!r->graph.job.files[0]) argp_error(state, "the file GRAPH is missing");
        if (!r->sourced) argp_error(state, "--source=V is missing");
        return 0;
    default:
        return parse_files(key, argument, state, &r->graph.job);
    }
}

static int find_distances(request *r) {
    graph_job *g = &r->graph;
    ww_array distances;
    uint32_t source;
    ww_sssp_options options = WW_SSSP_OPTIONS;
    options.method = r->method;
    int status = graph_job_load(g, r->graph.job.files[0]);
    if (!status) status = graph_job_source(g, r->source, &source);
    if (!status)
        status = graph_job_results(g, g->arcs.weights == WEIGHTS_REAL ? &ww_type_float : &ww_type_uint64_t, &distances);
    if (status) return status;
    progress_phase(g->job.progress, "finding shortest paths");
    g->job.began = seconds_now();
    const ww_status found = ww_sssp(g->graph, ww_memory(&source, 1), distances, ww_none, &options, NULL);
    status = job_end(&g->job, job_check(&g->job, found));
    return status ? status : graph_job_write(g, r->graph.job.files[1], &distances, "inf", false);
}

static int sssp(void *argument) {
    request *r = argument;
    return graph_job_end(&r->graph, find_distances(r));
}

int sssp_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"source", SOURCE, "V", 0, "the vertex at which paths begin, by its number in the file", 1},
        {"method", METHOD, "M", 0, "auto (the default), dijkstra, bellman-ford, near-far, buckets-sort, buckets", 1},
        {0}};
    static const char about[] =
        "Prints a line \"vertex distance\" for each vertex of GRAPH, the length of a shortest path from the source."
        "\v"
        "Examples:\n"
        "  warpwise sssp --source=1 roads.gr.gz distances.txt\n"
        "  warpwise graph make --grid=500x500 - | warpwise sssp --source=1 -\n\n"
        "A vertex that no path reaches has the distance inf. All methods give the same distances. Whole weights are "
        "added in 64 bits, others in f32. OUT is standard output by default; if it is named *.npy, it is an array of "
        "the distances alone (u64 or f32; u64's largest value, or infinity, for inf).\n" GRAPH_HELP STATUS_HELP;
    static const struct argp argp = {options, parse_option, "GRAPH [OUT]", about, device_children, NULL, NULL};
    request r = {.graph.job.names = names};
    return job_main(argc, argv, &argp, &r, sssp);
}
