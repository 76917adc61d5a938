/* Sorting on a GPU: makes the radix sort's job of a request.
 *
 * Inputs that are computed are stored in the outputs, and sorted there; but values that are counted up are counted
 * while they are sorted. Values of sizes that are not moved with their keys stay where they are: their
 * positions are moved, and then the values are gathered, each read and written once. */
#include "device/call.h"
#include "function/function.h"
#include "primitive/map/map.h"
#include "sort/by_position.h"
#include "sort/order.h"
#include "sort/radix/sort_keys_gpu.h"
#include "sort/segments/segments_gpu.h"
#include "sort/sides.h"

static ww_status sort_job(ww_device *device, const ww__sweeping *job, const ww_input *offsets) {
    return offsets ? ww__sort_segments_gpu(device, job, offsets, NULL, NULL) : ww__sort_keys_gpu(device, job);
}

static ww_status sort_values(ww_device *device, ww__sweeping *job, const ww__sorting *s, const ww_input *offsets) {
    job->value_size = s->values.size;
    job->values_out = s->values_out.data;
    if (ww__sweeps_count(&s->values))
        job->first_value = s->values.step[0].number;
    else
        WW_TRY(ww__sort_memory(device, &s->values, &s->values_out, &job->values));
    return sort_job(device, job, offsets);
}

/* Outputs may be the host's; offsets are checked all the same. */
static ww_status sort_one(ww_device *device, const ww__sorting *s, ww__sweeping *job, const ww_input *offsets) {
    WW_TRY(ww__sort_one(device, s));
    job->keys = job->keys_out = NULL;
    return offsets ? sort_job(device, job, offsets) : WW_OK;
}

bool ww__values_move(const ww__sorting *s) {
    return ww__sweeps_move(s->values.size, ww__input_memory(&s->values)) &&
           ww__sweeps_move(s->values.size, s->values_out.data);
}

static ww_status sort_with(ww_device *device, const ww__sorting *s, const void *offsets) {
    return ww__sort_gpu(device, s, offsets);
}

ww_status ww__sort_gpu(ww_device *device, const ww__sorting *s, const ww_input *offsets) {
    ww__sweeping job = {.keys_out = s->keys_out.data,
                        .n = s->keys.count,
                        .key_size = s->keys.size,
                        .order = ww__key_kind_of(s),
                        .descending = s->descending,
                        .bit_first = s->bit_first,
                        .bit_count = s->bit_count};
    if (!job.n && !offsets) return WW_OK;
    if (job.n <= 1 && !s->keys.count_at) return sort_one(device, s, &job, offsets);
    if (job.n <= 1) return WW__SETTLE;
    if (s->values.steps && !ww__values_move(s))
        return s->keys.count_at ? WW__SETTLE : ww__sort_positions(device, s, sort_with, offsets);
    job.count_at = ww__take_count(device, &s->keys);
    WW_TRY(ww__sort_memory(device, &s->keys, &s->keys_out, &job.keys));
    return s->values.steps ? sort_values(device, &job, s, offsets) : sort_job(device, &job, offsets);
}
