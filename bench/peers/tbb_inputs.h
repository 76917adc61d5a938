// What users write for rows of a matrix, bins and computed inputs where the standard library has a parallel algorithm, or else the loop
// on one thread.
#ifndef BENCH_TBB_INPUTS_H
#define BENCH_TBB_INPUTS_H

#include <vector>

#include "tbb_algorithms.h"

namespace tbb_algorithms {

// ---- computed inputs ----

template <const auto &policy> void sum_of_bytes(bench_work *w) {
    const auto *x = static_cast<const uint8_t *>(w->in);
    w->result = std::transform_reduce(policy, x, x + w->n, uint64_t{0}, std::plus<uint64_t>{},
                                      [](uint8_t e) { return uint64_t{e}; });
}

inline void sum_of_thirds(bench_work *w) {
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i += 3) sum += in(w)[i];
    w->result = sum;
}

template <const auto &policy> void sum_at_indices(bench_work *w) {
    const uint32_t *x = in(w);
    w->result = std::transform_reduce(policy, second(w), second(w) + w->n, uint32_t{0}, std::plus<uint32_t>{},
                                      [=](uint32_t i) { return x[i]; });
}

template <const auto &policy> void sum_of_products(bench_work *w) {
    w->result = std::transform_reduce(policy, in(w), in(w) + w->n, second(w), uint64_t{0}, std::plus<uint64_t>{},
                                      [](uint32_t a, uint32_t b) { return uint64_t{a} * b; });
}

template <const auto &policy> void three_neighbours(bench_work *w) {
    const uint32_t *x = in(w);
    uint32_t *y = out(w);
    const size_t n = w->n;
    if (n < 3) {
        for (size_t i = 0; i < n; i++) y[i] = x[i ? i - 1 : 0] + x[i] + x[i + 1 < n ? i + 1 : i];
        return;
    }
    y[0] = x[0] + x[0] + x[1];
    y[n - 1] = x[n - 2] + x[n - 1] + x[n - 1];
    std::transform(policy, x + 1, x + (n - 1), y + 1, [](const uint32_t &e) { return (&e)[-1] + e + (&e)[1]; });
}

// ---- questions ----

template <const auto &policy> void all_of_low(bench_work *w) {
    w->result = std::all_of(policy, in(w), in(w) + w->n, [](uint32_t x) { return x < 0x80000000u; });
}

template <const auto &policy> void any_of_last(bench_work *w) {
    w->result = std::any_of(policy, in(w), in(w) + w->n, [](uint32_t x) { return x == 0xffffffff; });
}

// Of a copy, in place: each of three ends where the next begins.
template <const auto &policy> void quartiles(bench_work *w) {
    static std::vector<uint32_t> copy;
    copy.assign(in(w), in(w) + w->n);
    auto from = copy.begin();
    for (int q = 0; q < 3; q++) {
        const auto at = copy.begin() +
                        static_cast<ptrdiff_t>(static_cast<double>(q + 1) / 4 * static_cast<double>(w->n - 1));
        std::nth_element(policy, from, at, copy.end());
        out(w)[q] = *at;
        from = at;
    }
}

// ---- rows of 256, of which each begins where an offset says ----

template <const auto &policy> void least_of_rows(bench_work *w) {
    const uint32_t *x = in(w);
    std::transform(policy, second(w), second(w) + w->n / 256, out(w), [=](const uint32_t &first) {
        return static_cast<uint32_t>(std::min_element(x + first, x + (&first)[1]) - x);
    });
}

template <const auto &policy> void greatest_of_rows(bench_work *w) {
    const uint32_t *x = in(w);
    std::transform(policy, second(w), second(w) + w->n / 256, out(w), [=](const uint32_t &first) {
        return static_cast<uint32_t>(std::max_element(x + first, x + (&first)[1]) - x);
    });
}

template <const auto &policy> void first_of_rows(bench_work *w) {
    const uint32_t *x = in(w), *offsets = second(w);
    uint32_t *to = out(w);
    std::for_each(policy, offsets, offsets + w->n / 256, [=](const uint32_t &first) {
        uint32_t *row = to + (&first - offsets) * 8;
        std::partial_sort_copy(x + first, x + (&first)[1], row, row + 8);
    });
}

template <const auto &policy> void middle_of_rows(bench_work *w) {
    const uint32_t *x = in(w), *offsets = second(w);
    uint32_t *to = out(w);
    std::for_each(policy, offsets, offsets + w->n / 256, [=](const uint32_t &first) {
        uint32_t row[256];
        std::copy(x + first, x + (&first)[1], row);
        std::nth_element(row, row + 128, row + 256);
        to[&first - offsets] = row[128];
    });
}

// ---- bins ----

inline void weighted_bins(bench_work *w) {
    auto *sums = static_cast<double *>(w->out);
    const auto *weights = static_cast<const double *>(w->second);
    std::fill(sums, sums + 1024, 0.0);
    for (size_t i = 0; i < w->n; i++) sums[in(w)[i]] += weights[i];
}

inline void weighted_bins_of_integers(bench_work *w) {
    std::fill(out(w), out(w) + 1024, 0u);
    for (size_t i = 0; i < w->n; i++) out(w)[in(w)[i]] += second(w)[i];
}

inline void bins(bench_work *w) {
    std::fill(out(w), out(w) + 1024, 0u);
    for (size_t i = 0; i < w->n; i++) out(w)[in(w)[i]]++;
}

inline void square_bins(bench_work *w) {
    static uint32_t edges[33];
    for (uint32_t e = 0; e < 33; e++) edges[e] = e << 26;
    const auto bin = [](uint32_t x) { return std::upper_bound(edges, edges + 33, x) - edges - 1; };
    std::fill(out(w), out(w) + 1024, 0u);
    for (size_t i = 0; i < w->n; i++) out(w)[bin(in(w)[i]) * 32 + bin(second(w)[i])]++;
}

// ---- runs, columns ----

inline void lengths_of_runs(bench_work *w) {
    auto *lengths = static_cast<uint32_t *>(w->out_second);
    size_t runs = 0;
    for (size_t i = 0, from = 0; i < w->n; from = i, runs++) {
        const uint32_t key = in(w)[i];
        while (i < w->n && in(w)[i] == key) i++;
        out(w)[runs] = key;
        lengths[runs] = static_cast<uint32_t>(i - from);
    }
    w->result = runs;
}

inline void sums_of_runs(bench_work *w) {
    auto *sums = static_cast<uint32_t *>(w->out_second);
    size_t runs = 0;
    for (size_t i = 0; i < w->n; runs++) {
        const uint32_t key = in(w)[i];
        uint32_t sum = 0;
        for (; i < w->n && in(w)[i] == key; i++) sum += second(w)[i];
        out(w)[runs] = key;
        sums[runs] = sum;
    }
    w->result = runs;
}

template <const auto &policy> void sort_two_columns(bench_work *w) {
    const uint32_t *a = in(w), *b = second(w);
    std::iota(out(w), out(w) + w->n, 0u);
    std::stable_sort(policy, out(w), out(w) + w->n,
                     [=](uint32_t i, uint32_t j) { return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j]; });
}

} // namespace tbb_algorithms

#endif
