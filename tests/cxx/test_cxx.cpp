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
WW_LESS(left_of, point, a, b, { return a.x < b.x; });
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
    const CMUnitTest tests[] = {cmocka_unit_test(maps),   cmocka_unit_test(reductions), cmocka_unit_test(choices),
                                cmocka_unit_test(orders), cmocka_unit_test(texts),      cmocka_unit_test(untyped),
                                cmocka_unit_test(errors), cmocka_unit_test(owners),     cmocka_unit_test(merges)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
