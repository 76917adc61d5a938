/* Storing an input: every thread computes and writes WW_ROWS batches of WW_ITEMS neighbours. Reads what the input reads and
 * writes the output, once each. The output may be the memory that is read: an element is read and written by one thread. Records are aligned as
 * where they lie, which may be one way in the input and another in the output. */
#include "device/kernel/counted.cuh"
#include "device/kernel/last_tile.cuh"
#include "primitive/map/store_arguments.cuh"

struct store_arguments : store_fixed {
    in_input in;
};

WW_DEVICE void store_tile(const store_arguments &a) {
    const uint64_t tile = WW_THREADS * WW_ITEMS * WW_ROWS, first = blockIdx.x * tile;
    if (first + tile <= a.count) {
        in_item x[WW_ROWS][WW_ITEMS];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) in_read(a.in, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            ww_item y[WW_ITEMS];
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) y[k] = ww_as<ww_item>(x[r][k]);
            ww_put(a.out + first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, y);
        }
    } else {
        ww_each_of_last(a.in, first, a.count, [&](const in_item &x, uint64_t i) { a.out[i] = ww_as<ww_item>(x); });
    }
}

WW_LOOP_KERNEL(store, store_arguments, WW_THREADS) { store_tile(ww_counted(a)); }
