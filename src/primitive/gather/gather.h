/* The inner interface of gather and scatter. */
#ifndef WW__GATHER_H
#define WW__GATHER_H

#include "device/device.h"
#include "function/into.h"
#include "warpwise/primitive.h"

/* out[i] = from[index[i]]. An index that is too large fails with RANGE, on a GPU at the next synchronisation
 * (device/gpu/record.h). */
typedef struct ww__gather_request {
    const ww_array *from;
    const ww_input *index; /* u32 or u64 */
    const ww_array *out;
} ww__gather_request;

/* to[index[i]] = in[i], or what the policy says. An index that is too large fails as above. */
typedef struct ww__scatter_request {
    const ww_input *in, *index;
    const ww_array *to;
    ww_conflict conflict;
    const ww__into *members; /* NULL, or the members of the elements go to its arrays, of which `to` is the first */
} ww__scatter_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__gather(ww_device *device, const ww__gather_request *r);
ww_status ww__scatter(ww_device *device, const ww__scatter_request *r);

/* By WW_CONFLICT_UNIQUE on a GPU, where an index that is too large is no fault: that element goes nowhere. */
ww_status ww__scatter_some(ww_device *device, const ww_input *in, const ww_input *index, const ww_array *to);

/* On a GPU, for sums that are the same in every run: whether indices are below `limit`, which the next synchronisation reports; and the
 * first *number of `in`, whose indices differ, added to their places (others go nowhere). */
ww_status ww__index_check_gpu(ww_device *device, const ww_input *index, uint64_t limit);
ww_status ww__scatter_sums_gpu(ww_device *device, const ww_input *in, const ww_input *index, const uint64_t *number,
                               const ww_array *to);
/* A checked request of sums of floats, which takes a sort: sort/scatter_in_order.c. */
ww_status ww__scatter_in_order_gpu(ww_device *device, const ww__scatter_request *r);

#endif
