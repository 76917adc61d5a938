/* Union, intersection and difference against serial ones: every order, shape and pair of sizes, long runs of equal
 * elements, too little room, inputs of every kind, and inputs that are not sorted. */
#include "device/device.h"
#include "orders.h"
#include "reference/set.h"

typedef ww_status set_call(ww_device *, const ww_function *, ww_input, ww_input, ww_array, ww_array);
static const struct {
    const char *name;
    set_call *call;
    reference_set *wanted;
} sets[] = {
    {"union", ww_set_union, reference_union},
    {"intersection", ww_set_intersection, reference_intersection},
    {"difference", ww_set_difference, reference_difference},
};
enum { SETS = 3 };

static void check_room(ww_device *device, size_t set, const order *o, ww_input a, ww_input b, const void *wanted,
                       size_t n, size_t room) {
    const size_t size = o->type->size;
    guarded out = guarded_new(room * size);
    uint64_t count = 77;
    expect_status(device,
                  sets[set].call(device, o->less, a, b, ww_array_of(out.data, room, o->type), ww_array(&count, 1)),
                  room < n ? WW_LIMIT : WW_OK);
    expect(count == n);
    expect_elements(out.data, wanted, room < n ? room : n, size);
    guarded_check(&out);
    guarded_free(&out);
}

static void check_set(ww_device *device, const char *setting, size_t set, const order *o, const void *a, size_t na,
                      const void *b, size_t nb, bool streaming) {
    const size_t size = o->type->size, stream_bytes = device->stream_bytes;
    if (streaming) device->stream_bytes = 0;
    (void)setting;
    void *wanted = need((na + nb) * size);
    const size_t n = sets[set].wanted(wanted, a, na, b, nb, size, o->before);
    const ww_input x = ww_memory_of(a, na, o->type), y = ww_memory_of(b, nb, o->type);
    check_room(device, set, o, x, y, wanted, n, n + 3);
    check_room(device, set, o, x, y, wanted, n, n);
    if (n) {
        check_room(device, set, o, x, y, wanted, n, n - 1);
        check_room(device, set, o, x, y, wanted, n, n / 2);
        check_room(device, set, o, x, y, wanted, n, 0);
    }
    device->stream_bytes = stream_bytes;
    free(wanted);
}

/* Shapes of b differ from a's in how often elements are equal. */
static void check_shapes(ww_device *device, const char *setting, const order *o, shape s, shape t, size_t na, size_t nb,
                         bool streaming) {
    void *a = NULL, *b = NULL; /* made when the first case is wanted */
    for (size_t set = 0; set < SETS; set++) {
        if (on_emulator() && set != (size_t)(o - orders) % SETS) continue; /* each is a program of its own there */
        CASE("set", "%s %s %s %s/%s na=%zu nb=%zu%s", setting, sets[set].name, o->name, shape_name(s), shape_name(t),
             na, nb, streaming ? " streaming" : "");
        if (!case_wanted()) continue;
        if (!a) a = sorted_new(o, na, s, seed_of_run() + na), b = sorted_new(o, nb, t, seed_of_run() + 3);
        check_set(device, setting, set, o, a, na, b, nb, streaming);
    }
    free(a);
    free(b);
}

/* Orders are tested with merges; there every second one is enough, each is another program. */
static bool order_left_out(size_t o) { return on_emulator() && o % 2 && orders[o].type->size <= 8 && o < ORDERS - 4; }

static void small_sets(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 3, 65, 800};
    ww_device *device = setting_open(0);
    for (size_t o = 0; o < ORDERS; o++) {
        if (order_left_out(o)) continue;
        for (int s = 0; s < SHAPES; s++)
            for (size_t i = 0; i < 5; i++)
                for (size_t j = 0; j < 5; j++)
                    if (!on_emulator() || (s == (int)(o % SHAPES) && (i + 2 * j + o) % 4 == 0))
                        check_shapes(device, setting_name(0), &orders[o], (shape)s,
                                     (i + j) % 2 ? (shape)s : (shape)((s + 1) % SHAPES), sizes[i], sizes[j],
                                     i % 2 == 1);
    }
    ww_close(device);
}

static void large_sets(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 0; o < ORDERS; o++) {
            if (order_left_out(o)) continue;
            const shape s = (shape)((o + k) % SHAPES);
            const size_t n = orders[o].type->size > 16 || on_emulator() ? 3001 : 20013;
            check_shapes(device, setting_name(k), &orders[o], s, s, n, n / 2, k % 2 == 1);
            check_shapes(device, setting_name(k), &orders[o], s, (shape)((s + 1) % SHAPES), n / 3, n, k % 2 == 0);
        }
        ww_close(device);
    }
}

/* Multiplicities that blocks and tiles are cut through: runs of one key up to the whole array, in both inputs, in every
 * relation of their lengths. Elements are told apart by their tags. */
static void fill_runs(tagged *x, size_t n, size_t longest, uint64_t seed) {
    uint64_t state = seed;
    uint16_t key = 0;
    for (size_t i = 0; i < n;) {
        size_t run = 1 + (size_t)(random_next(&state) % longest);
        if (random_next(&state) % 4 == 0) key++; /* a key that the other does not have */
        for (; run && i < n; run--, i++) x[i] = (tagged){key, 0, (uint32_t)(seed << 20) + (uint32_t)i};
        key++;
    }
}

static void long_runs(void **state) {
    (void)state;
    static const size_t longest[] = {2, 9, 300, 5000, 9000, 40000, 1000000};
    const size_t times = on_emulator() ? 20 : 1; /* smaller */
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        for (size_t l = 0; l < 7; l++)
            for (size_t m = 0; m < 7; m++) {
                const size_t na = 60000 / times, nb = 50000 / times;
                tagged *a = need(na * sizeof *a), *b = need(nb * sizeof *b);
                fill_runs(a, na, (longest[l] + times) / times, seed_of_run() % 100 + l);
                fill_runs(b, nb, (longest[m] + times) / times, seed_of_run() % 100 + 50 + m);
                uint32_t *ka = need(na * 4), *kb = need(nb * 4);
                for (size_t i = 0; i < na; i++) ka[i] = a[i].key;
                for (size_t i = 0; i < nb; i++) kb[i] = b[i].key;
                for (size_t set = 0; set < SETS; set++) {
                    static const order by_tag = {"tagged", &tagged_ww, &by_key_ww, tagged_before};
                    static const order plain = {"u32", &ww_type_uint32_t, NULL, reference_u32_up};
                    if ((set + l + m + k) % 3) continue;
                    CASE("set runs", "%s %s runs to %zu and %zu", setting_name(k), sets[set].name, longest[l],
                         longest[m]);
                    if (!case_wanted()) continue;
                    check_set(device, setting_name(k), set, &by_tag, a, na, b, nb, false);
                    check_set(device, setting_name(k), set, &plain, ka, na, kb, nb, true);
                }
                free(a);
                free(b);
                free(ka);
                free(kb);
            }
        ww_close(device);
    }
}

WW_MAP(third, uint32_t, uint64_t, x, void, none, { return (uint32_t)(x / 3); });

static void computed_inputs(void **state) {
    (void)state;
    static const order o = {"u32", &ww_type_uint32_t, NULL, reference_u32_up};
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        const size_t sizes[] = {0, 1, 700, on_emulator() ? 3001 : 90001};
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                for (size_t set = 0; set < SETS; set++) {
                    const size_t na = sizes[i], nb = sizes[j];
                    CASE("set computed", "%s %s na=%zu nb=%zu", setting_name(k), sets[set].name, na, nb);
                    if (!case_wanted()) continue;
                    uint32_t *a = need(na * 4), *b = need(nb * 4), *wanted = need((na + nb) * 4);
                    for (size_t x = 0; x < na; x++) a[x] = (uint32_t)x / 3;
                    for (size_t x = 0; x < nb; x++) b[x] = 5 + (uint32_t)x;
                    const size_t n = sets[set].wanted(wanted, a, na, b, nb, 4, o.before);
                    check_room(device, set, &o, ww_mapped(&third_ww, ww_counting(&ww_type_uint64_t, 0, na)),
                               ww_counting(&ww_type_uint32_t, 5, nb), wanted, n, n);
                    check_room(device, set, &o, ww_memory(a, na), ww_counting(&ww_type_uint32_t, 5, nb), wanted, n,
                               n / 3);
                    free(a);
                    free(b);
                    free(wanted);
                }
        ww_close(device);
    }
}

/* What is not sorted gives some result, and nothing is written elsewhere. */
static void not_sorted(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 4; o < ORDERS; o++)
            for (size_t set = 0; set < SETS; set++) {
                const size_t size = orders[o].type->size, na = on_emulator() ? 900 : 9000,
                             nb = on_emulator() ? 2000 : 20000;
                const size_t room = o % 2 ? na + nb : na / 2;
                if (order_left_out(o) || (on_emulator() && set != o % SETS)) continue;
                CASE("set unsorted", "%s %s %s", setting_name(k), sets[set].name, orders[o].name);
                if (!case_wanted()) continue;
                void *a = need(na * size), *b = need(nb * size);
                fill(a, orders[o].type, size, na, o % 3 ? UNIFORM : FEW, seed_of_run());
                fill(b, orders[o].type, size, nb, o % 3 ? REVERSED : FEW, seed_of_run());
                guarded out = guarded_new(room * size);
                uint64_t count = UINT64_MAX;
                const ww_status status = sets[set].call(
                    device, orders[o].less, ww_memory_of(a, na, orders[o].type), ww_memory_of(b, nb, orders[o].type),
                    ww_array_of(out.data, room, orders[o].type), ww_array(&count, 1));
                expect(status == (count > room ? WW_LIMIT : WW_OK));
                expect(count <= na + nb);
                guarded_check(&out);
                guarded_free(&out);
                free(a);
                free(b);
            }
        ww_close(device);
    }
}

/* Counts that stay on the GPU, and single elements in memory that it does not reach. */
static void results_on_gpus(void **state) {
    (void)state;
    if (!on_gpu()) return;
    CASE("set results", "%s", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    enum { MANY = 1000, ROOM = 10 };
    const ww_input a = ww_counting(&ww_type_uint32_t, 0, MANY), b = ww_counting(&ww_type_uint32_t, 1, MANY);
    guarded out = guarded_new(ROOM * sizeof(uint32_t)), count = guarded_new(sizeof(uint64_t));
    expect_status(device,
                  ww_set_intersection(device, NULL, a, b, ww_array((uint32_t *)out.data, ROOM),
                                      ww_array((uint64_t *)count.data, 1)),
                  WW_OK);
    expect(*(uint64_t *)count.data == MANY - 1);
    for (uint32_t i = 0; i < ROOM; i++) expect(((uint32_t *)out.data)[i] == i + 1);
    guarded_check(&out);
    guarded_check(&count);
    uint32_t one = 77, found;
    const ww_array to = ww_array(&one, 1), many = ww_array(&found, 1);
    expect_status(device, ww_set_difference(device, NULL, a, a, to, many), WW_OK);
    expect(found == 0 && one == 77);
    expect_status(device, ww_set_difference(device, NULL, a, b, to, many), WW_OK);
    expect(found == 1 && one == 0);
    expect_status(device, ww_set_union(device, NULL, b, b, to, many), WW_LIMIT);
    expect(found == MANY && one == 1);
    guarded_free(&out);
    guarded_free(&count);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        const size_t n = 200000;
        CASE("set scratch", "%s", setting_name(k));
        uint32_t *out = need(8 * n);
        uint64_t count;
        const ww_input a = ww_mapped(&third_ww, ww_counting(&ww_type_uint64_t, 0, n));
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device, ww_set_union(device, NULL, a, a, ww_array(out, 2 * n), ww_array(&count, 1)), WW_OK);
        expect(count == n);
        ww_device_info info = WW_DEVICE_INFO;
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak <= 65536 + 65536 * (size_t)info.threads);
        free(out);
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    for (size_t set = 0; set < SETS; set++) {
        set_call *const call = sets[set].call;
        uint32_t a[4] = {1, 2, 2, 4}, b[3] = {2, 3, 9}, out[7], count32 = 5;
        uint64_t count;
        double d[7] = {0};
        const ww_input in_a = ww_memory(a, 4), in_b = ww_memory(b, 3);
        const ww_array to = ww_array(out, 7), one = ww_array(&count, 1);
        CASE("set", "bad arguments of %s", sets[set].name);
        expect(call(NULL, NULL, in_a, in_b, to, one) == WW_INVALID);
        expect_status(device, call(device, NULL, ww_no_input, in_b, to, one), WW_INVALID);
        expect_status(device, call(device, NULL, in_a, ww_no_input, to, one), WW_INVALID);
        expect_status(device, call(device, NULL, in_a, in_b, ww_none, one), WW_INVALID);
        expect_status(device, call(device, NULL, in_a, in_b, to, ww_none), WW_INVALID);
        expect_status(device, call(device, NULL, in_a, in_b, to, ww_array(d, 1)), WW_TYPE);
        expect_status(device, call(device, NULL, in_a, in_b, ww_array(out, 5), ww_array(out + 5, 2)), WW_INVALID);
        expect_status(device, call(device, NULL, in_a, ww_memory(d, 3), to, one), WW_TYPE);
        expect_status(device, call(device, NULL, in_a, in_b, ww_array(d, 7), one), WW_TYPE);
        expect_status(device, call(device, &by_key_ww, in_a, in_b, to, one), WW_TYPE);
        expect_status(device, call(device, NULL, in_a, in_b, ww_array(a, 4), one), WW_OVERLAP);
        expect_status(device, call(device, NULL, in_a, in_b, ww_array(b + 1, 2), one), WW_OVERLAP);
        expect_status(device, call(device, NULL, in_a, in_b, to, ww_array(out + 6, 1)), WW_OVERLAP);
        expect_status(device, call(device, NULL, in_a, in_b, to, ww_array(a + 2, 1)), WW_OVERLAP);
        expect_status(device, call(device, NULL, in_a, in_b, to, ww_array(&count32, 1)), WW_OK);
        expect(count32 == (set == 0 ? 6 : set == 1 ? 1 : 3));
        /* A count of u32 that might not hold the result; nothing is read before that is refused. */
        const ww_input huge = ww_counting(&ww_type_uint32_t, 0, (uint64_t)UINT32_MAX + 2);
        expect_status(device, call(device, NULL, huge, huge, to, ww_array(&count32, 1)), WW_TYPE);
        expect_status(device, call(device, NULL, in_a, in_b, ww_array((uint32_t *)NULL, 0), one), WW_LIMIT);
        expect_sentence(device, set == 0 ? "6 elements" : set == 1 ? "1 elements" : "3 elements", "capacity of 0");
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets),      cmocka_unit_test(large_sets),      cmocka_unit_test(long_runs),
        cmocka_unit_test(computed_inputs), cmocka_unit_test(not_sorted),      cmocka_unit_test(scratch_bound),
        cmocka_unit_test(bad_arguments),   cmocka_unit_test(results_on_gpus),
    };
    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
