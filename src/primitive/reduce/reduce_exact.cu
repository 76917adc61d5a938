/* Reduction of integers by an operator that commutes, for which every bracketing gives the same bits: each thread adds up what
 * it reads at strides of the whole grid, each block its threads' sums, and the block that finishes last the blocks'. Reads each
 * element once, in words of 16 bytes where the input is memory. */
#include "device/kernel/counted.cuh"
#include "primitive/reduce/reduce_arguments.cuh"

struct reduce_arguments : reduce_exact_fixed {
    alignas(16) ww_item identity;
    in_input in;
};

enum { WARPS = WW_THREADS / WW_WARP, BATCHES = WW_UNROLL };

struct reduce_shared {
    ww_item warp[WARPS];
    uint32_t last;
};

/* The sum over the block, in its first thread. */
WW_DEVICE ww_item fold_block(ww_item sum, reduce_shared &s) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) sum = ww_op(sum, ww_lane_after(sum, by));
    if (lane == 0) s.warp[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < WARPS; w++) sum = ww_op(sum, s.warp[w]);
    return sum;
}

WW_DEVICE void reduce_share(const reduce_arguments &a) {
    WW_SHARED(reduce_shared, s);
    const uint64_t share = uint64_t(WW_THREADS) * WW_ITEMS * BATCHES;
    const uint32_t blocks = ww_counted_blocks((a.count + share - 1) / share);
    const uint64_t step = blocks * share;
    if (blockIdx.x >= blocks) return;
    ww_item sum[WW_ITEMS];
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) sum[k] = a.identity;
    uint64_t first = blockIdx.x * share;
    for (; first + share <= a.count; first += step) {
        ww_item x[BATCHES][WW_ITEMS];
#pragma unroll
        for (int b = 0; b < BATCHES; b++) in_read(a.in, first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS, x[b]);
#pragma unroll
        for (int b = 0; b < BATCHES; b++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) sum[k] = ww_op(sum[k], x[b][k]);
    }
    /* At most one block has the end, which is shorter. */
    enum { AT_ONCE = 4 };
    if (first < a.count)
        for (uint64_t i = first + threadIdx.x; i < a.count; i += AT_ONCE * WW_THREADS) {
            ww_item x[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) {
                x[k] = a.identity;
                if (i + k * WW_THREADS < a.count) x[k] = in_at(a.in, i + k * WW_THREADS);
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) sum[0] = ww_op(sum[0], x[k]);
        }
#pragma unroll
    for (int k = 1; k < WW_ITEMS; k++) sum[0] = ww_op(sum[0], sum[k]);
    ww_item all = fold_block(sum[0], s);
    if (blocks == 1) {
        if (threadIdx.x == 0) *a.out = all;
        return;
    }
    if (threadIdx.x == 0) {
        a.of_block[blockIdx.x] = all;
        s.last = ww_add_acq_rel(a.ticket, 1) == blocks - 1;
    }
    __syncthreads();
    if (!s.last) return;
    all = a.identity;
    for (uint32_t b = threadIdx.x; b < blocks; b += WW_THREADS) all = ww_op(all, a.of_block[b]);
    all = fold_block(all, s);
    if (threadIdx.x) return;
    ww_store_relaxed(a.ticket, uint32_t(0));
    *a.out = all;
}

WW_LOOP_KERNEL(reduce, reduce_arguments, WW_THREADS) { reduce_share(ww_counted(a)); }
