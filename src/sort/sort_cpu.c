/* Sorting on the CPU: makes the radix sort's job of a request.
 *
 * Inputs that are computed are stored in the outputs, and sorted there. Values of sizes that are not moved with their
 * keys stay where they are: their positions are moved, and then the values are gathered, each read and written once. */
#include "function/function.h"
#include "radix/radix.h"
#include "sort/by_position.h"
#include "sort/order.h"
#include "sort/segments/segments.h"
#include "sort/sides.h"

static ww_status sort_job(ww_device *device, const ww__radix *job, const ww_input *offsets) {
    return offsets ? ww__sort_segments_cpu(device, job, offsets) : ww__radix_sort(device, job);
}

static ww_status sort_with(ww_device *device, const ww__sorting *s, const void *offsets) {
    return ww__sort_cpu(device, s, offsets);
}

ww_status ww__sort_cpu(ww_device *device, const ww__sorting *s, const ww_input *offsets) {
    ww__radix job = {.keys_out = s->keys_out.data,
                     .n = s->keys.count,
                     .key_size = s->keys.size,
                     .order = ww__radix_order_of(s),
                     .mask = ww__radix_mask_of(s)};
    if (!job.n) return sort_job(device, &job, offsets);
    if (s->values.steps && !ww__radix_loops_of(job.key_size, s->values.size))
        return ww__sort_positions(device, s, sort_with, offsets);
    WW_TRY(ww__sort_memory(device, &s->keys, &s->keys_out, &job.keys));
    if (s->values.steps) {
        job.values_out = s->values_out.data;
        job.value_size = s->values.size;
        WW_TRY(ww__sort_memory(device, &s->values, &s->values_out, &job.values));
    }
    return sort_job(device, &job, offsets);
}
