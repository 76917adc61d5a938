/* Questions about an array that have a short answer: how many, whether any or all, where first, in order, from what to what.
 *
 *     WW_MAP(is_negative, uint8_t, float, x, void, none, { return x < 0; });
 *
 *     uint64_t many;
 *     ww_count_if(device, &is_negative_ww, ww_memory(x, n), ww_array(&many, 1));
 *
 * What primitive.h's first comment says holds here too. A predicate is a WW_MAP of the input's type whose result is a number;
 * it holds where that is not 0. Answers are arrays of one element, in any memory: where a GPU reaches it the call does not
 * wait. A truth is a u8 (C's bool), 0 or 1; a position or a count a u32 or u64.
 *
 * Positions are the lowest ones, on every device and for every number of threads.
 *   passes    1 n read. ww_any, ww_all, ww_find_if and ww_is_sorted stop soon after the answer is known: a CPU's threads
 *             within a tile of 16 KiB each, a GPU's blocks within a tile of 16384 elements or fewer each
 *   a GPU     elements of up to 1024 bytes, of ww_min_max 512 (LIMIT); scratch: 16 bytes, for ww_min_max two elements and 16
 *             bytes for each of at most eight blocks a processor
 */
#ifndef WARPWISE_QUERY_H
#define WARPWISE_QUERY_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many elements the predicate holds for. (C++: count_if; NumPy: count_nonzero.) */
WW_API ww_status ww_count_if(ww_device *device, const ww_function *predicate, ww_input in, ww_array count);

/* Whether it holds for at least one; for all. Of no elements it holds for all, and for none. */
WW_API ww_status ww_any(ww_device *device, const ww_function *predicate, ww_input in, ww_array answer);
WW_API ww_status ww_all(ww_device *device, const ww_function *predicate, ww_input in, ww_array answer);

/* The first position where it holds; in.count where it holds nowhere. */
WW_API ww_status ww_find_if(ww_device *device, const ww_function *predicate, ww_input in, ww_array position);

/* Whether no element goes before the one in front of it, and how many elements from the first on are in order: in.count, or
 * the position of the first one that goes before its predecessor. Either may be ww_none, not both. An order as everywhere:
 * NULL is ww_ascending, floats by totalOrder. (C++: is_sorted, is_sorted_until.) */
WW_API ww_status ww_is_sorted(ww_device *device, const ww_function *less, ww_input in, ww_array answer,
                              ww_array in_order);

/* The least and the greatest element in one pass: the first of the least, the first of the greatest. As ww_arg_min floats are
 * compared by totalOrder, where -0 is below 0 and a NaN is below or above all others by its sign. An empty input is INVALID. */
WW_API ww_status ww_min_max(ww_device *device, const ww_function *less, ww_input in, ww_array least, ww_array greatest);

#ifdef __cplusplus
}
#endif
#endif
