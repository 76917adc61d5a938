/* What the source files of gather and scatter share. */
#ifndef WW__GATHER_H
#define WW__GATHER_H

#include "device/device.h"
#include "function/check.h"
#include "warpwise/primitive.h"

/* Arguments are checked; indices that are too large are recorded. */
ww_status ww__gather_cpu(ww_device *device, const ww_array *from, const ww_input *index, const ww_array *out,
                         ww__fault *fault);
ww_status ww__scatter_cpu(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to,
                          ww_conflict conflict, ww__fault *fault);

/* The same on a GPU, whose queue finds indices that are too large (device/gpu/record.h). */
ww_status ww__gather_gpu(ww_device *device, const ww_array *from, const ww_input *index, const ww_array *out);
ww_status ww__scatter_gpu(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to,
                          ww_conflict conflict);
/* By WW_CONFLICT_UNIQUE, and an index that is too large is no fault: that element goes nowhere. */
ww_status ww__scatter_some_gpu(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to);

/* Whether elements are combined, which must be numbers then. */
static inline bool ww__conflict_combines(ww_conflict conflict) {
    return conflict >= WW_CONFLICT_ADD && conflict <= WW_CONFLICT_MAX;
}

/* The sentence about an index that is too large, if there was one. */
ww_status ww__index_status(ww_device *device, const ww_input *index, uint64_t limit, const ww__fault *fault);

#endif
