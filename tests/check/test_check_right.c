/* Functions that are right, of many kinds, on data of every shape: WARPWISE_CHECK finds nothing, and results are the same as without.
 * What it finds is in test_check.c. */
#include <math.h>
#include <stdio.h>

#include "support/cases.h"

enum { N = 3000, LARGEST = 256 };

static unsigned char in[N * LARGEST] __attribute__((aligned(64))), with[N * LARGEST] __attribute__((aligned(64))),
    without[N * LARGEST] __attribute__((aligned(64)));

static ww_device *open_one(ww_checks checks) {
    ww_open_options o = WW_OPEN_OPTIONS;
    ww_device *device;
    o.checks = checks;
    assert_int_equal(ww_open_with("cpu:threads=2", &device, &o), WW_OK);
    return device;
}

/* ---- operators ---- */

WW_COMBINE(add_numbers, float, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b; });
WW_COMBINE(multiply, double, a, b, WW_COMMUTES, WW_IDENTITY(1), { return a * b; });
WW_COMBINE(longest, float, a, b, WW_COMMUTES, WW_IDENTITY(0), { return sqrtf(a * a + b * b); });
WW_COMBINE(bits_of, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a ^ b; });
WW_COMBINE(add_below, uint8_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return (uint8_t)(a > 255 - b ? 255 : a + b); });
/* log(exp a + exp b) */
WW_COMBINE(add_logarithms, double, a, b, WW_COMMUTES, WW_IDENTITY(-INFINITY), {
    const double most = a > b ? a : b, least = a > b ? b : a;
    return least < -1e308 ? most : most + log1p(exp(least - most));
});
/* The count, mean and sum of squares of what is put together (Chan and others). */
WW_STRUCT(moments, { float many, mean, squares; });
WW_COMBINE(join_moments, moments, a, b, WW_COMMUTES, WW_IDENTITY({0, 0, 0}), {
    moments m = a;
    const float by = b.mean - a.mean;
    m.many = a.many + b.many;
    if (b.many == 0) return a;
    if (a.many == 0) return b;
    m.mean = a.mean + by * (b.many / m.many);
    m.squares = a.squares + b.squares + by * by * (a.many * b.many / m.many);
    return m;
});
WW_STRUCT(square, { double m[2][2]; });
WW_COMBINE(multiply_squares, square, a, b, WW_ORDERED, WW_IDENTITY({{{1, 0}, {0, 1}}}), {
    square r;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j];
    return r;
});
/* Turned by a third of a right angle each, the product of three has no real part but what is rounded, which is far more than what its
 * factors are. */
WW_STRUCT(turn, { double real, imaginary; });
WW_COMBINE(multiply_turns, turn, a, b, WW_COMMUTES, WW_IDENTITY({1, 0}), {
    turn t;
    t.real = a.real * b.real - a.imaginary * b.imaginary;
    t.imaginary = a.real * b.imaginary + a.imaginary * b.real;
    return t;
});
/* x -> scale x + shift, one after the other: no commuting. */
WW_STRUCT(line, { uint32_t scale, shift; });
WW_COMBINE(follow, line, a, b, WW_ORDERED, WW_IDENTITY({1, 0}), {
    line l = a;
    l.scale = a.scale * b.scale;
    l.shift = a.shift * b.scale + b.shift;
    return l;
});
/* The best sum of neighbours; of floats, with padding. */
WW_STRUCT(run, {
    uint8_t any;
    double all, front, back, best;
});
WW_COMBINE(best_run, run, a, b, WW_ORDERED, WW_IDENTITY({0, 0, 0, 0, 0}), {
    if (!a.any) return b;
    if (!b.any) return a;
    run r = a;
    r.all = a.all + b.all;
    r.front = a.front > a.all + b.front ? a.front : a.all + b.front;
    r.back = b.back > b.all + a.back ? b.back : b.all + a.back;
    r.best = a.best > b.best ? a.best : b.best;
    r.best = r.best > a.back + b.front ? r.best : a.back + b.front;
    return r;
});
/* The larger, and of equal ones the first. */
WW_STRUCT(place, {
    float value;
    uint64_t at;
});
WW_COMBINE(larger_place, place, a, b, WW_COMMUTES, WW_IDENTITY({-INFINITY, UINT64_MAX}), {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.at < b.at ? a : b;
});

static float small_float(uint64_t *random) { return (float)((double)(random_next(random) % 2000001) / 1000 - 1000); }

static void fill_structs(const ww_type *type, uint64_t seed) {
    uint64_t random = seed;
    memset(in, 0x5A, sizeof in); /* padding, too */
    for (size_t i = 0; i < N; i++) {
        unsigned char *const at = in + i * type->size;
        if (type == &moments_ww) *(moments *)at = (moments){(float)(random_next(&random) % 9), small_float(&random), 3};
        if (type == &square_ww)
            for (int e = 0; e < 4; e++) ((double *)at)[e] = small_float(&random) / 100;
        if (type == &turn_ww) {
            const double angle = 0.5235987755982989 * (double)(random_next(&random) % 12);
            *(turn *)at = (turn){1e8 * cos(angle), 1e8 * sin(angle)};
        }
        if (type == &line_ww) *(line *)at = (line){(uint32_t)random_next(&random), (uint32_t)random_next(&random)};
        if (type == &run_ww) {
            const double x = small_float(&random);
            run *r = (run *)at;
            r->any = 1, r->all = r->front = r->back = r->best = x;
        }
        if (type == &place_ww) {
            place *p = (place *)at;
            p->value = floorf(small_float(&random) / 100), p->at = i;
            if (i % 97 == 5) p->value = i % 2 ? INFINITY : -INFINITY;
        }
    }
    if (type == &moments_ww)
        for (size_t i = 0; i < N; i++)
            if (((moments *)in)[i].many == 0) ((moments *)in)[i] = (moments){0, 0, 0};
}

static void expect_reduce(ww_device *a, ww_device *b, const ww_function *op, const ww_type *type, size_t n) {
    const ww_input x = ww_memory_of(in, n, type);
    expect_status(a, ww_reduce(a, op, x, ww_array_of(with, 1, type)), WW_OK);
    expect_status(b, ww_reduce(b, op, x, ww_array_of(without, 1, type)), WW_OK);
    if (type->kind != WW_KIND_STRUCT) expect_bytes(with, without, type->size);
    expect_status(a, ww_scan(a, op, x, ww_array_of(with, n, type), NULL), WW_OK);
    expect_status(b, ww_scan(b, op, x, ww_array_of(without, n, type), NULL), WW_OK);
    if (type->kind != WW_KIND_STRUCT) expect_bytes(with, without, n * type->size);
}

static void operators(void **state) {
    (void)state;
    static const struct {
        const ww_function *op;
        const ww_type *type;
        bool any; /* of any numbers, NaNs and infinities among them */
    } own[] = {
        {&add_numbers_ww, &ww_type_float, true}, {&multiply_ww, &ww_type_double, true},
        {&longest_ww, &ww_type_float, false},    {&bits_of_ww, &ww_type_uint64_t, true},
        {&add_below_ww, &ww_type_uint8_t, true}, {&add_logarithms_ww, &ww_type_double, false},
        {&join_moments_ww, &moments_ww, false},  {&multiply_squares_ww, &square_ww, false},
        {&multiply_turns_ww, &turn_ww, false},   {&follow_ww, &line_ww, false},
        {&best_run_ww, &run_ww, false},          {&larger_place_ww, &place_ww, false},
    };
    ww_device *checked = open_one(WW_CHECKS_ON), *plain = open_one(WW_CHECKS_OFF);
    static const size_t sizes[] = {0, 1, 2, 3, 50, 51, N};
    for (size_t o = 0; o < sizeof own / sizeof *own; o++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int shape = 0; shape < SHAPES; shape++) {
                const ww_type *type = own[o].type;
                if (shape == ADVERSARIAL && !own[o].any) continue;
                if (shape && type->kind == WW_KIND_STRUCT) continue;
                CASE("check", "%s n=%zu %s", own[o].op->name, sizes[s], shape_name((enum shape)shape));
                if (!case_wanted()) continue;
                if (type->kind == WW_KIND_STRUCT)
                    fill_structs(type, seed_of_run() + s);
                else
                    fill(in, type, type->size, N, (enum shape)shape, seed_of_run() + s);
                if (own[o].op == &longest_ww)
                    for (size_t i = 0; i < N; i++)
                        ((float *)in)[i] = fabsf(((float *)in)[i]) > 1e15f ? 1 : fabsf(((float *)in)[i]);
                expect_reduce(checked, plain, own[o].op, type, sizes[s]);
            }
    ww_close(checked);
    ww_close(plain);
}

/* ---- built-in ones: on every type, and on all that floats can be ---- */

static void built_in(void **state) {
    (void)state;
    static const char *const labels[] = {"u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "u128", "i128"};
    static const ww_function *const operators[] = {&ww_add, &ww_mul, &ww_min, &ww_max, &ww_and, &ww_or};
    static const ww_function *const orders[] = {&ww_ascending, &ww_descending, NULL};
    ww_device *checked = open_one(WW_CHECKS_ON), *plain = open_one(WW_CHECKS_OFF);
    for (size_t l = 0; l < sizeof labels / sizeof *labels; l++) {
        const ww_type *type = ww_type_named(labels[l]);
        if (!type) continue;
        fill(in, type, type->size, N, ADVERSARIAL, seed_of_run());
        for (size_t o = 0; o < 6; o++) {
            CASE("check", "%s %s", operators[o]->name, type->label);
            if (!case_wanted() || (type->kind == WW_KIND_FLOAT && o >= 4)) continue;
            expect_reduce(checked, plain, operators[o], type, N);
        }
        for (size_t o = 0; o < 3; o++) {
            CASE("check", "order %zu %s", o, type->label);
            if (!case_wanted()) continue;
            const ww_input x = ww_memory_of(in, N, type);
            expect_status(checked,
                          ww_sort_by(checked, orders[o], x, ww_no_input, ww_array_of(with, N, type), ww_none, NULL),
                          WW_OK);
            expect_status(plain,
                          ww_sort_by(plain, orders[o], x, ww_no_input, ww_array_of(without, N, type), ww_none, NULL),
                          WW_OK);
            expect_bytes(with, without, N * type->size);
        }
    }
    ww_close(checked);
    ww_close(plain);
}

/* ---- orders ---- */

WW_LESS(lower, uint32_t, a, b, { return a < b; });
WW_LESS(higher_byte, uint32_t, a, b, { return a >> 24 > b >> 24; });
WW_LESS(numbers_first, float, a, b, { return a < b || (a == a && b != b); });
WW_LESS(all_equal, uint8_t, a, b, { return 0 * (a + b); });
WW_LESS(place_before, place, a, b, { return a.value < b.value || (a.value == b.value && a.at > b.at); });
WW_LESS(longer_line, line, a, b, { return a.scale > b.scale; });

static void orders(void **state) {
    (void)state;
    static const struct {
        const ww_function *less;
        const ww_type *type;
    } own[] = {{&lower_ww, &ww_type_uint32_t},      {&higher_byte_ww, &ww_type_uint32_t},
               {&numbers_first_ww, &ww_type_float}, {&all_equal_ww, &ww_type_uint8_t},
               {&place_before_ww, &place_ww},       {&longer_line_ww, &line_ww}};
    ww_device *checked = open_one(WW_CHECKS_ON), *plain = open_one(WW_CHECKS_OFF);
    for (size_t o = 0; o < sizeof own / sizeof *own; o++)
        for (int shape = 0; shape < SHAPES; shape++) {
            const ww_type *type = own[o].type;
            const bool is_struct = type->kind == WW_KIND_STRUCT;
            CASE("check", "%s %s", own[o].less->name, shape_name((enum shape)shape));
            if (!case_wanted() || (shape && is_struct)) continue;
            if (is_struct)
                fill_structs(type, seed_of_run());
            else
                fill(in, type, type->size, N, (enum shape)shape, seed_of_run());
            const ww_input x = ww_memory_of(in, N, type);
            expect_status(checked,
                          ww_sort_by(checked, own[o].less, x, ww_no_input, ww_array_of(with, N, type), ww_none, NULL),
                          WW_OK);
            expect_status(
                plain, ww_sort_by(plain, own[o].less, x, ww_no_input, ww_array_of(without, N, type), ww_none, NULL),
                WW_OK);
            expect_bytes(with, without, N * type->size);
        }
    ww_close(checked);
    ww_close(plain);
}

/* ---- maps, and structs that are not read or do not fit ---- */

WW_STRUCT(odd, {
    unsigned kind : 3;
    float x;
}); /* bits: its members are not known */
WW_MAP(to_odd, odd, float, x, void, none, {
    odd o;
    o.kind = 5;
    o.x = x;
    return o;
});
WW_COMBINE(add_odd, odd, a, b, WW_COMMUTES, WW_IDENTITY({0, 0}), {
    odd o;
    o.kind = a.kind | b.kind;
    o.x = a.x + b.x;
    return o;
});
WW_STRUCT(huge, { uint64_t word[40000]; });
WW_LESS(huge_before, huge, a, b, { return a.word[0] < b.word[0]; });
WW_MAP(reciprocal, float, float, x, void, none, { return 1 / x; });
WW_MAP(to_nan, float, float, x, void, none, { return x - x + (x - x) / (x - x); });

static void strange(void **state) {
    (void)state;
    ww_device *device = open_one(WW_CHECKS_ON);
    odd *odds = need(N * sizeof *odds);
    huge *many = need(4 * sizeof *many);
    fill(in, &ww_type_float, 4, N, ADVERSARIAL, seed_of_run());
    memset(many, 7, 4 * sizeof *many);
    const ww_input x = ww_memory((float *)in, N);
    CASE("check", "strange");
    expect_status(device, ww_map(device, &to_odd_ww, x, ww_array_of(odds, N, &odd_ww)), WW_OK);
    expect_status(device, ww_reduce(device, &add_odd_ww, ww_mapped(&to_odd_ww, x), ww_array_of(odds, 1, &odd_ww)),
                  WW_OK);
    expect_status(
        device,
        ww_arg_min(device, &huge_before_ww, ww_memory_of(many, 4, &huge_ww), ww_none, ww_array((uint64_t *)with, 1)),
        WW_OK);
    expect_status(device, ww_map(device, &reciprocal_ww, x, ww_array((float *)with, N)), WW_OK);
    expect_status(device, ww_map(device, &to_nan_ww, x, ww_array((float *)with, N)), WW_OK);
    free(odds);
    free(many);
    ww_close(device);
}

/* Scratch memory, its peak and its limit are as without. */
static void scratch(void **state) {
    (void)state;
    size_t peak[2], held[2];
    fill(in, &ww_type_uint32_t, 4, N, UNIFORM, 1);
    for (int checks = 0; checks < 2; checks++) {
        ww_device *device = open_one(checks ? WW_CHECKS_ON : WW_CHECKS_OFF);
        ww_device_info info = WW_DEVICE_INFO;
        CASE("check", "scratch");
        expect_status(device,
                      ww_sort_by(device, &lower_ww, ww_memory((uint32_t *)in, N), ww_no_input,
                                 ww_array((uint32_t *)with, N), ww_none, NULL),
                      WW_OK);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        peak[checks] = info.scratch_peak, held[checks] = info.scratch_held;
        ww_close(device);
    }
    expect(peak[0] == peak[1] && held[0] == held[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(operators), cmocka_unit_test(built_in),
                                       cmocka_unit_test(orders), cmocka_unit_test(strange), cmocka_unit_test(scratch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
