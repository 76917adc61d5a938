/* The backends of run.h. */
#ifndef WW__RUN_SIDES_H
#define WW__RUN_SIDES_H

#include "function/function.h"
#include "primitive/run/run.h"

/* The elements of a bracket of reduction by key (docs/determinism.md); element: bytes of the larger one of a key and a value. */
static inline size_t ww__by_key_bracket(size_t element) {
    enum { BYTES = 8192, MOST = 2048 };
    const size_t fit = BYTES / element;
    return fit > MOST ? MOST : fit ? fit : 1;
}

/* Checked requests. What has no room is dropped; *runs is right. */
ww_status ww__run_lengths_cpu(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs);
ww_status ww__reduce_by_key_cpu(ww_device *device, const ww__reduce_by_key_request *r, uint64_t *runs);

/* The same on a GPU, which also writes the number of runs where `total` wants it. Where that is memory that kernels do not
 * reach, the call has waited for it, and it is *runs; else *runs is 0. */
ww_status ww__run_lengths_gpu(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs);
ww_status ww__reduce_by_key_gpu(ww_device *device, const ww__reduce_by_key_request *r, uint64_t *runs);

/* The same in the CPU's brackets. */
ww_status ww__reduce_by_key_ordered_gpu(ww_device *device, const ww__reduce_by_key_request *request, uint64_t *runs);

/* A WW_MAP2 that compares two elements of a checked input and gives a number; or NULL. */
ww_status ww__check_equal(ww_device *device, const ww_function *equal, const ww_input *in);

#endif
