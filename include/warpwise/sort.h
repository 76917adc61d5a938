/* Sorting: keys, keys with values, stable always.
 *
 *     ww_sort(device, ww_memory(keys, n), ww_no_input(), ww_array(sorted, n), ww_none, NULL);
 *
 * A radix sort: elements go through memory twice, once to buckets that fit in a cache and once from there to their places.
 * It looks at no more of the keys' bits than it takes to tell them apart, and at none in which all agree. On a GPU elements
 * go through memory once for each 8 bits of the keys, but for those bytes in which all keys agree. */
#ifndef WARPWISE_SORT_H
#define WARPWISE_SORT_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ww_sort_method {
    WW_SORT_AUTO = 0,
    WW_SORT_RADIX /* buckets by the highest digit, each sorted in cache; on a GPU least significant digit first */
} ww_sort_method;

typedef struct ww_sort_options {
    size_t size; /* WW_SORT_OPTIONS fills it */
    ww_sort_method method;
    bool descending; /* equal keys still keep their order */
    uint32_t
        bit_first; /* sort by the bits bit_first … bit_first + bit_count - 1 of the key as an unsigned number only (not */
    uint32_t bit_count; /* for floats); bit_count 0: by all of it, by value */
} ww_sort_options;
#define WW_SORT_OPTIONS \
    { sizeof(ww_sort_options), WW_SORT_AUTO, false, 0, 0 }

/* Sorts keys, stably; values (any type, records too) go with their keys, or ww_no_input() and ww_none.
 * Integers by value, floats by IEEE 754's totalOrder (-NaN, -inf … -0.0, 0.0 … inf, NaN); u8 to u128, i8 to i64, f32, f64.
 *   keys_out, values_out   the inputs' counts and types
 *   overlap    keys_out may be exactly the memory that keys reads, values_out that of values (sorting in place)
 *   passes     1 n keys read to count, 1 n read and written to partition, 1 n read and written to sort the buckets; one
 *              partition more where buckets outgrow the caches (skewed keys, from some 10^8 elements on); input that is
 *              in order already is read once, and copied when the output is not the input
 *   scratch    at most one copy of keys and values + 1 MiB + 384 KiB a thread; 8 bytes an element more (16 from 2^32 up)
 *              where values are not of 1, 2, 4, 8 or 16 bytes
 * On a GPU nothing waits, and
 *   passes     1 n keys read to count, then for each 8 bits of the keys in which not all agree 1 n read and written (in
 *              place an even number of times); values that do not travel are read and written once more, and so are
 *              computed keys and values, but values from ww_counting; what one block holds (1024 to 4096 elements) is
 *              read and written once
 *   scratch    at most one copy of keys and values + 1 MiB + 2 bytes an element (4 from 2^30 up); 8 bytes an element more
 *              (16 from 2^32 up) where values are not of 1, 2, 4, 8 or 16 bytes or not aligned to their size
 * Counting passes with write-combining buffers (Satish et al. 2010; Polychroniou and Ross 2014). On a GPU one sweep a digit
 * with look-back in each bin (Adinets and Merrill, Onesweep, 2022). */
WW_API ww_status ww_sort(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                         const ww_sort_options *options);

#ifdef __cplusplus
}
#endif
#endif
