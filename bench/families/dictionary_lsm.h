/* What rows of the ordered dictionary do, for the family and for its studies. A row's parameter is how many batches there are: for
 * insertions of all elements, for queries of 256 that would have all of them, so that 256 are one level, 255 are eight. */
#ifndef BENCH_DICTIONARY_LSM_H
#define BENCH_DICTIONARY_LSM_H

#include "measuring/bench.h"

void lsm_end(void);

void lsm_make_batches(bench_work *w);
ww_status lsm_run_insert(bench_work *w);
ww_status lsm_run_first(bench_work *w);    /* the first batch alone */
ww_status lsm_run_but_last(bench_work *w); /* all batches but the last one */
ww_status lsm_run_merged(bench_work *w);   /* keys alone, into one sorted array */
ww_status lsm_run_rebuilt(bench_work *w);  /* keys alone, sorted anew with each batch */
bool lsm_right_rebuilt(const bench_work *w);
bool lsm_right_insert(const bench_work *w);
bool lsm_right_first(const bench_work *w);
bool lsm_right_but_last(const bench_work *w);

void lsm_make_there(bench_work *w);
void lsm_make_not_there(bench_work *w);
ww_status lsm_run_lookup(bench_work *w);
bool lsm_right_there(const bench_work *w);
bool lsm_right_not_there(const bench_work *w);

void lsm_make_narrow(bench_work *w); /* bounds that have 8 keys between them, on average */
void lsm_make_wide(bench_work *w);   /* 1024 */
ww_status lsm_run_count(bench_work *w);
bool lsm_right_count(const bench_work *w);

void lsm_make_ranges(bench_work *w);      /* n ranges of width 8 in 16 n elements */
void lsm_make_wide_ranges(bench_work *w); /* of width 1024 in 1024 n elements */
ww_status lsm_run_range(bench_work *w);
bool lsm_right_range(const bench_work *w);

#endif
