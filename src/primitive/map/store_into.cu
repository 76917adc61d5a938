/* Storing an input to an output that is computed: a thread computes and writes WW_ROWS elements, its neighbours those beside them, so that
 * each array is written in whole lines. */
#include "device/kernel/into.cuh"
#include "primitive/map/store_into_arguments.cuh"

struct store_into_arguments : store_into_fixed {
    in_input in;
    ww_into into;
};

WW_GPU_KERNEL(store_into, store_into_arguments, WW_THREADS) {
    const uint64_t first = blockIdx.x * uint64_t(WW_THREADS * WW_ROWS) + threadIdx.x;
    uint64_t count = a.count;
    if (a.number) {
        const uint64_t number = a.number_bytes == 4 ? *static_cast<const uint32_t *>(a.number) : *static_cast<const uint64_t *>(a.number);
        count = number < count ? number : count;
    }
    if (a.range && a.range[1] < count) count = a.range[1];
    const uint64_t begin = a.range ? a.range[0] : 0;
    ww_item x[WW_ROWS];
    uint64_t place[WW_ROWS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t i = first + r * WW_THREADS;
        if (i >= count) continue;
        x[r] = ww_as<ww_item>(in_at(a.in, i));
        place[r] = ww_into_place(a.into, i);
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t i = first + r * WW_THREADS;
        if (i >= begin && i < count && (!a.only || a.only[i] == 1)) ww_put_into_place(a.into, i, place[r], x[r]);
    }
}
