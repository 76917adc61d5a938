/* The inner interface of pack. */
#ifndef WW__PACK_H
#define WW__PACK_H

#include "device/device.h"
#include "warpwise/primitive.h"

/* Longer elements do not stand in a GPU's registers: in place they are copied first. */
enum { WW__PACK_HELD_MOST = 32 };

/* Elements are kept by flags, or (flags is NULL) by the predicate. There is at least one. */
typedef struct ww__pack_request {
    const ww_input *in, *flags;
    const ww_function *keep;
    const ww_array *out, *count;
    ww_pack_method method;
} ww__pack_request;

/* A checked request, inside a call that is under way, on the device's backend. *kept is the count, or 0 where that stays
 * on the GPU. */
ww_status ww__pack(ww_device *device, const ww__pack_request *r, uint64_t *kept);

/* Whether a GPU moves these by their positions, and not in registers. */
bool ww__pack_long(const ww_device *device, const ww_input *in);

#endif
