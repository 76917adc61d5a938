/* Oracle of quantiles, of elements as doubles. */
#ifndef REFERENCE_QUANTILES_H
#define REFERENCE_QUANTILES_H

#include <stddef.h>

/* The quantile q of n >= 1 sorted elements; how: 0 linear, 1 lower, 2 higher, 3 nearest, 4 midpoint. */
double reference_quantile(const double *sorted, size_t n, double q, int how);

#endif
