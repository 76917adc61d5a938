/* Values as the command prints them: they read back as what they were, bit for bit, and no text is longer than it has to
 * be. From inside (cli/print.c), and as `warpwise reduce` and `warpwise histogram` print them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "print.h"
#include "support/command.h"

static bool same_bits(const void *a, const void *b, size_t size) { return !memcmp(a, b, size); }

/* The text is the shortest of those that read back: one digit less does not. */
static void check_double(double value) {
    char text[VALUE_TEXT], shorter[VALUE_TEXT];
    value_text(&ww_type_double, &value, text);
    const double back = strtod(text, NULL);
    expect(isnan(value) ? isnan(back) : same_bits(&back, &value, sizeof value));
    if (!isfinite(value)) return;
    int digits = 17;
    while (digits > 1 && (snprintf(shorter, sizeof shorter, "%.*g", digits - 1, value), strtod(shorter, NULL) == value))
        digits--;
    snprintf(shorter, sizeof shorter, "%.*g", digits, value);
    if (fabs(value) < 1e15 && value == nearbyint(value))
        expect(!strpbrk(text, ".e")); /* whole numbers look so */
    else
        expect(strlen(text) <= strlen(shorter));
}

static void check_float(float value) {
    char text[VALUE_TEXT];
    value_text(&ww_type_float, &value, text);
    const float back = strtof(text, NULL);
    expect(isnan(value) ? isnan(back) : same_bits(&back, &value, sizeof value));
    expect(strlen(text) <= sizeof "-1.17549435e-38" - 1);
    if (fabsf(value) < 0x1p24f && value == nearbyintf(value)) expect(!strpbrk(text, ".e"));
}

static void floats(void **state) {
    (void)state;
    static const double values[] = {0.1,
                                    0.2,
                                    0.30000000000000004,
                                    1.0 / 3,
                                    5e-324,
                                    2.2250738585072014e-308,
                                    1.7976931348623157e308,
                                    9007199254740993.0,
                                    1e22,
                                    1e23,
                                    4.35,
                                    123456.7,
                                    300,
                                    100000,
                                    16777215,
                                    999999999999999,
                                    1e15,
                                    0.0,
                                    -0.0,
                                    INFINITY,
                                    -INFINITY,
                                    NAN};
    uint64_t random = seed_of_run();
    CASE("print", "floats");
    if (!case_wanted()) return;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        check_double(values[i]), check_double(-values[i]);
        check_float((float)values[i]), check_float((float)-values[i]);
    }
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = random_next(&random);
        const uint32_t half = (uint32_t)bits;
        double value;
        float single;
        memcpy(&value, &bits, sizeof value), memcpy(&single, &half, sizeof single);
        check_double(value), check_float(single);
        check_double((double)(bits >> 12) / 1000);
    }
}

#define INTEGER(T, format, wide) \
    static void check_##T(uint64_t bits) { \
        char text[VALUE_TEXT], wanted[VALUE_TEXT]; \
        const T value = (T)bits; \
        snprintf(wanted, sizeof wanted, "%" format, (wide)value); \
        value_text(&ww_type_##T, &value, text); \
        expect(!strcmp(text, wanted)); \
    }
INTEGER(uint8_t, PRIu64, uint64_t)
INTEGER(uint16_t, PRIu64, uint64_t)
INTEGER(uint32_t, PRIu64, uint64_t)
INTEGER(uint64_t, PRIu64, uint64_t)
INTEGER(int8_t, PRId64, int64_t)
INTEGER(int16_t, PRId64, int64_t)
INTEGER(int32_t, PRId64, int64_t)
INTEGER(int64_t, PRId64, int64_t)

static void check_integer(uint64_t bits) {
    check_uint8_t(bits), check_uint16_t(bits), check_uint32_t(bits), check_uint64_t(bits);
    check_int8_t(bits), check_int16_t(bits), check_int32_t(bits), check_int64_t(bits);
#if WW_HAS_U128
    char text[VALUE_TEXT];
    const ww_u128 value = (ww_u128)bits * bits + bits / 3;
    ww_u128 back = 0;
    value_text(&ww_type_ww_u128, &value, text);
    for (const char *c = text; *c; c++) back = 10 * back + (unsigned)(*c - '0');
    expect(back == value && (text[0] != '0' || !text[1]));
#endif
}

static void integers(void **state) {
    (void)state;
    uint64_t random = seed_of_run();
    CASE("print", "integers");
    if (!case_wanted()) return;
    for (unsigned bit = 0; bit < 64; bit++)
        for (uint64_t d = 0; d < 3; d++) check_integer(((uint64_t)1 << bit) - 1 + d);
    for (int i = 0; i < 2000; i++) {
        const uint64_t bits = random_next(&random);
        check_integer(bits >> bits % 64);
    }
}

#ifdef WARPWISE_COMMAND
static const char *const files[] = {"x"};

/* What reduce prints of one double reads back to it; the edges of a histogram's bins are those that were asked for and those
 * that lie between, which are said to be low + (high - low) * b / bins. */
static void printed_by_commands(void **state) {
    (void)state;
    uint64_t random = seed_of_run();
    if (!commands_begin("print", located(WARPWISE_COMMAND), "cpu")) fail();
    for (int i = 0; i < 12; i++) {
        CASE("print", "by commands, %d", i);
        double low = (double)(random_next(&random) >> 11) / 9.7e15, high = low + 1.0 / (double)(3 + i),
               edges[4] = {0, 0, 0, 0};
        float single = (float)low / 3, back_single;
        char line[300];
        if (!case_wanted()) continue;
        file_put("x", &low, sizeof low);
        expect(!command_run("\"$W\" reduce --op=max --type=f64 x"));
        const double back = strtod(command_out, NULL);
        expect(same_bits(&back, &low, sizeof low));
        snprintf(line, sizeof line, "\"$W\" histogram --type=f64 --bins=2 --range=%.17g:%.17g x", low, high);
        expect(!command_run(line));
        expect(sscanf(command_out, "%lf %lf 1\n%lf %lf 0\n", &edges[0], &edges[1], &edges[2], &edges[3]) == 4);
        const double middle = low + (high - low) * 0.5;
        expect(edges[0] == low && edges[1] == middle && edges[2] == middle && edges[3] == high);
        file_put("x", &single, sizeof single);
        expect(!command_run("\"$W\" reduce --op=min --type=f32 x"));
        back_single = strtof(command_out, NULL);
        expect(same_bits(&back_single, &single, sizeof single));
    }
    commands_end(files, 1);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats),
        cmocka_unit_test(integers),
#ifdef WARPWISE_COMMAND
        cmocka_unit_test(printed_by_commands),
#endif
    };
    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
