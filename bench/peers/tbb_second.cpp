// oneTBB once more, in the other ways that are sensible: std::execution::par_unseq, TBB's own sort, which works in place,
// positions sorted instead of records, and a sum that is moved by one. The better of both counts.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "tbb_inputs.h"

namespace {

using namespace tbb_algorithms;
constexpr const auto &unseq = std::execution::par_unseq;

void exclusive_scan_moved(bench_work *w) {
    if (!w->n) return;
    out(w)[0] = 0;
    std::inclusive_scan(std::execution::par, in(w), in(w) + (w->n - 1), out(w) + 1);
}

void own_sort_u32(bench_work *w) { tbb::parallel_sort(out(w), out(w) + w->n); }

void own_sort_u64(bench_work *w) {
    auto *x = static_cast<uint64_t *>(w->out);
    tbb::parallel_sort(x, x + w->n);
}

// The key above the value, or above the position: the stable order, as values are positions.
uint64_t *numbers(bench_work *w) { return static_cast<uint64_t *>(w->aside); }

void zip_numbers(bench_work *w) {
    for (size_t i = 0; i < w->n; i++) numbers(w)[i] = uint64_t{in(w)[i]} << 32 | second(w)[i];
}

void sort_numbers(bench_work *w) { tbb::parallel_sort(numbers(w), numbers(w) + w->n); }

void unzip_numbers(bench_work *w) {
    auto *values = static_cast<uint32_t *>(w->out_second);
    for (size_t i = 0; i < w->n; i++) {
        out(w)[i] = static_cast<uint32_t>(numbers(w)[i] >> 32);
        values[i] = static_cast<uint32_t>(numbers(w)[i]);
    }
}

void sort_positions(bench_work *w) {
    const auto *from = static_cast<const record *>(w->in);
    auto *to = static_cast<record *>(w->out);
    static std::unique_ptr<uint64_t[]> order;
    static size_t room;
    if (room < w->n) order.reset(new uint64_t[room = w->n]);
    const auto range = [&](auto f) {
        tbb::parallel_for(tbb::blocked_range<size_t>(0, w->n), [=](const tbb::blocked_range<size_t> &r) {
            for (size_t i = r.begin(); i < r.end(); i++) f(i);
        });
    };
    uint64_t *x = order.get();
    range([=](size_t i) { x[i] = uint64_t{__builtin_bswap32(from[i].word[0])} << 32 | i; });
    tbb::parallel_sort(x, x + w->n);
    range([=](size_t i) { to[i] = from[static_cast<uint32_t>(x[i])]; });
}

void parallel_nth(bench_work *w) { std::nth_element(std::execution::par, out(w), out(w) + w->m, out(w) + w->n); }

const peer_operation operations[] = {
    {"reduce u32", "std::reduce(par_unseq)", nullptr, reduce<unseq>, nullptr},
    {"inclusive scan u32", "std::inclusive_scan(par_unseq)", nullptr, inclusive_scan<unseq>, nullptr},
    {"exclusive scan u32", "std::inclusive_scan(par), moved by one", nullptr, exclusive_scan_moved, nullptr},
    {"enumerate", "std::transform_exclusive_scan(par_unseq)", nullptr, enumerate<unseq>, nullptr},
    {"map u32", "std::transform(par_unseq)", nullptr, map<unseq>, nullptr},
    {"pack by flags", "std::copy_if(par_unseq)", nullptr, pack_by_flags<unseq>, nullptr},
    {"pack by predicate", "std::copy_if(par_unseq)", nullptr, pack_by_predicate<unseq>, nullptr},
    {"split by flags", "std::partition_copy(par_unseq)", nullptr, split_by_flags<unseq>, join_sides},
    {"split by predicate", "std::partition_copy(par_unseq)", nullptr, split_by_predicate<unseq>, join_sides},
    {"sort u32", "tbb::parallel_sort, not stable", copy_keys, own_sort_u32, nullptr},
    {"sort u64", "tbb::parallel_sort, not stable", copy_keys, own_sort_u64, nullptr},
    {"sort u32 + u32", "tbb::parallel_sort of pairs as u64", zip_numbers, sort_numbers, unzip_numbers},
    {"sort by order u32", "tbb::parallel_sort, not stable", copy_keys, own_sort_u32, nullptr},
    {"n-th of u32", "std::nth_element(par)", copy_keys, parallel_nth, tell_nth},
    {"sort records of 128 bytes by 4", "tbb::parallel_sort of keys with positions, a gather", nullptr, sort_positions,
     nullptr},
    {"gather u32", "std::transform(par_unseq), unchecked", nullptr, gather<unseq>, nullptr},
    {"gather records of 128 bytes", "std::transform(par_unseq), unchecked", nullptr, gather_records<unseq>, nullptr},
    {"scatter u32", "std::for_each(par_unseq), unchecked", nullptr, scatter<unseq>, nullptr},
    {"lower bound u32", "std::lower_bound in std::transform(par_unseq)", nullptr, lower_bound<unseq>, nullptr},
    {"unique u32", "std::unique_copy(par_unseq)", nullptr, unique_copy<unseq>, nullptr},
    {"sum of u8", "std::transform_reduce(par_unseq)", nullptr, sum_of_bytes<unseq>, nullptr},
    {"sum of u32 at indices", "std::transform_reduce(par_unseq), unchecked", nullptr, sum_at_indices<unseq>, nullptr},
    {"sum of products of u32", "std::transform_reduce(par_unseq)", nullptr, sum_of_products<unseq>, nullptr},
    {"three neighbours of u32", "std::transform(par_unseq)", nullptr, three_neighbours<unseq>, nullptr},
};

} // namespace

extern "C" const peer bench_peer = {"TBB-2", describe, threads, operations, sizeof operations / sizeof operations[0]};
