/* Random numbers on a GPU: a thread makes WW_ROWS blocks of Philox, each WW_BATCH neighbouring numbers, and writes each at once
 * where WW_VECTORS says that blocks begin at multiples of their bytes. Nothing is read. The recipe's ww_body gives a block's numbers as a struct with an array x; with
 * WW_BITS its bytes are the numbers, else each x becomes one. */
#include "random/fill_arguments.cuh"

struct fill_arguments : fill_fixed {
    ww_environment environment;
};

struct fill_batch {
    ww_item x[WW_BATCH];
};

template <bool bits> struct fill_numbers {
    template <class F> static WW_DEVICE_MEMBER void take(const F &from, ww_item (&x)[WW_BATCH]) {
        const fill_batch b = ww_as<fill_batch>(from);
#pragma unroll
        for (int k = 0; k < WW_BATCH; k++) x[k] = b.x[k];
    }
};
template <> struct fill_numbers<false> {
    template <class F> static WW_DEVICE_MEMBER void take(const F &from, ww_item (&x)[WW_BATCH]) {
#pragma unroll
        for (int k = 0; k < WW_BATCH; k++) x[k] = ww_item(from.x[k]);
    }
};

WW_GPU_KERNEL(fill, fill_arguments, WW_THREADS) {
    const uint64_t first = blockIdx.x * uint64_t(WW_THREADS * WW_ROWS) + threadIdx.x;
#pragma unroll
    for (int row = 0; row < WW_ROWS; row++) {
        const uint64_t b = first + row * WW_THREADS;
        if (b >= a.blocks) return;
        ww_item x[WW_BATCH];
        fill_numbers<WW_BITS>::take(ww_body(a.block + b, a.environment.at()), x);
        /* The place of x[0]; below 0 where the first block's are skipped. */
        const int64_t place = int64_t(b * WW_BATCH) - int64_t(a.skipped);
        if (place >= 0 && uint64_t(place) + WW_BATCH <= a.count)
            ww_put(a.out + place, x);
        else {
#pragma unroll
            for (int k = 0; k < WW_BATCH; k++)
                if (place + k >= 0 && uint64_t(place + k) < a.count) a.out[place + k] = x[k];
        }
    }
}
