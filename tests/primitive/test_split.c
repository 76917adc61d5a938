/* The two-way split by flags and by predicate, against a serial oracle: element sizes × counts × shares × methods.
 * */
#include "reference/split.h"
#include "support/cases.h"
#include "support/traced.h"

WW_STRUCT(triplet, { uint16_t a, b, c; });

#define INTEGERS(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t) X(ww_u128)
#define ODD(T) WW_MAP(odd_##T, T, T, x, void, none, { return (T)(x & 1); });
INTEGERS(ODD)
WW_MAP(at_least, bool, uint32_t, x, uint32_t, least, { return x >= *least; });
WW_MAP(rising, int16_t, triplet, t, void, none, { return t.a < t.b ? -7 : 0; });
WW_MAP(scrambled, uint32_t, uint32_t, x, void, none, { return x * 2654435761u; });
WW_MAP(bit_20, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x >> 20 & 1); });

static const char *const method_names[] = {"auto", "stable", "reversed", "scans"};

/* The share of the second side. */
typedef enum share { NONE, ALL, HALF, FEW_OF_THEM, MOST, STRETCHES, SHARES } share;
static const char *const share_names[] = {"none", "all", "half", "few", "most", "stretches"};

static void choose(uint8_t *flags, size_t n, share s, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&state);
        const bool second = s == ALL || (s == HALF && r & 1) || (s == FEW_OF_THEM && r % 100 == 0) ||
                            (s == MOST && r % 100 != 0) || (s == STRETCHES && i / 1000 % 2);
        flags[i] = (uint8_t)(second ? 1 + (r >> 32) % 255 : 0);
    }
}

static const struct {
    const ww_type *type;
    size_t size;
} elements[] = {
    {&ww_type_uint8_t, 1},   {&ww_type_uint16_t, 2},   {&ww_type_uint32_t, 4}, {&ww_type_uint64_t, 8},
    {&ww_type_double, 8},    {&ww_type_ww_u128, 16},   {&ww_type_record, 3},   {&ww_type_record, 12},
    {&ww_type_record, 24},   {&ww_type_record, 40},    {&ww_type_record, 100}, {&ww_type_record, 1000},
    {&ww_type_record, 5000}, {&ww_type_record, 20000},
};
enum { ELEMENTS = sizeof elements / sizeof *elements, EMULATED_MOST = 1 << 20 /* bytes */ };

static ww_input input_of(const void *x, size_t n, const ww_type *type, size_t size) {
    return type == &ww_type_record ? ww_record_memory(x, n, size) : ww_memory_of(x, n, type);
}
static ww_array array_of(void *x, size_t n, const ww_type *type, size_t size) {
    return type == &ww_type_record ? ww_records(x, n, size) : ww_array_of(x, n, type);
}

static void check(ww_device *device, const ww_type *type, size_t size, const void *x, const uint8_t *flags, size_t n,
                  const ww_function *second, ww_split_method method) {
    ww_split_options options = WW_SPLIT_OPTIONS;
    options.method = method;
    unsigned char *wanted = need(n * size);
    const size_t zeros = reference_split(wanted, x, flags, n, size, method == WW_SPLIT_REVERSED);
    guarded out = guarded_new(n * size);
    uint32_t zeros32 = 77;
    uint64_t zeros64 = 77;
    const ww_array count = n % 2 ? ww_array(&zeros32, 1) : ww_array(&zeros64, 1);
    const ww_input in = input_of(x, n, type, size);
    const ww_array to = array_of(out.data, n, type, size);
    const ww_split_options *given = method ? &options : NULL;
    expect_status(device,
                  second ? ww_split_if(device, second, in, to, count, given)
                         : ww_split(device, in, ww_memory(flags, n), to, count, given),
                  WW_OK);
    expect((n % 2 ? zeros32 : zeros64) == zeros);
    expect_elements(out.data, wanted, n, size);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted);
}

static void check_flags(ww_device *device, const char *setting, size_t e, size_t n, share s, ww_split_method method) {
    const size_t size = elements[e].size;
    CASE("split", "%s %s %zu n=%zu %s %s", setting, elements[e].type->label, size, n, share_names[s],
         method_names[method]);
    if (!case_wanted()) return;
    if (on_emulator() && n * size > EMULATED_MOST) return;
    uint8_t *x = need(n * size), *flags = need(n);
    fill(x, &ww_type_uint8_t, 1, n * size, UNIFORM, seed_of_run());
    choose(flags, n, s, seed_of_run() + n);
    check(device, elements[e].type, size, x, flags, n, NULL, method);
    free(x);
    free(flags);
}

static void by_flags(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < ELEMENTS; e++) {
            if (s >= setting_count_short() && e % 3) continue; /* other numbers of threads: every third */
            size_t sizes;
            const size_t *n = sizes_of(elements[e].size, &sizes);
            for (size_t i = 0; i < sizes; i++) {
                check_flags(device, setting_name(s), e, n[i], (share)(i % SHARES), WW_SPLIT_AUTO);
                check_flags(device, setting_name(s), e, n[i], i % 2 ? HALF : (share)(i / 2 % SHARES),
                            WW_SPLIT_REVERSED);
                check_flags(device, setting_name(s), e, n[i], HALF, i % 2 ? WW_SPLIT_STABLE : WW_SPLIT_SCANS);
            }
        }
        ww_close(device);
    }
}

/* Large outputs go past the caches. */
static void large_inputs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t e = 0; e < 10; e++) {
            const size_t n = size_large() * 4 / (elements[e].size + 3);
            check_flags(device, setting_name(s), e, n, (share)(HALF + e % 4), WW_SPLIT_AUTO);
            check_flags(device, setting_name(s), e, n, (share)(HALF + e % 4), WW_SPLIT_REVERSED);
        }
        check_flags(device, setting_name(s), 2, size_large(), HALF, WW_SPLIT_SCANS);
        ww_close(device);
    }
}

typedef bool plain_predicate(const void *element);
#define PLAIN_ODD(T) \
    static bool plain_odd_##T(const void *element) { return *(const unsigned char *)element & 1; }
INTEGERS(PLAIN_ODD)
static const uint32_t least = 1u << 30;
static bool plain_at_least(const void *element) { return *(const uint32_t *)element >= 1u << 30; }
static bool plain_rising(const void *element) {
    return ((const uint16_t *)element)[0] < ((const uint16_t *)element)[1];
}

static const struct {
    const ww_function *second;
    const ww_type *type;
    plain_predicate *plain;
    const void *environment;
} predicates[] = {
#define ODD_ROW(T) {&odd_##T##_ww, &ww_type_##T, plain_odd_##T, NULL},
    INTEGERS(ODD_ROW){&at_least_ww, &ww_type_uint32_t, plain_at_least, &least},
    {&rising_ww, &triplet_ww, plain_rising, NULL},
};

static void check_predicate(ww_device *device, const char *setting, size_t p, size_t n, shape sh,
                            ww_split_method method) {
    const ww_type *type = predicates[p].type;
    CASE("split_if", "%s %s n=%zu %s %s", setting, predicates[p].second->name, n, shape_name(sh), method_names[method]);
    if (!case_wanted()) return;
    unsigned char *x = need(n * type->size);
    uint8_t *flags = need(n);
    fill(x, type, type->size, n, sh, seed_of_run());
    for (size_t i = 0; i < n; i++) flags[i] = predicates[p].plain(x + i * type->size);
    const ww_function *const plain = predicates[p].second;
    const ww_function with = ww_bound(plain, predicates[p].environment, 1, plain->environment);
    check(device, type, type->size, x, flags, n, predicates[p].environment ? &with : plain, method);
    free(x);
    free(flags);
}

static void by_predicate(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t p = 0; p < sizeof predicates / sizeof *predicates; p++) {
            size_t sizes;
            const size_t *n = sizes_of(predicates[p].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_predicate(device, setting_name(s), p, n[i], (shape)(i % SHAPES), (ww_split_method)(i % 4));
        }
        if (s < setting_count_short())
            check_predicate(device, setting_name(s), 2, size_large(), UNIFORM, WW_SPLIT_AUTO);
        ww_close(device);
    }
}

/* Computed elements and flags. */
static void inputs_of_every_kind(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = on_emulator() ? 20003 : 200003;
        uint32_t *out = need(n * 4), *x = need(n * 4), *wanted = need(n * 4);
        uint8_t *flags = need(n);
        const ww_input numbers = ww_counting(&ww_type_uint32_t, 7, n), mixed = ww_mapped(&scrambled_ww, numbers);
        for (size_t i = 0; i < n; i++) {
            x[i] = (uint32_t)(7 + i) * 2654435761u;
            flags[i] = x[i] >> 20 & 1;
        }
        for (int method = WW_SPLIT_AUTO; method <= WW_SPLIT_SCANS; method++) {
            CASE("split inputs", "%s %s", setting_name(s), method_names[method]);
            if (!case_wanted()) continue;
            ww_split_options options = WW_SPLIT_OPTIONS;
            options.method = (ww_split_method)method;
            uint64_t zeros;
            const size_t wanted_zeros = reference_split(wanted, x, flags, n, 4, method == WW_SPLIT_REVERSED);
            expect_status(
                device,
                ww_split(device, mixed, ww_mapped(&bit_20_ww, mixed), ww_array(out, n), ww_array(&zeros, 1), &options),
                WW_OK);
            expect(zeros == wanted_zeros);
            expect_elements(out, wanted, n, 4);
            memset(out, 0, n * 4);
            expect_status(
                device, ww_split_if(device, &bit_20_ww, mixed, ww_array(out, n), ww_array(&zeros, 1), &options), WW_OK);
            expect(zeros == wanted_zeros);
            expect_elements(out, wanted, n, 4);
        }
        free(out);
        free(x);
        free(wanted);
        free(flags);
        ww_close(device);
    }
}

/* Which loops or kernels run. */
static void methods_run_their_own_code(void **state) {
    (void)state;
    for (int c = 2 * WW_SPLIT_STABLE; c < 2 * (WW_SPLIT_SCANS + 1); c++) {
        const int m = c / 2;
        const size_t n = c % 2 ? 100000 : 500; /* of one tile, or of several */
        CASE("split trace", "%s n=%zu", method_names[m], n);
        ww_device *device = traced_open();
        uint32_t *x = need(4 * n), *out = need(4 * n), zeros;
        char text[2048];
        memset(x, 1, 4 * n);
        ww_split_options options = WW_SPLIT_OPTIONS;
        options.method = (ww_split_method)m;
        traced t = traced_begin();
        const ww_status status = ww_split_if(device, &odd_uint32_t_ww, ww_memory(x, n), ww_array(out, n),
                                             ww_array(&zeros, 1), &options);
        traced_end(&t, text, sizeof text);
        expect_status(device, status, WW_OK);
        if (!on_gpu()) {
            char method[32];
            snprintf(method, sizeof method, "method=%s ", method_names[m]);
            expect(strstr(text, method) != NULL);
        } else if (m == WW_SPLIT_SCANS) {
            expect_launches(text, "mark_sides", "scan", "scan", "name_places", "scatter");
        } else if (m == WW_SPLIT_STABLE) {
            if (c % 2)
                expect_launches(text, "count", "split");
            else
                expect_launches(text, "split");
        } else {
            expect_launches(text, "split");
        }
        free(x);
        free(out);
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {1, 2, 3, 4}, out[4] = {9, 9, 9, 9}, zeros = 77;
    uint64_t wide[4] = {0};
    uint8_t flags[4] = {1, 0, 1, 0};
    int16_t narrow[1];
    const ww_input in = ww_memory(x, 4), f = ww_memory(flags, 4);
    const ww_array to = ww_array(out, 4), z = ww_array(&zeros, 1);
    const ww_split_options no_size = {0, WW_SPLIT_AUTO, 0}, no_method = {sizeof no_method, (ww_split_method)9, 0};
    const struct {
        ww_status wanted, got;
    } calls[] = {
        {WW_INVALID, ww_split(NULL, in, f, to, z, NULL)},
        {WW_INVALID, ww_split(device, ww_no_input, f, to, z, NULL)},
        {WW_INVALID, ww_split(device, in, ww_no_input, to, z, NULL)},
        {WW_INVALID, ww_split(device, in, f, ww_none, z, NULL)},
        {WW_INVALID, ww_split(device, in, f, to, ww_none, NULL)},
        {WW_INVALID, ww_split(device, ww_memory((uint32_t *)NULL, 4), f, to, z, NULL)},
        {WW_INVALID, ww_split(device, in, f, ww_array((uint32_t *)NULL, 4), z, NULL)},
        {WW_INVALID, ww_split(device, in, ww_memory(flags, 3), to, z, NULL)},
        {WW_INVALID, ww_split(device, in, f, ww_array(out, 3), z, NULL)},
        {WW_INVALID, ww_split(device, in, f, to, ww_array(&zeros, 2), NULL)},
        {WW_TYPE, ww_split(device, in, f, to, ww_array(narrow, 1), NULL)},
        {WW_TYPE, ww_split(device, in, ww_memory((float *)(void *)x, 4), to, z, NULL)},
        {WW_TYPE, ww_split(device, in, f, ww_array(wide, 4), z, NULL)},
        {WW_OVERLAP, ww_split(device, in, f, ww_array(x, 4), z, NULL)},
        {WW_OVERLAP, ww_split(device, in, f, to, ww_array(out + 1, 1), NULL)},
        {WW_OVERLAP, ww_split(device, in, f, to, ww_array(x + 1, 1), NULL)},
        {WW_OVERLAP, ww_split(device, ww_memory((uint8_t *)x, 4), f, ww_array(flags, 4), z, NULL)},
        {WW_INVALID, ww_split(device, in, f, to, z, &no_size)},
        {WW_INVALID, ww_split(device, in, f, to, z, &no_method)},
        {WW_INVALID, ww_split_if(device, NULL, in, to, z, NULL)},
        {WW_TYPE, ww_split_if(device, &odd_uint64_t_ww, in, to, z, NULL)},
        {WW_TYPE, ww_split_if(device, &ww_add, in, to, z, NULL)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        CASE("split refuses", "call %zu", i);
        expect_status(device, calls[i].got, calls[i].wanted);
    }
    expect(zeros == 77 && out[0] == 9);
    expect_status(device, ww_split(device, ww_memory(x, 0), ww_memory(flags, 0), ww_array(out, 0), z, NULL), WW_OK);
    expect(zeros == 0);
    ww_close(device);
}

static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound is the CPU's")) return;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = size_large();
        uint8_t *flags = need(n), *x = need(8 * n), *out = need(8 * n);
        choose(flags, n, HALF, seed_of_run());
        fill(x, &ww_type_uint8_t, 1, 8 * n, UNIFORM, seed_of_run());
        for (size_t size = 1; size <= 8; size *= 2)
            for (int method = WW_SPLIT_AUTO; method <= WW_SPLIT_REVERSED; method++) {
                ww_split_options options = WW_SPLIT_OPTIONS;
                options.method = (ww_split_method)method;
                ww_device_info info = WW_DEVICE_INFO;
                uint64_t zeros;
                expect_status(device, ww_scratch_trim(device), WW_OK);
                expect_status(device,
                              ww_split(device, ww_record_memory(x, n, size), ww_memory(flags, n),
                                       ww_records(out, n, size), ww_array(&zeros, 1), &options),
                              WW_OK);
                expect_status(device, ww_device_info_get(device, &info), WW_OK);
                const size_t bits = method == WW_SPLIT_REVERSED ? 0 : n / 8;
                expect(info.scratch_peak <= n / 256 * size + bits + info.threads * 65536);
            }
        free(flags);
        free(x);
        free(out);
        ww_close(device);
    }
}

/* The k-th request for memory fails, for every k. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it opens the CPU")) return;
    const size_t n = 300000;
    uint32_t *x = need(4 * n), *out = need(4 * n);
    fill(x, &ww_type_uint32_t, 4, n, UNIFORM, 1);
    for (int method = WW_SPLIT_STABLE; method <= WW_SPLIT_SCANS; method++) {
        size_t fail_at = 0;
        for (bool done = false; !done; fail_at++) {
            counting_allocator counter = {.fail_at = fail_at};
            ww_open_options options = WW_OPEN_OPTIONS;
            options.allocator = counting_allocator_use(&counter);
            ww_split_options split = WW_SPLIT_OPTIONS;
            split.method = (ww_split_method)method;
            ww_device *device;
            uint64_t zeros;
            ww_status status = ww_open_with("cpu:threads=2", &device, &options);
            if (!status)
                status = ww_split_if(device, &odd_uint32_t_ww, ww_memory(x, n), ww_array(out, n), ww_array(&zeros, 1),
                                     &split);
            expect(status == WW_OK || status == WW_MEMORY);
            done = counter.requests <= fail_at;
            ww_close(device);
            expect(counter.live_blocks == 0);
        }
        expect(fail_at > 2);
    }
    free(x);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_flags),      cmocka_unit_test(large_inputs),
        cmocka_unit_test(by_predicate),  cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(bad_arguments), cmocka_unit_test(scratch_bound),
        cmocka_unit_test(out_of_memory), cmocka_unit_test(methods_run_their_own_code),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
