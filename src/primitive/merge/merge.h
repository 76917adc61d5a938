/* The machines' sides of merging; arguments are checked. a_values and b_values are no inputs where there are no values. */
#ifndef WW__MERGE_H
#define WW__MERGE_H

#include "device/device.h"
#include "warpwise/input.h"

ww_status ww__merge_cpu(ww_device *device, const ww_function *order, const ww_input *a, const ww_input *b,
                        const ww_input *a_values, const ww_input *b_values, const ww_array *out,
                        const ww_array *values_out);

ww_status ww__merge_gpu(ww_device *device, const ww_function *order, const ww_input *a, const ww_input *b,
                        const ww_input *a_values, const ww_input *b_values, const ww_array *out,
                        const ww_array *values_out);

/* The values of n merged keys, of `size` bytes: for each the next one of the input that `from` says it came from. */
void ww__take_values(void *out, const void *a, const void *b, const uint8_t *from, size_t n, size_t size);

#endif
