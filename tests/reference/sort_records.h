/* The oracle of sorting records by a part of their bytes. */
#ifndef REFERENCE_SORT_RECORDS_H
#define REFERENCE_SORT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* positions[i]: the record that comes i-th when n records of `size` bytes are compared by memcmp of `bytes` of their bytes from
 * `first` on; equal ones by position. */
void reference_sort_records(const void *records, size_t n, size_t size, size_t first, size_t bytes, bool descending,
                            uint32_t *positions);

#endif
