/* The inner interface of the scans. */
#ifndef WW__SCAN_H
#define WW__SCAN_H

#include "device/device.h"
#include "function/function.h"
#include "function/into.h"
#include "warpwise/primitive.h"

/* The operator is of the input's type; there is at least one element. */
typedef struct ww__scanning {
    ww_device *device; /* ww__scan sets it */
    const ww_function *op;
    const ww_input *in;
    const ww_input *heads; /* of segments; NULL where there are none */
    const ww_input *keys;  /* whose changes begin segments; NULL */
    const ww_array *out;   /* of an output that is computed only the count */
    const ww__into *into;  /* that; or NULL */
    const void *initial;   /* NULL: none was given */
    void *total;           /* NULL: not wanted */
    bool exclusive;
    bool ordered; /* whatever the method: in the CPU's brackets */
    bool behind;  /* in has a count on the device: the total goes behind the last element of out, too */
    ww_scan_method method;
} ww__scanning;

/* out[i]: how many of the flags before i are set; total may be NULL. There is at least one. */
typedef struct ww__enumerate_request {
    const ww_input *flags;
    const ww_array *out, *total; /* u32 or u64 */
} ww__enumerate_request;

/* out[0] = in[0], out[i] = in[i] - in[i - 1]. There is at least one. */
typedef struct ww__difference_request {
    const ww_input *in;
    const ww_array *out;
} ww__difference_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__scan(ww_device *device, const ww__scanning *request);
ww_status ww__enumerate(ww_device *device, const ww__enumerate_request *r);
ww_status ww__adjacent_difference(ww_device *device, const ww__difference_request *r);

/* Operators on integers are associative to the bit, and so are the least and the greatest of floats. */
static inline bool ww__scan_shows_brackets(const ww_function *op, const ww_type *type) {
    return type->kind != WW_KIND_UNSIGNED && type->kind != WW_KIND_SIGNED && !ww__is_extreme(op);
}

#endif
