// phmap::parallel_flat_hash_map, 64 tables with a lock each, which several threads change at once.
#include <parallel_hashmap/phmap.h>

#include <mutex>

#include "hash_tables.h"

namespace {

struct table {
    static constexpr bool concurrent = true;
    using all = phmap::parallel_flat_hash_map<uint32_t, uint32_t, phmap::priv::hash_default_hash<uint32_t>,
                                              phmap::priv::hash_default_eq<uint32_t>,
                                              std::allocator<std::pair<const uint32_t, uint32_t>>, 6, std::mutex>;
    all map;
    void reserve(size_t n) { map.reserve(n); }
    bool insert(uint32_t key, uint32_t value) {
        return map.lazy_emplace_l(key, [](all::value_type &) {}, [=](const all::constructor &make) { make(key, value); });
    }
    bool erase(uint32_t key) { return map.erase(key) != 0; }
    bool find(uint32_t key, uint32_t &value) const {
        return map.if_contains(key, [&](const all::value_type &pair) { value = pair.second; });
    }
    size_t size() const { return map.size(); }
};

void describe(char *text, size_t room) {
    std::snprintf(text, room, "phmap %d.%d.%d, parallel_flat_hash_map, %u threads", PHMAP_VERSION_MAJOR,
                  PHMAP_VERSION_MINOR, PHMAP_VERSION_PATCH, hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"phmap-parallel", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
