/* What the rows of everyday calls and inputs share: arrays that are freed together, kernels of one line, sizes. */
#ifndef BENCH_CALL_ARRAYS_CUH
#define BENCH_CALL_ARRAYS_CUH

#include "harness.cuh"

/* Arrays that live as long as this. */
struct call_arrays {
    std::vector<void *> all;
    template <class T> T *empty(size_t n) {
        T *x = gpu_array<T>(n);
        all.push_back(x);
        return x;
    }
    template <class T> T *random(size_t n, uint64_t seed) {
        T *x = random_array<T>(n, seed);
        all.push_back(x);
        return x;
    }
    ~call_arrays() {
        CHECK(cudaDeviceSynchronize());
        for (void *p : all) CHECK(cudaFree(p));
    }
};

/* f(i) for every i: the kernel that a user writes. `each` in a loop over a grid that fills the GPU, `each_once` a thread an i. */
template <class F> __global__ void each_in_loop(size_t n, F f) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) f(i);
}
template <class F> __global__ void each_once(size_t n, F f) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) f(i);
}
template <class F> void each(size_t n, F f) { each_in_loop<<<2112, 256, 0, stream>>>(n, f); }

template <class F> std::vector<way> kernels(size_t n, F f) {
    return {{"a kernel, a thread an element", [=] { each_once<<<unsigned((n + 255) / 256), 256, 0, stream>>>(n, f); }},
            {"a kernel that loops", [=] { each(n, f); }}};
}

static const ww_type *const u8 = &ww_type_uint8_t, *const u16 = &ww_type_uint16_t, *const u32 = &ww_type_uint32_t,
                            *const u64 = &ww_type_uint64_t, *const f32 = &ww_type_float, *const f64 = &ww_type_double;

/* The sizes at which calls are measured. */
static const size_t call_sizes[] = {size_t(1) << 26, size_t(1) << 20, size_t(1) << 13};

#endif
