/* Sorting by segments on a GPU. */
#ifndef WW__SEGMENTS_GPU_H
#define WW__SEGMENTS_GPU_H

#include "radix/sweeps_gpu.h"
#include "sort/sort.h"

/* Queues a stable sort of each segment of the job's keys for itself: segment s is offsets[s] to offsets[s + 1], u32 or u64, in the
 * GPU's memory or computed. Nothing waits: offsets may be what an earlier launch writes, as the bounds of buckets are that a
 * partition by the keys' highest bits made; its buckets are finished on chip then, in one reading and one writing, by the bits
 * job->bit_first … that are left. Each output may be its input; what no segment has is copied, if it is not.
 *
 * Lengths may be any. Up to 16,384 elements of 4 bytes (8192 of 8, …; less where values are longer) are sorted on chip,
 * longer segments are merged of such parts. Bad offsets are reported as those of the public call that is under way.
 * Scratch: 4 bytes a segment and 1 byte an element; one copy of keys and values where n is more than goes on chip,
 * unless the caller has such copies (or NULL). */
ww_status ww__sort_segments_gpu(ww_device *device, const ww__sweeping *job, const ww_input *offsets, void *keys_scratch,
                                void *values_scratch);

/* Queues one launch that writes element `first` of each sorted segment, and as many after it as there are up to `each`, to the
 * outputs, `each` a segment; first is 0 or each is 1, and then there are no values. *done: whether it does; where not, keys have to
 * be sorted: of more than 2^20 elements, or 256 a segment, by some of their bits, computed, or with values of other sizes than are moved. */
ww_status ww__first_of_segments_gpu(ww_device *device, const ww__sorting *sorting, const ww_input *offsets,
                                    uint64_t first, uint64_t each, bool *done);

#endif
