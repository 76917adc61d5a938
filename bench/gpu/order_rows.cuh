/* Rows of sorting, merging, searching and sets. */
#include "harness.cuh"

__global__ void make_positions(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = uint32_t(i);
}
__global__ void keep_few(uint32_t *x, size_t n, uint32_t distinct) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = (x[i] % distinct) * 2654435761u;
}

/* Sorted random keys, by CUB. */
static uint32_t *sorted_array(size_t n, uint64_t seed) {
    uint32_t *x = random_array<uint32_t>(n, seed), *y = gpu_array<uint32_t>(n);
    cub_call([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, n, 0, 32, stream); })();
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(x));
    return y;
}

template <class T> void sort_keys_row(const char *name, const T *x, size_t n, const ww_type *type, double required) {
    T *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    row(name, n, 2 * sizeof(T), required,
        [=] { must(ww_sort(device, ww_memory_of(x, n, type), ww_no_input(), ww_array_of(r, n, type), ww_none, nullptr)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, x, s, n, 0, int(8 * sizeof(T)), stream); }),
        [=] { return equal(r, s, n); });
    CHECK(cudaFree(r));
    CHECK(cudaFree(s));
}

template <class T> void sort_pairs_row(const char *name, size_t n, const ww_type *type, double required) {
    T *x = random_array<T>(n, 21), *v = random_array<T>(n, 22), *r = gpu_array<T>(n), *s = gpu_array<T>(n), *rv = gpu_array<T>(n),
      *sv = gpu_array<T>(n);
    row(name, n, 4 * sizeof(T), required,
        [=] {
            must(ww_sort(device, ww_memory_of(x, n, type), ww_memory_of(v, n, type), ww_array_of(r, n, type),
                         ww_array_of(rv, n, type), nullptr));
        },
        cub_call([=](void *t, size_t &b) {
            return cub::DeviceRadixSort::SortPairs(t, b, x, s, v, sv, n, 0, int(8 * sizeof(T)), stream);
        }),
        [=] { return equal(r, s, n) && equal(rv, sv, n); });
    for (T *p : {x, v, r, s, rv, sv}) CHECK(cudaFree(p));
}

static void sort_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 20);
    sort_keys_row("sort u32", x, n, &ww_type_uint32_t, 42.5);
    sort_keys_row("sort u32", x, size_t(1) << 20, &ww_type_uint32_t, 15);
    keep_few<<<1024, 256, 0, stream>>>(x, n, 16);
    sort_keys_row("sort u32, 16 distinct", x, n, &ww_type_uint32_t, 0);
    CHECK(cudaFree(x));
    x = sorted_array(n, 20);
    sort_keys_row("sort u32, already sorted", x, n, &ww_type_uint32_t, 0);
    CHECK(cudaFree(x));
    uint64_t *y = random_array<uint64_t>(n, 23);
    sort_keys_row("sort u64", y, n, &ww_type_uint64_t, 18);
    CHECK(cudaFree(y));
    ww_u128 *z = random_array<ww_u128>(n / 4, 24);
    sort_keys_row("sort u128", z, n / 4, &ww_type_ww_u128, 6);
    CHECK(cudaFree(z));
    sort_pairs_row<uint32_t>("sort u32 + u32", n, &ww_type_uint32_t, 29);
    sort_pairs_row<uint64_t>("sort u64 + u64", n, &ww_type_uint64_t, 8.6);
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
