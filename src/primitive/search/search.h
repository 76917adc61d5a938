/* The inner interface of searching sorted inputs. */
#ifndef WW__SEARCH_H
#define WW__SEARCH_H

#include "device/device.h"
#include "warpwise/input.h"

/* out[i]: where needles[i] could be put in without breaking the order, before its equals or behind them. */
typedef struct ww__search_request {
    const ww_function *order; /* of the elements' type */
    const ww_input *sorted, *needles;
    const ww_array *out; /* u32 or u64 */
    bool upper;          /* behind */
} ww__search_request;

/* A checked request, inside a call that is under way, on the device's backend. */
ww_status ww__search(ww_device *device, const ww__search_request *r);

#endif
