/* Where and with what a run was made. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "measuring/bench.h"

typedef struct bench_machine {
    char cpu[128], kernel[128], compiler[128], date[32], commit[64], vector[16];
    long cores;
    unsigned long memory_gib;
    size_t cache_l2, cache_l3; /* bytes; 0: not said */
} bench_machine;

/* `date` is the caller's, or NULL for today. */
void machine_describe(bench_machine *machine, const char *date);

#endif
