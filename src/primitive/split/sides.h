/* The backends of split.h. */
#ifndef WW__SPLIT_SIDES_H
#define WW__SPLIT_SIDES_H

#include "function/function.h"
#include "primitive/split/split.h"

/* Checked arguments, in->count > 0: elements go to the second side by flags, or (flags is NULL) by the predicate. */
ww_status ww__split_cpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                        const ww_array *out, ww_split_method method, uint64_t *zeros);

/* The same; writes zeros too. */
ww_status ww__split_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                        const ww_array *out, const ww_array *zeros, ww_split_method method);
/* By two scans. */
ww_status ww__split_scans_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                              const ww_array *out, const ww_array *zeros);

#endif
