/* Maps, stored inputs and launched kernels against plain calls. */
#include "function/function.h"
#include "support/cases.h"

WW_STRUCT(line, { double slope, offset; });
WW_MAP(on_line, double, float, x, line, l, { return l->slope * x + l->offset; });
WW_MAP(twice, uint32_t, uint32_t, x, void, none, { return 2 * x + 1; });
WW_MAP(narrow, uint8_t, uint64_t, x, void, none, { return (uint8_t)(x >> 7); });
WW_MAP2(farther, int32_t, int32_t, a, int32_t, b, void, none, { return a > b ? a : b; });
WW_STRUCT(triple, { uint32_t a, b, c; });
WW_MAP(tripled, triple, uint32_t, x, void, none, {
    triple t = {x, x + 1, x + 2};
    return t;
});
WW_STRUCT(marks, {
    uint32_t *count;
    uint64_t ranks;
});
WW_KERNEL(mark, marks, m, rank, {
    if (rank < m->ranks) ww_atomic_add(&m->count[rank], (uint32_t)rank + 1);
});

#define MAP_CASES(check) \
    for (size_t s = 0; s < setting_count(); s++) { \
        ww_device *device = setting_open(s); \
        size_t many; \
        const size_t *sizes = sizes_of(4, &many); \
        for (size_t i = 0; i < many; i++) check(device, setting_name(s), sizes[i]); \
        check(device, setting_name(s), size_large()); \
        ww_close(device); \
    }

static void check_maps(ww_device *device, const char *setting, size_t n) {
    CASE("map", "%s n=%zu", setting, n);
    if (!case_wanted()) return;
    uint32_t *x = need(n * 4), *wanted = need(n * 4);
    fill(x, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run());
    for (size_t i = 0; i < n; i++) wanted[i] = 2 * x[i] + 1;
    guarded out = guarded_new(n * 4);
    expect_status(device, ww_map(device, &twice_ww, ww_memory(x, n), ww_array((uint32_t *)out.data, n)), WW_OK);
    expect_elements(out.data, wanted, n, 4);
    guarded_check(&out);

    /* In place, and as a chain. */
    memcpy(out.data, x, n * 4);
    expect_status(device,
                  ww_map(device, &twice_ww, ww_memory((uint32_t *)out.data, n), ww_array((uint32_t *)out.data, n)),
                  WW_OK);
    expect_elements(out.data, wanted, n, 4);
    expect_status(device,
                  ww_store(device, ww_mapped(&twice_ww, ww_mapped(&twice_ww, ww_memory(x, n))),
                           ww_array((uint32_t *)out.data, n)),
                  WW_OK);
    for (size_t i = 0; i < n; i++) wanted[i] = 2 * wanted[i] + 1;
    expect_elements(out.data, wanted, n, 4);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
    free(wanted);
}

static void check_map2(ww_device *device, const char *setting, size_t n) {
    CASE("map2", "%s n=%zu", setting, n);
    if (!case_wanted()) return;
    int32_t *a = need(n * 4), *b = need(n * 4), *wanted = need(n * 4);
    fill(a, &ww_type_int32_t, 4, n, UNIFORM, seed_of_run());
    fill(b, &ww_type_int32_t, 4, n, ADVERSARIAL, seed_of_run() + 1);
    for (size_t i = 0; i < n; i++) wanted[i] = a[i] > b[i] ? a[i] : b[i];
    guarded out = guarded_new(n * 4);
    expect_status(device,
                  ww_map2(device, &farther_ww, ww_memory(a, n), ww_memory(b, n), ww_array((int32_t *)out.data, n)),
                  WW_OK);
    expect_elements(out.data, wanted, n, 4);
    guarded_check(&out);
    guarded_free(&out);
    free(a);
    free(b);
    free(wanted);
}

static void maps(void **state) {
    (void)state;
    MAP_CASES(check_maps)
}

static void maps_of_two(void **state) {
    (void)state;
    MAP_CASES(check_map2)
}

/* Results of other sizes than the elements', environments, structs, records, counting and constant inputs. */
static void check_other_types(ww_device *device, const char *setting, size_t n) {
    CASE("map types", "%s n=%zu", setting, n);
    if (!case_wanted()) return;
    float *x = need(n * 4);
    fill(x, &ww_type_float, 4, n, UNIFORM, seed_of_run());
    const line l = {0.25, -3};
    guarded out = guarded_new(n * sizeof(triple));
    double *d = out.data;
    expect_status(device, ww_map(device, ww_with(on_line, &l), ww_memory(x, n), ww_array(d, n)), WW_OK);
    for (size_t i = 0; i < n; i++) {
        const volatile double product = l.slope * (double)x[i];
        expect(d[i] == product + l.offset);
    }
    uint8_t *bytes = out.data;
    expect_status(device, ww_map(device, &narrow_ww, ww_counting(&ww_type_uint64_t, 100, n), ww_array(bytes, n)),
                  WW_OK);
    for (size_t i = 0; i < n; i++) expect(bytes[i] == (uint8_t)((100 + i) >> 7));
    triple *t = out.data;
    expect_status(device,
                  ww_map(device, &tripled_ww, ww_counting(&ww_type_uint32_t, 0, n), ww_array_of(t, n, &triple_ww)),
                  WW_OK);
    for (size_t i = 0; i < n; i++) expect(t[i].a == i && t[i].c == i + 2);
    const triple one = {1, 2, 3};
    expect_status(device, ww_store(device, ww_constant(ww_value(triple, one), n), ww_array_of(t, n, &triple_ww)),
                  WW_OK);
    for (size_t i = 0; i < n; i++) expect(!memcmp(&t[i], &one, sizeof one));
    expect_status(device, ww_store(device, ww_record_memory(x, n / 3, 12), ww_records(t, n / 3, 12)), WW_OK);
    expect_elements(t, x, n / 3, 12);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
}

static void other_types(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        check_other_types(device, setting_name(s), 1000);
        check_other_types(device, setting_name(s), on_emulator() ? 10003 : 200003);
        ww_close(device);
    }
}

WW_STRUCT(page, { uint32_t word[1024]; });
WW_STRUCT(longer, { uint32_t word[1025]; });
WW_MAP(paged, page, uint32_t, x, void, none, {
    page p;
    for (uint32_t i = 0; i < 1024; i++) p.word[i] = x + i;
    return p;
});
WW_MAP(lengthened, longer, uint32_t, x, void, none, {
    longer p;
    for (uint32_t i = 0; i < 1025; i++) p.word[i] = x + i;
    return p;
});

/* Memory is stored whatever its elements' size is, where it lies too; what is computed, up to a GPU's limit. */
static void long_elements(void **state) {
    (void)state;
    enum { N = 37, RECORD = 65536 };
    unsigned char *x = need(N * RECORD + 1);
    fill(x, &ww_type_record, RECORD, N, UNIFORM, seed_of_run());
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("map long elements", "%s", setting_name(s));
        if (!case_wanted()) {
            ww_close(device);
            continue;
        }
        guarded out = guarded_new(N * RECORD);
        const ww_array records = ww_records(out.data, N, RECORD);
        expect_status(device, ww_store(device, ww_record_memory(x, N, RECORD), records), WW_OK);
        expect_elements(out.data, x, N, RECORD);
        expect_status(device, ww_store(device, ww_from(records), records), WW_OK);
        expect_elements(out.data, x, N, RECORD);
        const ww_input counted = ww_counting(&ww_type_uint32_t, 5, N);
        const page *pages = out.data;
        expect_status(device, ww_map(device, &paged_ww, counted, ww_array_of(out.data, N, &page_ww)), WW_OK);
        for (uint32_t i = 0; i < N * 1024; i++) expect(pages[i / 1024].word[i % 1024] == 5 + i / 1024 + i % 1024);
        expect_status(device, ww_map(device, &lengthened_ww, counted, ww_array_of(out.data, N, &longer_ww)),
                      on_gpu() ? WW_LIMIT : WW_OK);
        if (on_gpu()) expect_sentence(device, "4100", "4096");
        guarded_check(&out);
        guarded_free(&out);
        ww_close(device);
    }
    free(x);
}

static void launches(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const size_t sizes[] = {0, 1, 255, 4095, 4096, 100003, 1000000};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            CASE("launch", "%s n=%zu", setting_name(s), sizes[i]);
            if (!case_wanted() || (on_emulator() && sizes[i] > 4096)) continue;
            marks m = {need(4 * sizes[i]), sizes[i]};
            if (sizes[i]) memset(m.count, 0, 4 * sizes[i]);
            expect_status(device, ww_launch(device, ww_with(mark, &m), sizes[i]), WW_OK);
            for (size_t r = 0; r < sizes[i]; r++) expect(m.count[r] == r + 1);
            free(m.count);
        }
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[8] = {0}, y[8];
    int32_t z[8];
    expect_status(device, ww_map(device, NULL, ww_memory(x, 8), ww_array(y, 8)), WW_INVALID);
    expect_status(device, ww_map(device, &farther_ww, ww_memory(x, 8), ww_array(y, 8)), WW_TYPE);
    expect_status(device, ww_map(device, &twice_ww, ww_memory(z, 8), ww_array(y, 8)), WW_TYPE);
    expect_sentence(device, "twice takes elements of type u32", "i32");
    expect_status(device, ww_map(device, &twice_ww, ww_memory(x, 8), ww_array(z, 8)), WW_TYPE);
    expect_status(device, ww_map(device, &twice_ww, ww_memory(x, 8), ww_array(y, 7)), WW_INVALID);
    expect_status(device, ww_map(device, &twice_ww, ww_memory(x, 7), ww_array(x + 1, 7)), WW_OVERLAP);
    expect_status(device, ww_map2(device, &farther_ww, ww_memory(z, 8), ww_memory(z, 7), ww_array(z, 8)), WW_INVALID);
    ww_input deep = ww_memory(x, 8);
    for (int i = 0; i < WW_INPUT_STEPS; i++) deep = ww_mapped(&twice_ww, deep);
    expect_status(device, ww_store(device, deep, ww_array(y, 8)), WW_LIMIT);
    expect_status(device, ww_store(device, ww_counting(&ww_type_float, 0, 8), ww_array((float *)(void *)y, 8)),
                  WW_TYPE);
    expect_status(device, ww_launch(device, &twice_ww, 8), WW_TYPE);
    expect_status(device, ww_launch(device, &mark_ww, 8), WW_INVALID);
    expect_status(device, ww_map(device, &twice_ww, ww_memory((uint32_t *)(void *)((char *)x + 1), 4), ww_array(y, 4)),
                  WW_INVALID);
    expect_sentence(device, "aligned");
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),          cmocka_unit_test(maps_of_two), cmocka_unit_test(other_types),
        cmocka_unit_test(long_elements), cmocka_unit_test(launches),    cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
