/* The inner interface of split. */
#ifndef WW__SPLIT_H
#define WW__SPLIT_H

#include "device/device.h"
#include "warpwise/primitive.h"

/* Elements go to the second side by flags, or (flags is NULL) by the predicate. There is at least one. */
typedef struct ww__split_request {
    const ww_input *in, *flags;
    const ww_function *second;
    const ww_array *out, *zeros; /* zeros: how many there are on the first side */
    ww_split_method method;
} ww__split_request;

/* A checked request, inside a call that is under way, on the device's backend. */
ww_status ww__split(ww_device *device, const ww__split_request *r);

#endif
