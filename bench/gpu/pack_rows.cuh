/* Rows of pack and split. */
#include "harness.cuh"

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
