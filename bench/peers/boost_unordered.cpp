// boost::unordered_flat_map, of Boost 1.81 or later.
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/version.hpp>

#include "hash_tables.h"

namespace {

using table = hash_tables::as_standard<boost::unordered_flat_map<uint32_t, uint32_t>>;

void describe(char *text, size_t room) {
    std::snprintf(text, room, "Boost %d.%d, unordered_flat_map, %u threads (searches)", BOOST_VERSION / 100000,
                  BOOST_VERSION / 100 % 1000, hash_tables::threads);
}

} // namespace

extern "C" const peer bench_peer = {"Boost", describe, hash_tables::take_threads, hash_tables::operations<table>,
                                    hash_tables::OPERATIONS};
