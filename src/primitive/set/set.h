/* The inner interface of sets of sorted inputs. */
#ifndef WW__SET_H
#define WW__SET_H

#include "device/device.h"
#include "warpwise/input.h"

typedef enum ww__set_kind { WW__SET_UNION, WW__SET_INTERSECTION, WW__SET_DIFFERENCE, WW__SET_KINDS } ww__set_kind;

typedef struct ww__set_request {
    ww__set_kind kind;
    const ww_function *order; /* of the elements' type */
    const ww_input *a, *b;
    const ww_array *out;   /* gets what it has room for */
    const ww_array *count; /* the number of elements of the result */
    uint64_t most;         /* elements of any result */
} ww__set_request;

/* A checked request, inside a call that is under way, on the device's backend. *found is the count, or 0 where that stays
 * on the GPU. */
ww_status ww__set(ww_device *device, const ww__set_request *r, uint64_t *found);

#endif
