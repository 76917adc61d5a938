// tsl::robin_map, with keys mixed first: std::hash of a number is the number.
#include <tsl/robin_map.h>

#include "hash_tables.h"

namespace {

struct mixed {
    size_t operator()(uint32_t key) const {
        const uint64_t x = key * UINT64_C(0x9E3779B97F4A7C15);
        return static_cast<size_t>(x ^ x >> 32);
    }
};
using table = hash_tables::as_standard<tsl::robin_map<uint32_t, uint32_t, mixed>>;

void describe(char *text, size_t room) {
    std::snprintf(text, room, "tsl::robin_map, %u threads (searches)", hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"robin_map", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
