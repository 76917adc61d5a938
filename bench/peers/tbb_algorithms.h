// The parallel algorithms of the C++ standard library over oneTBB, by execution policy: what bench-peer-tbb and
// bench-peer-tbb-second share.
//
// Some take memory for themselves in every call: a sort as much as it sorts, copies of what a predicate chooses a byte an
// element. Here it is outside of the timing: the module's own operator new keeps large pieces, on 2 MiB pages as the rows'
// arrays are, and the first run, which is not timed, pays for them.
#ifndef BENCH_TBB_ALGORITHMS_H
#define BENCH_TBB_ALGORITHMS_H

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <execution>
#include <memory>
#include <numeric>
#include <random>

#include <tbb/global_control.h>
#include <tbb/version.h>

#include "kept_memory.h"
#include "peer.h"

namespace tbb_algorithms {

struct pair {
    uint32_t key, value;
};

inline const uint32_t *in(const bench_work *w) { return static_cast<const uint32_t *>(w->in); }
inline const uint32_t *second(const bench_work *w) { return static_cast<const uint32_t *>(w->second); }
inline const uint8_t *flags(const bench_work *w) { return static_cast<const uint8_t *>(w->second); }
inline uint32_t *out(bench_work *w) { return static_cast<uint32_t *>(w->out); }

template <const auto &policy> void reduce(bench_work *w) {
    w->result = std::reduce(policy, in(w), in(w) + w->n, uint32_t{0});
}

template <const auto &policy> void inclusive_scan(bench_work *w) {
    std::inclusive_scan(policy, in(w), in(w) + w->n, out(w));
}

template <const auto &policy> void exclusive_scan(bench_work *w) {
    std::exclusive_scan(policy, in(w), in(w) + w->n, out(w), uint32_t{0});
}

template <const auto &policy> void enumerate(bench_work *w) {
    const auto *flag = static_cast<const uint8_t *>(w->in);
    std::transform_exclusive_scan(policy, flag, flag + w->n, out(w), uint32_t{0}, std::plus<uint32_t>{},
                                  [](uint8_t f) { return uint32_t{f != 0}; });
    w->result = w->n ? out(w)[w->n - 1] + (flag[w->n - 1] != 0) : 0;
}

// The rows of a sparse matrix: columns, offsets and the vector stand behind each other in `second`.
template <const auto &policy> void spmv(bench_work *w) {
    const auto *values = static_cast<const float *>(w->in);
    const uint32_t *columns = second(w), *offsets = columns + w->n;
    const auto *x = reinterpret_cast<const float *>(offsets + w->m + 1);
    auto *y = static_cast<float *>(w->out);
    std::for_each(policy, offsets, offsets + w->m, [=](const uint32_t &row) {
        float sum = 0;
        for (uint32_t k = row; k < (&row)[1]; k++) sum += values[k] * x[columns[k]];
        y[&row - offsets] = sum;
    });
}

template <const auto &policy> void map(bench_work *w) {
    std::transform(policy, in(w), in(w) + w->n, out(w), [](uint32_t x) { return x * 2 + 1; });
}

// The element's address says which flag is its own.
template <const auto &policy> void pack_by_flags(bench_work *w) {
    const uint32_t *x = in(w);
    const uint8_t *f = flags(w);
    const auto *end = std::copy_if(policy, x, x + w->n, out(w), [=](const uint32_t &e) { return f[&e - x] != 0; });
    w->result = static_cast<uint64_t>(end - out(w));
}

template <const auto &policy> void pack_by_predicate(bench_work *w) {
    const auto *end = std::copy_if(policy, in(w), in(w) + w->n, out(w), [](uint32_t x) { return (x & 1) != 0; });
    w->result = static_cast<uint64_t>(end - out(w));
}

// Two outputs, as the zeros' number is not known before; joined before the check.
template <const auto &policy> void split_by_flags(bench_work *w) {
    const uint32_t *x = in(w);
    const uint8_t *f = flags(w);
    const auto ends = std::partition_copy(policy, x, x + w->n, out(w), static_cast<uint32_t *>(w->aside),
                                          [=](const uint32_t &e) { return f[&e - x] == 0; });
    w->result = static_cast<uint64_t>(ends.first - out(w));
}

template <const auto &policy> void split_by_predicate(bench_work *w) {
    const auto ends = std::partition_copy(policy, in(w), in(w) + w->n, out(w), static_cast<uint32_t *>(w->aside),
                                          [](uint32_t x) { return (x & 1) == 0; });
    w->result = static_cast<uint64_t>(ends.first - out(w));
}

template <const auto &policy> void count_if(bench_work *w) {
    const auto many = std::count_if(policy, in(w), in(w) + w->n, [](uint32_t x) { return (x & 1) != 0; });
    w->result = static_cast<uint64_t>(many);
}

template <const auto &policy> void find_if(bench_work *w) {
    const uint32_t *at = std::find_if(policy, in(w), in(w) + w->n, [](uint32_t x) { return x == 0xffffffffu; });
    w->result = static_cast<uint64_t>(at - in(w));
}

template <const auto &policy> void is_sorted(bench_work *w) {
    w->result = std::is_sorted(policy, in(w), in(w) + w->n) ? w->n : 0;
}

template <const auto &policy> void min_max(bench_work *w) {
    const auto *x = static_cast<const float *>(w->in);
    const auto ends = std::minmax_element(policy, x, x + w->n);
    std::memcpy(w->out, ends.first, sizeof *x);
    std::memcpy(static_cast<float *>(w->out) + 1, ends.second, sizeof *x);
}

template <const auto &policy> void reverse(bench_work *w) { std::reverse_copy(policy, in(w), in(w) + w->n, out(w)); }

template <const auto &policy> void rotate(bench_work *w) {
    std::rotate_copy(policy, in(w), in(w) + (w->n - w->n / 3), in(w) + w->n, out(w));
}

// What one writes by hand: squares of 32 elements, each row by row; strips of squares in parallel.
template <const auto &policy, class T> void transpose(bench_work *w) {
    constexpr size_t side = 32;
    size_t rows = w->parameter ? w->parameter : 1;
    while (!w->parameter && 4 * rows * rows <= w->n) rows *= 2;
    const size_t columns = w->n / rows, strips = (columns + side - 1) / side;
    const T *x = static_cast<const T *>(w->in);
    T *to = static_cast<T *>(w->out);
    const auto *first = static_cast<const char *>(w->in); // only its addresses are used
    std::for_each(policy, first, first + strips, [=](const char &strip) {
        const size_t from = static_cast<size_t>(&strip - first) * side, end = std::min(from + side, columns);
        for (size_t r0 = 0; r0 < rows; r0 += side)
            for (size_t c = from; c < end; c++)
                for (size_t r = r0; r < std::min(r0 + side, rows); r++) to[c * rows + r] = x[r * columns + c];
    });
}

inline void join_sides(bench_work *w) {
    std::memcpy(out(w) + w->result, w->aside, (w->n - w->result) * sizeof(uint32_t));
}

inline void copy_keys(bench_work *w) { std::memcpy(w->out, w->in, w->out_bytes); }

template <const auto &policy> void sort_u32(bench_work *w) { std::sort(policy, out(w), out(w) + w->n); }

template <const auto &policy> void sort_u64(bench_work *w) {
    auto *x = static_cast<uint64_t *>(w->out);
    std::sort(policy, x, x + w->n);
}

inline pair *pairs(bench_work *w) { return static_cast<pair *>(w->aside); }

inline void zip_pairs(bench_work *w) {
    for (size_t i = 0; i < w->n; i++) pairs(w)[i] = {in(w)[i], second(w)[i]};
}

inline void unzip_pairs(bench_work *w) {
    auto *values = static_cast<uint32_t *>(w->out_second);
    for (size_t i = 0; i < w->n; i++) {
        out(w)[i] = pairs(w)[i].key;
        values[i] = pairs(w)[i].value;
    }
}

template <const auto &policy> void stable_sort_pairs(bench_work *w) {
    std::stable_sort(policy, pairs(w), pairs(w) + w->n, [](const pair &a, const pair &b) { return a.key < b.key; });
}

template <const auto &policy> void sort_by_order(bench_work *w) {
    std::stable_sort(policy, out(w), out(w) + w->n, [](uint32_t a, uint32_t b) { return a < b; });
}

// Where the algorithm on one thread is faster than the parallel one with two, it stands here.
inline void top_few(bench_work *w) { std::partial_sort_copy(in(w), in(w) + w->n, out(w), out(w) + w->m); }

template <const auto &policy> void top_many(bench_work *w) {
    std::nth_element(policy, out(w), out(w) + (w->m - 1), out(w) + w->n);
    std::sort(policy, out(w), out(w) + w->m);
}

inline void nth(bench_work *w) { std::nth_element(out(w), out(w) + w->m, out(w) + w->n); }

inline void tell_nth(bench_work *w) { w->result = out(w)[w->m]; }

// The address of a segment's offset says which is the next one's.
template <const auto &policy> void sort_segments(bench_work *w) {
    const uint32_t *offsets = second(w);
    uint32_t *x = out(w);
    std::for_each(policy, offsets, offsets + w->m,
                  [=](const uint32_t &first) { std::sort(x + first, x + (&first)[1]); });
}

template <const auto &policy> void gather(bench_work *w) {
    const uint32_t *from = in(w);
    std::transform(policy, second(w), second(w) + w->n, out(w), [=](uint32_t i) { return from[i]; });
}

struct record {
    uint32_t word[32];
};

template <const auto &policy> void gather_records(bench_work *w) {
    const auto *from = static_cast<const record *>(w->in);
    std::transform(policy, second(w), second(w) + w->n, static_cast<record *>(w->out),
                   [=](uint32_t i) { return from[i]; });
}

template <const auto &policy> void sort_records(bench_work *w) {
    auto *x = static_cast<record *>(w->out);
    std::stable_sort(policy, x, x + w->n, [](const record &a, const record &b) {
        return __builtin_bswap32(a.word[0]) < __builtin_bswap32(b.word[0]);
    });
}

template <const auto &policy> void scatter(bench_work *w) {
    const uint32_t *x = in(w), *index = second(w);
    uint32_t *to = out(w);
    std::for_each(policy, x, x + w->n, [=](const uint32_t &e) { to[index[&e - x]] = e; });
}

template <const auto &policy> void merge(bench_work *w) {
    std::merge(policy, in(w), in(w) + (w->n - w->m), second(w), second(w) + w->m, out(w));
}

template <const auto &policy> void lower_bound(bench_work *w) {
    const uint32_t *sorted = second(w), *end = sorted + w->m;
    std::transform(policy, in(w), in(w) + w->n, out(w), [=](uint32_t needle) {
        return static_cast<uint32_t>(std::lower_bound(sorted, end, needle) - sorted);
    });
}

template <const auto &policy> void unique_copy(bench_work *w) {
    w->result = static_cast<uint64_t>(std::unique_copy(policy, in(w), in(w) + w->n, out(w)) - out(w));
}

template <const auto &policy> void unique_in_place(bench_work *w) {
    std::copy(policy, in(w), in(w) + w->n, out(w));
    w->result = static_cast<uint64_t>(std::unique(policy, out(w), out(w) + w->n) - out(w));
}

inline void describe(char *text, size_t room) {
    std::snprintf(text, room,
                  "oneTBB %s under the parallel algorithms of libstdc++, C++ compiler %s, -O3 -march=native",
                  TBB_runtime_version(), __VERSION__);
}

inline std::unique_ptr<tbb::global_control> limit;

inline void threads(unsigned count) {
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

// ---- random numbers, by the generator that is fastest ----

inline std::mt19937_64 generator{2026};

inline void random_bits(bench_work *w) {
    auto *x = static_cast<uint64_t *>(w->out);
    for (size_t i = 0; i < w->n; i++) x[i] = generator();
}
template <class T, class Distribution> void random_by(bench_work *w) {
    auto *x = static_cast<T *>(w->out);
    Distribution draw;
    for (size_t i = 0; i < w->n; i++) x[i] = draw(generator);
}
inline void random_below_1000(bench_work *w) {
    std::uniform_int_distribution<uint32_t> draw{0, 999};
    for (size_t i = 0; i < w->n; i++) out(w)[i] = draw(generator);
}
inline void shuffle(bench_work *w) { std::shuffle(out(w), out(w) + w->n, generator); }
inline void sample(bench_work *w) {
    std::sample(in(w), in(w) + w->n, out(w), static_cast<ptrdiff_t>(w->n / w->parameter), generator);
}

} // namespace tbb_algorithms

#endif
