/* Distances in kernels, for each kind of them: what there is where no path leads, a path and one arc more, a bound above
 * another. */
#ifndef WW__GRAPH_SUMS_H
#define WW__GRAPH_SUMS_H

#include "warpwise/function.h"

/* limit_…: the distance of a vertex that no path leads to. sum_…: a path and one arc more; limit or more: too long. */
WW_CONSTANT(limit_whole, uint32_t, 0xFFFFFFFFu);
WW_CONSTANT(limit_wide, uint64_t, 0xFFFFFFFFFFFFFFFFu);
WW_CONSTANT(limit_float, uint32_t, 0x7F800000u);
WW_CONSTANT(one_whole, uint32_t, 1u);
WW_CONSTANT(one_wide, uint32_t, 1u);
WW_CONSTANT(one_float, uint32_t, 0x3F800000u);
WW_FUNCTION(sum_whole, uint32_t, (uint32_t d, uint32_t weight), { return d + weight < d ? 0xFFFFFFFFu : d + weight; });
WW_FUNCTION(sum_wide, uint64_t, (uint64_t d, uint32_t weight), { return d + weight; });
WW_FUNCTION(sum_float, uint32_t, (uint32_t d, uint32_t weight),
            { return ww_bits_float(ww_float_of_bits(d) + ww_float_of_bits(weight)); });

/* above_…: the bound that is a width above another; without a width none is below it. */
WW_FUNCTION(above_whole, uint32_t, (uint32_t bound, uint32_t width),
            { return !width || 0xFFFFFFFFu - bound <= width ? 0xFFFFFFFFu : bound + width; });
WW_FUNCTION(above_wide, uint64_t, (uint64_t bound, uint64_t width),
            { return !width || 0xFFFFFFFFFFFFFFFFu - bound <= width ? 0xFFFFFFFFFFFFFFFFu : bound + width; });
WW_FUNCTION(above_float, uint32_t, (uint32_t bound, uint32_t width), {
    const uint32_t high = ww_bits_float(ww_float_of_bits(bound) + ww_float_of_bits(width));
    return !width || bound >= 0x7F800000u ? 0x7F800000u : high > bound ? high : bound + 1;
});

#endif
