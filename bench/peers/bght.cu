/* bench-peer-bght.so: BGHT's bucketed cuckoo tables, with buckets of 8 and of 16 slots. An insertion of its own waits, and says whether all
 * pairs found a place: where they did not, others of its hash functions are tried. */
#include <bght/bcht.hpp>
#include <cub/version.cuh>

#include <random>

#include "gpu_tables.cuh"

using pair = bght::pair<uint32_t, uint32_t>;

template <class M> struct map_table : table {
    M map;
    std::mt19937 random{2};
    explicit map_table(uint64_t slots) : map(slots, no_key, no_value) {}
    bool build(const uint32_t *keys, const uint32_t *values, uint64_t n) override {
        const int tries = 10;
        const auto pairs = pairs_of<pair>(keys, values);
        for (int k = 0; k < tries; k++) {
            if (k) map.randomize_hash_functions(random);
            map.clear();
            if (map.insert(pairs, pairs + n, stream)) return true;
        }
        return false;
    }
    void find(const uint32_t *keys, uint32_t *values, uint64_t n) override { map.find(keys, keys + n, values, stream); }
};

static std::unique_ptr<table> make_table(gpu_table_way way, uint64_t slots) {
    if (way == GPU_TABLE_FIRST) return std::make_unique<map_table<bght::bcht8<uint32_t, uint32_t>>>(slots);
    return std::make_unique<map_table<bght::bcht16<uint32_t, uint32_t>>>(slots);
}

static void describe(char *text, size_t room) {
    std::snprintf(text, room, "BGHT with CCCL %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
}
