/* Renumbering threads, serially: each function writes, for each new thread, the older rank; the caller moves columns by
 * that. */
#ifndef REFERENCE_TEAM_H
#define REFERENCE_TEAM_H

#include <stddef.h>
#include <stdint.h>

/* Each returns the number of threads there are then. rank (or NULL): ranks among siblings. */
size_t reference_team_fork(const uint64_t *counts, size_t n, uint64_t *older, uint64_t *rank);
size_t reference_team_kill(const uint8_t *flags, size_t n, uint64_t *older);
/* Stable by bucket; with keys for buckets, a stable sort. */
size_t reference_team_order(const uint64_t *keys, size_t n, uint64_t *older);
/* to[i] = from[older[i]] for elements of a size. */
void reference_team_carry(const void *from, size_t size, const uint64_t *older, size_t n, void *to);

#endif
