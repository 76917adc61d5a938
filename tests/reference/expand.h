/* Expanding, serially. */
#ifndef REFERENCE_EXPAND_H
#define REFERENCE_EXPAND_H

#include <stddef.h>
#include <stdint.h>

/* Element i of n counts[i] times, its position, and how often it came before; at most `room` of them. Any output may be NULL. Returns
 * how many there are without a bound. */
uint64_t reference_expand(const void *in, size_t size, const uint64_t *counts, size_t n, uint64_t room, void *out,
                          uint64_t *source, uint64_t *rank);

#endif
