/* Rows of runs of equal neighbours and of segments. */
#include "harness.cuh"

__global__ void make_runs(uint32_t *keys, size_t n, uint32_t mean) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        keys[i] = uint32_t(i / mean);
}
__global__ void make_offsets(uint32_t *offsets, size_t segments, uint32_t length) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i <= segments; i += size_t(gridDim.x) * blockDim.x)
        offsets[i] = uint32_t(i * length);
}

static void run_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 51), *keys = gpu_array<uint32_t>(n), *r = gpu_array<uint32_t>(n),
             *s = gpu_array<uint32_t>(n), *rv = gpu_array<uint32_t>(n), *sv = gpu_array<uint32_t>(n), *count = gpu_array<uint32_t>(2);
    const ww_type *u32 = &ww_type_uint32_t;
    make_runs<<<1024, 256, 0, stream>>>(keys, n, 8);
    for (uint32_t *p : {r, s, rv, sv}) CHECK(cudaMemset(p, 0, n * 4));
    const ww_array total = ww_array_of(count, 1, u32), out = ww_array_of(r, n, u32), values = ww_array_of(rv, n, u32);
    const ww_input in = ww_memory_of(keys, n, u32);
    row("run lengths u32, runs of 8", n, 5, 0, [=] { must(ww_run_lengths(device, in, out, values, total)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, keys, s, sv, count + 1, n, stream); }),
        [=] { return equal(count, count + 1, 1) && equal(r, s, n) && equal(rv, sv, n); });
    row("unique u32, runs of 8", n, 4.5, 0, [=] { must(ww_unique(device, in, out, total)); },
        cub_call([=](void *t, size_t &b) { return cub::DeviceSelect::Unique(t, b, keys, s, count + 1, n, stream); }),
        [=] { return equal(count, count + 1, 1) && equal(r, s, n); });
    row("reduce by key u32, runs of 8", n, 9, 0,
        [=] { must(ww_reduce_by_key(device, &ww_add, in, ww_memory_of(x, n, u32), out, values, total)); },
        cub_call([=](void *t, size_t &b) {
            return cub::DeviceReduce::ReduceByKey(t, b, keys, s, x, sv, count + 1, ::cuda::std::plus<>(), n, stream);
        }),
        [=] { return equal(count, count + 1, 1) && equal(r, s, n) && equal(rv, sv, n); });
    row("adjacent difference u32", n, 8, 0, [=] { must(ww_adjacent_difference(device, ww_memory_of(x, n, u32), out)); },
        cub_call([=](void *t, size_t &b) {
            return cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, x, s, n, ::cuda::std::minus<>(), stream);
        }),
        [=] { return equal(r, s, n); });
    uint32_t *offsets = gpu_array<uint32_t>(n / 8 + 1);
    for (uint32_t length : {8u, 32u, 1024u}) {
        const size_t segments = n / length;
        char name[64];
        snprintf(name, sizeof name, "reduce u32 by segments of %u", length);
        make_offsets<<<1024, 256, 0, stream>>>(offsets, segments, length);
        row(name, n, 4 + 8.0 / length, 0,
            [=] {
                must(ww_reduce_segments(device, &ww_add, ww_memory_of(x, n, u32), ww_memory_of(offsets, segments + 1, u32),
                                        ww_array_of(r, segments, u32)));
            },
            cub_call([=](void *t, size_t &b) {
                return cub::DeviceSegmentedReduce::Sum(t, b, x, s, int(segments), offsets, offsets + 1, stream);
            }),
            [=] { return equal(r, s, segments); });
    }
    uint32_t *least = gpu_array<uint32_t>(2);
    row("arg min u32 (beside CUB's min)", n, 4, 0,
        [=] {
            must(ww_arg_min(device, nullptr, ww_memory_of(x, n, u32), ww_array_of(least, 1, u32), ww_array_of(count, 1, u32)));
        },
        cub_call([=](void *t, size_t &b) { return cub::DeviceReduce::Min(t, b, x, least + 1, n, stream); }),
        [=] { return equal(least, least + 1, 1); });
    for (uint32_t *p : {x, keys, r, s, rv, sv, count, offsets, least}) CHECK(cudaFree(p));
}
