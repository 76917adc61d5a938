/* Sorting networks on a GPU. */
#ifndef WW__NETWORK_GPU_H
#define WW__NETWORK_GPU_H

#include "sort/ordering_gpu.h"

/* Keys and positions in the GPU's memory; positions NULL: places. */
typedef struct ww__placed_keys {
    void *keys;
    uint32_t *positions;
} ww__placed_keys;

/* Sorts n keys from `in` to `out`; in->keys may be out->keys, in->positions out->positions. Takes scratch memory for a copy
 * of both, but not for a bitonic network. Where `wanted`, in the GPU's memory, is given and 0, nothing is done. */
ww_status ww__network_gpu(ww_device *device, const ww__sorting *s, uint32_t kind, uint64_t n, const ww__placed_keys *in,
                          const ww__placed_keys *out, const uint32_t *wanted);

#endif
