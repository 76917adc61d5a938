/* warpwise graph: searches, components and ranks of a graph, what it is, and graphs by rule. Its line: an action, and what this
 * takes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "graph_request.h"
#include "option.h"

enum { SOURCE = 1, DAMPING, TOLERANCE, ITERATIONS, RMAT, GRID, UNIFORM, VERTICES, ARCS, SEED, WEIGHTS };

/* The letter of an option, which graph_action.options has. */
static char letter_of(int key) { return key == SOURCE ? 's' : key <= ITERATIONS ? 'p' : 'm'; }

/* What the line has said: options by their keys. */
typedef struct line {
    graph_request request;
    bool said[WEIGHTS + 1];
    uint64_t vertices; /* fewer than those of --rmat */
} line;

static const char *const option_names[] = {"",     "source",  "damping",  "tolerance", "iterations", "rmat",
                                           "grid", "uniform", "vertices", "arcs",      "seed",       "weights"};

static uint64_t count_of(struct argp_state *state, int key, const char *text, uint64_t least, uint64_t most) {
    return parse_whole(state, option_names[key], text, least, most);
}

static double part_of(struct argp_state *state, int key, const char *text, double below) {
    number n;
    if (parse_number(text, strlen(text), &n) && n.value >= 0 && n.value < below) return n.value;
    argp_error(state, "--%s=%s: is not a number that is at least 0 and below %g", option_names[key], text, below);
    return 0;
}

static void take_kind(struct argp_state *state, graph_plan *p, graph_kind kind) {
    if (p->kind && p->kind != kind) argp_error(state, "exactly one of --rmat, --grid and --uniform must be given");
    p->kind = kind;
}

/* "500x300", or "500" for a square. */
static void take_grid(struct argp_state *state, graph_plan *p, char *text) {
    char *times = strchr(text, 'x');
    take_kind(state, p, GRAPH_GRID);
    if (times) *times = '\0';
    const bool right = parse_count(text, 1, UINT32_MAX, &p->width) &&
                       parse_count(times ? times + 1 : text, 1, UINT32_MAX, &p->height);
    if (times) *times = 'x';
    if (!right || p->width > UINT32_MAX / p->height)
        argp_error(state, "--grid=%s: is not a WIDTHxHEIGHT of up to 2^32 - 1 vertices", text);
    else
        p->vertices = p->width * p->height;
}

static void take_argument(struct argp_state *state, graph_request *r, const char *argument) {
    if (!r->action) {
        for (const graph_action *a = graph_actions; a->name; a++)
            if (strcmp(a->name, argument) == 0) r->action = a;
        if (!r->action) argp_error(state, "'%s' is not one of bfs, components, pagerank, info, make", argument);
        return;
    }
    const bool makes = strcmp(r->action->name, "make") == 0;
    if (!makes && !r->in)
        r->in = argument;
    else if (r->action->writes && !r->out)
        r->out = argument;
    else
        argp_error(state, "'%s' is one file too many for graph %s", argument, r->action->name);
}

/* More than half of those of --rmat, for most arcs would be drawn again otherwise. */
static void take_vertices(struct argp_state *state, line *l) {
    graph_plan *p = &l->request.plan;
    if (p->kind != GRAPH_RMAT)
        argp_error(state, "--vertices is for --rmat; --grid and --uniform determine the number themselves");
    else if (l->vertices > p->vertices || (p->scale && l->vertices <= p->vertices / 2))
        argp_error(state, "--vertices=%" PRIu64 ": --rmat=%u has from %" PRIu64 " to %" PRIu64, l->vertices, p->scale,
                   p->scale ? p->vertices / 2 + 1 : 1, p->vertices);
    else
        p->vertices = l->vertices;
}

static void check_make(struct argp_state *state, line *l) {
    const graph_request *r = &l->request;
    if (!r->plan.kind) argp_error(state, "exactly one of --rmat, --grid and --uniform must be given");
    if (l->said[VERTICES]) take_vertices(state, l);
    if (r->plan.kind == GRAPH_GRID && l->said[ARCS])
        argp_error(state, "--arcs is not for --grid, which determines its arcs");
    if (r->out && (named_npy(r->out) || ends_in(r->out, ".gz")))
        argp_error(state, "%s: make writes text: *.mtx is Matrix Market, *.txt an edge list, others DIMACS", r->out);
}

static void check_line(struct argp_state *state, line *l) {
    const graph_request *r = &l->request;
    if (!r->action) {
        argp_error(state, "the action is missing: bfs, components, pagerank, info, make");
        return;
    }
    for (int key = 1; key <= WEIGHTS; key++)
        if (l->said[key] && !strchr(r->action->options, letter_of(key)))
            argp_error(state, "--%s is not for graph %s", option_names[key], r->action->name);
    if (strcmp(r->action->name, "make") == 0)
        check_make(state, l);
    else if (!r->in)
        argp_error(state, "the file GRAPH is missing");
    if (strcmp(r->action->name, "bfs") == 0 && !l->said[SOURCE]) argp_error(state, "--source=V is missing");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    line *l = state->input;
    graph_request *r = &l->request;
    graph_plan *p = &r->plan;
    if (key > 0 && key <= WEIGHTS) l->said[key] = true;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->graph.job;
        return 0;
    case SOURCE:
        r->source = count_of(state, key, argument, 0, UINT64_MAX);
        return 0;
    case DAMPING:
        r->ranks.damping = part_of(state, key, argument, 1);
        return 0;
    case TOLERANCE:
        r->ranks.tolerance = part_of(state, key, argument, INFINITY);
        return 0;
    case ITERATIONS:
        r->ranks.iterations = (uint32_t)count_of(state, key, argument, 1, UINT32_MAX);
        return 0;
    case RMAT:
        take_kind(state, p, GRAPH_RMAT);
        p->scale = (unsigned)count_of(state, key, argument, 0, 31);
        p->vertices = UINT64_C(1) << p->scale;
        return 0;
    case GRID:
        take_grid(state, p, argument);
        return 0;
    case UNIFORM:
        take_kind(state, p, GRAPH_UNIFORM);
        p->vertices = count_of(state, key, argument, 1, UINT32_MAX);
        return 0;
    case VERTICES:
        l->vertices = count_of(state, key, argument, 1, UINT32_MAX);
        return 0;
    case ARCS:
        p->arcs = count_of(state, key, argument, 0, UINT32_MAX);
        return 0;
    case SEED:
        p->seed = count_of(state, key, argument, 0, UINT64_MAX);
        return 0;
    case WEIGHTS:
        p->weight_most = (uint32_t)count_of(state, key, argument, 1, UINT32_MAX);
        return 0;
    case ARGP_KEY_ARG:
        take_argument(state, r, argument);
        return 0;
    case ARGP_KEY_END:
        check_line(state, l);
        if (!l->said[ARCS]) p->arcs = 6 * p->vertices < UINT32_MAX ? 6 * p->vertices : UINT32_MAX;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(void *argument) {
    graph_request *r = argument;
    return graph_job_end(&r->graph, r->action->run(r));
}

int graph_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"source", SOURCE, "V", 0, "bfs: the vertex at which the search begins, by its number in the file", 1},
        {"damping", DAMPING, "D", 0, "pagerank: the probability of following an arc; default: 0.85", 2},
        {"tolerance", TOLERANCE, "T", 0, "pagerank: stop when all changes of ranks add up to no more; default: 1e-6",
         2},
        {"iterations", ITERATIONS, "N", 0, "pagerank: or stop after N iterations; default: 100", 2},
        {"rmat", RMAT, "SCALE", 0, "make: R-MAT graph of 2^SCALE vertices, probabilities 0.5, 0.1, 0.1, 0.3", 3},
        {"grid", GRID, "WxH", 0, "make: a grid that resembles road networks, connected, 2.76 arcs a vertex", 3},
        {"uniform", UNIFORM, "N", 0, "make: N vertices, with the ends of arcs drawn uniformly", 3},
        {"vertices", VERTICES, "N", 0, "make: keep only the first N vertices of --rmat, more than half of them", 3},
        {"arcs", ARCS, "M", 0, "make: number of arcs of --rmat and --uniform; default: 6 a vertex", 3},
        {"seed", SEED, "S", 0, "make: seed; each gives another graph of the kind; default: 0", 3},
        {"weights", WEIGHTS, "W", 0, "make: weights are 1 to W; default: 1000", 3},
        {0}};
    static const char usage[] = "bfs --source=V GRAPH [OUT]\ncomponents GRAPH [OUT]\npagerank GRAPH [OUT]\ninfo GRAPH\n"
                                "make --rmat=SCALE [OUT]\nmake --grid=WxH [OUT]\nmake --uniform=N [OUT]";
    static const char about[] =
        "Searches graphs, finds their components, ranks their vertices, describes them, and generates some."
        "\v"
        "Examples:\n"
        "  warpwise graph info roads.gr.gz\n"
        "  warpwise graph bfs --source=1 roads.gr.gz levels.txt\n"
        "  warpwise graph make --rmat=20 --seed=7 rmat.gr\n\n"
        "bfs, components and pagerank print a line \"vertex value\" for each vertex: the smallest number of arcs on a "
        "path to it (inf if there is no path); the smallest vertex of its component, whatever the directions of arcs; "
        "its share of visits, where all shares add up to 1. OUT is standard output by default; if it is named *.npy, "
        "it is an array of the values alone (components are counted from 0). make writes DIMACS, or Matrix Market to "
        "*.mtx, or an edge list to *.txt: the same bytes on every machine.\n" GRAPH_HELP STATUS_HELP;
    static const struct argp argp = {options, parse_option, usage, about, device_children, NULL, NULL};
    line l = {.request = {.ranks = WW_PAGERANK_OPTIONS, .plan.weight_most = 1000}};
    return job_main(argc, argv, &argp, &l, run);
}
