/* ww_top_k and ww_nth against a serial merge sort: every key type, k from 0 to n, values, orders, bit ranges, computed inputs. */
#include <stdio.h>

#include "device/cpu/parallel.h"
#include "sort/orders.h"
#include "support/traced.h"

static const size_t value_sizes[] = {4, 0, 8, 24, 1, 16, 3, 100};
enum { VALUE_SIZES = sizeof value_sizes / sizeof *value_sizes };

typedef struct sorted {
    reference_order order;
    size_t n, key_size, value_size;
    uint32_t *positions;
    unsigned char *keys, *values;
} sorted;

static sorted sorted_new(reference_order order, size_t n, size_t value_size, shape s) {
    sorted c = {order,
                n,
                order.type->size,
                value_size,
                need(n * 4 + 1),
                need(n * order.type->size + 1),
                need(n * value_size + 1)};
    fill(c.keys, order.type, c.key_size, n, s, seed_of_run() + n);
    fill(c.values, &ww_type_record, value_size, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(order, c.keys, n, c.positions);
    return c;
}

static void sorted_free(sorted *c) { free(c->keys), free(c->values), free(c->positions); }

/* What should have come out. */
static void expect_first(const sorted *c, size_t k, const void *keys, const void *values) {
    unsigned char *wanted = need(k * (c->key_size + c->value_size) + 1), *values_wanted = wanted + k * c->key_size;
    for (size_t i = 0; i < k; i++) {
        memcpy(wanted + i * c->key_size, c->keys + c->positions[i] * c->key_size, c->key_size);
        memcpy(values_wanted + i * c->value_size, c->values + c->positions[i] * c->value_size, c->value_size);
    }
    expect_elements(keys, wanted, k, c->key_size);
    if (c->value_size) expect_elements(values, values_wanted, k, c->value_size);
    free(wanted);
}

static void check_top(ww_device *device, const sorted *c, size_t k) {
    const ww_sort_options o = options_of(c->order);
    guarded keys = guarded_new(k * c->key_size), values = guarded_new(k * c->value_size);
    ww_scratch_trim(device);
    expect_status(device,
                  ww_top_k(device, ww_memory_of(c->keys, c->n, c->order.type),
                           c->value_size ? ww_record_memory(c->values, c->n, c->value_size) : ww_no_input,
                           ww_array_of(keys.data, k, c->order.type),
                           c->value_size ? ww_records(values.data, k, c->value_size) : ww_none, &o),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_first(c, k, keys.data, values.data);
    guarded_check(&keys), guarded_check(&values);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    const size_t mebibyte = (size_t)1 << 20;
    if (on_gpu())
        expect(info.scratch_peak <= c->n * c->key_size / 8 + (on_emulator() ? c->n : c->n / 32) +
                                        k * (c->key_size + c->value_size + 16 + (on_emulator() ? 8 : 2)) + mebibyte);
    else
        expect(info.scratch_peak <=
               2 * c->n * (c->key_size + c->value_size + 16) + mebibyte + 3 * info.threads * mebibyte);
    guarded_free(&keys), guarded_free(&values);
}

static void check_nth(ww_device *device, const sorted *c, size_t n) {
    const ww_sort_options o = options_of(c->order);
    guarded out = guarded_new(c->key_size);
    ww_scratch_trim(device);
    expect_status(
        device,
        ww_nth(device, n, ww_memory_of(c->keys, c->n, c->order.type), ww_array_of(out.data, 1, c->order.type), &o),
        WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_bytes(out.data, c->keys + c->positions[n] * c->key_size, c->key_size);
    guarded_check(&out), guarded_free(&out);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= 17 * c->n * c->key_size / 8 + ((size_t)3 << 20) + info.threads * ((size_t)768 << 10));
}

static void check_case(ww_device **devices, size_t settings, const sorted *c, size_t k, shape s) {
    for (size_t d = 0; d < settings; d++) {
        CASE("top", "%s %s+%zu %s%s bits=%u+%u n=%zu k=%zu seed=%llu", setting_name(d), c->order.type->label,
             c->value_size, shape_name(s), c->order.descending ? " descending" : "", c->order.bit_first,
             c->order.bit_count, c->n, k, (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        check_top(devices[d], c, k);
        if (k) check_nth(devices[d], c, k - 1);
    }
}

/* Every type in every shape, at sizes that one worker or several see to; k around the ends, small and large. */
static void types_and_sizes(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 129, 3000, 40000, 150001};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    unsigned turn = 0;
    for (size_t t = 0; t < KEY_TYPES; t++) {
        if (on_emulator() && t > 3 && t + 1 < KEY_TYPES) continue;
        for (size_t i = 0; i < SIZES; i++)
            for (int s = 0; s < SHAPES; s++, turn++) {
                const size_t n = sizes[i], large = n > 3000;
                if (on_emulator() ? large || (n < 3000 && s % 4 != 1) : large && (turn % (tests_are_short() ? 11 : 3)))
                    continue;
                sorted c = sorted_new(order_of_number(t, turn), n,
                                      value_sizes[(on_emulator() ? t : turn) % VALUE_SIZES], (shape)s);
                const size_t some[] = {1, 10, n / 20, n / 3, n - 1, n, 0};
                for (size_t j = turn % 2; j < sizeof some / sizeof *some; j += 2)
                    if (some[j] <= n) check_case(devices, settings, &c, some[j], (shape)s);
                sorted_free(&c);
            }
    }
    settings_close(devices, settings);
}

/* A worker of a CPU keeps the first k of its part whenever a buffer of 8,192 is full: parts that are little longer than that
 * have some of the first k behind it, which come after most of those that were kept. */
static void little_more_than_kept(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's buffers")) return;
    static const size_t sizes[] = {6200, 7000, 8200, 12500, 16500}, some[] = {100, 380};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned wide = 0; wide < 2; wide++) {
            sorted c = sorted_new((reference_order){wide ? &ww_type_uint64_t : &ww_type_uint32_t, false, 0, 0},
                                  sizes[i], 4 * wide, UNIFORM);
            for (size_t j = 0; j < sizeof some / sizeof *some; j++) check_case(devices, settings, &c, some[j], UNIFORM);
            sorted_free(&c);
        }
    settings_close(devices, settings);
}

/* What a CPU takes a sample of: keys in descending order, each of which is among the first k so far; and keys of which the sample
 * has the least ones only, so that fewer than k are within the bound that it gives, and the n-th is not where it says. The places
 * are those of src/sort/select: one of 1024 keys for the first k, of 128 for the n-th. Were they others, the keys would be random ones. */
static void misleading_samples(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's samples")) return;
    static const size_t pieces[] = {0, 1024, 128}, some[] = {1, 3, 200, 4000, 16000, 100000};
    const size_t n = 1 << 18;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    sorted c = sorted_new((reference_order){&ww_type_uint32_t, false, 0, 0}, n, 4, REVERSED);
    uint32_t *const keys = (uint32_t *)(void *)c.keys;
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        const size_t piece = pieces[p];
        if (piece) {
            const uint32_t least = (uint32_t)(n / piece);
            fill(keys, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run());
            for (size_t i = 0; i < n; i++) keys[i] = keys[i] / 2 + least;
            uint32_t random = 1;
            for (uint32_t i = 0; i < least; i++) {
                random = random * 1664525u + 1013904223u;
                keys[i * piece + (size_t)(((uint64_t)random * piece) >> 32)] = i * 2654435761u % least;
            }
            reference_sort_positions(c.order, c.keys, n, c.positions);
        }
        for (size_t j = 0; j < sizeof some / sizeof *some; j++)
            check_case(devices, settings, &c, some[j], piece ? ADVERSARIAL : REVERSED);
    }
    sorted_free(&c);
    settings_close(devices, settings);
}

/* Keys of which few bits tell, in digits far apart: levels that all but one element share. */
static void far_digits(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 2500 : 100000;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    sorted c = sorted_new((reference_order){&ww_type_uint64_t, false, 0, 0}, n, 0, CONSTANT);
    uint64_t *const keys = (uint64_t *)(void *)c.keys, random = seed_of_run();
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&random);
        keys[i] = (r & 3) | (r >> 8 & 1) << 30 | (uint64_t)(i == n / 3) << 63 | (uint64_t)(r % 1000 == 0) << 50;
    }
    reference_sort_positions(c.order, c.keys, n, c.positions);
    const size_t some[] = {1, 100, n / 4, n / 2, n - 30, n - 1};
    for (size_t j = 0; j < sizeof some / sizeof *some; j++) check_case(devices, settings, &c, some[j], ADVERSARIAL);
    sorted_free(&c);
    settings_close(devices, settings);
}

WW_MAP(scrambled, uint32_t, uint32_t, x, void, none, { return x * 2654435761u; });

/* Computed keys with counted values: which position has the k smallest. */
static void inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 2000 : 200000, k = 50;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("top", "%s computed n=%zu", setting_name(d), n);
        if (case_wanted()) {
            uint32_t *all = need(n * 4), *keys = need(k * 4), *positions = need(k * 4), one = 0;
            const ww_input counted = ww_counting(&ww_type_uint32_t, 0, n), computed = ww_mapped(&scrambled_ww, counted);
            for (uint32_t i = 0; i < n; i++) all[i] = i * 2654435761u;
            expect_status(device, ww_top_k(device, computed, counted, ww_array(keys, k), ww_array(positions, k), NULL),
                          WW_OK);
            /* A single result may be the host's own, on a GPU too. */
            expect_status(device, ww_nth(device, k - 1, computed, ww_array(&one, 1), NULL), WW_OK);
            expect(one == keys[k - 1]);
            for (size_t i = 0; i < k; i++) expect(keys[i] == all[positions[i]] && (!i || keys[i - 1] < keys[i]));
            size_t below = 0;
            for (size_t i = 0; i < n; i++) below += all[i] < one;
            expect(below == k - 1);
            uint32_t value = 7;
            expect_status(device, ww_top_k(device, computed, counted, ww_array(&one, 1), ww_array(&value, 1), NULL),
                          WW_OK);
            expect(one == keys[0] && value == positions[0]);
            free(all), free(keys), free(positions);
        }
        ww_close(device);
    }
}

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *const a = need(60 * sizeof *a), *const b = a + 20, *const v = a + 40;
    memset(a, 0, 60 * sizeof *a);
    CASE("top", "%s refusals", setting_name(0));
    const ww_input none = ww_no_input, keys = ww_memory(a, 4);
    expect_status(NULL, ww_top_k(NULL, keys, none, ww_array(b, 2), ww_none, NULL), WW_INVALID);
    expect_status(NULL, ww_nth(NULL, 0, keys, ww_array(b, 1), NULL), WW_INVALID);
    expect_status(device, ww_top_k(device, keys, none, ww_array(b, 5), ww_none, NULL), WW_INVALID);
    expect_sentence(device, "ww_top_k", "4", "5");
    expect_status(device, ww_top_k(device, keys, ww_memory(v, 4), ww_array(b, 3), ww_array(v + 5, 4), NULL),
                  WW_INVALID);
    expect_sentence(device, "keys_out has 3", "4");
    expect_status(device, ww_top_k(device, keys, ww_memory(v, 3), ww_array(b, 3), ww_array(v + 5, 3), NULL),
                  WW_INVALID);
    expect_status(device, ww_top_k(device, keys, none, ww_array(a, 2), ww_none, NULL), WW_OVERLAP);
    expect_status(device, ww_top_k(device, keys, none, ww_array((float *)(void *)b, 2), ww_none, NULL), WW_TYPE);
    expect_status(device, ww_nth(device, 4, keys, ww_array(b, 1), NULL), WW_INVALID);
    expect_sentence(device, "ww_nth", "n is 4", "4 keys");
    expect_status(device, ww_nth(device, 0, keys, ww_array(b, 2), NULL), WW_INVALID);
    expect_status(device, ww_nth(device, 0, none, ww_array(b, 1), NULL), WW_INVALID);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = WW_SORT_RADIX;
    expect_status(device, ww_top_k(device, keys, none, ww_array(b, 2), ww_none, &options), WW_INVALID);
    expect_sentence(device, "method");
    free(a);
    ww_close(device);
}

/* What runs: on a GPU a launch for each digit, one that gives out what is chosen, and the sort of that; on a CPU the way that suits k. */
static void ways(void **state) {
    (void)state;
    const bool small = on_emulator() && !getenv("WARPWISE_TEST_SMALL"); /* of GPUs, small tiles as well */
    const size_t n = small ? 1000 : 400000;                             /* more than a block sorts */
    ww_device *device = traced_open();
    char text[4096];
    uint32_t *keys = need(n * 4), *out = need(n * 4);
    fill(keys, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run());
    CASE("top", "%s ways", setting_name(0));
    for (unsigned large = 0; large < 2; large++) {
        const size_t k = large ? n / 2 : 5;
        traced t = traced_begin();
        const ww_status status = ww_top_k(device, ww_memory(keys, n), ww_no_input, ww_array(out, k), ww_none, NULL);
        traced_end(&t, text, sizeof text);
        expect_status(device, status, WW_OK);
        if (!on_gpu())
            expect(strstr(text, large ? "top count" : "top keep") && !strstr(text, large ? "top keep" : "top count"));
        else if (!large)
            expect_launches(text, "count_level", "count_level", "count_level", "count_level", "emit_top",
                            "radix_block");
    }
    traced t = traced_begin();
    const ww_status status = ww_nth(device, n / 2, ww_memory(keys, n), ww_array(out, 1), NULL);
    traced_end(&t, text, sizeof text);
    expect_status(device, status, WW_OK);
    if (on_gpu())
        expect_launches(text, "count_level", "count_level", "count_level", "count_level", "write_nth");
    else
        expect(strstr(text, "nth") != NULL);
    free(keys), free(out);
    ww_close(device);
}

/* So many equal keys that a sample's bounds are both of them: keys / 100 of them, and ranks below, within and above. */
static void check_heavy(ww_device *device, uint32_t hundredths) {
    enum { N = 200003 };
    uint32_t *x = need(N * sizeof *x), out;
    uint64_t state = seed_of_run() + hundredths;
    for (size_t i = 0; i < N; i++) {
        const uint64_t r = random_next(&state);
        x[i] = r % 100 < hundredths ? 2000000000u : (uint32_t)(r >> 32);
    }
    for (size_t rank = 5; rank < N; rank += N / 7) {
        size_t less = 0, equal = 0;
        expect_status(device, ww_nth(device, rank, ww_memory(x, N), ww_array(&out, 1), NULL), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t i = 0; i < N; i++) less += x[i] < out, equal += x[i] == out;
        expect(less <= rank && rank < less + equal);
    }
    free(x);
}

static void heavy_keys(void **state) {
    (void)state;
    static const uint32_t hundredths[] = {14, 40, 90, 100};
    if (on_gpu()) return; /* whose levels are counted whatever the keys are */
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof hundredths / sizeof *hundredths; k++) {
            CASE("nth", "%s heavy %u%%", setting_name(s), (unsigned)hundredths[k]);
            if (case_wanted()) check_heavy(device, hundredths[k]);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(heavy_keys),
                                       cmocka_unit_test(types_and_sizes),
                                       cmocka_unit_test(little_more_than_kept),
                                       cmocka_unit_test(misleading_samples),
                                       cmocka_unit_test(far_digits),
                                       cmocka_unit_test(inputs),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(ways)};
    return cmocka_run_group_tests_name("the first and the n-th", tests, NULL, NULL);
}
