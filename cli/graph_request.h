/* What a line of `warpwise graph` asks for, and its actions. */
#ifndef CLI_GRAPH_REQUEST_H
#define CLI_GRAPH_REQUEST_H

#include "graph_job.h"
#include "graph_make.h"

typedef struct graph_request graph_request;

typedef struct graph_action {
    const char *name;
    const char *options; /* which it takes, a letter each, as in graph.c */
    bool writes;         /* OUT; else GRAPH alone */
    int (*run)(graph_request *r);
} graph_action;

struct graph_request {
    graph_job graph;
    const graph_action *action;
    const char *in, *out;
    uint64_t source;
    ww_pagerank_options ranks;
    graph_plan plan;
};

/* Ended by one without a name. */
extern const graph_action graph_actions[];

#endif
