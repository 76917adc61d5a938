/* The methods of ww_sort and ww_sort_by that are there to learn from – networks, quicksort by scans, splits by digits – against a
 * serial merge sort. */
#include "device/cpu/parallel.h"
#include "function/function.h"
#include "reference/order.h"
#include "sort/arrays.h"
#include "sort/orders.h"
#include "support/traced.h"

typedef struct named {
    ww_sort_method method;
    const char *name;
    bool compares;
    size_t most; /* keys of a test on a CPU: transposition takes n^2 / 2 comparators */
} named;
static const named methods[] = {
    {WW_SORT_BITONIC, "bitonic", true, SIZE_MAX},        {WW_SORT_QUICK, "quick", true, SIZE_MAX},
    {WW_SORT_MULTISPLIT, "multisplit", false, SIZE_MAX}, {WW_SORT_MERGE_NETWORK, "merge-network", true, SIZE_MAX},
    {WW_SORT_SPLIT1, "split1", false, SIZE_MAX},         {WW_SORT_ODDEVEN, "oddeven", true, 3000}};
enum { METHODS = sizeof methods / sizeof *methods };

static const size_t value_sizes[] = {0, 4, 1, 8, 2, 16, 5, 0, 24};
enum { VALUE_SIZES = sizeof value_sizes / sizeof *value_sizes };

/* ---- one case ---- */

typedef struct sorted {
    const ww_type *type;
    const ww_function *less; /* NULL: ww_sort */
    ww_sort_options options;
    size_t n, value_size;
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
} sorted;

/* Keys, and values beside them, in the order of the positions. */
static void want(sorted *c, const uint32_t *positions) {
    const size_t key = c->type->size, value = c->value_size;
    c->values = need(c->n * value + 1);
    c->keys_wanted = need(c->n * key + 1), c->values_wanted = need(c->n * value + 1);
    fill(c->values, &ww_type_record, value, c->n, UNIFORM, seed_of_run() + 1);
    for (size_t i = 0; i < c->n; i++) {
        memcpy(c->keys_wanted + i * key, c->keys + positions[i] * key, key);
        memcpy(c->values_wanted + i * value, c->values + positions[i] * value, value);
    }
}

static void sorted_free(sorted *c) { free(c->keys), free(c->values), free(c->keys_wanted), free(c->values_wanted); }

static ww_status sort(ww_device *device, const sorted *c, ww_input keys, ww_input values, ww_array keys_out,
                      ww_array values_out) {
    return c->less ? ww_sort_by(device, c->less, keys, values, keys_out, values_out, &c->options)
                   : ww_sort(device, keys, values, keys_out, values_out, &c->options);
}

static bool is_moved(size_t size) { return size <= 16 && !(size & (size - 1)); }

static void check_scratch(ww_device *device, const sorted *c) {
    const bool compares = c->options.method != WW_SORT_MULTISPLIT && c->options.method != WW_SORT_SPLIT1;
    const size_t counters = on_emulator() ? 8 : on_gpu() ? 2 : 1, positions = is_moved(c->value_size) ? 0 : 8;
    const size_t more = compares ? 40 : counters + positions;
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= c->n * (c->type->size + c->value_size + more) + ((size_t)1 << 20) +
                                    (size_t)info.threads * (compares ? 128 << 10 : 1280 << 10));
}

static void check_sorted(ww_device *device, const sorted *c, bool in_place) {
    sort_arrays a = sort_arrays_new(c->type, c->keys, c->values, c->n, c->value_size, in_place);
    ww_scratch_trim(device);
    expect_status(device, sort(device, c, a.keys_in, a.values_in, a.keys_out, a.values_out), WW_OK);
    sort_arrays_end(&a, c->keys_wanted, c->values_wanted);
    check_scratch(device, c);
}

static void solve_numbers(sorted *c, reference_order order, shape s) {
    uint32_t *positions = need(c->n * sizeof *positions + 1);
    c->keys = need(c->n * c->type->size + 1);
    fill(c->keys, c->type, c->type->size, c->n, s, seed_of_run() + c->n);
    reference_sort_positions(order, c->keys, c->n, positions);
    want(c, positions);
    free(positions);
}

static void solve_by(sorted *c, shape s); /* by the order of c->less */

/* Keys are made and sorted when the first case is wanted: short tests leave most of them out. `order` is of numbers. */
static void check_everywhere(ww_device **devices, size_t settings, const named *m, sorted *c,
                             const reference_order *order, shape s, unsigned turn) {
    for (size_t d = 0; d < settings; d++) {
        CASE("sort methods", "%s %s %s%s+%zu %s%s bits=%u+%u digits=%u n=%zu %s seed=%llu", setting_name(d), m->name,
             c->less ? "by " : "", c->less ? c->less->name : c->type->label, c->value_size, shape_name(s),
             c->options.descending ? " descending" : "", c->options.bit_first, c->options.bit_count,
             c->options.digit_bits, c->n, (turn + d) % 2 ? "in-place" : "apart", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!c->keys && order) solve_numbers(c, *order, s);
        if (!c->keys) solve_by(c, s);
        check_sorted(devices[d], c, (turn + d) % 2);
    }
}

static void check_numbers(ww_device **devices, size_t settings, const named *m, reference_order order, size_t n,
                          size_t value_size, shape s, unsigned turn) {
    sorted c = {.type = order.type, .options = options_of(order), .n = n, .value_size = value_size};
    c.options.method = m->method;
    if (m->method == WW_SORT_MULTISPLIT && turn % 2) c.options.digit_bits = 4 + turn / 2 % 5;
    check_everywhere(devices, settings, m, &c, &order, s, turn);
    sorted_free(&c);
}

/* ---- numbers ---- */

/* Around the ends of runs, of tiles of the emulator's and of a CPU's, and of what is finished on chip. */
static const size_t sizes[] = {0,  1,   2,   3,   7,   16,  24,  31,  32,   33,   63,   64,   65,
                               97, 128, 129, 255, 256, 257, 300, 513, 1000, 1023, 1500, 2049, 4099};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void types_and_sizes(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t m = 0; m < METHODS; m++)
        for (size_t t = 0; t < KEY_TYPES; t++)
            for (size_t i = 0; i < SIZES; i++, turn++) {
                if (sizes[i] > methods[m].most) continue;
                if (on_emulator() && ((t + m) % 4 != 1 || (sizes[i] > 65 && (i + t) % 3) || sizes[i] > 1500)) continue;
                const size_t v = on_emulator() ? (t + m) % 3 : turn % VALUE_SIZES;
                check_numbers(devices, settings, &methods[m], order_in_turn(t, turn), sizes[i], value_sizes[v],
                              (shape)(turn % SHAPES), turn);
            }
    settings_close(devices, settings);
}

/* Where windows, pieces and rounds are many: several workers, halos on both sides, phases in memory. On the emulator, whose windows
 * are short, a few hundred keys are as many. */
static void many_keys(void **state) {
    (void)state;
    if (on_emulator()) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    static const struct {
        const ww_type *type; /* entries are words, pairs of words, places */
        size_t n, transposed;
    } rows[] = {
        {&ww_type_uint32_t, 100003, 17000},
        {&ww_type_double, 70001, 9000},
#if WW_HAS_U128
        {&ww_type_ww_u128, 66000, 2000}
#endif
    };
    const size_t shorter = tests_are_short() ? 4 : 1;
    unsigned turn = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t m = 0; m < METHODS; m++)
            for (int s = 0; s < SHAPES; s++, turn++) {
                if (s != UNIFORM && ((size_t)s + m + r) % 3) continue;
                const size_t n = (methods[m].most == SIZE_MAX ? rows[r].n : rows[r].transposed) / shorter;
                const reference_order order = {rows[r].type, turn % 2, 0, 0};
                check_numbers(devices, settings, &methods[m], order, n, value_sizes[turn % VALUE_SIZES], (shape)s,
                              turn);
            }
    settings_close(devices, settings);
}

/* Values that are longer than a thread of a GPU can hold: they move whole. */
static void long_values(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    const reference_order order = {&ww_type_uint32_t, false, 0, 0};
    for (size_t m = 0; m < METHODS; m++)
        for (unsigned turn = 0; turn < 2; turn++)
            check_numbers(devices, settings, &methods[m], order, 40 - turn, 20000, UNIFORM, turn);
    settings_close(devices, settings);
}

/* As many keys as transposition takes: 2^31 comparators, by the widest vectors only, and not where everything is slow. */
static void most_transposed(void **state) {
    (void)state;
    if (on_emulator()) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, 1), n = tests_are_short() ? WW_ODDEVEN_MOST / 8 : WW_ODDEVEN_MOST;
    const named *oddeven = &methods[METHODS - 1];
    const reference_order order = {&ww_type_uint32_t, false, 0, 0};
    assert_int_equal(oddeven->method, WW_SORT_ODDEVEN);
    check_numbers(devices, settings, oddeven, order, n, 0, UNIFORM, 0);
    settings_close(devices, settings);
}

/* ---- any order ---- */

WW_STRUCT(person, {
    uint32_t age;
    float weight;
    uint16_t floor;
    uint16_t name;
});
WW_LESS(younger, person, a, b,
        { return a.age % 64 < b.age % 64 || (a.age % 64 == b.age % 64 && a.floor % 4 > b.floor % 4); });
WW_LESS(by_remainder, uint32_t, a, b, { return a % 1000 < b % 1000; });

static bool person_before(const void *x, const void *y) {
    const person *a = x, *b = y;
    if (a->age % 64 != b->age % 64) return a->age % 64 < b->age % 64;
    return a->floor % 4 > b->floor % 4;
}
static bool remainder_before(const void *x, const void *y) {
    return *(const uint32_t *)x % 1000 < *(const uint32_t *)y % 1000;
}

static const struct {
    const ww_type *type;
    const ww_function *less;
    reference_before *before;
} orders[] = {{&person_ww, &younger_ww, person_before}, {&ww_type_uint32_t, &by_remainder_ww, remainder_before}};

typedef struct placed { /* what the oracle sorts */
    unsigned char key[sizeof(person)];
    uint32_t position;
} placed;

static reference_before *forwards;
static bool backwards(const void *a, const void *b) { return forwards(b, a); }

static void solve_by(sorted *c, shape s) {
    const size_t n = c->n;
    c->keys = need(n * c->type->size + 1);
    fill(c->keys, c->type, c->type->size, n, s, seed_of_run() + n);
    placed *all = need(n * sizeof *all + 1);
    uint32_t *positions = need(n * sizeof *positions + 1);
    for (size_t i = 0; i < n; i++) {
        memcpy(all[i].key, c->keys + i * c->type->size, c->type->size);
        all[i].position = (uint32_t)i;
    }
    forwards = c->less == orders[0].less ? orders[0].before : orders[1].before;
    reference_sort(all, n, sizeof *all, c->options.descending ? backwards : forwards);
    for (size_t i = 0; i < n; i++) positions[i] = all[i].position;
    want(c, positions);
    free(all), free(positions);
}

static void check_order(ww_device **devices, size_t settings, const named *m, size_t order, size_t n, unsigned turn) {
    const shape s = (shape)(turn % SHAPES);
    sorted c = {.type = orders[order].type, .less = orders[order].less, .options = WW_SORT_OPTIONS, .n = n};
    c.options.method = m->method;
    c.options.descending = on_emulator() ? order : turn % 2;
    c.value_size = value_sizes[turn % VALUE_SIZES];
    if (on_emulator()) c.value_size = order ? 24 : 0;
    check_everywhere(devices, settings, m, &c, NULL, s, turn);
    sorted_free(&c);
}

static void any_order(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t m = 0; m < METHODS; m++)
        for (size_t order = 0; methods[m].compares && order < 2; order++) {
            for (size_t i = 0; i < SIZES; i++, turn++)
                if (sizes[i] <= methods[m].most && (!on_emulator() || (i % 4 == order && sizes[i] < 1500)))
                    check_order(devices, settings, &methods[m], order, sizes[i], turn);
            if (methods[m].most == SIZE_MAX && !on_emulator())
                check_order(devices, settings, &methods[m], order, 70001, turn);
        }
    settings_close(devices, settings);
}

/* The library's own orders are those of ww_sort. */
static void built_in_orders(void **state) {
    (void)state;
    const ww_function *const own[] = {NULL, &ww_ascending, &ww_descending};
    float *keys = need(300 * sizeof *keys), *got = need(300 * sizeof *got), *wanted = need(300 * sizeof *wanted);
    fill(keys, &ww_type_float, 4, 300, ADVERSARIAL, seed_of_run());
    ww_device *device = setting_open(0);
    for (int k = 0; k < 6; k++) {
        ww_sort_options o = WW_SORT_OPTIONS, plain = o;
        o.method = WW_SORT_QUICK;
        o.descending = k / 3;
        plain.descending = (k % 3 == 2) != o.descending;
        CASE("sort by built-in", "order=%d descending=%d", k % 3, (int)o.descending);
        expect_status(
            device, ww_sort(device, ww_memory(keys, 300), ww_no_input, ww_array(wanted, 300), ww_none, &plain), WW_OK);
        expect_status(
            device, ww_sort_by(device, own[k % 3], ww_memory(keys, 300), ww_no_input, ww_array(got, 300), ww_none, &o),
            WW_OK);
        expect_elements(got, wanted, 300, 4);
    }
    ww_close(device);
    free(keys), free(got), free(wanted);
}

WW_LESS(always, uint32_t, a, b, { return a + 1 > b || b >= a; });
WW_LESS(around, uint32_t, a, b, { return (b - a) % 3 == 1; });
WW_LESS(not_above, uint32_t, a, b, { return a <= b; });

/* Functions that are no order: some permutation comes out. Quicksort's segments do not get shorter by the first and the last,
 * so that it ends by its network. */
static void no_order(void **state) {
    (void)state;
    static const ww_function *const orders_not[] = {&always_ww, &around_ww, &not_above_ww};
    const size_t n = on_emulator() ? 700 : 3000;
    uint32_t *keys = need(n * 4), *values = need(n * 4), *out = need(n * 4);
    uint8_t *seen = need(n);
    for (size_t i = 0; i < n; i++) keys[i] = (uint32_t)(i * 2654435761u % 100);
    ww_device *device = setting_open(0);
    for (size_t m = 0; m < METHODS; m++)
        for (size_t f = 0; methods[m].compares && f < 3; f++) {
            CASE("sort by no order", "%s %s", methods[m].name, orders_not[f]->name);
            if (!case_wanted() || (on_emulator() && (m + f) % 2)) continue;
            ww_sort_options o = WW_SORT_OPTIONS;
            o.method = methods[m].method;
            expect_status(device,
                          ww_sort_by(device, orders_not[f], ww_memory(keys, n), ww_counting(&ww_type_uint32_t, 0, n),
                                     ww_array(out, n), ww_array(values, n), &o),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            memset(seen, 0, n);
            for (size_t i = 0; i < n; i++) {
                expect(values[i] < n && !seen[values[i]] && out[i] == keys[values[i]]);
                seen[values[i]] = 1;
            }
            expect_status(
                device,
                ww_sort_by(device, orders_not[f], ww_memory(keys, n), ww_no_input, ww_array(out, n), ww_none, &o),
                WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_permutation(out, keys, n, 4);
        }
    ww_close(device);
    free(keys), free(values), free(out), free(seen);
}

static uint32_t middle(uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t low = x < y ? x : y, high = x < y ? y : x;
    return z < low ? low : z > high ? high : z;
}

/* Keys that quicksort's rule finds its pivots among the least of, round by round (after McIlroy, A Killer Adversary for Quicksort,
 * 1999): keys get their values when the rule looks at them, in rising order. */
static void fill_killer(uint32_t *keys, uint32_t n) {
    uint32_t *alive = need(n * sizeof *alive), value = 0;
    for (uint32_t i = 0; i < n; i++) keys[i] = UINT32_MAX, alive[i] = i;
    while (n >= 9) {
        uint32_t nine[9], kept = 0;
        for (uint32_t k = 0; k < 9; k++) {
            uint32_t *const key = &keys[alive[k < 8 ? n / 8 * k : n - 1]];
            if (*key == UINT32_MAX) *key = value++;
            nine[k] = *key;
        }
        const uint32_t pivot = middle(middle(nine[0], nine[1], nine[2]), middle(nine[3], nine[4], nine[5]),
                                      middle(nine[6], nine[7], nine[8]));
        for (uint32_t i = 0; i < n; i++)
            if (keys[alive[i]] > pivot) alive[kept++] = alive[i];
        n = kept;
    }
    for (uint32_t i = 0; i < n; i++)
        if (keys[alive[i]] == UINT32_MAX) keys[alive[i]] = value++;
    free(alive);
}

/* Rounds are used up, and a network does the rest. */
static void killers(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 500 : 20000;
    uint32_t *keys = need(n * 4), *out = need(n * 4);
    fill_killer(keys, n);
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = WW_SORT_QUICK;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("quick killers", "%s n=%u", setting_name(d), n);
        if (case_wanted()) {
            expect_status(device, ww_sort(device, ww_memory(keys, n), ww_no_input, ww_array(out, n), ww_none, &o),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint32_t i = 0; i < n; i++) expect(out[i] == i);
        }
        ww_close(device);
    }
    free(keys), free(out);
}

/* ---- the zero-one principle ---- */

/* A network that sorts all inputs of zeros and ones sorts all inputs (Knuth, volume 3, 5.3.4, theorem Z). Ones and zeros are told
 * apart by a bit; the other bits say where a key came from, and so whether the sort is stable. */
static void zeros_and_ones(void **state) {
    (void)state;
    const uint32_t most = on_emulator() ? 7 : 16;
    ww_device *device = setting_open(0);
    uint8_t *keys = need(16), *out = need(16), wanted[16];
    for (size_t m = 0; m < METHODS; m++) {
        if (!methods[m].compares || methods[m].method == WW_SORT_QUICK) continue;
        ww_sort_options o = WW_SORT_OPTIONS;
        o.method = methods[m].method;
        o.bit_first = 7, o.bit_count = 1;
        for (uint32_t n = 0; n <= most; n++) {
            CASE("sort zeros and ones", "%s n=%u", methods[m].name, n);
            if (!case_wanted()) continue;
            for (uint32_t bits = 0; bits < 1u << n; bits++) {
                for (uint32_t i = 0; i < n; i++) keys[i] = (uint8_t)((bits >> i & 1) << 7 | i);
                expect_status(device, ww_sort(device, ww_memory(keys, n), ww_no_input, ww_array(out, n), ww_none, &o),
                              WW_OK);
                expect_status(device, ww_sync(device), WW_OK);
                uint32_t place = 0;
                for (uint32_t bit = 0; bit < 2; bit++)
                    for (uint32_t i = 0; i < n; i++)
                        if ((bits >> i & 1) == bit) wanted[place++] = keys[i];
                expect_bytes(out, wanted, n);
            }
        }
    }
    ww_close(device);
    free(keys), free(out);
}

/* The blocks in registers that a CPU sorts keys of 4 and 8 bytes by: every pattern of zeros and ones goes through the network that
 * sorts columns, a pattern in each column, for all numbers of rows. (Rows are as long as vectors: 8 or 16 columns of 4 bytes, 8 of 8
 * bytes; with other widths the same keys are just sorted.) */
static void zeros_and_ones_in_columns(void **state) {
    (void)state;
    static const size_t columns[] = {8, 16};
    if (on_gpu()) return;
    uint32_t *keys = need(256 * 4), *out = need(256 * 4);
    uint64_t *wide = need(256 * 8), *wide_out = need(256 * 8);
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        for (size_t c = 0; c < 2; c++)
            for (uint32_t rows = 2; rows <= 16; rows *= 2) {
                const size_t n = rows * columns[c];
                CASE("sort columns of zeros and ones", "%s %u rows of %zu", setting_name(d), rows, columns[c]);
                if (!case_wanted() || !device) continue;
                for (uint32_t pattern = 0; pattern < 1u << rows; pattern += (uint32_t)columns[c]) {
                    size_t ones = 0;
                    for (size_t i = 0; i < n; i++) {
                        const uint32_t column = pattern + (uint32_t)(i % columns[c]);
                        keys[i] = column >> (i / columns[c]) & 1;
                        wide[i] = keys[i], ones += keys[i];
                    }
                    expect_status(device,
                                  ww_sort(device, ww_memory(keys, n), ww_no_input, ww_array(out, n), ww_none, NULL),
                                  WW_OK);
                    expect_status(
                        device, ww_sort(device, ww_memory(wide, n), ww_no_input, ww_array(wide_out, n), ww_none, NULL),
                        WW_OK);
                    for (size_t i = 0; i < n; i++) expect(out[i] == (i >= n - ones) && wide_out[i] == (i >= n - ones));
                }
            }
        ww_close(device);
    }
    free(keys), free(out), free(wide), free(wide_out);
}

/* ---- what runs, and what is refused ---- */

static void traces(void **state) {
    (void)state;
    char text[1 << 16];
    uint32_t *keys = need(200 * 4), *out = need(200 * 4);
    fill(keys, &ww_type_uint32_t, 4, 200, UNIFORM, seed_of_run());
    ww_device *device = traced_open();
    for (size_t m = 0; m < METHODS; m++) {
        ww_sort_options o = WW_SORT_OPTIONS;
        o.method = methods[m].method;
        o.bit_first = 3, o.bit_count = 8;
        CASE("sort methods trace", "%s", methods[m].name);
        traced t = traced_begin();
        const ww_status status = ww_sort(device, ww_memory(keys, 200), ww_no_input, ww_array(out, 200), ww_none, &o);
        traced_end(&t, text, sizeof text);
        expect_status(device, status, WW_OK);
        if (!on_gpu()) expect(strstr(text, methods[m].name) != NULL);
        if (!tiles_are_small()) continue;
        switch (o.method) {
        case WW_SORT_BITONIC: /* windows of 64: runs of 128, then of 256 */
            expect_launches(text, "network_windows", "network_phase_of_all", "network_windows", "network_phase_of_all",
                            "network_phase_of_all", "network_windows");
            break;
        case WW_SORT_MERGE_NETWORK: /* steps up to 8 by windows */
            expect_launches(text, "network_windows", "network_phase_of_all", "network_phase_of_all",
                            "network_phase_of_all", "network_windows", "network_phase_of_all", "network_phase_of_all",
                            "network_phase_of_all", "network_phase_of_all", "network_windows");
            break;
        case WW_SORT_MULTISPLIT:
            expect_launches(text, "count_digits", "sweep_digit");
            break;
        case WW_SORT_QUICK:
            expect(strstr(text, "quick_begin") && strstr(text, "quick_pivots") && strstr(text, "quick_compare") &&
                   strstr(text, "scan") && strstr(text, "quick_split") && strstr(text, "quick_finish"));
            break;
        default:
            expect(strstr(text, o.method == WW_SORT_ODDEVEN ? "network_windows" : "split") != NULL);
            expect(strstr(text, "network_phase_of_all") == NULL);
        }
    }
    ww_close(device);
    free(keys), free(out);
}

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const size_t n = WW_ODDEVEN_MOST + 1;
    uint32_t *keys = need(n * 4), *out = need(n * 4);
    memset(keys, 0, n * 4);
    const ww_input in = ww_memory(keys, 4), none = ww_no_input;
    const ww_array to = ww_array(out, 4);
    ww_sort_options o = WW_SORT_OPTIONS;
    CASE("sort methods refusals", "%s", setting_name(0));
    o.method = WW_SORT_ODDEVEN;
    expect_status(device, ww_sort(device, ww_memory(keys, n), none, ww_array(out, n), ww_none, &o), WW_LIMIT);
    expect_sentence(device, "ww_sort", "65537", "oddeven", "65536");
    /* Of the limit of the others only the refusal above it is tested: 2^32 - 1 keys, which they take, are 16 GiB. A GPU looks
     * for the memory first, and refuses what is not there. */
    static const struct {
        ww_sort_method method;
        const char *name;
    } limited[] = {{WW_SORT_QUICK, "quick"}, {WW_SORT_BITONIC, "bitonic"}, {WW_SORT_MERGE_NETWORK, "merge-network"}};
    for (size_t m = 0; m < sizeof limited / sizeof *limited && !on_gpu(); m++) {
        const uint64_t many = (uint64_t)1 << 32;
        o.method = limited[m].method;
        expect_status(device, ww_sort(device, ww_memory(keys, many), none, ww_array(keys, many), ww_none, &o),
                      WW_LIMIT);
        expect_sentence(device, "4294967296", limited[m].name, "4294967295");
    }
    o.method = WW_SORT_QUICK;
    o.bit_count = 4;
    expect_status(device, ww_sort_by(device, &by_remainder_ww, in, none, to, ww_none, &o), WW_INVALID);
    expect_sentence(device, "ww_sort_by", "bit_count is 4", "by_remainder");
    o.bit_count = 0;
    o.method = WW_SORT_SPLIT1;
    expect_status(device, ww_sort_by(device, &by_remainder_ww, in, none, to, ww_none, &o), WW_INVALID);
    expect_sentence(device, "split1", "by_remainder");
    o.method = WW_SORT_BITONIC;
    expect_status(device, ww_sort_by(device, &younger_ww, in, none, to, ww_none, &o), WW_TYPE);
    expect_status(device, ww_sort_by(device, &ww_add, in, none, to, ww_none, &o), WW_TYPE);
    expect_status(device, ww_sort_by(device, &by_remainder_ww, none, none, to, ww_none, &o), WW_INVALID);
    expect_sentence(device, "keys");
    o.method = WW_SORT_MULTISPLIT;
    for (uint32_t bits = 3; bits < 10; bits += 6) {
        o.digit_bits = bits;
        expect_status(device, ww_sort(device, in, none, to, ww_none, &o), WW_INVALID);
        expect_sentence(device, "digit_bits", "4 to 8");
    }
    o = (ww_sort_options)WW_SORT_OPTIONS; /* a single element may lie anywhere */
    for (size_t m = 0; m < METHODS; m++) {
        uint32_t one = 1, value = 2;
        const uint32_t five = 5;
        o.method = methods[m].method;
        expect_status(device,
                      ww_sort(device, ww_constant(ww_value(uint32_t, five), 1), ww_counting(&ww_type_uint32_t, 9, 1),
                              ww_array(&one, 1), ww_array(&value, 1), &o),
                      WW_OK);
        expect(one == 5 && value == 9);
    }
    ww_close(device);
    free(keys), free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(types_and_sizes), cmocka_unit_test(many_keys),
                                       cmocka_unit_test(long_values),     cmocka_unit_test(most_transposed),
                                       cmocka_unit_test(any_order),       cmocka_unit_test(built_in_orders),
                                       cmocka_unit_test(no_order),        cmocka_unit_test(killers),
                                       cmocka_unit_test(zeros_and_ones),  cmocka_unit_test(zeros_and_ones_in_columns),
                                       cmocka_unit_test(traces),          cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
