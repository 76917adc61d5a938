/* The device's copy rate, which every other rate is held against; bytes read and bytes written both count. On the CPU it
 * is the better of memcpy and a copy with streaming stores, between two arrays on 2 MiB pages, on the run's threads;
 * on a GPU the better of ww_copy (the driver's own) and ww_map (a kernel), between two arrays of its memory. */
#ifndef BENCH_COPY_H
#define BENCH_COPY_H

#include <stddef.h>

#include "measuring/bench.h"

enum { COPY_METHODS = 2 };

typedef struct copy_rate {
    const char *names[COPY_METHODS];
    ww_device *device; /* a GPU; NULL: the CPU, without the library */
    size_t bytes;      /* of each array */
    unsigned threads;
    unsigned queued[COPY_METHODS]; /* copies of a sample, on a GPU */
    void *from, *to;
    double *samples[COPY_METHODS]; /* seconds */
    unsigned count[COPY_METHODS];
    bench_spread spread[COPY_METHODS];
    int best;
    double gbps; /* 1e9 bytes per second, of the best one's median */
} copy_rate;

/* Of the CPU; of a GPU. Arrays have about that many bytes, of the CPU fewer where memory is short. Both end the program when
 * they cannot. */
void copy_begin(copy_rate *copy, unsigned threads, size_t bytes);
void copy_begin_on(copy_rate *copy, ww_device *device, size_t bytes);
/* Takes `repeat` more samples of each method and brings the figures up to date. Called before and between the families,
 * so that the rate is that of the same run. */
void copy_measure(copy_rate *copy, unsigned repeat);
/* Adds a sample of a method that an earlier part of the run took. */
void copy_recall(copy_rate *copy, int method, double seconds);
void copy_end(copy_rate *copy);

#endif
