/* Sorting what is in order but for a few elements. */
#ifndef WW__SORT_NEARLY_H
#define WW__SORT_NEARLY_H

#include "sort/merge/parts_cpu.h"

/* Sorts all elements, fewer than 2^31, from the input to the result, if they are in order but for one in 16 at most; the buffers are there.
 * *done: whether it was so. Otherwise no more than a sample of them was compared, or a sixteenth was found out of order; the input is
 * as it was, unless it is the result. */
ww_status ww__nearly_sort(const ww__sort_buffers *b, bool *done);

#endif
