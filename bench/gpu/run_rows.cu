/* Rows of runs of equal neighbours and of segments. */
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/discard_iterator.h>

#include "harness.cuh"
#include "rows.h"

static __global__ void make_runs(uint32_t *keys, size_t n, uint32_t mean) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        keys[i] = uint32_t(i / mean);
}
/* Of a segment's number only the lowest bit, a byte each. */
static __global__ void make_parities(uint8_t *keys, size_t n, uint32_t length) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        keys[i] = uint8_t(i / length & 1);
}
static __global__ void make_offsets(uint32_t *offsets, size_t segments, uint32_t length) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i <= segments; i += size_t(gridDim.x) * blockDim.x)
        offsets[i] = uint32_t(i * length);
}

/* Ours and theirs: keys, values, how many; and two least ones. */
struct run_arrays {
    size_t n;
    uint32_t *x, *keys, *r, *s, *rv, *sv, *count, *wanted, *least, *least_wanted;
};

static void key_rows(const run_arrays &a) {
    const ww_type *u32 = &ww_type_uint32_t;
    const size_t n = a.n;
    const ww_array total = ww_array_of(a.count, 1, u32), out = ww_array_of(a.r, n, u32), values = ww_array_of(a.rv, n, u32);
    const ww_input in = ww_memory_of(a.keys, n, u32);
    const results pairs = {{whole(a.r, n), whole(a.rv, n), whole(a.count, 1)}, {whole(a.s, n), whole(a.sv, n), whole(a.wanted, 1)},
                           [=] {
                               return equal_counted(a.count, a.wanted, a.r, a.s, n) && equal_counted(a.count, a.wanted, a.rv, a.sv, n);
                           }};
    row("run lengths u32, runs of 8", n, 5, 0, [=] { must(ww_run_lengths(device, in, out, values, total)); },
        {{"DeviceRunLengthEncode::Encode", cub_call([=](void *t, size_t &b) {
              return cub::DeviceRunLengthEncode::Encode(t, b, a.keys, a.s, a.sv, a.wanted, int(n), stream);
          })}},
        pairs);
    row("unique u32, runs of 8", n, 4.5, 0, [=] { must(ww_unique(device, in, out, total)); },
        {{"DeviceSelect::Unique", cub_call([=](void *t, size_t &b) {
              return cub::DeviceSelect::Unique(t, b, a.keys, a.s, a.wanted, int(n), stream);
          })}},
        {{whole(a.r, n), whole(a.count, 1)}, {whole(a.s, n), whole(a.wanted, 1)},
         [=] { return equal_counted(a.count, a.wanted, a.r, a.s, n); }});
    row("reduce by key u32, runs of 8", n, 9, 0,
        [=] { must(ww_reduce_by_key(device, &ww_add, in, ww_memory_of(a.x, n, u32), out, values, total)); },
        {{"DeviceReduce::ReduceByKey", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::ReduceByKey(t, b, a.keys, a.s, a.x, a.sv, a.wanted, ::cuda::std::plus<>(), int(n), stream);
          })}},
        pairs);
}

/* Small whole numbers, whose sums are exact, as floats. */
static __global__ void make_whole(float *x, const uint32_t *random, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = float(int(random[i] >> 28) - 8);
}

static void float_key_rows(const run_arrays &a) {
    const ww_type *u32 = &ww_type_uint32_t, *f32 = &ww_type_float;
    const size_t n = a.n;
    float *values = gpu_array<float>(n), *sums = reinterpret_cast<float *>(a.sv);
    make_whole<<<1024, 256, 0, stream>>>(values, a.x, n);
    const ww_input in = ww_memory_of(values, n, f32);
    row("reduce by key f32, runs of 8", n, 9, 0,
        [=] {
            must(ww_reduce_by_key(device, &ww_add, ww_memory_of(a.keys, n, u32), in, ww_array_of(a.r, n, u32),
                                  ww_array_of(a.rv, n, f32), ww_array_of(a.count, 1, u32)));
        },
        {{"DeviceReduce::ReduceByKey", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::ReduceByKey(t, b, a.keys, a.s, values, sums, a.wanted, ::cuda::std::plus<>(), int(n), stream);
          })}},
        {{whole(a.r, n), whole(a.rv, n), whole(a.count, 1)}, {whole(a.s, n), whole(a.sv, n), whole(a.wanted, 1)}, [=] {
             return equal_counted(a.count, a.wanted, a.r, a.s, n) && equal_counted(a.count, a.wanted, a.rv, a.sv, n);
         }});
    CHECK(cudaFree(values));
}

/* A block a segment, which is what CUB does where it is told offsets; or keys that change from segment to segment, made before
 * the clock runs: the segment's number, or of that a bit. (CUB's sums of segments that all have the same known length, and keys
 * that a division gives, do not take offsets: they solve another problem.) */
static void segments_row(const run_arrays &a, uint32_t length, uint32_t *offsets, uint8_t *parities) {
    const ww_type *u32 = &ww_type_uint32_t;
    const size_t segments = a.n / length, n = segments * length;
    const std::string name = "reduce u32 by segments of " + std::to_string(length);
    if (!segments || !row_wanted(name.c_str(), segments * length)) return;
    make_offsets<<<1024, 256, 0, stream>>>(offsets, segments, length);
    make_runs<<<1024, 256, 0, stream>>>(a.keys, n, length);
    make_parities<<<1024, 256, 0, stream>>>(parities, n, length);
    const auto by_keys = [=](const auto *keys) {
        return cub_call([=](void *t, size_t &b) {
            return cub::DeviceReduce::ReduceByKey(t, b, keys, thrust::make_discard_iterator(), a.x, a.s, a.wanted,
                                                  ::cuda::std::plus<>(), int(n), stream);
        });
    };
    row(name.c_str(), n, 4 + 8.0 / length, 0,
        [=] {
            must(ww_reduce_segments(device, &ww_add, ww_memory_of(a.x, n, u32), ww_memory_of(offsets, segments + 1, u32),
                                    ww_array_of(a.r, segments, u32)));
        },
        {{"DeviceSegmentedReduce::Sum", cub_call([=](void *t, size_t &b) {
              return cub::DeviceSegmentedReduce::Sum(t, b, a.x, a.s, int(segments), offsets, offsets + 1, stream);
          })},
         {"DeviceReduce::ReduceByKey, numbers of segments", by_keys(static_cast<const uint32_t *>(a.keys))},
         {"DeviceReduce::ReduceByKey, a changing byte", by_keys(static_cast<const uint8_t *>(parities))}},
        {{whole(a.r, segments)}, {whole(a.s, segments)}, [=] { return equal(a.r, a.s, segments); }});
}

static void least_row(const run_arrays &a) {
    const ww_type *u32 = &ww_type_uint32_t;
    const size_t n = a.n;
    row("arg min u32", n, 4, 0,
        [=] {
            must(ww_arg_min(device, nullptr, ww_memory_of(a.x, n, u32), ww_array_of(a.least, 1, u32), ww_array_of(a.count, 1, u32)));
        },
        {{"DeviceReduce::ArgMin", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::ArgMin(t, b, a.x, a.least_wanted, a.wanted, int64_t(n), stream);
          })}},
        {{whole(a.least, 1), whole(a.count, 1)}, {whole(a.least_wanted, 1), whole(a.wanted, 1)},
         [=] { return equal(a.least, a.least_wanted, 1) && equal(a.count, a.wanted, 1); }});
}

void run_rows(size_t n) {
    run_arrays a = {n, random_array<uint32_t>(n, 51)};
    for (uint32_t **p : {&a.keys, &a.r, &a.s, &a.rv, &a.sv}) *p = gpu_array<uint32_t>(n);
    for (uint32_t **p : {&a.count, &a.wanted, &a.least, &a.least_wanted}) *p = gpu_array<uint32_t>(1);
    make_runs<<<1024, 256, 0, stream>>>(a.keys, n, 8);
    key_rows(a);
    float_key_rows(a);
    row("adjacent difference u32", n, 8, 0,
        [=] {
            must(ww_adjacent_difference(device, ww_memory_of(a.x, n, &ww_type_uint32_t), ww_array_of(a.r, n, &ww_type_uint32_t)));
        },
        {{"DeviceAdjacentDifference::SubtractLeftCopy", cub_call([=](void *t, size_t &b) {
              return cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, a.x, a.s, int(n), ::cuda::std::minus<>(), stream);
          })}},
        {{whole(a.r, n)}, {whole(a.s, n)}, [=] { return equal(a.r, a.s, n); }});
    uint32_t *offsets = gpu_array<uint32_t>(n / 8 + 1);
    uint8_t *parities = gpu_array<uint8_t>(n);
    for (uint32_t length : {8u, 32u, 1024u}) segments_row(a, length, offsets, parities);
    least_row(a);
    for (uint32_t *p : {a.x, a.keys, a.r, a.s, a.rv, a.sv, a.count, a.wanted, a.least, a.least_wanted, offsets}) CHECK(cudaFree(p));
    CHECK(cudaFree(parities));
}
