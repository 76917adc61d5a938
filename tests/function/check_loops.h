/* Checks of every loop of every macro of function.h, for all vector widths of this machine, against plain C that does not
 * use them. This file is compiled several times, as C and C++ and with flags that callers may have; CHECK_LOOPS is the name
 * of the function that it makes. That returns NULL, or what went wrong. All checks take 13 seconds to compile; CHECK_FEW
 * keeps to those that flags and languages can make a difference to: floats, and an element of each kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpwise/function.h"

enum { MOST = 2085 };
static const size_t counts[] = {1,  2,  3,   7,   8,   15,  16,  17,  31,  32,  33,   63,   64,
                                65, 99, 127, 128, 129, 255, 256, 257, 511, 512, 1000, 1024, MOST};
enum { COUNTS = sizeof counts / sizeof *counts };

static const char *width_name;
static char said[512];
static const char *failed(int line, const char *function, const char *what, size_t n) {
    snprintf(said, sizeof said, "check_loops.h:%d: %s, %s loops, n=%zu: not true: %s", line, function, width_name, n,
             what);
    return said;
}
#define EXPECT(function, n, condition) \
    do { \
        if (!(condition)) return failed(__LINE__, function, #condition, n); \
    } while (0)
#define TRY(call) \
    do { \
        const char *const wrong = call; \
        if (wrong) return wrong; \
    } while (0)

static uint64_t random_state = 1;
static uint64_t draw(void) { /* splitmix64 */
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static float draw_float(void) { return 1.0f + (float)(draw() >> 41) / 8388608.0f; }
static double draw_double(void) { return 1.0 + (double)(draw() >> 12) / 4503599627370496.0; }

/* ---- WW_CONSTANT, WW_FUNCTION, WW_STRUCT and the forms that list them ---- */

WW_CONSTANT(PRIME, uint32_t, 2654435761u);
WW_FUNCTION(
    mix, uint32_t, (uint32_t x), { return x * PRIME; }, PRIME);
WW_FUNCTION(fold_down, uint32_t, (uint32_t x, int by), { return x ^ (x >> by); });
WW_FUNCTION(
    mix_twice, uint32_t, (uint32_t x), { return fold_down(mix(fold_down(x, 16)), 13); }, mix, fold_down);
WW_STRUCT(line, { float slope, offset; });
WW_STRUCT_USES((line), two_lines, {
    line first;
    line second;
});

/* ---- WW_MAP and WW_MAP2 ---- */

WW_MAP_USES((mix_twice), mixed, uint32_t, uint32_t, x, void, none, { return mix_twice(x) >> 24; });
static uint32_t plain_mixed(uint32_t x, const void *environment) {
    (void)environment;
    x ^= x >> 16;
    x *= 2654435761u;
    x ^= x >> 13;
    return x >> 24;
}

/* The product of these is rounded before the sum: a fused operation would give another result. */
WW_MAP(on_line, float, float, x, line, l, { return l->slope * x + l->offset; });
static float plain_on_line(float x, const void *environment) {
    const line *l = (const line *)environment;
    const volatile float product = l->slope * x;
    return product + l->offset;
}
WW_MAP_USES((two_lines), on_two_lines, double, double, x, two_lines, l, {
    const double first = l->first.slope * x - 1.0;
    return first * x + l->second.offset;
});
static double plain_on_two_lines(double x, const void *environment) {
    const two_lines *l = (const two_lines *)environment;
    const volatile double product = l->first.slope * x;
    const volatile double first = product - 1.0;
    const volatile double second = first * x;
    return second + l->second.offset;
}

WW_STRUCT(halves, { uint32_t low, high; });
WW_MAP(split_up, halves, uint64_t, x, void, none, {
    halves h = {(uint32_t)x, (uint32_t)(x >> 32)};
    return h;
});
static halves plain_split_up(uint64_t x, const void *environment) {
    (void)environment;
    halves h = {(uint32_t)x, (uint32_t)(x >> 32)};
    return h;
}
WW_MAP(put_together, uint64_t, halves, h, void, none, { return ((uint64_t)h.high << 32) + h.low; });
static uint64_t plain_put_together(halves h, const void *environment) {
    (void)environment;
    return ((uint64_t)h.high << 32) | h.low;
}

/* Two to four words of one size each. */
WW_STRUCT(three_words, { uint32_t a, b, c; });
WW_STRUCT(four_words, { int32_t a, b, c, d; });
WW_STRUCT(two_long, { uint64_t a, b; });
WW_STRUCT(three_long, { uint64_t a, b, c; });
WW_STRUCT(four_long, { int64_t a, b, c, d; });
#define WORDS_MAP(name, made, type, ...) \
    WW_MAP(name, made, type, x, void, none, { return __VA_ARGS__; }); \
    static made plain_##name(type x, const void *environment) { \
        (void)environment; \
        return __VA_ARGS__; \
    }
WORDS_MAP(of_three, int16_t, three_words, (int16_t)(x.a + 3 * x.b - 7 * x.c))
WORDS_MAP(of_four, float, four_words, (float)x.a + (float)x.b - (float)x.c + (float)(x.d / 2))
WORDS_MAP(of_two_long, uint8_t, two_long, (uint8_t)(x.a ^ x.b >> 9))
WORDS_MAP(of_three_long, int64_t, three_long, (int64_t)(x.a ^ (x.b << 1) ^ (x.c << 2)))
WORDS_MAP(of_four_long, int32_t, four_long, (int32_t)(x.a ^ x.b) - (int32_t)(x.c & 0xffff) + (x.d > 0))

WW_MAP(is_odd, bool, uint16_t, x, void, none, { return x & 1; });
static bool plain_is_odd(uint16_t x, const void *environment) {
    (void)environment;
    return x % 2 == 1;
}

WW_MAP2(weighted, double, double, x, uint8_t, weight, line, l, { return x * weight + (double)l->offset; });
static double plain_weighted(double x, uint8_t weight, const void *environment) {
    const volatile double product = x * weight;
    return product + (double)((const line *)environment)->offset;
}
WW_MAP2_USES((mix), hash_both, uint32_t, uint32_t, a, uint64_t, b, void, none, { return mix(a) ^ (uint32_t)b; });
static uint32_t plain_hash_both(uint32_t a, uint64_t b, const void *environment) {
    (void)environment;
    return (a * 2654435761u) ^ (uint32_t)b;
}

/* A result as the mask and the number loops should see it. */
static uint32_t number_of(long double x) { return x >= 0 && x < 4294967295.0L ? (uint32_t)x : UINT32_MAX; }

#define CHECK_MAP_LOOP(function, made, n, wanted_element, environment) \
    do { \
        for (size_t i = 0; i < n; i++) wanted[i] = wanted_element; \
        memset(out, 0x5a, sizeof out); \
        loops->map(out, a, b, environment, n); \
        EXPECT(#function, n, !memcmp(out, wanted, n * sizeof(made))); \
        const unsigned char *behind = (const unsigned char *)(out + n); \
        for (size_t i = 0; n < MOST && i < sizeof(made); i++) EXPECT(#function, n, behind[i] == 0x5a); \
    } while (0)
#define CHECK_NUMBER_LOOPS(function, n, environment) \
    do { \
        static uint8_t mask[MOST + 1]; \
        static uint32_t number[MOST + 1]; \
        mask[n] = 77; \
        number[n] = 77; \
        loops->mask(mask, a, b, environment, n); \
        loops->number(number, a, b, environment, n); \
        for (size_t i = 0; i < n; i++) { \
            EXPECT(#function, n, mask[i] == (wanted[i] != 0)); \
            EXPECT(#function, n, number[i] == number_of((long double)wanted[i])); \
        } \
        EXPECT(#function, n, mask[n] == 77 && number[n] == 77); \
        EXPECT(#function, n, !IS_INTEGER(*wanted) || SAME_SUM(loops->sum(a, b, environment, n), n)); \
    } while (0)
/* Sums are right in as many bits as an element has. */
#define IS_INTEGER(x) (sizeof(x) <= 8 && (__typeof__(x))1.5f == 1)
#define SAME_SUM(made, n) (((made)-sum_of(n, wanted)) << (64 - 8 * (sizeof *wanted <= 8 ? sizeof *wanted : 1)) == 0)
#define sum_of(n, x) \
    (__extension__({ \
        uint64_t sum = 0; \
        for (size_t i = 0; IS_INTEGER(*(x)) && i < n; i++) sum += (uint64_t)(x)[i]; \
        sum; \
    }))
/* A struct's `many` members, words, from arrays of their own. */
#define CHECK_ZIPPED(function, word, many, n, environment) \
    do { \
        static word column[many][MOST]; \
        const void *members[many]; \
        for (size_t k = 0; k < many; k++) { \
            members[k] = column[k]; \
            for (size_t i = 0; i < n; i++) \
                memcpy(&column[k][i], (const char *)&a[i] + k * sizeof(word), sizeof(word)); \
        } \
        memset(out, 0x5a, sizeof out); \
        loops->zipped(out, members, sizeof(word), environment, n); \
        EXPECT(#function, n, !memcmp(out, wanted, n * sizeof *out)); \
        const unsigned char *after = (const unsigned char *)(out + n); \
        for (size_t i = 0; n < MOST && i < sizeof *out; i++) EXPECT(#function, n, after[i] == 0x5a); \
        EXPECT(#function, n, \
               !IS_INTEGER(*wanted) || SAME_SUM(loops->zipped_sum(members, sizeof(word), environment, n), n)); \
    } while (0)

/* numbers: whether the result is one. */
#define CHECK_MAP(function, made, type, make, environment, ...) \
    static const char *check_##function(int width) { \
        static type a[MOST]; \
        static made wanted[MOST], out[MOST]; \
        const void *const b = NULL; \
        const ww_map_loops *loops = (const ww_map_loops *)function##_ww.loops[width]; \
        EXPECT(#function, 0, function##_ww.role == WW_ROLE_MAP && function##_ww.version == WW_FUNCTION_VERSION); \
        EXPECT(#function, 0, !strcmp(function##_ww.name, #function) && function##_ww.line > 0); \
        EXPECT(#function, 0, function##_ww.result->size == sizeof(made) && function##_ww.first->size == sizeof(type)); \
        for (size_t c = 0; c < COUNTS; c++) { \
            const size_t n = counts[c]; \
            for (size_t i = 0; i < n; i++) a[i] = make; \
            CHECK_MAP_LOOP(function, made, n, plain_##function(a[i], environment), environment); \
            for (size_t i = 0; i < n && i < 64; i++) { \
                const made called = function(a[i], environment); \
                EXPECT(#function, n, !memcmp(&called, &wanted[i], sizeof called)); \
            } \
            __VA_ARGS__; \
        } \
        return NULL; \
    }
#define CHECK_MAP2(function, made, type_a, make_a, type_b, make_b, environment) \
    static const char *check_##function(int width) { \
        static type_a a[MOST]; \
        static type_b b[MOST]; \
        static made wanted[MOST], out[MOST]; \
        const ww_map_loops *loops = (const ww_map_loops *)function##_ww.loops[width]; \
        EXPECT(#function, 0, function##_ww.role == WW_ROLE_MAP2); \
        EXPECT(#function, 0, \
               function##_ww.first->size == sizeof(type_a) && function##_ww.second->size == sizeof(type_b)); \
        for (size_t c = 0; c < COUNTS; c++) { \
            const size_t n = counts[c]; \
            for (size_t i = 0; i < n; i++) a[i] = make_a, b[i] = make_b; \
            CHECK_MAP_LOOP(function, made, n, plain_##function(a[i], b[i], environment), environment); \
            for (size_t i = 0; i < n && i < 64; i++) { \
                const made called = function(a[i], b[i], environment); \
                EXPECT(#function, n, !memcmp(&called, &wanted[i], sizeof called)); \
            } \
            CHECK_NUMBER_LOOPS(function, n, environment); \
        } \
        return NULL; \
    }

static const line a_line = {1.000244140625f, -1.00048828125f}; /* 1 + 2^-12 and -(1 + 2^-11) */
static const two_lines both_lines = {{1.1f, 0}, {0, -0.3f}};
static halves draw_halves(void) {
    halves h = {(uint32_t)draw(), (uint32_t)draw()};
    return h;
}
CHECK_MAP(mixed, uint32_t, uint32_t, (uint32_t)draw(), NULL, CHECK_NUMBER_LOOPS(mixed, n, NULL))
CHECK_MAP(on_line, float, float, i % 2 ? a_line.slope : draw_float(), &a_line, CHECK_NUMBER_LOOPS(on_line, n, &a_line))
CHECK_MAP(on_two_lines, double, double, draw_double(), &both_lines, CHECK_NUMBER_LOOPS(on_two_lines, n, &both_lines))
CHECK_MAP(split_up, halves, uint64_t, draw(), NULL, )
CHECK_MAP(put_together, uint64_t, halves, draw_halves(), NULL, CHECK_NUMBER_LOOPS(put_together, n, NULL);
          CHECK_ZIPPED(put_together, uint32_t, 2, n, NULL))
#define CHECK_WORDS(function, made, type, word, many) \
    static type draw_##type(void) { \
        type x; \
        word *const w = (word *)&x; \
        for (int k = 0; k < many; k++) w[k] = (word)draw(); \
        return x; \
    } \
    CHECK_MAP(function, made, type, draw_##type(), NULL, CHECK_NUMBER_LOOPS(function, n, NULL); \
              CHECK_ZIPPED(function, word, many, n, NULL))
CHECK_WORDS(of_three, int16_t, three_words, uint32_t, 3)
CHECK_WORDS(of_four, float, four_words, int32_t, 4)
CHECK_WORDS(of_two_long, uint8_t, two_long, uint64_t, 2)
CHECK_WORDS(of_three_long, int64_t, three_long, uint64_t, 3)
CHECK_WORDS(of_four_long, int32_t, four_long, int64_t, 4)
CHECK_MAP(is_odd, bool, uint16_t, (uint16_t)draw(), NULL, CHECK_NUMBER_LOOPS(is_odd, n, NULL))
CHECK_MAP2(weighted, double, double, draw_double(), uint8_t, (uint8_t)draw(), &a_line)
CHECK_MAP2(hash_both, uint32_t, uint32_t, (uint32_t)draw(), uint64_t, draw(), NULL)

/* Masks and numbers of every type, at its ends. */
static double odd_real(void) {
    static const double ends[] = {0.0,          -0.0,         0.5,          -0.5,  1,      -1,    254.9,
                                  4294967294.0, 4294967295.0, 4294967296.0, 1e300, -1e300, 5e-324};
    const uint64_t r = draw();
    if (r % 7 == 0) return __builtin_inf();
    if (r % 7 == 1) return -__builtin_inf();
    if (r % 7 == 2) return __builtin_nan("");
    return ends[r / 7 % (sizeof ends / sizeof *ends)];
}
#define CHECK_SAME(label, type, make) \
    WW_MAP(same_##label, type, type, x, void, none, { return x; }); \
    static type plain_same_##label(type x, const void *environment) { \
        (void)environment; \
        return x; \
    } \
    CHECK_MAP(same_##label, type, type, make, NULL, CHECK_NUMBER_LOOPS(same_##label, n, NULL))
CHECK_SAME(f32, float, (float)odd_real())
CHECK_SAME(f64, double, odd_real())
#if !defined(CHECK_FEW) || defined(__cplusplus) /* which tells the types apart by other means */
static uint64_t odd_bits(void) {
    static const uint64_t ends[] = {0,
                                    1,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0xfffffffe,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xffffffffffffffff};
    return draw() % 4 ? ends[draw() % (sizeof ends / sizeof *ends)] : draw();
}
CHECK_SAME(u8, uint8_t, (uint8_t)odd_bits())
CHECK_SAME(u16, uint16_t, (uint16_t)odd_bits())
CHECK_SAME(u32, uint32_t, (uint32_t)odd_bits())
CHECK_SAME(u64, uint64_t, odd_bits())
CHECK_SAME(i8, int8_t, (int8_t)odd_bits())
CHECK_SAME(i16, int16_t, (int16_t)odd_bits())
CHECK_SAME(i32, int32_t, (int32_t)odd_bits())
CHECK_SAME(i64, int64_t, (int64_t)odd_bits())
#if WW_HAS_U128
CHECK_SAME(u128, ww_u128, ((ww_u128)(draw() % 2 * odd_bits()) << 64) + odd_bits())
CHECK_SAME(i128, ww_i128, (ww_i128)(((ww_u128)(draw() % 2 * odd_bits()) << 64) + odd_bits()))
#endif
#endif

/* ---- WW_COMBINE ---- */

/* What loops get, and how the function itself is called. */
#define ENVIRONMENT NULL
#define APPLIED(function, a, b) function(a, b)

/* The lanes of a fold, from docs/determinism.md. */
static size_t lanes_of(size_t size) {
    static const size_t upto[] = {1, 2, 4, 8, 16, 32};
    size_t lanes = 128;
    for (int s = 0; s < 6 && size > upto[s]; s++) lanes /= 2;
    return lanes;
}

#define CHECK_COMBINE(function, type, make, how) \
    static type fold_##function(const type *x, size_t n) { \
        size_t i = 1; \
        type c = x[0]; \
        if (n >= 16) { \
            const size_t run = n / 8; \
            for (size_t r = 0; r < 8; r++) { \
                type s = x[r * run]; \
                for (size_t k = 1; k < run; k++) s = plain_##function(s, x[r * run + k]); \
                c = r ? plain_##function(c, s) : s; \
            } \
            i = 8 * run; \
        } \
        for (; i < n; i++) c = plain_##function(c, x[i]); \
        return c; \
    } \
    static type fold_by_lanes_##function(const type *x, size_t n) { \
        const size_t lanes = lanes_of(sizeof(type)); \
        type lane[128]; \
        if (n < lanes) { \
            type c = x[0]; \
            for (size_t i = 1; i < n; i++) c = plain_##function(c, x[i]); \
            return c; \
        } \
        for (size_t l = 0; l < lanes; l++) lane[l] = x[l]; \
        for (size_t i = lanes; i < n; i++) lane[i % lanes] = plain_##function(lane[i % lanes], x[i]); \
        for (size_t w = lanes / 2; w; w /= 2) \
            for (size_t l = 0; l < w; l++) lane[l] = plain_##function(lane[l], lane[l + w]); \
        return lane[0]; \
    } \
    static void scan_##function(type *out, const type *x, type c, size_t n) { \
        const size_t run = n >= 16 ? n / 8 : 0; \
        type so_far = x[0]; \
        for (size_t r = 0; run && r < 8; r++) { \
            const type before = r ? plain_##function(c, so_far) : c; \
            type s = x[r * run]; \
            for (size_t k = 0; k < run; k++) { \
                if (k) s = plain_##function(s, x[r * run + k]); \
                out[r * run + k] = plain_##function(before, s); \
            } \
            so_far = r ? plain_##function(so_far, s) : s; \
        } \
        for (size_t i = 8 * run; i < n; i++) { \
            if (i) so_far = plain_##function(so_far, x[i]); \
            out[i] = plain_##function(c, so_far); \
        } \
    } \
    static const char *check_##function(int width) { \
        static type x[MOST], y[MOST], wanted[MOST], out[MOST + 1]; \
        static uint8_t heads[MOST]; \
        const ww_combine_loops *loops = (const ww_combine_loops *)function##_ww.loops[width]; \
        EXPECT(#function, 0, function##_ww.role == WW_ROLE_COMBINE && function##_ww.flags == how); \
        for (size_t t = 0; t < COUNTS; t++) { \
            const size_t n = counts[t]; \
            for (size_t i = 0; i < n; i++) { \
                x[i] = make; \
                y[i] = make; \
                heads[i] = (uint8_t)(draw() % 8 ? 0 : draw() % 3); \
            } \
            const type start = make, initial = make; \
            type carry = start, got, total; \
            const type identity = *(const type *)function##_ww.identity; \
            (void)identity; \
            /* folds */ \
            loops->fold_ordered(&got, x, n, ENVIRONMENT); \
            total = fold_##function(x, n); \
            EXPECT(#function, n, !memcmp(&got, &total, sizeof got)); \
            loops->fold_interleaved(&got, x, n, ENVIRONMENT); \
            total = fold_by_lanes_##function(x, n); \
            EXPECT(#function, n, !memcmp(&got, &total, sizeof got)); \
            /* scans */ \
            memset(out, 0x5a, sizeof out); \
            loops->scan_inclusive(out, x, &carry, n, NULL, ENVIRONMENT); \
            scan_##function(wanted, x, start, n); \
            EXPECT(#function, n, !memcmp(out, wanted, n * sizeof(type))); \
            EXPECT(#function, n, ((unsigned char *)&out[n])[0] == 0x5a); \
            total = plain_##function(start, fold_##function(x, n)); \
            EXPECT(#function, n, !memcmp(&carry, &total, sizeof carry)); \
            carry = start; \
            memset(out, 0x5a, sizeof out); \
            loops->scan_exclusive(out, x, &carry, n, y, ENVIRONMENT); \
            EXPECT(#function, n, !memcmp(&carry, &total, sizeof carry)); \
            EXPECT(#function, n, !memcmp(out, &start, sizeof start)); \
            EXPECT(#function, n, !memcmp(out + 1, wanted, (n - 1) * sizeof(type))); \
            EXPECT(#function, n, ((unsigned char *)&out[n])[0] == 0x5a); \
            /* alone: what the carry was added to */ \
            memset(out, 0x5a, sizeof out); \
            loops->scan_alone(out, x, n, y, ENVIRONMENT); \
            EXPECT(#function, n, ((unsigned char *)&out[n])[0] == 0x5a); \
            const size_t run = n < 16 ? 0 : n / 8; \
            for (size_t r = 0; r < 8 && run; r++) { \
                got = x[r * run]; \
                for (size_t k = 0; k < run; k++) { \
                    if (k) got = plain_##function(got, x[r * run + k]); \
                    EXPECT(#function, n, !memcmp(&out[r * run + k], &got, sizeof got)); \
                } \
            } \
            got = run ? fold_##function(x, 8 * run) : x[0]; \
            for (size_t i = 8 * run; i < n; i++) { \
                if (i) got = plain_##function(got, x[i]); \
                EXPECT(#function, n, !memcmp(&out[i], &got, sizeof got)); \
            } \
            /* segments */ \
            carry = start; \
            loops->segmented_inclusive(out, x, heads, &carry, n, ENVIRONMENT); \
            for (size_t i = 0; i < n; i++) \
                wanted[i] = heads[i] ? x[i] : plain_##function(i ? wanted[i - 1] : start, x[i]); \
            EXPECT(#function, n, !memcmp(out, wanted, n * sizeof(type))); \
            EXPECT(#function, n, !memcmp(&carry, &wanted[n - 1], sizeof carry)); \
            carry = start; \
            loops->segmented_exclusive(out, x, heads, &carry, &initial, n, ENVIRONMENT); \
            got = start; \
            for (size_t i = 0; i < n; i++) { \
                wanted[i] = heads[i] ? initial : got; \
                got = plain_##function(wanted[i], x[i]); \
            } \
            EXPECT(#function, n, !memcmp(out, wanted, n * sizeof(type))); \
            EXPECT(#function, n, !memcmp(&carry, &got, sizeof carry)); \
            /* element by element */ \
            loops->pairwise(out, x, y, n, ENVIRONMENT); \
            for (size_t i = 0; i < n; i++) wanted[i] = plain_##function(x[i], y[i]); \
            EXPECT(#function, n, !memcmp(out, wanted, n * sizeof(type))); \
            for (size_t i = 0; i < n && i < 64; i++) { \
                got = APPLIED(function, x[i], y[i]); \
                EXPECT(#function, n, !memcmp(&got, &wanted[i], sizeof got)); \
            } \
            loops->prefix(out, &start, x, n, ENVIRONMENT); \
            for (size_t i = 0; i < n; i++) wanted[i] = plain_##function(start, x[i]); \
            EXPECT(#function, n, !memcmp(out, wanted, n * sizeof(type))); \
        } \
        return NULL; \
    }

/* Not associative, so that every bracket shows, and different where product and sum are fused. */
WW_COMBINE(fused_float, float, a, b, WW_COMMUTES, WW_IDENTITY(1), { return (a * b + a) * 0.4f; });
static float plain_fused_float(float a, float b) {
    const volatile float product = a * b;
    const volatile float sum = product + a;
    return sum * 0.4f;
}
CHECK_COMBINE(fused_float, float, draw_float(), WW_COMMUTES)
WW_COMBINE(fused_double, double, a, b, WW_ORDERED, WW_IDENTITY(1), { return (a - a * b) * -0.7 + 0.5; });
static double plain_fused_double(double a, double b) {
    const volatile double product = a * b;
    const volatile double difference = a - product;
    const volatile double scaled = difference * -0.7;
    return scaled + 0.5;
}
CHECK_COMBINE(fused_double, double, draw_double(), WW_ORDERED)

WW_STRUCT(colour, { uint8_t r, g, b; });
WW_COMBINE_USES((fold_down), blend, colour, x, y, WW_ORDERED, WW_IDENTITY({0, 0, 0}), {
    colour c = {(uint8_t)fold_down((uint32_t)x.r * 3 + y.r, 1), x.g > y.g ? x.g : y.g, (uint8_t)(x.b + y.b)};
    return c;
});
static colour plain_blend(colour x, colour y) {
    const unsigned r = x.r * 3u + y.r;
    colour c = {(uint8_t)(r ^ (r >> 1)), x.g > y.g ? x.g : y.g, (uint8_t)(x.b + y.b)};
    return c;
}
static colour draw_colour(void) {
    colour c = {(uint8_t)draw(), (uint8_t)draw(), (uint8_t)draw()};
    return c;
}
CHECK_COMBINE(blend, colour, draw_colour(), WW_ORDERED)

WW_STRUCT(vec3, { float x, y, z; });
WW_COMBINE(turn, vec3, a, b, WW_COMMUTES, WW_IDENTITY({0, 0, 0}), {
    vec3 c = {(a.x * b.y + a.z) * 0.5f, a.y * b.z - a.x, a.z * b.x - a.y * b.y};
    vec3 kept = {c.x, c.y * 0.5f, c.z * 0.5f};
    return kept;
});
static vec3 plain_turn(vec3 a, vec3 b) {
    const volatile float xy = a.x * b.y, yz = a.y * b.z, zx = a.z * b.x, yy = a.y * b.y;
    const volatile float x = xy + a.z, y = yz - a.x, z = zx - yy;
    vec3 c = {x * 0.5f, y * 0.5f, z * 0.5f};
    return c;
}
static vec3 draw_vec3(void) {
    vec3 v = {draw_float(), draw_float(), draw_float()};
    return v;
}
CHECK_COMBINE(turn, vec3, draw_vec3(), WW_COMMUTES)

/* Neighbours that add and subtract products in turn. */
WW_STRUCT(complex_number, { float re, im; });
WW_COMBINE(times, complex_number, a, b, WW_COMMUTES, WW_IDENTITY({1, 0}), {
    complex_number c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    complex_number smaller = {c.re * 0.5f, c.im * 0.25f};
    return smaller;
});
static complex_number plain_times(complex_number a, complex_number b) {
    const volatile float rr = a.re * b.re, ii = a.im * b.im, ri = a.re * b.im, ir = a.im * b.re;
    const volatile float re = rr - ii, im = ri + ir;
    complex_number c = {re * 0.5f, im * 0.25f};
    return c;
}
static complex_number draw_complex(void) {
    complex_number c = {draw_float(), draw_float() * 0.5f};
    return c;
}
CHECK_COMBINE(times, complex_number, draw_complex(), WW_COMMUTES)

#ifndef CHECK_FEW
WW_COMBINE(add_bytes, uint8_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return (uint8_t)(a + b); });
static uint8_t plain_add_bytes(uint8_t a, uint8_t b) { return (uint8_t)((unsigned)a + b); }
CHECK_COMBINE(add_bytes, uint8_t, (uint8_t)draw(), WW_COMMUTES)

WW_COMBINE(later_short, int16_t, a, b, WW_ORDERED, WW_IDENTITY(-1), { return (int16_t)(b == -1 ? a : b); });
static int16_t plain_later_short(int16_t a, int16_t b) { return b == -1 ? a : b; }
CHECK_COMBINE(later_short, int16_t, (int16_t)(draw() % 3 ? -1 : (int)(draw() % 1000)), WW_ORDERED)

WW_COMBINE(add_floats, float, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });
static float plain_add_floats(float a, float b) { return a + b; }
CHECK_COMBINE(add_floats, float, draw_float() * 1e-3f, WW_COMMUTES)

/* Affine maps, one after the other: associative, not commutative. */
WW_STRUCT(affine, { uint32_t times, plus; });
WW_COMBINE(then, affine, f, g, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine h = {g.times * f.times, g.times * f.plus + g.plus};
    return h;
});
static affine plain_then(affine f, affine g) {
    affine h = {f.times * g.times, f.plus * g.times + g.plus};
    return h;
}
static affine draw_affine(void) {
    affine f = {(uint32_t)draw(), (uint32_t)draw()};
    return f;
}
CHECK_COMBINE(then, affine, draw_affine(), WW_ORDERED)

/* Larger than any lane's share. */
WW_STRUCT(five, { uint64_t word[5]; });
WW_COMBINE(join, five, a, b, WW_ORDERED, WW_IDENTITY({{0, 0, 0, 0, 0}}), {
    five c = {{a.word[0], b.word[1], a.word[2] + b.word[2], a.word[3] * 31 + b.word[3], a.word[4] ^ b.word[4]}};
    return c;
});
static five plain_join(five a, five b) {
    a.word[1] = b.word[1];
    a.word[2] += b.word[2];
    a.word[3] = a.word[3] * 31 + b.word[3];
    a.word[4] ^= b.word[4];
    return a;
}
static five draw_five(void) {
    five f = {{draw(), draw(), draw(), draw(), draw()}};
    return f;
}
CHECK_COMBINE(join, five, draw_five(), WW_ORDERED)
#endif

/* ---- WW_LESS ---- */

/* A fused product would put 1 + 2^-12 and 1 + 2^-11 + 2^-25 in the other order. */
WW_STRUCT(root, { float factor, rest; });
WW_LESS(by_square, root, a, b, { return a.factor * a.factor + a.rest < b.factor * b.factor + b.rest; });

static float square_of(root r) {
    const volatile float product = r.factor * r.factor;
    return product + r.rest;
}
static bool plain_by_square(root a, root b) {
    const volatile float x = square_of(a), y = square_of(b);
    return x < y;
}

#define CHECK_LESS(function, type, make) \
    static const char *check_##function(int width) { \
        static type x[MOST], sorted[MOST], out[MOST + 1], beside[MOST]; \
        static uint32_t positions[MOST], numbers[MOST], numbers_beside[MOST]; \
        static uint16_t labels[MOST + 1]; \
        static uint8_t from[MOST + 1]; \
        static uint64_t found[MOST]; \
        const ww_less_loops *loops = (const ww_less_loops *)function##_ww.loops[width]; \
        EXPECT(#function, 0, function##_ww.role == WW_ROLE_LESS && function##_ww.first->size == sizeof(type)); \
        for (size_t t = 0; t < COUNTS; t++) { \
            const size_t n = counts[t], na = n * (draw() % 5) / 4, nb = n - na; \
            for (size_t i = 0; i < n; i++) x[i] = make; \
            for (size_t i = 0; i + 1 < n; i++) { \
                const bool before = plain_##function(x[i], x[i + 1]); \
                EXPECT(#function, n, loops->less(&x[i], &x[i + 1], ENVIRONMENT) == (before ? 1 : 0)); \
                EXPECT(#function, n, APPLIED(function, x[i], x[i + 1]) == before); \
            } \
            /* the first element out of order; the first least and greatest */ \
            size_t in_order = n ? 1 : 0, least = 0, greatest = 0; \
            while (in_order < n && !plain_##function(x[in_order], x[in_order - 1])) in_order++; \
            EXPECT(#function, n, loops->sorted(x, n, ENVIRONMENT) == in_order); \
            for (size_t i = 1; i < n; i++) { \
                if (plain_##function(x[i], x[least])) least = i; \
                if (plain_##function(x[greatest], x[i])) greatest = i; \
            } \
            EXPECT(#function, n, loops->extreme(x, n, 0, ENVIRONMENT) == least); \
            EXPECT(#function, n, loops->extreme(x, n, 1, ENVIRONMENT) == greatest); \
            /* leaf: a stable sort, that numbers go along with */ \
            memcpy(out, x, n * sizeof(type)); \
            for (size_t i = 0; i < n; i++) positions[i] = (uint32_t)i + 5; \
            loops->leaf(out, positions, n, ENVIRONMENT); \
            for (size_t i = 0; i < n; i++) { \
                EXPECT(#function, n, positions[i] >= 5 && positions[i] < n + 5); \
                EXPECT(#function, n, !memcmp(&out[i], &x[positions[i] - 5], sizeof(type))); \
                EXPECT(#function, n, !i || !plain_##function(out[i], out[i - 1])); \
                EXPECT(#function, n, !i || plain_##function(out[i - 1], out[i]) || positions[i - 1] < positions[i]); \
            } \
            memcpy(sorted, x, n * sizeof(type)); \
            loops->leaf(sorted, NULL, n, ENVIRONMENT); \
            EXPECT(#function, n, !memcmp(sorted, out, n * sizeof(type))); \
            EXPECT(#function, n, loops->sorted(sorted, n, ENVIRONMENT) == n); \
            /* the same into another array, and in place */ \
            for (int other = 0; other < 2; other++) { \
                memcpy(out, x, n * sizeof(type)); \
                for (size_t i = 0; i < n; i++) numbers[i] = (uint32_t)i + 5; \
                loops->sort(out, beside, numbers, numbers_beside, n, other, ENVIRONMENT); \
                EXPECT(#function, n, !memcmp(other ? beside : out, sorted, n * sizeof(type))); \
                EXPECT(#function, n, !memcmp(other ? numbers_beside : numbers, positions, n * sizeof *positions)); \
                memcpy(out, x, n * sizeof(type)); \
                loops->sort(out, beside, NULL, NULL, n, other, ENVIRONMENT); \
                EXPECT(#function, n, !memcmp(other ? beside : out, sorted, n * sizeof(type))); \
            } \
            /* classes between seven splitters; place 1 has the fourth, 2 and 3 the second and the sixth */ \
            if (n >= 7) { \
                static const size_t order[] = {3, 1, 5, 0, 2, 4, 6}; \
                for (size_t p = 0; p < 7; p++) beside[p] = sorted[p * n / 7]; \
                for (size_t p = 0; p < 7; p++) out[p + 1] = beside[order[p]]; \
                for (int equal = 0; equal < 2; equal++) { \
                    labels[n] = 7777; \
                    loops->classify(labels, x, n, out, equal ? beside : NULL, 3, ENVIRONMENT); \
                    for (size_t i = 0; i < n; i++) { \
                        size_t p = 0; \
                        while (p < 7 && !plain_##function(x[i], beside[p])) p++; \
                        const bool same = p && !plain_##function(beside[p - 1], x[i]); \
                        EXPECT(#function, n, labels[i] == (equal ? 2 * p - same : p)); \
                    } \
                    EXPECT(#function, n, labels[n] == 7777); \
                } \
            } \
            /* bounds, of elements that are there and others */ \
            for (size_t m = 0; m <= n; m += n / 2 + 1) \
                for (int upper = 0; upper < 2; upper++) { \
                    loops->bound(found, sorted, m, x, n, upper, ENVIRONMENT); \
                    for (size_t i = 0; i < n; i++) { \
                        size_t p = 0; \
                        while (p < m && \
                               (upper ? !plain_##function(x[i], sorted[p]) : plain_##function(sorted[p], x[i]))) \
                            p++; \
                        EXPECT(#function, n, found[i] == p); \
                    } \
                } \
            /* merge */ \
            loops->leaf(x, NULL, na, ENVIRONMENT); \
            loops->leaf(x + na, NULL, nb, ENVIRONMENT); \
            for (int noted = 0; noted < 2; noted++) { \
                memset(out, 0x5a, sizeof out); \
                from[n] = 77; \
                loops->merge(out, x, na, x + na, nb, noted ? from : NULL, ENVIRONMENT); \
                for (size_t k = 0, i = 0, j = 0; k < n; k++) { \
                    const bool second = i == na || (j < nb && plain_##function(x[na + j], x[i])); \
                    const type *const wanted = second ? &x[na + j++] : &x[i++]; \
                    EXPECT(#function, n, !memcmp(&out[k], wanted, sizeof(type))); \
                    EXPECT(#function, n, !noted || from[k] == (second ? 1 : 0)); \
                } \
                EXPECT(#function, n, from[n] == 77 && ((unsigned char *)&out[n])[0] == 0x5a); \
            } \
        } \
        return NULL; \
    }
static root draw_root(void) {
    static const root close_by[] = {{1.000244140625f, 0},
                                    {1.000244140625f, 2e-8f},
                                    {1.0f, 4.8828125e-4f},
                                    {1.0f, 4.8834085e-4f},
                                    {1.0001f, 2.8e-4f}};
    return close_by[draw() % 5];
}
CHECK_LESS(by_square, root, draw_root())

/* ---- WW_COMBINE_WITH and WW_LESS_WITH ---- */

#undef ENVIRONMENT
#undef APPLIED
static const line bent = {0.7f, 0.3f};
#define ENVIRONMENT (&bent)
#define APPLIED(function, a, b) function(a, b, &bent)
WW_COMBINE_WITH(between, float, a, b, line, l, WW_COMMUTES, WW_IDENTITY(0), { return a * l->slope + b * l->offset; });
static float plain_between(float a, float b) {
    const volatile float first = a * bent.slope, second = b * bent.offset;
    return first + second;
}
CHECK_COMBINE(between, float, draw_float(), WW_COMMUTES)

#undef ENVIRONMENT
#undef APPLIED
static const uint16_t places[16] = {3, 900, 2, 3, 0, 77, 5, 900, 65535, 6, 5, 1, 4, 4, 4, 8};
#define ENVIRONMENT (places)
#define APPLIED(function, a, b) function(a, b, places)
WW_LESS_WITH_USES((fold_down), by_place, uint32_t, a, b, uint16_t, place,
                  { return place[fold_down(a, 4) & 15] < place[fold_down(b, 4) & 15]; });
static bool plain_by_place(uint32_t a, uint32_t b) { return places[(a ^ a >> 4) % 16] < places[(b ^ b >> 4) % 16]; }
CHECK_LESS(by_place, uint32_t, (uint32_t)draw())

#undef ENVIRONMENT
#undef APPLIED
#define ENVIRONMENT NULL
#define APPLIED(function, a, b) function(a, b)

static const char *check_bound(void) {
    const ww_function by = *ww_with_array(by_place, places, 16), sum = *ww_with(between, &bent);
    EXPECT("by_place", 0, by.origin == &by_place_ww && by.bound == places && by.bound_count == 16);
    EXPECT("by_place", 0, by.environment == &uint16_t_ww && by.bound_type == &uint16_t_ww);
    EXPECT("between", 0, sum.origin == &between_ww && sum.bound == &bent && sum.bound_type == &line_ww);
    EXPECT("by_square", 0, by_square_ww.environment == &void_ww && !by_square_ww.bound && !by_square_ww.origin);
    return NULL;
}

#ifndef CHECK_FEW
/* By a part of the element, so that equal ones can be told apart. */
WW_STRUCT(tagged, { uint16_t key, tag; });
WW_LESS(by_key, tagged, a, b, { return a.key < b.key; });
WW_LESS_USES((mix), by_mixed, uint32_t, a, b, { return mix(a) % 64 < mix(b) % 64; });

static bool plain_by_key(tagged a, tagged b) { return a.key < b.key; }
static bool plain_by_mixed(uint32_t a, uint32_t b) { return a * 2654435761u % 64 < b * 2654435761u % 64; }
static tagged draw_tagged(void) {
    static uint16_t tag;
    tagged t = {(uint16_t)(draw() % 50), tag++};
    return t;
}
CHECK_LESS(by_key, tagged, draw_tagged())
CHECK_LESS(by_mixed, uint32_t, (uint32_t)draw())
#endif

/* ---- WW_KERNEL, and what bodies may call ---- */

WW_STRUCT(work, {
    const float *x;
    float *y;
    uint32_t *counts;
    uint64_t ranks;
});
WW_KERNEL(each, work, w, rank, {
    if (rank < w->ranks) {
        w->y[rank] = w->x[rank] * w->x[rank] - 1.0f;
        ww_atomic_add(&w->counts[rank], 1u);
    }
});
WW_KERNEL_USES((mix), tally, work, w, rank, { ww_atomic_add(&w->counts[mix((uint32_t)rank) % w->ranks], 1u); });

static const char *check_kernels(int width) {
    static float x[MOST], y[MOST];
    static uint32_t touched[MOST], wanted[MOST];
    const work w = {x, y, touched, MOST};
    const ww_kernel_loops *loops = (const ww_kernel_loops *)each_ww.loops[width];
    EXPECT("each", 0, each_ww.role == WW_ROLE_KERNEL && each_ww.environment->size == sizeof(work));
    for (size_t t = 0; t < COUNTS; t++) {
        const size_t n = counts[t], first = (MOST - n) / 2;
        memset(touched, 0, sizeof touched);
        for (size_t i = 0; i < MOST; i++) x[i] = draw_float(), y[i] = -7;
        loops->ranks(first, n, &w);
        for (size_t i = 0; i < MOST; i++) {
            const bool in = i >= first && i < first + n;
            const volatile float product = x[i] * x[i];
            EXPECT("each", n, touched[i] == (in ? 1u : 0u));
            EXPECT("each", n, y[i] == (in ? product - 1.0f : -7.0f));
        }
    }
    memset(touched, 0, sizeof touched);
    memset(wanted, 0, sizeof wanted);
    ((const ww_kernel_loops *)tally_ww.loops[width])->ranks(100, 5000, &w);
    for (uint32_t r = 100; r < 5100; r++) wanted[r * 2654435761u % MOST]++;
    EXPECT("tally", 5000, !memcmp(touched, wanted, sizeof wanted));
    return NULL;
}

#define CHECK_ATOMICS(type) \
    do { \
        type x = 5; \
        EXPECT("atomics", 0, ww_atomic_add(&x, (type)3) == 5 && x == 8); \
        EXPECT("atomics", 0, ww_atomic_or(&x, (type)3) == 8 && x == 11); \
        EXPECT("atomics", 0, ww_atomic_exchange(&x, (type)20) == 11 && x == 20); \
        EXPECT("atomics", 0, ww_atomic_cas(&x, (type)19, (type)1) == 20 && x == 20); \
        EXPECT("atomics", 0, ww_atomic_cas(&x, (type)20, (type)1) == 20 && x == 1); \
        EXPECT("atomics", 0, ww_atomic_min(&x, (type)7) == 1 && x == 1); \
        EXPECT("atomics", 0, ww_atomic_max(&x, (type)7) == 1 && x == 7); \
        EXPECT("atomics", 0, ww_atomic_min(&x, (type)2) == 7 && x == 2); \
        EXPECT("atomics", 0, ww_atomic_max(&x, (type)1) == 2 && x == 2); \
    } while (0)

static const char *check_calls(void) {
    CHECK_ATOMICS(uint32_t);
    CHECK_ATOMICS(uint64_t);
    CHECK_ATOMICS(int32_t);
    CHECK_ATOMICS(int64_t);
    EXPECT("calls", 0, ww_popcount(0) == 0 && ww_popcount(0xf0f0u) == 8 && ww_popcount(~(uint64_t)0) == 64);
    EXPECT("calls", 0, ww_clz(0) == 32 && ww_clz(1) == 31 && ww_clz(0x80000000u) == 0);
    EXPECT("calls", 0, ww_ffs(0) == 0 && ww_ffs(1) == 1 && ww_ffs(0x80000000u) == 32);
    ww_prefetch(&counts[1]);
    EXPECT("calls", 0, ww_bits_float(1.0f) == 0x3f800000u && ww_float_of_bits(0xc0000000u) == -2.0f);
    EXPECT("calls", 0, ww_bits_double(1.0) == 0x3ff0000000000000u && ww_double_of_bits(0xc000000000000000u) == -2.0);
    EXPECT("calls", 0, PRIME == 2654435761u && mix(1) == PRIME && fold_down(0x10000, 16) == 0x10001);
    EXPECT("calls", 0, line_ww.size == 8 && line_ww.alignment == 4 && line_ww.kind == WW_KIND_STRUCT);
    EXPECT("calls", 0, work_ww.alignment == 8 && colour_ww.size == 3 && colour_ww.alignment == 1);
    return NULL;
}

/* ---- all of it ---- */

static bool has_width(int width) {
#if defined(__x86_64__)
    if (width == WW_VECTOR_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (width == WW_VECTOR_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return width == WW_VECTOR_PLAIN;
}

typedef const char *check(int width);
static check *const checks[] = {
    check_mixed,     check_on_line,     check_on_two_lines, check_split_up,    check_put_together,  check_is_odd,
    check_weighted,  check_hash_both,   check_same_f32,     check_same_f64,    check_fused_float,   check_fused_double,
    check_between,   check_by_place,    check_blend,        check_turn,        check_times,         check_by_square,
    check_kernels,   check_of_three,    check_of_four,      check_of_two_long, check_of_three_long, check_of_four_long,
#if !defined(CHECK_FEW) || defined(__cplusplus)
    check_same_u8,   check_same_u16,    check_same_u32,     check_same_u64,    check_same_i8,       check_same_i16,
    check_same_i32,  check_same_i64,
#if WW_HAS_U128
    check_same_u128, check_same_i128,
#endif
#endif
#ifndef CHECK_FEW
    check_add_bytes, check_later_short, check_add_floats,   check_then,        check_join,          check_by_key,
    check_by_mixed,
#endif
};

#ifdef __cplusplus
extern "C"
#endif
    const char *
    CHECK_LOOPS(void);
const char *CHECK_LOOPS(void) {
    static const char *const names[] = {"plain", "avx2", "avx512"};
    width_name = "no";
    TRY(check_calls());
    TRY(check_bound());
    for (int width = 0; width < WW_VECTORS; width++) {
        width_name = names[width];
        if (!has_width(width)) {
            printf("left out: this machine has no %s\n", names[width]);
            continue;
        }
        if (!each_ww.loops[width]) {
            printf("left out: this compiler makes no loops for %s\n", names[width]);
            continue;
        }
        for (size_t c = 0; c < sizeof checks / sizeof *checks; c++) TRY(checks[c](width));
    }
    return NULL;
}
