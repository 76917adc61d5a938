/* The operators that the tests of scans run: the built-in ones of every type and users' own, each with its plain function
 * written anew. */
#ifndef TESTS_SCAN_OPERATIONS_H
#define TESTS_SCAN_OPERATIONS_H

#include "reference/reduce.h"
#include "support/cases.h"

/* An operator whose brackets show (the oracle must set them as the library does) and one for which any will do. */
typedef struct operation {
    const ww_function *op;
    const char *name;
    const ww_type *type;
    reference_combine *oracle;
    bool shows_bracketing;
} operation;

/* A plain function on elements: loads both, computes r of x and y. */
#define OPERATION_ORACLE(name, T, expression) \
    static void name(void *r, const void *a, const void *b) { \
        T x, y, z; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        z = expression; \
        memcpy(r, &z, sizeof z); \
    }
/* W is T's unsigned type, or T itself for floats. */
#define OPERATION_ORACLES(T, W) \
    OPERATION_ORACLE(add_##T, T, (T)((W)x + (W)y)) \
    OPERATION_ORACLE(max_##T, T, x < y ? y : x)
#define OPERATION_TYPES(X) \
    X(uint8_t, uint8_t) \
    X(uint16_t, uint16_t) \
    X(uint32_t, uint32_t) \
    X(uint64_t, uint64_t) \
    X(int8_t, uint8_t) X(int16_t, uint16_t) X(int32_t, uint32_t) X(int64_t, uint64_t) X(ww_u128, ww_u128) \
        X(ww_i128, ww_u128) X(float, float) X(double, double)
OPERATION_TYPES(OPERATION_ORACLES)

#define OPERATION_ROWS(T, W) \
    {&ww_add, "add", &ww_type_##T, add_##T, (T)0.5 != 0}, {&ww_max, "max", &ww_type_##T, max_##T, (T)0.5 != 0},
static const operation operations[] = {OPERATION_TYPES(OPERATION_ROWS)};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Affine functions of one variable, composed: no order but the right one gives the right result. 12 bytes. */
WW_STRUCT(affine, { uint32_t scale, offset, spare; });
WW_COMBINE(compose, affine, f, g, WW_ORDERED, WW_IDENTITY({1, 0, 0}), {
    affine h = {f.scale * g.scale, g.scale * f.offset + g.offset, f.spare ^ g.spare};
    return h;
});
OPERATION_ORACLE(compose_elements, affine,
                 ((affine){x.scale * y.scale, y.scale *x.offset + y.offset, x.spare ^ y.spare}))

/* The same in 8 bytes, and matrices of 32. */
WW_STRUCT(small_affine, { uint32_t scale, offset; });
WW_COMBINE(compose_small, small_affine, f, g, WW_ORDERED, WW_IDENTITY({1, 0}), {
    small_affine h = {f.scale * g.scale, g.scale * f.offset + g.offset};
    return h;
});
OPERATION_ORACLE(compose_small_elements, small_affine,
                 ((small_affine){x.scale * y.scale, y.scale *x.offset + y.offset}))
WW_STRUCT(matrix, { uint64_t a, b, c, d; });
WW_COMBINE(multiply, matrix, m, n, WW_ORDERED, WW_IDENTITY({1, 0, 0, 1}), {
    matrix p = {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c, m.c * n.b + m.d * n.d};
    return p;
});
OPERATION_ORACLE(multiply_elements, matrix,
                 ((matrix){x.a * y.a + x.b * y.c, x.a *y.b + x.b *y.d, x.c *y.a + x.d *y.c, x.c *y.b + x.d *y.d}))

/* Large elements: a tile has a few of them, or one. */
WW_STRUCT(large, { uint32_t v[300]; });
WW_COMBINE(add_large, large, a, b, WW_COMMUTES, WW_IDENTITY({{0}}), {
    for (int i = 0; i < 300; i++) a.v[i] += b.v[i];
    return a;
});
WW_STRUCT(huge, { uint32_t v[5000]; });
WW_COMBINE(add_huge, huge, a, b, WW_COMMUTES, WW_IDENTITY({{0}}), {
    for (int i = 0; i < 5000; i++) a.v[i] += b.v[i];
    return a;
});
#define OPERATION_ADDS(T, name, count) \
    static void name(void *r, const void *a, const void *b) { \
        for (int i = 0; i < count; i++) { \
            uint32_t x, y; \
            memcpy(&x, (const char *)a + 4 * i, 4); \
            memcpy(&y, (const char *)b + 4 * i, 4); \
            x += y; \
            memcpy((char *)r + 4 * i, &x, 4); \
        } \
    }
OPERATION_ADDS(large, add_large_elements, 300)
OPERATION_ADDS(huge, add_huge_elements, 5000)

/* Not associative at all: every bracket shows, and the order. */
WW_COMBINE(join, float, a, b, WW_ORDERED, WW_IDENTITY(0), { return a * 0.5f + b; });
OPERATION_ORACLE(join_elements, float, x * 0.5f + y)
WW_COMBINE(join_wide, double, a, b, WW_ORDERED, WW_IDENTITY(0), { return a * 0.5 + b; });
OPERATION_ORACLE(join_wide_elements, double, x * 0.5 + y)
/* A user's own sum of integers. */
WW_COMBINE(plus, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });

static const operation user_operations[] = {
    {&compose_ww, "compose", &affine_ww, compose_elements, false},
    {&compose_small_ww, "compose", &small_affine_ww, compose_small_elements, false},
    {&multiply_ww, "multiply", &matrix_ww, multiply_elements, false},
    {&join_ww, "join", &ww_type_float, join_elements, true},
    {&join_wide_ww, "join", &ww_type_double, join_wide_elements, true},
    {&plus_ww, "plus", &ww_type_uint32_t, add_uint32_t, false},
    {&add_large_ww, "add", &large_ww, add_large_elements, false},
    {&add_huge_ww, "add", &huge_ww, add_huge_elements, false},
};
enum { USER_OPERATIONS = sizeof user_operations / sizeof *user_operations };

static inline const operation *operation_of(const ww_function *op, const ww_type *type) {
    for (size_t i = 0; i < OPERATIONS; i++)
        if (operations[i].op == op && operations[i].type == type) return &operations[i];
    for (size_t i = 0; i < USER_OPERATIONS; i++)
        if (user_operations[i].op == op && user_operations[i].type == type) return &user_operations[i];
    abort();
}

/* Whether results must be the CPU's bit for bit: a GPU's look-back brackets as its blocks come, unless it is to be deterministic. */
static inline bool brackets_are_set(ww_scan_method method, bool deterministic) {
    return deterministic || !on_gpu() || method >= WW_SCAN_HILLIS_STEELE;
}

/* Whether the device scans this at all: a GPU has elements of up to 1024 bytes, and what is not associative would show how
 * look-back brackets. */
static inline bool gpu_has(const operation *o, bool set) {
    return !on_gpu() ||
           (o->type->size <= 1024 && (set || (o->oracle != join_elements && o->oracle != join_wide_elements)));
}

static inline double float_at(const operation *o, const void *x, size_t i) {
    return o->type == &ww_type_float ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* Byte for byte; float sums by a GPU's look-back to within what brackets can change of the largest of `all` results (the
 * tests' floats are of like size). */
static inline void expect_scanned(const operation *o, bool set, const void *got, const void *wanted, size_t n,
                                  const void *all, size_t all_n) {
    if (set && on_gpu() && o->type->kind == WW_KIND_FLOAT) {
        /* The same bits, but for those of NaNs: each kind of machine makes its own. */
        for (size_t i = 0; i < n; i++) {
            const double x = float_at(o, got, i), y = float_at(o, wanted, i);
            expect((x != x && y != y) || x == y);
        }
        return;
    }
    if (set || !o->shows_bracketing) {
        expect_elements(got, wanted, n, o->type->size);
        return;
    }
    double largest = 0;
    for (size_t i = 0; i < all_n; i++) {
        const double y = float_at(o, all, i), size = y < 0 ? -y : y;
        if (size > largest) largest = size;
    }
    for (size_t i = 0; i < n; i++) {
        const double x = float_at(o, got, i), y = float_at(o, wanted, i);
        expect(x == y || (x > y ? x - y : y - x) <= largest * (o->type == &ww_type_float ? 1e-4 : 1e-12));
    }
}

WW_MAP(square, uint64_t, uint32_t, x, void, none, { return (uint64_t)x * x; });
WW_MAP(halve, uint32_t, uint32_t, x, void, none, { return x / 2; });

#endif
