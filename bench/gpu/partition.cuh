/* CUB's two ways of splitting keys in two, stably: a sort by one bit, and its partition, whose second side comes reversed, with
 * that side reversed. */
#ifndef BENCH_GPU_PARTITION_CUH
#define BENCH_GPU_PARTITION_CUH

#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "harness.cuh"

struct bit_is_clear {
    int bit;
    __host__ __device__ bool operator()(uint32_t x) const { return !(x >> bit & 1); }
};

static __global__ void turn_second_side(uint32_t *x, size_t n, const uint32_t *first_side) {
    const size_t begin = *first_side, m = n - begin;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < m / 2; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t y = x[begin + i];
        x[begin + i] = x[n - 1 - i];
        x[n - 1 - i] = y;
    }
}

static std::function<void()> cub_partition(const uint32_t *x, uint32_t *s, uint32_t *first_side, size_t n, int bit) {
    return cub_call([=](void *t, size_t &b) {
        return cub::DevicePartition::If(t, b, x, s, first_side, int(n), bit_is_clear{bit}, stream);
    });
}

/* first_side gets how many keys have the bit clear, of the second way only. */
static std::vector<way> cub_stable_partition(const uint32_t *x, uint32_t *s, uint32_t *first_side, size_t n, int bit) {
    const auto partition = cub_partition(x, s, first_side, n, bit);
    const auto turned = [=] {
        partition();
        turn_second_side<<<2048, 256, 0, stream>>>(s, n, first_side);
    };
    return joined_ways(cub_ways("DeviceRadixSort by a bit", n,
                                [=](void *t, size_t &b, auto count) {
                                    return cub::DeviceRadixSort::SortKeys(t, b, x, s, count, bit, bit + 1, stream);
                                }),
                       {{"DevicePartition::If, second side reversed", turned}});
}

#endif
