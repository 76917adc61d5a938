/* Where the buckets begin that keys were sorted into by a prefix: some bits above which they all agree. Each thread looks for one.
 * If they were sorted whole instead, all buckets are empty. */
#include "radix/digits.cuh"
#include "sort/radix/prefix_arguments.cuh"

WW_GPU_KERNEL(find_bounds, bounds_arguments, WW_THREADS) {
    const uint32_t bucket = blockIdx.x * WW_THREADS + threadIdx.x, low = *a.prefix, buckets = 1u << a.bits;
    uint64_t first = 0;
    if (bucket > buckets) return;
    if (low != NO_PREFIX) {
        for (uint64_t left = a.count; left;) {
            const uint64_t half = left / 2;
            const uint32_t here = uint32_t(number_of(a.order, a.keys[first + half]) >> low) & (buckets - 1);
            if (here < bucket) {
                first += half + 1;
                left -= half + 1;
            } else {
                left = half;
            }
        }
    }
    a.offsets[bucket] = bucket == buckets && low != NO_PREFIX ? a.count : first;
}
