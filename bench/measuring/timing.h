/* The clock, and what a handful of samples says. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stddef.h>

#include "measuring/bench.h"

double seconds_now(void);

/* The clock of samples: as above, or, once processor_clock has been called, the time that processors have spent for this program,
 * divided by as many threads as a sample has: a machine that others use too says more by that. */
void processor_clock(void);
double sample_now(void);
double sample_seconds(double from, unsigned threads);

/* Smallest, middle and largest; `samples` is left as it is. */
bench_spread spread_of(const double *samples, size_t count);

/* How many calls that take so long each are queued on a GPU between two waits, so that a sample is of calls, not of
 * waiting: 5 ms of them, 64 at most. */
unsigned calls_between_waits(double seconds);

#endif
