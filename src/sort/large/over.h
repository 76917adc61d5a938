/* Sorting the host's memory on several devices, chunk by chunk (over.c). These are no calls that are under way: they make calls. */
#ifndef WW__SORT_OVER_H
#define WW__SORT_OVER_H

#include "sort/sort.h"

/* All that is checked of ww_sort_large_over's arguments, but what each device but the first says of itself. */
ww_status ww__sort_over_check(ww_device *const *devices, uint32_t many, const ww__sorting *sorting,
                              const ww_sort_options *options);
ww_status ww__sort_over(ww_device *const *devices, uint32_t many, const ww__sorting *sorting,
                        const ww_sort_options *options);

/* The first device's ww_error has what the k-th says; the first one's own is there already. Returns the failure. */
ww_status ww__sort_over_said(ww_device *const *devices, uint32_t k, ww_status failure, const char *said);

#endif
