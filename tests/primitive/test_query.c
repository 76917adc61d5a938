/* Counts, truths, first positions, sortedness and extremes against serial oracles: every order and type, predicates with an
 * environment and results of several types, mapped inputs, answers at the first, the last and no position, errors. */
#include <math.h>

#include "device/device.h"
#include "primitive/orders.h"
#include "reference/query.h"

/* ---- predicates ---- */

WW_MAP(is_seven, uint8_t, uint32_t, x, void, none, { return x == 7; });
WW_MAP(above, float, double, x, double, limit, { return x > *limit ? 0.5f : 0.0f; });
WW_MAP(low_bits, int64_t, uint64_t, x, void, none, { return (int64_t)(x % 5) - 2; });
WW_MAP(has_key, uint16_t, tagged, x, void, none, { return x.key % 3 == 0; });
WW_MAP(odd_byte, uint32_t, uint8_t, x, void, none, { return x & 1; });
WW_MAP(times_three, uint32_t, uint32_t, x, void, none, { return 3 * x; });

static const double limit = 0.25;
static bool seven(const void *x) { return *(const uint32_t *)x == 7; }
static bool above_limit(const void *x) { return *(const double *)x > limit; }
static bool not_two(const void *x) { return *(const uint64_t *)x % 5 != 2; }
static bool third_key(const void *x) { return ((const tagged *)x)->key % 3 == 0; }
static bool is_odd(const void *x) { return *(const uint8_t *)x & 1; }

typedef struct question {
    const char *name;
    const ww_type *type;
    ww_function f;
    reference_predicate *holds;
} question;
enum { QUESTIONS = 5 };
static void list_questions(question q[QUESTIONS]) {
    q[0] = (question){"seven", &ww_type_uint32_t, is_seven_ww, seven};
    q[1] = (question){"above", &ww_type_double, ww_bound(&above_ww, &limit, 1, &ww_type_double), above_limit};
    q[2] = (question){"low bits", &ww_type_uint64_t, low_bits_ww, not_two};
    q[3] = (question){"key", &tagged_ww, has_key_ww, third_key};
    q[4] = (question){"odd", &ww_type_uint8_t, odd_byte_ww, is_odd};
}

/* An answer that stands between guarded bytes. */
static uint64_t number_of(const guarded *g, bool wide) {
    return wide ? *(const uint64_t *)g->data : *(const uint32_t *)g->data;
}
static ww_array number_array(const guarded *g, bool wide) {
    return ww_array_of(g->data, 1, wide ? &ww_type_uint64_t : &ww_type_uint32_t);
}

static void check_question(ww_device *device, const question *q, const ww_input *in, const void *x, size_t n,
                           bool wide) {
    const size_t size = q->type->size;
    guarded number = guarded_new(wide ? 8 : 4), truth = guarded_new(1);
    const ww_array truth_out = ww_array((uint8_t *)truth.data, 1);
    expect_status(device, ww_count_if(device, &q->f, *in, number_array(&number, wide)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(number_of(&number, wide) == reference_count_if(x, n, size, q->holds));
    expect_status(device, ww_find_if(device, &q->f, *in, number_array(&number, wide)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(number_of(&number, wide) == reference_find_if(x, n, size, q->holds, true));
    expect_status(device, ww_any(device, &q->f, *in, truth_out), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*(uint8_t *)truth.data == (reference_find_if(x, n, size, q->holds, true) < n));
    expect_status(device, ww_all(device, &q->f, *in, truth_out), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(*(uint8_t *)truth.data == (reference_find_if(x, n, size, q->holds, false) == n));
    guarded_check(&number), guarded_check(&truth);
    guarded_free(&number), guarded_free(&truth);
}

static void predicates(void **state) {
    (void)state;
    question list[QUESTIONS];
    list_questions(list);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t q = 0; q < QUESTIONS; q++) {
            const size_t size = list[q].type->size;
            size_t sizes;
            const size_t *n = sizes_of(size, &sizes);
            for (size_t i = 0; i < sizes; i++) {
                if (setting_count() > 3 && (i + q + s) % 2) continue;
                const shape sh = (shape)((i + q) % SHAPES);
                CASE("query", "%s %s n=%zu %s", setting_name(s), list[q].name, n[i], shape_name(sh));
                if (!case_wanted()) continue;
                void *x = need(n[i] * size);
                fill(x, list[q].type, size, n[i], sh, seed_of_run() + i);
                const ww_input in = ww_memory_of(x, n[i], list[q].type);
                check_question(device, &list[q], &in, x, n[i], i % 2);
                free(x);
            }
        }
        ww_close(device);
    }
}

/* One seven among others, or one that is none among sevens, anywhere: what is found behind others by threads that were faster. */
static void first_positions(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 70001 : 600001;
    const size_t at[] = {0, 1, 31, 4095, 4096, 4097, 33333, 69999, n - 2, n - 1, n};
    uint32_t *x = need(n * sizeof *x);
    question list[QUESTIONS];
    list_questions(list);
    const ww_input in = ww_memory(x, n);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t a = 0; a < sizeof at / sizeof *at; a++)
            for (int several = 0; several < 2; several++) {
                CASE("query", "%s first at %zu%s", setting_name(s), at[a], several ? " and behind" : "");
                if (!case_wanted()) continue;
                for (size_t i = 0; i < n; i++) x[i] = i == at[a] || (several && i > at[a] && i % 3) ? 7 : 8;
                check_question(device, &list[0], &in, x, n, false);
                for (size_t i = 0; i < n; i++) x[i] = 15 - x[i];
                check_question(device, &list[0], &in, x, n, true);
            }
        ww_close(device);
    }
    free(x);
}

/* ---- orders ---- */

static void check_order(ww_device *device, const order *o, const ww_input *in, const void *x, size_t n) {
    const size_t size = o->type->size, sorted = reference_in_order(x, n, size, o->before);
    guarded number = guarded_new(8), truth = guarded_new(1), least = guarded_new(size), greatest = guarded_new(size);
    const ww_array least_out = ww_array_of(least.data, 1, o->type),
                   greatest_out = ww_array_of(greatest.data, 1, o->type);
    expect_status(device,
                  ww_is_sorted(device, o->less, *in, ww_array((uint8_t *)truth.data, 1), number_array(&number, true)),
                  WW_OK);
    expect_status(device, ww_min_max(device, o->less, *in, least_out, greatest_out), n ? WW_OK : WW_INVALID);
    expect_status(device, ww_sync(device), WW_OK);
    expect(number_of(&number, true) == sorted && *(uint8_t *)truth.data == (sorted == n));
    if (n) {
        const unsigned char *e = x;
        expect_elements(least.data, e + reference_extreme(x, n, size, false, o->before) * size, 1, size);
        expect_elements(greatest.data, e + reference_extreme(x, n, size, true, o->before) * size, 1, size);
    }
    guarded_check(&number), guarded_check(&truth), guarded_check(&least), guarded_check(&greatest);
    guarded_free(&number), guarded_free(&truth), guarded_free(&least), guarded_free(&greatest);
}

static void every_order(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < ORDERS; o++) {
            const size_t size = orders[o].type->size;
            size_t sizes;
            const size_t *n = sizes_of(size, &sizes);
            if (left_to_gpus(o)) continue;
            for (size_t i = 0; i < sizes; i++) {
                if (setting_count() > 3 && (i + o + s) % 3) continue; /* each pair in every third setting */
                const shape sh = (shape)((i + o) % SHAPES);
                CASE("query", "%s order %s n=%zu %s", setting_name(s), orders[o].name, n[i], shape_name(sh));
                if (!case_wanted()) continue;
                unsigned char *x = need(n[i] * size);
                fill(x, orders[o].type, size, n[i], sh, seed_of_run() + i);
                const ww_input in = ww_memory_of(x, n[i], orders[o].type);
                check_order(device, &orders[o], &in, x, n[i]);
                /* Sorted, and then with one element too early. */
                free(x);
                x = sorted_new(&orders[o], n[i], sh, seed_of_run() + i);
                const ww_input again = ww_memory_of(x, n[i], orders[o].type);
                check_order(device, &orders[o], &again, x, n[i]);
                if (n[i] > 1) {
                    const size_t to = n[i] - 1 - (i % 2 ? 0 : n[i] / 3);
                    memcpy(x + to * size, x, size);
                    check_order(device, &orders[o], &again, x, n[i]);
                }
                free(x);
            }
        }
        ww_close(device);
    }
}

/* Large enough for all threads, by computed elements and by an order of the caller's whose equal elements are told apart. */
static void large_inputs(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 50001 : size_large() / 2;
    tagged *x = need(n * sizeof *x);
    uint32_t *y = need(n * sizeof *y);
    const order *const by_tag = &orders[ORDERS - 4];
    question list[QUESTIONS];
    list_questions(list);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("query", "%s large", setting_name(s));
        if (case_wanted()) {
            fill(x, &tagged_ww, sizeof *x, n, UNIFORM, seed_of_run());
            for (size_t i = 0; i < n; i++) x[i].key = (uint16_t)(x[i].key % 7 + 1);
            const ww_input in = ww_memory_of(x, n, &tagged_ww);
            check_order(device, by_tag, &in, x, n);
            check_question(device, &list[3], &in, x, n, true);
        }
        CASE("query", "%s computed", setting_name(s));
        if (case_wanted()) {
            for (size_t i = 0; i < n; i++) y[i] = (uint32_t)i * 3;
            const ww_input in = ww_mapped(&times_three_ww, ww_counting(&ww_type_uint32_t, 0, n));
            check_order(device, &orders[4], &in, y, n);
            check_question(device, &list[0], &in, y, n, true);
        }
        ww_close(device);
    }
    free(x), free(y);
}

/* The order of floats: -NaN, -inf … -0, 0 … inf, NaN. */
static void floats(void **state) {
    (void)state;
    enum { N = 300 };
    float *x = need(N * sizeof *x), *ends = need(2 * sizeof *ends);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t at = 0; at < N; at += 37) {
            CASE("query", "%s floats, at %zu", setting_name(s), at);
            if (!case_wanted()) continue;
            const ww_array least = ww_array(ends, 1), greatest = ww_array(ends + 1, 1);
            for (size_t i = 0; i < N; i++) x[i] = 0.0f;
            x[at] = -0.0f;
            expect_status(device, ww_min_max(device, NULL, ww_memory(x, N), least, greatest), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(signbit(ends[0]) && ends[0] == 0 && !signbit(ends[1]));
            x[at] = NAN;
            expect_status(device, ww_min_max(device, NULL, ww_memory(x, N), least, greatest), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(ends[0] == 0 && isnan(ends[1]));
            x[at] = -NAN;
            expect_status(device, ww_min_max(device, &ww_descending, ww_memory(x, N), least, greatest), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(ends[0] == 0 && isnan(ends[1]));
        }
        ww_close(device);
    }
    free(x), free(ends);
}

static void no_elements(void **state) {
    (void)state;
    uint8_t *truth = need(1);
    uint32_t *number = need(4);
    ww_device *device = setting_open(0);
    CASE("query", "%s no elements", setting_name(0));
    if (case_wanted()) {
        const ww_input none = ww_memory((uint32_t *)NULL, 0);
        expect_status(device, ww_any(device, &is_seven_ww, none, ww_array(truth, 1)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*truth == 0);
        expect_status(device, ww_all(device, &is_seven_ww, none, ww_array(truth, 1)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*truth == 1);
        *number = 77;
        expect_status(device, ww_find_if(device, &is_seven_ww, none, ww_array(number, 1)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*number == 0);
        *truth = 77;
        expect_status(device, ww_is_sorted(device, NULL, none, ww_array(truth, 1), ww_none), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(*truth == 1);
    }
    ww_close(device);
    free(truth), free(number);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[4] = {1, 2, 3, 4}, r = 77;
    uint64_t wide = 77;
    uint8_t truth = 77;
    const ww_input in = ww_memory(x, 4);
    expect_status(NULL, ww_any(NULL, &is_seven_ww, in, ww_array(&truth, 1)), WW_INVALID);
    expect_status(device, ww_any(device, NULL, in, ww_array(&truth, 1)), WW_INVALID);
    expect_status(device, ww_any(device, &by_low_byte_ww, in, ww_array(&truth, 1)), WW_TYPE);
    expect_status(device, ww_any(device, &odd_byte_ww, in, ww_array(&truth, 1)), WW_TYPE);
    expect_status(device, ww_any(device, &is_seven_ww, ww_no_input, ww_array(&truth, 1)), WW_INVALID);
    expect_status(device, ww_any(device, &is_seven_ww, in, ww_array(&r, 1)), WW_TYPE);
    expect_sentence(device, "answer is u32, and has to be u8");
    expect_status(device, ww_all(device, &is_seven_ww, in, ww_none), WW_INVALID);
    expect_status(device, ww_count_if(device, &is_seven_ww, in, ww_array(&truth, 1)), WW_TYPE);
    expect_status(device, ww_count_if(device, &is_seven_ww, in, ww_array(&r, 2)), WW_INVALID);
    expect_status(device, ww_count_if(device, &is_seven_ww, in, ww_array(x, 1)), WW_OVERLAP);
    expect_status(device, ww_count_if(device, &above_ww, ww_memory((double *)(void *)&wide, 1), ww_array(&r, 1)),
                  WW_INVALID);
    expect_status(device, ww_find_if(device, &is_seven_ww, in, ww_none), WW_INVALID);
    expect_status(
        device, ww_find_if(device, &is_seven_ww, ww_counting(&ww_type_uint32_t, 0, UINT64_C(1) << 33), ww_array(&r, 1)),
        WW_TYPE);
    expect_status(device, ww_is_sorted(device, &is_seven_ww, in, ww_array(&truth, 1), ww_none), WW_TYPE);
    expect_status(device, ww_is_sorted(device, NULL, in, ww_none, ww_none), WW_INVALID);
    expect_sentence(device, "there is nothing to say");
    expect_status(device, ww_is_sorted(device, NULL, in, ww_array((uint8_t *)&wide, 1), ww_array(&wide, 1)),
                  WW_OVERLAP);
    expect_status(device, ww_min_max(device, NULL, ww_memory(x, 0), ww_array(&r, 1), ww_array(x, 1)), WW_INVALID);
    expect_sentence(device, "in is empty");
    expect_status(device, ww_min_max(device, NULL, in, ww_array(&r, 1), ww_array(&wide, 1)), WW_TYPE);
    expect_status(device, ww_min_max(device, NULL, in, ww_array(&r, 1), ww_array(&r, 1)), WW_OVERLAP);
    expect_status(device, ww_min_max(device, NULL, in, ww_array(&x[3], 1), ww_array(&r, 1)), WW_OVERLAP);
    expect_status(device, ww_min_max(device, NULL, in, ww_none, ww_array(&r, 1)), WW_INVALID);
    expect(r == 77 && wide == 77 && truth == 77 && x[0] == 1 && x[3] == 4);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicates),    cmocka_unit_test(first_positions), cmocka_unit_test(every_order),
        cmocka_unit_test(large_inputs),  cmocka_unit_test(floats),          cmocka_unit_test(no_elements),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
