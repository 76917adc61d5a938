// libcuckoo::cuckoohash_map, which several threads change at once.
#include <libcuckoo/cuckoohash_map.hh>

#include "hash_tables.h"

namespace {

struct table {
    static constexpr bool concurrent = true;
    libcuckoo::cuckoohash_map<uint32_t, uint32_t> map;
    void reserve(size_t n) { map.reserve(n); }
    bool insert(uint32_t key, uint32_t value) { return map.insert(key, value); }
    bool erase(uint32_t key) { return map.erase(key); }
    bool find(uint32_t key, uint32_t &value) const { return map.find(key, value); }
    size_t size() const { return map.size(); }
};

void describe(char *text, size_t room) { std::snprintf(text, room, "libcuckoo, %u threads", hash_tables::threads); }

} // namespace

extern "C" const peer bench_peer = {"libcuckoo", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
