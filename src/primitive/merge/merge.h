/* The inner interface of merging sorted inputs. */
#ifndef WW__MERGE_H
#define WW__MERGE_H

#include "device/device.h"
#include "warpwise/input.h"

typedef struct ww__merge_request {
    const ww_function *order;                    /* of the keys' type */
    const ww_input *a, *b, *a_values, *b_values; /* no inputs where there are no values */
    const ww_array *out, *values_out;
    bool is_sorted; /* both inputs are known to be: then few elements are merged by one launch */
} ww__merge_request;

/* A checked request, inside a call that is under way, on the device's backend. */
ww_status ww__merge(ww_device *device, const ww__merge_request *r);

/* The checks of what merges and sets have alike: inputs a and b and an output, all of one type, and their order, which is tried
 * where that is wanted (device/checks.h). NULL as `less`: the type's own. */
ww_status ww__merge_check(ww_device *device, const ww_function *less, const ww_input *a, const ww_input *b,
                          const ww_array *out, const ww_function **order);

/* The values of n merged keys, of `size` bytes: for each the next one of the input that `from` says it came from. */
void ww__take_values(void *out, const void *a, const void *b, const uint8_t *from, size_t n, size_t size);

#endif
