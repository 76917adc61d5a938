/* How a sort of a file uses its memory. */
#ifndef WW__FILE_PLAN_H
#define WW__FILE_PLAN_H

#include "sort/file/key.h"
#include "sort/sort.h"

/* What is to be done. */
typedef struct ww__file_sort {
    ww_device *device;
    ww_array elements; /* type and size; no data */
    ww__file_key key;
    ww__sort_request numbers; /* of a sort by numbers: all but keys and their count */
} ww__file_sort;

/* Sorts elements of the host's memory in place. */
ww_status ww__file_sort_elements(const ww__file_sort *sort, void *elements, uint64_t count);

typedef struct ww__file_plan {
    uint64_t chunk;   /* elements that are sorted at a time */
    bool in_memory;   /* all runs stay there */
    uint64_t merged;  /* runs that are merged at once */
    uint64_t scratch; /* bytes that sorting a chunk takes */
} ww__file_plan;

/* For n elements (UINT64_MAX: not known) in so many bytes. LIMIT where these are too few. */
ww_status ww__file_plan_make(const ww__file_sort *sort, uint64_t n, uint64_t memory, ww__file_plan *plan);

#endif
