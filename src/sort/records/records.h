/* Sorting records for other sorts, inside a call that is under way. */
#ifndef WW__RECORDS_H
#define WW__RECORDS_H

#include "sort/sort.h"

/* Records of this size by this key, with these options (or NULL). */
ww_status ww__sort_records_check(ww_device *device, uint64_t key_first, uint64_t key_bytes, size_t size,
                                 const ww_sort_options *options);

/* A checked request, in place, in memory that the device reaches. */
ww_status ww__sort_records(ww_device *device, uint64_t key_first, uint64_t key_bytes, ww_array records,
                           bool descending);

#endif
