/* Numbers from text and back, against the C library's: the nearest float, every integer exactly, and no digit too many. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/half.h"
#include "support/cases.h"
#include "text_numbers.h"

/* ---- floats ---- */

static double random_double(uint64_t *random, unsigned kind) {
    uint64_t bits = random_next(random);
    double value;
    const double part = (double)(bits >> 11) * 0x1p-53;
    switch (kind) {
    case 0:
        memcpy(&value, &bits, sizeof value);
        return value;
    case 1:
        return part;
    case 2:
        return nearbyint(part * 1e9) / pow(10, (double)(bits % 9));
    case 3:
        return nearbyint((part - 0.5) * 1e18);
    case 4:
        return part * pow(10, (double)(bits % 24) - 6);
    case 5:
        return ldexp(1, (int)(bits % 120) - 60) * (bits & 256 ? 1 : 1 - 0x1p-53);
    default:
        return 5e-324 * (double)(bits % 1000000);
    }
}

static int significant(const char *text) {
    int digits = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && !digits)) continue;
        digits++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return digits - zeros;
}

static void check_double(double value) {
    char text[VALUE_TEXT + 1], shortest[VALUE_TEXT];
    double back, read;
    const size_t length = put_element(&ww_type_double, &value, text);
    expect(length < VALUE_TEXT);
    text[length] = '\0';
    back = strtod(text, NULL);
    expect(isnan(value) ? isnan(back) : memcmp(&back, &value, sizeof value) == 0);
    expect(read_element(&ww_type_double, text, length, &read) == READ_WELL);
    expect(isnan(value) ? isnan(read) : memcmp(&read, &value, sizeof value) == 0);
    if (isfinite(value)) expect(significant(text) <= significant(double_text(value, shortest)));
}

static void check_single(float value) {
    char text[VALUE_TEXT + 1], shortest[VALUE_TEXT];
    float back, read;
    const size_t length = put_element(&ww_type_float, &value, text);
    expect(length < VALUE_TEXT);
    text[length] = '\0';
    back = strtof(text, NULL);
    expect(isnan(value) ? isnan(back) : memcmp(&back, &value, sizeof value) == 0);
    expect(read_element(&ww_type_float, text, length, &read) == READ_WELL);
    expect(isnan(value) ? isnan(read) : memcmp(&read, &value, sizeof value) == 0);
    if (isfinite(value)) expect(significant(text) <= significant(value_text(&ww_type_float, &value, shortest)));
}

static void floats(void **state) {
    (void)state;
    enum { VALUES = 200000 };
    uint64_t random = seed_of_run();
    CASE("text numbers", "floats");
    if (!case_wanted()) return;
    for (unsigned i = 0; i < VALUES / tests_one_in(); i++) {
        const double value = random_double(&random, i % 7);
        check_double(i & 8 ? -value : value);
        check_single((float)value);
    }
    static const double ends[] = {0.0,
                                  -0.0,
                                  5e-324,
                                  DBL_MIN,
                                  DBL_MAX,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  1e15,
                                  1e-4,
                                  9.999e-5,
                                  999999999999999,
                                  1e6,
                                  999999,
                                  16777216,
                                  0.1,
                                  0.30000000000000004,
                                  123456789012345.6,
                                  1e22,
                                  1e23};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        check_double(ends[i]);
        check_single((float)ends[i]);
    }
}

/* All halves, and texts at and beside the middle between each and the next. */
static void check_half(const ww_type *type, uint16_t bits) {
    char text[VALUE_TEXT], middle[1300];
    uint16_t read, next = (uint16_t)(bits + 1);
    const double value = reference_half_value(type, &bits);
    const size_t length = put_element(type, &bits, text);
    expect(length < VALUE_TEXT);
    expect(read_element(type, text, length, &read) == READ_WELL);
    expect(isnan(value) ? isnan(reference_half_value(type, &read)) : read == bits);
    text[length] = '\0';
    if (isfinite(value) && fabs(value) >= 0x1p17) expect(significant(text) <= 5);
    if (!isfinite(value) || !isfinite(reference_half_value(type, &next))) return;
    const double half_way = value / 2 + reference_half_value(type, &next) / 2;
    const int digits = snprintf(middle, sizeof middle, "%.1000g", half_way);
    expect(read_element(type, middle, (size_t)digits, &read) == READ_WELL && read == (bits % 2 ? next : bits));
    if (bits % 61) return;
    /* As far above it as no double tells. */
    const bool point = strpbrk(middle, ".e");
    if (strchr(middle, 'e')) return;
    snprintf(middle + digits, sizeof middle - (size_t)digits, "%s00000000000000000000001", point ? "" : ".");
    expect(read_element(type, middle, strlen(middle), &read) == READ_WELL && read == next);
}

static void halves(void **state) {
    (void)state;
    CASE("text numbers", "halves");
    if (!case_wanted()) return;
    for (uint32_t p = 0; p < 65536; p += tests_one_in()) {
        check_half(&ww_type_ww_f16, (uint16_t)p);
        check_half(&ww_type_ww_bf16, (uint16_t)p);
    }
    uint16_t half;
    expect(read_element(&ww_type_ww_f16, "65519.999", 9, &half) == READ_WELL && half == 0x7BFF);
    expect(read_element(&ww_type_ww_f16, "65520", 5, &half) == READ_OUTSIDE);
    expect(read_element(&ww_type_ww_bf16, "3.4e38", 6, &half) == READ_OUTSIDE);
    expect(read_element(&ww_type_ww_bf16, "-inf", 4, &half) == READ_WELL && half == 0xFF80);
    expect(read_element(&ww_type_ww_f16, "1x", 2, &half) == READ_NO_NUMBER);
}

/* Decimal numbers of all lengths, near the middle between two floats among them. */
static void decimals(void **state) {
    (void)state;
    enum { VALUES = 200000 };
    uint64_t random = seed_of_run();
    CASE("text numbers", "decimals");
    if (!case_wanted()) return;
    for (unsigned i = 0; i < VALUES / tests_one_in(); i++) {
        char text[200];
        const uint64_t bits = random_next(&random);
        const uint64_t digits = random_next(&random) >> (bits % 64);
        if (i % 3 == 0)
            snprintf(text, sizeof text, "%s%" PRIu64 "e%d", bits & 1024 ? "-" : "", digits, (int)(bits >> 32) % 340);
        else if (i % 3 == 1)
            snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64, digits % 100000, (int)(1 + bits % 20), bits >> 40);
        else /* the middle: a float of 25 bits */
            snprintf(text, sizeof text, "%.*f", (int)(bits % 12),
                     (double)(digits >> 39 | 1) / (double)(1 << bits % 12));
        const size_t length = strlen(text);
        double value = 0;
        float single = 0;
        const double wanted = strtod(text, NULL);
        const float wanted_single = strtof(text, NULL);
        expect(read_element(&ww_type_double, text, length, &value) == (isinf(wanted) ? READ_OUTSIDE : READ_WELL));
        expect(isinf(wanted) || memcmp(&value, &wanted, sizeof value) == 0);
        expect(read_element(&ww_type_float, text, length, &single) ==
               (isinf(wanted_single) ? READ_OUTSIDE : READ_WELL));
        expect(isinf(wanted_single) || memcmp(&single, &wanted_single, sizeof single) == 0);
    }
}

/* ---- integers ---- */

__extension__ typedef __int128 whole;

static const ww_type *const integer_types[] = {&ww_type_uint8_t,  &ww_type_uint16_t, &ww_type_uint32_t,
                                               &ww_type_uint64_t, &ww_type_int8_t,   &ww_type_int16_t,
                                               &ww_type_int32_t,  &ww_type_int64_t};

static void integers(void **state) {
    (void)state;
    enum { VALUES = 100000 };
    uint64_t random = seed_of_run();
    CASE("text numbers", "integers");
    if (!case_wanted()) return;
    for (unsigned i = 0; i < VALUES / tests_one_in(); i++) {
        const ww_type *type = integer_types[i % 8];
        const unsigned bits = 8 * (unsigned)type->size;
        const bool is_signed = type->kind == WW_KIND_SIGNED;
        char text[64], again[VALUE_TEXT];
        uint64_t element = 0;
        /* Near both ends, and anywhere. */
        const whole least = is_signed ? -((whole)1 << (bits - 1)) : 0;
        const whole most = ((whole)1 << (is_signed ? bits - 1 : bits)) - 1;
        const uint64_t r = random_next(&random);
        whole value = r % 3 == 0   ? least + (int)(r >> 60) - 8
                      : r % 3 == 1 ? most + (int)(r >> 60) - 8
                                   : (whole)(r >> 1 >> r % 61);
        const bool negative = value < 0, inside = value >= least && value <= most;
        integer_text(negative, (magnitude)(negative ? -value : value), text);
        const size_t length = strlen(text);
        expect(read_element(type, text, length, &element) == (inside ? READ_WELL : READ_OUTSIDE));
        if (!inside) continue;
        const uint64_t wanted = (uint64_t)value;
        expect(memcmp(&element, &wanted, type->size) == 0);
        expect(put_element(type, &element, again) == length && memcmp(again, text, length) == 0);
    }
}

/* Every length that is read at once, with every character at every place: digits alone are a number, and in a block of their own
 * nothing before or behind them is read. */
static void digits(void **state) {
    (void)state;
    enum { LONGEST = 19 };
    CASE("text numbers", "digits");
    if (!case_wanted()) return;
    for (size_t length = 1; length <= LONGEST; length++) {
        char *const text = malloc(length);
        for (size_t place = 0; place < length; place++)
            for (unsigned character = 0; character < 256; character++) {
                uint64_t wanted = 0, element = UINT64_MAX;
                for (size_t i = 0; i < length; i++) text[i] = (char)('1' + (7 * i + place) % 9);
                text[place] = (char)character;
                for (size_t i = 0; i < length; i++) wanted = 10 * wanted + (uint64_t)(text[i] - '0');
                const bool number = character >= '0' && character <= '9';
                const reading what = read_element(&ww_type_uint64_t, text, length, &element);
                if (number)
                    expect(what == READ_WELL && element == wanted);
                else if (place && place + 1 < length) /* blanks and signs are right at an end */
                    expect(what ==
                           (character == '.' || character == 'e' || character == 'E' ? READ_NO_WHOLE : READ_NO_NUMBER));
            }
        free(text);
    }
}

static void words(void **state) {
    (void)state;
    static const struct {
        const char *text;
        reading as_float, as_integer;
    } rows[] = {{"", READ_NOTHING, READ_NOTHING},
                {" \t", READ_NOTHING, READ_NOTHING},
                {"-", READ_NO_NUMBER, READ_NO_NUMBER},
                {"+", READ_NO_NUMBER, READ_NO_NUMBER},
                {".", READ_NO_NUMBER, READ_NO_NUMBER},
                {"1e", READ_NO_NUMBER, READ_NO_NUMBER},
                {"e1", READ_NO_NUMBER, READ_NO_NUMBER},
                {"1e+", READ_NO_NUMBER, READ_NO_NUMBER},
                {"0x10", READ_NO_NUMBER, READ_NO_NUMBER},
                {"1 2", READ_NO_NUMBER, READ_NO_NUMBER},
                {"1,5", READ_NO_NUMBER, READ_NO_NUMBER},
                {"--1", READ_NO_NUMBER, READ_NO_NUMBER},
                {"nan(1)", READ_NO_NUMBER, READ_NO_NUMBER},
                {"nano", READ_NO_NUMBER, READ_NO_NUMBER},
                {" 12\t", READ_WELL, READ_WELL},
                {"+7", READ_WELL, READ_WELL},
                {"007", READ_WELL, READ_WELL},
                {"00000000000000000000000000007", READ_WELL, READ_WELL},
                {"1.", READ_WELL, READ_NO_WHOLE},
                {".5", READ_WELL, READ_NO_WHOLE},
                {"1E2", READ_WELL, READ_NO_WHOLE},
                {"-NaN", READ_WELL, READ_NO_NUMBER},
                {"Infinity", READ_WELL, READ_NO_NUMBER},
                {"-inf", READ_WELL, READ_NO_NUMBER},
                {"1e309", READ_OUTSIDE, READ_NO_WHOLE},
                {"1e99999999999999999999", READ_OUTSIDE, READ_NO_WHOLE},
                {"1e-99999999999999999999", READ_WELL, READ_NO_WHOLE},
                {"300", READ_WELL, READ_OUTSIDE},
                {"-129", READ_WELL, READ_OUTSIDE},
                {"99999999999999999999999999", READ_WELL, READ_OUTSIDE},
                {"340282366920938463463374607431768211456", READ_WELL, READ_OUTSIDE}};
    CASE("text numbers", "words");
    if (!case_wanted()) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char element[16];
        const size_t length = strlen(rows[i].text);
        expect(read_element(&ww_type_double, rows[i].text, length, element) == rows[i].as_float);
        expect(read_element(&ww_type_int8_t, rows[i].text, length, element) == rows[i].as_integer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats),   cmocka_unit_test(decimals), cmocka_unit_test(halves),
                                       cmocka_unit_test(integers), cmocka_unit_test(digits),   cmocka_unit_test(words)};
    return cmocka_run_group_tests_name("text numbers", tests, NULL, NULL);
}
