#include "reference/spmv.h"

#include <math.h>

void reference_spmv_u64(const uint64_t *values, const uint64_t *columns, const uint64_t *offsets, size_t rows, const uint64_t *x,
                        size_t vectors, uint64_t *out) {
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++) {
            uint64_t sum = 0;
            for (uint64_t k = offsets[r]; k < offsets[r + 1]; k++) sum += values[k] * x[columns[k] * vectors + v];
            out[r * vectors + v] = sum;
        }
}

void reference_spmv_f64(const double *values, const uint64_t *columns, const uint64_t *offsets, size_t rows, const double *x,
                        size_t vectors, long double *out, long double *magnitude) {
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++) {
            long double sum = 0, all = 0;
            for (uint64_t k = offsets[r]; k < offsets[r + 1]; k++) {
                const long double product = (long double)values[k] * x[columns[k] * vectors + v];
                sum += product;
                all += fabsl(product);
            }
            out[r * vectors + v] = sum;
            magnitude[r * vectors + v] = all;
        }
}
