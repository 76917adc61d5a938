/* The arrays of a sort that is tested: inputs apart from the outputs, which are guarded, or in them. */
#ifndef TESTS_SORT_ARRAYS_H
#define TESTS_SORT_ARRAYS_H

#include "support/cases.h"

typedef struct sort_arrays {
    guarded keys, values;
    ww_input keys_in, values_in;
    ww_array keys_out, values_out;
} sort_arrays;

/* For n keys of a type, and values of value_size bytes, or none where that is 0. */
static inline sort_arrays sort_arrays_new(const ww_type *type, const void *keys, const void *values, size_t n,
                                          size_t value_size, bool in_place) {
    sort_arrays a = {.keys = guarded_new(n * type->size), .values = guarded_new(n * value_size)};
    a.keys_out = ww_array_of(a.keys.data, n, type);
    a.values_out = value_size ? ww_records(a.values.data, n, value_size) : ww_none;
    a.keys_in = ww_memory_of(keys, n, type);
    a.values_in = value_size ? ww_record_memory(values, n, value_size) : ww_no_input;
    if (!in_place) return a;
    memcpy(a.keys.data, keys, a.keys.bytes);
    if (value_size) memcpy(a.values.data, values, a.values.bytes);
    a.keys_in = ww_from(a.keys_out);
    if (value_size) a.values_in = ww_from(a.values_out);
    return a;
}

/* The outputs are what was wanted, and nothing else was written; frees them. */
static inline void sort_arrays_end(sort_arrays *a, const void *keys_wanted, const void *values_wanted) {
    expect_elements(a->keys.data, keys_wanted, a->keys_out.count, a->keys_out.size);
    if (a->values_out.count) expect_elements(a->values.data, values_wanted, a->values_out.count, a->values_out.size);
    guarded_check(&a->keys), guarded_check(&a->values);
    guarded_free(&a->keys), guarded_free(&a->values);
}

static size_t permuted_size;
static inline int permuted_before(const void *a, const void *b) { return memcmp(a, b, permuted_size); }

/* The same elements as `of`, in any order. */
static inline void expect_permutation(const void *got, const void *of, size_t n, size_t size) {
    unsigned char *a = need(n * size), *b = need(n * size);
    memcpy(a, got, n * size), memcpy(b, of, n * size);
    permuted_size = size;
    qsort(a, n, size, permuted_before), qsort(b, n, size, permuted_before);
    expect_bytes(a, b, n * size);
    free(a), free(b);
}

#endif
