/* Types by every word of C for them, and by names of the caller's own: a function of such a type does on each device what the plain
 * function does. */
#include <string.h>

#include "support/cases.h"

enum { N = 300 };

/* X(a name for the case, the type's words, its descriptor's type) */
#define EACH_TYPE(X) \
    X(bool, bool, uint8_t) \
    X(char, char, uint8_t) \
    X(signed_char, signed char, int8_t) \
    X(unsigned_char, unsigned char, uint8_t) \
    X(short, short, int16_t) \
    X(short_unsigned, short unsigned int, uint16_t) \
    X(int, int, int32_t) \
    X(signed, signed, int32_t) \
    X(unsigned, unsigned, uint32_t) \
    X(unsigned_int, unsigned int, uint32_t) \
    X(long, long, int64_t) \
    X(unsigned_long, unsigned long, uint64_t) \
    X(long_long, long long, int64_t) \
    X(unsigned_long_long, unsigned long long, uint64_t) \
    X(size_t, size_t, uint64_t) \
    X(ptrdiff_t, ptrdiff_t, int64_t) \
    X(intptr_t, intptr_t, int64_t) \
    X(uintptr_t, uintptr_t, uint64_t) \
    X(intmax_t, intmax_t, int64_t) \
    X(uint_fast8_t, uint_fast8_t, uint8_t) \
    X(int_least16_t, int_least16_t, int16_t) \
    X(uint_least32_t, uint_least32_t, uint32_t) \
    X(int_fast64_t, int_fast64_t, int64_t) \
    X(pixel, pixel, uint32_t) \
    X(length, length, float)

WW_TYPEDEF(pixel, unsigned int);
WW_TYPEDEF(length, float);

#define FUNCTIONS(name, T, of) \
    WW_MAP(next_##name, T, T, x, T, by, { \
        const T step = (T)(*by + *by); \
        return (T)(x + step); \
    }); \
    WW_COMBINE(sum_##name, T, a, b, WW_COMMUTES, WW_IDENTITY(0), { return (T)(a + b); });
EACH_TYPE(FUNCTIONS)

static ww_device *device;

/* A map's results, one by one, and their sum from the left: no sum of so few small numbers is rounded. */
#define CHECK(name, T, of) \
    static void check_##name(void) { \
        T x[N], out[N], sum = 0, expected = 0; \
        const T by = (T)1; \
        /* Read anew: clang holds that a name of one's own has an address of its own. */ \
        const ww_type *volatile type = &WW__TYPE(T); \
        expect(type == &ww_type_##of && sizeof(T) == ww_type_##of.size); \
        expect(next_##name##_ww.result == &ww_type_##of && sum_##name##_ww.first == &ww_type_##of); \
        for (size_t i = 0; i < N; i++) x[i] = (T)(i % 5); \
        const ww_input in = ww_mapped(ww_with(next_##name, &by), ww_memory(x, N)); \
        expect_status(device, ww_store(device, in, ww_array(out, N)), WW_OK); \
        expect_status(device, ww_reduce(device, &sum_##name##_ww, in, ww_array(&sum, 1)), WW_OK); \
        for (size_t i = 0; i < N; i++) { \
            const T y = next_##name(x[i], &by); \
            expect(!memcmp(&out[i], &y, sizeof y)); \
            expected = sum_##name(expected, y); \
        } \
        expect(!memcmp(&sum, &expected, sizeof sum)); \
    }
EACH_TYPE(CHECK)

#define LISTED(name, T, of) {#T, check_##name},
static const struct {
    const char *words;
    void (*check)(void);
} types[] = {EACH_TYPE(LISTED)};

static void all_words(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        device = setting_open(d);
        for (size_t t = 0; t < sizeof types / sizeof *types; t += on_gpu() ? 2 : 1) { /* each is two programs there */
            CASE("words", "%s %s", setting_name(d), types[t].words);
            if (case_wanted()) types[t].check();
        }
        ww_close(device);
    }
}

/* A name of the caller's in a struct, in a function that bodies call, and in a body. */
WW_STRUCT_USES((pixel), row, { pixel first, second; });
WW_FUNCTION(
    brighter, pixel, (pixel p), { return p + 7; }, pixel);
WW_MAP_USES((brighter), row_of, row, pixel, p, void, none, {
    row r;
    const pixel twice = p * 2;
    r.first = brighter(p);
    r.second = twice;
    return r;
});

static void own_names(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("words", "%s names of one's own", setting_name(d));
        if (!case_wanted()) continue;
        row rows[N];
        pixel pixels[N];
        device = setting_open(d);
        for (uint32_t i = 0; i < N; i++) pixels[i] = i * 1000;
        expect_status(device, ww_map(device, &row_of_ww, ww_memory(pixels, N), ww_array_of(rows, N, &row_ww)),
                      WW_OK);
        for (uint32_t i = 0; i < N; i++) expect(rows[i].first == i * 1000 + 7 && rows[i].second == i * 2000);
        expect(ww_value(pixel, 3).type == &ww_type_uint32_t && ww_value(unsigned int, 3).type == &ww_type_uint32_t);
        ww_close(device);
    }
}

/* The plain function in its object's place is a warning in C. */
typedef union mixed_up {
    float (*plain)(float x, const float *none);
    const ww_function *object;
} mixed_up;
WW_MAP(square, float, float, x, float, none, {
    (void)none;
    return x * x;
});
WW_KERNEL(nothing, float, a, rank, {
    (void)a;
    (void)rank;
});

static void plain_functions_are_refused(void **state) {
    (void)state;
    float x[4] = {1, 2, 3, 4}, out[4];
    const ww_input in = ww_memory(x, 4);
    const mixed_up mistake = {square};
    const ww_function *const f = mistake.object;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("words", "%s plain functions", setting_name(d));
        if (!case_wanted()) continue;
        device = setting_open(d);
        const ww_array to = ww_array(out, 4);
        const ww_status status[] = {
            ww_map(device, f, in, to),
            ww_reduce(device, f, in, ww_array(out, 1)),
            ww_sort_by(device, f, in, ww_no_input, to, ww_none, NULL),
            ww_store(device, ww_mapped(f, in), to),
            ww_store(device, ww_mapped2(f, in, in), to),
            ww_launch(device, f, 4),
            ww_multisplit(device, f, 4, in, ww_no_input, to, ww_none, ww_none, NULL),
        };
        for (size_t s = 0; s < sizeof status / sizeof *status; s++) expect(status[s] == WW_INVALID);
        expect_sentence(device, "&square_ww, and not square");
        expect_status(device, ww_map(device, ww_with(square, x), in, to), WW_OK);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_words), cmocka_unit_test(own_names),
                                       cmocka_unit_test(plain_functions_are_refused)};
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
