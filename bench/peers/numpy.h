/* NumPy's sort, in a Python process that is started once and told what to do line by line. */
#ifndef BENCH_NUMPY_H
#define BENCH_NUMPY_H

#include "measuring/bench.h"

bool numpy_open(char *about, size_t room);
void numpy_close(void);
const char *numpy_call(const char *operation);
double numpy_run(const char *operation, bench_work *work, unsigned calls);
bool numpy_finish(bench_work *work);

#endif
