/* The scan loop of ww_add for integers of 1 to 8 bytes: sums wrap, so any bracketing gives the same bits. */
#ifndef WW__SCAN_ADD_H
#define WW__SCAN_ADD_H

#include "device/device.h"

/* Scans n elements that *carry precedes; carry becomes the sum of all. Out may be x. With `ahead`, n more elements are
 * summed on the way and the sum written at ahead_sum. Streaming writes past the caches, and then `out` is aligned to 64
 * bytes. */
typedef void ww__scan_add(void *out, const void *x, size_t n, void *carry, bool exclusive, bool streaming,
                          const void *ahead, void *ahead_sum);

/* The loop for an operator of the device, or NULL when it is another operator than ww_add, or of another type. */
ww__scan_add *ww__scan_add_of(const ww_device *device, const ww_function *op);

#endif
