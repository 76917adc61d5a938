/* The macros' loops under several flags (check_loops.h), and the built-in operators and orders of every type, at every
 * vector width, against their definitions. */
#include <math.h>
#include <stdio.h>

#include "function/function.h"
#include "function/types.h"
#include "reference/order.h"
#include "support/cases.h"

/* ---- the loops of the macros ---- */

static void expect_no_complaint(const char *flags, const char *complaint) {
    CASE("loops", "%s", flags);
    if (!case_wanted()) return;
    if (complaint) fprintf(stderr, "%s: %s\n", flags, complaint);
    expect(!complaint);
}

#define LOOPS_UNDER(flags) \
    extern const char *check_loops_##flags(void); \
    static void loops_##flags(void **state) { \
        (void)state; \
        expect_no_complaint(#flags, check_loops_##flags()); \
    }
LOOPS_UNDER(o0)
#ifdef CHECK_O2
LOOPS_UNDER(o2)
#endif
#ifdef CHECK_NATIVE
LOOPS_UNDER(native)
#endif
#ifdef CHECK_CXX
LOOPS_UNDER(cxx)
#endif

/* ---- built-in operators ---- */

enum { MANY = 3001 };

/* Sums and products in twice the bits, cut down to the type's; u128 wraps by itself. */
__extension__ typedef unsigned __int128 wide;
#define INTEGER_ORACLES(T, label) \
    static void add_##label(void *r, const void *a, const void *b) { \
        *(T *)r = (T)((wide) * (const T *)a + (wide) * (const T *)b); \
    } \
    static void mul_##label(void *r, const void *a, const void *b) { \
        *(T *)r = (T)((wide) * (const T *)a * (wide) * (const T *)b); \
    } \
    static void min_##label(void *r, const void *a, const void *b) { \
        *(T *)r = *(const T *)a <= *(const T *)b ? *(const T *)a : *(const T *)b; \
    } \
    static void max_##label(void *r, const void *a, const void *b) { \
        *(T *)r = *(const T *)a >= *(const T *)b ? *(const T *)a : *(const T *)b; \
    } \
    static void and_##label(void *r, const void *a, const void *b) { \
        for (size_t i = 0; i < sizeof(T); i++) ((uint8_t *)r)[i] = ((const uint8_t *)a)[i] & ((const uint8_t *)b)[i]; \
    } \
    static void or_##label(void *r, const void *a, const void *b) { \
        for (size_t i = 0; i < sizeof(T); i++) ((uint8_t *)r)[i] = ((const uint8_t *)a)[i] | ((const uint8_t *)b)[i]; \
    }
WW__EACH_INTEGER(INTEGER_ORACLES)

/* IEEE 754-2019's minimum and maximum. */
#define FLOAT_ORACLES(T, label) \
    static void add_##label(void *r, const void *a, const void *b) { *(T *)r = *(const T *)a + *(const T *)b; } \
    static void mul_##label(void *r, const void *a, const void *b) { *(T *)r = *(const T *)a * *(const T *)b; } \
    static T least_##label(T a, T b) { \
        if (isnan(a) || isnan(b)) return (T)NAN; \
        if (a == 0 && b == 0) return signbit(a) ? a : b; \
        return a < b ? a : b; \
    } \
    static void min_##label(void *r, const void *a, const void *b) { \
        *(T *)r = least_##label(*(const T *)a, *(const T *)b); \
    } \
    static void max_##label(void *r, const void *a, const void *b) { \
        *(T *)r = -least_##label(-*(const T *)a, -*(const T *)b); \
    }
WW__EACH_FLOAT(FLOAT_ORACLES)

typedef void combine(void *result, const void *a, const void *b);
typedef struct operator{
    const char *name;
    const ww_function *function;
    const ww_type *type;
    combine *wanted;
}
operator;

static const operator operators[] = {
#define ARITHMETIC(T, label) \
    {"add", &ww_add, &ww_type_##T, add_##label}, {"mul", &ww_mul, &ww_type_##T, mul_##label}, \
        {"min", &ww_min, &ww_type_##T, min_##label}, {"max", &ww_max, &ww_type_##T, max_##label},
#define BITWISE(T, label) {"and", &ww_and, &ww_type_##T, and_##label}, {"or", &ww_or, &ww_type_##T, or_##label},
    WW__EACH_NUMBER(ARITHMETIC) WW__EACH_INTEGER(BITWISE)};
enum { OPERATORS = sizeof operators / sizeof *operators };

static bool is_nan(const ww_type *type, const void *x) {
    if (type->kind != WW_KIND_FLOAT) return false;
    return type->size == 4 ? isnan(*(const float *)x) : isnan(*(const double *)x);
}

/* The same bits, or NaNs both (which one comes out of a sum is the machine's choice). */
static bool same(const ww_type *type, const void *a, const void *b) {
    return !memcmp(a, b, type->size) || (is_nan(type, a) && is_nan(type, b));
}

/* The same value: 0 and -0 are. */
static bool equal(const ww_type *type, const void *a, const void *b) {
    if (same(type, a, b)) return true;
    if (type->kind != WW_KIND_FLOAT) return false;
    return type->size == 4 ? *(const float *)a == *(const float *)b : *(const double *)a == *(const double *)b;
}

static void check_operator(ww_device *device, const char *setting, const operator* o, shape s) {
    const ww_type *type = o->type;
    const size_t size = type->size;
    CASE("operator", "%s %s %s %s", setting, o->name, type->label, shape_name(s));
    if (!case_wanted()) return;
    const ww_function *f = ww__operator(o->function, type, size);
    expect(f && f->role == WW_ROLE_COMBINE && f->flags == WW_COMMUTES);
    const ww_combine_loops *loops = ww__loops(device, f);
    unsigned char *a = need(MANY * size), *b = need(MANY * size), *out = need(MANY * size);
    fill(a, type, size, MANY, s, seed_of_run());
    fill(b, type, size, MANY, s, seed_of_run() + 1);
    loops->pairwise(out, a, b, MANY, NULL);
    unsigned char wanted[16] __attribute__((aligned(16))), got[16] __attribute__((aligned(16)));
    for (size_t i = 0; i < MANY; i++) {
        o->wanted(wanted, a + i * size, b + i * size);
        expect(same(type, out + i * size, wanted));
    }
    loops->prefix(out, f->identity, a, MANY, NULL);
    for (size_t i = 0; i < MANY; i++) {
        expect(equal(type, out + i * size, a + i * size));
        loops->pairwise(got, a + i * size, f->identity, 1, NULL);
        expect(equal(type, got, a + i * size));
    }
    free(a);
    free(b);
    free(out);
}

static void built_in_operators(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < OPERATORS; o++) {
            check_operator(device, setting_name(s), &operators[o], UNIFORM);
            check_operator(device, setting_name(s), &operators[o], ADVERSARIAL);
        }
        ww_close(device);
    }
    CASE("operator", "of types that have none");
    expect(!ww__operator(&ww_and, &ww_type_float, 4) && !ww__operator(&ww_or, &ww_type_double, 8));
    expect(!ww__operator(&ww_add, &ww_type_record, 4) && !ww__operator(&ww_ascending, &ww_type_uint32_t, 4));
    expect(!ww__operator(NULL, &ww_type_uint32_t, 4));
}

/* ---- built-in orders ---- */

typedef struct order {
    const char *name;
    const ww_function *function;
    const ww_type *type;
    reference_before *before;
} order;
static const order orders[] = {
#define ORDERS_OF(T, label) \
    {"ascending", &ww_ascending, &ww_type_##T, reference_##label##_up}, \
        {"default", NULL, &ww_type_##T, reference_##label##_up}, \
        {"descending", &ww_descending, &ww_type_##T, reference_##label##_down},
    WW__EACH_NUMBER(ORDERS_OF)};

static void built_in_orders(void **state) {
    (void)state;
    enum { EACH = 150 };
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            const ww_type *type = orders[o].type;
            const size_t size = type->size;
            CASE("order", "%s %s %s", setting_name(s), orders[o].name, type->label);
            if (!case_wanted()) continue;
            const ww_less_loops *loops = ww__loops(device, ww__order(orders[o].function, type, size));
            unsigned char *x = need(2 * EACH * size);
            fill(x, type, size, EACH, ADVERSARIAL, seed_of_run());
            fill(x + EACH * size, type, size, EACH, UNIFORM, seed_of_run());
            /* NaNs with payloads. */
            for (size_t i = 0; i < 2 * EACH; i++)
                if (is_nan(type, x + i * size) && i % 2) x[i * size] ^= (unsigned char)(1 + i % 8);
            for (size_t i = 0; i < 2 * EACH; i++)
                for (size_t j = 0; j < 2 * EACH; j++)
                    expect(loops->less(x + i * size, x + j * size, NULL) ==
                           orders[o].before(x + i * size, x + j * size));
            free(x);
        }
        ww_close(device);
    }
    CASE("order", "of types that have none");
    expect(!ww__order(NULL, &ww_type_record, 4) && !ww__order(&ww_add, &ww_type_uint32_t, 4));
}

/* ---- objects that the library refuses ---- */

WW_STRUCT(pair, { uint32_t a, b; });
WW_COMBINE(add_pairs, pair, x, y, WW_COMMUTES, WW_IDENTITY({0, 0}), {
    pair p = {x.a + y.a, x.b + y.b};
    return p;
});

static void refused_objects(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    pair in[3] = {{1, 2}, {3, 4}, {5, 6}}, out = {0, 0};
    const ww_input input = ww_memory_of(in, 3, &pair_ww);
    const ww_array one = ww_array_of(&out, 1, &pair_ww);
    CASE("object", "versions and roles");
    expect_status(device, ww_reduce(device, &add_pairs_ww, input, one), WW_OK);
    expect(out.a == 9 && out.b == 12);
    ww_function other = add_pairs_ww;
    other.version = WW_FUNCTION_VERSION + 1;
    expect_status(device, ww_reduce(device, &other, input, one), WW_INVALID);
    expect_sentence(device, "add_pairs", "version");
    other = add_pairs_ww;
    other.role = WW_ROLE_LESS;
    expect_status(device, ww_reduce(device, &other, input, one), WW_TYPE);
    /* One struct under two names is two types; two descriptors of one name are one. */
    ww_type again = pair_ww;
    expect_status(device, ww_reduce(device, &add_pairs_ww, ww_memory_of(in, 3, &again), one), WW_OK);
    again.name = "couple";
    expect_status(device, ww_reduce(device, &add_pairs_ww, ww_memory_of(in, 3, &again), one), WW_TYPE);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_o0),
#ifdef CHECK_O2
        cmocka_unit_test(loops_o2),
#endif
#ifdef CHECK_NATIVE
        cmocka_unit_test(loops_native),
#endif
#ifdef CHECK_CXX
        cmocka_unit_test(loops_cxx),
#endif
        cmocka_unit_test(built_in_operators), cmocka_unit_test(built_in_orders), cmocka_unit_test(refused_objects),
    };
    return cmocka_run_group_tests_name("function", tests, NULL, NULL);
}
