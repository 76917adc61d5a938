/* Rows of calls on rows of a matrix, on columns, on counts: first of each row, quantiles, sorts by columns, expand, histograms with
 * weights and in two dimensions, samples. */
#include <cub/block/block_radix_sort.cuh>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "below.cuh"
#include "call_arrays.cuh"
#include "rows.h"

/* ---- the first of each row ---- */

/* A block a row, whose keys it sorts in registers; the first k, or the one at position k - 1 alone. */
template <int THREADS, int ITEMS>
__global__ __launch_bounds__(THREADS) void sort_rows_in_blocks(const uint32_t *x, uint32_t *out, uint32_t k, bool one) {
    typedef cub::BlockRadixSort<uint32_t, THREADS, ITEMS> sort;
    __shared__ typename sort::TempStorage room;
    const uint32_t *own = x + size_t(blockIdx.x) * THREADS * ITEMS;
    uint32_t keys[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) keys[i] = own[i * THREADS + threadIdx.x];
    sort(room).SortBlockedToStriped(keys);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t at = i * THREADS + threadIdx.x;
        if (one ? at == k - 1 : at < k) out[one ? blockIdx.x : size_t(blockIdx.x) * k + at] = keys[i];
    }
}
/* A warp a row of 256. */
static __global__ void sort_rows_in_warps(const uint32_t *x, uint32_t *out, uint32_t k, bool one) {
    typedef cub::WarpMergeSort<uint32_t, 8, 32> sort;
    __shared__ typename sort::TempStorage room[4];
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, r = blockIdx.x * 4 + warp;
    const uint4 *own = reinterpret_cast<const uint4 *>(x) + size_t(r) * 64;
    uint32_t keys[8];
    for (int h = 0; h < 2; h++) {
        const uint4 v = own[h * 32 + lane];
        keys[4 * h] = v.x, keys[4 * h + 1] = v.y, keys[4 * h + 2] = v.z, keys[4 * h + 3] = v.w;
    }
    sort(room[warp]).Sort(keys, below());
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t at = lane * 8 + i;
        if (one ? at == k - 1 : at < k) out[one ? r : size_t(r) * k + at] = keys[i];
    }
}

static void row_calls(size_t n, uint32_t length, uint32_t k) {
    const uint32_t many = uint32_t(n / length);
    if (!many) return;
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 121), *offsets = a.empty<uint32_t>(many + 1), *sorted = a.empty<uint32_t>(n),
             *r = a.empty<uint32_t>(size_t(many) * k), *s = a.empty<uint32_t>(size_t(many) * k);
    each(many + 1, [=] __device__(size_t i) { offsets[i] = uint32_t(i * length); });
    const ww_input in = ww_memory_of(x, n, u32), begins = ww_memory_of(offsets, many + 1, u32);
    const auto sort = cub_call([=](void *t, size_t &b) {
        return cub::DeviceSegmentedSort::SortKeys(t, b, x, sorted, int64_t(n), int64_t(many), offsets, offsets + 1, stream);
    });
    const auto ways = [=](bool one) {
        const uint32_t each_row = one ? 1 : k;
        const auto take = [=] __device__(size_t i) { s[i] = sorted[i / each_row * length + (one ? k - 1 : i % each_row)]; };
        std::vector<way> w = {{"DeviceSegmentedSort::SortKeys, copied", [=] {
                                   sort();
                                   each(size_t(many) * each_row, take);
                               }}};
        if (length == 256) {
            w.push_back({"BlockRadixSort, a block a row", [=] { sort_rows_in_blocks<64, 4><<<many, 64, 0, stream>>>(x, s, k, one); }});
            w.push_back({"WarpMergeSort, a warp a row", [=] { sort_rows_in_warps<<<many / 4, 128, 0, stream>>>(x, s, k, one); }});
        }
        if (length == 4096)
            w.push_back({"BlockRadixSort, a block a row", [=] { sort_rows_in_blocks<256, 16><<<many, 256, 0, stream>>>(x, s, k, one); }});
        return w;
    };
    const std::string rows = "of rows of " + std::to_string(length) + ", u32";
    row(("top " + std::to_string(k) + " " + rows).c_str(), n, 4, 0,
        [=] { must(ww_top_k_segments(device, k, in, ww_no_input, begins, ww_array_of(r, size_t(many) * k, u32), ww_none, nullptr)); }, ways(false),
        {{whole(r, size_t(many) * k)}, {whole(s, size_t(many) * k)}, [=] { return equal(r, s, size_t(many) * k); }});
    row(("nth " + rows).c_str(), n, 4, 0, [=] { must(ww_nth_segments(device, k - 1, in, begins, ww_array_of(r, many, u32), nullptr)); }, ways(true),
        {{whole(r, many)}, {whole(s, many)}, [=] { return equal(r, s, many); }});
}

/* ---- quantiles, columns ---- */

static void quantile_call(size_t n) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 122), *sorted = a.empty<uint32_t>(n);
    double *r = a.empty<double>(5), *s = a.empty<double>(5);
    static const double quantiles[5] = {0.01, 0.25, 0.5, 0.75, 0.99};
    const double q0 = quantiles[0], q1 = quantiles[1], q2 = quantiles[2], q3 = quantiles[3], q4 = quantiles[4];
    const auto between = [=] __device__(size_t i) {
        const double q = i == 0 ? q0 : i == 1 ? q1 : i == 2 ? q2 : i == 3 ? q3 : q4;
        const double at = q * double(n - 1), part = at - floor(at);
        const uint64_t first = uint64_t(at), next = min(first + 1, uint64_t(n - 1));
        s[i] = double(sorted[first]) + (double(sorted[next]) - double(sorted[first])) * part;
    };
    std::vector<way> ways = cub_ways("DeviceRadixSort", n, [=](void *t, size_t &b, auto count) {
        return cub::DeviceRadixSort::SortKeys(t, b, x, sorted, count, 0, 32, stream);
    });
    for (way &w : ways) {
        const auto sort = w.call;
        w.call = [=] {
            sort();
            each(5, between);
        };
    }
    row("five quantiles of u32", n, 4, 0,
        [=] { must(ww_quantiles(device, quantiles, 5, WW_QUANTILE_LINEAR, ww_memory_of(x, n, u32), ww_array_of(r, 5, f64))); }, ways,
        {{whole(r, 5)}, {whole(s, 5)}, [=] {
             double own[5], theirs[5];
             CHECK(cudaMemcpy(own, r, sizeof own, cudaMemcpyDeviceToHost));
             CHECK(cudaMemcpy(theirs, s, sizeof own, cudaMemcpyDeviceToHost));
             for (int i = 0; i < 5; i++)
                 if (!(std::fabs(own[i] - theirs[i]) <= 1e-9 * theirs[i])) return false;
             return true;
         }});
}

/* By a u16, then by a f32 downwards; a u32 goes with them. */
static void column_call(size_t n) {
    call_arrays a;
    uint32_t *random = a.random<uint32_t>(n, 123), *name = a.random<uint32_t>(n, 124), *r = a.empty<uint32_t>(n), *s = a.empty<uint32_t>(n);
    uint16_t *city = a.empty<uint16_t>(n);
    float *sales = a.empty<float>(n), *rs = a.empty<float>(n), *ss = a.empty<float>(n);
    uint64_t *keys = a.empty<uint64_t>(n), *sorted = a.empty<uint64_t>(n);
    each(n, [=] __device__(size_t i) {
        city[i] = uint16_t(random[i] % 1000);
        sales[i] = float(random[i] >> 10) - 1000000.0f;
    });
    const auto join = [=] __device__(size_t i) {
        const uint32_t bits = __float_as_uint(sales[i]), ordered = bits ^ (bits >> 31 ? ~0u : 0x80000000u);
        keys[i] = uint64_t(city[i]) << 32 | uint32_t(~ordered);
    };
    const auto part = [=] __device__(size_t i) {
        const uint32_t ordered = ~uint32_t(sorted[i]);
        ss[i] = __uint_as_float(ordered >> 31 ? ordered ^ 0x80000000u : ~ordered);
    };
    std::vector<way> ways = cub_ways("DeviceRadixSort of joined columns", n, [=](void *t, size_t &b, auto count) {
        return cub::DeviceRadixSort::SortPairs(t, b, keys, sorted, name, s, count, 0, 48, stream);
    });
    for (way &w : ways) {
        const auto sort = w.call;
        w.call = [=] {
            each(n, join);
            sort();
            each(n, part);
        };
    }
    row("sort by two columns, u16 and f32, u32 carried", n, 18, 0,
        [=] {
            ww_sort_column by[2] = {{ww_memory_of(city, n, u16), ww_none, false, {}}, {ww_memory_of(sales, n, f32), ww_array_of(rs, n, f32), true, {}}};
            ww_carried_column with[1] = {{ww_memory_of(name, n, u32), ww_array_of(r, n, u32)}};
            must(ww_sort_columns(device, by, 2, with, 1, ww_none));
        },
        ways, {{whole(r, n), whole(rs, n)}, {whole(s, n), whole(ss, n)}, [=] { return equal(r, s, n) && equal(rs, ss, n); }});
}

/* ---- expand ---- */

/* A block has CHILDREN of them, and searches the elements that have some of them in shared memory. */
enum { CHILDREN = 2048, EXPAND_THREADS = 256 };
static __global__ void expand_tiles(const uint32_t *x, const uint32_t *ends, uint32_t elements, uint32_t *out, uint32_t *source, const uint32_t *total) {
    __shared__ uint32_t own[CHILDREN + 1];
    __shared__ uint32_t bounds[2];
    const uint32_t all = *total, first = blockIdx.x * CHILDREN, last = min(all, first + CHILDREN);
    if (first >= all) return;
    if (threadIdx.x < 2) { /* the element of the first child, and of the last one */
        const uint32_t child = threadIdx.x ? last - 1 : first;
        uint32_t low = 0, high = elements;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (ends[middle] <= child) low = middle + 1;
            else high = middle;
        }
        bounds[threadIdx.x] = low;
    }
    __syncthreads();
    const uint32_t begin = bounds[0], many = bounds[1] - begin + 1;
    const bool fits = many <= CHILDREN;
    if (fits)
        for (uint32_t i = threadIdx.x; i < many; i += EXPAND_THREADS) own[i] = ends[begin + i];
    __syncthreads();
    for (uint32_t child = first + threadIdx.x; child < last; child += EXPAND_THREADS) {
        uint32_t low = 0, high = many - 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if ((fits ? own[middle] : ends[begin + middle]) <= child) low = middle + 1;
            else high = middle;
        }
        out[child] = x[begin + low];
        source[child] = begin + low;
    }
}

struct repeated {
    const uint32_t *x;
    __host__ __device__ thrust::constant_iterator<uint32_t> operator()(uint32_t i) const { return thrust::constant_iterator<uint32_t>(x[i]); }
};
struct own_numbers {
    __host__ __device__ thrust::constant_iterator<uint32_t> operator()(uint32_t i) const { return thrust::constant_iterator<uint32_t>(i); }
};
struct places {
    uint32_t *out;
    const uint32_t *ends;
    __host__ __device__ uint32_t *operator()(uint32_t i) const { return out + (i ? ends[i - 1] : 0); }
};

static void expand_call(const char *name, size_t n, bool skewed) {
    call_arrays a;
    const uint32_t m = uint32_t(n / 8);
    uint32_t *x = a.random<uint32_t>(m, 125), *counts = a.random<uint32_t>(m, 126), *ends = a.empty<uint32_t>(m), *r = a.empty<uint32_t>(n),
             *s = a.empty<uint32_t>(n), *rs = a.empty<uint32_t>(n), *ss = a.empty<uint32_t>(n), *heads = a.empty<uint32_t>(n);
    uint64_t *total = a.empty<uint64_t>(1);
    /* Of both kinds sixteen elements have 128 children together, and every total is n. */
    each(m / 16, [=] __device__(size_t i) {
        uint32_t left = 128;
        for (uint32_t k = 0; k < 16; k++) {
            const uint32_t share = skewed ? 0 : min(left, k == 15 ? left : counts[16 * i + k] % 17);
            counts[16 * i + k] = share;
            left -= share;
        }
        counts[16 * i + 15] += left;
    });
    if (skewed) { /* one of 4096 has most */
        const uint32_t step = std::min(m, 4096u);
        each(m, [=] __device__(size_t i) { counts[i] = i % step == 77 % step ? 8 * step - 4 * (step - 1) : 4; });
    }
    const auto scan = cub_call([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, counts, ends, int(m), stream); });
    const auto scan_heads = cub_call([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, heads, ss, ::cuda::maximum<>(), int(n), stream); });
    const auto mark = [=] __device__(size_t i) {
        if (counts[i]) heads[ends[i] - counts[i]] = uint32_t(i);
    };
    const auto fetch = [=] __device__(size_t i) { s[i] = x[ss[i]]; };
    const thrust::counting_iterator<uint32_t> numbers(0);
    const auto copy = [=](auto from, uint32_t *to) {
        return cub_call([=](void *t, size_t &b) {
            return cub::DeviceCopy::Batched(t, b, thrust::make_transform_iterator(numbers, from), thrust::make_transform_iterator(numbers, places{to, ends}),
                                            counts, m, stream);
        });
    };
    const auto copy_elements = copy(repeated{x}, s), copy_numbers = copy(own_numbers(), ss);
    row(name, n, 8 + 8.0 / 8, 0,
        [=] {
            must(ww_expand(device, ww_memory_of(x, m, u32), ww_memory_of(counts, m, u32), ww_array_of(r, n, u32), ww_array_of(rs, n, u32), ww_none,
                           ww_array_of(total, 1, u64)));
        },
        {{"a scan, a kernel that searches in tiles",
          [=] {
              scan();
              expand_tiles<<<unsigned((n + CHILDREN - 1) / CHILDREN), EXPAND_THREADS, 0, stream>>>(x, ends, m, s, ss, ends + m - 1);
          }},
         {"a scan, marks, a scan of these, a gather",
          [=] {
              scan();
              CHECK(cudaMemsetAsync(heads, 0, 4 * n, stream));
              each(m, mark);
              scan_heads();
              each(n, fetch);
          }},
         {"a scan, DeviceCopy::Batched twice", [=] {
              scan();
              copy_elements();
              copy_numbers();
          }}},
        {{whole(r, n), whole(rs, n)}, {whole(s, n), whole(ss, n)}, [=] { return equal(r, s, n) && equal(rs, ss, n); }});
}

/* ---- histograms ---- */

struct unit_weight {
    __device__ uint32_t operator[](size_t) const { return 1; }
};
template <class T, class W> static __global__ void add_weights(const uint32_t *x, W weights, T *sums, uint32_t bins, size_t n) {
    extern __shared__ unsigned char room[];
    T *own = reinterpret_cast<T *>(room);
    for (uint32_t i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) atomicAdd(own + x[i], T(weights[i]));
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(sums + i, own[i]);
}

template <class T> static void weighted_call(const char *name, size_t n, uint32_t bins, const ww_type *type) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 127), *random = a.random<uint32_t>(n, 128), *keys = a.empty<uint32_t>(n);
    T *weights = a.empty<T>(n), *sorted = a.empty<T>(n), *r = a.empty<T>(bins), *s = a.empty<T>(bins);
    uint32_t *count = a.empty<uint32_t>(1), *distinct = a.empty<uint32_t>(n);
    each(n, [=] __device__(size_t i) {
        x[i] %= bins;
        weights[i] = T(random[i] >> 30); /* sums are exact */
    });
    int bits = 1;
    while (bins - 1 >> bits) bits++;
    const auto sort = cub_call([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, x, keys, weights, sorted, int(n), 0, bits, stream); });
    const auto sum = cub_call([=](void *t, size_t &b) {
        return cub::DeviceReduce::ReduceByKey(t, b, keys, distinct, sorted, s, count, ::cuda::std::plus<>(), int(n), stream);
    });
    row(name, n, 4 + sizeof(T), 0,
        [=] { must(ww_histogram_weighted(device, &ww_by_number, ww_memory_of(x, n, u32), ww_memory_of(weights, n, type), ww_array_of(r, bins, type))); },
        {{"a kernel of atomic additions, in any order",
          [=] {
              CHECK(cudaMemsetAsync(s, 0, bins * sizeof(T), stream));
              add_weights<<<528, 512, bins * sizeof(T), stream>>>(x, weights, s, bins, n);
          }},
         {"DeviceRadixSort, DeviceReduce::ReduceByKey", [=] {
              CHECK(cudaMemsetAsync(s, 0, bins * sizeof(T), stream));
              sort();
              sum();
          }}},
        {{whole(r, bins)}, {whole(s, bins)}, [=] { return n < 100 * bins || equal(r, s, bins); }});
}

struct cell_of_pair {
    const float *x, *y, *edges;
    uint32_t side;
    __device__ uint32_t bin(float v) const {
        uint32_t low = 0, high = side + 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (__ldg(edges + middle) <= v) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }
    __device__ uint32_t operator()(uint32_t i) const {
        const uint32_t a = bin(x[i]), b = bin(y[i]);
        return a < side && b < side ? a * side + b : side * side;
    }
};
static __global__ void count_cells(cell_of_pair cell, uint32_t *counts, size_t n) {
    extern __shared__ uint32_t own_cells[];
    __shared__ float edges[257];
    const uint32_t cells = cell.side * cell.side;
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x) own_cells[i] = 0;
    for (uint32_t i = threadIdx.x; i <= cell.side; i += blockDim.x) edges[i] = cell.edges[i];
    __syncthreads();
    cell.edges = edges;
    const auto bin = [&](float v) {
        uint32_t low = 0, high = cell.side + 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (edges[middle] <= v) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    };
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t a = bin(cell.x[i]), b = bin(cell.y[i]);
        if (a < cell.side && b < cell.side) atomicAdd(own_cells + a * cell.side + b, 1);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x)
        if (own_cells[i]) atomicAdd(counts + i, own_cells[i]);
}

static void pair_histogram_call(size_t n, uint32_t side) {
    call_arrays a;
    uint32_t *random = a.random<uint32_t>(2 * n, 129), *r = a.empty<uint32_t>(side * side), *s = a.empty<uint32_t>(side * side);
    float *x = a.empty<float>(2 * n), *edges = a.empty<float>(side + 1);
    each(2 * n, [=] __device__(size_t i) { x[i] = float(random[i] >> 8) * 0x1p-24f; });
    each(side + 1, [=] __device__(size_t i) { edges[i] = float(i) / float(side) * (float(i) / float(side)); });
    const cell_of_pair cell = {x, x + n, edges, side};
    const auto cells = thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0), cell);
    row(("histogram in two dimensions, " + std::to_string(side) + " x " + std::to_string(side) + ", f32").c_str(), n, 8, 0,
        [=] {
            must(ww_histogram_2d(device, ww_memory_of(x, n, f32), ww_memory_of(x + n, n, f32), ww_memory_of(edges, side + 1, f32),
                                 ww_memory_of(edges, side + 1, f32), ww_array_of(r, side * side, u32), ww_none));
        },
        {{"HistogramEven of cells that are searched for", cub_call([=](void *t, size_t &b) {
              return cub::DeviceHistogram::HistogramEven(t, b, cells, s, int(side * side + 1), 0u, side * side, int(n), stream);
          })},
         {"a kernel, counters and edges in shared memory", [=] {
              CHECK(cudaMemsetAsync(s, 0, 4 * side * side, stream));
              count_cells<<<264, 1024, 4 * side * side, stream>>>(cell, s, n);
          }}},
        {{whole(r, side * side)}, {whole(s, side * side)}, [=] { return equal(r, s, side * side); }});
}

static void counting_calls(size_t n) {
    call_arrays a;
    const uint32_t bins = 1000;
    uint32_t *x = a.random<uint32_t>(n, 130), *r = a.empty<uint32_t>(bins), *s = a.empty<uint32_t>(bins), *more = a.empty<uint32_t>(bins);
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(x);
    row("bincount of u8, 256 bins", 4 * n, 1, 0, [=] { must(ww_bincount(device, ww_memory_of(bytes, 4 * n, u8), ww_array_of(r, 256, u32), ww_none, nullptr)); },
        {{"HistogramEven", cub_call([=](void *t, size_t &b) {
              return cub::DeviceHistogram::HistogramEven(t, b, bytes, s, 257, 0, 256, int64_t(4 * n), stream);
          })}},
        {{whole(r, 256)}, {whole(s, 256)}, [=] { return equal(r, s, 256); }});
    each(n, [=] __device__(size_t i) { x[i] %= bins; });
    const auto count = [=](uint32_t *to) {
        return cub_call([=](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, x, to, int(bins + 1), 0u, bins, int(n), stream); });
    };
    const ww_input in = ww_memory_of(x, n, u32);
    row("bincount of u32, 1000 bins", n, 4, 0, [=] { must(ww_bincount(device, in, ww_array_of(r, bins, u32), ww_none, nullptr)); },
        {{"HistogramEven", count(s)}, {"a kernel of atomic additions", [=] {
                                           CHECK(cudaMemsetAsync(s, 0, 4 * bins, stream));
                                           add_weights<<<528, 512, 4 * bins, stream>>>(x, unit_weight(), s, bins, n);
                                       }}},
        {{whole(r, bins)}, {whole(s, bins)}, [=] { return equal(r, s, bins); }});
    const auto to_more = count(more);
    const auto add = [=] __device__(size_t i) { s[i] += more[i]; };
    row("histogram, accumulating, 1000 bins, u32", n, 4, 0,
        [=] {
            ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
            options.accumulate = 1;
            const uint32_t zero = 0;
            must(ww_histogram_even(device, in, ww_value_of(&zero, u32), ww_value_of(&bins, u32), ww_array_of(r, bins, u32), ww_none, &options));
        },
        {{"HistogramEven, added", [=] {
              to_more();
              each(bins, add);
          }}},
        {{whole(r, bins)}, {whole(s, bins)}, [=] {
             uint32_t own[2], theirs[2]; /* they began with different bytes */
             CHECK(cudaMemcpy(own, r, 8, cudaMemcpyDeviceToHost));
             CHECK(cudaMemcpy(theirs, s, 8, cudaMemcpyDeviceToHost));
             return own[0] - 0xA5A5A5A5u == theirs[0] - 0x5A5A5A5Au && own[1] - 0xA5A5A5A5u == theirs[1] - 0x5A5A5A5Au;
         }});
}

/* ---- samples ---- */

static __device__ uint32_t sample_word(size_t i) {
    uint64_t z = i * 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    return uint32_t((z ^ z >> 27) >> 32);
}

static void sample_call(const char *name, size_t n, size_t k) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 131), *r = a.empty<uint32_t>(k), *s = a.empty<uint32_t>(n), *keys = a.empty<uint32_t>(n),
             *sorted = a.empty<uint32_t>(n);
    const ww_random from = {2026, 1, 0};
    const auto draw = [=] __device__(size_t i) { keys[i] = sample_word(i); };
    const auto sort = cub_call([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, keys, sorted, x, s, int(n), 0, 32, stream); });
    row(name, k, 8, 0, [=] { must(ww_sample(device, from, ww_memory_of(x, n, u32), ww_array_of(r, k, u32), WW_SAMPLE_SORTED)); },
        {{"DeviceRadixSort by random keys", [=] {
              each(n, draw);
              sort();
          }}},
        {{whole(r, k)}, {}, [=] { return true; }});
}

void group_rows() {
    for (size_t n : call_sizes) {
        row_calls(n, 256, 8);
        row_calls(n, 4096, 16);
        quantile_call(n);
        column_call(n);
        expand_call("expand, 0 to 16 children, u32", n, false);
        expand_call("expand, one of 4096 has many, u32", n, true);
        weighted_call<float>("weighted histogram, 1000 bins, f32", n, 1000, f32);
        weighted_call<uint32_t>("weighted histogram, 1000 bins, u32", n, 1000, u32);
        pair_histogram_call(n, 64);
        counting_calls(n);
        sample_call("sample of a thousandth, sorted, u32", n, n / 1000);
        sample_call("sample of a half, sorted, u32", n, n / 2);
    }
}
