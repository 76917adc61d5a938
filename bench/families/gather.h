/* Rows of gather and scatter: records of w->parameter bytes by a random permutation. */
#ifndef BENCH_GATHER_H
#define BENCH_GATHER_H

#include "measuring/bench.h"

void gather_make(bench_work *w);
ww_status gather_run(bench_work *w);
bool gather_right(const bench_work *w);
ww_status scatter_run(bench_work *w); /* the index is a permutation, and the call is told so */
bool scatter_right(const bench_work *w);

/* Elements as the library has them: u32 or u64, else records. */
ww_array gather_array(const bench_work *w, void *data);

#endif
