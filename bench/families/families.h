/* All families, and the slots of a report: one for each row of each family, in this order, studies' rows behind the others. */
#ifndef BENCH_FAMILIES_H
#define BENCH_FAMILIES_H

#include "measuring/bench.h"

enum { FAMILIES = 25 };
extern const bench_family *const families[FAMILIES];

/* The i-th row; NULL behind the last. */
const bench_row *family_row(const bench_family *family, size_t i);

/* How many rows all families before the f-th have; of f = FAMILIES all. */
size_t family_slot(size_t f);

#endif
