/* Counts the digits of keys' codes (letters.cuh), where count_digits.cu found that sweeps are to go by these; otherwise does
 * nothing. Blocks count in shared memory as there, in WW_COPIES counters for each bin, and the one that ends last makes of all counts
 * where each bin begins. Reads each key once. WW_BITS: of a code, at most. */
#include "device/kernel/counted.cuh"
#include "radix/bin_begins.cuh"
#include "radix/letters.cuh"
#include "radix/count_letters_arguments.cuh"

enum { WARPS = WW_THREADS / WW_WARP, TILE = WW_THREADS * WW_ITEMS * WW_ROWS, DIGIT_BITS = 8 };

struct letters_shared {
    uint32_t counter[WW_BITS * BINS * WW_COPIES];
    alignas(4) uint8_t code[256];
    uint32_t last;
};

WW_DEVICE void count_key(letters_shared &s, uint32_t bits, uint64_t codes) {
#pragma unroll
    for (uint32_t p = 0; p < WW_BITS; p++) {
        const uint32_t bin = p * BINS + uint32_t(codes >> p * DIGIT_BITS & (BINS - 1));
        if (p < bits) atomicAdd(&s.counter[bin * WW_COPIES + threadIdx.x % WW_COPIES], 1u);
    }
}

WW_DEVICE void count_codes(const count_letters_arguments &a, letters_shared &s, uint32_t bits) {
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count; first += uint64_t(gridDim.x) * TILE) {
        ww_key key[WW_ROWS][WW_ITEMS];
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) ww_fetch(a.keys + first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, key[r]);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            make_numbers(a.order, key[r]);
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) count_key(s, bits, coded(s.code, bits, key[r][k]));
        }
    }
    /* At most one block has the end, which is shorter. */
    if (first < a.count)
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS)
            count_key(s, bits, coded(s.code, bits, number_of(a.order, a.keys[i])));
}

WW_GPU_KERNEL(count_letters, count_letters_arguments, WW_THREADS) {
    WW_SHARED_LARGE(letters_shared, s);
    ww_in_line();
    const uint32_t bits = a.letters->bits;
    if (!bits) return;
    load_letters<WW_THREADS>(s.code, a.letters->code, sizeof s.code);
    for (uint32_t k = threadIdx.x; k < bits * BINS * WW_COPIES; k += WW_THREADS) s.counter[k] = 0;
    __syncthreads();
    count_codes(a, s, bits);
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < bits * BINS; b += WW_THREADS) {
        uint32_t sum = 0; /* each lane begins with another copy: they lie in different banks */
#pragma unroll
        for (uint32_t k = 0; k < WW_COPIES; k++) sum += s.counter[b * WW_COPIES + (k + threadIdx.x) % WW_COPIES];
        if (sum) atomicAdd(a.counts + b, uint64_t(sum));
    }
    __syncthreads();
    if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (!s.last) return;
    for (uint32_t p = threadIdx.x / WW_WARP; p < bits; p += WARPS) begin_bins(a.counts + p * BINS);
}
