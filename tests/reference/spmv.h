/* The oracle of a sparse matrix times vectors. */
#ifndef TESTS_REFERENCE_SPMV_H
#define TESTS_REFERENCE_SPMV_H

#include <stddef.h>
#include <stdint.h>

/* out[r * vectors + v] = the sum of row r's values times x[column * vectors + v]; integers wrap. */
void reference_spmv_u64(const uint64_t *values, const uint64_t *columns, const uint64_t *offsets, size_t rows, const uint64_t *x,
                        size_t vectors, uint64_t *out);
/* The same in long doubles, and what the sum of the products' magnitudes is. */
void reference_spmv_f64(const double *values, const uint64_t *columns, const uint64_t *offsets, size_t rows, const double *x,
                        size_t vectors, long double *out, long double *magnitude);

#endif
