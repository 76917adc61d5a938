/* Sorted random keys, and positions. */
#ifndef BENCH_GPU_SORTED_KEYS_CUH
#define BENCH_GPU_SORTED_KEYS_CUH

#include <cub/device/device_radix_sort.cuh>

#include "below.cuh"
#include "harness.cuh"

static __global__ void make_positions(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = uint32_t(i);
}

/* By CUB. */
static uint32_t *sorted_array(size_t n, uint64_t seed) {
    uint32_t *x = random_array<uint32_t>(n, seed), *y = gpu_array<uint32_t>(n);
    cub_call([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, int(n), 0, 32, stream); })();
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(x));
    return y;
}

#endif
