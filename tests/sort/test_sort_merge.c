/* The merge sorts, of methods merge, merge-plain and merge-search, against a serial sort: ww_sort of every type of key and ww_sort_by of
 * every order, up and down, with values of many sizes, in place and not; orders that are none; what is refused. */
#include "primitive/orders.h"
#include "sort/arrays.h"
#include "support/traced.h"

enum { VALUE_SIZES = 8 };
static const size_t value_sizes[VALUE_SIZES] = {0, 4, 8, 1, 16, 2, 12, 40};

static const char *method_name(ww_sort_method m) {
    return m == WW_SORT_AUTO          ? "auto"
           : m == WW_SORT_MERGE       ? "merge"
           : m == WW_SORT_MERGE_PLAIN ? "merge-plain"
                                      : "merge-search";
}

/* One case, and what should come out. Elements are known by their positions, which the values hold as far as they are
 * long enough. */
typedef struct sorted {
    const order *order;
    bool by, descending; /* ww_sort_by; options.descending */
    ww_sort_method method;
    size_t n, key_size, value_size;
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
} sorted;

/* Positions in order, by a serial sort of keys that have theirs behind them. */
static void sort_positions(const sorted *c, uint32_t *positions) {
    const size_t stride = (c->key_size + 4 + 15) / 16 * 16;
    unsigned char *x = need(c->n * stride + 1);
    for (size_t i = 0; i < c->n; i++) {
        const uint32_t at = (uint32_t)(c->descending ? c->n - 1 - i
                                                     : i); /* sorted up, read backwards: ties keep their order */
        memcpy(x + i * stride, c->keys + at * c->key_size, c->key_size);
        memcpy(x + i * stride + c->key_size, &at, 4);
    }
    reference_sort(x, c->n, stride, c->order->before);
    for (size_t i = 0; i < c->n; i++)
        memcpy(&positions[c->descending ? c->n - 1 - i : i], x + i * stride + c->key_size, 4);
    free(x);
}

static void fill_keys(const sorted *c, shape s) {
    fill(c->keys, c->order->type, c->key_size, c->n, s, seed_of_run() + c->n);
    const uint32_t keys = s == CONSTANT ? 1 : s == FEW ? 5 : 1000;
    tagged *const t = (tagged *)(void *)c->keys;
    for (size_t i = 0; i < c->n && c->order->type == &tagged_ww; i++) t[i].key = (uint16_t)(t[i].key % keys);
}

static sorted sorted_of(const order *o, size_t n, size_t value_size, shape s) {
    sorted c = {.order = o, .n = n, .key_size = o->type->size, .value_size = value_size};
    c.keys = need(n * c.key_size + 1), c.keys_wanted = need(n * c.key_size + 1);
    c.values = need(n * value_size + 1), c.values_wanted = need(n * value_size + 1);
    fill_keys(&c, s);
    fill(c.values, &ww_type_record, value_size, n, UNIFORM, seed_of_run() + 1);
    return c;
}

static void sort_wanted(sorted *c) {
    uint32_t *positions = need(c->n * sizeof *positions + 1);
    sort_positions(c, positions);
    for (size_t i = 0; i < c->n; i++) {
        memcpy(c->keys_wanted + i * c->key_size, c->keys + positions[i] * c->key_size, c->key_size);
        memcpy(c->values_wanted + i * c->value_size, c->values + positions[i] * c->value_size, c->value_size);
    }
    free(positions);
}

static void sorted_free(sorted *c) { free(c->keys), free(c->values), free(c->keys_wanted), free(c->values_wanted); }

static ww_status sort_keys(ww_device *device, const sorted *c, ww_input keys, ww_input values, ww_array keys_out,
                           ww_array values_out) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = c->method;
    o.descending = c->descending;
    return c->by ? ww_sort_by(device, c->order->less, keys, values, keys_out, values_out, &o)
                 : ww_sort(device, keys, values, keys_out, values_out, &o);
}

/* The automatic method sorts by radix where the order is the library's. */
static bool by_radix(const sorted *c) {
    const ww_function *less = c->order->less;
    return c->method == WW_SORT_AUTO && (!c->by || !less || less == &ww_ascending || less == &ww_descending);
}

/* What ww_sort and ww_sort_by document. */
static size_t scratch_bound(ww_device *device, const sorted *c) {
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    const bool moved = c->value_size <= 16 && !(c->value_size & (c->value_size - 1));
    const size_t far = on_gpu() && c->key_size > 16 ? 12 : 0;
    const bool by_samples = !on_gpu() && c->method == WW_SORT_AUTO && !by_radix(c);
    const size_t thread = by_samples ? 1024 : by_radix(c) ? 640 : 384;
    return c->n *
               (c->key_size + c->value_size + (moved ? 0 : 8) + far + (on_emulator() ? 1 : 0) + (by_samples ? 2 : 0)) +
           c->n / 4 + ((size_t)1 << 20) + info.threads * (thread << 10);
}

/* Sorts on one device and compares, scratch memory too. */
static void check_sorted(ww_device *device, const sorted *c, bool in_place) {
    sort_arrays a = sort_arrays_new(c->order->type, c->keys, c->values, c->n, c->value_size, in_place);
    ww_scratch_trim(device);
    expect_status(device, sort_keys(device, c, a.keys_in, a.values_in, a.keys_out, a.values_out), WW_OK);
    sort_arrays_end(&a, c->keys_wanted, c->values_wanted);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= scratch_bound(device, c));
}

/* Every setting sorts a case, in place every other time. */
static void check_case(ww_device **devices, size_t settings, sorted *c, shape s, unsigned turn) {
    bool is_sorted = false; /* by the oracle, when the first case is wanted */
    for (size_t d = 0; d < settings; d++) {
        CASE("merge sort", "%s %s%s %s%s+%zu n=%zu %s %s seed=%llu", setting_name(d), c->by ? "by " : "",
             method_name(c->method), c->order->name, c->descending ? " turned" : "", c->value_size, c->n, shape_name(s),
             (turn + d) % 2 ? "in-place" : "apart", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!is_sorted) sort_wanted(c);
        is_sorted = true;
        check_sorted(devices[d], c, (turn + d) % 2);
    }
}

/* Round leaves and chunks; on a GPU round tiles and what passes make of them. (The emulator's have 189 elements.) */
static const size_t cpu_sizes[] = {0, 1, 2, 3, 16, 17, 33, 100, 1000, 4099, 33000, 66001, 131073};
static const size_t emulator_sizes[] = {0,   1,   2,   3,   4,   64,   188,  189,  190,  256,  257,  379,
                                        512, 513, 700, 701, 757, 1000, 1001, 1300, 1301, 1513, 2049, 3100};
enum {
    CPU_SIZES = sizeof cpu_sizes / sizeof *cpu_sizes,
    EMULATOR_SIZES = sizeof emulator_sizes / sizeof *emulator_sizes
};

/* Where machines are slow the oracle takes longer than what it checks: few arrays are long there. */
static bool is_slow(void) { return tests_one_in() > 3; }

/* The orders of ww_sort are those of the library; ww_sort_by takes all. On the emulator an order meets one size of values:
 * each is a program of its own, which takes seconds to compile. */
static void orders_and_sizes(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t o = 0; o < ORDERS; o++) {
        if (on_emulator() && o % 3 == 2) continue;
        const size_t sizes = on_emulator() ? EMULATOR_SIZES : CPU_SIZES;
        for (size_t i = 0; i < sizes; i++)
            for (int s = 0; s < SHAPES; s++, turn++) {
                const size_t n = on_emulator() ? emulator_sizes[i] : cpu_sizes[i];
                const bool own = orders[o].less != &ww_ascending && orders[o].less != &ww_descending;
                if (on_emulator() ? (s + (int)i + (int)o) % SHAPES != 0 : n > 1000 && (s + (int)i + (int)o) % 5 != 0)
                    continue;
                if (is_slow() && n > 1000 && turn % 8) continue;
                sorted c = sorted_of(&orders[o], n, value_sizes[(on_emulator() ? o : turn) % VALUE_SIZES], (shape)s);
                c.by = own || turn % 2;
                c.descending = c.by ? turn / 3 % 2 : orders[o].less == &ww_descending;
                if (on_emulator()) c.descending = c.by && own && o % 2;
                c.method = turn / 2 % 3 == 0 && c.by ? WW_SORT_AUTO
                           : turn % 3 == 0           ? WW_SORT_MERGE_SEARCH
                                                     : WW_SORT_MERGE;
                if (!c.by) { /* its order is ascending */
                    static const order *up;
                    up = orders[o].less == &ww_descending ? &orders[o - 1] : &orders[o];
                    c.order = up;
                }
                check_case(devices, settings, &c, (shape)s, turn);
                sorted_free(&c);
            }
    }
    settings_close(devices, settings);
}

/* Values that are longer than a thread of a GPU can hold: they move whole. */
static void long_values(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (unsigned turn = 0; turn < 2; turn++) {
        sorted c = sorted_of(&orders[0], 40 - turn, 20000, UNIFORM);
        c.method = WW_SORT_MERGE;
        check_case(devices, settings, &c, UNIFORM, turn);
        sorted_free(&c);
    }
    settings_close(devices, settings);
}

/* Sizes that all workers share, where each merge is cut into pieces; on a GPU many passes. */
static void large(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = on_emulator() ? settings_open(devices, setting_count()) : setting_count_short();
    if (!on_emulator())
        for (size_t d = 0; d < settings; d++) devices[d] = setting_open(d);
    static const struct {
        size_t order, value_size;
        shape shape;
        ww_sort_method method;
    } cases[] = {{4, 0, UNIFORM, WW_SORT_MERGE},         {4, 4, FEW, WW_SORT_MERGE},
                 {6, 8, ADVERSARIAL, WW_SORT_MERGE},     {16, 4, SKEWED, WW_SORT_MERGE},
                 {4, 4, REVERSED, WW_SORT_MERGE},        {6, 0, UNIFORM, WW_SORT_MERGE_SEARCH},
                 {18, 40, SKEWED, WW_SORT_MERGE},        {4, 4, SORTED, WW_SORT_MERGE_PLAIN},
                 {23, 4, UNIFORM, WW_SORT_MERGE_SEARCH}, {24, 0, UNIFORM, WW_SORT_MERGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const order *o = &orders[cases[i].order < ORDERS ? cases[i].order : ORDERS - 2];
        const size_t n = on_emulator() ? 13001 : is_slow() ? 70001 : tests_are_short() ? 150001 : 400003;
        if (on_emulator() && left_to_gpus(i)) continue;
        sorted c = sorted_of(o, o->type->size > 16 ? n / 4 : n, cases[i].value_size, cases[i].shape);
        c.by = true;
        c.method = cases[i].method;
        c.descending = i % 4 == 3;
        check_case(devices, settings, &c, cases[i].shape, (unsigned)i);
        sorted_free(&c);
    }
    settings_close(devices, settings);
}

/* What auto does on a CPU by an order of the caller's, round the least that it takes and where it takes one pass and two. */
static void by_samples(void **state) {
    (void)state;
    static const size_t sizes[] = {4095, 4096, 5003, 70001, 300007};
    if (left_out_on_gpu("a GPU merges")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t k = 0; k < ORDERS; k++) {
        const order *o = &orders[k];
        if (!o->less || o->less == &ww_ascending || o->less == &ww_descending) continue;
        for (shape s = 0; s < SHAPES; s++, turn++) {
            const size_t n = sizes[turn % (tests_are_short() || is_slow() ? 3 : 5)];
            sorted c = sorted_of(o, n, value_sizes[turn % VALUE_SIZES], s);
            c.by = true;
            c.method = WW_SORT_AUTO;
            c.descending = turn % 3 == 1;
            check_case(devices, settings, &c, s, turn);
            sorted_free(&c);
        }
    }
    settings_close(devices, settings);
}

/* No order at all: the outcome of a comparison is chance. */
WW_LESS(by_chance, uint32_t, a, b, { return ((a * 2654435761u) ^ (b * 2246822519u)) >> 13 & 1; });
WW_LESS(always, tagged, a, b, { return a.tag == a.tag || b.tag; });
WW_LESS(wide_by_chance, wide, a, b, { return ((a.word[3] ^ (b.word[5] * 31)) & 4) != 0; });

static void no_order(void **state) {
    (void)state;
    static const struct {
        const ww_type *type;
        const ww_function *less;
    } of[] = {{&ww_type_uint32_t, &by_chance_ww}, {&tagged_ww, &always_ww}, {&wide_ww, &wide_by_chance_ww}};
    static const size_t sizes[] = {2, 30, 700, 900, 1200, 4000, 70000};
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (size_t k = 0; k < 12 * (sizeof sizes / sizeof *sizes) + (on_gpu() ? 0 : 6); k++) {
            const bool by_samples = k / 12 == sizeof sizes / sizeof *sizes;
            const size_t f = k % 3, n = by_samples ? 90000 : sizes[k / 12], size = of[f].type->size;
            const ww_sort_method method = by_samples ? WW_SORT_AUTO : k / 3 % 2 ? WW_SORT_MERGE_SEARCH : WW_SORT_MERGE;
            if (on_emulator() && (n > 4000 || k / 6 % 2 != f % 2)) continue;
            CASE("merge sort, no order", "%s %s %s n=%zu%s", setting_name(d), of[f].less->name, method_name(method), n,
                 k / 6 % 2 ? " turned" : "");
            if (!case_wanted()) continue;
            unsigned char *keys = need(n * size), *seen = need(n);
            memset(seen, 0, n);
            fill(keys, of[f].type, size, n, UNIFORM, seed_of_run() + k);
            guarded out = guarded_new(n * size), values = guarded_new(n * 4);
            ww_sort_options o = WW_SORT_OPTIONS;
            o.method = method;
            o.descending = by_samples ? k / 3 % 2 : k / 6 % 2;
            expect_status(device,
                          ww_sort_by(device, of[f].less, ww_memory_of(keys, n, of[f].type),
                                     ww_counting(&ww_type_uint32_t, 0, n), ww_array_of(out.data, n, of[f].type),
                                     ww_array((uint32_t *)values.data, n), &o),
                          WW_OK);
            for (size_t i = 0; i < n; i++) {
                const uint32_t at = ((const uint32_t *)values.data)[i];
                expect(at < n && !seen[at]);
                seen[at] = 1;
                expect(!memcmp((unsigned char *)out.data + i * size, keys + at * size, size));
            }
            guarded_check(&out), guarded_check(&values);
            guarded_free(&out), guarded_free(&values);
            free(seen);
            /* Keys alone are merged by kernels of their own. */
            guarded alone = guarded_new(n * size);
            expect_status(device,
                          ww_sort_by(device, of[f].less, ww_memory_of(keys, n, of[f].type), ww_no_input,
                                     ww_array_of(alone.data, n, of[f].type), ww_none, &o),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_permutation(alone.data, keys, n, size);
            guarded_check(&alone);
            guarded_free(&alone);
            free(keys);
        }
        ww_close(device);
    }
}

WW_MAP(scrambled, uint32_t, uint32_t, x, void, none, { return x * 2654435761u; });
WW_MAP(as_tagged, tagged, uint32_t, x, void, none, {
    tagged t = {(uint16_t)(x * 40503u >> 3), 7, x};
    return t;
});

/* Keys and values that are computed, apart and in place. */
static void inputs(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 700 : 50000;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("merge sort inputs", "%s n=%u", setting_name(d), n);
        if (case_wanted()) {
            uint32_t *keys = need(n * sizeof *keys), *seen = need(n * sizeof *seen);
            tagged *values = need(n * sizeof *values);
            const ww_input counted = ww_counting(&ww_type_uint32_t, 0, n);
            expect_status(device,
                          ww_sort_by(device, NULL, ww_mapped(&scrambled_ww, counted), ww_mapped(&as_tagged_ww, counted),
                                     ww_array(keys, n), ww_array_of(values, n, &tagged_ww), NULL),
                          WW_OK);
            for (uint32_t i = 0; i < n; i++) {
                expect(i == 0 || keys[i - 1] < keys[i]);
                expect(values[i].tag * 2654435761u == keys[i]);
            }
            expect_status(device,
                          ww_sort_by(device, &by_key_ww, ww_mapped(&as_tagged_ww, counted), counted,
                                     ww_array_of(values, n, &tagged_ww), ww_array(seen, n), NULL),
                          WW_OK);
            for (uint32_t i = 0; i < n; i++) {
                expect(values[i].tag == seen[i]);
                if (i)
                    expect(values[i - 1].key < values[i].key ||
                           (values[i - 1].key == values[i].key && seen[i - 1] < seen[i]));
            }
            free(keys), free(seen), free(values);
        }
        ww_close(device);
    }
}

WW_LESS(by_upper, uint32_t, a, b, { return a >> 20 < b >> 20; });

/* Keys that are equal in the order and yet not the same: the lower bits say where each was, so that the stable result rises. A
 * GPU's networks meet such keys nowhere, here and there, everywhere, or in the last pass first. */
static void equal_keys(void **state) {
    (void)state;
    static const char *const data[] = {"4096 classes", "7 classes", "one class", "halves alike", "rising"};
    ww_device *device = setting_open(0);
    const uint32_t n = on_emulator() ? 4001 : is_slow() ? 70001 : 900001;
    uint32_t *x = need(n * sizeof *x), *out = need(n * sizeof *out);
    for (int d = 0; d < 5; d++) {
        ww_sort_options o = WW_SORT_OPTIONS;
        o.method = d % 2 ? WW_SORT_MERGE_PLAIN : WW_SORT_MERGE;
        CASE("merge sort", "equal keys: %s n=%u %s", data[d], n, method_name(o.method));
        if (!case_wanted()) continue;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t mixed = (i ^ 0x55555u) * 2654435761u;
            const uint32_t in_half = (uint32_t)((i < n / 2 ? i : i - n / 2) * 4096ull / (n / 2 + 1));
            const uint32_t class[] = {mixed >> 20, (mixed >> 20) % 7, 5, in_half, (uint32_t)(i * 4096ull / n)};
            x[i] = class[d] << 20 | i;
        }
        memset(out, 0, n * sizeof *out);
        expect_status(device,
                      ww_sort_by(device, &by_upper_ww, ww_memory(x, n), ww_no_input, ww_array(out, n), ww_none, &o),
                      WW_OK);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t was = out[i] & 0xFFFFF;
            expect(was < n && x[was] == out[i] && (!i || out[i - 1] < out[i]));
        }
    }
    free(x), free(out);
    ww_close(device);
}

WW_LESS(by_half, uint32_t, a, b, { return a >> 1 < b >> 1; });

/* One pair of keys that are equal in the order and not the same, where each other key is alone: neither may take the other's place,
 * wherever they meet. */
static void one_pair(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const uint32_t turns = on_emulator() ? 60 : is_slow() ? 60 : 400;
    uint64_t random = seed_of_run();
    for (uint32_t turn = 0; turn < turns; turn++) {
        static const uint32_t sizes[] = {560, 513, 2, 250, 512, 1601};
        const uint32_t n = sizes[turn % 6] * (on_emulator() || turn % 4 < 2 ? 1 : 19);
        CASE("merge sort", "one pair n=%u turn %u seed=%llu", n, turn, (unsigned long long)seed_of_run());
        uint32_t *x = need(n * sizeof *x), *out = need(n * sizeof *out);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t j = (uint32_t)(random_next(&random) % (i + 1));
            x[i] = x[j], x[j] = 2 * i;
        }
        const uint32_t pair = (uint32_t)(random_next(&random) % (n - 1)) * 2; /* whose next key becomes its equal */
        bool first = true;
        uint32_t wanted[2] = {0};
        for (uint32_t i = 0; i < n; i++) {
            if (x[i] != pair && x[i] != pair + 2) continue;
            if (x[i] == pair + 2) x[i] = pair + 1;
            wanted[!first] = x[i];
            first = false;
        }
        if (case_wanted()) {
            ww_sort_options o = WW_SORT_OPTIONS;
            o.method = turn % 7 == 6 ? WW_SORT_MERGE_SEARCH : WW_SORT_MERGE;
            memset(out, 0xEE, n * sizeof *out);
            expect_status(device,
                          ww_sort_by(device, &by_half_ww, ww_memory(x, n), ww_no_input, ww_array(out, n), ww_none, &o),
                          WW_OK);
            expect_permutation(out, x, n, sizeof *x);
            for (uint32_t i = 0; i < n; i++)
                expect(out[i] == (i == pair / 2 || i == pair / 2 + 1 ? wanted[i - pair / 2] : 2 * i));
        }
        free(x), free(out);
    }
    ww_close(device);
}

/* Many merges, one after the other, on a handle that has no scratch memory yet. */
static void fresh_handle(void **state) {
    (void)state;
    const size_t n = 250000;
    CASE("merge sort", "fresh handle n=%zu", n);
    if (!case_wanted()) return;
    if (on_gpu()) {
        left_out("a GPU merges all runs of a round at once");
        return;
    }
    wide *keys = need(n * sizeof *keys), *out = need(n * sizeof *out);
    uint32_t *values = need(n * sizeof *values), *values_out = need(n * sizeof *values);
    fill((unsigned char *)keys, &wide_ww, sizeof *keys, n, UNIFORM, seed_of_run());
    for (size_t i = 0; i < n; i++) values[i] = (uint32_t)i;
    ww_device *device;
    expect(!ww_open("cpu:threads=2", &device));
    expect_status(device,
                  ww_sort_by(device, &by_middle_ww, ww_memory_of(keys, n, &wide_ww), ww_memory(values, n),
                             ww_array_of(out, n, &wide_ww), ww_array(values_out, n), NULL),
                  WW_OK);
    for (size_t i = 0; i < n; i++) {
        expect(!memcmp(&out[i], &keys[values_out[i]], sizeof *out));
        expect(!i || !by_middle(out[i], out[i - 1]));
        expect(!i || by_middle(out[i - 1], out[i]) || values_out[i - 1] < values_out[i]);
    }
    ww_close(device);
    free(keys), free(out), free(values), free(values_out);
}

/* One element that the host wants. */
static void single_results(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t key = 0;
    uint64_t value = 0;
    CASE("merge sort", "single results");
    expect_status(device,
                  ww_sort_by(device, NULL, ww_counting(&ww_type_uint32_t, 5, 1), ww_counting(&ww_type_uint64_t, 6, 1),
                             ww_array(&key, 1), ww_array(&value, 1), NULL),
                  WW_OK);
    expect(key == 5 && value == 6);
    ww_close(device);
}

/* By the low byte, stably: whatever the passes, and however many. */
static void expect_by_low_byte(const uint32_t *out, const uint32_t *x, size_t n) {
    size_t at = 0;
    for (uint32_t byte = 0; byte < 256; byte++)
        for (size_t i = 0; i < n; i++)
            if ((x[i] & 255) == byte) expect(out[at++] == x[i]);
}

static void launches(void **state) {
    (void)state;
    enum { FEW_SEARCHED = 600, FEW_PAIRED = 1200, MANY = 3000 };
    static const struct {
        const char *name;
        size_t n;
        ww_sort_method method;
    } of[] = {{"merge", MANY, WW_SORT_MERGE},
              {"merge-search", MANY, WW_SORT_MERGE_SEARCH},
              {"merge of few, by search", FEW_SEARCHED, WW_SORT_MERGE},
              {"merge of few, by pairs", FEW_PAIRED, WW_SORT_MERGE}};
    ww_device *device = traced_open();
    char text[8192];
    uint32_t *x = need(MANY * sizeof *x), *out = need(MANY * sizeof *out);
    fill(x, &ww_type_uint32_t, 4, MANY, UNIFORM, seed_of_run());
    for (int i = 0; i < 4; i++) {
        CASE("merge sort", "launches of %s", of[i].name);
        ww_sort_options o = WW_SORT_OPTIONS;
        o.method = of[i].method;
        traced t = traced_begin();
        const ww_status status = ww_sort_by(device, &by_low_byte_ww, ww_memory(x, of[i].n), ww_no_input,
                                            ww_array(out, of[i].n), ww_none, &o);
        traced_end(&t, text, sizeof text);
        expect_status(device, status, WW_OK);
        expect_by_low_byte(out, x, of[i].n);
        if (!tiles_are_small() && !on_gpu())
            expect(strstr(text, i == 1 ? "ww_sort_by method=merge-search " : "ww_sort_by method=merge "));
        if (!tiles_are_small()) continue;
        if (i == 0)
            expect_launches(text, "network_tiles", "sort_tiles", "cut_runs", "merge_runs", "cut_runs", "merge_runs");
        else if (i == 1)
            expect_launches(text, "network_tiles", "sort_tiles", "search_runs", "search_runs", "search_runs",
                            "mend_runs");
        else if (i == 2)
            expect_launches(text, "network_tiles", "sort_tiles", "search_runs", "mend_runs");
        else
            expect_launches(text, "network_tiles", "sort_tiles", "merge_pairs", "merge_pairs", "merge_pairs",
                            "mend_runs");
    }
    free(x), free(out);
    ww_close(device);
}

static void refusals(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t a[8] = {3, 1, 2, 0}, b[8];
    wide w[2] = {{{0}}}, v[2];
    const ww_input none = ww_no_input;
    CASE("merge sort", "refusals");
    expect_status(NULL, ww_sort_by(NULL, NULL, ww_memory(a, 4), none, ww_array(b, 4), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_sort_by(device, &ww_add, ww_memory(a, 4), none, ww_array(b, 4), ww_none, NULL), WW_TYPE);
    expect_sentence(device, "ww_sort_by", "add is not an order", "u32");
    expect_status(device, ww_sort_by(device, &by_key_ww, ww_memory(a, 4), none, ww_array(b, 4), ww_none, NULL),
                  WW_TYPE);
    expect_sentence(device, "by_key is not an order");
    expect_status(
        device,
        ww_sort_by(device, NULL, ww_memory_of(w, 2, &wide_ww), none, ww_array_of(v, 2, &wide_ww), ww_none, NULL),
        WW_TYPE);
    expect_sentence(device, "ascending is not an order");
    expect_status(device, ww_sort_by(device, NULL, ww_memory(a, 4), none, ww_array(b, 3), ww_none, NULL), WW_INVALID);
    expect_sentence(device, "keys has 4 elements, keys_out 3");
    expect_status(device, ww_sort_by(device, NULL, ww_memory(a, 4), none, ww_array(a + 2, 4), ww_none, NULL),
                  WW_OVERLAP);
    expect_status(device, ww_sort_by(device, NULL, ww_memory(a, 4), ww_memory(a, 3), ww_array(b, 4), ww_none, NULL),
                  WW_INVALID);
    ww_sort_options o = WW_SORT_OPTIONS;
    o.bit_count = 8;
    expect_status(device, ww_sort_by(device, NULL, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "bit_count is 8", "orders whole keys");
    o.method = WW_SORT_MERGE_SEARCH;
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "method merge-search compares whole keys");
    o.bit_count = 0;
    o.method = WW_SORT_RADIX;
    expect_status(device, ww_sort_by(device, &by_low_byte_ww, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o),
                  WW_INVALID);
    expect_sentence(device, "method radix sorts by the bits of keys, not by by_low_byte");
    o.method = (ww_sort_method)99;
    expect_status(device, ww_sort_by(device, NULL, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "there is no sort method 99");
    o = (ww_sort_options)WW_SORT_OPTIONS;
    o.size = 1;
    expect_status(device, ww_sort_by(device, NULL, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "WW_SORT_OPTIONS");
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_and_sizes), cmocka_unit_test(long_values), cmocka_unit_test(large),
        cmocka_unit_test(by_samples),       cmocka_unit_test(no_order),    cmocka_unit_test(inputs),
        cmocka_unit_test(equal_keys),       cmocka_unit_test(one_pair),    cmocka_unit_test(launches),
        cmocka_unit_test(single_results),   cmocka_unit_test(refusals),    cmocka_unit_test(fresh_handle),
    };
    return cmocka_run_group_tests_name("merge sort", tests, NULL, NULL);
}
