/* The backends of expand.h. */
#ifndef WW__EXPAND_SIDES_H
#define WW__EXPAND_SIDES_H

#include "device/array.h"
#include "primitive/expand/expand.h"

ww_status ww__expand_cpu(ww_device *device, const ww__expand_request *r, uint64_t *total);
ww_status ww__expand_gpu(ww_device *device, const ww__expand_request *r, uint64_t *total);

/* RANGE: an offset is below the one before it. */
ww_status ww__say_offset(ww_device *device, uint64_t position, uint64_t value);

/* Whether anything but the total is wanted. */
static inline bool ww__expand_writes(const ww__expand_request *r) {
    return !ww__is_none(r->out) || !ww__is_none(r->source) || !ww__is_none(r->rank);
}

#endif
