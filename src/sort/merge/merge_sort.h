/* The merge sorts, of methods merge, merge-plain and merge-search. */
#ifndef WW__MERGE_SORT_H
#define WW__MERGE_SORT_H

#include "sort/sort.h"

/* A merge sort: elements in memory, with values of sizes that are moved with their keys, or with positions in their place. */
typedef struct ww__merge_sorting {
    const void *keys, *values;   /* on a GPU NULL where they are counted up: keys from 0, values from first_value */
    void *keys_out, *values_out; /* each may be its input */
    uint64_t n, first_value;
    size_t key_size, value_size; /* of what is moved; value_size 0: there are no values */
    const void *far;             /* on a GPU, where long keys stay: then `keys` are positions in it; or NULL */
    const ww_type *type;         /* of what is compared, and its size */
    size_t size;
    const ww_function *less;
    bool reversed; /* by the reverse of `less` */
    bool trusted;  /* `less` is one of the library's, which surely is an order */
    ww_sort_method method; /* on a CPU WW_SORT_AUTO, too: by samples, or merge */
} ww__merge_sorting;

ww_status ww__merge_sort_cpu(ww_device *device, const ww__merge_sorting *sorting);
ww_status ww__merge_sort_gpu(ww_device *device, const ww__merge_sorting *sorting);

#endif
