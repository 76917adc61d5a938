/* Differences of neighbours: a warp has WW_ROWS rows of 32 batches of WW_ITEMS neighbours. What precedes a batch comes from the
 * lane before, what precedes the warp's first from memory. Reads and writes each element once. Integers are subtracted as
 * numbers without a sign, which wrap. */
#include "primitive/scan/difference_arguments.cuh"

struct difference_arguments : difference_fixed {
    in_input in;
};

enum { ROW = WW_WARP * WW_ITEMS, TILE = WW_THREADS * WW_ROWS * WW_ITEMS };

WW_DEVICE ww_item difference(ww_item x, ww_item y) { return ww_item(ww_wide(x) - ww_wide(y)); }

WW_GPU_KERNEL(adjacent_difference, difference_arguments, WW_THREADS) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    const uint64_t tile = blockIdx.x * uint64_t(TILE);
    if (tile + TILE > a.count) {
        for (uint64_t i = tile + threadIdx.x; i < a.count; i += WW_THREADS) {
            const ww_item x = in_at(a.in, i);
            a.out[i] = i ? difference(x, in_at(a.in, i - 1)) : x;
        }
        return;
    }
    const uint64_t mine = tile + (threadIdx.x / WW_WARP * WW_ROWS * WW_WARP + lane) * WW_ITEMS;
    ww_item x[WW_ROWS][WW_ITEMS], before;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) in_read(a.in, mine + r * ROW, x[r]);
    if (lane == 0 && mine) before = in_at(a.in, mine - 1);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        /* Lane 0 has the end of the row before from the last lane. */
        const ww_item end = lane == WW_WARP - 1 && r ? x[r ? r - 1 : 0][WW_ITEMS - 1] : x[r][WW_ITEMS - 1];
        ww_item previous = ww_lane(end, (lane + WW_WARP - 1) % WW_WARP), out[WW_ITEMS];
        if (r == 0 && lane == 0) previous = before;
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            out[k] = difference(x[r][k], previous);
            previous = x[r][k];
        }
        if (r == 0 && mine == 0) out[0] = x[0][0];
        ww_put(a.out + mine + r * ROW, out);
    }
}
