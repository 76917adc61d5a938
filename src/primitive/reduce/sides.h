/* The backends of reduce.h. */
#ifndef WW__REDUCE_SIDES_H
#define WW__REDUCE_SIDES_H

#include "function/check.h"
#include "primitive/reduce/reduce.h"

ww_status ww__reduce_cpu(ww_device *device, const ww_function *op, const ww_input *in, void *result);
ww_status ww__reduce_segments_cpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_input *offsets,
                                  const ww_array *out, ww__fault *fault);
/* *position of the first least (greatest) element, and a copy of it at value when that is not NULL. */
ww_status ww__extreme_cpu(ww_device *device, const ww_function *less, const ww_input *in, bool greatest, void *value,
                          uint64_t *position);

ww_status ww__extreme_segments_cpu(ww_device *device, const ww__extreme_segments_request *r, ww__fault *fault);

ww_status ww__reduce_gpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_array *out);
/* Bad offsets are reported at the next synchronisation (device/gpu/record.h). */
ww_status ww__reduce_segments_gpu(ww_device *device, const ww_function *op, const ww_input *in, const ww_input *offsets,
                                  const ww_array *out);
ww_status ww__extreme_segments_gpu(ww_device *device, const ww__extreme_segments_request *r);
/* value_out may be ww_none. */
ww_status ww__extreme_gpu(ww_device *device, const ww_function *less, const ww_input *in, bool greatest,
                          const ww_array *value_out, const ww_array *position_out);

#endif
