/* Strings of bits in order, serially: what is looked up, by looking at all keys and all bits. */
#ifndef REFERENCE_RADIX_TREE_H
#define REFERENCE_RADIX_TREE_H

#include <stddef.h>
#include <stdint.h>

typedef struct reference_bits {
    const uint8_t *bytes; /* each from its highest bit on */
    size_t bits;
} reference_bits;

/* How many first bits are equal; below, equal, above: -1, 0, 1, where what ends comes first. */
size_t reference_bits_common(reference_bits a, reference_bits b);
int reference_bits_order(reference_bits a, reference_bits b);

/* Positions among n sorted keys: the first that equals the query; of the longest that is a prefix of it, the first; the
 * first that is not below it, or is above it. UINT64_MAX: none (n for bounds). */
uint64_t reference_bits_find(const reference_bits *keys, size_t n, reference_bits query);
uint64_t reference_bits_match(const reference_bits *keys, size_t n, reference_bits query);
uint64_t reference_bits_bound(const reference_bits *keys, size_t n, reference_bits query, int upper);

#endif
