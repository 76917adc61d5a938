/* The backends of run.h. */
#ifndef WW__RUN_SIDES_H
#define WW__RUN_SIDES_H

#include "function/function.h"
#include "primitive/run/run.h"

/* Checked arguments, in->count > 0; values and lengths may be ww_none. What has no room is dropped; *runs is right. */
ww_status ww__run_lengths_cpu(ww_device *device, const ww_input *in, const ww_array *values, const ww_array *lengths,
                              uint64_t *runs);

/* The same for keys->count > 0; keys_out may be ww_none. */
ww_status ww__reduce_by_key_cpu(ww_device *device, const ww_function *op, const ww_input *keys, const ww_input *values,
                                const ww_array *keys_out, const ww_array *values_out, uint64_t *runs);

/* The same on a GPU, which also writes the number of runs where `total` wants it. Where that is memory that kernels do not
 * reach, the call has waited for it, and it is *runs; else *runs is 0. */
ww_status ww__run_lengths_gpu(ww_device *device, const ww_input *in, const ww_array *values, const ww_array *lengths,
                              const ww_array *total, uint64_t *runs);
ww_status ww__reduce_by_key_gpu(ww_device *device, const ww_function *op, const ww_input *keys, const ww_input *values,
                                const ww_array *keys_out, const ww_array *values_out, const ww_array *total,
                                uint64_t *runs);

#endif
