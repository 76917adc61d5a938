/* What all rows of the GPU benchmark use: the device, arrays in its memory, timing, printing a row. */
#ifndef BENCH_GPU_HARNESS_CUH
#define BENCH_GPU_HARNESS_CUH

#include <cub/cub.cuh>
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
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

__global__ void make_flags(uint8_t *flags, const uint32_t *random, size_t n, uint32_t one_in) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        flags[i] = random[i] % one_in == 0;
}

__global__ void read_all(const uint4 *x, size_t n, uint32_t *sink) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += x[i].x;
    if (sum == 1) *sink = sum;
}

static double seconds_of(const std::function<void()> &call) {
    static cudaEvent_t begin, end;
    if (!begin) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    read_all<<<264, 1024, 0, stream>>>(reinterpret_cast<uint4 *>(flush_memory), flush_bytes / 16, flush_memory);
    CHECK(cudaEventRecord(begin, stream));
    call();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms * 1e-3;
}

/* Of each call, sampled in turn: what ran first would find the GPU's clock lower. An empty call takes 0. */
static std::vector<double> medians(const std::vector<std::function<void()>> &calls) {
    enum { WARM = 2, SAMPLES = 11 };
    const double warm_seconds = 0.05;
    std::vector<std::vector<double>> samples(calls.size());
    std::vector<double> middle(calls.size(), 0);
    double before = 0;
    for (int i = 0; i < WARM || before < warm_seconds; i++)
        for (const auto &call : calls) before += call ? seconds_of(call) + 1e-4 : 0;
    for (int i = 0; i < SAMPLES; i++)
        for (size_t c = 0; c < calls.size(); c++)
            if (calls[c]) samples[c].push_back(seconds_of(calls[c]));
    for (size_t c = 0; c < calls.size(); c++) {
        if (!calls[c]) continue;
        std::sort(samples[c].begin(), samples[c].end());
        middle[c] = samples[c][SAMPLES / 2];
    }
    return middle;
}

static double median_seconds(const std::function<void()> &call) { return medians({call})[0]; }

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

static std::string label_of(const char *name, size_t n) {
    char label[128];
    if (n & (n - 1)) snprintf(label, sizeof label, "%s, n = %zu", name, n);
    else snprintf(label, sizeof label, "%s, 2^%.0f", name, std::log2(double(n)));
    return label;
}

/* required: G items a second; below 0 so many times what `theirs` reaches. Returns what was measured; 0 where nothing was. */
static double row(const char *name, size_t n, double bytes_an_item, double required, const std::function<void()> &ours,
                  const std::function<void()> &theirs, const std::function<bool()> &same) {
    const std::string text = label_of(name, n);
    const char *const label = text.c_str();
    if (!row_wanted(label)) return 0;
    unsupported = false;
    ours();
    if (unsupported) {
        printf("%-52s not on GPUs in this version\n", label);
        return 0;
    }
    const std::vector<double> middle = medians({ours, theirs});
    const double own = middle[0], cub = middle[1];
    if (required < 0) required = cub ? -required * n / cub * 1e-9 : 0;
    const bool right = same();
    wrong_rows += !right;
    printf("%-52s %9.1f %8.3f %9.1f %7.2f %9.1f  %s%s\n", label, n / own * 1e-9, n * bytes_an_item / own / copy_rate,
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
    return n / own * 1e-9;
}

/* Bytes that differ are counted on the GPU: a row's outputs take half a second to come to the host. */
__global__ void count_differences(const uint8_t *a, const uint8_t *b, size_t bytes, uint32_t *differ) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes; i += size_t(gridDim.x) * blockDim.x)
        if (a[i] != b[i]) *differ = 1;
}

template <class T> bool equal(const T *a, const T *b, size_t n) {
    static uint32_t *differ = gpu_array<uint32_t>(1);
    uint32_t answer = 1;
    CHECK(cudaMemsetAsync(differ, 0, sizeof *differ, stream));
    count_differences<<<1024, 256, 0, stream>>>(reinterpret_cast<const uint8_t *>(a), reinterpret_cast<const uint8_t *>(b),
                                                n * sizeof(T), differ);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(&answer, differ, sizeof answer, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    return !answer;
}

static void measure_copy() {
    const size_t bytes = 1 << 30;
    char *x = random_array<char>(bytes, 6), *y = gpu_array<char>(bytes);
    copy_rate = 2.0 * bytes / median_seconds([=] { CHECK(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, stream)); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}

#endif
