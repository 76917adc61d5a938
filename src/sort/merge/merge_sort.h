/* The merge sorts, of methods merge and merge-search. */
#ifndef WW__MERGE_SORT_H
#define WW__MERGE_SORT_H

#include "sort/sort.h"

/* What a merge sort sorts: in memory, and with values of sizes that travel with their keys, or with positions in their place. */
typedef struct ww__elements {
    const void *keys, *values;   /* on a GPU NULL where they are counted up: keys from 0, values from first_value */
    void *keys_out, *values_out; /* each may be its input */
    uint64_t n, first_value;
    size_t key_size, value_size; /* value_size 0: there are no values */
    const void *far;             /* on a GPU, where long keys stay: then `keys` are positions in it; or NULL */
} ww__elements;

ww_status ww__merge_sort_cpu(ww_device *device, const ww__sorting *sorting, const ww__elements *elements);
ww_status ww__merge_sort_gpu(ww_device *device, const ww__sorting *sorting, const ww__elements *elements);

#endif
