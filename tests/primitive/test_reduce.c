/* Reductions against serial oracles: every type, built-in and user operators, structs, non-commutative ones, mapped inputs,
 * segments, extremes; floats bit for bit against the documented tree. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "function/function.h"
#include "reference/reduce.h"
#include "support/cases.h"

#define INTEGERS(X) \
    X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t) X(int8_t) X(int16_t) X(int32_t) X(int64_t) X(ww_u128) X(ww_i128)
#define NUMBERS(X) INTEGERS(X) X(float) X(double)

/* Plain functions on elements, written anew here. */
#define ORACLES(T) \
    static void add_##T(void *r, const void *a, const void *b) { \
        T x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        x = (T)(x + y); \
        memcpy(r, &x, sizeof x); \
    } \
    static void max_##T(void *r, const void *a, const void *b) { \
        T x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        if (y > x) x = y; \
        memcpy(r, &x, sizeof x); \
    }
#define ORACLES_WRAPPING(T, U) \
    static void add_##T(void *r, const void *a, const void *b) { \
        U x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        x = (U)(x + y); \
        memcpy(r, &x, sizeof x); \
    } \
    static void max_##T(void *r, const void *a, const void *b) { \
        T x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        if (y > x) x = y; \
        memcpy(r, &x, sizeof x); \
    }
ORACLES(uint8_t)
ORACLES(uint16_t)
ORACLES(uint32_t)
ORACLES(uint64_t)
ORACLES(ww_u128)
ORACLES(float)
ORACLES(double)
ORACLES_WRAPPING(int8_t, uint8_t)
ORACLES_WRAPPING(int16_t, uint16_t)
ORACLES_WRAPPING(int32_t, uint32_t)
ORACLES_WRAPPING(int64_t, uint64_t)
ORACLES_WRAPPING(ww_i128, ww_u128)

WW_STRUCT(affine, { uint32_t scale, offset, spare; });
WW_COMBINE(compose, affine, f, g, WW_ORDERED, WW_IDENTITY({1, 0, 0}), {
    affine h = {f.scale * g.scale, g.scale * f.offset + g.offset, f.spare ^ g.spare};
    return h;
});
static void compose_elements(void *r, const void *a, const void *b) {
    const affine *f = a, *g = b;
    const affine h = {f->scale * g->scale, g->scale * f->offset + g->offset, f->spare ^ g->spare};
    memcpy(r, &h, sizeof h);
}
WW_COMBINE(join, float, a, b, WW_ORDERED, WW_IDENTITY(0), { return a * 0.5f + b; });
static void join_elements(void *r, const void *a, const void *b) {
    const volatile float half = *(const float *)a * 0.5f;
    *(float *)r = half + *(const float *)b;
}
WW_MAP(square, uint64_t, uint32_t, x, void, none, { return (uint64_t)x * x; });
WW_LESS(closer_to_zero, int32_t, a, b,
        { return (a < 0 ? 0u - (uint32_t)a : (uint32_t)a) < (b < 0 ? 0u - (uint32_t)b : (uint32_t)b); });

typedef struct operation {
    const ww_function *op;
    const char *name;
    const ww_type *type;
    reference_combine *oracle;
    bool shows_bracketing;
} operation;

static const operation operations[] = {
#define BOTH(T) {&ww_add, "add", &ww_type_##T, add_##T, (T)0.5 != 0}, {&ww_max, "max", &ww_type_##T, max_##T, false},
    NUMBERS(BOTH)};
static const operation user_operations[] = {
    {&compose_ww, "compose", &affine_ww, compose_elements, false},
    {&join_ww, "join", &ww_type_float, join_elements, true},
};

static void check_one(ww_device *device, const char *setting, const operation *o, size_t n, shape s) {
    const size_t size = o->type->size;
    CASE("reduce", "%s %s %s n=%zu %s", setting, o->name, o->type->label, n, shape_name(s));
    if (!case_wanted()) return;
    void *x = need(n * size);
    fill(x, o->type, size, n, s, seed_of_run());
    unsigned char wanted[64];
    const ww_function *op = ww__operator(o->op, o->type, size);
    if (o->shows_bracketing)
        reference_reduce_tree(wanted, x, n, size, op->flags & WW_COMMUTES, o->oracle, op->identity);
    else
        reference_reduce(wanted, x, n, size, o->oracle, op->identity);
    guarded out = guarded_new(size);
    expect_status(device, ww_reduce(device, o->op, ww_memory_of(x, n, o->type), ww_array_of(out.data, 1, o->type)),
                  WW_OK);
    expect_elements(out.data, wanted, 1, size);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
}

static void check_operations(const operation *list, size_t many) {
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < many; o++) {
            size_t sizes;
            const size_t *n = sizes_of(list[o].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++)
                check_one(device, setting_name(s), &list[o], n[i], i % 2 ? UNIFORM : (shape)(i / 2 % ADVERSARIAL));
        }
        ww_close(device);
    }
}

static void built_in_operators(void **state) {
    (void)state;
    check_operations(operations, sizeof operations / sizeof *operations);
}

static void user_operators(void **state) {
    (void)state;
    check_operations(user_operations, sizeof user_operations / sizeof *user_operations);
}

static void large_inputs(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        check_one(device, setting_name(s), &operations[4], size_large(), UNIFORM);  /* add u32 */
        check_one(device, setting_name(s), &operations[18], size_large(), UNIFORM); /* add f32 */
        check_one(device, setting_name(s), &user_operations[0], size_large() / 4, UNIFORM);
        ww_close(device);
    }
}

/* IEEE minimum and maximum: a NaN wins, -0 is below 0, whatever the order. */
static void float_extremes(void **state) {
    (void)state;
    float *x = need(300 * sizeof *x), r;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t at = 0; at < 300; at += 37) {
            CASE("reduce", "%s float extremes, at %zu", setting_name(s), at);
            if (!case_wanted()) continue;
            for (size_t i = 0; i < 300; i++) x[i] = 0.0f;
            x[at] = -0.0f;
            expect_status(device, ww_reduce(device, &ww_min, ww_memory(x, 300), ww_array(&r, 1)), WW_OK);
            expect(r == 0 && signbit(r));
            expect_status(device, ww_reduce(device, &ww_max, ww_memory(x, 300), ww_array(&r, 1)), WW_OK);
            expect(r == 0 && !signbit(r));
            x[at] = NAN;
            expect_status(device, ww_reduce(device, &ww_min, ww_memory(x, 300), ww_array(&r, 1)), WW_OK);
            expect(isnan(r));
            expect_status(device, ww_reduce(device, &ww_max, ww_memory(x, 300), ww_array(&r, 1)), WW_OK);
            expect(isnan(r));
        }
        ww_close(device);
    }
    free(x);
}

static void inputs_of_every_kind(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const uint64_t n = on_emulator() ? 50001 : 300001;
        uint64_t sum, wanted = 0;
        for (uint64_t i = 0; i < n; i++) wanted += i * i;
        const ww_input squares = ww_mapped(&square_ww, ww_counting(&ww_type_uint32_t, 0, n));
        expect_status(device, ww_reduce(device, &ww_add, squares, ww_array(&sum, 1)), WW_OK);
        expect(sum == wanted);
        const uint64_t three = 3;
        expect_status(device, ww_reduce(device, &ww_add, ww_constant(ww_value(uint64_t, three), n), ww_array(&sum, 1)),
                      WW_OK);
        expect(sum == 3 * n);
        ww_close(device);
    }
}

static void check_segments(ww_device *device, const char *setting, const operation *o, const ww_type *offset_type,
                           const char *lengths_name, const size_t *lengths, size_t segments) {
    CASE("reduce_segments", "%s %s %s offsets %s %s", setting, o->name, o->type->label, offset_type->label,
         lengths_name);
    if (!case_wanted()) return;
    const size_t size = o->type->size;
    uint32_t *offsets32 = need((segments + 1) * 4);
    uint64_t *offsets64 = need((segments + 1) * 8);
    offsets64[0] = offsets32[0] = 5;
    for (size_t i = 0; i < segments; i++) {
        offsets64[i + 1] = offsets64[i] + lengths[i];
        offsets32[i + 1] = (uint32_t)offsets64[i + 1];
    }
    const size_t n = offsets64[segments] + 3;
    unsigned char *x = need(n * size), *wanted = need(segments * size);
    fill(x, o->type, size, n, UNIFORM, seed_of_run());
    const ww_function *op = ww__operator(o->op, o->type, size);
    for (size_t i = 0; i < segments; i++)
        reference_reduce_tree(wanted + i * size, x + offsets64[i] * size, lengths[i], size, op->flags & WW_COMMUTES,
                              o->oracle, op->identity);
    guarded out = guarded_new(segments * size);
    const void *offsets = offset_type == &ww_type_uint32_t ? (const void *)offsets32 : offsets64;
    expect_status(device,
                  ww_reduce_segments(device, o->op, ww_memory_of(x, n, o->type),
                                     ww_memory_of(offsets, segments + 1, offset_type),
                                     ww_array_of(out.data, segments, o->type)),
                  WW_OK);
    expect_elements(out.data, wanted, segments, size);
    guarded_check(&out);
    guarded_free(&out);
    free(x);
    free(wanted);
    free(offsets32);
    free(offsets64);
}

/* Segments of every length around the boundaries, empty ones among them, in u32 and u64 offsets. */
static void segments(void **state) {
    (void)state;
    const size_t large = on_emulator() ? 20 : 1; /* one that takes two levels is not for the emulator */
    const size_t lengths[] = {
        0, 1, 7, 0, 31, 32, 33, 127, 128, 129, 256, 257, 511, 4095, 4096, 4097, 3, 100000 / large, 0, 70000 / large,
        1, 1};
    /* Few and long: on a GPU a block has each, but for one of more tiles than it takes. */
    const size_t few[] = {0, 5000, 300, 4096, 4097, 16385, 8192, 1, 2000};
    const size_t many = sizeof lengths / sizeof *lengths;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < sizeof operations / sizeof *operations; o += on_emulator() ? 2 : 1)
            check_segments(device, setting_name(s), &operations[o], &ww_type_uint32_t, "few and long", few,
                           sizeof few / sizeof *few);
        for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
            check_segments(device, setting_name(s), &operations[o], o % 2 ? &ww_type_uint32_t : &ww_type_uint64_t,
                           "edges", lengths, many);
        check_segments(device, setting_name(s), &user_operations[0], &ww_type_uint64_t, "edges", lengths, many);
        check_segments(device, setting_name(s), &user_operations[1], &ww_type_uint32_t, "edges", lengths, many);
        ww_close(device);
    }
}

/* Many segments, so that some are neighbours in a warp: all empty, of 32, of mixed lengths; one with everything; and few, one of which has
 * more tiles than a block folds by itself on a GPU. */
static void segments_of_every_mix(void **state) {
    (void)state;
    enum { ONE = 3, FEW, FEW_SEGMENTS = 60, TILES = 70001 /* elements of 8 bytes */ };
    static const char *const names[] = {"empty", "32", "mixed", "one", "few"};
    const operation *const some[] = {&operations[0],  &operations[4],      &operations[18],
                                     &operations[20], &user_operations[0], &user_operations[1]};
    const size_t most = on_emulator() ? 900 : 20000;
    size_t *lengths = need(most * sizeof *lengths);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t mix = 0; mix < sizeof names / sizeof *names; mix++) {
            const size_t many = mix == ONE ? 1 : mix == FEW ? FEW_SEGMENTS : most;
            uint64_t random = seed_of_run();
            for (size_t i = 0; i < many; i++) {
                const uint64_t r = random_next(&random), of = (r >> 20) % (r % 50 ? r % 10 ? 12 : 150 : 900);
                lengths[i] = mix == 0               ? 0
                             : mix == 1             ? 32
                             : mix == ONE           ? size_large()
                             : mix == FEW && i == 7 ? TILES
                                                    : of;
            }
            for (size_t o = 0; o < sizeof some / sizeof *some; o++)
                if (mix != FEW || some[o]->type->size >= sizeof(uint64_t))
                    check_segments(device, setting_name(s), some[o], o % 2 ? &ww_type_uint32_t : &ww_type_uint64_t,
                                   names[mix], lengths, many);
        }
        ww_close(device);
    }
    free(lengths);
}

static void bad_offsets(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    enum { ROWS = 6 };
    static const uint64_t cases[ROWS][5] = {{0, 5, 4, 9, 10},     {0, 5, 6, 11, 11},
                                            {12, 12, 12, 12, 12}, {0, 5, 6, 10, 11},
                                            {0, 0, 0, 0, 11},     {0, 5, 6, 10, (UINT64_C(1) << 32) + 10}};
    static const char *const sentences[ROWS] = {
        "offsets[2] is 4, below", "offsets[3] is 11, and the input has 10 elements",
        "offsets[0] is 12",       "offsets[4] is 11, and the input has 10 elements",
        "offsets[4] is 11",       "offsets[4] is 4294967306, and the input has 10 elements"};
    uint32_t *x = need(10 * sizeof *x), *out = need(4 * sizeof *out);
    uint64_t *offsets = need(sizeof cases[0]);
    memset(x, 0, 10 * sizeof *x);
    for (size_t i = 0; i < ROWS; i++) {
        CASE("reduce_segments", "%s bad offsets %zu", setting_name(0), i);
        memcpy(offsets, cases[i], sizeof cases[i]);
        const ww_status status = ww_reduce_segments(device, &ww_add, ww_memory(x, 10), ww_memory(offsets, 5),
                                                    ww_array(out, 4));
        expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE); /* a GPU's queue finds it */
        expect_sentence(device, "ww_reduce_segments", sentences[i]);
    }
    expect_status(device,
                  ww_reduce_segments(device, &ww_add, ww_memory(x, 10), ww_memory(offsets, 4), ww_array(out, 4)),
                  WW_INVALID);
    free(x);
    free(out);
    free(offsets);
    ww_close(device);
}

/* Many segments, of which the last ends one element beyond the input: by offsets of both types, and with an input that is
 * computed, whose elements behind the end are there to be read. */
static void last_offset_beyond(void **state) {
    (void)state;
    static const size_t counts[] = {1, 2, 31, 32, 33, 257, 5000};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t many = counts[c], n = 30 * many;
            uint32_t *offsets = need((many + 1) * 4), *x = need(n * 4);
            uint64_t *wide = need((many + 1) * 8);
            char sentence[100];
            for (size_t i = 0; i <= many; i++) wide[i] = offsets[i] = (uint32_t)(30 * i + (i == many));
            memset(x, 0, n * 4);
            snprintf(sentence, sizeof sentence, "offsets[%zu] is %zu, and the input has %zu elements", many, n + 1, n);
            for (int how = 0; how < 3; how++) {
                CASE("reduce_segments", "%s last beyond, segments=%zu how=%d", setting_name(s), many, how);
                if (!case_wanted()) continue;
                guarded out = guarded_new(many * 4);
                const ww_status status = ww_reduce_segments(
                    device, &ww_add, how == 2 ? ww_counting(&ww_type_uint32_t, 0, n) : ww_memory(x, n),
                    how == 1 ? ww_memory(wide, many + 1) : ww_memory(offsets, many + 1),
                    ww_array((uint32_t *)out.data, many));
                expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE);
                expect_sentence(device, sentence);
                guarded_check(&out);
                guarded_free(&out);
            }
            free(offsets), free(wide), free(x);
        }
        ww_close(device);
    }
}

/* All elements again and again, each time a segment of several levels, and between them ends that lie below their begins: more
 * segments are listed than the lists have room for, or (of FEW) more tiles, and nothing may be folded of them. Nor does anything happen behind a call
 * that found bad data: the report stays that call's, though its bad position is the higher one. */
static void levels_of_bad_offsets(void **state) {
    enum { N = 60000, SEGMENTS = 400, FEW = 12, BAD = 5 };
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *x = need(N * sizeof *x), *index = need((BAD + 1) * sizeof *index), *to = need((BAD + 1) * sizeof *to);
    uint64_t *offsets = need((SEGMENTS + 1) * sizeof *offsets);
    memset(x, 0, N * sizeof *x);
    for (uint32_t i = 0; i <= BAD; i++) index[i] = i < BAD ? i : N;
    for (size_t i = 0; i <= SEGMENTS; i++) offsets[i] = i % 2 * N;
    for (int how = 0; how < (on_gpu() ? 4 : 2); how++) {
        const bool queued = how / 2;
        const size_t segments = how % 2 ? FEW : SEGMENTS;
        CASE("reduce_segments", "%s levels of bad offsets, %zu%s", setting_name(0), segments,
             queued ? ", behind bad data" : "");
        if (!case_wanted()) continue;
        guarded out = guarded_new(segments * sizeof *x);
        if (queued) expect(!ww_gather(device, ww_memory(x, N), ww_memory(index, BAD + 1), ww_array(to, BAD + 1)));
        const ww_status status = ww_reduce_segments(device, &ww_add, ww_memory(x, N), ww_memory(offsets, segments + 1),
                                                    ww_array((uint32_t *)out.data, segments));
        expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE);
        expect_sentence(device, queued ? "ww_gather (queued): index[5] is 60000" : "offsets[2] is 0, below");
        guarded_check(&out), guarded_free(&out);
    }
    free(x), free(index), free(to), free(offsets);
    ww_close(device);
}

/* totalOrder of floats, as an integer comparison of sign and magnitude. */
static bool less_float(const void *a, const void *b) {
    int32_t x, y;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    if (x < 0) x ^= INT32_MAX;
    if (y < 0) y ^= INT32_MAX;
    return x < y;
}
static bool less_uint32_t(const void *a, const void *b) { return *(const uint32_t *)a < *(const uint32_t *)b; }
static bool less_int64_t(const void *a, const void *b) { return *(const int64_t *)a < *(const int64_t *)b; }
static bool less_uint8_t(const void *a, const void *b) { return *(const uint8_t *)a < *(const uint8_t *)b; }
static bool greater_double(const void *a, const void *b) {
    int64_t x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    if (x < 0) x ^= INT64_MAX;
    if (y < 0) y ^= INT64_MAX;
    return y < x;
}
static bool less_closer(const void *a, const void *b) {
    const int64_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < 0 ? -x : x) < (y < 0 ? -y : y);
}

static void extremes(void **state) {
    (void)state;
    const struct {
        const ww_function *less;
        const ww_type *type;
        reference_less *oracle;
    } orders[] = {{NULL, &ww_type_float, less_float},
                  {NULL, &ww_type_uint32_t, less_uint32_t},
                  {&ww_ascending, &ww_type_int64_t, less_int64_t},
                  {NULL, &ww_type_uint8_t, less_uint8_t},
                  {&ww_descending, &ww_type_double, greater_double},
                  {&closer_to_zero_ww, &ww_type_int32_t, less_closer}};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            const size_t size = orders[o].type->size;
            size_t sizes;
            const size_t *n = sizes_of(size, &sizes);
            for (size_t i = 1; i < sizes; i++) {
                const shape sh = (shape)(i % SHAPES);
                CASE("extremes", "%s %s n=%zu %s", setting_name(s), orders[o].type->label, n[i], shape_name(sh));
                if (!case_wanted()) continue;
                unsigned char *x = need(n[i] * size), value[8];
                fill(x, orders[o].type, size, n[i], sh, seed_of_run());
                for (int greatest = 0; greatest < 2; greatest++) {
                    uint64_t at;
                    const size_t wanted = reference_extreme(x, n[i], size, greatest, orders[o].oracle);
                    expect_status(device,
                                  (greatest ? ww_arg_max
                                            : ww_arg_min)(device, orders[o].less, ww_memory_of(x, n[i], orders[o].type),
                                                          ww_array_of(value, 1, orders[o].type), ww_array(&at, 1)),
                                  WW_OK);
                    expect(at == wanted);
                    expect_elements(value, x + wanted * size, 1, size);
                }
                free(x);
            }
        }
        ww_close(device);
    }
}

/* ---- the same extreme in the parts of two workers ---- */

/* Worker 1 takes the first elements, and waits with them until worker 0 has taken some; then there are no more for it. Or
 * the other way round. All elements are equal. */
static struct {
    int first_taken, second_taken; /* atomic */
    size_t leader;
} two;

WW_MAP(equal_slowly, uint32_t, uint64_t, i, void, none, {
    if (i == 0) {
        __atomic_store_n(&two.first_taken, 1, __ATOMIC_RELEASE);
        while (!__atomic_load_n(&two.second_taken, __ATOMIC_ACQUIRE)) sched_yield();
    } else if (i == 100000) {
        __atomic_store_n(&two.second_taken, 1, __ATOMIC_RELEASE);
    }
    return 7;
});

typedef struct one_task {
    void (*task)(void *argument, size_t index);
    void *argument;
    size_t index;
} one_task;

static void *run_task(void *argument) {
    const one_task *t = argument;
    t->task(t->argument, t->index);
    return NULL;
}

static void run_in_turn(void *context, size_t count, void (*task)(void *argument, size_t index), void *argument) {
    (void)context;
    pthread_t leader;
    one_task first = {task, argument, two.leader};
    expect(count == 2 && !pthread_create(&leader, NULL, run_task, &first));
    while (!__atomic_load_n(&two.first_taken, __ATOMIC_ACQUIRE)) sched_yield();
    task(argument, !two.leader);
    pthread_join(leader, NULL);
}

static void extremes_of_two_workers(void **state) {
    (void)state;
    if (left_out_on_gpu("workers are the CPU's")) return;
    const uint64_t n = 200000;
    for (unsigned turn = 0; turn < 4; turn++) {
        const bool greatest = turn / 2;
        ww_device *device;
        ww_open_options options = WW_OPEN_OPTIONS;
        options.threads = 2;
        options.executor.run = run_in_turn;
        expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
        CASE("extremes", "of two workers, %s, worker %u first", greatest ? "greatest" : "least", turn % 2);
        if (case_wanted()) {
            uint32_t value = 0;
            uint64_t at = 77;
            two.first_taken = two.second_taken = 0;
            two.leader = turn % 2;
            const ww_input in = ww_mapped(&equal_slowly_ww, ww_counting(&ww_type_uint64_t, 0, n));
            expect_status(device,
                          (greatest ? ww_arg_max : ww_arg_min)(device, NULL, in, ww_array(&value, 1), ww_array(&at, 1)),
                          WW_OK);
            expect(value == 7 && at == 0);
        }
        ww_close(device);
    }
}

/* The extreme stands at several places, which several blocks, or workers, see to: the lowest position is told, wherever
 * else they are. */
static void equal_extremes(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 20003 : 700001;
    float *x = need(n * sizeof *x);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        uint64_t random = seed_of_run();
        for (unsigned round = 0; round < 16; round++) {
            CASE("extremes", "%s equal ones, round %u", setting_name(s), round);
            size_t lowest = n;
            const float sign = round % 2 ? 1 : -1;
            for (size_t i = 0; i < n; i++) x[i] = (float)(random_next(&random) >> 40);
            for (unsigned k = 0; k < 2 + round; k++) {
                const size_t at = (size_t)(random_next(&random) % n);
                x[at] = sign * 1e9f;
                if (at < lowest) lowest = at;
            }
            if (!case_wanted()) continue;
            uint64_t at = 77;
            float value = 0;
            expect_status(device,
                          (round % 2 ? ww_arg_max : ww_arg_min)(device, NULL, ww_memory(x, n), ww_array(&value, 1),
                                                                ww_array(&at, 1)),
                          WW_OK);
            expect(at == lowest && value == sign * 1e9f);
        }
        ww_close(device);
    }
    free(x);
}

/* The same, in more blocks than a block has threads: a thread compares what several have found. The lowest is in the first of
 * them. A GPU has so many processors; the emulator's handle is told that it has. */
static void extremes_of_many_blocks(void **state) {
    (void)state;
    enum { N = (256 + 6) * 256 * 8 + 5, PROCESSORS = 64 };
    if (!on_gpu()) {
        left_out("a CPU has no blocks");
        return;
    }
    ww_device *device = setting_open(0);
    if (on_emulator()) device->gpu->driver->processors = PROCESSORS;
    int64_t *x = need(N * sizeof *x), value;
    for (unsigned round = 0; round < 2; round++) {
        CASE("extremes of many blocks", "equal ones, round %u", round);
        if (!case_wanted()) continue;
        const size_t lowest = round * 1999;
        uint64_t at = 77;
        for (size_t i = 0; i < N; i++) x[i] = i < lowest || (round && i % 3 != lowest % 3) ? 8 : 7;
        expect_status(device, ww_arg_min(device, &ww_ascending, ww_memory(x, N), ww_array(&value, 1), ww_array(&at, 1)),
                      WW_OK);
        expect(at == lowest && value == 7);
    }
    free(x);
    ww_close(device);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {1, 2, 3, 4}, r = 77;
    uint64_t wide = 77;
    expect_status(NULL, ww_reduce(NULL, &ww_add, ww_memory(x, 4), ww_array(&r, 1)), WW_INVALID);
    expect_status(device, ww_reduce(device, NULL, ww_memory(x, 4), ww_array(&r, 1)), WW_INVALID);
    expect_status(device, ww_reduce(device, &ww_ascending, ww_memory(x, 4), ww_array(&r, 1)), WW_TYPE);
    expect_status(device, ww_reduce(device, &compose_ww, ww_memory(x, 4), ww_array(&r, 1)), WW_TYPE);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, 4), ww_array(&wide, 1)), WW_TYPE);
    expect_sentence(device, "u32", "u64");
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, 4), ww_array(x, 1)), WW_OVERLAP);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, 4), ww_array(&r, 2)), WW_INVALID);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, 4), ww_none), WW_INVALID);
    expect_status(device, ww_reduce(device, &ww_add, ww_no_input, ww_array(&r, 1)), WW_INVALID);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory((uint32_t *)NULL, 4), ww_array(&r, 1)), WW_INVALID);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, UINT64_MAX / 2), ww_array(&r, 1)), WW_INVALID);
    expect_sentence(device, "more than memory can hold");
    expect_status(device, ww_reduce(device, &ww_add, ww_mapped(&join_ww, ww_memory(x, 4)), ww_array(&r, 1)), WW_TYPE);
    expect_status(device, ww_arg_min(device, NULL, ww_memory(x, 0), ww_none, ww_array(&wide, 1)), WW_INVALID);
    expect(r == 77 && wide == 77);
    expect_status(device, ww_arg_min(device, NULL, ww_memory(x, 4), ww_none, ww_array(&wide, 1)), WW_OK);
    expect(wide == 0);
    ww_close(device);
}

/* One element for each tile of 16 KiB, and 64 KiB a thread. */
static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    ww_device *device = setting_open(0);
    const size_t n = size_large();
    uint64_t *x = need(n * sizeof *x), r;
    fill(x, &ww_type_uint64_t, 8, n, UNIFORM, seed_of_run());
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(x, n), ww_array(&r, 1)), WW_OK);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= (n / 2048 + 2) * 8 + info.threads * 65536);
    free(x);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_operators),
        cmocka_unit_test(user_operators),
        cmocka_unit_test(large_inputs),
        cmocka_unit_test(float_extremes),
        cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(segments),
        cmocka_unit_test(segments_of_every_mix),
        cmocka_unit_test(bad_offsets),
        cmocka_unit_test(last_offset_beyond),
        cmocka_unit_test(levels_of_bad_offsets),
        cmocka_unit_test(extremes_of_two_workers),
        cmocka_unit_test(equal_extremes),
        cmocka_unit_test(extremes),
        cmocka_unit_test(extremes_of_many_blocks),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(scratch_bound),
    };
    return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}
