/* The inner interface of the reductions. Operators and orders are of the input's type. */
#ifndef WW__REDUCE_H
#define WW__REDUCE_H

#include "device/device.h"
#include "warpwise/input.h"

/* There is at least one element. */
typedef struct ww__reduce_request {
    const ww_function *op;
    const ww_input *in;
    const ww_array *out; /* one element */
} ww__reduce_request;

/* out[s]: what elements offsets[s] to offsets[s + 1] reduce to. Bad offsets fail with RANGE, on a GPU at the next
 * synchronisation (device/gpu/record.h). */
typedef struct ww__reduce_segments_request {
    const ww_function *op;
    const ww_input *in, *offsets;
    const ww_array *out;
} ww__reduce_segments_request;

/* The first least (greatest) element, where it stands, and a copy of it where value_out is not ww_none. There is at least
 * one. */
typedef struct ww__extreme_request {
    const ww_function *less;
    const ww_input *in;
    bool greatest;
    const ww_array *value_out, *position_out;
} ww__extreme_request;

/* Where the first least (greatest) element of each segment stands: u32 or u64; in.count for an empty one. Bad offsets as above. */
typedef struct ww__extreme_segments_request {
    const ww_function *less;
    const ww_input *in, *offsets;
    bool greatest;
    const ww_array *position_out;
} ww__extreme_segments_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__reduce(ww_device *device, const ww__reduce_request *r);
ww_status ww__reduce_segments(ww_device *device, const ww__reduce_segments_request *r);
ww_status ww__extreme(ww_device *device, const ww__extreme_request *r);
ww_status ww__extreme_segments(ww_device *device, const ww__extreme_segments_request *r);

#endif
