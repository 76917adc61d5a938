/* The least and the greatest of each segment against the serial oracle: every order, segments of every length, ties, floats with
 * NaNs, computed inputs and offsets, errors. */
#include "device/device.h"
#include "primitive/orders.h"
#include "reference/reduce.h"

WW_MAP(times_seven, uint32_t, uint32_t, x, void, none, { return 7 * x; });
WW_MAP(times_ten, uint64_t, uint64_t, x, void, none, { return 10 * x; });

/* offsets[0] is 3, and 5 elements lie behind the last. */
static uint64_t *offsets_of(const size_t *lengths, size_t segments) {
    uint64_t *offsets = need((segments + 1) * sizeof *offsets);
    offsets[0] = 3;
    for (size_t s = 0; s < segments; s++) offsets[s + 1] = offsets[s] + lengths[s];
    return offsets;
}

static uint64_t wanted_of(const order *o, const unsigned char *x, const uint64_t *offsets, size_t s, size_t n,
                          bool greatest) {
    const size_t size = o->type->size;
    if (offsets[s] == offsets[s + 1]) return n;
    return offsets[s] +
           reference_extreme(x + offsets[s] * size, offsets[s + 1] - offsets[s], size, greatest, o->before);
}

static void check(ww_device *device, const order *o, const ww_input *in, const unsigned char *x, size_t n,
                  const ww_input *by, const uint64_t *offsets, size_t segments, bool wide) {
    for (int greatest = 0; greatest < 2; greatest++) {
        guarded out = guarded_new(segments * (wide ? 8 : 4));
        const ww_array position = ww_array_of(out.data, segments, wide ? &ww_type_uint64_t : &ww_type_uint32_t);
        expect_status(
            device, (greatest ? ww_arg_max_segments : ww_arg_min_segments)(device, o->less, *in, *by, position), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        for (size_t s = 0; s < segments; s++) {
            const uint64_t got = wide ? ((uint64_t *)out.data)[s] : ((uint32_t *)out.data)[s];
            expect(got == wanted_of(o, x, offsets, s, n, greatest));
        }
        guarded_check(&out), guarded_free(&out);
    }
}

static void check_lengths(ww_device *device, const char *setting, const order *o, const char *name,
                          const size_t *lengths, size_t segments, shape sh) {
    CASE("extreme_segments", "%s %s %s %s", setting, o->name, name, shape_name(sh));
    if (!case_wanted()) return;
    uint64_t *offsets = offsets_of(lengths, segments);
    uint32_t *narrow = need((segments + 1) * sizeof *narrow);
    for (size_t s = 0; s <= segments; s++) narrow[s] = (uint32_t)offsets[s];
    const size_t n = offsets[segments] + 5;
    unsigned char *x = need(n * o->type->size);
    fill(x, o->type, o->type->size, n, sh, seed_of_run());
    const ww_input in = ww_memory_of(x, n, o->type), by = ww_memory(offsets, segments + 1),
                   by_narrow = ww_memory(narrow, segments + 1);
    check(device, o, &in, x, n, sh % 2 ? &by : &by_narrow, offsets, segments, segments % 2);
    free(x), free(offsets), free(narrow);
}

static void every_order(void **state) {
    (void)state;
    const size_t large = on_emulator() ? 20 : 1;
    const size_t lengths[] = {
        0, 1, 7, 0, 31, 32, 33, 127, 128, 129, 256, 257, 511, 1000, 4095, 3, 0, 4096, 300000 / large, 70000 / large,
        1, 0};
    const size_t many = sizeof lengths / sizeof *lengths;
    static const size_t few[] = {1500, 0, 2500, 64}; /* more than a tile, and none that several blocks share */
    /* Two that they do: where a block has a segment, and where a warp has one. */
    enum { BLOCKS = 70, WARPS = 160 };
    size_t long_ones[WARPS];
    for (size_t i = 0; i < WARPS; i++) long_ones[i] = i == 3 ? 20000 : i == 50 ? 17000 : 20 + i % 50;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t o = 0; o < ORDERS; o++)
            if (!left_to_gpus(o))
                check_lengths(device, setting_name(s), &orders[o], "edges", lengths, many, (shape)(o % SHAPES));
        check_lengths(device, setting_name(s), &orders[4], "one", lengths + 18, 1, FEW);
        check_lengths(device, setting_name(s), &orders[4], "a few of some tiles", few, sizeof few / sizeof *few,
                      UNIFORM);
        check_lengths(device, setting_name(s), &orders[4], "two long for blocks", long_ones, BLOCKS, FEW);
        check_lengths(device, setting_name(s), &orders[4], "two long for warps", long_ones, WARPS, UNIFORM);
        check_lengths(device, setting_name(s), &orders[4], "an empty one", lengths, 1, UNIFORM);
        check_lengths(device, setting_name(s), &orders[4], "none", lengths, 0, UNIFORM);
        ww_close(device);
    }
}

/* Many segments, so that some are neighbours in a warp: all empty, of 30, of mixed lengths. */
static void many_segments(void **state) {
    (void)state;
    const size_t most = on_emulator() ? 900 : 20000;
    size_t *lengths = need(most * sizeof *lengths);
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t mix = 0; mix < 3; mix++) {
            static const char *const names[] = {"many empty", "many of 30", "many mixed"};
            uint64_t random = seed_of_run();
            for (size_t i = 0; i < most; i++) {
                const uint64_t r = random_next(&random);
                lengths[i] = mix == 0 ? 0 : mix == 1 ? 30 : (r >> 20) % (r % 50 ? r % 10 ? 12 : 150 : 900);
            }
            check_lengths(device, setting_name(s), &orders[4], names[mix], lengths, most, FEW);
            check_lengths(device, setting_name(s), &orders[16], names[mix], lengths, most, ADVERSARIAL);
            check_lengths(device, setting_name(s), &orders[ORDERS - 4], names[mix], lengths, most, UNIFORM);
        }
        ww_close(device);
    }
    free(lengths);
}

static void computed(void **state) {
    (void)state;
    enum { SEGMENTS = 500, N = 10 * SEGMENTS };
    uint32_t *x = need(N * sizeof *x);
    uint64_t *offsets = need((SEGMENTS + 1) * sizeof *offsets);
    for (uint32_t i = 0; i < N; i++) x[i] = 7 * (i + 613566000u); /* which passes 2^32 */
    for (uint64_t s = 0; s <= SEGMENTS; s++) offsets[s] = 10 * s;
    const ww_input in = ww_mapped(&times_seven_ww, ww_counting(&ww_type_uint32_t, 613566000u, N));
    const ww_input by = ww_mapped(&times_ten_ww, ww_counting(&ww_type_uint64_t, 0, SEGMENTS + 1));
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("extreme_segments", "%s computed", setting_name(s));
        if (case_wanted()) check(device, &orders[4], &in, (const unsigned char *)x, N, &by, offsets, SEGMENTS, true);
        ww_close(device);
    }
    free(x), free(offsets);
}

static void bad_offsets(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    enum { ROWS = 3 };
    static const uint64_t cases[ROWS][5] = {{0, 5, 4, 9, 10}, {0, 5, 6, 11, 11}, {0, 0, 0, 0, 11}};
    static const char *const sentences[ROWS] = {"offsets[2] is 4, below",
                                                "offsets[3] is 11, and the input has 10 elements", "offsets[4] is 11"};
    uint32_t *x = need(10 * sizeof *x), *out = need(4 * sizeof *out);
    uint64_t *offsets = need(sizeof cases[0]);
    memset(x, 0, 10 * sizeof *x);
    for (size_t i = 0; i < ROWS; i++) {
        CASE("extreme_segments", "%s bad offsets %zu", setting_name(0), i);
        if (!case_wanted()) continue;
        memcpy(offsets, cases[i], sizeof cases[i]);
        const ww_status status = ww_arg_min_segments(device, NULL, ww_memory(x, 10), ww_memory(offsets, 5),
                                                     ww_array(out, 4));
        expect_status(device, on_gpu() && !status ? ww_sync(device) : status, WW_RANGE);
        expect_sentence(device, "ww_arg_min_segments", sentences[i]);
    }
    expect_status(device, ww_arg_max_segments(device, NULL, ww_memory(x, 10), ww_memory(offsets, 4), ww_array(out, 4)),
                  WW_INVALID);
    expect_sentence(device, "offsets has 4 elements; position_out has 4 and asks for one more");
    expect_status(device,
                  ww_arg_max_segments(device, &ww_add, ww_memory(x, 10), ww_memory(offsets, 5), ww_array(out, 4)),
                  WW_TYPE);
    expect_status(device, ww_arg_max_segments(device, NULL, ww_memory(x, 10), ww_memory(offsets, 5), ww_array(x, 4)),
                  WW_OVERLAP);
    free(x), free(out), free(offsets);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order),
        cmocka_unit_test(many_segments),
        cmocka_unit_test(computed),
        cmocka_unit_test(bad_offsets),
    };
    return cmocka_run_group_tests_name("extreme_segments", tests, NULL, NULL);
}
