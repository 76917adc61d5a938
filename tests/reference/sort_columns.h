/* Oracle of sorting rows by several columns: comparisons, row by row. */
#ifndef REFERENCE_SORT_COLUMNS_H
#define REFERENCE_SORT_COLUMNS_H

#include <stdbool.h>

#include "warpwise.h"

typedef struct reference_column {
    const void *data;
    const ww_type *type;
    bool descending;
} reference_column;

/* index[i] = the row that is the i-th, by a merge sort. */
void reference_sort_columns(const reference_column *columns, size_t count, uint64_t *index, size_t n);

#endif
