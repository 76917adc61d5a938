/* Passes of a sorting network (network.h): by windows in shared memory, whatever phases they take, or one phase in memory.
 * WW_WINDOW: elements of a window. */
#include "sort/named/network.cuh"
#include "sort/ordering.cuh"
#include "sort/named/network_arguments.cuh"

typedef network_fixed network_arguments;

struct network_window {
    ww_item key[WW_WINDOW];
    uint32_t position[WW_WINDOW];
    WW_DEVICE_MEMBER network_window() {}
};

/* One phase of what stands in the window, from place `begin` on: below 0 it is that place counted round, which is not
 * below the count either. Windows begin at multiples of twice the step. */
WW_DEVICE void exchange_in_window(const network_arguments &a, network_window &s, const ww_phase &p, uint64_t begin) {
    for (uint32_t c = threadIdx.x; c < WW_WINDOW / 2; c += WW_THREADS) {
        const uint64_t low = comparator_low(&p, c), high = comparator_high(&p, low);
        if (high < WW_WINDOW && comparator_counts(&p, begin + low, begin + high, a.count))
            compare_exchange(a.ordering, s.key, s.position, low, high);
    }
}

WW_GPU_KERNEL(network_windows, network_arguments, WW_THREADS) {
    WW_SHARED(network_window, s);
    if (a.wanted && !ww_load_relaxed(a.wanted)) return;
    const uint64_t begin = blockIdx.x * uint64_t(WW_WINDOW - 2 * a.halo) - a.halo;
    for (uint32_t at = threadIdx.x; at < WW_WINDOW; at += WW_THREADS)
        if (begin + at < a.count) {
            s.key[at] = a.keys[begin + at];
            s.position[at] = a.positions ? a.positions[begin + at] : uint32_t(begin + at);
        }
    __syncthreads();
    uint32_t wide = a.wide, narrow = a.narrow;
    for (uint32_t k = 0; k < a.phases; k++) {
        const ww_phase p = network_phase(a.network, wide, narrow);
        exchange_in_window(a, s, p, begin);
        network_next(a.network, &wide, &narrow);
        __syncthreads();
    }
    for (uint32_t at = a.halo + threadIdx.x; at < WW_WINDOW - a.halo; at += WW_THREADS)
        if (begin + at < a.count) {
            a.keys_out[begin + at] = s.key[at];
            a.positions_out[begin + at] = s.position[at];
        }
}

WW_GPU_KERNEL(network_phase_of_all, network_arguments, WW_THREADS) {
    if (a.wanted && !ww_load_relaxed(a.wanted)) return;
    const ww_phase p = network_phase(a.network, a.wide, a.narrow);
    const uint64_t low = comparator_low(&p, uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x);
    const uint64_t high = comparator_high(&p, low);
    if (comparator_counts(&p, low, high, a.count)) compare_exchange(a.ordering, a.keys_out, a.positions_out, low, high);
}
