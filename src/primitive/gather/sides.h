/* The backends of gather.h. */
#ifndef WW__GATHER_SIDES_H
#define WW__GATHER_SIDES_H

#include "function/check.h"
#include "primitive/gather/gather.h"

/* Indices that are too large are recorded. */
ww_status ww__gather_cpu(ww_device *device, const ww_array *from, const ww_input *index, const ww_array *out,
                         ww__fault *fault);
ww_status ww__scatter_cpu(ww_device *device, const ww__scatter_request *r, ww__fault *fault);

/* Indices that are too large are reported at the next synchronisation. */
ww_status ww__gather_gpu(ww_device *device, const ww_array *from, const ww_input *index, const ww_array *out);
ww_status ww__scatter_gpu(ww_device *device, const ww__scatter_request *r);

/* Whether elements are combined, which must be numbers then. */
static inline bool ww__conflict_combines(ww_conflict conflict) {
    return conflict >= WW_CONFLICT_ADD && conflict <= WW_CONFLICT_MAX;
}

/* The sentence about an index that is too large, if there was one. */
ww_status ww__index_status(ww_device *device, const ww_input *index, uint64_t limit, const ww__fault *fault);

#endif
