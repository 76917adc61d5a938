/* The inner interface of map: storing what an input describes, and launching a kernel for ranks. */
#ifndef WW__MAP_H
#define WW__MAP_H

#include "device/device.h"
#include "warpwise/input.h"

/* out[i] = in[i]. */
typedef struct ww__map_request {
    const ww_input *in;
    const ww_array *out;           /* of the input's type and count; it may be the memory that is read */
    const ww_function *outermost;  /* the function that the trace names, or NULL */
} ww__map_request;

/* The kernel's body for each of `count` ranks. */
typedef struct ww__launch_request {
    const ww_function *kernel; /* with its arguments */
    uint64_t count;
    const uint64_t *count_at; /* on a GPU: how many there are, of `count` at most; or NULL */
} ww__launch_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__map(ww_device *device, const ww__map_request *r);
ww_status ww__launch(ww_device *device, const ww__launch_request *r);

/* How many ranks can live at once; and the kernel for a divisor of that. */
uint64_t ww__together(const ww_device *device);
ww_status ww__launch_together(ww_device *device, const ww_function *kernel, uint64_t ranks);

#endif
