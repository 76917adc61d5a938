/* Weighted histograms of integers of 32 bits, whose sums are the same in any order: each block adds up in shared memory what it reads at
 * strides of the whole grid, and adds that to the result at its end. Reads buckets and weights once.
 *
 * WW_COPIES: sums of each bin side by side, so that lanes that add to one bin at once seldom wait for one another. WW_SLOTS: sums that
 * there is room for. */
#include "device/kernel/bucket_number.cuh"
#include "device/kernel/record.cuh"
#include "multisplit/weigh_arguments.cuh"

struct weigh_arguments : weigh_fixed {
    in_input in;
    weights_input weights;
};

struct weigh_shared {
    uint32_t sum[WW_SLOTS];
};

enum { TILE = WW_THREADS * WW_ROWS };

WW_DEVICE void add_weight(const weigh_arguments &a, weigh_shared &s, uint64_t position, in_item given, uint32_t weight) {
    const uint32_t bin = ww_bucket_number(given, a.bins);
    if (bin < a.bins) atomicAdd(&s.sum[bin * WW_COPIES + threadIdx.x % WW_COPIES], weight);
    else ww_report(a.checking, position, bin);
}

WW_GPU_KERNEL(weigh, weigh_arguments, WW_THREADS) {
    WW_SHARED_LARGE(weigh_shared, s);
    if (ww_stopped(a.checking)) return;
    for (uint32_t k = threadIdx.x; k < a.bins * WW_COPIES; k += WW_THREADS) s.sum[k] = 0;
    __syncthreads();
    for (uint64_t first = blockIdx.x * uint64_t(TILE); first < a.count; first += uint64_t(gridDim.x) * TILE) {
        in_item given[WW_ROWS];
        uint32_t weight[WW_ROWS];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            const uint64_t i = first + r * WW_THREADS + threadIdx.x;
            if (i >= a.count) continue;
            given[r] = in_at(a.in, i);
            weight[r] = uint32_t(weights_at(a.weights, i));
        }
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            const uint64_t i = first + r * WW_THREADS + threadIdx.x;
            if (i < a.count) add_weight(a, s, i, given[r], weight[r]);
        }
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < a.bins; b += WW_THREADS) {
        uint32_t sum = 0; /* each lane begins with another copy: they lie in different banks */
#pragma unroll
        for (uint32_t k = 0; k < WW_COPIES; k++) sum += s.sum[b * WW_COPIES + (k + threadIdx.x) % WW_COPIES];
        if (sum) atomicAdd(a.sums + b, sum);
    }
}
