/* Scans against serial oracles: every type, built-in and user operators, structs of every size, non-commutative ones,
 * inclusive and exclusive, with and without initial value and total, each method, in place, mapped inputs; floats bit for
 * bit against the documented brackets. */
#include "function/function.h"
#include "reference/scan.h"
#include "support/cases.h"
#include "support/scan_operations.h"
#include "support/traced.h"

static const char *const method_names[] = {"auto", "lookback", "hillis-steele", "blelloch"};

typedef struct variant {
    ww_scan_method method;
    bool exclusive, initial, total, in_place;
    enum { NOT_ASKED, BY_CALL, BY_HANDLE } deterministic;
} variant;

static void oracle(const operation *o, const variant *v, const reference_scanning *r, void *out, void *total,
                   const void *x) {
    if (!o->shows_bracketing)
        reference_scan(r, out, total, x);
    else if (v->method == WW_SCAN_HILLIS_STEELE)
        reference_scan_hillis_steele(r, out, total, x);
    else if (v->method == WW_SCAN_BLELLOCH)
        reference_scan_blelloch(r, out, total, x);
    else
        reference_scan_lookback(r, out, total, x);
}

/* Runs one case. The output begins `shift` elements after a line of 64 bytes. */
static void check(ww_device *device, const char *setting, const operation *o, size_t n, shape sh, variant v,
                  size_t shift) {
    const size_t size = o->type->size;
    const bool set = brackets_are_set(v.method, v.deterministic);
    CASE("scan", "%s %s %s n=%zu %s %s%s%s%s%s%s shift=%zu", setting, o->name, o->type->label, n, shape_name(sh),
         method_names[v.method], v.exclusive ? " exclusive" : "", v.initial ? " initial" : "", v.total ? " total" : "",
         v.in_place ? " in-place" : "", v.deterministic ? " deterministic" : "", shift);
    if (!case_wanted() || !gpu_has(o, set)) return;
    const ww_function *op = ww__operator(o->op, o->type, size);
    unsigned char *x = need(n * size), *wanted = need(n * size), *initial = need(size), *wanted_total = need(size);
    fill(x, o->type, size, n, sh, seed_of_run());
    fill(initial, o->type, size, 1, UNIFORM, seed_of_run() + 1);
    const reference_scanning r = {.n = n,
                                  .size = size,
                                  .combine = o->oracle,
                                  .exclusive = v.exclusive,
                                  .initial = v.initial ? (const void *)initial : op->identity,
                                  .initial_is_given = v.initial};
    oracle(o, &v, &r, wanted, wanted_total, x);
    guarded out = guarded_new((n + shift) * size), total = guarded_new(size);
    unsigned char *to = (unsigned char *)out.data + shift * size;
    if (v.in_place) memcpy(to, x, n * size);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = v.method;
    options.exclusive = v.exclusive;
    options.deterministic = v.deterministic == BY_CALL;
    if (v.initial) options.initial = ww_value_of(initial, o->type);
    if (v.total) options.total = ww_array_of(total.data, 1, o->type);
    expect_status(
        device,
        ww_scan(device, o->op, ww_memory_of(v.in_place ? to : x, n, o->type), ww_array_of(to, n, o->type), &options),
        WW_OK);
    expect_scanned(o, set, to, wanted, n, wanted, n);
    if (v.total) expect_scanned(o, set, total.data, wanted_total, 1, wanted, n);
    guarded_check(&out);
    guarded_check(&total);
    guarded_free(&out);
    guarded_free(&total);
    free(x);
    free(wanted);
    free(initial);
    free(wanted_total);
}

enum { MOST_FOR_TREES = 40000 };

/* Each size in one variant of the one-pass scan and, while it is small, one of each teaching method; the variants take
 * turns over sizes and operations. */
static void check_operations(const operation *list, size_t many) {
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < many; o++) {
            if (list == operations && left_to_gpus(o)) continue;
            size_t sizes;
            const size_t *n = sizes_of(list[o].type->size, &sizes);
            for (size_t i = 0; i < sizes; i++) {
                /* What programs are made of, so that the emulator's compiler has few for each operator. */
                const size_t turn = i + o + s, made_of = on_emulator() ? o + i % 4 : turn;
                const shape sh = i % 2 ? UNIFORM : (shape)(i / 2 % ADVERSARIAL);
                variant v = {turn % 5 ? WW_SCAN_AUTO : WW_SCAN_LOOKBACK,
                             made_of & 1,
                             made_of & 2,
                             made_of & 4,
                             turn % 3 == 0,
                             NOT_ASKED};
                check(device, setting_name(s), &list[o], n[i], sh, v, turn % 7 == 0);
                if (n[i] > MOST_FOR_TREES || n[i] * list[o].type->size > 1 << 20 || (on_emulator() && i % 3)) continue;
                v.method = made_of & 1 ? WW_SCAN_HILLIS_STEELE : WW_SCAN_BLELLOCH;
                v.exclusive = made_of & 8;
                check(device, setting_name(s), &list[o], n[i], sh, v, 0);
                v.method = made_of & 1 ? WW_SCAN_BLELLOCH : WW_SCAN_HILLIS_STEELE;
                v.exclusive = !v.exclusive;
                v.initial = !v.initial;
                if (n[i] < 5000) check(device, setting_name(s), &list[o], n[i], sh, v, 0);
            }
        }
        ww_close(device);
    }
}

static void built_in_operators(void **state) {
    (void)state;
    check_operations(operations, OPERATIONS);
}

static void user_operators(void **state) {
    (void)state;
    check_operations(user_operations, USER_OPERATIONS);
}

/* Sums that wrap, of numbers narrower and wider than a GPU's words, over several of its tiles: each type in one variant, so
 * that the emulator, which takes one in three of all operators, has them too. */
static void narrow_and_wide_sums(void **state) {
    (void)state;
    static const ww_type *const types[] = {
        &ww_type_uint8_t,
        &ww_type_uint16_t,
#if WW_HAS_U128
        &ww_type_ww_u128,
        &ww_type_ww_i128
#endif
    };
    static const size_t sizes[] = {5, 127, 1000, 4097, 20003};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                const variant v = {.exclusive = t % 2, .total = true};
                check(device, setting_name(s), operation_of(&ww_add, types[t]), sizes[i], UNIFORM, v, 0);
                check(device, setting_name(s), operation_of(&ww_add, types[t]), sizes[i], ADVERSARIAL, v, 0);
            }
        ww_close(device);
    }
}

/* Past the size from which the caches are bypassed, with outputs on lines and between them, and with many turns to wait
 * for; floats of five threads against the serial brackets. */
static void large_inputs(void **state) {
    (void)state;
    const operation *const some[] = {operation_of(&ww_add, &ww_type_uint32_t), operation_of(&ww_add, &ww_type_int64_t),
                                     operation_of(&ww_add, &ww_type_float), operation_of(&ww_max, &ww_type_uint8_t),
                                     operation_of(&compose_ww, &affine_ww)};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < sizeof some / sizeof *some; o++) {
            const size_t n = size_large() / (s < setting_count_short() ? 1 : 3);
            variant v = {.exclusive = (o + s) & 1, .total = true, .initial = o & 1, .in_place = (o + s) % 3 == 0};
            check(device, setting_name(s), some[o], n, UNIFORM, v, 0);
            v.in_place = false;
            v.exclusive = !v.exclusive;
            if (s < setting_count_short()) check(device, setting_name(s), some[o], n - 5, UNIFORM, v, o % 3);
        }
        ww_close(device);
    }
}

/* The CPU's brackets on every device, whichever way they are asked for: of what is not associative at all, sums of floats, and
 * structs too long to have runs. */
static void deterministic(void **state) {
    (void)state;
    const operation *const some[] = {operation_of(&ww_add, &ww_type_float), operation_of(&join_ww, &ww_type_float),
                                     operation_of(&join_wide_ww, &ww_type_double),
                                     operation_of(&add_large_ww, &large_ww)};
    static const size_t sizes[] = {1,    15,   16,   23,   127,  1023,  1024,  1025,
                                   2047, 2048, 2049, 4096, 4099, 10240, 20003, 150001};
    for (size_t s = 0; s < 2 * setting_count_short(); s++) {
        const bool by_handle = s & 1;
        if (by_handle) setenv("WARPWISE_DETERMINISTIC", "1", 1);
        ww_device *device = setting_open(s / 2);
        unsetenv("WARPWISE_DETERMINISTIC");
        for (size_t o = 0; o < sizeof some / sizeof *some; o++)
            for (size_t i = by_handle; i < sizeof sizes / sizeof *sizes; i += by_handle ? 5 : 1) {
                const size_t turn = i + o;
                if (sizes[i] * some[o]->type->size > 1 << 20) continue;
                variant v = {turn % 3 ? WW_SCAN_AUTO : WW_SCAN_LOOKBACK,
                             turn & 1,
                             i & 2,
                             turn & 4,
                             turn % 3 == 0,
                             by_handle ? BY_HANDLE : BY_CALL};
                check(device, setting_name(s / 2), some[o], sizes[i], (shape)(i % ADVERSARIAL), v, i % 4 == 0);
                v.exclusive = !v.exclusive;
                v.total = true;
                check(device, setting_name(s / 2), some[o], sizes[i], UNIFORM, v, 0);
            }
        ww_close(device);
    }
}

static void inputs_of_every_kind(void **state) {
    (void)state;
    const size_t n = on_emulator() ? 20001 : tests_are_short() ? 150001 : 900001;
    uint64_t *out = need(n * sizeof *out);
    uint32_t *x = need(n * sizeof *x);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (int m = WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++) {
            ww_scan_options options = WW_SCAN_OPTIONS;
            options.method = (ww_scan_method)m;
            const size_t many = m < WW_SCAN_HILLIS_STEELE || n < 100003 ? n : 100003;
            uint64_t sum = 0, wrong = 0;
            const ww_input squares = ww_mapped(&square_ww, ww_counting(&ww_type_uint32_t, 0, many));
            expect_status(device, ww_scan(device, &ww_add, squares, ww_array(out, many), &options), WW_OK);
            for (uint64_t i = 0; i < many; i++) wrong += out[i] != (sum += i * i);
            expect(wrong == 0);
            const uint64_t three = 3;
            options.exclusive = true;
            expect_status(
                device,
                ww_scan(device, &ww_add, ww_constant(ww_value(uint64_t, three), many), ww_array(out, many), &options),
                WW_OK);
            for (uint64_t i = 0; i < many; i++) wrong += out[i] != 3 * i;
            expect(wrong == 0);
            /* A map of the very memory that is written. */
            uint32_t total = 0;
            for (size_t i = 0; i < many; i++) x[i] = (uint32_t)i;
            const ww_input halves = ww_mapped(&halve_ww, ww_memory(x, many));
            expect_status(device, ww_scan(device, &ww_add, halves, ww_array(x, many), &options), WW_OK);
            for (size_t i = 0; i < many; total += (uint32_t)i++ / 2) wrong += x[i] != total;
            expect(wrong == 0);
        }
        ww_close(device);
    }
    free(out);
    free(x);
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[8] = {1, 2, 3, 4}, out[8] = {77, 77, 77, 77}, total[2] = {77, 77};
    uint64_t wide[4] = {77, 77, 77, 77};
    expect_status(NULL, ww_scan(NULL, &ww_add, ww_memory(x, 4), ww_array(out, 4), NULL), WW_INVALID);
    expect_status(device, ww_scan(device, NULL, ww_memory(x, 4), ww_array(out, 4), NULL), WW_INVALID);
    expect_status(device, ww_scan(device, &ww_ascending, ww_memory(x, 4), ww_array(out, 4), NULL), WW_TYPE);
    expect_status(device, ww_scan(device, &compose_ww, ww_memory(x, 4), ww_array(out, 4), NULL), WW_TYPE);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(wide, 4), NULL), WW_TYPE);
    expect_sentence(device, "u32", "u64");
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 3), NULL), WW_INVALID);
    expect_sentence(device, "in has 4 elements, out 3");
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(x + 1, 4), NULL), WW_OVERLAP);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_scan(device, &ww_add, ww_no_input, ww_array(out, 4), NULL), WW_INVALID);
    expect_status(device, ww_scan(device, &ww_add, ww_memory((uint32_t *)NULL, 4), ww_array(out, 4), NULL), WW_INVALID);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, UINT64_MAX / 2), ww_array(out, 4), NULL), WW_INVALID);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.size = 3;
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_INVALID);
    expect_sentence(device, "options.size is 3");
    options = (ww_scan_options)WW_SCAN_OPTIONS;
    options.method = (ww_scan_method)9;
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_INVALID);
    expect_sentence(device, "method is 9");
    options = (ww_scan_options)WW_SCAN_OPTIONS;
    options.total = ww_array(total, 2);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_INVALID);
    options.total = ww_array(wide, 1);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_TYPE);
    options.total = ww_array(out + 3, 1);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_OVERLAP);
    options.total = ww_array(x, 1);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_OVERLAP);
    expect(out[0] == 77 && out[3] == 77 && total[0] == 77 && wide[0] == 77 && x[0] == 1);
    /* An initial value in the output itself. */
    options = (ww_scan_options)WW_SCAN_OPTIONS;
    options.initial = ww_value(uint32_t, out[0]);
    expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 4), ww_array(out, 4), &options), WW_OK);
    expect(out[0] == 78 && out[1] == 80 && out[2] == 83 && out[3] == 87);
    ww_close(device);
}

/* Scratch as promised: one pass n / 256 elements and 256 KiB a thread; the teaching methods 2 n elements besides. A GPU has
 * the bound for the latter. */
static void scratch_bound(void **state) {
    (void)state;
    const operation *const some[] = {operation_of(&ww_add, &ww_type_uint64_t), operation_of(&ww_add, &ww_type_float),
                                     operation_of(&ww_add, &ww_type_uint8_t), operation_of(&compose_ww, &affine_ww)};
    for (size_t o = 0; o < sizeof some / sizeof *some; o++)
        for (int m = on_gpu() ? WW_SCAN_HILLIS_STEELE : WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++) {
            ww_device *device = setting_open(0);
            const size_t n = size_large() / 4, size = some[o]->type->size;
            unsigned char *x = need(n * size);
            fill(x, some[o]->type, size, n, UNIFORM, seed_of_run());
            ww_scan_options options = WW_SCAN_OPTIONS;
            options.method = (ww_scan_method)m;
            const ww_array all = ww_array_of(x, n, some[o]->type);
            expect_status(device, ww_scan(device, some[o]->op, ww_from(all), all, &options), WW_OK);
            ww_device_info info = WW_DEVICE_INFO;
            expect_status(device, ww_device_info_get(device, &info), WW_OK);
            const size_t elements = m < WW_SCAN_HILLIS_STEELE ? n / 256 : 2 * n;
            expect(info.scratch_peak <= elements * size + (on_gpu() ? 1024 : info.threads * 262144));
            free(x);
            ww_close(device);
        }
}

/* A small call starts no thread. */
static void small_calls(void **state) {
    (void)state;
    if (left_out_on_gpu("it has no threads")) return;
    ww_device *device = setting_open(0);
    uint32_t x[1000] = {0};
    for (int m = WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++) {
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.method = (ww_scan_method)m;
        expect_status(device, ww_scan(device, &ww_add, ww_memory(x, 1000), ww_array(x, 1000), &options), WW_OK);
    }
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.threads_started == 0);
    ww_close(device);
}

/* Standard error of one traced call. */
static void trace_of(ww_scan_method method, char *text, size_t room) {
    ww_device *device = traced_open();
    uint32_t *x = need(100 * sizeof *x);
    memset(x, 0, 100 * sizeof *x);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = method;
    traced t = traced_begin();
    const ww_status status = ww_scan(device, &ww_add, ww_memory(x, 100), ww_array(x, 100), &options);
    traced_end(&t, text, room);
    expect_status(device, status, WW_OK);
    free(x);
    ww_close(device);
}

/* On a GPU a launch for each superstep of 100 elements, and none besides. */
static void methods_run_their_own_kernels(void) {
    char text[8192];
    trace_of(WW_SCAN_AUTO, text, sizeof text);
    expect_launches(text, "scan");
    trace_of(WW_SCAN_HILLIS_STEELE, text, sizeof text);
#define STEPS "hillis_steele_step", "hillis_steele_step", "hillis_steele_step"
    expect_launches(text, "hillis_steele_begin", STEPS, STEPS, "hillis_steele_step");
#define UPS "blelloch_up", "blelloch_up", "blelloch_up"
#define DOWNS "blelloch_down", "blelloch_down", "blelloch_down"
    trace_of(WW_SCAN_BLELLOCH, text, sizeof text);
    expect_launches(text, "blelloch_begin", UPS, UPS, DOWNS, DOWNS, "blelloch_down", "blelloch_finish");
}

static void methods_run_their_own_code(void **state) {
    (void)state;
    CASE("scan trace", "every method");
    if (on_gpu()) {
        methods_run_their_own_kernels();
        return;
    }
    char text[1024];
    trace_of(WW_SCAN_AUTO, text, sizeof text);
    expect(strstr(text, "ww_scan method=lookback function=add_u32") != NULL);
    for (int m = WW_SCAN_LOOKBACK; m <= WW_SCAN_BLELLOCH; m++) {
        trace_of((ww_scan_method)m, text, sizeof text);
        expect(strstr(text, method_names[m]) != NULL);
    }
}

/* One element, written to the host's own memory, with a total there. */
static void one_element(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (int m = WW_SCAN_AUTO; m <= WW_SCAN_BLELLOCH; m++)
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            CASE("scan", "%s of one element%s", method_names[m], exclusive ? " exclusive" : "");
            uint32_t out = 77, total = 77;
            const uint32_t initial = 30;
            ww_scan_options options = WW_SCAN_OPTIONS;
            options.method = (ww_scan_method)m;
            options.exclusive = exclusive;
            options.initial = ww_value(uint32_t, initial);
            options.total = ww_array(&total, 1);
            expect_status(device,
                          ww_scan(device, &ww_add, ww_counting(&ww_type_uint32_t, 5, 1), ww_array(&out, 1), &options),
                          WW_OK);
            expect(out == (exclusive ? 30 : 35) && total == 35);
            const ww_input heads = ww_constant(ww_value(uint8_t, 0), 1);
            options.total = ww_none;
            expect_status(device,
                          ww_scan_segmented(device, &ww_add, ww_counting(&ww_type_uint32_t, 7, 1), heads,
                                            ww_array(&out, 1), &options),
                          WW_OK);
            expect(out == (exclusive ? 30 : 37));
        }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_operators),
        cmocka_unit_test(user_operators),
        cmocka_unit_test(narrow_and_wide_sums),
        cmocka_unit_test(large_inputs),
        cmocka_unit_test(deterministic),
        cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(one_element),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(scratch_bound),
        cmocka_unit_test(small_calls),
        cmocka_unit_test(methods_run_their_own_code),
    };
    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
