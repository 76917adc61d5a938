/* Rows of merging, searching and sets. */
#include <cub/device/device_merge.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>

#include "rows.h"
#include "sorted_keys.cuh"

/* What Thrust's algorithms take for themselves, out of one piece of memory that stays: cudaMalloc is no part of what is timed. */
struct kept_room {
    typedef char value_type;
    char *room;
    size_t bytes;
    char *allocate(std::ptrdiff_t wanted) {
        if (size_t(wanted) > bytes) fprintf(stderr, "Thrust wants %td bytes\n", wanted), exit(1);
        return room;
    }
    void deallocate(char *, size_t) {}
};

void merge_rows(size_t n) {
    uint32_t *a = sorted_array(n, 31), *b = sorted_array(n, 32), *r = gpu_array<uint32_t>(2 * n), *s = gpu_array<uint32_t>(2 * n),
             *va = random_array<uint32_t>(n, 33), *vb = random_array<uint32_t>(n, 34), *rv = gpu_array<uint32_t>(2 * n),
             *sv = gpu_array<uint32_t>(2 * n), *count = gpu_array<uint32_t>(1);
    const ww_type *u32 = &ww_type_uint32_t;
    row("merge u32, halves", 2 * n, 8, 300,
        [=] {
            must(ww_merge(device, nullptr, ww_memory_of(a, n, u32), ww_memory_of(b, n, u32), ww_no_input, ww_no_input,
                          ww_array_of(r, 2 * n, u32), ww_none));
        },
        {{"DeviceMerge::MergeKeys", cub_call([=](void *t, size_t &c) {
              return cub::DeviceMerge::MergeKeys(t, c, a, int(n), b, int(n), s, below(), stream);
          })}},
        {{whole(r, 2 * n)}, {whole(s, 2 * n)}, [=] { return equal(r, s, 2 * n); }});
    row("merge u32 + u32, halves", 2 * n, 16, 160,
        [=] {
            must(ww_merge(device, nullptr, ww_memory_of(a, n, u32), ww_memory_of(b, n, u32), ww_memory_of(va, n, u32),
                          ww_memory_of(vb, n, u32), ww_array_of(r, 2 * n, u32), ww_array_of(rv, 2 * n, u32)));
        },
        {{"DeviceMerge::MergePairs", cub_call([=](void *t, size_t &c) {
              return cub::DeviceMerge::MergePairs(t, c, a, va, int(n), b, vb, int(n), s, sv, below(), stream);
          })}},
        {{whole(r, 2 * n), whole(rv, 2 * n)}, {whole(s, 2 * n), whole(sv, 2 * n)},
         [=] { return equal(r, s, 2 * n) && equal(rv, sv, 2 * n); }});
    /* CUB has no sets. Thrust's call waits for its count, ours leaves it in the GPU's memory. */
    static size_t united;
    static kept_room room;
    const size_t bytes = std::max(n, size_t(1) << 20);
    room = {gpu_array<char>(bytes), bytes};
    row("set union u32, halves", 2 * n, 8, 0,
        [=] {
            must(ww_set_union(device, nullptr, ww_memory_of(a, n, u32), ww_memory_of(b, n, u32), ww_array_of(r, 2 * n, u32),
                              ww_array_of(count, 1, u32)));
        },
        {{"thrust::set_union",
          [=] { united = thrust::set_union(thrust::cuda::par_nosync(room).on(stream), a, a + n, b, b + n, s) - s; }}},
        {{whole(r, 2 * n), whole(count, 1)}, {whole(s, 2 * n)},
         [=] { return count_at(count) == united && equal(r, s, united); }});
    for (uint32_t *p : {a, b, r, s, va, vb, rv, sv, count}) CHECK(cudaFree(p));
    CHECK(cudaFree(room.room));
}

static __global__ void search_each(const uint32_t *sorted, uint32_t m, const uint32_t *needles, uint32_t *out, size_t n) {
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

/* CUB has no search. */
void search_rows(size_t n) {
    uint32_t *sorted = sorted_array(n, 41), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    const ww_type *u32 = &ww_type_uint32_t;
    uint32_t *both[] = {sorted_array(n, 42), random_array<uint32_t>(n, 43)};
    for (int k = 0; k < 2; k++) {
        uint32_t *needles = both[k];
        row(k ? "lower bound, random needles" : "lower bound, sorted needles", n, 12, k ? 9 : 140,
            [=] {
                must(ww_lower_bound(device, nullptr, ww_memory_of(sorted, n, u32), ww_memory_of(needles, n, u32),
                                    ww_array_of(r, n, u32)));
            },
            {{"a kernel, a thread a needle", [=] { search_each<<<4096, 256, 0, stream>>>(sorted, uint32_t(n), needles, s, n); }},
             {"thrust::lower_bound",
              [=] {
                  thrust::lower_bound(thrust::cuda::par_nosync.on(stream), sorted, sorted + n, needles, needles + n, s, below());
              }}},
            {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    }
    for (uint32_t *p : {sorted, r, s, both[0], both[1]}) CHECK(cudaFree(p));
}
