// absl::flat_hash_map, as packaged.
#include <absl/base/config.h>
#include <absl/container/flat_hash_map.h>

#include "hash_tables.h"

namespace {

using table = hash_tables::as_standard<absl::flat_hash_map<uint32_t, uint32_t>>;

void describe(char *text, size_t room) {
    std::snprintf(text, room, "Abseil %d.%d, %u threads (searches)", ABSL_LTS_RELEASE_VERSION,
                  ABSL_LTS_RELEASE_PATCH_LEVEL, hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"Abseil", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
