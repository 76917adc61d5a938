/* Rows of computed inputs and outputs. CUB reads and writes through iterators; DeviceTransform loads tiles in bulk. Beside them
 * stands the kernel that a user writes. */
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_transform.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include "call_arrays.cuh"
#include "records.cuh"
#include "rows.h"

/* Kernels for stores, and DeviceTransform of positions. */
template <class T, class F> static std::vector<way> stores(T *s, size_t n, F f) {
    std::vector<way> all = kernels(n, [=] __device__(size_t i) { s[i] = f(i); });
    all.push_back({"DeviceTransform of positions",
                   [=] { CHECK(cub::DeviceTransform::Transform(thrust::counting_iterator<uint32_t>(0), s, int(n), f, stream)); }});
    return all;
}

static void permuted_calls(size_t n) {
    call_arrays a;
    uint32_t bits = 0;
    while (n >> (bits + 1)) bits++;
    uint32_t *x = a.random<uint32_t>(n, 111), *index = a.empty<uint32_t>(n), *r = a.empty<uint32_t>(n), *s = a.empty<uint32_t>(n);
    permute<<<1024, 256, 0, stream>>>(index, bits);
    const ww_input in = ww_memory_of(x, n, u32), at = ww_memory_of(index, n, u32);
    const results same = {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }};
    row("store of permuted u32", n, 12, 0, [=] { must(ww_store(device, ww_permuted(in, at), ww_array_of(r, n, u32))); },
        stores(s, n, [=] __device__(size_t i) { return x[index[i]]; }), same);
    row("reduce of permuted u32", n, 8, 0, [=] { must(ww_reduce(device, &ww_add, ww_permuted(in, at), ww_array_of(r, 1, u32))); },
        {{"DeviceReduce::Sum of a permutation_iterator", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::Sum(t, b, thrust::make_permutation_iterator(x, index), s, int64_t(n), stream);
          })}},
        {{whole(r, 1)}, {whole(s, 1)}, [=] { return equal(r, s, 1); }});
    row("store into permuted u32", n, 12, 0, [=] { must(ww_store(device, in, ww_permuted_into(ww_array_of(r, n, u32), at))); },
        kernels(n, [=] __device__(size_t i) { s[index[i]] = x[i]; }), same);
    each(n, [=] __device__(size_t i) { index[i] = uint32_t((i & ~size_t(1023)) | (i * 37 & 1023)); });
    row("store of permuted u32, neighbours", n, 12, 0, [=] { must(ww_store(device, ww_permuted(in, at), ww_array_of(r, n, u32))); },
        stores(s, n, [=] __device__(size_t i) { return x[index[i]]; }), same);
}

WW_STRUCT(bench_point, { float x, y, z; });
WW_MAP(bench_moved, bench_point, bench_point, p, void, none, {
    bench_point q = p;
    q.x = p.x + p.z;
    return q;
});
WW_MAP(bench_length, float, bench_point, p, void, none, { return p.x * p.x + p.y * p.y + p.z * p.z; });

static void zipped_calls(size_t n) {
    call_arrays a;
    uint32_t *random = a.random<uint32_t>(3 * n, 112);
    float *x = a.empty<float>(3 * n), *r = a.empty<float>(3 * n), *s = a.empty<float>(3 * n);
    each(3 * n, [=] __device__(size_t i) { x[i] = float(random[i] >> 24); });
    const float *y = x + n, *z = x + 2 * n;
    const ww_input points = ww_zip(&bench_point_ww, ww_memory_of(x, n, f32), ww_memory_of(y, n, f32), ww_memory_of(z, n, f32));
    bench_point *to = reinterpret_cast<bench_point *>(s);
    const bench_point *from = reinterpret_cast<const bench_point *>(x);
    const results same = {{whole(r, 3 * n)}, {whole(s, 3 * n)}, [=] { return equal(r, s, 3 * n); }};
    std::vector<way> ways = kernels(n, [=] __device__(size_t i) { to[i] = bench_point{x[i], y[i], z[i]}; });
    ways.push_back({"DeviceTransform of three arrays", [=] {
                        CHECK(cub::DeviceTransform::Transform(::cuda::std::make_tuple(x, y, z), to, int(n),
                                                              [] __device__(float x, float y, float z) { return bench_point{x, y, z}; }, stream));
                    }});
    row("store of three zipped f32 arrays", n, 24, 0, [=] { must(ww_store(device, points, ww_array_of(r, n, &bench_point_ww))); }, ways, same);
    row("store of structs into three f32 arrays", n, 24, 0,
        [=] {
            must(ww_store(device, ww_memory_of(x, n, &bench_point_ww),
                          ww_zipped_into(&bench_point_ww, ww_array_of(r, n, f32), ww_array_of(r + n, n, f32), ww_array_of(r + 2 * n, n, f32))));
        },
        kernels(n, [=] __device__(size_t i) {
            const bench_point p = from[i];
            s[i] = p.x, s[n + i] = p.y, s[2 * n + i] = p.z;
        }),
        same);
    row("map of three zipped f32 arrays into three", n, 24, 0,
        [=] {
            must(ww_map(device, &bench_moved_ww, points,
                        ww_zipped_into(&bench_point_ww, ww_array_of(r, n, f32), ww_array_of(r + n, n, f32), ww_array_of(r + 2 * n, n, f32))));
        },
        kernels(n, [=] __device__(size_t i) { s[i] = x[i] + z[i], s[n + i] = y[i], s[2 * n + i] = z[i]; }), same);
    row("map of three zipped f32 arrays to f32", n, 16, 0, [=] { must(ww_map(device, &bench_length_ww, points, ww_array_of(r, n, f32))); },
        {{"a kernel, a thread an element", [=] { each_once<<<unsigned((n + 255) / 256), 256, 0, stream>>>(n, [=] __device__(size_t i) {
              s[i] = __fadd_rn(__fadd_rn(__fmul_rn(x[i], x[i]), __fmul_rn(y[i], y[i])), __fmul_rn(z[i], z[i]));
          }); }},
         {"DeviceTransform of three arrays", [=] {
              CHECK(cub::DeviceTransform::Transform(::cuda::std::make_tuple(x, y, z), s, int(n),
                                                    [] __device__(float x, float y, float z) { return x * x + y * y + z * z; }, stream));
          }}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
}

WW_WINDOW(bench_three, float, float, x, 1, 1, void, none, { return x[-1] + x[0] + x[1]; });
WW_WINDOW(bench_nine, float, float, x, 4, 4, void, none, {
    float sum = x[-4];
    for (int k = -3; k <= 4; k++) sum += x[k];
    return sum;
});

static void window_calls(size_t n) {
    call_arrays a;
    uint32_t *random = a.random<uint32_t>(n, 113);
    float *x = a.empty<float>(n), *r = a.empty<float>(n), *s = a.empty<float>(n);
    each(n, [=] __device__(size_t i) { x[i] = float(random[i] >> 24); });
    const ww_input in = ww_memory_of(x, n, f32);
    const results same = {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }};
    row("window of 3, f32", n, 8, 0, [=] { must(ww_store(device, ww_window(&bench_three_ww, in, WW_BORDER_CLAMP, ww_no_value), ww_array_of(r, n, f32))); },
        stores(s, n, [=] __device__(size_t i) { return x[i ? i - 1 : 0] + x[i] + x[i + 1 < n ? i + 1 : n - 1]; }), same);
    row("window of 9, f32", n, 8, 0, [=] { must(ww_store(device, ww_window(&bench_nine_ww, in, WW_BORDER_CLAMP, ww_no_value), ww_array_of(r, n, f32))); },
        stores(s, n, [=] __device__(size_t i) {
            float sum = 0;
            if (i >= 4 && i + 4 < n) {
#pragma unroll
                for (int k = -4; k <= 4; k++) sum += x[i + k];
            } else {
                for (int k = -4; k <= 4; k++) sum += x[min(max(int64_t(i) + k, int64_t(0)), int64_t(n) - 1)];
            }
            return sum;
        }),
        same);
}

static void view_calls(size_t n) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 114), *r = a.empty<uint32_t>(n), *s = a.empty<uint32_t>(n);
    const ww_input in = ww_memory_of(x, n, u32);
    const results same = {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }};
    for (uint32_t stride : {2u, 10u}) {
        const size_t m = n / stride;
        row(("store of every " + std::string(stride == 2 ? "second" : "tenth") + " u32").c_str(), m, 4 + 4 * std::min(stride, 8u), 0,
            [=] { must(ww_store(device, ww_strided(in, 0, stride, m), ww_array_of(r, m, u32))); },
            stores(s, m, [=] __device__(size_t i) { return x[i * stride]; }), {{whole(r, m)}, {whole(s, m)}, [=] { return equal(r, s, m); }});
    }
    row("store of reversed u32", n, 8, 0, [=] { must(ww_store(device, ww_reversed(in), ww_array_of(r, n, u32))); },
        stores(s, n, [=] __device__(size_t i) { return x[n - 1 - i]; }), same);
    row("scan of reversed u32", n, 8, 0, [=] { must(ww_scan(device, &ww_add, ww_reversed(in), ww_array_of(r, n, u32), nullptr)); },
        {{"DeviceScan::InclusiveSum of a reverse_iterator", cub_call([=](void *t, size_t &b) {
              return cub::DeviceScan::InclusiveSum(t, b, thrust::make_reverse_iterator(x + n), s, int(n), stream);
          })}},
        same);
}

struct as_u64 {
    __host__ __device__ uint64_t operator()(uint8_t x) const { return x; }
};
struct high_byte {
    __host__ __device__ uint8_t operator()(uint32_t x) const { return uint8_t(x >> 24); }
};
WW_MAP(bench_high_byte, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x >> 24); });

static void cast_calls(size_t n) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 115);
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(x);
    uint64_t *r = a.empty<uint64_t>(n), *s = a.empty<uint64_t>(n);
    row("reduce of u8 cast to u64", n, 1, 0,
        [=] { must(ww_reduce(device, &ww_add, ww_cast(u64, ww_memory_of(bytes, n, u8)), ww_array_of(r, 1, u64))); },
        {{"DeviceReduce::TransformReduce", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::TransformReduce(t, b, bytes, s, int64_t(n), ::cuda::std::plus<>(), as_u64(), uint64_t(0), stream);
          })}},
        {{whole(r, 1)}, {whole(s, 1)}, [=] { return equal(r, s, 1); }});
    std::vector<way> ways = kernels(n, [=] __device__(size_t i) { ((double *)s)[i] = double(x[i]); });
    ways.push_back({"DeviceTransform", [=] {
                        CHECK(cub::DeviceTransform::Transform(x, (double *)s, int(n), [] __device__(uint32_t x) { return double(x); }, stream));
                    }});
    row("store of u32 cast to f64", n, 12, 0, [=] { must(ww_store(device, ww_cast(f64, ww_memory_of(x, n, u32)), ww_array_of(r, n, f64))); }, ways,
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    uint8_t *small = reinterpret_cast<uint8_t *>(r), *small_wanted = reinterpret_cast<uint8_t *>(s);
    row("scan u32 mapped into u8", n, 5, 0,
        [=] { must(ww_scan(device, &ww_add, ww_memory_of(x, n, u32), ww_mapped_into(&bench_high_byte_ww, ww_array_of(small, n, u8)), nullptr)); },
        {{"DeviceScan::InclusiveSum to a transform_output_iterator", cub_call([=](void *t, size_t &b) {
              return cub::DeviceScan::InclusiveSum(t, b, x, thrust::make_transform_output_iterator(small_wanted, high_byte()), int(n), stream);
          })}},
        {{whole(small, n)}, {whole(small_wanted, n)}, [=] { return equal(small, small_wanted, n); }});
}

void input_rows() {
    for (size_t n : call_sizes) {
        permuted_calls(n);
        zipped_calls(n);
        window_calls(n);
        view_calls(n);
        cast_calls(n);
    }
}
