/* Oracles of run lengths and of reduction by key: element by element. */
#ifndef REFERENCE_RUN_H
#define REFERENCE_RUN_H

#include "reference/reduce.h"

/* starts[r] = where run r of equal elements begins; room for n. Returns how many runs. */
size_t reference_runs(uint64_t *starts, const void *x, size_t n, size_t size);

/* The same where neighbours are compared by a function. */
typedef bool reference_equal(const void *before, const void *x);
size_t reference_runs_by(uint64_t *starts, const void *x, size_t n, size_t size, reference_equal *equal);

/* The reduction of elements begin … end - 1 of the values, bracketed as docs/determinism.md says. */
void reference_reduce_run(void *result, const void *values, uint64_t begin, uint64_t end, size_t key_size,
                          size_t value_size, bool commutes, reference_combine *combine);

#endif
