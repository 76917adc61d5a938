/* The inner interface of run lengths, unique and reduction by key. What has no room is dropped. */
#ifndef WW__RUN_H
#define WW__RUN_H

#include "device/device.h"
#include "warpwise/primitive.h"

/* There is at least one element; values and lengths may be ww_none. `equal`: a WW_MAP2 of two neighbours, or NULL where they are
 * equal when their bytes are. */
typedef struct ww__run_lengths_request {
    const ww_input *in;
    const ww_array *values, *lengths, *total; /* total: the number of runs */
    const ww_function *equal;
} ww__run_lengths_request;

/* There is at least one key; keys_out may be ww_none. */
typedef struct ww__reduce_by_key_request {
    const ww_function *op; /* of the values' type */
    const ww_input *keys, *values;
    const ww_array *keys_out, *values_out, *total;
    const ww_function *equal; /* of keys, as above */
} ww__reduce_by_key_request;

/* Checked requests, inside a call that is under way, on the device's backend. *runs is their number, or 0 where that stays
 * on the GPU. */
ww_status ww__run_lengths(ww_device *device, const ww__run_lengths_request *r, uint64_t *runs);
ww_status ww__reduce_by_key(ww_device *device, const ww__reduce_by_key_request *r, uint64_t *runs);

#endif
