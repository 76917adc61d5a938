// ankerl::unordered_dense::map, pairs in one array and an index of them.
#include <ankerl/unordered_dense.h>

#include "hash_tables.h"

namespace {

using table = hash_tables::as_standard<ankerl::unordered_dense::map<uint32_t, uint32_t>>;

void describe(char *text, size_t room) {
    std::snprintf(text, room, "unordered_dense %d.%d.%d, %u threads (searches)", ANKERL_UNORDERED_DENSE_VERSION_MAJOR,
                  ANKERL_UNORDERED_DENSE_VERSION_MINOR, ANKERL_UNORDERED_DENSE_VERSION_PATCH, hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"unordered_dense", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
