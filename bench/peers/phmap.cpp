// phmap::flat_hash_map.
#include <parallel_hashmap/phmap.h>

#include "hash_tables.h"

namespace {

using table = hash_tables::as_standard<phmap::flat_hash_map<uint32_t, uint32_t>>;

void describe(char *text, size_t room) {
    std::snprintf(text, room, "phmap %d.%d.%d, flat_hash_map, %u threads (searches)", PHMAP_VERSION_MAJOR,
                  PHMAP_VERSION_MINOR, PHMAP_VERSION_PATCH, hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"phmap", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
