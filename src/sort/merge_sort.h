/* The merge sorts, of methods merge and merge-search. */
#ifndef WW__MERGE_SORT_H
#define WW__MERGE_SORT_H

#include "sort/sort.h"

ww_status ww__merge_sort_cpu(ww_device *device, const ww__sorting *sorting, const ww__elements *elements);
ww_status ww__merge_sort_gpu(ww_device *device, const ww__sorting *sorting, const ww__elements *elements);

#endif
