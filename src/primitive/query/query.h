/* The inner interface of questions about an array: counts, truths and first positions, extremes. */
#ifndef WW__QUERY_H
#define WW__QUERY_H

#include "device/device.h"
#include "warpwise/input.h"

/* How many elements `predicate`, a checked WW_MAP, holds for. There is at least one element. */
typedef struct ww__count_request {
    const ww_function *predicate;
    const ww_input *in;
    const ww_array *count;
} ww__count_request;

/* The first position where `predicate` is `holds`; or (predicate is NULL) the first element that goes before the one in front of
 * it by `less`. There is at least one element. */
typedef struct ww__first_request {
    const ww_function *predicate, *less;
    const ww_input *in;
    bool holds;
    bool truth;               /* what `answer` says where there is such a position */
    const ww_array *answer;   /* a u8, or ww_none */
    const ww_array *position; /* a u32 or u64, or ww_none: in.count where there is none */
} ww__first_request;

/* The first of the least and of the greatest elements. There is at least one. */
typedef struct ww__min_max_request {
    const ww_function *less;
    const ww_input *in;
    const ww_array *least, *greatest;
} ww__min_max_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__count_where(ww_device *device, const ww__count_request *r);
ww_status ww__first(ww_device *device, const ww__first_request *r);
ww_status ww__min_max(ww_device *device, const ww__min_max_request *r);

#endif
