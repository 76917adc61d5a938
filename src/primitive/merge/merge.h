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
    uint64_t first; /* a GPU: elements of the merge that are left out before `out`, which may end before all do */
} ww__merge_request;

/* A checked request, inside a call that is under way, on the device's backend. */
ww_status ww__merge(ww_device *device, const ww__merge_request *r);

/* On a GPU: out->count elements of the merge of sorted inputs, from element `first` on, by the order `less`, as a call of its own. Inputs are
 * memory that this GPU's kernels reach, which may be another's. */
ww_status ww__merge_some(ww_device *device, const ww_function *less, ww_input a, ww_input b, ww_input a_values,
                         ww_input b_values, uint64_t first, ww_array out, ww_array values_out);

/* The checks of what merges and sets have alike: inputs a and b and an output, all of one type, and their order, which is tried
 * where that is wanted (device/checks.h). NULL as `less`: the type's own. */
ww_status ww__merge_check(ww_device *device, const ww_function *less, const ww_input *a, const ww_input *b,
                          const ww_array *out, const ww_function **order);

/* The values of n merged keys, of `size` bytes: for each the next one of the input that `from` says it came from. */
void ww__take_values(void *out, const void *a, const void *b, const uint8_t *from, size_t n, size_t size);

#endif
