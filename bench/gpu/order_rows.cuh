/* Rows of merging, searching and sets. */
#ifndef BENCH_GPU_ORDER_ROWS_CUH
#define BENCH_GPU_ORDER_ROWS_CUH

#include "harness.cuh"

__global__ void make_positions(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = uint32_t(i);
}

/* Sorted random keys, by CUB. */
static uint32_t *sorted_array(size_t n, uint64_t seed) {
    uint32_t *x = random_array<uint32_t>(n, seed), *y = gpu_array<uint32_t>(n);
    cub_call([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, n, 0, 32, stream); })();
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(x));
    return y;
}

struct below {
    __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};

static void merge_rows(size_t n) {
    uint32_t *a = sorted_array(n, 31), *b = sorted_array(n, 32), *r = gpu_array<uint32_t>(2 * n), *s = gpu_array<uint32_t>(2 * n),
             *va = random_array<uint32_t>(n, 33), *vb = random_array<uint32_t>(n, 34), *rv = gpu_array<uint32_t>(2 * n),
             *sv = gpu_array<uint32_t>(2 * n);
    const ww_type *u32 = &ww_type_uint32_t;
    row("merge u32, halves", 2 * n, 8, 300,
        [=] {
            must(ww_merge(device, nullptr, ww_memory_of(a, n, u32), ww_memory_of(b, n, u32), ww_no_input(), ww_no_input(),
                          ww_array_of(r, 2 * n, u32), ww_none));
        },
        cub_call([=](void *t, size_t &c) { return cub::DeviceMerge::MergeKeys(t, c, a, int(n), b, int(n), s, below(), stream); }),
        [=] { return equal(r, s, 2 * n); });
    row("merge u32 + u32, halves", 2 * n, 16, 160,
        [=] {
            must(ww_merge(device, nullptr, ww_memory_of(a, n, u32), ww_memory_of(b, n, u32), ww_memory_of(va, n, u32),
                          ww_memory_of(vb, n, u32), ww_array_of(r, 2 * n, u32), ww_array_of(rv, 2 * n, u32)));
        },
        cub_call([=](void *t, size_t &c) {
            return cub::DeviceMerge::MergePairs(t, c, a, va, int(n), b, vb, int(n), s, sv, below(), stream);
        }),
        [=] { return equal(r, s, 2 * n) && equal(rv, sv, 2 * n); });
    uint32_t *count = gpu_array<uint32_t>(1);
    row("set union u32, halves", 2 * n, 8, 0,
        [=] {
            must(ww_set_union(device, nullptr, ww_memory_of(a, n, u32), ww_memory_of(b, n, u32), ww_array_of(r, 2 * n, u32),
                              ww_array_of(count, 1, u32)));
        },
        nullptr, [=] { return true; });
    for (uint32_t *p : {a, b, r, s, va, vb, rv, sv, count}) CHECK(cudaFree(p));
}

__global__ void search_each(const uint32_t *sorted, uint32_t m, const uint32_t *needles, uint32_t *out, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        uint32_t first = 0, left = m;
        const uint32_t x = needles[i];
        while (left) {
            const uint32_t half = left / 2, at = first + half;
            if (sorted[at] < x) {
                first = at + 1;
                left -= half + 1;
            } else {
                left = half;
            }
        }
        out[i] = first;
    }
}

/* Beside a thread for each needle: CUB has no search. */
static void search_rows(size_t n) {
    uint32_t *sorted = sorted_array(n, 41), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    const ww_type *u32 = &ww_type_uint32_t;
    uint32_t *both[] = {sorted_array(n, 42), random_array<uint32_t>(n, 43)};
    for (int k = 0; k < 2; k++) {
        uint32_t *needles = both[k];
        row(k ? "lower bound, random needles (beside a thread each)" : "lower bound, sorted needles (beside a thread each)", n, 12,
            k ? 9 : 140,
            [=] {
                must(ww_lower_bound(device, nullptr, ww_memory_of(sorted, n, u32), ww_memory_of(needles, n, u32),
                                    ww_array_of(r, n, u32)));
            },
            [=] { search_each<<<4096, 256, 0, stream>>>(sorted, uint32_t(n), needles, s, n); }, [=] { return equal(r, s, n); });
    }
    for (uint32_t *p : {sorted, r, s, both[0], both[1]}) CHECK(cudaFree(p));
}

#endif
