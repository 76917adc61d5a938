/* Types by every word of C for them, and by names of the caller's own: a function of such a type does on each device what the plain
 * function does. */
#include <math.h>
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

/* ---- warps ---- */

enum { RANKS = 320 }; /* ten warps */

WW_STRUCT(warp_words, {
    uint32_t *lanes;
    uint32_t *odd;
    uint32_t *from;
    uint64_t *from64;
    float *from_float;
    double *from_double;
    float *root;
});
WW_FUNCTION(of_next, uint32_t, (uint32_t rank, uint32_t lane), { return ww_u32_of_lane(rank, lane + 3); });
WW_KERNEL_USES((of_next), say_words, warp_words, a, rank, {
    const uint32_t lane = (uint32_t)(rank % WW_WARP);
    a->lanes[rank] = WW_WARP;
    a->odd[rank] = ww_ballot(rank % 3 == 1);
    a->from[rank] = of_next((uint32_t)rank, lane);
    a->from64[rank] = ww_u64_of_lane(rank << 40 | 5, lane ^ 1);
    a->from_float[rank] = ww_float_of_lane((float)rank + 0.5f, lane + 31);
    a->from_double[rank] = ww_double_of_lane((double)rank + 1e-9, lane / 2);
    a->root[rank] = ww_rsqrt((float)(rank + 1) * 1e-6f);
});

static void warps(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("words", "%s warps", setting_name(d));
        if (!case_wanted()) continue;
        static uint32_t u32[3][RANKS];
        static uint64_t u64[RANKS];
        static float f32[2][RANKS];
        static double f64[RANKS];
        void *block;
        device = setting_open(d);
        expect_status(device, ww_alloc(device, RANKS * 40, &block), WW_OK);
        uint64_t *const wide = block;
        double *const doubles = (double *)(wide + RANKS);
        uint32_t *const words = (uint32_t *)(doubles + RANKS);
        float *const floats = (float *)(words + 3 * RANKS);
        const warp_words a = {words, words + RANKS, words + 2 * RANKS, wide, floats, doubles, floats + RANKS};
        expect_status(device, ww_launch(device, ww_with(say_words, &a), RANKS), WW_OK);
        for (size_t k = 0; k < 3; k++)
            ww_copy(device, ww_memory(words + k * RANKS, RANKS), ww_array(u32[k], RANKS));
        for (size_t k = 0; k < 2; k++)
            ww_copy(device, ww_memory(floats + k * RANKS, RANKS), ww_array(f32[k], RANKS));
        ww_copy(device, ww_memory(wide, RANKS), ww_array(u64, RANKS));
        ww_copy(device, ww_memory(doubles, RANKS), ww_array(f64, RANKS));
        expect_status(device, ww_sync(device), WW_OK);
        const uint32_t many = on_gpu() ? 32 : 1;
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            const uint32_t lane = rank % many, first = rank - lane;
            uint32_t bits = 0;
            for (uint32_t l = 0; l < many; l++) bits |= (first + l) % 3 == 1 ? 1u << l : 0;
            expect(u32[0][rank] == many && u32[1][rank] == bits && u32[2][rank] == first + (lane + 3) % many);
            expect(u64[rank] == ((uint64_t)(first + (lane ^ 1) % many) << 40 | 5));
            expect(f32[0][rank] == (float)(first + (lane + 31) % many) + 0.5f);
            expect(f64[rank] == (double)(first + lane / 2) + 1e-9);
            const double root = 1 / sqrt((double)((float)(rank + 1) * 1e-6f));
            expect(fabs(f32[1][rank] - root) <= 0x1p-22 * root);
        }
        ww_free(device, block);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_words), cmocka_unit_test(own_names),
                                       cmocka_unit_test(plain_functions_are_refused), cmocka_unit_test(warps)};
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
