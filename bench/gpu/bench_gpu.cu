/* Measures the library on an NVIDIA GPU beside CUB, the CUDA toolkit's library of the same primitives: same data, same run,
 * on one stream, timed with events. Prints a table and writes JSON: bench-gpu [--json=FILE] [--date=TEXT] [WORD…], where words
 * choose the rows whose names contain one.
 *
 * Before every sample 256 MiB are read, so that inputs come from memory and not from the second-level cache, and the host has
 * queued the call before the GPU reaches it. Medians of 11 samples after 2 warm-up calls; results are compared with CUB's
 * (floats within rounding). */
#include <cub/cub.cuh>
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "warpwise.h"

#define CHECK(call) \
    do { \
        const cudaError_t ww__e = (call); \
        if (ww__e) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(ww__e)), exit(1); \
    } while (0)

static ww_device *device;
static cudaStream_t stream;
static void *temporary; /* CUB's */
static size_t temporary_bytes;
static uint32_t *flush_memory;
static const size_t flush_bytes = 256 << 20;

/* A primitive that has no kernels yet is left out, once said. */
static bool unsupported;
static void must(ww_status status) {
    if (status == WW_UNSUPPORTED) {
        unsupported = true;
        return;
    }
    if (status) fprintf(stderr, "%s\n", ww_error(device)), exit(1);
}

template <class T> T *gpu_array(size_t n) {
    void *p;
    CHECK(cudaMalloc(&p, n * sizeof(T) + 64));
    return static_cast<T *>(p);
}

__global__ void fill_random(uint64_t *x, size_t words, uint64_t seed) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < words; i += size_t(gridDim.x) * blockDim.x) {
        uint64_t z = seed + i * 0x9E3779B97F4A7C15ull; /* splitmix64 */
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        x[i] = z ^ z >> 31;
    }
}
template <class T> T *random_array(size_t n, uint64_t seed) {
    T *x = gpu_array<T>(n);
    fill_random<<<1024, 256, 0, stream>>>(reinterpret_cast<uint64_t *>(x), n * sizeof(T) / 8, seed);
    CHECK(cudaGetLastError());
    return x;
}

__global__ void read_all(const uint4 *x, size_t n, uint32_t *sink) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += x[i].x;
    if (sum == 1) *sink = sum;
}

static double median_seconds(const std::function<void()> &call) {
    enum { WARM = 2, SAMPLES = 11 };
    std::vector<double> s;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = 0; i < WARM + SAMPLES; i++) {
        read_all<<<264, 1024, 0, stream>>>(reinterpret_cast<uint4 *>(flush_memory), flush_bytes / 16, flush_memory);
        CHECK(cudaEventRecord(begin, stream));
        call();
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (i >= WARM) s.push_back(ms * 1e-3);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    std::sort(s.begin(), s.end());
    return s[SAMPLES / 2];
}

/* A call of CUB: asked how much temporary memory it wants, then run. */
template <class F> std::function<void()> cub_call(F f) {
    size_t bytes = 0;
    CHECK(f(static_cast<void *>(nullptr), bytes));
    if (bytes > temporary_bytes) {
        if (temporary) CHECK(cudaFree(temporary));
        CHECK(cudaMalloc(&temporary, bytes));
        temporary_bytes = bytes;
    }
    return [f, bytes]() {
        size_t b = bytes;
        CHECK(f(temporary, b));
    };
}

static double copy_rate; /* bytes read and written a second */
static FILE *json;
static bool first_row = true;
static int wrong_rows;
static std::vector<std::string> words;

static bool row_wanted(const char *name) {
    if (words.empty()) return true;
    for (const std::string &w : words)
        if (strstr(name, w.c_str())) return true;
    return false;
}

static void row(const char *name, size_t n, double bytes_an_item, double required, const std::function<void()> &ours,
                const std::function<void()> &theirs, const std::function<bool()> &same) {
    char label[96];
    snprintf(label, sizeof label, "%s, 2^%.0f", name, std::log2(double(n)));
    if (!row_wanted(label)) return;
    unsupported = false;
    ours();
    if (unsupported) {
        printf("%-52s not on GPUs in this version\n", label);
        return;
    }
    const double own = median_seconds(ours), cub = theirs ? median_seconds(theirs) : 0;
    const bool right = same();
    wrong_rows += !right;
    printf("%-52s %9.1f %8.3f %9.1f %7.2f %9.0f  %s%s\n", label, n / own * 1e-9, n * bytes_an_item / own / copy_rate,
           cub ? n / cub * 1e-9 : 0, cub ? cub / own : 0, required, n / own * 1e-9 >= required ? "met" : "NOT MET",
           right ? "" : "  WRONG RESULT");
    fflush(stdout);
    if (json)
        fprintf(json, "%s\n    {\"name\": \"%s\", \"items\": %zu, \"gitems_per_second\": %.3f, \"of_copy\": %.4f, "
                      "\"cub_gitems_per_second\": %.3f, \"required\": %.1f, \"right\": %s}",
                first_row ? "" : ",", label, n, n / own * 1e-9, n * bytes_an_item / own / copy_rate,
                cub ? n / cub * 1e-9 : 0, required, right ? "true" : "false");
    first_row = false;
    if (json) fflush(json);
}

template <class T> bool equal(const T *a, const T *b, size_t n) {
    std::vector<T> x(n), y(n);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(x.data(), a, n * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(y.data(), b, n * sizeof(T), cudaMemcpyDeviceToHost));
    return !memcmp(x.data(), y.data(), n * sizeof(T));
}

/* ---- rows ---- */

static void reduce_rows(size_t n, double required) {
    uint32_t *x = random_array<uint32_t>(n, 1), *r = gpu_array<uint32_t>(1), *s = gpu_array<uint32_t>(1);
    row("reduce u32", n, 4, required,
        [=] { must(ww_reduce(device, &ww_add, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, 1, &ww_type_uint32_t))); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, s, n, stream); }),
        [=] { return equal(r, s, 1); });
    row("reduce u32, max", n, 4, required,
        [=] { must(ww_reduce(device, &ww_max, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, 1, &ww_type_uint32_t))); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, x, s, n, stream); }),
        [=] { return equal(r, s, 1); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(r));
    CHECK(cudaFree(s));
}

static void scan_rows(size_t n, double required) {
    uint32_t *x = random_array<uint32_t>(n, 2), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    static ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    row("exclusive scan u32", n, 8, required,
        [=] {
            must(ww_scan(device, &ww_add, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t), &options));
        },
        cub_call([=](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, x, s, n, stream); }),
        [=] { return equal(r, s, n); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(r));
    CHECK(cudaFree(s));
}

static void wide_scan_rows(size_t n) {
    uint64_t *x = random_array<uint64_t>(n, 2), *r = gpu_array<uint64_t>(n), *s = gpu_array<uint64_t>(n);
    row("inclusive scan u64", n, 16, 0,
        [=] { must(ww_scan(device, &ww_add, ww_memory_of(x, n, &ww_type_uint64_t), ww_array_of(r, n, &ww_type_uint64_t), nullptr)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, x, s, n, stream); }),
        [=] { return equal(r, s, n); });
    uint8_t *small = reinterpret_cast<uint8_t *>(x), *small_r = reinterpret_cast<uint8_t *>(r), *small_s = reinterpret_cast<uint8_t *>(s);
    row("inclusive scan u8", n, 2, 0,
        [=] { must(ww_scan(device, &ww_add, ww_memory_of(small, n, &ww_type_uint8_t), ww_array_of(small_r, n, &ww_type_uint8_t), nullptr)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, small, small_s, n, stream); }),
        [=] { return equal(small_r, small_s, n); });
    for (void *p : {x, r, s}) CHECK(cudaFree(p));
}

__global__ void make_keys(uint32_t *keys, size_t n, uint32_t run) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        keys[i] = uint32_t(i / run + (i * 2654435761u >> 29)) / 2;
}
__global__ void make_flags(uint8_t *flags, const uint32_t *random, size_t n, uint32_t one_in) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        flags[i] = random[i] % one_in == 0;
}

static void segmented_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 3), *keys = gpu_array<uint32_t>(n), *r = gpu_array<uint32_t>(n),
             *s = gpu_array<uint32_t>(n);
    uint8_t *flags = gpu_array<uint8_t>(n);
    make_keys<<<1024, 256, 0, stream>>>(keys, n, 8);
    make_flags<<<1024, 256, 0, stream>>>(flags, x, n, 8);
    static ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    row("exclusive scan u32 by key, runs of 8", n, 12, 220,
        [=] {
            must(ww_scan_by_key(device, &ww_add, ww_memory_of(keys, n, &ww_type_uint32_t),
                                ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t), &options));
        },
        cub_call([=](void *t, size_t &b) {
            return cub::DeviceScan::ExclusiveSumByKey(t, b, keys, x, s, n, ::cuda::std::equal_to<>(), stream);
        }),
        [=] { return equal(r, s, n); });
    row("exclusive scan u32 by head flags, runs of 8", n, 9, 260,
        [=] {
            must(ww_scan_segmented(device, &ww_add, ww_memory_of(x, n, &ww_type_uint32_t),
                                   ww_memory_of(flags, n, &ww_type_uint8_t), ww_array_of(r, n, &ww_type_uint32_t), &options));
        },
        nullptr, [=] { return true; });
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
__global__ void below_prime(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = x[i] % 0x7FFFFFFFu;
}

static void matrix_rows(size_t n) {
    uint4 *x = random_array<uint4>(n, 4), *r = gpu_array<uint4>(n), *s = gpu_array<uint4>(n);
    below_prime<<<1024, 256, 0, stream>>>(reinterpret_cast<uint32_t *>(x), 4 * n);
    row("inclusive scan of 2x2 matrices mod 2^31 - 1", n, 32, 30,
        [=] {
            must(ww_scan(device, &ww_matrix_product, ww_memory_of(x, n, &ww_type_matrix), ww_array_of(r, n, &ww_type_matrix),
                         nullptr));
        },
        cub_call([=](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, x, s, cub_matrix_product(), n, stream); }),
        [=] { return equal(r, s, n); });
    for (void *p : {x, r, s}) CHECK(cudaFree(p));
}

WW_MAP(odd, uint32_t, uint32_t, x, void, none, { return x & 1; });
struct is_even {
    __host__ __device__ bool operator()(uint32_t x) const { return !(x & 1); }
};

static void pack_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 8), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n),
             *count = gpu_array<uint32_t>(2);
    uint8_t *flags = gpu_array<uint8_t>(n);
    make_flags<<<1024, 256, 0, stream>>>(flags, x, n, 2);
    const ww_array out = ww_array_of(r, n, &ww_type_uint32_t), kept = ww_array_of(count, 1, &ww_type_uint32_t);
    const ww_input in = ww_memory_of(x, n, &ww_type_uint32_t);
    CHECK(cudaMemset(r, 0, n * 4));
    CHECK(cudaMemset(s, 0, n * 4));
    row("pack u32 by u8 flags, half kept", n, 7, 320,
        [=] { must(ww_pack(device, in, ww_memory_of(flags, n, &ww_type_uint8_t), out, kept, nullptr)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceSelect::Flagged(t, b, x, flags, s, count + 1, n, stream); }),
        [=] { return equal(count, count + 1, 1) && equal(r, s, n); });
    static ww_split_options reversed = WW_SPLIT_OPTIONS;
    reversed.method = WW_SPLIT_REVERSED;
    row("split u32 by predicate, second side reversed", n, 8, 280,
        [=] { must(ww_split_if(device, &ww_odd, nullptr, in, out, kept, &reversed)); },
        cub_call([=](void *t, size_t &b) { return cub::DevicePartition::If(t, b, x, s, count + 1, n, is_even(), stream); }),
        [=] { return equal(count, count + 1, 1) && equal(r, s, n); });
    row("split u32 by predicate, stable", n, 12, 200,
        [=] { must(ww_split_if(device, &ww_odd, nullptr, in, out, kept, nullptr)); }, nullptr, [=] {
            std::vector<uint32_t> a(n), b(n), c(1);
            CHECK(cudaStreamSynchronize(stream));
            CHECK(cudaMemcpy(a.data(), r, n * 4, cudaMemcpyDeviceToHost));
            CHECK(cudaMemcpy(b.data(), s, n * 4, cudaMemcpyDeviceToHost));
            CHECK(cudaMemcpy(c.data(), count, 4, cudaMemcpyDeviceToHost));
            std::reverse(b.begin() + c[0], b.end());
            return a == b;
        });
    for (void *p : {(void *)x, (void *)r, (void *)s, (void *)count, (void *)flags}) CHECK(cudaFree(p));
}

/* A permutation of 0 ... 2^bits - 1 that looks random. */
__global__ void permute(uint32_t *x, uint32_t bits) {
    const uint32_t mask = (uint32_t)((1ull << bits) - 1);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= mask; i += gridDim.x * blockDim.x) {
        uint32_t z = i;
        for (int round = 0; round < 3; round++) {
            z = z * 0x9E3779B1u + 0x7F4A7C15u & mask;
            z ^= z >> bits / 2;
        }
        x[i] = z;
    }
}
template <class T> __global__ void permuted(const T *from, const uint32_t *index, T *to, size_t n, bool scatter) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        if (scatter) to[index[i]] = from[i];
        else to[i] = from[index[i]];
}
struct record {
    uint4 word[8];
};

template <class T> void permute_rows(uint32_t bits, const char *gather, const char *scatter, double required, double required_scatter) {
    const size_t n = (size_t)1 << bits;
    T *x = random_array<T>(n, 9), *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    uint32_t *index = gpu_array<uint32_t>(n);
    permute<<<1024, 256, 0, stream>>>(index, bits);
    const ww_input at = ww_memory_of(index, n, &ww_type_uint32_t);
    row(gather, n, 4 + 2 * sizeof(T), required,
        [=] { must(ww_gather(device, ww_records(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)))); },
        [=] { permuted<<<4096, 256, 0, stream>>>(x, index, s, n, false); },
        [=] { return equal(r, s, n); });
    row(scatter, n, 4 + 2 * sizeof(T), required_scatter,
        [=] { must(ww_scatter(device, ww_record_memory(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)), WW_CONFLICT_ANY)); },
        [=] { permuted<<<4096, 256, 0, stream>>>(x, index, s, n, true); },
        [=] { return equal(r, s, n); });
    for (void *p : {(void *)x, (void *)r, (void *)s, (void *)index}) CHECK(cudaFree(p));
}

template <class T> void histogram_row(const char *name, const T *x, size_t n, uint32_t bins, T low, T high, const ww_type *type,
                                      double required) {
    uint32_t *r = gpu_array<uint32_t>(bins), *s = gpu_array<uint32_t>(bins);
    row(name, n, sizeof(T), required,
        [=] { must(ww_histogram_even(device, ww_memory_of(x, n, type), &low, &high, ww_array_of(r, bins, &ww_type_uint32_t), ww_none)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, x, s, int(bins + 1), low, high, n, stream); }),
        [=] { return equal(r, s, bins); });
    CHECK(cudaFree(r));
    CHECK(cudaFree(s));
}

__global__ void to_unit(float *f, const uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        f[i] = (x[i] >> 8) * (1.0f / 16777216);
}
__global__ void set_all(uint32_t *x, size_t n, uint32_t value) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = value;
}

static void histogram_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 10);
    float *f = gpu_array<float>(n);
    to_unit<<<1024, 256, 0, stream>>>(f, x, n);
    histogram_row("histogram even, 256 bins, f32", f, n, 256, 0.0f, 1.0f, &ww_type_float, 720);
    histogram_row("histogram even, 256 bins, u32", x, n, 256, 0u, 0xFFFFFF00u, &ww_type_uint32_t, 720);
    histogram_row("histogram even, 200 bins over 0..999,999,937, u32", x, n, 200, 0u, 999999937u, &ww_type_uint32_t, 700);
    histogram_row("histogram even, 4096 bins, u32", x, n, 4096, 0u, 0xFFFFF000u, &ww_type_uint32_t, 650);
    histogram_row("histogram even, 65536 bins, u32", x, n, 65536, 0u, 0xFFFF0000u, &ww_type_uint32_t, 300);
    set_all<<<1024, 256, 0, stream>>>(x, n, 12345678u);
    histogram_row("histogram even, 256 bins, u32, all equal", x, n, 256, 0u, 0xFFFFFF00u, &ww_type_uint32_t, 650);
    CHECK(cudaFree(x));
    CHECK(cudaFree(f));
}

static void map_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 5), *r = gpu_array<uint32_t>(n);
    row("store u32 (copy)", n, 8, 0,
        [=] { must(ww_store(device, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t))); }, nullptr,
        [=] { return equal(x, r, n); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(r));
}

static void measure_copy() {
    const size_t bytes = 1 << 30;
    char *x = random_array<char>(bytes, 6), *y = gpu_array<char>(bytes);
    copy_rate = 2.0 * bytes / median_seconds([=] { CHECK(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, stream)); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}

int main(int argc, char **argv) {
    const char *file = nullptr, *date = "today";
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--json=", 7)) file = argv[i] + 7;
        else if (!strncmp(argv[i], "--date=", 7)) date = argv[i] + 7;
        else words.push_back(argv[i]);
    }
    cudaDeviceProp properties;
    int driver = 0;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ww_open_options options = WW_OPEN_OPTIONS;
    CUcontext context;
    if (cuCtxGetCurrent(&context)) return 1;
    options.cuda_context = context;
    options.cuda_stream = stream;
    must(ww_open_with("cuda", &options, &device));
    flush_memory = random_array<uint32_t>(flush_bytes / 4, 7);
    measure_copy();
    printf("%s, CUDA %d.%d, CUB %d.%d.%d, copy %.0f GB/s (read and written)\n", properties.name, driver / 1000,
           driver % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, copy_rate * 1e-9);
    printf("%-52s %9s %8s %9s %7s %9s\n", "", "Gitems/s", "of copy", "CUB", "ratio", "required");
    if (file && (json = fopen(file, "w")))
        fprintf(json, "{\"device\": \"%s\", \"cuda\": %d, \"cub\": %d, \"date\": \"%s\", \"library\": \"%s\", "
                      "\"copy_gb_per_second\": %.1f, \"rows\": [", properties.name, driver, CUB_VERSION, date, ww_version(),
                copy_rate * 1e-9);
    const size_t k = 1;
    map_rows(k << 27);
    reduce_rows(k << 27, 735);
    reduce_rows(k << 25, 650);
    scan_rows(k << 27, 305);
    scan_rows(k << 20, 90);
    wide_scan_rows(k << 26);
    segmented_rows(k << 27);
    matrix_rows(k << 25);
    pack_rows(k << 27);
    permute_rows<uint32_t>(27, "gather of 4 bytes", "scatter of 4 bytes, any wins", 28, 13);
    permute_rows<record>(25, "gather of 128 bytes", "scatter of 128 bytes, any wins", 10.5, 10.2);
    histogram_rows(k << 27);
    if (json) fprintf(json, "\n]}\n"), fclose(json);
    ww_close(device);
    return wrong_rows != 0;
}
