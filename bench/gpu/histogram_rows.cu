/* Rows of histograms.
 *
 * CUB's histogram of even bins divides each u32, in 64 bits. It does not where its samples are bytes, which it takes for bins, or
 * floats, which it multiplies: an iterator makes these of the keys as they are read. More than 256 bins are counted in the GPU's
 * memory; there a sort by the bin's bits, and a search for where each bin begins, is a way as well. */
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "harness.cuh"
#include "rows.h"

/* ---- CUB's ways ---- */

struct shifted_byte {
    int shift;
    __host__ __device__ uint8_t operator()(uint32_t x) const { return uint8_t(x >> shift); }
};
struct shifted_float {
    int shift;
    __host__ __device__ float operator()(uint32_t x) const { return float(x >> shift); }
};
/* 200 bins over 0 ... 999,999,937: the divisor is a constant here, so that the compiler multiplies. */
struct byte_of_200 {
    __host__ __device__ uint8_t operator()(uint32_t x) const {
        return x < 999999937u ? uint8_t(uint64_t(x) * 200 / 999999937u) : uint8_t(255);
    }
};
struct byte_of_edges {
    const uint32_t *edges; /* 257 */
    __device__ uint8_t operator()(uint32_t x) const {
        uint32_t bin = 0;
#pragma unroll
        for (uint32_t step = 128; step; step /= 2)
            if (__ldg(edges + bin + step) <= x) bin += step;
        return uint8_t(bin);
    }
};

/* Of samples that are numbers of bins already; above the last bin they are left out. */
template <class I, class L> std::function<void()> cub_bins(I samples, uint32_t *s, uint32_t bins, L, size_t n) {
    return cub_call([=](void *t, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(t, b, samples, s, int(bins + 1), L(0), L(bins), int(n), stream);
    });
}

/* One byte of each u32, as the first of four channels. */
static std::function<void()> cub_channel(const uint32_t *x, int which, uint32_t *s, size_t n) {
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(x) + which;
    return cub_call([=](void *t, size_t &b) {
        uint32_t *histogram[1] = {s};
        const int levels[1] = {257}, low[1] = {0}, high[1] = {256};
        return cub::DeviceHistogram::MultiHistogramEven<4, 1>(t, b, bytes, histogram, levels, low, high, int(n), stream);
    });
}

static __global__ void write_bins(const uint32_t *x, uint16_t *bins, size_t n, int shift) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        bins[i] = uint16_t(x[i] >> shift);
}
/* A thread a bin: where it begins and ends in the sorted numbers. */
static __global__ void count_bins(const uint16_t *sorted, uint32_t n, uint32_t *counts, uint32_t bins) {
    const uint32_t bin = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t ends[2];
    if (bin >= bins) return;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t first = 0, end = n;
        while (first < end) {
            const uint32_t middle = first + (end - first) / 2;
            if (sorted[middle] < bin + side) first = middle + 1;
            else end = middle;
        }
        ends[side] = first;
    }
    counts[bin] = ends[1] - ends[0];
}

/* Numbers of bins written and sorted; `room` is theirs. */
static std::vector<way> cub_sorted_bins(const uint32_t *x, uint32_t *s, int shift, int bits, size_t n, uint16_t *room) {
    uint16_t *sorted = room + n;
    std::vector<way> ways = cub_ways("DeviceRadixSort of bins, searched", n, [=](void *t, size_t &b, auto count) {
        return cub::DeviceRadixSort::SortKeys(t, b, room, sorted, count, 0, bits, stream);
    });
    for (way &w : ways) {
        const auto sort = w.call;
        w.call = [=] {
            write_bins<<<4096, 256, 0, stream>>>(x, room, n, shift);
            sort();
            count_bins<<<((1u << bits) + 127) / 128, 128, 0, stream>>>(sorted, uint32_t(n), s, 1u << bits);
        };
    }
    return ways;
}

/* ---- rows ---- */

enum { SAMPLE_BITS = 24 };

static __global__ void keep_sample_bits(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] >>= 32 - SAMPLE_BITS;
}
static __global__ void to_unit(float *f, const uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        f[i] = x[i] * (1.0f / (1u << SAMPLE_BITS));
}
static __global__ void set_all(uint32_t *x, size_t n, uint32_t value) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = value;
}

/* Counts of ours and of theirs. */
struct counts {
    uint32_t *r, *s, bins;
    counts(uint32_t many) : r(gpu_array<uint32_t>(many)), s(gpu_array<uint32_t>(many)), bins(many) {}
    results same() const {
        const counts c = *this;
        return {{whole(r, bins)}, {whole(s, bins)}, [=] { return equal(c.r, c.s, c.bins); }};
    }
    ww_array out() const { return ww_array_of(r, bins, &ww_type_uint32_t); }
    void free() const {
        for (uint32_t *p : {r, s}) CHECK(cudaFree(p));
    }
};

template <class T>
static void even_row(const char *name, const T *x, size_t n, const counts &c, T high, const ww_type *type, double required,
                     const std::vector<way> &ways, ww_histogram_method method = WW_HISTOGRAM_AUTO) {
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    options.method = method;
    const T zero = 0;
    const ww_value low = ww_value_of(&zero, type);
    row(name, n, sizeof(T), required,
        [=] { must(ww_histogram_even(device, ww_memory_of(x, n, type), low, ww_value_of(&high, type), c.out(), ww_none, &options)); }, ways, c.same());
}

template <class T> static way divided(const T *x, size_t n, const counts &c, T high) {
    uint32_t *s = c.s, bins = c.bins;
    return {"HistogramEven", cub_call([=](void *t, size_t &b) {
                return cub::DeviceHistogram::HistogramEven(t, b, x, s, int(bins + 1), T(0), high, int(n), stream);
            })};
}

/* 2^bits bins over 0 ... 2^24 - 1. */
static void bits_row(const std::string &name, const uint32_t *x, size_t n, int bits, double required, uint16_t *room,
                     ww_histogram_method method = WW_HISTOGRAM_AUTO) {
    const counts c(1u << bits);
    const int shift = SAMPLE_BITS - bits;
    const uint32_t high = 1u << SAMPLE_BITS;
    std::vector<way> ways = {divided(x, n, c, high)};
    ways.push_back({"HistogramEven of shifted keys as floats",
                    cub_bins(thrust::make_transform_iterator(x, shifted_float{shift}), c.s, c.bins, 0.0f, n)});
    if (bits <= 8)
        ways.push_back({"HistogramEven of shifted keys as bytes",
                        cub_bins(thrust::make_transform_iterator(x, shifted_byte{shift}), c.s, c.bins, 0, n)});
    if (bits == 8) ways.push_back({"MultiHistogramEven of the keys' third bytes", cub_channel(x, 2, c.s, n)});
    if (bits > 8) ways = joined_ways(ways, cub_sorted_bins(x, c.s, shift, bits, n, room));
    even_row(name.c_str(), x, n, c, high, &ww_type_uint32_t, required, ways, method);
    c.free();
}

static void primes_row(const uint32_t *x, size_t n) {
    const counts c(200);
    even_row("histogram even, 200 bins over 0..999,999,937, u32", x, n, c, 999999937u, &ww_type_uint32_t, 700,
             {divided(x, n, c, 999999937u),
              {"HistogramEven of bytes, divided by a constant",
               cub_bins(thrust::make_transform_iterator(x, byte_of_200()), c.s, c.bins, 0, n)}});
    c.free();
}

static void floats_row(const float *f, size_t n) {
    const counts c(256);
    even_row("histogram even, 256 bins, f32", f, n, c, 1.0f, &ww_type_float, 720, {divided(f, n, c, 1.0f)});
    c.free();
}

/* Unequal bins: the k-th edge at 65536 k^2, the last one at the end of the range, which no key is at. */
static void edges_row(const uint32_t *x, size_t n) {
    enum { BINS = 256 };
    std::vector<uint32_t> host(BINS + 1);
    for (uint32_t k = 0; k < BINS; k++) host[k] = 65536u * k * k;
    host[BINS] = 0xFFFFFFFFu;
    const counts c(BINS);
    uint32_t *edges = gpu_array<uint32_t>(BINS + 1), *s = c.s;
    CHECK(cudaMemcpy(edges, host.data(), (BINS + 1) * 4, cudaMemcpyHostToDevice));
    const ww_type *u32 = &ww_type_uint32_t;
    row("histogram by 256 unequal edges, u32", n, 4, 250,
        [=] { must(ww_histogram_edges(device, ww_memory_of(x, n, u32), ww_memory_of(edges, BINS + 1, u32), c.out(), ww_none, NULL)); },
        {{"HistogramRange", cub_call([=](void *t, size_t &b) {
              return cub::DeviceHistogram::HistogramRange(t, b, x, s, BINS + 1, edges, int(n), stream);
          })},
         {"HistogramEven of bytes, searched for",
          cub_bins(thrust::make_transform_iterator(x, byte_of_edges{edges}), s, c.bins, 0, n)}},
        c.same());
    CHECK(cudaFree(edges));
    c.free();
}

static __global__ void below_last(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        if (x[i] == 0xFFFFFFFFu) x[i] = 0;
}

void histogram_sizes_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 10);
    float *f = gpu_array<float>(n);
    uint16_t *room = gpu_array<uint16_t>(2 * n);
    keep_sample_bits<<<1024, 256, 0, stream>>>(x, n);
    to_unit<<<1024, 256, 0, stream>>>(f, x, n);
    floats_row(f, n);
    bits_row("histogram even, 256 bins, u32", x, n, 8, 0, room);
    for (void *p : {(void *)x, (void *)f, (void *)room}) CHECK(cudaFree(p));
}

void histogram_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 10);
    float *f = gpu_array<float>(n);
    uint16_t *room = gpu_array<uint16_t>(2 * n);
    below_last<<<1024, 256, 0, stream>>>(x, n);
    primes_row(x, n);
    edges_row(x, n);
    keep_sample_bits<<<1024, 256, 0, stream>>>(x, n);
    to_unit<<<1024, 256, 0, stream>>>(f, x, n);
    floats_row(f, n);
    bits_row("histogram even, 256 bins, u32", x, n, 8, 720, room);
    bits_row("histogram even, 256 bins, u32, warp", x, n, 8, 0, room, WW_HISTOGRAM_WARP);
    bits_row("histogram even, 32 bins, u32", x, n, 5, 0, room);
    bits_row("histogram even, 32 bins, u32, warp", x, n, 5, 0, room, WW_HISTOGRAM_WARP);
    bits_row("histogram even, 4096 bins, u32", x, n, 12, 650, room);
    bits_row("histogram even, 65536 bins, u32", x, n, 16, 300, room);
    set_all<<<1024, 256, 0, stream>>>(x, n, 12345678u);
    bits_row("histogram even, 256 bins, u32, all equal", x, n, 8, 650, room);
    bits_row("histogram even, 32 bins, u32, all equal", x, n, 5, 0, room);
    bits_row("histogram even, 32 bins, u32, all equal, warp", x, n, 5, 0, room, WW_HISTOGRAM_WARP);
    for (void *p : {(void *)x, (void *)f, (void *)room}) CHECK(cudaFree(p));
}
