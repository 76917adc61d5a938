/* Runs one row: Warpwise, its base and its peers on the same data, in turn, each result verified once. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench.h"
#include "peers.h"

typedef struct bench_run {
    const bench_options *options;
    ww_device *device;
    const char *backend; /* "cpu", "cuda" or "emu" */
    bool cpu;            /* peers, targets and the other compiler's functions are the CPU's only */
    bench_peer peers[PEERS];
} bench_run;

/* How many of what a row's rate counts. */
size_t row_items(const bench_row *row, size_t size);

/* Whether the row can run: one with the other compiler's functions needs it, and a CPU (a GPU has one for both). */
bool row_here(const bench_row *row, bool cpu);

void measure_row(const bench_run *run, const bench_family *family, const bench_row *row, bench_result *result);

#endif
