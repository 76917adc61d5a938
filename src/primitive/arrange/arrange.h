/* The inner interface of reversing, rotating and transposing. */
#ifndef WW__ARRANGE_H
#define WW__ARRANGE_H

#include "device/device.h"
#include "warpwise/input.h"

/* out[i] = in[n - 1 - i]; out may be the memory that is read. There is at least one element, here and below. */
typedef struct ww__reverse_request {
    const ww_input *in;
    const ww_array *out;
} ww__reverse_request;

/* out[i + by] = in[i], and in[n - by + i] goes to out[i]: 0 <= by < n. */
typedef struct ww__rotate_request {
    uint64_t by;
    const ww_input *in;
    const ww_array *out;
} ww__rotate_request;

/* out[c * rows + r] = in[r * columns + c]. */
typedef struct ww__transpose_request {
    uint64_t rows, columns;
    const ww_input *in;
    const ww_array *out;
} ww__transpose_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__reverse(ww_device *device, const ww__reverse_request *r);
ww_status ww__rotate(ww_device *device, const ww__rotate_request *r);
ww_status ww__transpose(ww_device *device, const ww__transpose_request *r);

#endif
