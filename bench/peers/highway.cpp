// Highway's vqsort, from the package's own library (which picks the vector width at run time). One thread.
#include <cstdio>
#include <cstring>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include "peer.h"

namespace {

const hwy::Sorter &sorter() {
    static const hwy::Sorter s;
    return s;
}

void copy_keys(bench_work *w) { std::memcpy(w->out, w->in, w->out_bytes); }

void sort_u32(bench_work *w) { sorter()(static_cast<uint32_t *>(w->out), w->n, hwy::SortAscending()); }

void sort_u64(bench_work *w) { sorter()(static_cast<uint64_t *>(w->out), w->n, hwy::SortAscending()); }

// A pair is one number, the key above the value: ordered by key and then by value, which is the stable order here, where
// values are positions. (K32V32 of Highway 1.0.3 is no choice: of pairs with equal keys it doubles some and loses others.)
uint64_t *pairs(bench_work *w) { return static_cast<uint64_t *>(w->aside); }

void zip_pairs(bench_work *w) {
    const auto *keys = static_cast<const uint32_t *>(w->in), *values = static_cast<const uint32_t *>(w->second);
    for (size_t i = 0; i < w->n; i++) pairs(w)[i] = uint64_t{keys[i]} << 32 | values[i];
}

void sort_pairs(bench_work *w) { sorter()(pairs(w), w->n, hwy::SortAscending()); }

void unzip_pairs(bench_work *w) {
    auto *keys = static_cast<uint32_t *>(w->out), *values = static_cast<uint32_t *>(w->out_second);
    for (size_t i = 0; i < w->n; i++) {
        keys[i] = static_cast<uint32_t>(pairs(w)[i] >> 32);
        values[i] = static_cast<uint32_t>(pairs(w)[i]);
    }
}

const peer_operation operations[] = {
    {"sort u32", "vqsort, 1 thread, not stable", copy_keys, sort_u32, nullptr},
    {"sort u64", "vqsort, 1 thread, not stable", copy_keys, sort_u64, nullptr},
    {"sort u32 + u32", "vqsort of pairs as u64, 1 thread", zip_pairs, sort_pairs, unzip_pairs},
};

void describe(char *text, size_t room) {
    const int64_t supported = hwy::SupportedTargets();
    std::snprintf(text, room, "Highway %d.%d.%d, best target %s", HWY_MAJOR, HWY_MINOR, HWY_PATCH,
                  hwy::TargetName(supported & -supported));
}

void threads(unsigned) {}

} // namespace

extern "C" const peer bench_peer = {"Highway", describe, threads, operations, sizeof operations / sizeof operations[0]};
