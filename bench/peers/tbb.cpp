// oneTBB, through the parallel algorithms of the C++ standard library.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <execution>
#include <memory>
#include <numeric>

#include <tbb/global_control.h>
#include <tbb/version.h>

#include "peer.h"

namespace {

const std::execution::parallel_policy &par = std::execution::par;

struct pair {
    uint32_t key, value;
};

const uint32_t *in(const bench_work *w) { return static_cast<const uint32_t *>(w->in); }
const uint32_t *second(const bench_work *w) { return static_cast<const uint32_t *>(w->second); }
const uint8_t *flags(const bench_work *w) { return static_cast<const uint8_t *>(w->second); }
uint32_t *out(bench_work *w) { return static_cast<uint32_t *>(w->out); }

void reduce(bench_work *w) { w->result = std::reduce(par, in(w), in(w) + w->n, uint32_t{0}); }

void inclusive_scan(bench_work *w) { std::inclusive_scan(par, in(w), in(w) + w->n, out(w)); }

void exclusive_scan(bench_work *w) { std::exclusive_scan(par, in(w), in(w) + w->n, out(w), uint32_t{0}); }

void enumerate(bench_work *w) {
    const auto *flag = static_cast<const uint8_t *>(w->in);
    std::transform_exclusive_scan(par, flag, flag + w->n, out(w), uint32_t{0}, std::plus<uint32_t>{},
                                  [](uint8_t f) { return uint32_t{f != 0}; });
    w->result = w->n ? out(w)[w->n - 1] + (flag[w->n - 1] != 0) : 0;
}

void map(bench_work *w) {
    std::transform(par, in(w), in(w) + w->n, out(w), [](uint32_t x) { return x * 2 + 1; });
}

// The element's address says which flag is its own.
void pack_by_flags(bench_work *w) {
    const uint32_t *x = in(w);
    const uint8_t *f = flags(w);
    const auto *end = std::copy_if(par, x, x + w->n, out(w), [=](const uint32_t &e) { return f[&e - x] != 0; });
    w->result = static_cast<uint64_t>(end - out(w));
}

void pack_by_predicate(bench_work *w) {
    const auto *end = std::copy_if(par, in(w), in(w) + w->n, out(w), [](uint32_t x) { return (x & 1) != 0; });
    w->result = static_cast<uint64_t>(end - out(w));
}

// Two outputs, as the zeros' number is not known before; joined before the check.
void split_by_flags(bench_work *w) {
    const uint32_t *x = in(w);
    const uint8_t *f = flags(w);
    const auto ends = std::partition_copy(par, x, x + w->n, out(w), static_cast<uint32_t *>(w->aside),
                                          [=](const uint32_t &e) { return f[&e - x] == 0; });
    w->result = static_cast<uint64_t>(ends.first - out(w));
}

void split_by_predicate(bench_work *w) {
    const auto ends = std::partition_copy(par, in(w), in(w) + w->n, out(w), static_cast<uint32_t *>(w->aside),
                                          [](uint32_t x) { return (x & 1) == 0; });
    w->result = static_cast<uint64_t>(ends.first - out(w));
}

void join_sides(bench_work *w) { std::memcpy(out(w) + w->result, w->aside, (w->n - w->result) * sizeof(uint32_t)); }

void copy_keys(bench_work *w) { std::memcpy(w->out, w->in, w->out_bytes); }

void sort_u32(bench_work *w) { std::sort(par, out(w), out(w) + w->n); }

void sort_u64(bench_work *w) {
    auto *x = static_cast<uint64_t *>(w->out);
    std::sort(par, x, x + w->n);
}

pair *pairs(bench_work *w) { return static_cast<pair *>(w->aside); }

void zip_pairs(bench_work *w) {
    for (size_t i = 0; i < w->n; i++) pairs(w)[i] = {in(w)[i], second(w)[i]};
}

void unzip_pairs(bench_work *w) {
    auto *values = static_cast<uint32_t *>(w->out_second);
    for (size_t i = 0; i < w->n; i++) {
        out(w)[i] = pairs(w)[i].key;
        values[i] = pairs(w)[i].value;
    }
}

void stable_sort_pairs(bench_work *w) {
    std::stable_sort(par, pairs(w), pairs(w) + w->n, [](const pair &a, const pair &b) { return a.key < b.key; });
}

void sort_by_order(bench_work *w) {
    std::stable_sort(par, out(w), out(w) + w->n, [](uint32_t a, uint32_t b) { return a < b; });
}

// Where the algorithm on one thread is faster than the parallel one with two, it stands here.
void top_few(bench_work *w) { std::partial_sort_copy(in(w), in(w) + w->n, out(w), out(w) + w->m); }

void top_many(bench_work *w) {
    std::nth_element(par, out(w), out(w) + (w->m - 1), out(w) + w->n);
    std::sort(par, out(w), out(w) + w->m);
}

void nth(bench_work *w) { std::nth_element(out(w), out(w) + w->m, out(w) + w->n); }

void tell_nth(bench_work *w) { w->result = out(w)[w->m]; }

// The address of a segment's offset says which is the next one's.
void sort_segments(bench_work *w) {
    const uint32_t *offsets = second(w);
    uint32_t *x = out(w);
    std::for_each(par, offsets, offsets + w->m, [=](const uint32_t &first) { std::sort(x + first, x + (&first)[1]); });
}

void gather(bench_work *w) {
    const uint32_t *from = in(w);
    std::transform(par, second(w), second(w) + w->n, out(w), [=](uint32_t i) { return from[i]; });
}

struct record {
    uint32_t word[32];
};

void gather_records(bench_work *w) {
    const auto *from = static_cast<const record *>(w->in);
    std::transform(par, second(w), second(w) + w->n, static_cast<record *>(w->out),
                   [=](uint32_t i) { return from[i]; });
}

void sort_records(bench_work *w) {
    auto *x = static_cast<record *>(w->out);
    std::stable_sort(par, x, x + w->n, [](const record &a, const record &b) {
        return __builtin_bswap32(a.word[0]) < __builtin_bswap32(b.word[0]);
    });
}

void scatter(bench_work *w) {
    const uint32_t *x = in(w), *index = second(w);
    uint32_t *to = out(w);
    std::for_each(par, x, x + w->n, [=](const uint32_t &e) { to[index[&e - x]] = e; });
}

void merge(bench_work *w) { std::merge(par, in(w), in(w) + (w->n - w->m), second(w), second(w) + w->m, out(w)); }

void lower_bound(bench_work *w) {
    const uint32_t *sorted = second(w), *end = sorted + w->m;
    std::transform(par, in(w), in(w) + w->n, out(w), [=](uint32_t needle) {
        return static_cast<uint32_t>(std::lower_bound(sorted, end, needle) - sorted);
    });
}

void unique_copy(bench_work *w) {
    w->result = static_cast<uint64_t>(std::unique_copy(par, in(w), in(w) + w->n, out(w)) - out(w));
}

const peer_operation operations[] = {
    {"reduce u32", "std::reduce(par)", nullptr, reduce, nullptr},
    {"inclusive scan u32", "std::inclusive_scan(par)", nullptr, inclusive_scan, nullptr},
    {"exclusive scan u32", "std::exclusive_scan(par)", nullptr, exclusive_scan, nullptr},
    {"enumerate", "std::transform_exclusive_scan(par)", nullptr, enumerate, nullptr},
    {"map u32", "std::transform(par)", nullptr, map, nullptr},
    {"pack by flags", "std::copy_if(par)", nullptr, pack_by_flags, nullptr},
    {"pack by predicate", "std::copy_if(par)", nullptr, pack_by_predicate, nullptr},
    {"split by flags", "std::partition_copy(par)", nullptr, split_by_flags, join_sides},
    {"split by predicate", "std::partition_copy(par)", nullptr, split_by_predicate, join_sides},
    {"sort u32", "std::sort(par), not stable", copy_keys, sort_u32, nullptr},
    {"sort u64", "std::sort(par), not stable", copy_keys, sort_u64, nullptr},
    {"sort u32 + u32", "std::stable_sort(par) of structs", zip_pairs, stable_sort_pairs, unzip_pairs},
    {"sort by order u32", "std::stable_sort(par)", copy_keys, sort_by_order, nullptr},
    {"top 1000 of u32", "std::partial_sort_copy, 1 thread", nullptr, top_few, nullptr},
    {"top n/16 of u32", "std::nth_element(par), std::sort(par)", copy_keys, top_many, nullptr},
    {"n-th of u32", "std::nth_element, 1 thread", copy_keys, nth, tell_nth},
    {"segments of u32", "std::sort in std::for_each(par), not stable", copy_keys, sort_segments, nullptr},
    {"sort records of 128 bytes by 4", "std::stable_sort(par)", copy_keys, sort_records, nullptr},
    {"gather u32", "std::transform(par), unchecked", nullptr, gather, nullptr},
    {"gather records of 128 bytes", "std::transform(par), unchecked", nullptr, gather_records, nullptr},
    {"scatter u32", "std::for_each(par), unchecked", nullptr, scatter, nullptr},
    {"merge u32", "std::merge(par)", nullptr, merge, nullptr},
    {"lower bound u32", "std::lower_bound in std::transform(par)", nullptr, lower_bound, nullptr},
    {"unique u32", "std::unique_copy(par)", nullptr, unique_copy, nullptr},
};

void describe(char *text, size_t room) {
    std::snprintf(text, room,
                  "oneTBB %s under the parallel algorithms of libstdc++, C++ compiler %s, -O3 -march=native",
                  TBB_runtime_version(), __VERSION__);
}

std::unique_ptr<tbb::global_control> limit;

void threads(unsigned count) {
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

} // namespace

extern "C" const peer bench_peer = {"TBB", describe, threads, operations, sizeof operations / sizeof operations[0]};
