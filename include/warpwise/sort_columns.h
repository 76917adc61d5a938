/* Sorting rows by several key columns, as ORDER BY a, b DESC does: each column is an array of its own, of its own number type,
 * ascending or descending. Other columns are moved along, and an index says where each row came from. The common rules at the
 * top of primitive.h (checks, statuses, overlap) apply here too.
 *
 *     ww_sort_column by[2] = {{ww_memory(city, n), ww_none, false},
 *                             {ww_memory(sales, n), ww_array(sales_sorted, n), true}};
 *     ww_carried_column with[1] = {{ww_memory(name, n), ww_array(name_sorted, n)}};
 *     ww_sort_columns(device, by, 2, with, 1, ww_none); */
#ifndef WARPWISE_SORT_COLUMNS_H
#define WARPWISE_SORT_COLUMNS_H

#include "sort.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WW_SORT_COLUMNS_MOST = 8 };

typedef struct ww_sort_column {
    ww_input keys;   /* integers of up to 64 bits by value, floats by IEEE 754's totalOrder */
    ww_array sorted; /* the column in its new order, of its type; or ww_none */
    bool descending;
    uint8_t reserved[7]; /* 0 */
} ww_sort_column;

typedef struct ww_carried_column {
    ww_input in; /* any type, records too */
    ww_array out;
} ww_carried_column;

/* Sorts rows stably in lexicographic order: by columns[0], rows that are equal there by columns[1], and so on. Row i of the
 * result is row index_out[i] of the inputs. (NumPy: lexsort, whose last key counts most.)
 *   columns    1 to 8 (INVALID, LIMIT), all as long as the first (INVALID); integers of up to 64 bits, f32 or f64 (TYPE)
 *   carried    up to 8 (LIMIT), as long as the columns; `out` has the input's type and count. NULL where there are none
 *   index_out  u32 or u64, as long as the columns, or ww_none
 *   overlap    none
 *   method     the columns' numbers, mapped to unsigned ones of the same order, are concatenated to one key of 32, 64 or 128
 *              bits, which is sorted by ww_sort. Columns of more than 128 bits together are sorted in groups of up to 64 bits,
 *              from the last group to the first, each time stably
 *   passes     the columns are read as often as ww_sort reads computed keys; then those of ww_sort with that key. A single
 *              carried column without an index is moved with the key; otherwise positions of 4 bytes (8 from 2^32 rows on)
 *              are, and each carried column is gathered (random reads) and written once. A sorted column is extracted from
 *              the sorted key: 1 n of the key read, the column written. Each further group of columns: its columns are
 *              gathered and written, and sorted as above
 *   scratch    what ww_sort takes for the key and the positions, one copy more of both, and carried columns that are
 *              computed; with several groups two copies of the positions and the group's columns
 *   a GPU      as ww_sort and ww_gather
 * Radix sorting from the last key to the first: Knuth (1998), The Art of Computer Programming, volume 3, 5.2.5. */
WW_API ww_status ww_sort_columns(ww_device *device, const ww_sort_column *columns, size_t column_count,
                                 const ww_carried_column *carried, size_t carried_count, ww_array index_out);

#ifdef __cplusplus
}
#endif
#endif
