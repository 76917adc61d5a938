/* The minimum or maximum of elements of 128 bits and what stands in their places, without an atomic of 128 bits: by halves, in
 * two launches, a thread for each element.
 *
 * `scatter_high` takes the upper halves to their extreme. Where one betters what stands there, the lower half that stood
 * there belongs to a loser: it is set to the worst there is, which all who do so agree on. Afterwards each upper half is final,
 * and a lower half is the place's own or the worst. `scatter_low` takes the lower halves of those elements whose upper half is
 * the one that won to their extreme. No thread waits for another, whatever goes to one place; and as what stands somewhere
 * only gets better in a launch, a load tells most elements of a crowded place that they need no atomic.
 * Reads the index and the input twice. WW_CONFLICT: 4 minimum, 5 maximum, as in scatter.cu. WW_SIGNED: of signed numbers, whose upper
 * halves are. */
#include "device/kernel/record.cuh"
#include "primitive/gather/scatter_wide_arguments.cuh"

struct scatter_arguments : scatter_wide_fixed {
    index_input index;
    in_input in;
};

#if WW_SIGNED
typedef int64_t upper_half;
#else
typedef uint64_t upper_half;
#endif

#if WW_CONFLICT == 4
#define WORST UINT64_MAX
#define BETTER(x, y) ((x) < (y))
template <class T> WW_DEVICE T improve(T *p, T x) { return atomicMin(p, x); }
#else
#define WORST 0
#define BETTER(x, y) ((x) > (y))
template <class T> WW_DEVICE T improve(T *p, T x) { return atomicMax(p, x); }
#endif

WW_GPU_KERNEL(scatter_high, scatter_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (ww_stopped(a.checking) || i >= a.count) return;
    const uint64_t at = index_at(a.index, i);
    if (at >= a.limit) {
        ww_report(a.checking, i, at);
        return;
    }
    uint64_t *const low = a.to + 2 * at, *const high = low + 1;
    const upper_half x = upper_half(ww_u128(in_at(a.in, i)) >> 64);
    if (BETTER(x, upper_half(ww_load_relaxed(high))) && BETTER(x, improve(reinterpret_cast<upper_half *>(high), x)))
        ww_store_relaxed(low, uint64_t(WORST));
}

WW_GPU_KERNEL(scatter_low, scatter_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (ww_stopped(a.checking) || i >= a.count) return;
    const uint64_t at = index_at(a.index, i);
    if (at >= a.limit) return; /* the launch before has reported it */
    uint64_t *const low = a.to + 2 * at, *const high = low + 1;
    const ww_u128 x = in_at(a.in, i);
    if (uint64_t(x >> 64) == ww_load_relaxed(high) && BETTER(uint64_t(x), ww_load_relaxed(low))) improve(low, uint64_t(x));
}
