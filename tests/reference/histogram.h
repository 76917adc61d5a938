/* Histograms, one element after another. Counts are u64; elements in no bin are counted in *outside. */
#ifndef REFERENCE_HISTOGRAM_H
#define REFERENCE_HISTOGRAM_H

#include "warpwise.h"

/* The bin of the element at x, or `bins`. */
uint64_t reference_bin_even(const ww_type *type, const void *x, const void *low, const void *high, uint64_t bins);
uint64_t reference_bin_edges(const ww_type *type, const void *x, const void *edges, uint64_t bins);

void reference_histogram_even(const ww_type *type, const void *x, size_t n, const void *low, const void *high,
                              uint64_t bins, uint64_t *counts, uint64_t *outside);
void reference_histogram_edges(const ww_type *type, const void *x, size_t n, const void *edges, uint64_t bins,
                               uint64_t *counts, uint64_t *outside);

#endif
