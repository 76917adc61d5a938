/* Enumerations of flags and differences of neighbours against serial loops. */
#include "support/cases.h"

static uint8_t *flags_of(size_t n, size_t distance, uint64_t seed) {
    uint8_t *flags = need(n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        flags[i] = distance && r % distance == 0 ? (uint8_t)(1 + (r >> 32) % 255) : 0;
    }
    return flags;
}

/* Distances between flags: all, every other, …, none. */
static const size_t distances[] = {1, 2, 3, 50, 0};

static void check_enumerate(ww_device *device, const char *setting, size_t n, size_t distance, bool wide,
                            size_t shift) {
    CASE("enumerate", "%s n=%zu flags=1/%zu %s shift=%zu", setting, n, distance, wide ? "u64" : "u32", shift);
    if (!case_wanted()) return;
    const size_t size = wide ? 8 : 4;
    uint8_t *flags = flags_of(n, distance, seed_of_run());
    unsigned char *wanted = need(n * size);
    uint64_t count = 0, total = 0;
    for (size_t i = 0; i < n; count += flags[i++] != 0)
        if (wide)
            ((uint64_t *)(void *)wanted)[i] = count;
        else
            ((uint32_t *)(void *)wanted)[i] = (uint32_t)count;
    guarded out = guarded_new((n + shift) * size);
    unsigned char *to = (unsigned char *)out.data + shift * size;
    expect_status(device,
                  ww_enumerate(device, ww_memory(flags, n),
                               ww_array_of(to, n, wide ? &ww_type_uint64_t : &ww_type_uint32_t), ww_array(&total, 1)),
                  WW_OK);
    expect_elements(to, wanted, n, size);
    expect(total == count);
    guarded_check(&out);
    guarded_free(&out);
    free(flags);
    free(wanted);
}

static void enumerations(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        size_t sizes, i;
        const size_t *n = sizes_of(4, &sizes);
        for (i = 0; i < sizes; i++)
            for (size_t d = 0; d < 5; d++)
                check_enumerate(device, setting_name(s), n[i], distances[d], (i + d) & 1, d == 3);
        check_enumerate(device, setting_name(s), size_large(), 2, s & 1, 0);
        check_enumerate(device, setting_name(s), size_large() - 7, 3, !(s & 1), 1);
        ww_close(device);
    }
}

WW_MAP(is_third, uint8_t, uint32_t, i, void, none, { return (uint8_t)(i % 3 == 0); });
static void mapped_flags(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 20001 : 400001;
    uint32_t *out = need(n * sizeof *out), total;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        size_t wrong = 0;
        expect_status(device,
                      ww_enumerate(device, ww_mapped(&is_third_ww, ww_counting(&ww_type_uint32_t, 0, n)),
                                   ww_array(out, n), ww_array(&total, 1)),
                      WW_OK);
        for (size_t i = 0; i < n; i++) wrong += out[i] != (i + 2) / 3;
        expect(wrong == 0 && total == (n + 2) / 3);
        ww_close(device);
    }
    free(out);
}

/* x[i] - x[i - 1], as each type's own arithmetic has it. */
#define DIFFERENCE(T, W) \
    static void differ_##T(void *out, const void *x, size_t n) { \
        const T *e = x; \
        T *o = out; \
        for (size_t i = 0; i < n; i++) o[i] = i ? (T)((W)e[i] - (W)e[i - 1]) : e[i]; \
    }
#define TYPES(X) \
    X(uint8_t, uint8_t) \
    X(uint16_t, uint16_t) \
    X(uint32_t, uint32_t) \
    X(uint64_t, uint64_t) \
    X(int8_t, uint8_t) \
    X(int16_t, uint16_t) X(int32_t, uint32_t) X(int64_t, uint64_t) X(ww_u128, ww_u128) X(float, float) \
        X(double, double)
TYPES(DIFFERENCE)
static const struct {
    const ww_type *type;
    void (*differ)(void *, const void *, size_t);
} types[] = {
#define ROW(T, W) {&ww_type_##T, differ_##T},
    TYPES(ROW)};

static void check_difference(ww_device *device, const char *setting, size_t t, size_t n, shape sh) {
    const ww_type *type = types[t].type;
    CASE("adjacent_difference", "%s %s n=%zu %s", setting, type->label, n, shape_name(sh));
    if (!case_wanted()) return;
    unsigned char *x = need(n * type->size), *wanted = need(n * type->size);
    fill(x, type, type->size, n, sh, seed_of_run());
    types[t].differ(wanted, x, n);
    guarded out = guarded_new(n * type->size);
    expect_status(device, ww_adjacent_difference(device, ww_memory_of(x, n, type), ww_array_of(out.data, n, type)),
                  WW_OK);
    expect_elements(out.data, wanted, n, type->size);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
    free(wanted);
}

static void differences(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            size_t sizes;
            const size_t *n = sizes_of(types[t].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_difference(device, setting_name(s), t, n[i], (shape)((i + t) % ADVERSARIAL));
        }
        check_difference(device, setting_name(s), 2, size_large(), UNIFORM);
        ww_close(device);
    }
}

static void differences_of_mapped_inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 20001 : 300001;
    uint64_t *out = need(n * sizeof *out);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        size_t wrong = 0;
        expect_status(device, ww_adjacent_difference(device, ww_counting(&ww_type_uint64_t, 9, n), ww_array(out, n)),
                      WW_OK);
        for (size_t i = 0; i < n; i++) wrong += out[i] != (i ? 1 : 9);
        expect(wrong == 0);
        ww_close(device);
    }
    free(out);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    _Alignas(uint32_t) uint8_t flags[8] = {1, 0, 1};
    uint32_t out[8] = {77, 77}, total = 77;
    uint16_t narrow[8];
    expect_status(NULL, ww_enumerate(NULL, ww_memory(flags, 8), ww_array(out, 8), ww_none), WW_INVALID);
    expect_status(device, ww_enumerate(device, ww_memory(flags, 8), ww_array(out, 7), ww_none), WW_INVALID);
    expect_sentence(device, "flags has 8 elements, out 7");
    expect_status(device, ww_enumerate(device, ww_memory(flags, 8), ww_array(narrow, 8), ww_none), WW_TYPE);
    const float floats[8] = {1};
    expect_status(device, ww_enumerate(device, ww_memory(floats, 8), ww_array(out, 8), ww_none), WW_TYPE);
    expect_status(device, ww_enumerate(device, ww_memory(out, 8), ww_array(out, 8), ww_none), WW_OVERLAP);
    expect_status(device, ww_enumerate(device, ww_memory(flags, 8), ww_array((uint32_t *)flags, 8), ww_none),
                  WW_OVERLAP);
    expect_status(device, ww_enumerate(device, ww_memory(flags, 8), ww_array(out, 8), ww_array(out + 7, 1)),
                  WW_OVERLAP);
    expect_status(device, ww_enumerate(device, ww_memory(flags, 8), ww_array(out, 8), ww_array(out, 2)), WW_INVALID);
    /* A count that u32 does not hold. */
    expect_status(device,
                  ww_enumerate(device, ww_constant(ww_value(uint8_t, *flags), UINT64_C(1) << 33),
                               ww_array_of(out, UINT64_C(1) << 33, &ww_type_uint32_t), ww_none),
                  WW_TYPE);
    expect_sentence(device, "8589934591");
    expect(out[0] == 77 && flags[0] == 1);
    expect_status(device, ww_enumerate(device, ww_memory(flags, 0), ww_array(out, 0), ww_array(&total, 1)), WW_OK);
    expect(total == 0);
    expect_status(device, ww_adjacent_difference(device, ww_memory(out, 8), ww_array(out, 8)), WW_OVERLAP);
    expect_status(device, ww_adjacent_difference(device, ww_memory(out, 8), ww_array(narrow, 8)), WW_TYPE);
    expect_status(device, ww_adjacent_difference(device, ww_memory(out, 8), ww_none), WW_INVALID);
    expect_status(device, ww_adjacent_difference(device, ww_record_memory(flags, 2, 3), ww_records(out, 2, 3)),
                  WW_TYPE);
    ww_close(device);
}

/* One flag, counted in the host's own memory. */
static void one_flag(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    CASE("enumerate", "one flag");
    const uint8_t set = 9;
    uint32_t out = 77, total = 77;
    expect_status(device,
                  ww_enumerate(device, ww_constant(ww_value(uint8_t, set), 1), ww_array(&out, 1), ww_array(&total, 1)),
                  WW_OK);
    expect(out == 0 && total == 1);
    ww_close(device);
}

/* 64 KiB a thread. */
static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    ww_device *device = setting_open(0);
    const size_t n = size_large();
    uint8_t *flags = flags_of(n, 2, seed_of_run());
    uint64_t *out = need(n * sizeof *out), *differences_out = need(n * sizeof *out);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_enumerate(device, ww_memory(flags, n), ww_array(out, n), ww_none), WW_OK);
    expect_status(device, ww_adjacent_difference(device, ww_memory(out, n), ww_array(differences_out, n)), WW_OK);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= 65536 + info.threads * 65536);
    free(flags);
    free(out);
    free(differences_out);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumerations),  cmocka_unit_test(mapped_flags),
        cmocka_unit_test(differences),   cmocka_unit_test(differences_of_mapped_inputs),
        cmocka_unit_test(one_flag),      cmocka_unit_test(bad_arguments),
        cmocka_unit_test(scratch_bound),
    };
    return cmocka_run_group_tests_name("enumerate", tests, NULL, NULL);
}
