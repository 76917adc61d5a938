/* Merging against a serial merge: every order, shape and pair of sizes, values of many sizes, inputs of every kind, and
 * inputs that are not sorted. */
#include "device/device.h"
#include "orders.h"
#include "reference/merge.h"

typedef struct sides { /* what is merged, and what should come of it */
    const order *order;
    size_t na, nb, n, size;
    unsigned char *a, *b, *wanted;
    bool *from;
} sides;

static sides sides_new(const order *o, shape s, size_t na, size_t nb, uint64_t seed) {
    sides t = {.order = o, .na = na, .nb = nb, .n = na + nb, .size = o->type->size};
    t.a = sorted_new(o, na, s, seed);
    t.b = sorted_new(o, nb, s, seed + 1);
    t.wanted = need(t.n * t.size);
    t.from = need(t.n);
    reference_merge(t.wanted, t.from, t.a, na, t.b, nb, t.size, o->before);
    return t;
}

static void sides_free(sides *t) {
    free(t->a);
    free(t->b);
    free(t->wanted);
    free(t->from);
}

static ww_status merge_keys(ww_device *device, const sides *t, void *out) {
    return ww_merge(device, t->order->less, ww_memory_of(t->a, t->na, t->order->type),
                    ww_memory_of(t->b, t->nb, t->order->type), ww_no_input, ww_no_input,
                    ww_array_of(out, t->n, t->order->type), ww_none);
}

/* Values that differ all over, records of `size` bytes. */
static unsigned char *values_new(size_t n, size_t size, uint64_t seed) {
    unsigned char *v = need(n * size);
    fill(v, &ww_type_record, size, n, UNIFORM, seed);
    return v;
}

static void check_values(ww_device *device, const sides *t, size_t size, uint64_t seed) {
    unsigned char *va = values_new(t->na, size, seed), *vb = values_new(t->nb, size, seed + 1);
    unsigned char *wanted = need(t->n * size);
    for (size_t k = 0, i = 0, j = 0; k < t->n; k++)
        memcpy(wanted + k * size, t->from[k] ? vb + j++ * size : va + i++ * size, size);
    guarded out = guarded_new(t->n * t->size), values = guarded_new(t->n * size);
    expect_status(device,
                  ww_merge(device, t->order->less, ww_memory_of(t->a, t->na, t->order->type),
                           ww_memory_of(t->b, t->nb, t->order->type), ww_record_memory(va, t->na, size),
                           ww_record_memory(vb, t->nb, size), ww_array_of(out.data, t->n, t->order->type),
                           ww_records(values.data, t->n, size)),
                  WW_OK);
    expect_elements(out.data, t->wanted, t->n, t->size);
    expect_elements(values.data, wanted, t->n, size);
    guarded_check(&out);
    guarded_check(&values);
    guarded_free(&out);
    guarded_free(&values);
    free(va);
    free(vb);
    free(wanted);
}

static const size_t value_sizes[] = {1, 2, 4, 8, 16, 3, 12, 40, 600};
enum { VALUE_SIZES = sizeof value_sizes / sizeof *value_sizes, SHORT_VALUE_SIZES = 5 };

/* `streaming`: outputs are written past the caches however small they are. */
static void check_merge(ww_device *device, const char *setting, const order *o, shape s, size_t na, size_t nb,
                        bool streaming) {
    CASE("merge", "%s %s %s na=%zu nb=%zu%s", setting, o->name, shape_name(s), na, nb, streaming ? " streaming" : "");
    if (!case_wanted()) return;
    const uint64_t seed = seed_of_run() + na * 31 + nb;
    const size_t stream_bytes = device->stream_bytes;
    if (streaming) device->stream_bytes = 0;
    sides t = sides_new(o, s, na, nb, seed);
    guarded out = guarded_new(t.n * t.size);
    expect_status(device, merge_keys(device, &t, out.data), WW_OK);
    expect_elements(out.data, t.wanted, t.n, t.size);
    guarded_check(&out);
    guarded_free(&out);
    /* On a GPU an order meets few sizes of values: each is another program. */
    const size_t number = (size_t)(o - orders);
    const size_t kind = on_emulator() ? number / 3 : on_gpu() ? number + (size_t)s % 2 : na + nb + (size_t)s;
    if (!on_emulator() || number % 3 == 0)
        check_values(device, &t, value_sizes[kind % (t.n < 50000 ? VALUE_SIZES : SHORT_VALUE_SIZES)], seed + 2);
    device->stream_bytes = stream_bytes;
    sides_free(&t);
}

static void small_merges(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 33, 64, 500, 2049};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    ww_device *device = setting_open(0);
    for (size_t o = 0; o < ORDERS; o++)
        for (int s = 0; s < SHAPES; s++)
            for (size_t i = 0; i < SIZES; i++)
                for (size_t j = 0; j < SIZES; j++)
                    if (tests_are_short() && (i + j + (size_t)s) % 3)
                        continue;
                    else if (!on_emulator() || (s == (int)(o % SHAPES) && (i + 2 * j + o) % 5 == 0))
                        check_merge(device, setting_name(0), &orders[o], (shape)s, sizes[i], sizes[j],
                                    (i + j) % 2 == 1);
    ww_close(device);
}

static void large_merges(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 0; o < ORDERS; o++) {
            const shape s = (shape)((o + k) % SHAPES);
            const size_t n = orders[o].type->size > 16 || on_emulator() ? 2001 : 20013;
            check_merge(device, setting_name(k), &orders[o], s, n, n / 2, k % 2 == 1);
            check_merge(device, setting_name(k), &orders[o], (shape)((s + 1) % SHAPES), n / 9, n, k % 2 == 0);
        }
        ww_close(device);
    }
    if (on_emulator()) return;
    ww_device *device = setting_open(0);
    check_merge(device, setting_name(0), &orders[4], UNIFORM, size_large() / 3, size_large() / 9, true);
    check_merge(device, setting_name(0), &orders[4], SKEWED, size_large() / 15, size_large() / 3, true);
    ww_close(device);
}

/* Inputs that are computed: the same as from memory. */
WW_MAP(third, uint32_t, uint64_t, x, void, none, { return (uint32_t)(x / 3); });
WW_MAP(half, uint32_t, uint32_t, x, void, none, { return x / 2; });
WW_STRUCT(pair, { uint64_t first, second; });
WW_MAP(paired, pair, uint64_t, x, void, none, {
    pair p = {x, ~x};
    return p;
});

static void computed_inputs(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        static const size_t sizes[] = {0, 1, 700, 5000, 150001};
        const size_t many = on_emulator() ? 4 : 5;
        for (size_t i = 0; i < many; i++)
            for (size_t j = 0; j < many; j++) {
                const size_t na = sizes[i], nb = sizes[j], n = na + nb;
                CASE("merge computed", "%s na=%zu nb=%zu", setting_name(k), na, nb);
                if (!case_wanted()) continue;
                uint32_t *b = need(nb * 4), *a = need(na * 4);
                for (size_t x = 0; x < na; x++) a[x] = (uint32_t)((10 + x) / 3);
                for (size_t x = 0; x < nb; x++) b[x] = (uint32_t)x;
                bool *from = need(n);
                uint32_t *wanted = need(n * 4);
                for (size_t x = 0; x < nb; x++) b[x] /= 2;
                reference_merge(wanted, from, a, na, b, nb, 4, reference_u32_up);
                for (size_t x = 0; x < nb; x++) b[x] = (uint32_t)x;
                guarded out = guarded_new(n * 4), values = guarded_new(n * sizeof(pair));
                expect_status(device,
                              ww_merge(device, NULL, ww_mapped(&third_ww, ww_counting(&ww_type_uint64_t, 10, na)),
                                       ww_mapped(&half_ww, ww_memory(b, nb)),
                                       ww_mapped(&paired_ww, ww_counting(&ww_type_uint64_t, 0, na)),
                                       ww_mapped(&paired_ww, ww_counting(&ww_type_uint64_t, na, nb)),
                                       ww_array((uint32_t *)out.data, n), ww_array_of(values.data, n, &pair_ww)),
                              WW_OK);
                expect_elements(out.data, wanted, n, 4);
                const pair *p = values.data;
                for (size_t x = 0, at_a = 0, at_b = na; x < n; x++) {
                    const uint64_t number = from[x] ? at_b++ : at_a++;
                    expect(p[x].first == number && p[x].second == ~number);
                }
                guarded_check(&out);
                guarded_check(&values);
                guarded_free(&out);
                guarded_free(&values);
                free(a);
                free(b);
                free(from);
                free(wanted);
            }
        ww_close(device);
    }
}

/* What is not sorted gives a permutation, and nothing is written elsewhere. */
static void not_sorted(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        static const size_t sizes[] = {0, 5, 100, 3000, 100003};
        for (size_t o = 4; o < ORDERS; o++)
            for (size_t i = 0; i < 5; i++)
                for (size_t j = 0; j < 5; j++) {
                    const size_t size = orders[o].type->size, na = sizes[i], nb = sizes[j], n = na + nb;
                    if (n > 20000 && (size > 8 || o % 3 != k % 3 || on_emulator())) continue;
                    if (on_emulator() && (o % 3 || (i + j) % 2)) continue;
                    CASE("merge unsorted", "%s %s na=%zu nb=%zu", setting_name(k), orders[o].name, na, nb);
                    if (!case_wanted()) continue;
                    void *a = need(na * size), *b = need(nb * size);
                    fill(a, orders[o].type, size, na, UNIFORM, seed_of_run() + i);
                    fill(b, orders[o].type, size, nb, j % 2 ? ADVERSARIAL : REVERSED, seed_of_run() + j);
                    uint32_t *numbers = need(n * 4);
                    unsigned char *seen = need(n);
                    memset(seen, 0, n);
                    for (size_t x = 0; x < n; x++) numbers[x] = (uint32_t)x;
                    guarded out = guarded_new(n * size), values = guarded_new(n * 4);
                    expect_status(device,
                                  ww_merge(device, orders[o].less, ww_memory_of(a, na, orders[o].type),
                                           ww_memory_of(b, nb, orders[o].type), ww_memory(numbers, na),
                                           ww_memory(numbers + na, nb), ww_array_of(out.data, n, orders[o].type),
                                           ww_array((uint32_t *)values.data, n)),
                                  WW_OK);
                    for (size_t x = 0; x < n; x++) {
                        const uint32_t number = ((uint32_t *)values.data)[x];
                        expect(number < n && !seen[number]);
                        seen[number] = 1;
                        const unsigned char *key = number < na ? (unsigned char *)a + number * size
                                                               : (unsigned char *)b + (number - na) * size;
                        expect(!memcmp((unsigned char *)out.data + x * size, key, size));
                    }
                    guarded_check(&out);
                    guarded_check(&values);
                    guarded_free(&out);
                    guarded_free(&values);
                    free(a);
                    free(b);
                    free(numbers);
                    free(seen);
                }
        ww_close(device);
    }
}

/* Values that are computed on one side, and on the other not. */
static void half_computed(void **state) {
    (void)state;
    enum { N = 300 };
    static uint32_t keys[N], values[N];
    for (uint32_t i = 0; i < N; i++) keys[i] = 2 * i, values[i] = 1000 * i;
    ww_device *device = setting_open(0);
    const ww_input plain = ww_memory(values, N), computed = ww_mapped(&half_ww, plain);
    for (int right = 0; right < 2; right++) {
        CASE("merge", "values of the %s side are computed", right ? "right" : "left");
        if (!case_wanted()) continue;
        guarded out = guarded_new(2 * N * 4), out_values = guarded_new(2 * N * 4);
        expect_status(device,
                      ww_merge(device, NULL, ww_memory(keys, N), ww_memory(keys, N), right ? plain : computed,
                               right ? computed : plain, ww_array((uint32_t *)out.data, 2 * N),
                               ww_array((uint32_t *)out_values.data, 2 * N)),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (uint32_t i = 0; i < 2 * N; i++) {
            expect(((uint32_t *)out.data)[i] == keys[i / 2]);
            expect(((uint32_t *)out_values.data)[i] == values[i / 2] / ((i % 2 == 1) == right ? 2 : 1));
        }
        guarded_check(&out);
        guarded_check(&out_values);
        guarded_free(&out);
        guarded_free(&out_values);
    }
    ww_close(device);
}

/* Single elements in memory that a GPU does not reach. */
static void single_results(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t key = 77;
    uint64_t value = 77;
    CASE("merge", "single results");
    expect_status(device,
                  ww_merge(device, NULL, ww_counting(&ww_type_uint32_t, 5, 0), ww_counting(&ww_type_uint32_t, 6, 1),
                           ww_counting(&ww_type_uint64_t, 7, 0), ww_counting(&ww_type_uint64_t, 8, 1),
                           ww_array(&key, 1), ww_array(&value, 1)),
                  WW_OK);
    expect(key == 6 && value == 8);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        device->stream_bytes = 0;
        const size_t n = 200000;
        CASE("merge scratch", "%s", setting_name(k));
        uint32_t *out = need(8 * n);
        uint64_t *values = need(16 * n);
        const ww_input a = ww_mapped(&third_ww, ww_counting(&ww_type_uint64_t, 0, n));
        const ww_input v = ww_mapped(&half_ww, ww_counting(&ww_type_uint32_t, 0, n));
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device,
                      ww_merge(device, NULL, a, a, v, v, ww_array(out, 2 * n), ww_array((uint32_t *)values, 2 * n)),
                      WW_OK);
        ww_device_info info = WW_DEVICE_INFO;
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak <= 65536 + 65536 * (size_t)info.threads);
        free(out);
        free(values);
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t a[4] = {1, 2, 3, 4}, b[3] = {2, 3, 9}, out[7], values[7];
    double d[7] = {0};
    const ww_input in_a = ww_memory(a, 4), in_b = ww_memory(b, 3), none = ww_no_input;
    CASE("merge", "bad arguments");
    expect(ww_merge(NULL, NULL, in_a, in_b, none, none, ww_array(out, 7), ww_none) == WW_INVALID);
    expect_status(device, ww_merge(device, NULL, none, in_b, none, none, ww_array(out, 7), ww_none), WW_INVALID);
    expect_status(device, ww_merge(device, NULL, in_a, none, none, none, ww_array(out, 7), ww_none), WW_INVALID);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, none, none, ww_none, ww_none), WW_INVALID);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, none, none, ww_array(out, 6), ww_none), WW_INVALID);
    expect_sentence(device, "out has 6", "4 and 3");
    expect_status(device, ww_merge(device, NULL, in_a, ww_memory(d, 3), none, none, ww_array(out, 7), ww_none),
                  WW_TYPE);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, none, none, ww_array(d, 7), ww_none), WW_TYPE);
    expect_status(device, ww_merge(device, &ww_add, in_a, in_b, none, none, ww_array(out, 7), ww_none), WW_TYPE);
    expect_sentence(device, "add", "u32");
    expect_status(device, ww_merge(device, &by_key_ww, in_a, in_b, none, none, ww_array(out, 7), ww_none), WW_TYPE);
    expect_status(device,
                  ww_merge(device, NULL, ww_record_memory(a, 2, 8), ww_record_memory(b, 1, 8), none, none,
                           ww_records(out, 3, 8), ww_none),
                  WW_TYPE);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, in_a, none, ww_array(out, 7), ww_none), WW_INVALID);
    expect_sentence(device, "a_values is given", "b_values is none");
    expect_status(device, ww_merge(device, NULL, in_a, in_b, none, none, ww_array(out, 7), ww_array(values, 7)),
                  WW_INVALID);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, in_b, in_b, ww_array(out, 7), ww_array(values, 7)),
                  WW_INVALID);
    expect_sentence(device, "a_values has 3", "a 4");
    expect_status(device, ww_merge(device, NULL, in_a, in_b, in_a, in_a, ww_array(out, 7), ww_array(values, 7)),
                  WW_INVALID);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, in_a, in_b, ww_array(out, 7), ww_array(values, 5)),
                  WW_INVALID);
    expect_status(device,
                  ww_merge(device, NULL, in_a, in_b, in_a, ww_memory(d, 3), ww_array(out, 7), ww_array(values, 7)),
                  WW_TYPE);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, in_a, in_b, ww_array(out, 7), ww_array(d, 7)), WW_TYPE);
    /* Overlap. */
    uint32_t all[16] = {0};
    expect_status(device, ww_merge(device, NULL, ww_memory(all, 4), in_b, none, none, ww_array(all, 7), ww_none),
                  WW_OVERLAP);
    expect_status(device, ww_merge(device, NULL, in_a, ww_memory(all + 6, 3), none, none, ww_array(all, 7), ww_none),
                  WW_OVERLAP);
    expect_status(device,
                  ww_merge(device, NULL, ww_memory(all, 4), in_b, in_a, in_b, ww_array(out, 7), ww_array(all + 3, 7)),
                  WW_OVERLAP);
    expect_status(device,
                  ww_merge(device, NULL, in_a, in_b, ww_memory(all, 4), in_b, ww_array(all, 7), ww_array(values, 7)),
                  WW_OVERLAP);
    expect_status(device, ww_merge(device, NULL, in_a, in_b, in_a, in_b, ww_array(all, 7), ww_array(all + 6, 7)),
                  WW_OVERLAP);
    /* Nothing at all. */
    expect_status(device,
                  ww_merge(device, NULL, ww_memory((uint32_t *)NULL, 0), ww_memory((uint32_t *)NULL, 0), none, none,
                           ww_array((uint32_t *)NULL, 0), ww_none),
                  WW_OK);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_merges),  cmocka_unit_test(large_merges),   cmocka_unit_test(computed_inputs),
        cmocka_unit_test(not_sorted),    cmocka_unit_test(scratch_bound),  cmocka_unit_test(bad_arguments),
        cmocka_unit_test(half_computed), cmocka_unit_test(single_results),
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
