/* The inner interface of expanding: elements that come as often as a count says. */
#ifndef WW__EXPAND_H
#define WW__EXPAND_H

#include "device/device.h"
#include "warpwise/input.h"

/* Element i goes to places offsets[i] … offsets[i + 1] - 1 below `room`: itself, its number i, and how many of its places
 * come before. There is at least one element, and either counts or offsets; by counts, all or nothing is written. */
typedef struct ww__expand_request {
    const ww_input *in;                  /* not looked at where out is ww_none */
    const ww_input *counts;              /* u8 to u64 or i8 to i64, one an element; or NULL */
    const ww_input *offsets;             /* u32, u64, i32 or i64, one more than elements; or NULL */
    const ww_array *out, *source, *rank; /* ww_none: not wanted; source and rank u32 or u64 */
    uint64_t room;
    const ww_array *total; /* of the counts: one u64, UINT64_MAX where it is that or more. NULL by offsets */
} ww__expand_request;

/* A checked request, inside a call that is under way, on the device's backend. *total is the counts', or 0 where
 * that stays on the GPU. */
ww_status ww__expand(ww_device *device, const ww__expand_request *r, uint64_t *total);

#endif
