/* A row's data where the device has it. A row's make and right work on the host's arrays, run on the device's: on the CPU
 * the same ones, on a GPU copies of them in its memory. */
#ifndef BENCH_DEVICE_WORK_H
#define BENCH_DEVICE_WORK_H

#include "measuring/bench.h"

/* Makes `there`, for run, of `here`, which make has filled. Give it back with device_work_end, also when this failed. */
ww_status device_work_begin(const bench_work *here, bool cpu, bench_work *there);

/* Before a first run: outputs hold 0xa5, the number that a call gives 0. */
ww_status device_work_poison(const bench_work *there);

/* After it: brings outputs and the number to `here`. */
ww_status device_work_fetch(const bench_work *there, bench_work *here);

void device_work_end(bench_work *there);

#endif
