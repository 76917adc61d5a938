/* The clock, and what a handful of samples says. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stddef.h>

#include "bench.h"

double seconds_now(void);

/* Smallest, middle and largest; `samples` is left as it is. */
bench_spread spread_of(const double *samples, size_t count);

#endif
