/* Rows of histograms. */
#include "harness.cuh"

template <class T> void histogram_row(const char *name, const T *x, size_t n, uint32_t bins, T low, T high, const ww_type *type,
                                      double required, ww_histogram_method method = WW_HISTOGRAM_AUTO) {
    ww_histogram_options options = WW_HISTOGRAM_OPTIONS;
    options.method = method;
    uint32_t *r = gpu_array<uint32_t>(bins), *s = gpu_array<uint32_t>(bins);
    row(name, n, sizeof(T), required,
        [=] { must(ww_histogram_even(device, ww_memory_of(x, n, type), &low, &high, ww_array_of(r, bins, &ww_type_uint32_t), ww_none, &options)); },
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

/* Unequal bins: the k-th edge at 65536 k^2, the last one at the end of the range. */
static void edges_row(const uint32_t *x, size_t n) {
    enum { BINS = 256 };
    std::vector<uint32_t> host(BINS + 1);
    for (uint32_t k = 0; k < BINS; k++) host[k] = 65536u * k * k;
    host[BINS] = 0xFFFFFFFFu;
    uint32_t *edges = gpu_array<uint32_t>(BINS + 1), *r = gpu_array<uint32_t>(BINS), *s = gpu_array<uint32_t>(BINS);
    CHECK(cudaMemcpy(edges, host.data(), (BINS + 1) * 4, cudaMemcpyHostToDevice));
    const ww_type *u32 = &ww_type_uint32_t;
    row("histogram by 256 unequal edges, u32", n, 4, 250,
        [=] { must(ww_histogram_edges(device, ww_memory_of(x, n, u32), ww_memory_of(edges, BINS + 1, u32), ww_array_of(r, BINS, u32), ww_none, NULL)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceHistogram::HistogramRange(t, b, x, s, BINS + 1, edges, n, stream); }),
        [=] { return equal(r, s, BINS); });
    for (uint32_t *p : {edges, r, s}) CHECK(cudaFree(p));
}

static void histogram_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 10);
    float *f = gpu_array<float>(n);
    to_unit<<<1024, 256, 0, stream>>>(f, x, n);
    histogram_row("histogram even, 256 bins, f32", f, n, 256, 0.0f, 1.0f, &ww_type_float, 720);
    histogram_row("histogram even, 256 bins, u32", x, n, 256, 0u, 0xFFFFFF00u, &ww_type_uint32_t, 720);
    histogram_row("histogram even, 256 bins, u32, warp", x, n, 256, 0u, 0xFFFFFF00u, &ww_type_uint32_t, 0, WW_HISTOGRAM_WARP);
    histogram_row("histogram even, 32 bins, u32", x, n, 32, 0u, 0xFFFFFFE0u, &ww_type_uint32_t, 0);
    histogram_row("histogram even, 32 bins, u32, warp", x, n, 32, 0u, 0xFFFFFFE0u, &ww_type_uint32_t, 0, WW_HISTOGRAM_WARP);
    histogram_row("histogram even, 200 bins over 0..999,999,937, u32", x, n, 200, 0u, 999999937u, &ww_type_uint32_t, 700);
    histogram_row("histogram even, 4096 bins, u32", x, n, 4096, 0u, 0xFFFFF000u, &ww_type_uint32_t, 650);
    histogram_row("histogram even, 65536 bins, u32", x, n, 65536, 0u, 0xFFFF0000u, &ww_type_uint32_t, 300);
    edges_row(x, n);
    set_all<<<1024, 256, 0, stream>>>(x, n, 12345678u);
    histogram_row("histogram even, 256 bins, u32, all equal", x, n, 256, 0u, 0xFFFFFF00u, &ww_type_uint32_t, 650);
    histogram_row("histogram even, 32 bins, u32, all equal", x, n, 32, 0u, 0xFFFFFFE0u, &ww_type_uint32_t, 0);
    histogram_row("histogram even, 32 bins, u32, all equal, warp", x, n, 32, 0u, 0xFFFFFFE0u, &ww_type_uint32_t, 0, WW_HISTOGRAM_WARP);
    CHECK(cudaFree(x));
    CHECK(cudaFree(f));
}
