/* Rows of questions about an array, and of runs by the caller's equality. CUB has reductions of a map for these; Thrust's calls of
 * the same names wait for their answers. */
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/logical.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include "call_arrays.cuh"
#include "rows.h"

WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(is_last, uint8_t, uint32_t, x, void, none, { return x == 0xffffffffu; });
WW_MAP(is_not_last, uint8_t, uint32_t, x, void, none, { return x != 0xffffffffu; });
struct odd_count {
    __host__ __device__ uint64_t operator()(uint32_t x) const { return x & 1; }
};
struct odd_number {
    __host__ __device__ bool operator()(uint32_t x) const { return x & 1; }
};
struct last_number {
    __host__ __device__ bool operator()(uint32_t x) const { return x == 0xffffffffu; }
};
struct other_number {
    __host__ __device__ bool operator()(uint32_t x) const { return x != 0xffffffffu; }
};
struct position_of_last {
    const uint32_t *x;
    uint64_t n;
    __device__ uint64_t operator()(uint64_t i) const { return x[i] == 0xffffffffu ? i : n; }
};
struct position_of_descent {
    const uint32_t *x;
    uint64_t n;
    __device__ uint64_t operator()(uint64_t i) const { return i && x[i] < x[i - 1] ? i : n; }
};
template <class T> struct ends {
    T least, greatest;
};
template <class T> struct both_ends {
    __host__ __device__ ends<T> operator()(T x) const { return {x, x}; }
};
template <class T> struct wider_ends {
    __host__ __device__ ends<T> operator()(ends<T> a, ends<T> b) const {
        return {b.least < a.least ? b.least : a.least, a.greatest < b.greatest ? b.greatest : a.greatest};
    }
};
static const auto by_thrust = [] { return thrust::cuda::par_nosync.on(stream); };

/* Answers that come to the host are kept by the call. */
static void query_calls(size_t n) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 91), *rising = a.empty<uint32_t>(n);
    uint64_t *r = a.empty<uint64_t>(1), *s = a.empty<uint64_t>(1);
    uint8_t *answer = a.empty<uint8_t>(1), *wanted = a.empty<uint8_t>(1);
    each(n, [=] __device__(size_t i) {
        x[i] &= 0x7fffffffu;
        rising[i] = uint32_t(i / 3);
    });
    const ww_array out = ww_array_of(r, 1, u64), yes = ww_array_of(answer, 1, u8);
    const ww_input in = ww_memory_of(x, n, u32);
    const thrust::counting_iterator<uint64_t> positions(0);
    static uint64_t kept;
    kept = 0;
    const auto keep = [=](uint64_t value) { CHECK(cudaMemcpyAsync(s, &(kept = value), 8, cudaMemcpyHostToDevice, stream)); };
    const results number = {{whole(r, 1)}, {whole(s, 1)}, [=] { return equal(r, s, 1); }};
    row("count_if u32", n, 4, 0, [=] { must(ww_count_if(device, &is_odd_ww, in, out)); },
        {{"DeviceReduce::TransformReduce", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::TransformReduce(t, b, x, s, int64_t(n), ::cuda::std::plus<>(), odd_count(), uint64_t(0), stream);
          })},
         {"thrust::count_if", [=] { keep(thrust::count_if(by_thrust(), x, x + n, odd_number())); }}},
        number);
    const auto first = [=](auto position) {
        return way{"DeviceReduce::TransformReduce of positions", cub_call([=](void *t, size_t &b) {
                       return cub::DeviceReduce::TransformReduce(t, b, positions, s, int64_t(n), ::cuda::minimum<>(), position, n, stream);
                   })};
    };
    row("find_if u32, none", n, 4, 0, [=] { must(ww_find_if(device, &is_last_ww, in, out)); },
        {first(position_of_last{x, n}),
         {"thrust::find_if", [=] { keep(thrust::find_if(by_thrust(), x, x + n, last_number()) - x); }}},
        number);
    row("is_sorted_until u32, sorted", n, 4, 0,
        [=] { must(ww_is_sorted(device, nullptr, ww_memory_of(rising, n, u32), ww_none, out)); },
        {first(position_of_descent{rising, n}),
         {"thrust::is_sorted_until", [=] { keep(thrust::is_sorted_until(by_thrust(), rising, rising + n) - rising); }}},
        number);
    const auto whether = [=](const char *name, const ww_function *f, bool all, bool is) {
        row(name, n, 4, 0, [=] { must((all ? ww_all : ww_any)(device, f, in, yes)); },
            {{"thrust", [=] { kept = all ? thrust::all_of(by_thrust(), x, x + n, other_number()) : thrust::any_of(by_thrust(), x, x + n, last_number()); }},
             all ? way{"DeviceReduce::TransformReduce", cub_call([=](void *t, size_t &b) {
                           return cub::DeviceReduce::TransformReduce(t, b, x, wanted, int64_t(n), ::cuda::std::logical_and<>(), other_number(), true, stream);
                       })}
                 : way{"DeviceReduce::TransformReduce", cub_call([=](void *t, size_t &b) {
                           return cub::DeviceReduce::TransformReduce(t, b, x, wanted, int64_t(n), ::cuda::std::logical_or<>(), last_number(), false, stream);
                       })}},
            {{whole(answer, 1)}, {}, [=] {
                 uint8_t own;
                 CHECK(cudaMemcpy(&own, answer, 1, cudaMemcpyDeviceToHost));
                 return own == is;
             }});
    };
    whether("any u32, none", &is_last_ww, false, false);
    whether("all u32, all", &is_not_last_ww, true, true);
}

template <class T> static void ends_call(const char *name, size_t n, const ww_type *type) {
    call_arrays a;
    T *x = a.empty<T>(n), *r = a.empty<T>(2);
    ends<T> *s = a.empty<ends<T>>(1);
    uint32_t *random = a.random<uint32_t>(n, 92);
    each(n, [=] __device__(size_t i) { x[i] = T(random[i] >> 8); });
    row(name, n, sizeof(T), 0,
        [=] { must(ww_min_max(device, nullptr, ww_memory_of(x, n, type), ww_array_of(r, 1, type), ww_array_of(r + 1, 1, type))); },
        {{"DeviceReduce::TransformReduce", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::TransformReduce(t, b, x, s, int64_t(n), wider_ends<T>(), both_ends<T>(), ends<T>{std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()}, stream);
          })}},
        {{whole(r, 2)}, {whole(s, 1)}, [=] { return equal((const uint8_t *)r, (const uint8_t *)s, sizeof *s); }});
}

/* ---- arg min of segments ---- */

/* A warp a segment. */
static __global__ void least_of_segments(const uint32_t *x, const uint32_t *offsets, uint32_t segments, uint32_t *out) {
    const uint32_t segment = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (segment >= segments) return;
    const uint32_t end = offsets[segment + 1];
    uint64_t best = ~uint64_t(0);
    for (uint32_t i = offsets[segment] + lane; i < end; i += 32) {
        const uint64_t one = uint64_t(x[i]) << 32 | i;
        best = one < best ? one : best;
    }
    for (int step = 16; step; step /= 2) {
        const uint64_t other = __shfl_xor_sync(~0u, best, step);
        best = other < best ? other : best;
    }
    if (!lane) out[segment] = uint32_t(best);
}

static void least_of_segments_call(size_t n, uint32_t length) {
    call_arrays a;
    const uint32_t segments = uint32_t(n / length);
    uint32_t *x = a.random<uint32_t>(n, 93), *offsets = a.empty<uint32_t>(segments + 1), *r = a.empty<uint32_t>(segments),
             *s = a.empty<uint32_t>(segments);
    each(segments + 1, [=] __device__(size_t i) { offsets[i] = uint32_t(i * length); });
    typedef cub::KeyValuePair<int, uint32_t> pair;
    pair *pairs = a.empty<pair>(segments);
    const auto positions = [=] __device__(size_t i) { s[i] = offsets[i] + uint32_t(pairs[i].key); };
    const auto least = cub_call([=](void *t, size_t &b) {
        return cub::DeviceSegmentedReduce::ArgMin(t, b, x, pairs, int(segments), offsets, offsets + 1, stream);
    });
    row(("arg min of segments of " + std::to_string(length) + ", u32").c_str(), n, 4 + 8.0 / length, 0,
        [=] {
            must(ww_arg_min_segments(device, nullptr, ww_memory_of(x, n, u32), ww_memory_of(offsets, segments + 1, u32),
                                     ww_array_of(r, segments, u32)));
        },
        {{"DeviceSegmentedReduce::ArgMin",
          [=] {
              least();
              each(segments, positions);
          }},
         {"a kernel, a warp a segment", [=] { least_of_segments<<<(segments + 7) / 8, 256, 0, stream>>>(x, offsets, segments, s); }}},
        {{whole(r, segments)}, {whole(s, segments)}, [=] { return equal(r, s, segments); }});
}

/* ---- runs by an equality, in place ---- */

/* Equal but for the lowest four bits. */
WW_MAP2(same_sixteen, uint8_t, uint32_t, a, uint32_t, b, void, none, { return a >> 4 == b >> 4; });
struct sixteenth {
    uint32_t x;
    __host__ __device__ bool operator==(const sixteenth &other) const { return x >> 4 == other.x >> 4; }
    __host__ __device__ bool operator!=(const sixteenth &other) const { return !(*this == other); }
};

static void runs_by_calls(size_t n) {
    call_arrays a;
    uint32_t *keys = a.empty<uint32_t>(n), *x = a.random<uint32_t>(n, 94), *r = a.empty<uint32_t>(n), *s = a.empty<uint32_t>(n),
             *rv = a.empty<uint32_t>(n), *sv = a.empty<uint32_t>(n), *count = a.empty<uint32_t>(1), *wanted = a.empty<uint32_t>(1);
    each(n, [=] __device__(size_t i) { keys[i] = uint32_t(i / 8) << 4 | (x[i] & 15); });
    const sixteenth *own = reinterpret_cast<const sixteenth *>(keys);
    sixteenth *own_out = reinterpret_cast<sixteenth *>(s);
    const ww_input in = ww_memory_of(keys, n, u32);
    const ww_array out = ww_array_of(r, n, u32), values = ww_array_of(rv, n, u32), total = ww_array_of(count, 1, u32);
    /* Of a run's equal elements CUB gives the last, ours the first: keys are not compared. */
    const results pairs = {{whole(r, n), whole(rv, n), whole(count, 1)}, {whole(s, n), whole(sv, n), whole(wanted, 1)},
                           [=] { return equal_counted(count, wanted, rv, sv, n); }};
    row("run lengths by an equality, u32, runs of 8", n, 5, 0,
        [=] { must(ww_run_lengths_by(device, &same_sixteen_ww, in, out, values, total)); },
        {{"DeviceRunLengthEncode::Encode of a type with that equality", cub_call([=](void *t, size_t &b) {
              return cub::DeviceRunLengthEncode::Encode(t, b, own, own_out, sv, wanted, int(n), stream);
          })}},
        pairs);
    row("unique by an equality, u32, runs of 8", n, 4.5, 0,
        [=] { must(ww_unique_by(device, &same_sixteen_ww, in, out, total)); },
        {{"DeviceSelect::Unique of a type with that equality", cub_call([=](void *t, size_t &b) {
              return cub::DeviceSelect::Unique(t, b, own, own_out, wanted, int(n), stream);
          })}},
        {{whole(r, n), whole(count, 1)}, {whole(s, n), whole(wanted, 1)}, [=] { return equal_counted(count, wanted, r, s, n); }});
    row("reduce by key by an equality, u32, runs of 8", n, 9, 0,
        [=] { must(ww_reduce_by_key_by(device, &same_sixteen_ww, &ww_add, in, ww_memory_of(x, n, u32), out, values, total)); },
        {{"DeviceReduce::ReduceByKey of a type with that equality", cub_call([=](void *t, size_t &b) {
              return cub::DeviceReduce::ReduceByKey(t, b, own, own_out, x, sv, wanted, ::cuda::std::plus<>(), int(n), stream);
          })}},
        pairs);
}

/* Every call finds what the one before it left: keys of which all stay are written over themselves. What is timed packs a fresh copy. */
static void in_place_calls(size_t n) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 95), *r = a.empty<uint32_t>(n), *s = a.empty<uint32_t>(n), *count = a.empty<uint32_t>(1),
             *wanted = a.empty<uint32_t>(1);
    uint8_t *flags = a.empty<uint8_t>(n);
    each(n, [=] __device__(size_t i) { flags[i] = uint8_t(x[i] & 1); });
    each(n, [=] __device__(size_t i) { r[i] = s[i] = x[i]; });
    const ww_array out = ww_array_of(r, n, u32), total = ww_array_of(count, 1, u32);
    const results counts = {{whole(count, 1)}, {whole(wanted, 1)}, [=] { return equal(count, wanted, 1); }};
    row("pack in place, u32 by u8 flags", n, 7, 0,
        [=] { must(ww_pack(device, ww_memory_of(r, n, u32), ww_memory_of(flags, n, u8), out, total, nullptr)); },
        {{"DeviceSelect::Flagged in place", cub_call([=](void *t, size_t &b) {
              return cub::DeviceSelect::Flagged(t, b, s, flags, wanted, n, stream);
          })}},
        counts);
    uint32_t *same = a.empty<uint32_t>(n), *fresh = a.empty<uint32_t>(n);
    each(n, [=] __device__(size_t i) { fresh[i] = uint32_t(i / 8); });
    row("unique in place, u32, runs of 8, with a copy before", n, 12.5, 0,
        [=] {
            CHECK(cudaMemcpyAsync(same, fresh, 4 * n, cudaMemcpyDeviceToDevice, stream));
            must(ww_unique(device, ww_memory_of(same, n, u32), ww_array_of(same, n, u32), total));
        },
        {{"DeviceSelect::Unique into an array of its own", cub_call([=](void *t, size_t &b) {
              CHECK(cudaMemcpyAsync(same, fresh, 4 * n, cudaMemcpyDeviceToDevice, stream));
              return cub::DeviceSelect::Unique(t, b, same, s, wanted, int(n), stream);
          })}},
        {{whole(count, 1)}, {whole(wanted, 1)}, [=] { return equal(count, wanted, 1) && count_at(count) == (n + 7) / 8; }});
}

void query_rows() {
    for (size_t n : call_sizes) {
        query_calls(n);
        ends_call<uint32_t>("min_max u32", n, u32);
        ends_call<float>("min_max f32", n, f32);
        for (uint32_t length : {8u, 32u, 1024u}) least_of_segments_call(n, length);
        runs_by_calls(n);
        in_place_calls(n);
    }
}
