/* The machine's copy rate, which every other rate is held against: the better of memcpy and a copy with streaming stores,
 * between two arrays of 1 GiB on 2 MiB pages, on the run's threads; bytes read and bytes written both count. */
#ifndef BENCH_COPY_H
#define BENCH_COPY_H

#include <stddef.h>

#include "bench.h"

enum { COPY_MEMCPY, COPY_STREAM, COPY_METHODS };

typedef struct copy_rate {
    size_t bytes; /* of each array */
    unsigned threads;
    void *from, *to;
    double *samples[COPY_METHODS]; /* seconds */
    unsigned count[COPY_METHODS];
    bench_spread spread[COPY_METHODS];
    int best;
    double gbps; /* 1e9 bytes per second, of the best one's median */
} copy_rate;

const char *copy_method_name(int method);

void copy_begin(copy_rate *copy, unsigned threads);
/* Takes `repeat` more samples of each method and brings the figures up to date. Called before and between the families,
 * so that the rate is that of the same run. */
void copy_measure(copy_rate *copy, unsigned repeat);
void copy_end(copy_rate *copy);

#endif
