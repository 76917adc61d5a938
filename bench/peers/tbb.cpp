// oneTBB, through the parallel algorithms of the C++ standard library: std::execution::par.
#include "tbb_inputs.h"

namespace {

using namespace tbb_algorithms;
constexpr const auto &par = std::execution::par;

const peer_operation operations[] = {
    {"reduce u32", "std::reduce(par)", nullptr, reduce<par>, nullptr},
    {"inclusive scan u32", "std::inclusive_scan(par)", nullptr, inclusive_scan<par>, nullptr},
    {"exclusive scan u32", "std::exclusive_scan(par)", nullptr, exclusive_scan<par>, nullptr},
    {"enumerate", "std::transform_exclusive_scan(par)", nullptr, enumerate<par>, nullptr},
    {"map u32", "std::transform(par)", nullptr, map<par>, nullptr},
    {"pack by flags", "std::copy_if(par)", nullptr, pack_by_flags<par>, nullptr},
    {"pack by predicate", "std::copy_if(par)", nullptr, pack_by_predicate<par>, nullptr},
    {"split by flags", "std::partition_copy(par)", nullptr, split_by_flags<par>, join_sides},
    {"split by predicate", "std::partition_copy(par)", nullptr, split_by_predicate<par>, join_sides},
    {"sort u32", "std::sort(par), not stable", copy_keys, sort_u32<par>, nullptr},
    {"sort u64", "std::sort(par), not stable", copy_keys, sort_u64<par>, nullptr},
    {"sort u32 + u32", "std::stable_sort(par) of structs", zip_pairs, stable_sort_pairs<par>, unzip_pairs},
    {"sort by order u32", "std::stable_sort(par)", copy_keys, sort_by_order<par>, nullptr},
    {"top 1000 of u32", "std::partial_sort_copy, 1 thread", nullptr, top_few, nullptr},
    {"top n/16 of u32", "std::nth_element(par), std::sort(par)", copy_keys, top_many<par>, nullptr},
    {"n-th of u32", "std::nth_element, 1 thread", copy_keys, nth, tell_nth},
    {"segments of u32", "std::sort in std::for_each(par), not stable", copy_keys, sort_segments<par>, nullptr},
    {"sort records of 128 bytes by 4", "std::stable_sort(par)", copy_keys, sort_records<par>, nullptr},
    {"gather u32", "std::transform(par), unchecked", nullptr, gather<par>, nullptr},
    {"gather records of 128 bytes", "std::transform(par), unchecked", nullptr, gather_records<par>, nullptr},
    {"scatter u32", "std::for_each(par), unchecked", nullptr, scatter<par>, nullptr},
    {"merge u32", "std::merge(par)", nullptr, merge<par>, nullptr},
    {"lower bound u32", "std::lower_bound in std::transform(par)", nullptr, lower_bound<par>, nullptr},
    {"count if u32", "std::count_if(par)", nullptr, count_if<par>, nullptr},
    {"find if u32", "std::find_if(par)", nullptr, find_if<par>, nullptr},
    {"is sorted u32", "std::is_sorted(par)", nullptr, is_sorted<par>, nullptr},
    {"min max f32", "std::minmax_element(par)", nullptr, min_max<par>, nullptr},
    {"reverse u32", "std::reverse_copy(par)", nullptr, reverse<par>, nullptr},
    {"rotate u32", "std::rotate_copy(par)", nullptr, rotate<par>, nullptr},
    {"transpose u8", "squares of 32 in std::for_each(par)", nullptr, transpose<par, uint8_t>, nullptr},
    {"transpose u32", "squares of 32 in std::for_each(par)", nullptr, transpose<par, uint32_t>, nullptr},
    {"transpose u32, 5000 rows", "squares of 32 in std::for_each(par)", nullptr, transpose<par, uint32_t>, nullptr},
    {"transpose u64", "squares of 32 in std::for_each(par)", nullptr, transpose<par, uint64_t>, nullptr},
    {"transpose u32, 3 rows", "squares of 32 in std::for_each(par)", nullptr, transpose<par, uint32_t>, nullptr},
    {"unique u32", "std::unique_copy(par)", nullptr, unique_copy<par>, nullptr},
    {"random u64", "std::mt19937_64, 1 thread", nullptr, random_bits, nullptr},
    {"random f64", "std::uniform_real_distribution, 1 thread", nullptr,
     random_by<double, std::uniform_real_distribution<double>>, nullptr},
    {"random f32", "std::uniform_real_distribution, 1 thread", nullptr,
     random_by<float, std::uniform_real_distribution<float>>, nullptr},
    {"random u32 below 1000", "std::uniform_int_distribution, 1 thread", nullptr, random_below_1000, nullptr},
    {"normal f64", "std::normal_distribution, 1 thread", nullptr, random_by<double, std::normal_distribution<double>>,
     nullptr},
    {"shuffle u32", "std::shuffle, 1 thread", copy_keys, shuffle, nullptr},
    {"sample u32", "std::sample, 1 thread", nullptr, sample, nullptr},
    {"sum of u8", "std::transform_reduce(par)", nullptr, sum_of_bytes<par>, nullptr},
    {"sum of every third u32", "a loop, 1 thread", nullptr, sum_of_thirds, nullptr},
    {"sum of u32 at indices", "std::transform_reduce(par), unchecked", nullptr, sum_at_indices<par>, nullptr},
    {"sum of products of u32", "std::transform_reduce(par)", nullptr, sum_of_products<par>, nullptr},
    {"three neighbours of u32", "std::transform(par)", nullptr, three_neighbours<par>, nullptr},
    {"least of rows of u32", "std::min_element in std::transform(par)", nullptr, least_of_rows<par>, nullptr},
    {"first of rows of u32", "std::partial_sort_copy in std::for_each(par)", nullptr, first_of_rows<par>, nullptr},
    {"weighted bins", "a loop, 1 thread", nullptr, weighted_bins, nullptr},
    {"bins of u32", "a loop, 1 thread", nullptr, bins, nullptr},
    {"bins of two u32", "std::upper_bound in a loop, 1 thread", nullptr, square_bins, nullptr},
    {"sums of runs of u32", "a loop, 1 thread", nullptr, sums_of_runs, nullptr},
    {"order by two u32", "std::stable_sort(par) of positions", nullptr, sort_two_columns<par>, nullptr},
};

} // namespace

extern "C" const peer bench_peer = {"TBB", describe, threads, operations, sizeof operations / sizeof operations[0]};
