/* Sorting rows by several key columns, as ORDER BY a, b DESC does: each column is an array of its own, of any number's type,
 * and has its own direction. Any number of other columns are carried along, or an index says where each row came from.
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

/* Sorts rows stably by columns[0]; those that are equal there by columns[1], and so on. Row i of the result is row
 * index_out[i] of the inputs (u32 or u64; or ww_none).
 *   columns    1 to 8 (INVALID, LIMIT), all as long as the first (INVALID)
 *   carried    up to 8 (LIMIT), as long as the columns; `out` has the input's type and count. NULL where there are none
 *   overlap    none
 *   method     the columns' numbers, turned into unsigned ones that rise as the rows do, are laid side by side in one key of
 *              32, 64 or 128 bits, which is sorted by ww_sort. Columns of more than 128 bits together are sorted in groups of
 *              up to 64 bits, from the last to the first, each time stably
 *   passes     the columns read as often as ww_sort reads computed keys, then what ww_sort does with the key and, where there
 *              are several columns to carry or an index, with positions of 4 bytes (8 from 2^32 rows on); carried columns are
 *              then read at random and written once. A single one goes with the key. Sorted columns are taken from the sorted
 *              key: 1 n of it read and the column written. For each group of columns more: columns read at random and written
 *   scratch    what ww_sort takes for the key and the positions, one copy of both more, carried columns that are computed; of
 *              several groups two copies of the positions and the group's columns
 * A GPU takes what ww_sort and ww_gather take there. Lexicographic order from the last key to the first is Knuth's (The Art of
 * Computer Programming, volume 3, 5.2.5). */
WW_API ww_status ww_sort_columns(ww_device *device, const ww_sort_column *columns, size_t column_count,
                                 const ww_carried_column *carried, size_t carried_count, ww_array index_out);

#ifdef __cplusplus
}
#endif
#endif
