/* Lines of a graph file and the numbers in them, a MiB at a time. A line has an end, and so have comments: what costs a
 * compressed file nothing is not believed for ever. Functions are false where something is wrong, and the source's sentence
 * says file, line and value. */
#ifndef CLI_GRAPH_LINES_H
#define CLI_GRAPH_LINES_H

#include "graph_source.h"

enum { LINES_CHUNK = 1 << 20, LINE_MOST = 4096 };

typedef struct graph_lines {
    graph_source *source;
    char *bytes; /* LINES_CHUNK + 1 */
    size_t begin, end;
    bool ended;
    uint64_t line, comments; /* number of the line; bytes of comments so far */
    char *at;                /* in the line that is being read, which ends with '\0'; NULL: the file has ended */
} graph_lines;

bool graph_lines_open(graph_lines *l, graph_source *source);
void graph_lines_close(graph_lines *l);

/* The next line, without its end. */
bool graph_lines_next(graph_lines *l);

/* The next line that is neither empty nor begins with one of `marks`. The line that is there is a comment, too. */
bool graph_lines_next_said(graph_lines *l, const char *marks);
bool graph_lines_comment(graph_lines *l);

void skip_blanks(graph_lines *l);
bool is_blank(char c);
int word_length(const char *at); /* up to 40 */

/* "line 3: WHAT 'word' PROBLEM", or that it is missing; false. */
bool fail_at(graph_lines *l, const char *what, const char *problem);

/* A whole number from least to most; whether one comes, whatever its size; a weight of f32, not below 0. */
bool take_whole(graph_lines *l, const char *what, uint64_t least, uint64_t most, uint64_t *number);
bool whole_next(const char *at);
bool take_real(graph_lines *l, float *value);

/* Nothing more stands in the line. */
bool line_ends(graph_lines *l);

#endif
