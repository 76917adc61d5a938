/* One thread of `warpwise find`: takes pieces of the texts, finds the patterns in them, and hands in what it found. */
#ifndef CLI_FIND_SEARCH_H
#define CLI_FIND_SEARCH_H

#include "find_output.h"
#include "find_patterns.h"
#include "find_pieces.h"
#include "job.h"

/* What all threads share. */
typedef struct search {
    const patterns *patterns;
    bool many; /* of a LIST: lines say which */
    ww_find_options options;
    size_t longest_name;
    pieces pieces;
    output output;
} search;

typedef struct searcher {
    search *shared;
    job job;                      /* its device, opened by the caller */
    ww_patterns *ready;           /* of many */
    unsigned char *text, *inside; /* a piece; where the device's kernels read it, which is elsewhere on a GPU */
    uint32_t *positions, *numbers;
    uint64_t room; /* of them */
    found_lines found;
    pthread_t thread;
} searcher;

/* Opens what a thread needs beside its device, and checks the patterns. An exit status. */
int searcher_open(searcher *s, search *shared);
void searcher_close(searcher *s);

/* Goes on until there are no more pieces, or somebody's work has ended in a failure. */
void searcher_run(searcher *s);

#endif
