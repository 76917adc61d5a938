/* Queries whose answer is one number or one element: how many, whether any or all, where first, whether sorted, minimum and
 * maximum.
 *
 *     WW_MAP(is_negative, uint8_t, float, x, void, none, { return x < 0; });
 *
 *     uint64_t many;
 *     ww_count_if(device, &is_negative_ww, ww_memory(x, n), ww_array(&many, 1));
 *
 * The common rules at the top of primitive.h (checks, statuses, operators, orders, scratch) apply here too. A predicate is a
 * WW_MAP of the input's type whose result is a number; it holds where that is not 0. Answers are arrays of one element: yes or
 * no is a u8 (C's bool), 1 or 0; a position or a count is a u32 or u64. Where several positions qualify the lowest one is
 * given, on every device and for every number of threads.
 *
 *   overlap   none
 *   passes    1 n read. ww_any, ww_all, ww_find_if and ww_is_sorted stop early: once the answer is known each thread of a CPU
 *             finishes its tile of 16 KiB, each block of a GPU its tile of at most 32768 elements
 *   a GPU     does not wait if it can access the memory of the answers. Elements of up to 1024 bytes, for ww_min_max 512
 *             (LIMIT). Scratch: 16 bytes; for ww_min_max two elements and 16 bytes for each of at most eight blocks a
 *             processor */
#ifndef WARPWISE_QUERY_H
#define WARPWISE_QUERY_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many elements the predicate holds for. (C++: count_if; NumPy: count_nonzero.) */
WW_API ww_status ww_count_if(ww_device *device, const ww_function *predicate, ww_input in, ww_array count);

/* Whether the predicate holds for at least one element; for all. An empty input gives 0 for any and 1 for all. */
WW_API ww_status ww_any(ww_device *device, const ww_function *predicate, ww_input in, ww_array answer);
WW_API ww_status ww_all(ww_device *device, const ww_function *predicate, ww_input in, ww_array answer);

/* The first position where the predicate holds; in.count where it holds nowhere. (C++: find_if.) */
WW_API ww_status ww_find_if(ww_device *device, const ww_function *predicate, ww_input in, ww_array position);

/* answer: whether the input is sorted, that is whether no element is less than the one before it. in_order: the length of
 * the sorted prefix, which is the position of the first element that is less than its predecessor, or in.count. Either may be
 * ww_none, but not both (INVALID). less: NULL is ww_ascending; floats are compared by IEEE 754's totalOrder. (C++: is_sorted,
 * is_sorted_until.) */
WW_API ww_status ww_is_sorted(ww_device *device, const ww_function *less, ww_input in, ww_array answer,
                              ww_array in_order);

/* Minimum and maximum in one pass; of elements that are equal in the order, the first. Floats are compared as by ww_arg_min, by
 * totalOrder: -0 is below 0, and a NaN is below or above all numbers by its sign. An empty input is INVALID.
 *   least, greatest   one element each, of the input's type (TYPE) */
WW_API ww_status ww_min_max(ww_device *device, const ww_function *less, ww_input in, ww_array least, ww_array greatest);

#ifdef __cplusplus
}
#endif
#endif
