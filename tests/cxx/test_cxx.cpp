/* warpwise.hpp beside the standard library: every call, with vectors, arrays, buffers and computed inputs. */
#include <warpwise.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include <csetjmp>
#include <cstdarg>
extern "C" {
#include <cmocka.h>
}

WW_STRUCT(edge, { uint32_t from, to; });
WW_STRUCT(point, {
    int32_t x;
    int32_t y;
});
WW_STRUCT(fill_arguments, {
    uint32_t *out;
    uint32_t by;
});
WW_MAP(square, uint64_t, uint32_t, x, void, none, { return static_cast<uint64_t>(x) * x; });
WW_MAP(is_odd, uint32_t, uint32_t, x, void, none, { return x & 1; });
WW_MAP(low_byte, uint32_t, uint32_t, x, void, none, { return x & 255; });
WW_MAP(look, uint32_t, uint8_t, i, uint32_t, table, { return table[i]; });
WW_MAP(scaled, uint32_t, uint32_t, x, uint32_t, by, { return x * *by; });
WW_MAP2(sum_of, uint64_t, uint32_t, a, uint32_t, b, void, none, { return static_cast<uint64_t>(a) + b; });
WW_MAP2(same_half, uint8_t, uint32_t, a, uint32_t, b, void, none, { return a / 2 == b / 2; });
WW_COMBINE(plus, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });
WW_MAP(swapped, point, point, p, void, none, {
    point q;
    q.x = p.y;
    q.y = p.x;
    return q;
});
WW_LESS(left_of, point, a, b, { return a.x < b.x; });
WW_WINDOW(smooth, uint32_t, uint32_t, x, 1, 1, void, none, { return x[-1] + 2 * x[0] + x[1]; });
WW_WINDOW(step_by, uint32_t, uint32_t, x, 1, 0, uint32_t, by, { return (x[0] - x[-1]) * *by; });
WW_KERNEL(fill_ranks, fill_arguments, f, rank, { f->out[rank] = static_cast<uint32_t>(rank) * f->by; });

namespace {

using numbers = std::vector<uint32_t>;

const std::vector<std::size_t> &sizes() {
    static const std::vector<std::size_t> all{0, 1, 2, 31, 32, 33, 1000, 4097, 70001};
    return all;
}

numbers random_numbers(std::size_t n, uint32_t below, uint32_t seed) {
    std::mt19937 random(seed);
    numbers x(n);
    for (uint32_t &e : x) e = static_cast<uint32_t>(random() % below);
    return x;
}

template <class A, class B> void expect_same(const A &a, const B &b) {
    assert_true(a.size() == b.size());
    assert_true(std::equal(a.begin(), a.end(), b.begin()));
}

bool left_first(const point &a, const point &b) { return a.x < b.x; }

void maps(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 1u << 31, 1);
        std::vector<uint64_t> y(n, 77), expected(n);
        std::transform(x.begin(), x.end(), expected.begin(), [](uint32_t e) { return static_cast<uint64_t>(e) * e; });
        device.map(ww_typed(square), x, y);
        expect_same(y, expected);
        std::fill(y.begin(), y.end(), 77u);
        device.map(ww_typed(sum_of), x, warpwise::counting<uint32_t>(5, n), y);
        for (std::size_t i = 0; i < n; i++) assert_true(y[i] == static_cast<uint64_t>(x[i]) + 5 + i);
        assert_true(device.reduce(ww_typed(plus), warpwise::mapped(ww_typed(square), x)) ==
                    std::accumulate(expected.begin(), expected.end(), uint64_t{0}));

        assert_true(device.reduce(ww_typed(plus), warpwise::cast<uint64_t>(warpwise::reversed(x))) ==
                    std::accumulate(x.begin(), x.end(), uint64_t{0}));
        if (n) {
            const auto places_back = warpwise::reversed(warpwise::counting<int64_t>(0, n));
            const auto back = warpwise::permuted(x, places_back);
            assert_true(device.reduce(ww_typed(plus),
                                      warpwise::cast<uint64_t>(warpwise::strided(back, n - 1, -1, 1))) == x.front());
            const auto edges = warpwise::zip<edge>(x, back);
            std::vector<edge> joined(n);
            device.store(edges, joined);
            for (std::size_t i = 0; i < n; i++) assert_true(joined[i].from == x[i] && joined[i].to == x[n - 1 - i]);
        }
        const uint32_t by = 3;
        numbers z(n, 77);
        device.map(ww_typed(scaled).with(by), x, z);
        for (std::size_t i = 0; i < n; i++) assert_true(z[i] == x[i] * 3);
        const std::array<uint32_t, 4> table{11, 12, 13, 14};
        std::vector<uint8_t> places(n);
        for (std::size_t i = 0; i < n; i++) places[i] = x[i] & 3;
        device.map(ww_typed(look).with(table.data(), table.size()), places, z);
        for (std::size_t i = 0; i < n; i++) assert_true(z[i] == 11 + (x[i] & 3));
        device.store(warpwise::constant<uint32_t>(9, n), z);
        assert_true(std::count(z.begin(), z.end(), 9u) == static_cast<std::ptrdiff_t>(n));
        device.fill(z, uint32_t{8});
        assert_true(std::count(z.begin(), z.end(), 8u) == static_cast<std::ptrdiff_t>(n));

        warpwise::buffer<uint32_t> there = device.allocate<uint32_t>(n);
        const fill_arguments arguments{there.data(), 7};
        device.launch(ww_typed(fill_ranks).with(arguments), n);
        device.copy(there, z);
        for (std::size_t i = 0; i < n; i++) assert_true(z[i] == 7 * i);
    }
}

void reductions(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 1000, 2);
        uint32_t sum = 77;
        device.reduce(warpwise::add, x, sum);
        assert_true(sum == std::accumulate(x.begin(), x.end(), 0u));
        numbers scanned(n), expected(n);
        device.scan(warpwise::add, x, scanned);
        std::partial_sum(x.begin(), x.end(), expected.begin());
        expect_same(scanned, expected);
        device.exclusive_scan(warpwise::add, x, scanned);
        std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0u);
        expect_same(scanned, expected);
        std::vector<uint8_t> heads(n);
        for (std::size_t i = 0; i < n; i++) heads[i] = x[i] % 7 == 0;
        device.scan_segmented(warpwise::max, x, heads, scanned);
        for (std::size_t i = 0; i < n; i++) expected[i] = i && !heads[i] ? std::max(expected[i - 1], x[i]) : x[i];
        expect_same(scanned, expected);

        numbers keys = random_numbers(n, 50, 3);
        std::sort(keys.begin(), keys.end());
        std::map<uint32_t, uint64_t> groups;
        const std::vector<uint64_t> values(x.begin(), x.end());
        for (std::size_t i = 0; i < n; i++) groups[keys[i]] += values[i];
        numbers group_keys(n);
        std::vector<uint64_t> group_sums(n);
        uint64_t runs = 77;
        device.reduce_by_key(ww_typed(plus), keys, values, group_keys, group_sums, runs);
        assert_true(runs == groups.size());
        std::size_t g = 0;
        for (const auto &[key, total] : groups) {
            assert_true(group_keys[g] == key && group_sums[g] == total);
            g++;
        }
        device.unique(keys, group_keys, runs);
        assert_true(runs == groups.size());
        numbers halves(keys), pairs(n), pair_lengths(n);
        halves.erase(std::unique(halves.begin(), halves.end(), [](uint32_t a, uint32_t b) { return a / 2 == b / 2; }),
                     halves.end());
        device.unique_by(ww_typed(same_half), keys, pairs, runs);
        assert_true(runs == halves.size() && std::equal(halves.begin(), halves.end(), pairs.begin()));
        device.run_lengths_by(ww_typed(same_half), keys, pairs, pair_lengths, runs);
        assert_true(std::accumulate(pair_lengths.begin(), pair_lengths.begin() + static_cast<long>(runs), 0u) == n);
        device.reduce_by_key_by(ww_typed(same_half), ww_typed(plus), keys, values, pairs, group_sums, runs);
        assert_true(runs == halves.size() && std::equal(halves.begin(), halves.end(), pairs.begin()));
        device.scan_by_key(ww_typed(plus), keys, values, group_sums);
        device.adjacent_difference(x, scanned);
        for (std::size_t i = 0; i < n; i++) assert_true(scanned[i] == x[i] - (i ? x[i - 1] : 0));
        std::vector<uint32_t> lengths(n);
        device.run_lengths(keys, group_keys, lengths, runs);
        assert_true(
            std::accumulate(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(runs), uint64_t{0}) == n);
        const std::array<uint64_t, 3> offsets{0, n / 3, n};
        std::array<uint32_t, 2> parts{};
        device.reduce_segments(warpwise::add, x, offsets, parts);
        assert_true(parts[0] + parts[1] == sum);
        if (!n) continue;
        uint32_t least = 77;
        uint64_t place = 77;
        device.arg_min(warpwise::ascending, x, least, place);
        assert_true(place == static_cast<uint64_t>(std::min_element(x.begin(), x.end()) - x.begin()) &&
                    least == x[place]);
        device.arg_max(nullptr, x, warpwise::none, place);
        assert_true(place == static_cast<uint64_t>(std::max_element(x.begin(), x.end()) - x.begin()));
    }
}

void choices(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 5000, 4);
        numbers kept(n, 77), expected;
        uint32_t count = 77;
        device.pack_if(ww_typed(is_odd), x, kept, count);
        std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](uint32_t e) { return e & 1; });
        kept.resize(count);
        expect_same(kept, expected);
        std::vector<uint8_t> flags(n);
        for (std::size_t i = 0; i < n; i++) flags[i] = x[i] & 1;
        kept.assign(n, 77);
        device.pack(x, flags, kept, count);
        kept.resize(count);
        expect_same(kept, expected);
        numbers sides(n), partitioned = x, ranks(n);
        std::stable_partition(partitioned.begin(), partitioned.end(), [](uint32_t e) { return !(e & 1); });
        uint64_t zeros = 77;
        device.split(x, flags, sides, zeros);
        expect_same(sides, partitioned);
        device.split_if(ww_typed(is_odd), x, sides, zeros);
        expect_same(sides, partitioned);
        assert_true(zeros == n - count);
        device.enumerate(flags, ranks, zeros);
        assert_true(zeros == count);

        numbers index(n), gathered(n), scattered(n);
        std::iota(index.begin(), index.end(), 0u);
        std::reverse(index.begin(), index.end());
        const ww_random from = {1, 2, 3};
        numbers shuffled(n), few(n / 2), order(n);
        device.shuffle(from, x, shuffled);
        device.permutation(from, order);
        device.gather(x, order, gathered);
        expect_same(gathered, shuffled);
        device.sample(from, x, few);
        device.random_below(from, 5, few);
        device.random_fill(from, few);
        std::vector<float> normal(n);
        device.random_normal(from, 0, 1, normal);
        device.gather(x, index, gathered);
        expect_same(gathered, numbers(x.rbegin(), x.rend()));
        const std::vector<int64_t> signed_index(index.begin(), index.end());
        std::fill(gathered.begin(), gathered.end(), 77u);
        device.gather(x, signed_index, gathered);
        expect_same(gathered, numbers(x.rbegin(), x.rend()));
        device.scatter(gathered, index, scattered, WW_CONFLICT_UNIQUE);
        expect_same(scattered, x);
        std::array<uint64_t, 256> counts{}, expected_counts{};
        device.histogram(ww_typed(low_byte), x, counts);
        for (uint32_t e : x) expected_counts[e & 255]++;
        expect_same(counts, expected_counts);
        uint64_t outside = 77;
        device.histogram_even(x, 0u, 2500u, counts, &outside);
        assert_true(outside ==
                    static_cast<uint64_t>(std::count_if(x.begin(), x.end(), [](uint32_t e) { return e >= 2500; })));
        const numbers edges{0, 10, 4000};
        std::array<uint64_t, 2> between{};
        device.histogram_edges(x, edges, between, &outside);
        assert_true(between[0] + between[1] + outside == n);
        std::array<uint64_t, 257> offsets{};
        device.multisplit(ww_typed(low_byte), 256, x, warpwise::none, sides, warpwise::none, offsets);
        partitioned = x;
        std::stable_sort(partitioned.begin(), partitioned.end(),
                         [](uint32_t a, uint32_t b) { return (a & 255) < (b & 255); });
        expect_same(sides, partitioned);
        uint64_t total = 77;
        device.expand(x, flags, kept, warpwise::none, warpwise::none, total);
        expect_same(kept, expected);
    }
}

void orders(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        numbers x = random_numbers(n, 3000, 5), y = random_numbers(n / 2, 3000, 6), sorted = x, order(n);
        std::sort(sorted.begin(), sorted.end());
        numbers out(n, 77);
        device.sort(x, out);
        expect_same(out, sorted);
        ww_sort_options descending = WW_SORT_OPTIONS;
        descending.descending = true;
        device.sort(x, warpwise::counting<uint32_t>(0, n), out, order, &descending);
        assert_true(std::is_sorted(out.rbegin(), out.rend()));
        for (std::size_t i = 0; i < n; i++) assert_true(x[order[i]] == out[i]);
        device.sort_index(x, order);
        for (std::size_t i = 0; i < n; i++) assert_true(x[order[i]] == sorted[i]);
        std::vector<point> points(n);
        for (std::size_t i = 0; i < n; i++) points[i] = {static_cast<int32_t>(x[i]), static_cast<int32_t>(i)};
        std::vector<point> in_order = points;
        std::stable_sort(in_order.begin(), in_order.end(), left_first);
        device.sort_by(ww_typed(left_of), points, points);
        for (std::size_t i = 0; i < n; i++) assert_true(points[i].x == in_order[i].x && points[i].y == in_order[i].y);
        const std::array<uint32_t, 2> all{0, static_cast<uint32_t>(n)};
        device.sort_segments(x, all, out);
        expect_same(out, sorted);
        numbers first(n / 4);
        device.top_k(x, first);
        expect_same(first, numbers(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n / 4)));
        if (n) {
            uint32_t median = 77;
            device.nth(n / 2, x, median);
            assert_true(median == sorted[n / 2]);
        }
        std::sort(y.begin(), y.end());
        numbers merged(n + n / 2), expected(n + n / 2);
        device.merge(warpwise::ascending, sorted, y, merged);
        std::merge(sorted.begin(), sorted.end(), y.begin(), y.end(), expected.begin());
        expect_same(merged, expected);
        uint64_t count = 77;
        device.set_union(warpwise::ascending, sorted, y, merged, count);
        expected.clear();
        std::set_union(sorted.begin(), sorted.end(), y.begin(), y.end(), std::back_inserter(expected));
        assert_true(count == expected.size() && std::equal(expected.begin(), expected.end(), merged.begin()));
        device.set_intersection(warpwise::ascending, sorted, y, merged, count);
        expected.clear();
        std::set_intersection(sorted.begin(), sorted.end(), y.begin(), y.end(), std::back_inserter(expected));
        assert_true(count == expected.size() && std::equal(expected.begin(), expected.end(), merged.begin()));
        device.set_difference(warpwise::ascending, sorted, y, merged, count);
        expected.clear();
        std::set_difference(sorted.begin(), sorted.end(), y.begin(), y.end(), std::back_inserter(expected));
        assert_true(count == expected.size() && std::equal(expected.begin(), expected.end(), merged.begin()));
        std::vector<uint64_t> low(y.size()), high(y.size());
        device.lower_bound(warpwise::ascending, sorted, y, low);
        device.upper_bound(warpwise::ascending, sorted, y, high);
        for (std::size_t i = 0; i < y.size(); i++) {
            const auto range = std::equal_range(sorted.begin(), sorted.end(), y[i]);
            assert_true(low[i] == static_cast<uint64_t>(range.first - sorted.begin()));
            assert_true(high[i] == static_cast<uint64_t>(range.second - sorted.begin()));
        }
    }
}

void texts(void **) {
    warpwise::device device;
    const std::string text = "a rose is a rose is a rose";
    numbers positions(3, 77);
    uint64_t count = 77, first = 77;
    device.find(text, "rose", positions, count);
    assert_true(count == 3);
    expect_same(positions, numbers{2, 12, 22});
    device.find_first(text, "is", first);
    assert_true(first == 7);
    device.find_first(text, "was", first);
    assert_true(first == WW_NOT_FOUND);
}

void windows(void **) {
    warpwise::device device;
    const uint32_t by = 3;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 1000, 7);
        numbers out(n, 77), expected(n);
        for (std::size_t i = 0; i < n; i++) expected[i] = x[i ? i - 1 : 0] + 2 * x[i] + x[i + 1 < n ? i + 1 : i];
        device.store(warpwise::window(ww_typed(smooth), x, WW_BORDER_CLAMP), out);
        expect_same(out, expected);
        for (std::size_t i = 0; i < n; i++) expected[i] = (x[i] - (i ? x[i - 1] : 5)) * by;
        device.store(warpwise::window(ww_typed(step_by).with(by), x, WW_BORDER_VALUE, uint32_t{5}), out);
        expect_same(out, expected);
        for (std::size_t i = 0; i < n; i++) expected[i] = (x[n - 1 - i] - (i ? x[n - i] : 5)) * by;
        device.store(warpwise::window(ww_typed(step_by).with(by), warpwise::reversed(x), WW_BORDER_VALUE, uint32_t{5}),
                     out);
        expect_same(out, expected);
        const uint64_t half = n / 2;
        std::vector<uint64_t> wide(n, 77);
        uint32_t sum = 77;
        device.reduce(warpwise::add, warpwise::counted(x, &half), sum);
        assert_true(sum == std::accumulate(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(half), 0u));
    }
}

void queries(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 1u << 20, 8);
        const auto odd = [](uint32_t e) { return e & 1; };
        const auto first = static_cast<uint64_t>(std::find_if(x.begin(), x.end(), odd) - x.begin());
        assert_true(device.count_if(ww_typed(is_odd), x) ==
                    static_cast<uint64_t>(std::count_if(x.begin(), x.end(), odd)));
        assert_true(device.any(ww_typed(is_odd), x) == std::any_of(x.begin(), x.end(), odd));
        assert_true(device.all(ww_typed(is_odd), x) == std::all_of(x.begin(), x.end(), odd));
        assert_true(device.find_if(ww_typed(is_odd), x) == first);
        assert_true(device.is_sorted(nullptr, x) == std::is_sorted(x.begin(), x.end()));
        uint32_t in_order = 77;
        device.is_sorted(warpwise::ascending, x, warpwise::none, in_order);
        assert_true(in_order == static_cast<uint32_t>(std::is_sorted_until(x.begin(), x.end()) - x.begin()));
        if (!n) continue;
        uint32_t least = 77, greatest = 77;
        device.min_max(warpwise::ascending, x, least, greatest);
        assert_true(least == *std::min_element(x.begin(), x.end()) &&
                    greatest == *std::max_element(x.begin(), x.end()));
    }
    warpwise::device_of_results results;
    bool yes = true;
    uint64_t count = 77;
    const numbers even{2, 4};
    assert_true(results.any(ww_typed(is_odd), even, yes) && !yes);
    assert_true(results.count_if(ww_typed(is_odd), even, count) && count == 0);
}

void arrangements(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 1u << 20, 9);
        numbers out(n, 77), expected = x;
        device.reverse(x, out);
        expect_same(out, numbers(x.rbegin(), x.rend()));
        if (n) std::rotate(expected.begin(), expected.end() - static_cast<std::ptrdiff_t>(3 % n), expected.end());
        device.rotate(3, x, out);
        expect_same(out, expected);
        numbers matrix(3 * n), turned(3 * n, 77);
        std::iota(matrix.begin(), matrix.end(), 0u);
        device.transpose(n, 3, matrix, turned);
        for (std::size_t i = 0; i < 3 * n; i++) assert_true(turned[i] == matrix[i % n * 3 + i / n]);
    }
}

void columns(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers city = random_numbers(n, 10, 10), sales = random_numbers(n, 100, 11);
        const std::vector<int16_t> change(sales.begin(), sales.end());
        std::vector<uint64_t> order(n, 77), expected(n);
        std::iota(expected.begin(), expected.end(), uint64_t{0});
        std::stable_sort(expected.begin(), expected.end(), [&](uint64_t a, uint64_t b) {
            return city[a] != city[b] ? city[a] < city[b] : change[a] > change[b];
        });
        std::vector<int16_t> sorted(n, 77);
        numbers carried(n, 77);
        device.sort_columns({warpwise::sort_column(city), warpwise::sort_column(change, sorted, true)},
                            {warpwise::carried_column(sales, carried)}, order);
        expect_same(order, expected);
        for (std::size_t i = 0; i < n; i++) assert_true(sorted[i] == change[order[i]] && carried[i] == sales[order[i]]);
    }
}

void segments(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 1u << 20, 12);
        const std::vector<int64_t> offsets{0, static_cast<int64_t>(n / 2), static_cast<int64_t>(n)};
        std::array<uint64_t, 2> least{}, most{};
        numbers first(4, 77), third(2, 77), out(n), order(n);
        device.arg_min_segments(nullptr, x, offsets, least);
        device.arg_max_segments(nullptr, x, offsets, most);
        device.top_k_segments(2, x, offsets, first);
        device.nth_segments(2, x, offsets, third);
        device.sort_segments(x, warpwise::counting<uint32_t>(0, n), offsets, out, order);
        for (std::size_t s = 0; s < 2; s++) {
            const auto begin = x.begin() + offsets[s], end = x.begin() + offsets[s + 1];
            numbers sorted(begin, end);
            std::sort(sorted.begin(), sorted.end());
            assert_true(std::equal(sorted.begin(), sorted.end(), out.begin() + offsets[s]));
            assert_true(least[s] ==
                        (begin == end ? n : static_cast<uint64_t>(std::min_element(begin, end) - x.begin())));
            assert_true(most[s] ==
                        (begin == end ? n : static_cast<uint64_t>(std::max_element(begin, end) - x.begin())));
            sorted.resize(3, 77);
            if (end - begin < 3) sorted[2] = 77;
            assert_true(first[2 * s] == sorted[0] && first[2 * s + 1] == sorted[1] && third[s] == sorted[2]);
        }
        for (std::size_t i = 0; i < n; i++) assert_true(out[i] == x[order[i]]);
        const numbers begins{0, static_cast<uint32_t>(n / 3), static_cast<uint32_t>(n)};
        const std::array<uint16_t, 2> parents{7, 9};
        std::vector<uint16_t> children(n, 77);
        device.expand_offsets(parents, begins, children, warpwise::none, warpwise::none);
        for (std::size_t i = 0; i < n; i++) assert_true(children[i] == (i < n / 3 ? 7 : 9));
    }
}

void counts(void **) {
    warpwise::device device;
    for (std::size_t n : sizes()) {
        const numbers x = random_numbers(n, 8, 13), y = random_numbers(n, 100, 14);
        std::array<uint64_t, 8> bins{}, expected{};
        uint64_t outside = 77;
        for (uint32_t e : x) expected[e]++;
        device.bincount(x, bins, &outside);
        expect_same(bins, expected);
        assert_true(outside == 0);
        const numbers x_edges{0, 4, 8}, y_edges{0, 50, 100};
        std::array<uint32_t, 4> squares{}, expected_squares{};
        for (std::size_t i = 0; i < n; i++) expected_squares[x[i] / 4 * 2 + y[i] / 50]++;
        device.histogram_2d(x, y, x_edges, y_edges, squares);
        expect_same(squares, expected_squares);
        const std::vector<double> weights(y.begin(), y.end());
        std::array<double, 8> sums{}, expected_sums{};
        std::array<double, 2> halves{};
        for (std::size_t i = 0; i < n; i++) expected_sums[x[i]] += weights[i];
        device.histogram_weighted(warpwise::by_number, x, weights, sums);
        expect_same(sums, expected_sums);
        device.histogram_edges_weighted(x, x_edges, weights, halves);
        assert_true(halves[0] + halves[1] <= std::accumulate(y.begin(), y.end(), 0.0) &&
                    (!n || halves[0] + halves[1] > 0 || y[0] == 0));
        std::array<uint64_t, 4> places{};
        numbers parts(n, 77);
        const numbers edges{2, 5};
        device.multisplit_edges(x, warpwise::none, edges, parts, warpwise::none, places);
        assert_true(places[3] == n && places[1] == expected[0] + expected[1]);
        std::array<uint32_t, 3> sides{};
        device.split_bits(2, 1, x, parts, sides);
        assert_true(sides[1] == expected[0] + expected[1] + expected[2] + expected[3] && sides[2] == n);
        const std::vector<uint64_t> categories(n, 3);
        numbers index(2 * n, 77);
        std::array<uint32_t, 3> begins{};
        uint64_t many = 77;
        device.multisplit_several(2, categories, index, begins, many);
        assert_true(many == 2 * n && begins[1] == n);
        for (std::size_t i = 0; i < 2 * n; i++) assert_true(index[i] == i % n);
        if (!n) continue;
        const std::vector<double> q{0, 0.5, 1};
        std::array<double, 3> at{};
        numbers lower(3), sorted = y;
        std::sort(sorted.begin(), sorted.end());
        device.quantiles(q, y, at);
        device.quantiles(q, y, lower, WW_QUANTILE_LOWER);
        assert_true(at[0] == sorted.front() && at[2] == sorted.back() && lower[1] == sorted[(n - 1) / 2]);
    }
}

void more_orders(void **) {
    warpwise::device device;
    const std::vector<uint16_t> a{1, 3}, b{2, 3};
    const std::vector<float> of_a{10, 30}, of_b{21, 31};
    std::vector<uint16_t> keys(4);
    std::vector<float> values(4);
    device.merge(warpwise::ascending, a, b, of_a, of_b, keys, values);
    expect_same(values, std::vector<float>{10, 21, 30, 31});
    const std::vector<uint16_t> unsorted{3, 1, 2, 0};
    device.sort_large(unsorted, values, keys, values);
    expect_same(keys, std::vector<uint16_t>{0, 1, 2, 3});
    expect_same(values, std::vector<float>{31, 21, 30, 10});
    const std::vector<edge> edges{{9, 2}, {8, 1}};
    std::vector<edge> sorted(2);
    device.sort_records(4, 4, edges, sorted); /* by `to` */
    assert_true(sorted[0].to == 1 && sorted[0].from == 8 && sorted[1].from == 9);
}

void dictionaries(void **) {
    warpwise::device device;
    const numbers keys{5, 3, 9}, asked{3, 4, 9}, lows{4}, highs{9};
    const std::vector<float> values{50, 30, 90};
    std::vector<float> found(3, 77);
    std::array<uint8_t, 3> there{};
    warpwise::lsm<uint32_t, float> ordered(device), taken(std::move(ordered));
    taken.insert(keys, values);
    taken.lookup(asked, found, there);
    expect_same(found, std::vector<float>{30, 77, 90});
    expect_same(there, std::array<uint8_t, 3>{1, 0, 1});
    std::array<uint64_t, 1> counts{};
    taken.count(lows, highs, counts);
    assert_true(counts[0] == 2);
    numbers listed(3);
    std::array<uint64_t, 2> offsets{};
    taken.range(lows, highs, offsets, listed, found);
    assert_true(offsets[1] == 2 && listed[0] == 5 && listed[1] == 9 && found[0] == 50 && found[1] == 90);
    taken.predecessor(asked, false, listed, warpwise::none, there);
    assert_true(there[0] == 0 && listed[1] == 3 && listed[2] == 5);
    taken.successor(asked, true, listed, found, there);
    expect_same(listed, numbers{3, 5, 9});
    uint32_t least = 77, most = 77;
    bool any = false;
    taken.minimum(least, warpwise::none, any);
    taken.maximum(most, warpwise::none, any);
    assert_true(least == 3 && most == 9 && any);
    taken.erase(lows);
    taken.erase(highs);
    taken.cleanup();
    uint64_t size = 77;
    taken.size(size);
    assert_true(size == 2);
    uint32_t many = 77;
    taken.entries(listed, found, many);
    assert_true(many == 2 && listed[0] == 3 && listed[1] == 5);
    warpwise::lsm<uint64_t> alone(device);
    alone.build(std::vector<uint64_t>{1, 2}, warpwise::none);
    alone.size(size);
    assert_true(size == 2);

    warpwise::slab<uint32_t, uint32_t> hashed(device, 10);
    const numbers once{1, 1, 1}, words{7, 8, 7};
    numbers sums(3, 77);
    hashed.combine(warpwise::add, words, once);
    hashed.search(words, sums, there);
    expect_same(sums, numbers{2, 1, 2});
    expect_same(there, std::array<uint8_t, 3>{WW_SLAB_FOUND, WW_SLAB_FOUND, WW_SLAB_FOUND});
    hashed.insert(words, once);
    hashed.count(words, sums);
    expect_same(sums, numbers{3, 2, 3});
    hashed.erase(words);
    hashed.erase_all(words);
    hashed.replace(words, once);
    hashed.flush();
    hashed.pairs(listed, sums, many);
    assert_true(many == 2 && listed[0] + listed[1] == 15);
    hashed.clear();
    hashed.search(words, sums, there);
    assert_true(there[0] == WW_SLAB_ABSENT);
    warpwise::slab<uint64_t> set(device);
    set.insert(std::vector<uint64_t>{4}, warpwise::none);

    warpwise::device_of_results results;
    ww_lsm_options wrong = WW_LSM_OPTIONS;
    wrong.reserved = 1;
    warpwise::lsm_of_results<uint32_t, float> refused(results, &wrong);
    assert_true(!refused.opened() && refused.opened().status() == WW_INVALID && !refused.get());
    warpwise::lsm_of_results<uint32_t, float> fine(results);
    assert_true(fine.opened() && !fine.insert(keys, std::vector<float>{1}));
}

void many_patterns(void **) {
    warpwise::device device;
    const std::string text = "a rose is a rose is a rose";
    const std::array<uint64_t, 3> begins{0, 4, 6};
    warpwise::patterns both(device, "roseis", begins);
    std::vector<uint64_t> positions(5, 77), numbers_of(5, 77);
    uint64_t count = 77, last = 77;
    both.find_many(text, positions, numbers_of, count);
    assert_true(count == 5);
    expect_same(positions, std::vector<uint64_t>{2, 7, 12, 17, 22});
    expect_same(numbers_of, std::vector<uint64_t>{0, 1, 0, 1, 0});
    device.find_last(text, "is", last);
    assert_true(last == 17);
    const std::array<uint32_t, 3> texts_begin{0, 10, 26};
    std::array<uint32_t, 2> each{};
    device.find_texts(text, texts_begin, "rose", positions, each, count);
    assert_true(count == 3 && each[0] == 1 && each[1] == 2);
    std::array<uint8_t, 5> differ{};
    device.find_near(text, "rise", 1, positions, differ, count);
    assert_true(count == 3 && differ[0] == 1);
}

/* Arrays whose types are known at run time only. */
void untyped(void **) {
    warpwise::device device;
    numbers x{3, 1, 2}, y(3);
    const ww_function *op = &ww_add;
    uint32_t sum = 0;
    device.reduce(op, ww_memory(x.data(), 3), ww_array(&sum, 1));
    assert_true(sum == 6);
    device.sort(ww_memory(x.data(), 3), ww_array(y.data(), 3));
    expect_same(y, numbers{1, 2, 3});
    device.map(scaled_ww.environment ? ww_with(scaled, &sum) : nullptr, x, y);
    expect_same(y, numbers{18, 6, 12});
}

void errors(void **) {
    const numbers x{1, 2, 3}, bad{0, 3, 1};
    numbers out(3);
    bool thrown = false;
    try {
        warpwise::device device;
        device.gather(x, bad, out);
        device.sync();
    } catch (const warpwise::error &e) {
        thrown = e.status() == WW_RANGE && std::string(e.what()).find("index[1]") != std::string::npos;
    }
    assert_true(thrown);
    thrown = false;
    try {
        warpwise::device device(std::string("abacus"));
    } catch (const warpwise::error &e) {
        thrown = e.status() == WW_NO_DEVICE && std::string(e.what()).find("abacus") != std::string::npos;
    }
    assert_true(thrown);
    warpwise::device_of_results nothing("abacus");
    assert_true(!nothing.opened() && nothing.opened().status() == WW_NO_DEVICE);
    warpwise::device_of_results device;
    assert_true(static_cast<bool>(device.opened()));
    warpwise::device_of_results given;
    nothing = std::move(given);
    assert_true(static_cast<bool>(nothing.opened()) && nothing.get());
    numbers two(2);
    if (const warpwise::result r = device.sort(x, two))
        fail();
    else
        assert_true(r.status() == WW_INVALID && std::string(r.sentence()).find("keys_out") != std::string::npos);
    uint32_t sum = 0;
    assert_true(static_cast<bool>(device.reduce(warpwise::add, x, sum)) && sum == 6);
    warpwise::buffer<uint64_t> large;
    /* So many that their bytes are 8 where they overflow. */
    assert_true(device.allocate(static_cast<std::size_t>(-1) / 8 + 2, large).status() == WW_MEMORY && !large.data());
    assert_true(device.check(ww_scratch_trim(device.get())).status() == WW_OK);
}

/* Of equal elements those of the first array come first. */
void merges(void **) {
    warpwise::device device;
    const std::vector<point> a{{1, 0}, {3, 0}}, b{{1, 1}, {2, 1}};
    std::vector<point> out(4);
    device.merge(ww_typed(left_of), a, b, out);
    assert_true(out[0].y == 0 && out[1].y == 1 && out[1].x == 1 && out[2].x == 2 && out[3].x == 3);
}

/* Results that go through a function, and to the arrays of a struct's members: in the call's pass, and behind it. */
void results(void **) {
    warpwise::device device;
    const numbers x = random_numbers(1000, 300, 5);
    std::vector<int32_t> a(x.size()), b(x.size());
    numbers low(x.size()), sorted(x.size()), from(x.size()), to(x.size());
    std::vector<point> points(x.size());
    for (std::size_t i = 0; i < x.size(); i++) points[i] = {static_cast<int32_t>(x[i]), static_cast<int32_t>(i)};
    device.store(points, warpwise::zipped_into<point>(a, b));
    device.scan(warpwise::add, x, warpwise::mapped_into(ww_typed(low_byte), low));
    uint32_t sum = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
        sum += x[i];
        assert_true(a[i] == points[i].x && b[i] == points[i].y && low[i] == (sum & 255));
    }
    const uint32_t by = 3;
    numbers wanted = x;
    std::sort(wanted.begin(), wanted.end());
    device.sort(x, warpwise::zip<edge>(x, warpwise::counting(uint32_t{0}, x.size())),
                warpwise::mapped_into(ww_typed(scaled).with(by), sorted), warpwise::zipped_into<edge>(from, to));
    for (std::size_t i = 0; i < x.size(); i++)
        assert_true(sorted[i] == 3 * wanted[i] && from[i] == wanted[i] && x[to[i]] == wanted[i]);
    device.sort_by(ww_typed(left_of), points,
                   warpwise::mapped_into(ww_typed(swapped), warpwise::zipped_into<point>(a, b)));
    for (std::size_t i = 0; i < x.size(); i++) assert_true(static_cast<uint32_t>(b[i]) == wanted[i]);
    const auto back = warpwise::reversed(warpwise::counting(uint32_t{0}, x.size()));
    device.store(points, warpwise::permuted_into(warpwise::zipped_into<point>(a, b), back));
    device.store(x, warpwise::mapped_into(ww_typed(low_byte), warpwise::permuted_into(low, back)));
    for (std::size_t i = 0; i < x.size(); i++) {
        const std::size_t j = x.size() - 1 - i;
        assert_true(a[j] == points[i].x && b[j] == points[i].y && low[j] == (x[i] & 255));
    }
    device.store(x, ww_permuted_into(ww_array(low.data(), low.size()), back.get()));
    for (std::size_t i = 0; i < x.size(); i++) assert_true(low[x.size() - 1 - i] == x[i]);
    device.store(x, ww_mapped_into(&low_byte_ww, ww_array(low.data(), low.size())));
    for (std::size_t i = 0; i < x.size(); i++) assert_true(low[i] == (x[i] & 255));
}

/* Each handle and block of memory belongs to one owner; the address sanitizer sees what is freed twice or never. */
void owners(void **) {
    warpwise::device a, b(std::move(a));
    assert_null(a.get());
    a = warpwise::device("cpu:threads=1");
    assert_true(a.info().threads == 1 && std::string(b.info().backend) != "");
    std::swap(a, b);
    assert_true(b.info().threads == 1);
    warpwise::buffer<uint32_t> x = b.allocate<uint32_t>(10), y, z = b.allocate<uint32_t>(20);
    y = std::move(x);
    assert_true(!x.data() && !x.size() && y.size() == 10);
    z = std::move(y);
    assert_true(z.size() == 10 && !y.data());
    b.allocate(30, z);
    assert_true(z.size() == 30);
    b.fill(z, uint32_t{4});
    assert_true(b.reduce(warpwise::add, z) == 120);
}

} // namespace

/* test_cxx NAME: that one alone. */
int main(int argc, char **argv) {
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const CMUnitTest tests[] = {
        cmocka_unit_test(maps),          cmocka_unit_test(reductions),   cmocka_unit_test(choices),
        cmocka_unit_test(orders),        cmocka_unit_test(texts),        cmocka_unit_test(windows),
        cmocka_unit_test(queries),       cmocka_unit_test(columns),      cmocka_unit_test(segments),
        cmocka_unit_test(arrangements),  cmocka_unit_test(counts),       cmocka_unit_test(more_orders),
        cmocka_unit_test(results),       cmocka_unit_test(dictionaries), cmocka_unit_test(errors),
        cmocka_unit_test(many_patterns), cmocka_unit_test(untyped),      cmocka_unit_test(owners),
        cmocka_unit_test(merges)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
