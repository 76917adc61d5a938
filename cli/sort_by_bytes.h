/* Sorting by a part of each element's bytes, compared as memcmp does. */
#ifndef CLI_SORT_BY_BYTES_H
#define CLI_SORT_BY_BYTES_H

#include "job.h"

/* order[i] = the position in `in` of the element that comes i-th when elements are compared by `length` bytes from
 * `offset`, stably; order is an array of in.count u64. */
int sort_by_bytes(job *j, ww_array in, size_t offset, size_t length, bool descending, ww_array order);

#endif
