/* What `warpwise sssp` and `warpwise graph` share: a graph from a file, its source, a line for each vertex. */
#ifndef CLI_GRAPH_JOB_H
#define CLI_GRAPH_JOB_H

#include "graph_arcs.h"
#include "job.h"

typedef struct graph_job {
    job job;
    const char *path;
    graph_arcs arcs; /* its lists are given back when there is a graph of them; the numbers stay */
    uint64_t count;  /* of arcs */
    ww_graph *graph;
    ww_array out[2]; /* memory of results and of text, given back when the job ends */
} graph_job;

/* Reads the file and makes the graph. Functions that can fail return an exit status and have printed the sentence. */
int graph_job_load(graph_job *g, const char *path);

/* The arcs alone. */
int graph_job_read(graph_job *g, const char *path);

/* The vertex that the file gives this number. */
int graph_job_source(graph_job *g, uint64_t number, uint32_t *source);

/* Memory for one result a vertex. */
int graph_job_results(graph_job *g, const ww_type *type, ww_array *results);

/* Lines "vertex value" to a file, or standard output where `path` is NULL; to *.npy the values themselves. `none` is the
 * text for the type's largest value, or infinity, and NULL where that is a value like others; `labels`: values are vertices. */
int graph_job_write(graph_job *g, const char *path, const ww_array *results, const char *none, bool labels);

/* Writes a whole text in place of a file. */
int graph_job_write_text(graph_job *g, const char *path, char *text, size_t length);

/* Gives back what is not the job's; returns the status. */
int graph_job_end(graph_job *g, int status);

#endif
