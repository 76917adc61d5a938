/* The GPU's radix sort. */
#ifndef WW__RADIX_GPU_H
#define WW__RADIX_GPU_H

#include "device/gpu/gpu.h"

/* How keys compare: as WW_ORDER in digits.cuh. */
typedef enum ww__key_order { WW__ORDER_UNSIGNED, WW__ORDER_SIGNED, WW__ORDER_FLOAT } ww__key_order;

/* n keys, and values where value_size is not 0, to the outputs, each of which may be its input. Where `values` is
 * NULL, they are counted up from first_value. */
typedef struct ww__radix_gpu {
    const void *keys, *values;
    void *keys_out, *values_out;
    uint64_t n, first_value;
    size_t key_size, value_size; /* of 1, 2, 4, 8 or 16 bytes, aligned to that; counted values have up to 8 */
    ww__key_order order;
    bool descending;
    unsigned bit_first, bit_count; /* of the keys as numbers */
} ww__radix_gpu;

/* Whether values of this size, at this place, go with their keys. */
static inline bool ww__radix_gpu_moves(size_t value_size, const void *values) {
    return value_size <= 16 && !(value_size & (value_size - 1)) && (uintptr_t)values % value_size == 0;
}

/* Queues the sort; takes scratch memory for one copy of keys and values, and counters. */
ww_status ww__radix_sort_gpu(ww_device *device, const ww__radix_gpu *job);

#endif
