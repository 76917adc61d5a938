/* What every call asks when its arguments have been found right: whether the functions that it is given are what they have to be on a
 * GPU, too. src/check/ tries them on samples of the data. Here is what the rooms below it call, which is one comparison where a
 * handle was not opened for it (ww_checks in warpwise/device.h). */
#ifndef WW__CHECKS_H
#define WW__CHECKS_H

#include "device/call.h"
#include "device/device.h"

/* With `prints`, notes go to standard error. On a GPU there is nothing to open: the data are not here. */
ww_status ww__checks_open(ww_device *device, bool prints);
void ww__checks_close(ww_device *device);

ww_status ww__checks_input(ww_device *device, const ww_input *input);
ww_status ww__checks_operator(ww_device *device, const ww_function *op, const ww_input *input);
ww_status ww__checks_order(ww_device *device, const ww_function *less, const ww_input *a, const ww_input *b);
ww_status ww__checks_kernel(ww_device *device, const ww_function *kernel);
/* A block from ww_alloc, which a GPU would reach; one that is freed. */
void ww__checks_allocated(ww_device *device, const void *block, size_t bytes);
void ww__checks_freed(ww_device *device, const void *block);

/* Functions are tried where there are checks, and where data are read at all. */
static inline bool ww__are_tried(const ww_device *device) { return device->checks && !device->on_paper; }

/* The maps of a checked input. */
static inline ww_status ww__try_input(ww_device *device, const ww_input *input) {
    return ww__are_tried(device) ? ww__checks_input(device, input) : WW_OK;
}

/* A checked WW_MAP, with its environment, that the call applies to a checked input. */
static inline ww_status ww__try_map(ww_device *device, const ww_function *f, const ww_input *input) {
    if (!ww__are_tried(device) || input->steps >= WW_INPUT_STEPS) return WW_OK;
    const ww_input mapped = ww_mapped(f, *input);
    return ww__checks_input(device, &mapped);
}

/* A WW_COMBINE and what it combines. */
static inline ww_status ww__try_operator(ww_device *device, const ww_function *op, const ww_input *input) {
    return ww__are_tried(device) ? ww__checks_operator(device, op, input) : WW_OK;
}

/* A WW_LESS and what it compares; b may be NULL. */
static inline ww_status ww__try_order(ww_device *device, const ww_function *less, const ww_input *a,
                                      const ww_input *b) {
    return ww__are_tried(device) ? ww__checks_order(device, less, a, b) : WW_OK;
}

/* A WW_KERNEL with its arguments. */
static inline ww_status ww__try_kernel(ww_device *device, const ww_function *kernel) {
    return ww__are_tried(device) ? ww__checks_kernel(device, kernel) : WW_OK;
}

#endif
