/* Rows of copies, gathers and scatters. */
#include "harness.cuh"

static void map_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 5), *r = gpu_array<uint32_t>(n);
    row("store u32 (copy)", n, 8, 0,
        [=] { must(ww_store(device, ww_memory_of(x, n, &ww_type_uint32_t), ww_array_of(r, n, &ww_type_uint32_t))); }, nullptr,
        [=] { return equal(x, r, n); });
    CHECK(cudaFree(x));
    CHECK(cudaFree(r));
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

/* The figure asked of a scatter is what a kernel reaches that checks bounds and no more: the row of indexes that are known to
 * differ. Where several records may go to one place, choosing one of them costs a bit a place besides. */
template <class T> void permute_rows(uint32_t bits, const char *gather, const char *scatter, const char *unique, double required,
                                       double required_scatter) {
    const size_t n = (size_t)1 << bits;
    T *x = random_array<T>(n, 9), *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    uint32_t *index = gpu_array<uint32_t>(n);
    permute<<<1024, 256, 0, stream>>>(index, bits);
    const ww_input at = ww_memory_of(index, n, &ww_type_uint32_t);
    row(gather, n, 4 + 2 * sizeof(T), required,
        [=] { must(ww_gather(device, ww_records(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)))); },
        [=] { permuted<<<4096, 256, 0, stream>>>(x, index, s, n, false); },
        [=] { return equal(r, s, n); });
    row(scatter, n, 4 + 2 * sizeof(T), 0,
        [=] { must(ww_scatter(device, ww_record_memory(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)), WW_CONFLICT_ANY)); },
        [=] { permuted<<<4096, 256, 0, stream>>>(x, index, s, n, true); },
        [=] { return equal(r, s, n); });
    row(unique, n, 4 + 2 * sizeof(T), required_scatter,
        [=] { must(ww_scatter(device, ww_record_memory(x, n, sizeof(T)), at, ww_records(r, n, sizeof(T)), WW_CONFLICT_UNIQUE)); },
        [=] { permuted<<<4096, 256, 0, stream>>>(x, index, s, n, true); },
        [=] { return equal(r, s, n); });
    for (void *p : {(void *)x, (void *)r, (void *)s, (void *)index}) CHECK(cudaFree(p));
}
