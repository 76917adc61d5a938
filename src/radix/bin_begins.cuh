/* Of a digit's counts where its bins begin. */
#ifndef WW_BIN_BEGINS_CUH
#define WW_BIN_BEGINS_CUH

#include "radix/digits.cuh"

/* Makes of a sweep's counts where the bins begin. Returns how many keys are in the fullest one. Called by a warp. */
WW_DEVICE uint64_t begin_bins(uint64_t *counts) {
    enum { OWN = BINS / WW_WARP };
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint64_t own[OWN], sum = 0, most = 0;
#pragma unroll
    for (int k = 0; k < OWN; k++) {
        own[k] = ww_load_relaxed(counts + lane * OWN + k);
        sum += own[k];
        most = own[k] > most ? own[k] : most;
    }
    uint64_t at = ww_sum_before(sum);
#pragma unroll
    for (int k = 0; k < OWN; k++) {
        counts[lane * OWN + k] = at;
        at += own[k];
    }
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2) {
        const uint64_t other = __shfl_xor_sync(WW_ALL, most, by);
        most = other > most ? other : most;
    }
    return most;
}

#endif
