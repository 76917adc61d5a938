/* Runs one row: Warpwise, its base and its peers on the same data, in turn, each result verified once. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "measuring/bench.h"
#include "peers/peers.h"

typedef struct bench_run {
    const bench_options *options;
    ww_device *device;
    ww_device *one;      /* of a CPU's run on several threads: a device of one, to stand beside peers that have one */
    const char *backend; /* "cpu", "cuda" or "emu" */
    bool cpu;            /* peers, targets and the other compiler's functions are the CPU's only */
    size_t most;         /* items of a study's row: what --size says, or as many as the row has */
    size_t memory;       /* bytes that a row may take */
    bench_peer peers[PEERS];
} bench_run;

/* How many of what a row's rate counts. `most` is SIZE_MAX where nobody asked for a size. */
size_t row_items(const bench_run *run, const bench_row *row);

/* Whether the row can run: one with the other compiler's functions needs it, and a CPU (a GPU has one for both); a study's
 * needs memory, and fewer items than it has make it the same as a smaller one. */
bool row_here(const bench_run *run, const bench_row *row);

/* As the table and the JSON call it, in `name` of that room. */
void row_name(const bench_run *run, const bench_row *row, char *name, size_t room);

void measure_row(const bench_run *run, const bench_family *family, const bench_row *row, bench_result *result);

#endif
