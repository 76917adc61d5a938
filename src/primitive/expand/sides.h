/* The backends of expand.h. */
#ifndef WW__EXPAND_SIDES_H
#define WW__EXPAND_SIDES_H

#include "device/array.h"
#include "primitive/expand/expand.h"

ww_status ww__expand_cpu(ww_device *device, const ww__expand_request *r, uint64_t *total);
ww_status ww__expand_gpu(ww_device *device, const ww__expand_request *r, uint64_t *total);

/* RANGE: an offset, of a type with this label, is negative or below the one before it; a count is negative. */
ww_status ww__say_offset(ww_device *device, const char *label, uint64_t position, uint64_t value);
ww_status ww__say_count(ww_device *device, uint64_t position, uint64_t value);

static inline bool ww__expand_signed(const ww_input *input) { return input->type->kind == WW_KIND_SIGNED; }

/* Whether anything but the total is wanted. */
static inline bool ww__expand_writes(const ww__expand_request *r) {
    return !ww__is_none(r->out) || !ww__is_none(r->source) || !ww__is_none(r->rank);
}

#endif
