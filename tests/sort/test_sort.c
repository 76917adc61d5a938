/* ww_sort against a serial merge sort: every key type, values of many sizes, orders, bit ranges, in place and not. */
#include <stdio.h>

#include "device/cpu/parallel.h"
#include "function/function.h"
#include "sort/arrays.h"
#include "sort/orders.h"
#include "support/traced.h"

enum { VALUE_SIZES = 10 };
static const size_t value_sizes[VALUE_SIZES] = {0, 4, 8, 1, 16, 2, 3, 12, 24, 100};

/* One case, and what should come out. */
typedef struct sorted {
    reference_order order;
    size_t n, key_size, value_size;
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
} sorted;

static sorted sorted_new(reference_order order, size_t n, size_t value_size, shape s) {
    sorted c = {order, n, order.type->size, value_size, NULL, NULL, NULL, NULL};
    uint32_t *positions = need(n * sizeof *positions + 1);
    c.keys = need(n * c.key_size + 1), c.keys_wanted = need(n * c.key_size + 1);
    c.values = need(n * value_size + 1), c.values_wanted = need(n * value_size + 1);
    fill(c.keys, order.type, c.key_size, n, s, seed_of_run() + n);
    fill(c.values, &ww_type_record, value_size, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(order, c.keys, n, positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(c.keys_wanted + i * c.key_size, c.keys + positions[i] * c.key_size, c.key_size);
        memcpy(c.values_wanted + i * value_size, c.values + positions[i] * value_size, value_size);
    }
    free(positions);
    return c;
}

static void sorted_free(sorted *c) { free(c->keys), free(c->values), free(c->keys_wanted), free(c->values_wanted); }

/* Sorts on one device and compares, scratch memory too. */
static void check_sorted(ww_device *device, const sorted *c, bool in_place) {
    ww_sort_options o = options_of(c->order);
    o.method = WW_SORT_RADIX;
    sort_arrays a = sort_arrays_new(c->order.type, c->keys, c->values, c->n, c->value_size, in_place);
    ww_scratch_trim(device);
    expect_status(device, ww_sort(device, a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
    sort_arrays_end(&a, c->keys_wanted, c->values_wanted);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    const bool moved = !(c->value_size & (c->value_size - 1)) && c->value_size <= 16;
    const size_t counters = on_emulator() ? 8 : on_gpu() ? 2 : 0; /* for each element */
    expect(info.scratch_peak <= c->n * (c->key_size + c->value_size + (moved ? 0 : 8) + counters) + ((size_t)1 << 20) +
                                    (size_t)info.threads * (640 << 10));
}

/* Every setting sorts a case, in place every other time; short tests want few, and only for these is it made and solved. */
static void check_case(ww_device **devices, size_t settings, reference_order order, size_t n, size_t value_size,
                       shape s, unsigned turn) {
    sorted c;
    bool made = false;
    for (size_t d = 0; d < settings; d++) {
        CASE("sort", "%s %s+%zu %s%s bits=%u+%u n=%zu %s%s seed=%llu", setting_name(d), order.type->label, value_size,
             shape_name(s), order.descending ? " descending" : "", order.bit_first, order.bit_count, n,
             (turn + d) % 2 ? "in-place" : "apart", "", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!made) c = sorted_new(order, n, value_size, s);
        made = true;
        check_sorted(devices[d], &c, (turn + d) % 2);
    }
    if (made) sorted_free(&c);
}

/* On the emulator each size of values and each direction is a program of its own, which takes seconds to compile: a
 * type has one of each there. */
static size_t value_size_of(size_t type, unsigned turn) {
    return value_sizes[(on_emulator() ? type : turn) % VALUE_SIZES];
}

/* Every type at every size; small ones in every shape, large ones in one or two; value sizes take turns. */
static void types_and_sizes(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t t = 0; t < KEY_TYPES; t++) {
        size_t many;
        const size_t *sizes = sizes_of(key_types[t]->size, &many);
        for (size_t i = 0; i < many; i++)
            for (int s = 0; s < SHAPES; s++, turn++)
                if (sizes[i] < (on_emulator() ? 4 : 600) ||
                    (i + t + (size_t)s) % (sizes[i] < (on_emulator() ? 4000 : 40000) ? 3 : 11) == 0)
                    check_case(devices, settings, order_in_turn(t, turn), sizes[i], value_size_of(t, turn), (shape)s,
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
    for (unsigned turn = 0; turn < 2; turn++) check_case(devices, settings, order, 40 - turn, 20000, UNIFORM, turn);
    settings_close(devices, settings);
}

/* Every key size with every value size, where one worker sorts and where all partition. */
static void pairs(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t t = 0; t < KEY_TYPES; t++)
        for (size_t v = 0; v < VALUE_SIZES; v++, turn++) {
            if (on_emulator() && (turn % 11 != 5)) continue;
            const size_t serial = WW__SERIAL_BYTES / (key_types[t]->size + value_sizes[v]);
            const reference_order up = {key_types[t], false, 0, 0}, down = {key_types[t], true, 0, 0};
            check_case(devices, settings, down, 2000 + turn, value_sizes[v], UNIFORM, turn);
            if (!on_emulator() && (!tests_are_short() || turn % 4 == 0))
                check_case(devices, settings, up, serial + serial / 8 + turn, value_sizes[v],
                           turn % 3 ? UNIFORM : ADVERSARIAL, turn);
        }
    settings_close(devices, settings);
}

/* Buckets that do not fit in cache are partitioned in turn. */
static void skew(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const struct {
        const ww_type *type;
        size_t value_size;
        shape shape;
    } cases[] = {{&ww_type_uint32_t, 4, SKEWED}, {&ww_type_uint64_t, 0, SKEWED}, {&ww_type_uint16_t, 16, UNIFORM},
                 {&ww_type_int64_t, 8, FEW},     {&ww_type_double, 40, SKEWED},  {&ww_type_uint8_t, 0, UNIFORM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const reference_order order = {cases[i].type, i % 2, 0, 0};
        check_case(devices, settings, order,
                   on_emulator()       ? 3001
                   : tests_are_short() ? 200003
                                       : 700001,
                   cases[i].value_size, cases[i].shape, (unsigned)i);
    }
    settings_close(devices, settings);
}

/* Keys whose highest differing bits separate few of them: ties inside ties. */
static void ties(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    const size_t sizes[] = {25, 33, 100, 1000, 20000, 150000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i];
        if (on_emulator() && n > 1000) continue;
        uint64_t *keys = need(n * 8), *out = need(n * 8), random = seed_of_run();
        uint32_t *positions = need(n * 4), *values_out = need(n * 4);
        for (size_t k = 0; k < n; k++) {
            const uint64_t r = random_next(&random);
            keys[k] = (r % 3) << 61 | (r >> 8) % 2 << 47 | (r >> 16 & 7) << 30 | (r >> 24) % (k % 2 ? 5 : 1 << 20);
        }
        reference_sort_positions((reference_order){&ww_type_uint64_t, false, 0, 0}, keys, n, positions);
        for (size_t d = 0; d < settings; d++) {
            CASE("sort ties", "%s n=%zu seed=%llu", setting_name(d), n, (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            expect_status(devices[d],
                          ww_sort(devices[d], ww_memory(keys, n), ww_counting(&ww_type_uint32_t, 0, n),
                                  ww_array(out, n), ww_array(values_out, n), NULL),
                          WW_OK);
            expect_elements(values_out, positions, n, 4);
            for (size_t k = 0; k < n; k++) expect(out[k] == keys[positions[k]]);
        }
        free(keys), free(out), free(positions), free(values_out);
    }
    settings_close(devices, settings);
}

/* Keys alone, whatever their number: the vector leaves' blocks, what is a little more or less than a block, spreads and
 * spreads of spreads, in every shape. */
static void keys_alone(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_float, &ww_type_int64_t, &ww_type_uint64_t};
    static const size_t large[] = {300,  511,  512,  513,  1000, 1023,  1024,  1025,  2944,  3000, 4096,
                                   4097, 5000, 8191, 8192, 8193, 23552, 40000, 40961, 81920, 81921};
    enum { LARGE = sizeof large / sizeof *large, SMALL = 264 };
    unsigned turn = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < SMALL + LARGE; i++, turn++) {
            if (tests_are_short() && i < SMALL && (i + t) % 7 && i % 16 > 1) continue;
            const reference_order order = {types[t], turn % 3 == 1, 0, 0};
            check_case(devices, settings, order, i < SMALL ? i : large[i - SMALL], 0, (shape)(turn % SHAPES), turn);
        }
    settings_close(devices, settings);
}

/* Few keys with values, and a few more: words, blocks of them, and what is parted before (radix/few_pairs.c, pairs_quick.c). */
static void few_pairs(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_float, &ww_type_int64_t, &ww_type_double};
    static const size_t sizes[] = {2,   3,    15,   16,   17,   33,   127,  128,  129,   255,   256,
                                   257, 511,  512,  513,  514,  1023, 1024, 1025, 2047,  5000,  20000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    unsigned turn = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t v = 1; v < VALUE_SIZES - 2; v++)
            for (size_t i = 0; i < SIZES; i++, turn++) {
                if (tests_are_short() && (i + t + v) % 5) continue;
                const reference_order order = {types[t], turn % 3 == 1, 0, 0};
                check_case(devices, settings, order, sizes[i], value_sizes[v], (shape)(turn % SHAPES), turn);
            }
    settings_close(devices, settings);
}

/* Large inputs that look like something else in a sample: few numbers but for one, in order but for one. */
static void exceptions(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    const size_t n = on_emulator() ? 3001 : 300007;
    uint32_t *keys = need(n * sizeof *keys), *wanted = need(n * sizeof *wanted);
    guarded out = guarded_new(n * sizeof *keys);
    static const char *const looks[] = {
        "few",        "few and one", "few that share a bucket", "in order", "in order but the last", "in order but one",
        "descending", "forty"};
    for (size_t look = 0; look < sizeof looks / sizeof *looks; look++) {
        const size_t odd = look == 4 ? n - 1 : n / 2 + 1;
        for (size_t i = 0; i < n; i++)
            keys[i] = look < 2    ? (uint32_t)(i * 7 % 13) * 0x9E3779B9u
                      : look == 2 ? (uint32_t)(i * 7 % 13) << 28 | (uint32_t)(i % 3)
                      : look == 6 ? (uint32_t)(n - i)
                      : look == 7 ? (uint32_t)(i * 7 % 40) * 0x9E3779B9u
                                  : (uint32_t)(i / 2 * 2);
        if (look == 1 || look == 4 || look == 5) keys[odd] = 5;
        uint32_t *positions = need(n * sizeof *positions);
        reference_sort_positions((reference_order){&ww_type_uint32_t, false, 0, 0}, keys, n, positions);
        for (size_t i = 0; i < n; i++) wanted[i] = keys[positions[i]];
        free(positions);
        for (size_t d = 0; d < settings; d++)
            for (int in_place = 0; in_place < 2; in_place++) {
                CASE("sort exceptions", "%s %s %s n=%zu", setting_name(d), looks[look], in_place ? "in-place" : "apart",
                     n);
                if (!case_wanted()) continue;
                memset(out.data, 0xA5, out.bytes);
                if (in_place) memcpy(out.data, keys, out.bytes);
                expect_status(devices[d],
                              ww_sort(devices[d], ww_memory(in_place ? (uint32_t *)out.data : keys, n), ww_no_input,
                                      ww_array((uint32_t *)out.data, n), ww_none, NULL),
                              WW_OK);
                expect_elements(out.data, wanted, n, sizeof *keys);
                guarded_check(&out);
            }
    }
    free(keys), free(wanted);
    guarded_free(&out);
    settings_close(devices, settings);
}

/* Vectors sort the leaves of keys that are alone and compared by all their bits, and no others. */
static void leaves_by_width(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    enum { N = 1000 };
    static uint32_t keys[N], values[N], out[N], values_out[N];
    char text[2000];
    fill(keys, &ww_type_uint32_t, sizeof *keys, N, UNIFORM, seed_of_run());
    ww_device *device = traced_open();
    ww_sort_options some = WW_SORT_OPTIONS;
    some.bit_count = 31;
    for (int kind = 0; kind < 3; kind++) {
        CASE("sort leaves", "kind=%d", kind);
        traced t = traced_begin();
        const ww_status status = ww_sort(device, ww_memory(keys, N), kind == 1 ? ww_memory(values, N) : ww_no_input,
                                         ww_array(out, N), kind == 1 ? ww_array(values_out, N) : ww_none,
                                         kind == 2 ? &some : NULL);
        traced_end(&t, text, sizeof text);
        expect_status(device, status, WW_OK);
        const bool vectors = !strstr(text, "vector=plain");
        expect(!!strstr(text, "method=radix-network") == (kind == 0 && vectors));
        expect(strstr(text, "method=radix"));
    }
    ww_close(device);
}

WW_MAP(scrambled, uint32_t, uint32_t, x, void, none, { return x * 2654435761u; });
WW_STRUCT(pair_of, {
    uint32_t key;
    float half;
});
WW_MAP(halved, pair_of, uint32_t, x, void, none, {
    pair_of p = {x, (float)x * 0.5f};
    return p;
});

/* Keys that are computed, one of them in place; values of a struct, computed. */
static void inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 1500 : 150000;
    for (size_t d = 0; d < setting_count(); d++) {
        ww_device *device = setting_open(d);
        CASE("sort inputs", "%s n=%zu", setting_name(d), n);
        if (case_wanted()) {
            uint32_t *keys = need(n * 4);
            pair_of *values = need(n * sizeof *values);
            const ww_input computed = ww_mapped(&scrambled_ww, ww_counting(&ww_type_uint32_t, 0, n));
            expect_status(device,
                          ww_sort(device, computed, ww_mapped(&halved_ww, computed), ww_array(keys, n),
                                  ww_array_of(values, n, &pair_of_ww), NULL),
                          WW_OK);
            for (size_t i = 0; i < n; i++) {
                expect(i == 0 || keys[i - 1] < keys[i]);
                expect(values[i].key == keys[i]);
            }
            for (uint32_t i = 0; i < n; i++) keys[i] = i;
            expect_status(device,
                          ww_sort(device, ww_mapped(&scrambled_ww, ww_memory(keys, n)), ww_no_input,
                                  ww_array(keys, n), ww_none, NULL),
                          WW_OK);
            for (size_t i = 0; i < n; i++) expect(values[i].key == keys[i]);
            const uint32_t seven = 7;
            expect_status(device,
                          ww_sort(device, ww_constant(ww_value(uint32_t, seven), n), ww_no_input, ww_array(keys, n),
                                  ww_none, NULL),
                          WW_OK);
            for (size_t i = 0; i < n; i++) expect(keys[i] == 7);
            free(keys), free(values);
        }
        ww_close(device);
    }
}

/* A call on little data starts no thread. */
static void small_calls(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about threads")) return;
    ww_device *device = NULL;
    uint32_t keys[1000], out[1000];
    fill(keys, &ww_type_uint32_t, 4, 1000, UNIFORM, seed_of_run());
    assert_int_equal(ww_open("cpu:threads=2", &device), WW_OK);
    CASE("sort small", "n=1000");
    expect_status(device, ww_sort(device, ww_memory(keys, 1000), ww_no_input, ww_array(out, 1000), ww_none, NULL),
                  WW_OK);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.threads_started == 0);
    ww_close(device);
}

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    /* Memory that a GPU reaches. */
    uint32_t *const a = need(100 * sizeof *a), *const b = a + 20, *const v = a + 40, *const w = a + 60;
    float *const f = (float *)(void *)(a + 80), *const g = (float *)(void *)(a + 90);
    memset(a, 0, 100 * sizeof *a);
    a[0] = 3, a[1] = 1, a[2] = 2;
    CASE("sort refusals", "%s", setting_name(0));
    const ww_input none = ww_no_input;
    expect_status(NULL, ww_sort(NULL, ww_memory(a, 4), none, ww_array(b, 4), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_sort(device, none, none, ww_array(b, 4), ww_none, NULL), WW_INVALID);
    expect_sentence(device, "ww_sort", "keys");
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_none, ww_none, NULL), WW_INVALID);
    expect_sentence(device, "keys_out");
    expect_status(device, ww_sort(device, ww_memory((uint32_t *)NULL, 4), none, ww_array(b, 4), ww_none, NULL),
                  WW_INVALID);
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 5), ww_none, NULL), WW_INVALID);
    expect_sentence(device, "4", "5");
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(g, 4), ww_none, NULL), WW_TYPE);
    expect_status(device, ww_sort(device, ww_record_memory(a, 4, 3), none, ww_records(b, 4, 3), ww_none, NULL),
                  WW_TYPE);
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(a + 1, 4), ww_none, NULL), WW_OVERLAP);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 4), ww_array(b, 4), ww_none, NULL), WW_INVALID);
    expect_sentence(device, "values_out");
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_array(w, 4), NULL), WW_INVALID);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 3), ww_array(b, 4), ww_array(w, 3), NULL),
                  WW_INVALID);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 4), ww_array(b, 4), ww_array(w, 3), NULL),
                  WW_INVALID);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 4), ww_array(b, 4), ww_array(g, 4), NULL),
                  WW_TYPE);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 4), ww_array(b, 4), ww_array(b, 4), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 4), ww_array(b, 4), ww_array(a, 4), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(v, 4), ww_array(v, 4), ww_array(w, 4), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_sort(device, ww_memory(a, 4), ww_memory(a, 4), ww_array(a, 4), ww_array(w, 4), NULL),
                  WW_OVERLAP);

    ww_sort_options o = WW_SORT_OPTIONS;
    o.bit_first = 30, o.bit_count = 3;
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "30", "32");
    o.bit_count = 0;
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    o.bit_first = 0, o.bit_count = UINT32_MAX;
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    o.bit_count = 8;
    expect_status(device, ww_sort(device, ww_memory(f, 4), none, ww_array(g, 4), ww_none, &o), WW_TYPE);
    o = (ww_sort_options)WW_SORT_OPTIONS;
    o.method = (ww_sort_method)99;
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_sentence(device, "99");
    o.size = 3;
    expect_status(device, ww_sort(device, ww_memory(a, 4), none, ww_array(b, 4), ww_none, &o), WW_INVALID);
    expect_status(device, ww_sort(device, ww_memory(a, 0), none, ww_array(b, 0), ww_none, NULL), WW_OK);
    expect(a[0] == 3 && a[1] == 1 && a[2] == 2);
    uint32_t one = 1, value = 2; /* a single element may lie anywhere */
    const uint32_t five = 5;
    expect_status(device,
                  ww_sort(device, ww_constant(ww_value(uint32_t, five), 1), ww_counting(&ww_type_uint32_t, 9, 1),
                          ww_array(&one, 1), ww_array(&value, 1), NULL),
                  WW_OK);
    expect(one == 5 && value == 9);
    ww_close(device);
    free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(types_and_sizes),
                                       cmocka_unit_test(long_values),
                                       cmocka_unit_test(pairs),
                                       cmocka_unit_test(skew),
                                       cmocka_unit_test(ties),
                                       cmocka_unit_test(keys_alone),
                                       cmocka_unit_test(few_pairs),
                                       cmocka_unit_test(exceptions),
                                       cmocka_unit_test(leaves_by_width),
                                       cmocka_unit_test(inputs),
                                       cmocka_unit_test(small_calls),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
