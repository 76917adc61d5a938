/* What all rows of the GPU benchmark use: the device, arrays in its memory, timing, printing a row.
 *
 * A row's contestants are this library and the ways of doing the same without it, of which the fastest is the row's peer. They
 * are sampled in turn. Before each sample what the call writes is filled with a byte, ours with another than theirs, and after
 * a contestant's last sample its results are looked at: what was not written then differs. */
#ifndef BENCH_GPU_HARNESS_CUH
#define BENCH_GPU_HARNESS_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "report.h"
#include "warpwise.h"

#define CHECK(call) \
    do { \
        const cudaError_t ww__e = (call); \
        if (ww__e) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(ww__e)), exit(1); \
    } while (0)

inline ww_device *device;
inline cudaStream_t stream;
inline void *temporary; /* CUB's */
inline size_t temporary_bytes;
inline uint32_t *flush_memory;
inline const char *text_file; /* --text, or null */
static const size_t flush_bytes = 256 << 20;

/* A primitive that has no kernels yet is left out, once said. */
inline bool unsupported;
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

static __global__ void fill_random(uint64_t *x, size_t words, uint64_t seed) {
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

static __global__ void make_flags(uint8_t *flags, const uint32_t *random, size_t n, uint32_t one_in) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        flags[i] = random[i] % one_in == 0;
}

static __global__ void read_all(const uint4 *x, size_t n, uint32_t *sink) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += x[i].x;
    if (sum == 1) *sink = sum;
}

/* ---- contestants ---- */

/* Memory that a call writes. */
struct output {
    void *at;
    size_t bytes;
    bool on_host;
};
template <class T> output whole(T *at, size_t n) { return {at, n * sizeof(T), false}; }

/* A way to do a row's work without this library. */
struct way {
    std::string name;
    std::function<void()> call;
};

/* What ours writes, what each of the ways does, and whether both are the same; of a row without ways, whether ours is right. */
struct results {
    std::vector<output> ours, theirs;
    std::function<bool()> right;
};

struct contestant {
    std::function<void()> call;
    std::vector<output> outputs;
    int poison;
    std::vector<double> samples, queued; /* seconds of the GPU, and of the host until the call came back */
    static double median(std::vector<double> x) {
        std::sort(x.begin(), x.end());
        return x.empty() ? 0 : x[x.size() / 2];
    }
    double seconds() const { return median(samples); }
};

static double host_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* `queued` gets the host's time for the call, during which the GPU is busy reading. */
static double seconds_of(const contestant &c, double *queued = nullptr) {
    static cudaEvent_t begin, end;
    if (!begin) {
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
    }
    for (const output &o : c.outputs) {
        if (o.on_host) memset(o.at, c.poison, o.bytes);
        else CHECK(cudaMemsetAsync(o.at, c.poison, o.bytes, stream));
    }
    read_all<<<264, 1024, 0, stream>>>(reinterpret_cast<uint4 *>(flush_memory), flush_bytes / 16, flush_memory);
    CHECK(cudaEventRecord(begin, stream));
    const double before = host_seconds();
    c.call();
    if (queued) *queued = host_seconds() - before;
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms * 1e-3;
}

/* In turn: what ran first would find the GPU's clock lower. `after` is told who has had its last sample. */
static void sample_in_turn(std::vector<contestant> &all, const std::function<void(size_t)> &after) {
    enum { WARM = 2, SAMPLES = 11 };
    const double warm_seconds = 0.05;
    double before = 0;
    for (int i = 0; i < WARM || before < warm_seconds; i++)
        for (const contestant &c : all) before += seconds_of(c) + 1e-4;
    for (int i = 0; i < SAMPLES; i++)
        for (size_t c = 0; c < all.size(); c++) {
            double queued;
            all[c].samples.push_back(seconds_of(all[c], &queued));
            all[c].queued.push_back(queued);
            if (i == SAMPLES - 1) after(c);
        }
}

static double median_seconds(const std::function<void()> &call) {
    std::vector<contestant> one = {{call, {}, 0, {}, {}}};
    if (report_only_warms()) {
        call();
        return 1;
    }
    sample_in_turn(one, [](size_t) {});
    return one[0].seconds();
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

/* CUB's code for counts of 64 bits is another than for 32, tuned apart: sorts of keys of 32 bits are faster by it, sorts with values
 * and reductions by key slower. What is called so is called as two ways. `f` takes the count as its last parameter. */
template <class F> std::vector<way> cub_ways(const std::string &name, size_t n, F f) {
    return {{name, cub_call([=](void *t, size_t &b) { return f(t, b, int(n)); })},
            {name + ", 64-bit counts", cub_call([=](void *t, size_t &b) { return f(t, b, int64_t(n)); })}};
}

static std::vector<way> joined_ways(std::vector<way> a, const std::vector<way> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/* ---- rows ---- */

static bool row_wanted(const char *name, size_t n) { return report_wants(report_label(name, n)); }

/* required: G items a second; below 0 so many times what the peer reaches. Returns what was measured; 0 where nothing was. */
static double row(const char *name, size_t n, double bytes_an_item, double required, const std::function<void()> &ours,
                  const std::vector<way> &ways, const results &r) {
    report_row line = {report_label(name, n), n, bytes_an_item, required, 0, 0, {}, true};
    if (!report_wants(line.label)) return 0;
    report_begins(line.label);
    unsupported = false;
    ours();
    CHECK(cudaStreamSynchronize(stream));
    if (report_only_warms()) return 0;
    if (unsupported) {
        printf("%-52s not on GPUs in this version\n", line.label.c_str());
        return 0;
    }
    enum { POISON_OURS = 0xA5, POISON_THEIRS = 0x5A };
    std::vector<contestant> all = {{ours, r.ours, POISON_OURS, {}, {}}};
    for (const way &w : ways) all.push_back({w.call, r.theirs, POISON_THEIRS, {}, {}});
    std::vector<bool> right(all.size(), true);
    sample_in_turn(all, [&](size_t c) {
        if (c || ways.empty()) right[c] = r.right();
    });
    line.own = n / all[0].seconds() * 1e-9;
    line.queued = contestant::median(all[0].queued);
    line.right = right[0];
    for (size_t w = 0; w < ways.size(); w++)
        line.ways.push_back({ways[w].name, n / all[w + 1].seconds() * 1e-9, contestant::median(all[w + 1].queued), right[w + 1]});
    report_print(line);
    return line.own;
}

/* Bytes that differ are counted on the GPU: a row's outputs take half a second to come to the host. */
static __global__ void count_differences(const uint8_t *a, const uint8_t *b, size_t bytes, uint32_t *differ) {
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

/* A count that a call left in the GPU's memory. */
static uint32_t count_at(const uint32_t *there) {
    uint32_t count = 0;
    CHECK(cudaMemcpyAsync(&count, there, sizeof count, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    return count;
}

/* Two counts that agree, and as many elements that do. */
template <class T> bool equal_counted(const uint32_t *count, const uint32_t *wanted, const T *a, const T *b, size_t most) {
    const uint32_t n = count_at(count);
    return n == count_at(wanted) && n <= most && equal(a, b, n);
}

#endif
