#include "print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "half_numbers.h"

const char *integer_text(bool negative, magnitude size, char text[VALUE_TEXT]) {
    char digits[VALUE_TEXT];
    size_t first = sizeof digits;
    digits[--first] = '\0';
    do {
        digits[--first] = (char)('0' + (int)(size % 10));
        size /= 10;
    } while (size);
    if (negative) digits[--first] = '-';
    return memcpy(text, digits + first, sizeof digits - first);
}

char *put_digits(char *to, uint64_t n) {
    enum { DIGITS = 20 }; /* of 2^64 */
    char digits[DIGITS];
    size_t first = DIGITS;
    do {
        digits[--first] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    memcpy(to, digits + first, DIGITS - first);
    return to + (DIGITS - first);
}

/* Whole numbers that a mantissa holds are printed as such, 300 and not 3e+02. */
static bool whole_text(double value, double below, char text[VALUE_TEXT]) {
    if (!(fabs(value) < below) || value != floor(value)) return false;
    snprintf(text, VALUE_TEXT, "%.0f", value);
    return true;
}

const char *double_text(double value, char text[VALUE_TEXT]) {
    if (whole_text(value, 1e15, text)) return text;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, VALUE_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

static const char *float_text(float value, char text[VALUE_TEXT]) {
    if (whole_text((double)value, 0x1p24, text)) return text;
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, VALUE_TEXT, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    return text;
}

/* The fewest digits that read back: never more than 5. */
static const char *half_text(const ww_type *type, const void *element, char text[VALUE_TEXT]) {
    const double value = half_value(type, element);
    if (whole_text(value, 0x1p17, text)) return text;
    for (int digits = 1; digits <= 5; digits++) {
        uint16_t back;
        snprintf(text, VALUE_TEXT, "%.*g", digits, value);
        put_half(type, strtod(text, NULL), &back);
        if (half_value(type, &back) == value) break;
    }
    return text;
}

const char *value_text(const ww_type *type, const void *element, char text[VALUE_TEXT]) {
    magnitude size = 0;
    float single;
    double value;
    if (is_half(type)) return half_text(type, element, text);
    if (type->kind == WW_KIND_FLOAT && type->size == sizeof single) {
        memcpy(&single, element, sizeof single);
        return float_text(single, text);
    }
    if (type->kind == WW_KIND_FLOAT) {
        memcpy(&value, element, sizeof value);
        return double_text(value, text);
    }
    memcpy(&size, element, type->size); /* little-endian */
    const bool negative = type->kind == WW_KIND_SIGNED && size >> (8 * type->size - 1) & 1;
    if (!negative) return integer_text(false, size, text);
    const magnitude opposite = 0 - size;
    size = 0;
    memcpy(&size, &opposite, type->size);
    return integer_text(true, size, text);
}
