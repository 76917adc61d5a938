#include "graph_job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

enum { LINE = 2 * VALUE_TEXT };

/* ---- reading ---- */

static void tell(void *context, uint64_t done, uint64_t total) {
    const job *j = context;
    progress_bytes(j->progress, done, total);
}

static int read_text(graph_job *g, graph_source *source) {
    if (!graph_source_open(source, g->path)) return job_fail(&g->job, "%s", source->sentence);
    const bool done = graph_arcs_read(source, &g->arcs);
    graph_source_close(source);
    return done ? DONE : job_fail(&g->job, "%s", source->sentence);
}

/* The library reads elements and forgets their shape, which decides what a row is: the number behind the comma in the
 * header. */
static unsigned columns_of(const char *path) {
    char header[1024];
    unsigned columns = 0;
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    const size_t length = fread(header, 1, sizeof header - 1, file);
    fclose(file);
    for (size_t i = 0; i < length; i++)
        if (!header[i] || header[i] == '\n') header[i] = ' ';
    header[length] = '\0';
    const char *shape = strstr(header, "'shape'"), *open = shape ? strchr(shape, '(') : NULL;
    char end = 0;
    return open && sscanf(open, "( %*[0-9] , %u %c", &columns, &end) == 2 && end == ')' ? columns : 0;
}

/* A whole number of any integer type; false where it is negative. */
static bool whole_of(const ww_array *a, uint64_t at, uint64_t *value) {
    *value = 0;
    memcpy(value, (const char *)a->data + at * a->size, a->size);
    return a->type->kind == WW_KIND_UNSIGNED || !(*value >> (8 * a->size - 1));
}

static int take_row(graph_job *g, const ww_array *a, uint64_t row, unsigned columns) {
    static const char *const what[] = {"the first vertex", "the second vertex", "the weight"};
    uint64_t cell[3] = {0, 0, 1};
    for (unsigned c = 0; c < columns; c++) {
        char text[VALUE_TEXT];
        const uint64_t at = row * columns + c;
        if (!whole_of(a, at, &cell[c]) || cell[c] > UINT32_MAX - (c < 2))
            return job_fail(&g->job, "%s: row %" PRIu64 ": %s %s is not from 0 to %" PRIu32, g->path, row, what[c],
                            value_text(a->type, (const char *)a->data + at * a->size, text), UINT32_MAX - (c < 2));
    }
    for (unsigned c = 0; c < 2; c++)
        if (cell[c] >= g->arcs.vertices) g->arcs.vertices = cell[c] + 1;
    if (graph_arcs_add(&g->arcs, cell[0], cell[1], (arc_weight){(uint32_t)cell[2]})) return DONE;
    return job_fail(&g->job, "%s: no memory for more arcs than %" PRIu64, g->path, g->arcs.count);
}

static int read_npy(graph_job *g, graph_source *source) {
    ww_file_array file = {{0}, {0}};
    char label[24];
    g->job.any_shape = true;
    int status = job_read(&g->job, g->path, ww_none, &file);
    const ww_array a = file.array;
    const unsigned columns = status ? 0 : columns_of(g->path);
    g->arcs.format = ".npy";
    g->arcs.weights = columns == 3 ? WEIGHTS_WHOLE : WEIGHTS_NONE;
    if (!status && ((a.type->kind != WW_KIND_UNSIGNED && a.type->kind != WW_KIND_SIGNED) || a.size > sizeof(uint64_t)))
        status = job_fail(&g->job, "%s: holds %s; arcs are rows of whole numbers of up to 64 bits", g->path,
                          type_label(&a, label));
    if (!status && ((columns != 2 && columns != 3) || a.count % columns != 0))
        status = job_fail(&g->job, "%s: its shape is neither (arcs, 2) nor (arcs, 3)", g->path);
    for (uint64_t row = 0; !status && row < a.count / columns; row++) status = take_row(g, &a, row, columns);
    job_forget(&g->job, &file);
    if (!status && !graph_arcs_check(source, &g->arcs)) status = job_fail(&g->job, "%s", source->sentence);
    return status;
}

int graph_job_read(graph_job *g, const char *path) {
    char sentence[GRAPH_SENTENCE] = "", phase[200];
    graph_source source = {.name = strcmp(path, "-") ? path : "standard input", .sentence = sentence, .tell = tell};
    source.context = &g->job;
    g->path = path;
    snprintf(phase, sizeof phase, "reading %.180s", source.name);
    progress_phase(g->job.progress, phase);
    const double began = seconds_now();
    const int status = named_npy(path) ? read_npy(g, &source) : read_text(g, &source);
    g->job.reading += seconds_now() - began;
    g->count = g->arcs.count;
    return status;
}

int graph_job_load(graph_job *g, const char *path) {
    graph_arcs *a = &g->arcs;
    const int status = graph_job_read(g, path);
    if (status) return status;
    const ww_type *type = a->weights == WEIGHTS_REAL ? &ww_type_float : &ww_type_uint32_t;
    const ww_input from = ww_from(ww_array_of(a->from, a->count, &ww_type_uint32_t));
    const ww_input to = ww_from(ww_array_of(a->to, a->count, &ww_type_uint32_t));
    const ww_input weight = a->weights == WEIGHTS_NONE ? ww_no_input : ww_from(ww_array_of(a->weight, a->count, type));
    progress_phase(g->job.progress, "making rows of arcs");
    const ww_status made = ww_graph_create(g->job.device, a->vertices, from, to, weight, NULL, &g->graph);
    free(a->from);
    free(a->to);
    free(a->weight);
    a->from = a->to = NULL;
    a->weight = NULL;
    return job_check(&g->job, made);
}

static const char *name_of(const graph_job *g) { return strcmp(g->path, "-") ? g->path : "standard input"; }

int graph_job_source(graph_job *g, uint64_t number, uint32_t *source) {
    const uint64_t first = g->arcs.first, vertices = g->arcs.vertices;
    if (!vertices) return job_fail(&g->job, "--source=%" PRIu64 ": %s has no vertices", number, name_of(g));
    if (number < first || number - first >= vertices)
        return job_fail(&g->job, "--source=%" PRIu64 ": vertices of %s are %" PRIu64 " to %" PRIu64, number, name_of(g),
                        first, first + vertices - 1);
    *source = (uint32_t)(number - first);
    return DONE;
}

/* ---- writing ---- */

int graph_job_results(graph_job *g, const ww_type *type, ww_array *results) {
    const int status = job_room(&g->job, ww_array_of(NULL, 0, type), g->arcs.vertices, &g->out[0]);
    *results = g->out[0];
    g->job.items = g->count;
    snprintf(g->job.label, sizeof g->job.label, "arcs");
    return status;
}

static bool no_value(const ww_array *a, uint64_t v) {
    if (a->type == &ww_type_float) return isinf(((const float *)a->data)[v]);
    if (a->type == &ww_type_uint64_t) return ((const uint64_t *)a->data)[v] == UINT64_MAX;
    return a->type == &ww_type_uint32_t && ((const uint32_t *)a->data)[v] == UINT32_MAX;
}

static const char *result_text(const graph_job *g, const ww_array *a, uint64_t v, const char *none, bool labels,
                               char text[VALUE_TEXT]) {
    if (none && no_value(a, v)) return none;
    if (labels) return integer_text(false, ((const uint32_t *)a->data)[v] + (magnitude)g->arcs.first, text);
    return value_text(a->type, (const char *)a->data + v * a->size, text);
}

int graph_job_write_text(graph_job *g, const char *path, char *text, size_t length) {
    const ww_file_output output = {path ? path : "-", ww_from(ww_array_of(text, length, &ww_type_uint8_t))};
    return job_write(&g->job, &output, 1);
}

int graph_job_write(graph_job *g, const char *path, const ww_array *results, const char *none, bool labels) {
    char number[VALUE_TEXT], value[VALUE_TEXT];
    size_t used = 0, room = 0;
    char *text = NULL;
    if (path && named_npy(path)) {
        const ww_file_output output = {path, ww_from(*results)};
        return job_write(&g->job, &output, 1);
    }
    progress_phase(g->job.progress, "printing values");
    for (uint64_t v = 0; v < results->count; v++) {
        if (room - used < LINE) {
            room = room ? 2 * room : 1 << 16;
            char *moved = realloc(text, room);
            if (!moved) {
                free(text);
                return job_fail(&g->job, "no memory for the lines of %" PRIu64 " vertices", results->count);
            }
            text = moved;
        }
        const char *from = integer_text(false, v + (magnitude)g->arcs.first, number);
        const char *what = result_text(g, results, v, none, labels, value);
        const size_t from_length = strlen(from), what_length = strlen(what);
        memcpy(text + used, from, from_length);
        text[used + from_length] = ' ';
        memcpy(text + used + from_length + 1, what, what_length);
        used += from_length + what_length + 2;
        text[used - 1] = '\n';
    }
    const int status = graph_job_write_text(g, path, text, used);
    free(text);
    return status;
}

int graph_job_end(graph_job *g, int status) {
    ww_graph_destroy(g->graph);
    graph_arcs_release(&g->arcs);
    return status;
}
