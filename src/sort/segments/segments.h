/* Sorting by segments on a CPU. */
#ifndef WW__SEGMENTS_H
#define WW__SEGMENTS_H

#include "radix/radix.h"
#include "warpwise/input.h"

/* Sorts each segment of the job's elements for itself; what no segment has is copied. Finds offsets that are bad before it writes
 * anything (INVALID). */
ww_status ww__sort_segments_cpu(ww_device *device, const ww__radix *job, const ww_input *offsets);

#endif
