/* The serial oracles of the banked model's problems: what has to come out, whatever the banks did. */
#ifndef REFERENCE_BANKED_H
#define REFERENCE_BANKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* out[index[k]] = values[k]. */
void reference_banked_permute(const uint32_t *index, const uint32_t *values, size_t n, uint32_t *out);
/* A matrix of `banks` rows from row-major to column-major order, or back. */
void reference_banked_convert(const uint32_t *values, size_t n, size_t banks, bool to_columns, uint32_t *out);
/* Whether each row has its label, and items 0 … n - 1 stand there once, each with the label that it had. */
bool reference_banked_partitioned(const uint32_t *before, const uint32_t *after, const uint32_t *items, size_t n,
                                  size_t banks);

#endif
