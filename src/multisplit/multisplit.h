/* The inner interface of the multisplit. */
#ifndef WW__MULTISPLIT_H
#define WW__MULTISPLIT_H

#include "device/device.h"
#include "function/check.h"
#include "function/function.h"
#include "warpwise/multisplit.h"

/* How keys become buckets: by a WW_MAP, or between edges. */
typedef struct ww__bucketing {
    const ww_function *map;   /* on the keys' type, with its environment; NULL: by edges */
    const ww_function *asked; /* as the caller named it: ww_by_bits … are known by it */
    const ww_input *edges;    /* buckets - 1 */
    uint64_t buckets;
} ww__bucketing;

typedef struct ww__splitting {
    ww_device *device; /* ww__multisplit sets it */
    ww__bucketing by;
    ww_input keys, values;                  /* values.steps is 0 where there are none */
    ww_array keys_out, values_out, offsets; /* offsets may be none */
    ww_multisplit_method method;
    const uint64_t *shift; /* as ww__sweeping has it; NULL */
} ww__splitting;

/* A checked request, inside a call that is under way, by its method, on whichever machine the device is. */
ww_status ww__multisplit(ww_device *device, const ww__splitting *request);

/* On a GPU: as ww_multisplit of keys alone, but that a key of bucket b which would stand at keys_out[i] is put at keys_out[i + shift[b]],
 * modulo 2^64 bytes: in any memory that kernels reach. `shift` has WW__SHIFTED_MOST elements in the GPU's, and behind them
 * as many more: where each bucket begins in keys_out as it would stand, which the caller has counted. A call of its own. Whether there is such a thing: for
 * functions of the library's, up to as many buckets, keys that sweeps move, where something compiles. */
enum { WW__SHIFTED_MOST = 256 };
bool ww__multisplit_shifts(ww_device *device, const ww_function *bucket_of, uint64_t buckets, const ww_input *keys,
                           const ww_array *keys_out);
ww_status ww__multisplit_shifted(ww_device *device, const ww_function *bucket_of, uint64_t buckets, ww_input keys,
                                 ww_array keys_out, const uint64_t *shift);

/* The end of what splits labels (in memory), with positions (u32 or u64) in place of keys and values: gathers both, and finds
 * where buckets begin in the ordered labels. On a GPU nothing is written after an earlier call found bad data. */
ww_status ww__multisplit_gather(const ww__splitting *s, const ww_input *labels, const ww_input *positions);
ww_status ww__multisplit_offsets(const ww__splitting *s, const ww_input *labels); /* s: device, offsets, by.buckets */

#endif
