#include "reference/split_records.h"

#include <stdlib.h>
#include <string.h>

unsigned reference_bit(const void *record, size_t k) { return ((const unsigned char *)record)[k / 8] >> k % 8 & 1; }

static const char *at(const void *records, size_t size, size_t i) { return (const char *)records + i * size; }

void reference_split_bits(const void *records, size_t n, size_t size, size_t bit_first, size_t bit_count,
                          uint32_t *positions) {
    uint32_t *ones = malloc((n + 1) * sizeof *ones);
    if (!ones) abort();
    for (size_t i = 0; i < n; i++) positions[i] = (uint32_t)i;
    for (size_t k = bit_first; k < bit_first + bit_count; k++) {
        size_t zeros = 0, many = 0;
        for (size_t i = 0; i < n; i++)
            if (reference_bit(at(records, size, positions[i]), k))
                ones[many++] = positions[i];
            else
                positions[zeros++] = positions[i];
        memcpy(positions + zeros, ones, many * sizeof *ones);
    }
    free(ones);
}

void reference_split_begins(const void *records, size_t n, size_t size, size_t bit_first, size_t bit_count,
                            uint64_t *begins) {
    const size_t buckets = (size_t)1 << bit_count;
    memset(begins, 0, (buckets + 1) * sizeof *begins);
    for (size_t i = 0; i < n; i++) {
        size_t number = 0;
        for (size_t k = bit_count; k-- > 0;) number = 2 * number + reference_bit(at(records, size, i), bit_first + k);
        begins[number + 1]++;
    }
    for (size_t b = 0; b < buckets; b++) begins[b + 1] += begins[b];
}

void reference_split_labels(const uint32_t *labels, size_t n, size_t buckets, uint32_t *positions, uint64_t *begins) {
    memset(begins, 0, (buckets + 1) * sizeof *begins);
    for (size_t i = 0; i < n; i++) begins[labels[i] + 1]++;
    for (size_t b = 0; b < buckets; b++) begins[b + 1] += begins[b];
    for (size_t i = 0; i < n; i++) positions[begins[labels[i]]++] = (uint32_t)i;
    for (size_t b = buckets; b > 0; b--) begins[b] = begins[b - 1];
    begins[0] = 0;
}

size_t reference_several(const uint64_t *masks, size_t n, size_t buckets, uint64_t *positions, uint64_t *begins) {
    size_t listed = 0;
    for (size_t b = 0; b < buckets; b++) {
        begins[b] = listed;
        for (size_t i = 0; i < n; i++)
            if (masks[i] >> b & 1) {
                if (positions) positions[listed] = i;
                listed++;
            }
    }
    begins[buckets] = listed;
    return listed;
}
