// parlay::parlay_unordered_map, which several threads change at once without locks.
#include <parlay_hash/unordered_map.h>

#include "hash_tables.h"

namespace {

struct table {
    static constexpr bool concurrent = true;
    std::unique_ptr<parlay::parlay_unordered_map<uint32_t, uint32_t>> map;
    void reserve(size_t n) {
        map = std::make_unique<parlay::parlay_unordered_map<uint32_t, uint32_t>>(static_cast<long>(n));
    }
    bool insert(uint32_t key, uint32_t value) { return !map->Insert(key, value); }
    bool erase(uint32_t key) { return map->Remove(key).has_value(); }
    bool find(uint32_t key, uint32_t &value) const {
        const auto found = map->Find(key);
        if (found) value = *found;
        return found.has_value();
    }
    size_t size() const { return static_cast<size_t>(map->size()); }
};

void describe(char *text, size_t room) {
    std::snprintf(text, room, "parlayhash, %u threads", hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"parlayhash", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
