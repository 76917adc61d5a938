/* bench-peer-cuco.so: static maps of cuCollections, as the fastest ones of it were found to be on an H100: linear probing by one thread and
 * double hashing by two, buckets of two slots each. */
#include <cuda/std/functional>
#include <thrust/functional.h>

#include <utility>

/* Toolkits from CUDA 13 on have no thrust::identity, which the library's releases until then use. */
#include <cub/version.cuh>
#if CUB_MAJOR_VERSION >= 3
namespace thrust {
template <class T = void> struct identity {
    __host__ __device__ const T &operator()(const T &x) const { return x; }
};
template <> struct identity<void> {
    template <class T> __host__ __device__ constexpr T &&operator()(T &&x) const { return std::forward<T>(x); }
};
}
#endif

#include <cuco/static_map.cuh>

#include "gpu_tables.cuh"

using pair = cuco::pair<uint32_t, uint32_t>;
using hash = cuco::default_hash_function<uint32_t>;

template <class Probing> struct map_table : table {
    cuco::static_map<uint32_t, uint32_t, cuco::extent<std::size_t>, cuda::thread_scope_device, thrust::equal_to<uint32_t>, Probing,
                     cuco::cuda_allocator<pair>, cuco::storage<2>>
        map;
    explicit map_table(uint64_t slots)
        : map(cuco::extent<std::size_t>{slots}, cuco::empty_key<uint32_t>{no_key}, cuco::empty_value<uint32_t>{no_value}, {}, {}, {}, {},
              {}, stream) {}
    bool build(const uint32_t *keys, const uint32_t *values, uint64_t n) override {
        const auto pairs = pairs_of<pair>(keys, values);
        map.clear_async(stream);
        map.insert_async(pairs, pairs + n, stream);
        return true;
    }
    void find(const uint32_t *keys, uint32_t *values, uint64_t n) override { map.find_async(keys, keys + n, values, stream); }
};

static std::unique_ptr<table> make_table(gpu_table_way way, uint64_t slots) {
    if (way == GPU_TABLE_FIRST) return std::make_unique<map_table<cuco::linear_probing<1, hash>>>(slots);
    return std::make_unique<map_table<cuco::double_hashing<2, hash, hash>>>(slots);
}

static void describe(char *text, size_t room) {
    std::snprintf(text, room, "cuCollections with CCCL %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
}
