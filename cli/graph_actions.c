#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_request.h"
#include "print.h"

static void begin(graph_job *g, const char *what) {
    progress_phase(g->job.progress, what);
    g->job.began = seconds_now();
}

static int search(graph_request *r) {
    graph_job *g = &r->graph;
    ww_array levels;
    uint32_t source;
    int status = graph_job_load(g, r->in);
    if (!status) status = graph_job_source(g, r->source, &source);
    if (!status) status = graph_job_results(g, &ww_type_uint32_t, &levels);
    if (status) return status;
    begin(g, "searching");
    status = job_end(&g->job, job_check(&g->job, ww_bfs(g->graph, ww_memory(&source, 1), levels, ww_none)));
    return status ? status : graph_job_write(g, r->out, &levels, "inf", false);
}

static int components(graph_request *r) {
    graph_job *g = &r->graph;
    ww_array labels;
    int status = graph_job_load(g, r->in);
    if (!status) status = graph_job_results(g, &ww_type_uint32_t, &labels);
    if (status) return status;
    begin(g, "finding components");
    status = job_end(&g->job, job_check(&g->job, ww_components(g->graph, labels, ww_none)));
    return status ? status : graph_job_write(g, r->out, &labels, NULL, true);
}

static int ranks(graph_request *r) {
    graph_job *g = &r->graph;
    ww_array values;
    ww_pagerank_report report = WW_PAGERANK_REPORT;
    int status = graph_job_load(g, r->in);
    if (!status) status = graph_job_results(g, &ww_type_double, &values);
    if (status) return status;
    begin(g, "ranking");
    status = job_end(&g->job, job_check(&g->job, ww_pagerank(g->graph, values, &r->ranks, &report)));
    if (!status) status = graph_job_write(g, r->out, &values, NULL, false);
    if (!status && report.change > r->ranks.tolerance)
        fprintf(stderr, "%s: after %" PRIu32 " iterations ranks still change by %.3g in sum\n", g->job.command,
                report.iterations, report.change);
    return status;
}

static void put_weight(const char *which, double weight) {
    char text[VALUE_TEXT];
    const bool whole = weight < 4294967296.0 && (double)(uint32_t)weight == weight;
    printf("weight %s %s\n", which, whole ? integer_text(false, (uint32_t)weight, text) : double_text(weight, text));
}

static int info(graph_request *r) {
    graph_job *g = &r->graph;
    ww_graph_info known = WW_GRAPH_INFO;
    char text[VALUE_TEXT];
    int status = graph_job_load(g, r->in);
    if (!status) status = job_check(&g->job, ww_graph_info_get(g->graph, &known));
    if (status) return status;
    job_quiet(&g->job);
    snprintf(g->job.label, sizeof g->job.label, "arcs");
    g->job.items = known.arcs;
    printf("format %s\nvertices %" PRIu64 "\narcs %" PRIu64 "\nweights %s\n", g->arcs.format, known.vertices,
           known.arcs, known.weight ? known.weight->label : "none");
    put_weight("least", known.weight_least);
    put_weight("most", known.weight_most);
    printf("weight mean %s\n", double_text(known.weight_mean, text));
    printf("arcs a vertex %.2f, at most %" PRIu64 "\n",
           known.vertices ? (double)known.arcs / (double)known.vertices : 0, known.degree_most);
    printf("vertices without arcs of their own %" PRIu64 "\nloops %" PRIu64 "\n", known.rows_empty, known.loops);
    return DONE;
}

/* ---- making ---- */

enum { LINE = 64 };

typedef struct written {
    char *text;
    size_t used, room;
    char letter;    /* 'a' before each line, or 0 */
    unsigned first; /* the number of the first vertex */
} written;

static bool ends_with(const char *path, const char *end) {
    const size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

static bool make_room(written *w) {
    if (w->room - w->used >= 2 * LINE) return true;
    const size_t room = w->room ? 2 * w->room : 1 << 16;
    char *moved = realloc(w->text, room);
    if (!moved) return false;
    w->text = moved;
    w->room = room;
    return true;
}

static void put_whole(written *w, uint64_t number, char behind) {
    char digits[VALUE_TEXT];
    const char *text = integer_text(false, number, digits);
    const size_t length = strlen(text);
    memcpy(w->text + w->used, text, length);
    w->used += length;
    w->text[w->used++] = behind;
}

static bool put_arc(void *context, uint32_t from, uint32_t to, uint32_t weight) {
    written *w = context;
    if (!make_room(w)) return false;
    if (w->letter) {
        w->text[w->used++] = w->letter;
        w->text[w->used++] = ' ';
    }
    put_whole(w, (uint64_t)from + w->first, ' ');
    put_whole(w, (uint64_t)to + w->first, ' ');
    put_whole(w, weight, '\n');
    return true;
}

static bool put_head(written *w, const graph_plan *p, const char *path, uint64_t arcs) {
    if (!make_room(w)) return false;
    w->first = 1;
    if (ends_with(path, ".mtx")) {
        w->used = (size_t)sprintf(
            w->text, "%%%%MatrixMarket matrix coordinate integer general\n%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
            p->vertices, p->vertices, arcs);
    } else if (ends_with(path, ".txt")) {
        w->first = 0;
    } else {
        w->letter = 'a';
        w->used = (size_t)sprintf(w->text, "p sp %" PRIu64 " %" PRIu64 "\n", p->vertices, arcs);
    }
    return true;
}

static int make(graph_request *r) {
    graph_job *g = &r->graph;
    written w = {0};
    const char *path = r->out ? r->out : "-";
    const uint64_t arcs = graph_plan_arcs(&r->plan);
    begin(g, "making a graph");
    int status = DONE;
    if (!put_head(&w, &r->plan, path, arcs) || !graph_plan_each(&r->plan, put_arc, &w))
        status = job_fail(&g->job, "no memory for the lines of %" PRIu64 " arcs", arcs);
    g->job.items = arcs;
    snprintf(g->job.label, sizeof g->job.label, "arcs");
    status = job_end(&g->job, status);
    if (!status) status = graph_job_write_text(g, r->out, w.text, w.used);
    free(w.text);
    return status;
}

const graph_action graph_actions[] = {{"bfs", "s", true, search},     {"components", "", true, components},
                                      {"pagerank", "p", true, ranks}, {"info", "", false, info},
                                      {"make", "m", true, make},      {0}};
