/* Rows of random numbers and permutations. Beside fills stand kernels of cuRAND's generator of the same name, curand4 for each 16
 * bytes, many for each thread, whose words are ours; of normal numbers cuRAND's own, which are others. The library curandGenerate
 * is a way where libcurand is found at run time: what it writes is in another order, and is not compared. */
#include <curand_kernel.h>
#include <dlfcn.h>
#include <thrust/device_ptr.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>

#include <cub/device/device_radix_sort.cuh>

#include "harness.cuh"
#include "rows.h"

static const uint64_t seed = 2026, substream = 5;
static const int peer_threads = 256;

/* ---- fills ---- */

enum kind { BITS, UNIT, NORMAL, NORMAL_F64, BELOW };
static const uint32_t bound = 1000;

template <int what> static __global__ void curand_words(uint4 *out, size_t blocks) {
    const uint2 key = {uint32_t(seed), uint32_t(seed >> 32)};
    for (size_t b = blockIdx.x * size_t(blockDim.x) + threadIdx.x; b < blocks; b += size_t(gridDim.x) * blockDim.x) {
        uint4 w = curand_Philox4x32_10(make_uint4(uint32_t(b), uint32_t(b >> 32), uint32_t(substream), uint32_t(substream >> 32)), key);
        if (what == UNIT) {
            const float4 f = {(w.x >> 8) * 0x1p-24f, (w.y >> 8) * 0x1p-24f, (w.z >> 8) * 0x1p-24f, (w.w >> 8) * 0x1p-24f};
            memcpy(&w, &f, sizeof w);
        }
        if (what == BELOW) w = make_uint4(__umulhi(w.x, bound), __umulhi(w.y, bound), __umulhi(w.z, bound), __umulhi(w.w, bound));
        out[b] = w;
    }
}
static __global__ void curand_normals(float4 *out, size_t blocks) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    for (size_t b = blockIdx.x * size_t(blockDim.x) + threadIdx.x; b < blocks; b += size_t(gridDim.x) * blockDim.x)
        out[b] = curand_normal4(&state);
}

static __global__ void curand_normals_f64(double2 *out, size_t blocks) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    for (size_t b = blockIdx.x * size_t(blockDim.x) + threadIdx.x; b < blocks; b += size_t(gridDim.x) * blockDim.x)
        out[b] = curand_normal2_double(&state);
}

/* curandGenerate and its like, where the library is here. */
struct curand_library {
    typedef int create(void **, int);
    typedef int generate(void *, void *, size_t);
    typedef int generate_normal(void *, float *, size_t, float, float);
    typedef int generate_normal_f64(void *, double *, size_t, double, double);
    typedef int set_stream(void *, cudaStream_t);
    typedef int set_ordering(void *, int);
    void *at = dlopen("libcurand.so.10", RTLD_NOW), *generator = nullptr;
    template <class F> F *of(const char *name) const { return reinterpret_cast<F *>(dlsym(at, name)); }
    curand_library() {
        const int philox = 161, best = 100; /* CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_ORDERING_PSEUDO_BEST */
        if (!at || of<create>("curandCreateGenerator")(&generator, philox)) return;
        of<set_stream>("curandSetStream")(generator, stream);
        of<set_ordering>("curandSetGeneratorOrdering")(generator, best);
    }
    std::vector<way> ways(kind what, void *out, size_t n) const {
        if (!generator || what == BELOW) return {};
        const curand_library l = *this;
        if (what == NORMAL_F64)
            return {{"curandGenerateNormalDouble",
                     [=] { l.of<generate_normal_f64>("curandGenerateNormalDouble")(l.generator, (double *)out, n, 0, 1); }}};
        if (what == NORMAL)
            return {{"curandGenerateNormal", [=] { l.of<generate_normal>("curandGenerateNormal")(l.generator, (float *)out, n, 0, 1); }}};
        const char *name = what == BITS ? "curandGenerate" : "curandGenerateUniform";
        return {{name, [=] { l.of<generate>(name)(l.generator, out, n); }}};
    }
};

template <class T> static void fill_row(const char *name, kind what, size_t n) {
    if (!row_wanted(name, n)) return;
    static const curand_library library;
    T *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    const ww_type *type = T(0.5f) == T(0) ? &ww_type_uint32_t : sizeof(T) == 4 ? &ww_type_float : &ww_type_double;
    const ww_array out = ww_array_of(r, n, type);
    const ww_random from = {seed, substream, 0};
    uint4 *words = reinterpret_cast<uint4 *>(s);
    std::vector<way> ways;
    for (int blocks_a_processor : {8, 32})
        ways.push_back({"curand4 in a kernel, " + std::to_string(blocks_a_processor) + " blocks a processor", [=] {
                            const int blocks = 132 * blocks_a_processor;
                            if (what == BITS) curand_words<BITS><<<blocks, peer_threads, 0, stream>>>(words, n / 4);
                            if (what == BELOW) curand_words<BELOW><<<blocks, peer_threads, 0, stream>>>(words, n / 4);
                            if (what == NORMAL_F64) curand_normals_f64<<<blocks, peer_threads, 0, stream>>>((double2 *)words, n / 2);
                            if (what == UNIT) curand_words<UNIT><<<blocks, peer_threads, 0, stream>>>(words, n / 4);
                            if (what == NORMAL) curand_normals<<<blocks, peer_threads, 0, stream>>>((float4 *)words, n / 4);
                        }});
    /* Of a million words below a bound one may have been rejected, and is another there. */
    const bool compared = what == BITS || what == UNIT, normal = what == NORMAL || what == NORMAL_F64;
    const size_t own_ways = ways.size();
    for (const way &w : library.ways(what, s, n)) ways.push_back(w);
    size_t looked_at = 0;
    row(name, n, sizeof(T), 0,
        [=] {
            must(normal ? ww_random_normal(device, from, 0, 1, out)
                 : what == BELOW ? ww_random_below(device, from, bound, out)
                                 : ww_random_fill(device, from, out));
        },
        ways, {{whole(r, n)}, {whole(s, n)}, [&] { return !compared || looked_at++ >= own_ways || equal(r, s, n); }});
    for (T *p : {r, s}) CHECK(cudaFree(p));
}

/* ---- permutations ---- */

static __global__ void mark(const uint32_t *x, uint32_t *seen, size_t n, uint32_t *wrong) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        if (x[i] >= n || atomicExch(seen + x[i], 1)) *wrong = 1;
}

static void shuffle_row(size_t n, bool elements) {
    const char *name = elements ? "shuffle u32" : "permutation u32";
    if (!row_wanted(name, n)) return;
    uint32_t *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n), *seen = gpu_array<uint32_t>(n + 1);
    uint32_t *keys = gpu_array<uint32_t>(n), *keys_out = gpu_array<uint32_t>(n), *count = gpu_array<uint32_t>(n);
    const ww_random from = {seed, substream, 0};
    thrust::sequence(thrust::device_pointer_cast(count), thrust::device_pointer_cast(count) + n);
    CHECK(cudaDeviceSynchronize());
    const auto sort = cub_call([=](void *t, size_t &b) {
        return cub::DeviceRadixSort::SortPairs(t, b, keys, keys_out, count, s, int(n), 0, 32, stream);
    });
    const auto permutes = [=](const uint32_t *x) {
        CHECK(cudaMemsetAsync(seen, 0, (n + 1) * sizeof *seen, stream));
        mark<<<1024, 256, 0, stream>>>(x, seen, n, seen + n);
        return !count_at(seen + n);
    };
    const ww_array out = ww_array_of(r, n, &ww_type_uint32_t);
    row(name, n, elements ? 8 : 4, 0,
        [=] { must(elements ? ww_shuffle(device, from, ww_memory_of(count, n, &ww_type_uint32_t), out) : ww_permutation(device, from, out)); },
        {{"thrust::shuffle_copy",
          [=] {
              thrust::shuffle_copy(thrust::cuda::par_nosync.on(stream), thrust::device_pointer_cast(count),
                                   thrust::device_pointer_cast(count) + n, thrust::device_pointer_cast(s), thrust::default_random_engine(7));
          }},
         {"cuRAND's words, DeviceRadixSort of pairs",
          [=] {
              curand_words<BITS><<<132 * 32, peer_threads, 0, stream>>>(reinterpret_cast<uint4 *>(keys), n / 4);
              sort();
          }}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return permutes(r) && permutes(s); }});
    for (uint32_t *p : {r, s, seen, keys, keys_out, count}) CHECK(cudaFree(p));
}

void random_rows(size_t n) {
    for (size_t m : {n, size_t(1) << 20, size_t(1) << 13}) {
        fill_row<uint32_t>("random u32", BITS, m);
        fill_row<float>("random f32 in [0, 1)", UNIT, m);
        fill_row<uint32_t>("random u32 below 1000", BELOW, m);
        fill_row<float>("normal f32", NORMAL, m);
        fill_row<double>("normal f64", NORMAL_F64, m / 2);
    }
    for (size_t m : {n / 2, size_t(1) << 20, size_t(1) << 13}) {
        shuffle_row(m, false);
        shuffle_row(m, true);
    }
}
