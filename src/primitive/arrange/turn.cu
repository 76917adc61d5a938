/* Elements in reverse order (`reverse`), and moved on (`rotate`).
 *
 * A thread of `reverse` has a batch of WW_ITEMS neighbours and its mirror image, reads both and writes both: so the output may be
 * the memory that is read. The batch in the middle is its own image. WW_ROWS batches a thread. */
#include "primitive/arrange/turn_arguments.cuh"

struct turn_arguments : turn_fixed {
    in_input in;
};

WW_DEVICE void put_reversed(ww_item *to, const in_item (&x)[WW_ITEMS]) {
    ww_item y[WW_ITEMS];
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) y[k] = ww_as<ww_item>(x[WW_ITEMS - 1 - k]);
    ww_put(to, y);
}

WW_GPU_KERNEL(reverse, turn_arguments, WW_THREADS) {
    in_item front[WW_ROWS][WW_ITEMS], back[WW_ROWS][WW_ITEMS];
    const uint64_t half = a.count - a.count / 2, first = blockIdx.x * uint64_t(WW_THREADS) * WW_ROWS + threadIdx.x;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t b = first + r * WW_THREADS;
        if (b < half) {
            in_read(a.in, b * WW_ITEMS, front[r]);
            in_read(a.in, (a.count - 1 - b) * WW_ITEMS, back[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t b = first + r * WW_THREADS;
        if (b < half) {
            put_reversed(a.out + b * WW_ITEMS, back[r]);
            if (b != a.count - 1 - b) put_reversed(a.out + (a.count - 1 - b) * WW_ITEMS, front[r]);
        }
    }
}

WW_GPU_KERNEL(rotate, turn_arguments, WW_THREADS) {
    const uint64_t first = blockIdx.x * uint64_t(WW_THREADS) * WW_ROWS + threadIdx.x;
    in_item x[WW_ROWS]; /* all are on their way before one is written */
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t i = first + r * WW_THREADS;
        if (i < a.count) x[r] = in_at(a.in, i < a.by ? i + (a.count - a.by) : i - a.by);
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t i = first + r * WW_THREADS;
        if (i < a.count) a.out[i] = ww_as<ww_item>(x[r]);
    }
}
