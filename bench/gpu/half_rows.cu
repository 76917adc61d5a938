/* Rows of f16 and bf16: sums in floats, rounded once, beside CUB's in floats and in CUDA's own type; and their order. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "harness.cuh"
#include "rows.h"

template <class T> struct widened {
    __host__ __device__ float operator()(T x) const { return static_cast<float>(x); }
};
template <class T> struct rounded {
    __host__ __device__ T operator()(float x) const { return static_cast<T>(x); }
};

/* -7 to 7, each with its opposite behind it: all sums of neighbours are exact. */
template <class T> static __global__ void make_pairs(T *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n / 2; i += size_t(gridDim.x) * blockDim.x) {
        const float value = float(int(uint32_t(i) * 2654435761u >> 28) - 8);
        x[2 * i] = static_cast<T>(value);
        x[2 * i + 1] = static_cast<T>(-value);
    }
}

/* CUB takes the two zeros for one. */
static __global__ void take_zeros(uint16_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        if (x[i] == 0x8000) x[i] = 1;
}

template <class T> static void rows_of(size_t n, const std::string &kind, const std::string &theirs, const ww_type *type) {
    uint16_t *x = random_array<uint16_t>(n, 31), *r = gpu_array<uint16_t>(n), *s = gpu_array<uint16_t>(n);
    T *pairs = gpu_array<T>(n);
    const T *keys = reinterpret_cast<const T *>(x);
    T *to = reinterpret_cast<T *>(s);
    take_zeros<<<1024, 256, 0, stream>>>(x, n);
    make_pairs<<<1024, 256, 0, stream>>>(pairs, n);
    CHECK(cudaGetLastError());
    const auto wide = thrust::make_transform_iterator(static_cast<const T *>(pairs), widened<T>());
    const auto narrow = thrust::make_transform_output_iterator(to, rounded<T>());
    const int count = int(n);
    row(("reduce " + kind + ", in floats").c_str(), n, 2, 0,
        [=] { must(ww_reduce(device, &ww_add, ww_memory_of(pairs, n, type), ww_array_of(r, 1, type))); },
        {{"DeviceReduce::Reduce of floats made of " + theirs, cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::Reduce(t, b, wide, narrow, count, ::cuda::std::plus<float>(), 0.0f, stream);
          })},
         {"DeviceReduce::Sum of " + theirs, cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::Sum(t, b, static_cast<const T *>(pairs), to, count, stream);
          })}},
        {{whole(r, 1)}, {whole(s, 1)}, [=] { return equal(r, s, 1); }});
    row(("inclusive scan " + kind + ", in floats").c_str(), n, 4, 0,
        [=] { must(ww_scan(device, &ww_add, ww_memory_of(pairs, n, type), ww_array_of(r, n, type), nullptr)); },
        {{"DeviceScan::InclusiveScan of floats made of " + theirs, cub_call([=](void *t, size_t &b) {
              return cub::DeviceScan::InclusiveScan(t, b, wide, narrow, ::cuda::std::plus<float>(), count, stream);
          })},
         {"DeviceScan::InclusiveSum of " + theirs, cub_call([=](void *t, size_t &b) {
              return cub::DeviceScan::InclusiveSum(t, b, static_cast<const T *>(pairs), to, count, stream);
          })}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    row(("sort " + kind).c_str(), n, 4, 0,
        [=] { must(ww_sort(device, ww_memory_of(x, n, type), ww_no_input, ww_array_of(r, n, type), ww_none, nullptr)); },
        {{"DeviceRadixSort::SortKeys of " + theirs, cub_call([=](void *t, size_t &b) {
              return cub::DeviceRadixSort::SortKeys(t, b, keys, to, count, 0, 16, stream);
          })}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (void *p : {static_cast<void *>(x), static_cast<void *>(r), static_cast<void *>(s), static_cast<void *>(pairs)})
        CHECK(cudaFree(p));
}

void half_rows(size_t n) {
    rows_of<__half>(n, "f16", "__half", &ww_type_ww_f16);
    rows_of<__nv_bfloat16>(n, "bf16", "__nv_bfloat16", &ww_type_ww_bf16);
}
