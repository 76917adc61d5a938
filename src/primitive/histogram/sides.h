/* The backends of histogram.h. */
#ifndef WW__HISTOGRAM_SIDES_H
#define WW__HISTOGRAM_SIDES_H

#include "primitive/histogram/histogram.h"

/* Counts all of `in`; the arguments are checked. `outside` may be none. */
ww_status ww__histogram_cpu(ww_device *device, ww_histogram_method method, const ww_input *in,
                            const ww__binning *binning, const ww_array *counts, const ww_array *outside,
                            ww__fault *fault);

/* The same for elements of one byte, by shared counters, from WW__BYTES_LEAST elements on: bytes_cpu.c. */
enum { WW__BYTES_LEAST = 2048 }; /* below, the tables' sums take longer than what they save */
ww_status ww__histogram_bytes_cpu(ww_device *device, const ww_input *in, const ww__binning *binning,
                                  const ww_array *counts, const ww_array *outside, ww__fault *fault);

/* counters[bins[i]]++ by ballots: warp_cpu.c. Bins are below `many`, or `many`: counters has one more for these. */
void ww__count_by_ballots(const ww_device *device, uint32_t *counters, uint32_t many, const uint32_t *bins, size_t n);

/* The three histograms on a GPU; the arguments are checked, but for whether edges rise and functions give buckets: what is
 * wrong there is reported at the next synchronisation (device/gpu/record.h). */
ww_status ww__histogram_even_gpu(ww_device *device, ww_histogram_method method, const ww_input *in,
                                 const ww__even *even, const ww_array *counts, const ww_array *outside);
ww_status ww__histogram_edges_gpu(ww_device *device, ww_histogram_method method, const ww_input *in,
                                  const ww_input *edges, const ww_array *counts, const ww_array *outside);
ww_status ww__histogram_gpu(ww_device *device, ww_histogram_method method, const ww_function *bucket_of,
                            const ww_input *in, const ww_array *counts, const ww_array *outside);

/* Pairs of numbers, members x and y, by edges of either, all unsigned or all signed: cell x's bin * y's bins + y's bin. Whether edges
 * rise is not checked. Suits: so few edges that shared memory has room for them. */
bool ww__histogram_pairs_suits(const ww_input *edges, const ww_input *down_edges);
ww_status ww__histogram_pairs_gpu(ww_device *device, const ww_input *pairs, const ww_input *edges,
                                  const ww_input *down_edges, const ww_array *counts, const ww_array *outside);

#endif
