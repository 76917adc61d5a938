/* The model of memory in banks: rows that time it, and tables of its steps (banked.c). */
#ifndef BENCH_BANKED_STUDY_H
#define BENCH_BANKED_STUDY_H

#include "measuring/bench.h"

const bench_row *banked_studies(size_t *count);
void banked_tables(const struct bench_report *report, bench_each_table *each, void *to);

#endif
