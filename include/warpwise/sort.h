/* Sorting: keys, keys with values, stable always.
 *
 *     ww_sort(device, ww_memory(keys, n), ww_no_input(), ww_array(sorted, n), ww_none, NULL);
 *
 * Least-significant-digit radix sort moves every element once a digit of 8 bits (digits in which all keys agree are
 * skipped); what it costs is keys' bytes times digits. */
#ifndef WARPWISE_SORT_H
#define WARPWISE_SORT_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ww_sort_method {
    WW_SORT_AUTO = 0,
    WW_SORT_RADIX /* least significant digit first */
} ww_sort_method;

typedef struct ww_sort_options {
    size_t size; /* WW_SORT_OPTIONS fills it */
    ww_sort_method method;
    bool descending;    /* equal keys still keep their order */
    uint32_t bit_first; /* sort by the key's bits bit_first … bit_first + bit_count - 1 only (of the key as an unsigned */
    uint32_t bit_count; /* number; for integer keys); bit_count 0: by all of it */
} ww_sort_options;
#define WW_SORT_OPTIONS {sizeof(ww_sort_options), WW_SORT_AUTO, false, 0, 0}

/* Sorts keys, stably; values (any type, records too) go with their keys, or ww_no_input() and ww_none.
 * Integers by value, floats by IEEE 754's totalOrder (-NaN, -inf … -0.0, 0.0 … inf, NaN); u8 to u128, i8 to i64, f32, f64.
 *   keys_out, values_out   the inputs' counts and types
 *   overlap    keys_out may be exactly the memory that keys reads, values_out that of values (sorting in place)
 *   passes     1 n to count all digits, then 1 n read and 1 n written a digit that differs
 *   scratch    at most one copy of keys and values + 1 MiB + 64 KiB a thread
 * Seward's and Blelloch's counting passes with write-combining buffers (Satish et al. 2010; Polychroniou and Ross 2014). */
WW_API ww_status ww_sort(ww_device *device, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                         const ww_sort_options *options);

#ifdef __cplusplus
}
#endif
#endif
