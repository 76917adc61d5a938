/* The bytes of a graph file, whether they are compressed by gzip or not, from a file, a pipe or memory (for tests). */
#ifndef CLI_GRAPH_SOURCE_H
#define CLI_GRAPH_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRAPH_SENTENCE = 400 };

typedef struct graph_source {
    const char *name;                                           /* as sentences call it */
    void (*tell)(void *context, uint64_t done, uint64_t total); /* or NULL: bytes that were read of the file */
    void *context;
    char *sentence; /* of GRAPH_SENTENCE bytes: what went wrong, with the name */
    int fd;         /* -1: memory */
    const unsigned char *memory;
    uint64_t done, total;      /* bytes of the file; total 0: not known */
    struct unpacker *unpacker; /* NULL: the file is as it is */
} graph_source;

/* Opens a file, "-" standard input; or takes bytes in memory. `name`, `sentence`, `tell` and `context` stand in it already.
 * False: `sentence` says why, and there is nothing to be closed. */
bool graph_source_open(graph_source *s, const char *path);
bool graph_source_memory(graph_source *s, const void *bytes, size_t length);
void graph_source_close(graph_source *s);

/* Up to `bytes`, which are at least 1; *got is 0 at the end. A compressed file that is cut off or damaged is false, never an
 * end. */
bool graph_source_read(graph_source *s, void *to, size_t bytes, size_t *got);

/* Writes a sentence that begins with the source's name; returns false. */
bool graph_source_fail(graph_source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
