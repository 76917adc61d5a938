/* Lower and upper bounds against serial searches: every order and shape, needles in order and not, arrays large enough
 * for samples, outputs of both widths, inputs of every kind, and arrays that are not sorted. */
#include "device/device.h"
#include "orders.h"
#include "reference/search.h"

typedef ww_status bound_call(ww_device *, const ww_function *, ww_input, ww_input, ww_array);
static bound_call *const bounds[] = {ww_lower_bound, ww_upper_bound};
static const char *const bound_names[] = {"lower", "upper"};

static void expect_bounds(ww_device *device, int upper, const order *o, ww_input sorted, ww_input needles,
                          const uint64_t *wanted) {
    const size_t m = (size_t)needles.count;
    guarded out = guarded_new(m * 8);
    expect_status(device, bounds[upper](device, o->less, sorted, needles, ww_array((uint64_t *)out.data, m)), WW_OK);
    expect_elements(out.data, wanted, m, 8);
    guarded_check(&out);
    guarded_free(&out);
    if (on_emulator() && o->type != &ww_type_uint32_t) return;
    out = guarded_new(m * 4);
    expect_status(device, bounds[upper](device, o->less, sorted, needles, ww_array((uint32_t *)out.data, m)), WW_OK);
    for (size_t i = 0; i < m; i++) expect(((uint32_t *)out.data)[i] == wanted[i]);
    guarded_check(&out);
    guarded_free(&out);
}

/* Needles: elements of the array, and others of its shape; in order or not. */
static void check_bounds(ww_device *device, const char *setting, const order *o, shape s, size_t n, size_t m,
                         bool in_order) {
    const size_t size = o->type->size;
    const uint64_t seed = seed_of_run() + n + m;
    CASE("search", "%s %s %s n=%zu m=%zu%s", setting, o->name, shape_name(s), n, m, in_order ? " in order" : "");
    if (!case_wanted()) return;
    unsigned char *sorted = sorted_new(o, n, s, seed), *needles = need(m * size);
    uint64_t state = seed;
    fill(needles, o->type, size, m, s == SORTED || s == REVERSED ? UNIFORM : s, seed + 1);
    for (size_t i = 0; n && i < m; i++)
        if (random_next(&state) % 2) memcpy(needles + i * size, sorted + random_next(&state) % n * size, size);
    if (in_order) reference_sort(needles, m, size, o->before);
    uint64_t *wanted = need(m * 8);
    for (int upper = 0; upper < 2; upper++) {
        /* Each is a program of its own there. */
        size_t which = 0;
        while (which < ORDERS && o != &orders[which]) which++;
        if (on_emulator() && upper != (int)(which / 2 % 2)) continue;
        reference_bounds(wanted, sorted, n, needles, m, size, upper, o->before);
        for (size_t i = 0; n < 3000 && i < m; i += 37)
            expect(wanted[i] == reference_bound(sorted, n, needles + i * size, size, upper, o->before));
        expect_bounds(device, upper, o, ww_memory_of(sorted, n, o->type), ww_memory_of(needles, m, o->type), wanted);
    }
    free(sorted);
    free(needles);
    free(wanted);
}

static void small_searches(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 17, 64, 1000}, needles[] = {0, 1, 15, 33, 1025};
    ww_device *device = setting_open(0);
    for (size_t o = 0; o < ORDERS; o++)
        for (int s = 0; s < SHAPES; s++)
            for (size_t i = 0; i < 7; i++)
                for (size_t j = 0; j < 5; j++)
                    if (tests_are_short() && (i + j + (size_t)s) % 3)
                        continue;
                    else if (!on_emulator() || (s == (int)(o % SHAPES) && (i + 2 * j + o) % 5 == 0))
                        check_bounds(device, setting_name(0), &orders[o], (shape)s, sizes[i], needles[j],
                                     (i + j) % 2 == 1);
    ww_close(device);
}

static void large_searches(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 0; o < ORDERS; o++) {
            const shape s = (shape)((o + k) % SHAPES);
            const size_t n = orders[o].type->size > 16 || on_emulator() ? 2000 : 20000,
                         m = on_emulator() ? 2011 : 20011;
            check_bounds(device, setting_name(k), &orders[o], s, n, m, false);
            check_bounds(device, setting_name(k), &orders[o], s, n, m, true);
            check_bounds(device, setting_name(k), &orders[o], s, 40, 5000, true);
            check_bounds(device, setting_name(k), &orders[o], s, n, 100, true);
        }
        ww_close(device);
    }
}

/* Elements that are too long for a GPU's registers: several blocks of them, in order and not. */
static void long_elements(void **state) {
    (void)state;
    static const size_t needles[] = {1, 127, 128, 129, 700};
    for (size_t k = 0; k < setting_count_short(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 0; o < ORDERS; o++)
            for (size_t i = 0; i < sizeof needles / sizeof *needles && orders[o].type == &wide_ww; i++)
                check_bounds(device, setting_name(k), &orders[o], i % 2 ? FEW : UNIFORM, 90 + 100 * i, needles[i],
                             i % 2);
        ww_close(device);
    }
}

/* Arrays of more than a megabyte, and enough needles that samples of them pay. */
static void sampled_searches(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count_short(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 0; o < ORDERS; o++) {
            const size_t size = orders[o].type->size;
            if (size != 4 && size != 8) continue;
            const shape s = (shape)((o + k) % SHAPES);
            if (on_emulator())
                check_bounds(device, setting_name(k), &orders[o], s, 4000 + 77 * o, 3011, false);
            else
                check_bounds(device, setting_name(k), &orders[o], s, (1 << 20) / size + 77 * o, 40011, false);
        }
        ww_close(device);
    }
}

/* Elements whose samples do not fill whole words of shared memory. */
WW_STRUCT(three, { uint8_t byte[3]; });
WW_LESS(three_before, three, a, b, { return a.byte[0] != b.byte[0] ? a.byte[0] < b.byte[0] : a.byte[1] < b.byte[1]; });
static bool reference_three(const void *a, const void *b) { return memcmp(a, b, 2) < 0; }

static void odd_elements(void **state) {
    (void)state;
    static const order o = {"three bytes", &three_ww, &three_before_ww, reference_three};
    for (size_t k = 0; k < setting_count_short(); k++) {
        ww_device *device = setting_open(k);
        check_bounds(device, setting_name(k), &o, UNIFORM, 4000, 3011, false);
        check_bounds(device, setting_name(k), &o, UNIFORM, 4000, 3011, true);
        ww_close(device);
    }
}

WW_MAP(third, uint32_t, uint64_t, x, void, none, { return (uint32_t)(x / 3); });

static void computed_inputs(void **state) {
    (void)state;
    static const order o = {"u32", &ww_type_uint32_t, NULL, reference_u32_up};
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        static const size_t sizes[] = {0, 1, 700, 70001};
        const size_t many = on_emulator() ? 3 : 4;
        for (size_t i = 0; i < many; i++)
            for (size_t j = 0; j < many; j++)
                for (int upper = 0; upper < 2; upper++) {
                    const size_t n = sizes[i], m = sizes[j];
                    CASE("search computed", "%s %s n=%zu m=%zu", setting_name(k), bound_names[upper], n, m);
                    if (!case_wanted()) continue;
                    uint32_t *sorted = need(n * 4), *needles = need(m * 4);
                    uint64_t *wanted = need(m * 8);
                    for (size_t x = 0; x < n; x++) sorted[x] = (uint32_t)x / 3;
                    for (size_t x = 0; x < m; x++) needles[x] = 5 + (uint32_t)x;
                    reference_bounds(wanted, sorted, n, needles, m, 4, upper, o.before);
                    expect_bounds(device, upper, &o, ww_mapped(&third_ww, ww_counting(&ww_type_uint64_t, 0, n)),
                                  ww_counting(&ww_type_uint32_t, 5, m), wanted);
                    expect_bounds(device, upper, &o, ww_memory(sorted, n), ww_counting(&ww_type_uint32_t, 5, m),
                                  wanted);
                    free(sorted);
                    free(needles);
                    free(wanted);
                }
        ww_close(device);
    }
}

/* Needles that descend where a warp of a GPU ends and nowhere else, neither the first nor the last among the least and the greatest. */
static void descents_between_warps(void **state) {
    (void)state;
    enum { N = 3000, M = 1000, WARP = 32, WARPS = (M + WARP - 1) / WARP };
    static const order o = {"u32", &ww_type_uint32_t, NULL, reference_u32_up};
    static uint32_t sorted[N], needles[M];
    static uint64_t wanted[M];
    for (uint32_t i = 0; i < N; i++) sorted[i] = i / 2;
    for (uint32_t i = 0; i < M; i++) needles[i] = (i / WARP * 7 + WARPS / 2) % WARPS * WARP + i % WARP;
    ww_device *device = setting_open(0);
    CASE("search", "%s descents between warps", setting_name(0));
    if (case_wanted()) {
        reference_bounds(wanted, sorted, N, needles, M, 4, 0, o.before);
        expect_bounds(device, 0, &o, ww_memory(sorted, N), ww_memory(needles, M), wanted);
    }
    ww_close(device);
}

/* In an array that is not sorted the answers are positions in it, or its count. */
static void not_sorted(void **state) {
    (void)state;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        for (size_t o = 4; o < ORDERS; o++)
            for (int upper = 0; upper < 2; upper++) {
                const size_t size = orders[o].type->size, n = size > 16       ? 500
                                                              : on_emulator() ? 5000
                                                                              : (1 << 20) / size + 1;
                const size_t m = on_emulator() ? 2000 : 20000;
                if (on_emulator() && upper != (int)(o / 2 % 2)) continue;
                CASE("search unsorted", "%s %s %s", setting_name(k), bound_names[upper], orders[o].name);
                if (!case_wanted()) continue;
                void *x = need(n * size), *needles = need(m * size);
                fill(x, orders[o].type, size, n, o % 2 ? UNIFORM : REVERSED, seed_of_run());
                fill(needles, orders[o].type, size, m, UNIFORM, seed_of_run() + 1);
                if (o % 3 == 0) reference_sort(needles, m, size, orders[o].before);
                guarded out = guarded_new(m * 8);
                expect_status(device,
                              bounds[upper](device, orders[o].less, ww_memory_of(x, n, orders[o].type),
                                            ww_memory_of(needles, m, orders[o].type),
                                            ww_array((uint64_t *)out.data, m)),
                              WW_OK);
                for (size_t i = 0; i < m; i++) expect(((uint64_t *)out.data)[i] <= n);
                guarded_check(&out);
                guarded_free(&out);
                free(x);
                free(needles);
            }
        ww_close(device);
    }
}

/* A position in memory that a GPU does not reach. */
static void single_results(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint64_t position = 77;
    const ww_input sorted = ww_counting(&ww_type_uint32_t, 5, 1000);
    CASE("search", "single results");
    expect_status(device,
                  ww_upper_bound(device, NULL, sorted, ww_counting(&ww_type_uint32_t, 105, 1), ww_array(&position, 1)),
                  WW_OK);
    expect(position == 101);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    for (size_t k = 0; k < setting_count(); k++) {
        ww_device *device = setting_open(k);
        const size_t n = 300000, m = 200000;
        CASE("search scratch", "%s", setting_name(k));
        uint32_t *out = need(4 * m), *x = need(4 * n);
        for (size_t i = 0; i < n; i++) x[i] = (uint32_t)i;
        ww_device_info info = WW_DEVICE_INFO;
        const ww_input needles = ww_mapped(&third_ww, ww_counting(&ww_type_uint64_t, 0, m));
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device, ww_lower_bound(device, NULL, ww_memory(x, n), needles, ww_array(out, m)), WW_OK);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak <= 65536 + 65536 * (size_t)info.threads);
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(device,
                      ww_lower_bound(device, NULL, ww_counting(&ww_type_uint32_t, 0, n), needles, ww_array(out, m)),
                      WW_OK);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak <= 4 * n + 65536 + 65536 * (size_t)info.threads);
        free(out);
        free(x);
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    for (int upper = 0; upper < 2; upper++) {
        bound_call *const call = bounds[upper];
        uint32_t a[4] = {1, 2, 2, 4}, b[3] = {2, 3, 9}, out[3] = {0};
        double d[7] = {0};
        const ww_input sorted = ww_memory(a, 4), needles = ww_memory(b, 3);
        CASE("search", "bad arguments of %s", bound_names[upper]);
        expect(call(NULL, NULL, sorted, needles, ww_array(out, 3)) == WW_INVALID);
        expect_status(device, call(device, NULL, ww_no_input, needles, ww_array(out, 3)), WW_INVALID);
        expect_status(device, call(device, NULL, sorted, ww_no_input, ww_array(out, 3)), WW_INVALID);
        expect_status(device, call(device, NULL, sorted, needles, ww_none), WW_INVALID);
        expect_status(device, call(device, NULL, sorted, needles, ww_array(out, 2)), WW_INVALID);
        expect_sentence(device, "out has 2", "needles 3");
        expect_status(device, call(device, NULL, sorted, needles, ww_array(d, 3)), WW_TYPE);
        expect_status(device, call(device, NULL, sorted, ww_memory(d, 3), ww_array(out, 3)), WW_TYPE);
        expect_status(device, call(device, &ww_min, sorted, needles, ww_array(out, 3)), WW_TYPE);
        expect_status(
            device,
            call(device, NULL, ww_counting(&ww_type_uint32_t, 0, (uint64_t)UINT32_MAX + 1), needles, ww_array(out, 3)),
            WW_TYPE);
        expect_status(device, call(device, NULL, sorted, needles, ww_array(a + 1, 3)), WW_OVERLAP);
        expect_status(device, call(device, NULL, sorted, needles, ww_array(b, 3)), WW_OVERLAP);
        expect_status(device, call(device, NULL, sorted, needles, ww_array(out, 3)), WW_OK);
        expect(out[0] == (upper ? 3 : 1) && out[1] == 3 && out[2] == 4);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_searches), cmocka_unit_test(large_searches),         cmocka_unit_test(sampled_searches),
        cmocka_unit_test(long_elements),  cmocka_unit_test(computed_inputs),        cmocka_unit_test(not_sorted),
        cmocka_unit_test(scratch_bound),  cmocka_unit_test(bad_arguments),          cmocka_unit_test(single_results),
        cmocka_unit_test(odd_elements),   cmocka_unit_test(descents_between_warps),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
