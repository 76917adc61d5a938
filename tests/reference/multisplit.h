/* Oracle of the multisplit: a serial counting sort of positions. */
#ifndef REFERENCE_MULTISPLIT_H
#define REFERENCE_MULTISPLIT_H

#include <stddef.h>
#include <stdint.h>

/* order[k]: which of the n elements comes to stand at place k; offsets (buckets + 1): where each bucket begins. */
void reference_multisplit(const uint32_t *bucket, size_t n, size_t buckets, uint32_t *order, uint64_t *offsets);

#endif
