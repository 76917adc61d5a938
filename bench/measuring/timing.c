/* CLOCK_MONOTONIC and the median: of an even number of samples the mean of the middle two. */
#include "measuring/timing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool by_processors;

static double now_by(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds_now(void) { return now_by(CLOCK_MONOTONIC); }

void processor_clock(void) { by_processors = true; }
double sample_now(void) { return by_processors ? now_by(CLOCK_PROCESS_CPUTIME_ID) : seconds_now(); }
double sample_seconds(double from, unsigned threads) { return (sample_now() - from) / (by_processors ? threads : 1); }

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_spread spread_of(const double *samples, size_t count) {
    if (!count) return (bench_spread){0, 0, 0, 0};
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted) exit(1);
    memcpy(sorted, samples, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    const double middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    const bench_spread spread = {sorted[0], middle, sorted[count - 1], (unsigned)count};
    free(sorted);
    return spread;
}

unsigned calls_between_waits(double seconds) {
    enum { MOST = 64 };
    static const double sample_seconds = 0.005;
    return seconds * MOST <= sample_seconds ? MOST
           : seconds < sample_seconds       ? (unsigned)(sample_seconds / seconds) + 1
                                            : 1;
}
