/* Rows of reductions and scans. */
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "harness.cuh"
#include "rows.h"

void reduce_rows(size_t n, double required) {
    uint32_t *x = random_array<uint32_t>(n, 1), *r = gpu_array<uint32_t>(1), *s = gpu_array<uint32_t>(1);
    const results same = {{whole(r, 1)}, {whole(s, 1)}, [=] { return equal(r, s, 1); }};
    const int count = int(n);
    row("reduce u32", n, 4, required,
        [=] { must(ww_reduce(device, &ww_add, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, 1, &ww_type_uint32_t))); },
        {{"DeviceReduce::Sum", cub_call([=](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, s, count, stream); })}}, same);
    row("reduce u32, max", n, 4, required,
        [=] { must(ww_reduce(device, &ww_max, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, 1, &ww_type_uint32_t))); },
        {{"DeviceReduce::Max", cub_call([=](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, x, s, count, stream); })}}, same);
    for (uint32_t *p : {x, r, s}) CHECK(cudaFree(p));
}

void scan_rows(size_t n, double required) {
    uint32_t *x = random_array<uint32_t>(n, 2), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    static ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    row("exclusive scan u32", n, 8, required,
        [=] {
            must(ww_scan(device, &ww_add, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t), &options));
        },
        cub_ways("DeviceScan::ExclusiveSum", n,
                 [=](void *t, size_t &b, auto count) { return cub::DeviceScan::ExclusiveSum(t, b, x, s, count, stream); }),
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (uint32_t *p : {x, r, s}) CHECK(cudaFree(p));
}

/* 0 to 15, each with its opposite behind it: all sums of neighbours are exact. */
static __global__ void make_whole(float *x, const uint32_t *random, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = float(int(random[i / 2 * 2] >> 28) * (i % 2 ? -1 : 1));
}

void float_scan_rows(size_t n) {
    uint32_t *random = random_array<uint32_t>(n, 2);
    float *x = gpu_array<float>(n), *r = gpu_array<float>(n), *s = gpu_array<float>(n);
    make_whole<<<1024, 256, 0, stream>>>(x, random, n);
    row("reduce f32", n, 4, 0, [=] { must(ww_reduce(device, &ww_add, ww_memory_of(x, n, &ww_type_float), ww_array_of(r, 1, &ww_type_float))); },
        {{"DeviceReduce::Sum", cub_call([=](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, s, int(n), stream); })}},
        {{whole(r, 1)}, {whole(s, 1)}, [=] { return equal(r, s, 1); }});
    for (const bool deterministic : {false, true}) {
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.deterministic = deterministic;
        row(deterministic ? "inclusive scan f32, deterministic" : "inclusive scan f32", n, 8, 0,
            [=] { must(ww_scan(device, &ww_add, ww_memory_of(x, n, &ww_type_float), ww_array_of(r, n, &ww_type_float), &options)); },
            cub_ways("DeviceScan::InclusiveSum", n,
                     [=](void *t, size_t &b, auto count) { return cub::DeviceScan::InclusiveSum(t, b, x, s, count, stream); }),
            {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    }
    for (void *p : {(void *)random, (void *)x, (void *)r, (void *)s}) CHECK(cudaFree(p));
}

/* A sum of bytes that stays a byte; CUB's own operator makes an int of them, and of what its blocks hand on. */
struct add_bytes {
    __host__ __device__ uint8_t operator()(uint8_t a, uint8_t b) const { return uint8_t(a + b); }
};

void wide_scan_rows(size_t n) {
    uint64_t *x = random_array<uint64_t>(n, 2), *r = gpu_array<uint64_t>(n), *s = gpu_array<uint64_t>(n);
    row("inclusive scan u64", n, 16, 0,
        [=] { must(ww_scan(device, &ww_add, ww_memory_of(x, n, &ww_type_uint64_t), ww_array_of(r, n, &ww_type_uint64_t), nullptr)); },
        cub_ways("DeviceScan::InclusiveSum", n,
                 [=](void *t, size_t &b, auto count) { return cub::DeviceScan::InclusiveSum(t, b, x, s, count, stream); }),
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    uint8_t *small = reinterpret_cast<uint8_t *>(x), *small_r = reinterpret_cast<uint8_t *>(r), *small_s = reinterpret_cast<uint8_t *>(s);
    row("inclusive scan u8", n, 2, 0,
        [=] { must(ww_scan(device, &ww_add, ww_memory_of(small, n, &ww_type_uint8_t), ww_array_of(small_r, n, &ww_type_uint8_t), nullptr)); },
        joined_ways(cub_ways("DeviceScan::InclusiveSum", n,
                             [=](void *t, size_t &b, auto count) {
                                 return cub::DeviceScan::InclusiveSum(t, b, small, small_s, count, stream);
                             }),
                    {{"DeviceScan::InclusiveScan of a sum in bytes", cub_call([=](void *t, size_t &b) {
                          return cub::DeviceScan::InclusiveScan(t, b, small, small_s, add_bytes(), int(n), stream);
                      })}}),
        {{whole(small_r, n)}, {whole(small_s, n)}, [=] { return equal(small_r, small_s, n); }});
    for (void *p : {x, r, s}) CHECK(cudaFree(p));
}

/* ---- segments ---- */

static __global__ void make_keys(uint32_t *keys, size_t n, uint32_t run) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        keys[i] = uint32_t(i / run + (i * 2654435761u >> 29)) / 2;
}

/* Head flags as keys: a flag differs from whatever stood before it. */
struct goes_on {
    __host__ __device__ bool operator()(uint8_t, uint8_t flag) const { return !flag; }
};

/* The textbook's: of an element the sum since the last head, whether there was one, and the element itself, which an inclusive
 * sum has too much. */
struct flagged_sum {
    uint32_t sum, own, head;
};
struct add_flagged {
    __host__ __device__ flagged_sum operator()(const flagged_sum &a, const flagged_sum &b) const {
        return {b.head ? b.sum : a.sum + b.sum, b.own, a.head | b.head};
    }
};
struct read_flagged {
    const uint32_t *x;
    const uint8_t *flags;
    __device__ flagged_sum operator()(uint32_t i) const { return {x[i], x[i], flags[i]}; }
};
struct sum_before {
    __host__ __device__ uint32_t operator()(const flagged_sum &s) const { return s.sum - s.own; }
};

void segmented_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 3), *keys = gpu_array<uint32_t>(n), *r = gpu_array<uint32_t>(n),
             *s = gpu_array<uint32_t>(n);
    uint8_t *flags = gpu_array<uint8_t>(n);
    make_keys<<<1024, 256, 0, stream>>>(keys, n, 8);
    make_flags<<<1024, 256, 0, stream>>>(flags, x, n, 8);
    static ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    const results same = {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }};
    const int count = int(n);
    row("exclusive scan u32 by key, runs of 8", n, 12, 220,
        [=] {
            must(ww_scan_by_key(device, &ww_add, ww_memory_of(keys, n, &ww_type_uint32_t),
                                ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t), &options));
        },
        cub_ways("DeviceScan::ExclusiveSumByKey", n,
                 [=](void *t, size_t &b, auto m) {
                     return cub::DeviceScan::ExclusiveSumByKey(t, b, keys, x, s, m, ::cuda::std::equal_to<>(), stream);
                 }),
        same);
    row("exclusive scan u32 by head flags, runs of 8", n, 9, 260,
        [=] {
            must(ww_scan_segmented(device, &ww_add, ww_memory_of(x, n, &ww_type_uint32_t),
                                   ww_memory_of(flags, n, &ww_type_uint8_t), ww_array_of(r, n, &ww_type_uint32_t), &options));
        },
        {{"DeviceScan::ExclusiveSumByKey, the flags as keys",
          cub_call([=](void *t, size_t &b) {
              return cub::DeviceScan::ExclusiveSumByKey(t, b, flags, x, s, count, goes_on(), stream);
          })},
         {"DeviceScan::InclusiveScan of sums and flags",
          cub_call([=](void *t, size_t &b) {
              const auto in = thrust::make_transform_iterator(thrust::make_counting_iterator(uint32_t(0)), read_flagged{x, flags});
              const auto out = thrust::make_transform_output_iterator(s, sum_before());
              return cub::DeviceScan::InclusiveScan(t, b, in, out, add_flagged(), count, stream);
          })}},
        same);
    for (void *p : {(void *)x, (void *)keys, (void *)r, (void *)s, (void *)flags}) CHECK(cudaFree(p));
}

/* 2x2 matrices modulo 2^31 - 1. */
WW_STRUCT(matrix, { uint32_t a, b, c, d; });
WW_FUNCTION(mod31, uint32_t, (uint64_t x), {
    x = (x & 0x7FFFFFFFu) + (x >> 31);
    x = (x & 0x7FFFFFFFu) + (x >> 31);
    return x == 0x7FFFFFFFu ? 0u : (uint32_t)x;
});
WW_COMBINE_USES((mod31), matrix_product, matrix, m, n, WW_ORDERED, WW_IDENTITY({1, 0, 0, 1}), {
    matrix p;
    p.a = mod31((uint64_t)m.a * n.a + (uint64_t)m.b * n.c);
    p.b = mod31((uint64_t)m.a * n.b + (uint64_t)m.b * n.d);
    p.c = mod31((uint64_t)m.c * n.a + (uint64_t)m.d * n.c);
    p.d = mod31((uint64_t)m.c * n.b + (uint64_t)m.d * n.d);
    return p;
});
struct cub_matrix_product {
    __host__ __device__ static uint32_t mod(uint64_t x) {
        x = (x & 0x7FFFFFFFu) + (x >> 31);
        x = (x & 0x7FFFFFFFu) + (x >> 31);
        return x == 0x7FFFFFFFu ? 0u : uint32_t(x);
    }
    __host__ __device__ uint4 operator()(const uint4 &m, const uint4 &n) const {
        return make_uint4(mod(uint64_t(m.x) * n.x + uint64_t(m.y) * n.z), mod(uint64_t(m.x) * n.y + uint64_t(m.y) * n.w),
                          mod(uint64_t(m.z) * n.x + uint64_t(m.w) * n.z), mod(uint64_t(m.z) * n.y + uint64_t(m.w) * n.w));
    }
};
static __global__ void below_prime(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = x[i] % 0x7FFFFFFFu;
}

void matrix_rows(size_t n) {
    uint4 *x = random_array<uint4>(n, 4), *r = gpu_array<uint4>(n), *s = gpu_array<uint4>(n);
    below_prime<<<1024, 256, 0, stream>>>(reinterpret_cast<uint32_t *>(x), 4 * n);
    row("inclusive scan of 2x2 matrices mod 2^31 - 1", n, 32, 30,
        [=] {
            must(ww_scan(device, &matrix_product_ww, ww_memory_of(x, n, &matrix_ww), ww_array_of(r, n, &matrix_ww),
                         nullptr));
        },
        {{"DeviceScan::InclusiveScan", cub_call([=](void *t, size_t &b) {
              return cub::DeviceScan::InclusiveScan(t, b, x, s, cub_matrix_product(), int(n), stream);
          })}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (void *p : {x, r, s}) CHECK(cudaFree(p));
}
