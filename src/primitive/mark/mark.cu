/* Marks the heads among long elements: flags[i] is 1 where element i differs from the one before, in words of WW_WORD bytes (0:
 * elements are computed or given to the caller's ww_equal, and compared whole by one thread). WW_LANES lanes compare an element
 * together. */
#include "device/kernel/differ.cuh"
#include "primitive/mark/mark_arguments.cuh"

struct mark_arguments : mark_fixed {
#if WW_EQUAL
    ww_environment environment;
#endif
    by_input by;
};

typedef ww_word<WW_WORD>::type ww_piece;

WW_DEVICE bool differs(const mark_arguments &a, uint64_t i, uint32_t lane) {
#if WW_WORD
    const uint32_t many = a.words;
    const ww_piece *x = reinterpret_cast<const ww_piece *>(a.by.memory0) + i * a.words;
    bool differ = false;
    for (uint32_t p = lane; p < many && !differ; p += WW_LANES) differ = !ww_same(x[p], *(x + p - many));
    return differ;
#else
    return lane == 0 && ww_differ(a, by_at(a.by, i - 1), by_at(a.by, i));
#endif
}

WW_GPU_KERNEL(mark, mark_arguments, WW_THREADS) {
    const uint32_t lane = threadIdx.x % WW_LANES;
    const uint64_t i = (blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x) / WW_LANES;
    const bool differ = i && i < a.count && differs(a, i, lane);
    const uint32_t any = __ballot_sync(WW_ALL, differ) >> (threadIdx.x % WW_WARP / WW_LANES * WW_LANES);
    if (lane == 0 && i < a.count) a.flags[i] = !i || any & (0xFFFFFFFFu >> (WW_WARP - WW_LANES));
}
