/* Oracles of splits of records by their bits, by labels, and into several buckets. */
#ifndef REFERENCE_SPLIT_RECORDS_H
#define REFERENCE_SPLIT_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/* Bit k of a record, the lowest of its first byte being bit 0. */
unsigned reference_bit(const void *record, size_t k);

/* positions[i]: the record that comes i-th when records are ordered by bit_count bits from bit_first on, stably. */
void reference_split_bits(const void *records, size_t n, size_t size, size_t bit_first, size_t bit_count,
                          uint32_t *positions);
/* begins[b]: how many records have a number below b in these bits (up to 30 of them). */
void reference_split_begins(const void *records, size_t n, size_t size, size_t bit_first, size_t bit_count,
                            uint64_t *begins);

/* positions[i]: what comes i-th when elements are ordered by their labels, which are below `buckets`, stably. */
void reference_split_labels(const uint32_t *labels, size_t n, size_t buckets, uint32_t *positions, uint64_t *begins);

/* Lists element i in every bucket b whose bit is set in masks[i]; returns how long the list is. positions may be NULL. */
size_t reference_several(const uint64_t *masks, size_t n, size_t buckets, uint64_t *positions, uint64_t *begins);

#endif
