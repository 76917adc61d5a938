/* Reading: up to 19 digits are collected in one number. An integer is done then. A float is done when it is a product or a
 * quotient of two numbers that the type holds exactly, which is rounded once (Clinger 1990), or when its digits are divided
 * by a power of ten as integers; what is longer goes to strtod, whose locale is C here.
 *
 * Writing: a float that is a whole number of up to 15 digits, or of a few decimals, is such a quotient too, and is printed as
 * two integers; so are longer ones that are neither large nor small, by integers of 128 bits; the others by printf, with 15,
 * 16 and 17 digits (f32: 6 to 9) until one reads back. A decimal number of up to 15 digits comes back from a double with the
 * same 15, so nothing shorter can be missed; numbers below the smallest normal one have fewer digits, and value_text tries
 * all. */
#include "text_numbers.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "half_numbers.h"

enum {
    DIGITS = 19,     /* that always fit in 64 bits */
    EXACT_TENS = 22, /* 10^22 is a double */
    EXACT_TENS_F32 = 10,
    LONGEST = 1200, /* characters that strtod is given: DBL_MIN in full has 1,075 */
    DECIMALS = 6    /* that are tried before printf */
};

static const double tens[EXACT_TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- reading ---- */

/* "-12.5e3": its parts, as far as they are that. */
typedef struct decimal {
    uint64_t digits; /* of the whole and the fraction, while there are few enough */
    int count;       /* of them, from the first that is not 0; above DIGITS: too many */
    int exponent;    /* the value is digits * 10^exponent */
    bool negative, whole;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Of more than DIGITS their number is of no use, only their count. */
static const char *take_digits(const char *at, const char *end, decimal *d) {
    if (!d->count)
        while (at < end && *at == '0') at++;
    const char *const first = at;
    uint64_t digits = d->digits;
    for (; at < end && is_digit(*at); at++) digits = 10 * digits + (uint64_t)(*at - '0');
    d->count += (int)(at - first);
    d->digits = digits;
    return at;
}

static const char *take_exponent(const char *at, const char *end, decimal *d) {
    int exponent = 0;
    const bool negative = ++at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return NULL;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 100000) exponent = 10 * exponent + (*at - '0');
    d->exponent += negative ? -exponent : exponent;
    return at;
}

/* False: it is no decimal number. */
static bool take_decimal(const char *at, const char *end, decimal *d) {
    d->negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    const char *const first = at;
    at = take_digits(at, end, d);
    ptrdiff_t digits = at - first;
    d->whole = at == end;
    if (at < end && *at == '.') {
        const char *const fraction = ++at;
        at = take_digits(at, end, d);
        digits += at - fraction;
        if (at - fraction > LONGEST) return false;
        d->exponent = -(int)(at - fraction);
    }
    if (digits && at < end && (*at == 'e' || *at == 'E')) at = take_exponent(at, end, d);
    return digits > 0 && at == end;
}

/* Eight digits, the first one lowest: neighbours are joined to numbers of two digits, of four, of eight. */
static uint64_t eight_digits(uint64_t digits) {
    digits = (digits * 10 + (digits >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    digits = (digits * 100 + (digits >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (digits * 10000 + (digits >> 32)) & UINT32_MAX;
}

/* Whether all eight characters are digits, which are left of them. */
static bool are_digits(uint64_t *characters) {
    const uint64_t zeros = UINT64_C(0x3030303030303030), high = UINT64_C(0x8080808080808080);
    const uint64_t above = (*characters & ~high) + UINT64_C(0x4646464646464646); /* '9' + 0x46 is 0x7F */
    const uint64_t below = (*characters | high) - zeros; /* of '0' and above the high bit stays */
    *characters ^= zeros;
    return !((*characters | above | ~below) & high);
}

/* 8 to 16 digits and nothing else: the last eight, and those before them. (Big-endian processors go without.) */
static bool many_digits(const char *text, size_t length, uint64_t *value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const char zeros[] = "00000000";
    uint64_t first, last;
    const size_t more = length - 8;
    memcpy(&last, text + more, sizeof last);
    memcpy(&first, zeros, sizeof first);
    if (more) {
        uint64_t begin;
        memcpy(&begin, text, sizeof begin);
        first = begin << 8 * (8 - more) | (more < 8 ? first >> 8 * more : 0);
    }
    if (!are_digits(&last) || !are_digits(&first)) return false;
    *value = eight_digits(first) * 100000000 + eight_digits(last);
    return true;
#else
    (void)text, (void)length, (void)value;
    return false;
#endif
}

/* The commonest text of a whole number: digits alone. */
static bool digits_alone(const char *text, size_t length, uint64_t *value) {
    if (length >= 8) return length <= 16 && many_digits(text, length, value);
    uint64_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i])) return false;
        digits = 10 * digits + (uint64_t)(text[i] - '0');
    }
    *value = digits;
    return length > 0;
}

/* The largest integer of a type of up to 64 bits. */
static uint64_t most_of(const ww_type *type) {
    return UINT64_MAX >> (64 - 8 * (unsigned)type->size + (type->kind == WW_KIND_SIGNED));
}

static void put_whole(const ww_type *type, uint64_t value, void *element) { /* little-endian */
    if (type->size == 4)
        memcpy(element, &value, 4);
    else if (type->size == 8)
        memcpy(element, &value, 8);
    else
        memcpy(element, &value, type->size);
}

static reading integer_of(const ww_type *type, const char *text, size_t length, const decimal *d, void *element) {
    if (!d->whole) return READ_NO_WHOLE;
    if (d->count > DIGITS || type->size > sizeof(uint64_t)) {
        number n;
        while (length > 1 && (text[0] == '0' || text[0] == '+')) text++, length--; /* which parse_number counts */
        return parse_number(text, length, &n) && put_number(&n, type, element) ? READ_WELL : READ_OUTSIDE;
    }
    const bool is_signed = type->kind == WW_KIND_SIGNED;
    const uint64_t most = most_of(type);
    if (d->digits > (d->negative ? (is_signed ? most + 1 : 0) : most)) return READ_OUTSIDE;
    put_whole(type, d->negative ? 0 - d->digits : d->digits, element);
    return READ_WELL;
}

static void put_float(const ww_type *type, double value, void *element) {
    const float single = (float)value;
    if (type->size == sizeof single)
        memcpy(element, &single, sizeof single);
    else
        memcpy(element, &value, sizeof value);
}

/* For f32 the digits and the power are floats, so that the double's quotient or product is rounded to the float that it would
 * be at once: 53 bits are more than twice 24 and 2 (Figueroa 1995). */
static bool float_at_once(const ww_type *type, const decimal *d, void *element) {
    const bool single = type->size == sizeof(float);
    const int power = single ? EXACT_TENS_F32 : EXACT_TENS;
    if (d->count > DIGITS || d->digits >> (single ? FLT_MANT_DIG : DBL_MANT_DIG) || d->exponent > power ||
        d->exponent < -power) {
        return false;
    }
    double value = (double)d->digits;
    if (d->exponent < 0)
        value /= tens[-d->exponent];
    else
        value *= tens[d->exponent];
    put_float(type, d->negative ? -value : value, element);
    return true;
}

#if WW_HAS_U128
enum { EXACT_FIVES = 27 }; /* 5^27 is below 2^63 */
static const uint64_t fives[EXACT_FIVES + 1] = {UINT64_C(1),
                                                UINT64_C(5),
                                                UINT64_C(25),
                                                UINT64_C(125),
                                                UINT64_C(625),
                                                UINT64_C(3125),
                                                UINT64_C(15625),
                                                UINT64_C(78125),
                                                UINT64_C(390625),
                                                UINT64_C(1953125),
                                                UINT64_C(9765625),
                                                UINT64_C(48828125),
                                                UINT64_C(244140625),
                                                UINT64_C(1220703125),
                                                UINT64_C(6103515625),
                                                UINT64_C(30517578125),
                                                UINT64_C(152587890625),
                                                UINT64_C(762939453125),
                                                UINT64_C(3814697265625),
                                                UINT64_C(19073486328125),
                                                UINT64_C(95367431640625),
                                                UINT64_C(476837158203125),
                                                UINT64_C(2384185791015625),
                                                UINT64_C(11920928955078125),
                                                UINT64_C(59604644775390625),
                                                UINT64_C(298023223876953125),
                                                UINT64_C(1490116119384765625),
                                                UINT64_C(7450580596923828125)};

/* A quotient below 2^64, for which x86-64 has an instruction that compilers do not use. */
static uint64_t divided(ww_u128 number, uint64_t divisor) {
#ifdef __x86_64__
    uint64_t quotient, left;
    __asm__("divq %4"
            : "=a"(quotient), "=d"(left)
            : "a"((uint64_t)number), "d"((uint64_t)(number >> 64)), "r"(divisor));
    return quotient;
#else
    return (uint64_t)(number / divisor);
#endif
}

/* Digits divided by a power of ten: both with their first bit set, so that a quotient of 63 or 64 bits has more than any
 * mantissa, and what is left of the division breaks a tie. Numbers of up to 19 digits from 1e-27 on are never subnormal. */
static bool float_by_division(const ww_type *type, const decimal *d, void *element) {
    if (d->count > DIGITS || !d->digits || d->exponent > 0 || d->exponent < -EXACT_FIVES) return false;
    const uint64_t five = fives[-d->exponent];
    const int digits_shift = __builtin_clzll(d->digits), five_shift = __builtin_clzll(five);
    const ww_u128 digits = (ww_u128)(d->digits << digits_shift) << 63;
    const uint64_t divisor = five << five_shift, quotient = divided(digits, divisor);
    const bool exact = (uint64_t)digits == quotient * divisor; /* modulo 2^64: what is left is smaller */
    const int dropped = 64 - __builtin_clzll(quotient) - (type->size == sizeof(float) ? FLT_MANT_DIG : DBL_MANT_DIG);
    const uint64_t half = UINT64_C(1) << (dropped - 1), rest = quotient & (2 * half - 1);
    uint64_t mantissa = quotient >> dropped;
    if (rest > half || (rest == half && (!exact || mantissa % 2))) mantissa++;
    const double value = ldexp((double)mantissa, dropped - 63 - digits_shift + five_shift + d->exponent);
    put_float(type, d->negative ? -value : value, element);
    return true;
}
#else
static bool float_by_division(const ww_type *type, const decimal *d, void *element) {
    (void)type, (void)d, (void)element;
    return false;
}
#endif

static reading float_by_strtod(const ww_type *type, const char *text, size_t length, void *element) {
    char copy[LONGEST + 1], *end;
    if (length > LONGEST) return READ_NO_NUMBER;
    memcpy(copy, text, length);
    copy[length] = '\0';
    const bool single = type->size == sizeof(float);
    const double value = single ? (double)strtof(copy, &end) : strtod(copy, &end);
    if (end != copy + length) return READ_NO_NUMBER;
    if (isinf(value)) return READ_OUTSIDE;
    put_float(type, value, element);
    return READ_WELL;
}

static bool same_word(const char *text, size_t length, const char *word) {
    if (length != strlen(word)) return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] | 32) != word[i]) return false;
    return true;
}

static bool float_by_name(const ww_type *type, const char *text, size_t length, void *element) {
    const bool sign = text[0] == '-' || text[0] == '+';
    const char *const name = text + sign;
    const size_t rest = length - sign;
    double value = INFINITY;
    if (same_word(name, rest, "nan"))
        value = NAN;
    else if (!same_word(name, rest, "inf") && !same_word(name, rest, "infinity"))
        return false;
    put_float(type, text[0] == '-' ? -value : value, element);
    return true;
}

/* Whether the value is half-way between two halves: then the text may be a little off it, which the double does not tell. */
static bool between_halves(const ww_type *type, double value) {
    uint16_t half, other;
    put_half(type, nextafter(value, INFINITY), &half);
    put_half(type, nextafter(value, -INFINITY), &other);
    return half != other;
}

/* By the nearest double; where that is half-way between two, the text decides: strtod goes by the mode of rounding. */
static reading read_half(const ww_type *type, const char *text, size_t length, void *element) {
    char copy[LONGEST + 1];
    double value;
    const reading what = read_element(&ww_type_double, text, length, &value);
    if (what) return what;
    if (between_halves(type, value) && length <= LONGEST) {
        const int before = fegetround();
        memcpy(copy, text, length);
        copy[length] = '\0';
        fesetround(FE_DOWNWARD);
        const double below = strtod(copy, NULL);
        fesetround(FE_UPWARD);
        const double above = strtod(copy, NULL);
        fesetround(before);
        value = below < value ? below : above;
    }
    put_half(type, value, element);
    return isinf(half_value(type, element)) && !isinf(value) ? READ_OUTSIDE : READ_WELL;
}

reading read_element(const ww_type *type, const char *text, size_t length, void *element) {
    uint64_t digits = 0;
    if (is_half(type)) return read_half(type, text, length, element);
    if (type->kind != WW_KIND_FLOAT && type->size <= sizeof(uint64_t) && digits_alone(text, length, &digits)) {
        if (digits > most_of(type)) return READ_OUTSIDE;
        put_whole(type, digits, element);
        return READ_WELL;
    }
    decimal d = {0};
    while (length && (text[0] == ' ' || text[0] == '\t')) text++, length--;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    if (!length) return READ_NOTHING;
    const bool is_float = type->kind == WW_KIND_FLOAT;
    if (!take_decimal(text, text + length, &d))
        return is_float && float_by_name(type, text, length, element) ? READ_WELL : READ_NO_NUMBER;
    if (!is_float) return integer_of(type, text, length, &d, element);
    if (float_at_once(type, &d, element) || float_by_division(type, &d, element)) return READ_WELL;
    return float_by_strtod(type, text, length, element);
}

/* ---- writing ---- */

static size_t put_integer(const ww_type *type, const void *element, char *text) {
    uint64_t value = 0;
    memcpy(&value, element, type->size);
    if (type->kind != WW_KIND_SIGNED) return (size_t)(put_digits(text, value) - text);
    const unsigned unused = 64 - 8 * (unsigned)type->size;
    const int64_t number = (int64_t)(value << unused) >> unused;
    if (number >= 0) return (size_t)(put_digits(text, value) - text);
    *text = '-';
    return (size_t)(put_digits(text + 1, 0 - (uint64_t)number) - text);
}

/* 12.34 is 1234 / 10^2, rounded once. 0: it is none of a few decimals. A float of f32 is given as a double. */
static size_t put_decimals(double value, bool single, char *text) {
    const double size = fabs(value), most = single ? 1e6 : 1e15; /* digits that read back */
    if (!(size < most) || (size < 1e-4 && size > 0) || (size == 0 && signbit(value))) return 0;
    for (int k = 0; k <= DECIMALS; k++) {
        const double digits = nearbyint(size * tens[k]), back = digits / tens[k];
        if (digits >= most) return 0;
        if ((single ? (double)(float)back : back) != size) continue;
        const uint64_t all = (uint64_t)digits, one = (uint64_t)tens[k];
        char *to = text;
        if (value < 0) *to++ = '-';
        to = put_digits(to, all / one);
        if (k == 0) return (size_t)(to - text);
        *to++ = '.';
        uint64_t fraction = all % one;
        for (int place = k - 1; place >= 0; place--) {
            to[place] = (char)('0' + fraction % 10);
            fraction /= 10;
        }
        return (size_t)(to - text) + (size_t)k;
    }
    return 0;
}

#if WW_HAS_U128
/* A number from 1e-4 to 1e15 (f32: 1e6) is an integer times 2^exponent, and 10^k times that, where it has as many digits
 * before the point as are ever needed, is N / 2^s with an N of at most 128 bits: so digits are rounded by integers alone, and
 * read back when they lie less than half a step of the mantissa away. 0: it is none of these. */
static size_t put_exactly(double value, int mantissa_bits, int least, int most, char *text) {
    static const double tenths[] = {1, 1e-1, 1e-2, 1e-3, 1e-4};
    int exponent, place = 0; /* of the first digit */
    const double size = fabs(value), fraction = frexp(size, &exponent);
    if (!(size >= 1e-4) || size >= tens[least] || fraction == 0.5) return 0; /* a step below a power of 2 is shorter */
    while (size >= tens[place + 1]) place++;
    while (place <= 0 && size < tenths[-place]) place--;
    const int k = most - 1 - place;
    uint64_t five = 1;
    for (int i = 0; i < k; i++) five *= 5;
    const ww_u128 n = (ww_u128)(uint64_t)ldexp(fraction, mantissa_bits) * five;
    const int s = mantissa_bits - exponent - k;
    if (s < 1 || s > 60) return 0;
    for (int digits = least; digits <= most; digits++) {
        const uint64_t unit = (uint64_t)tens[most - digits];
        const ww_u128 step = (ww_u128)unit << s, rounded = (n + step / 2) / step * step;
        const ww_u128 away = rounded > n ? rounded - n : n - rounded;
        if (2 * away >= five) continue;
        uint64_t all = (uint64_t)(rounded >> s);
        int behind = k;
        while (behind && all % 10 == 0) all /= 10, behind--;
        char *to = text;
        if (value < 0) *to++ = '-';
        const uint64_t one = behind < DIGITS ? (uint64_t)tens[behind] : UINT64_MAX; /* 10^19 is above all */
        to = put_digits(to, behind < DIGITS ? all / one : 0);
        if (!behind) return (size_t)(to - text);
        uint64_t rest = behind < DIGITS ? all % one : all;
        *to++ = '.';
        for (int d = behind; d-- > 0; rest /= 10) to[d] = (char)('0' + rest % 10);
        return (size_t)(to - text) + (size_t)behind;
    }
    return 0;
}
#else
static size_t put_exactly(double value, int mantissa_bits, int least, int most, char *text) {
    (void)value, (void)mantissa_bits, (void)least, (void)most, (void)text;
    return 0;
}
#endif

static size_t put_double(double value, char *text) {
    size_t length = put_decimals(value, false, text);
    if (!length) length = put_exactly(value, DBL_MANT_DIG, DBL_DIG, DBL_DECIMAL_DIG, text);
    if (length) return length;
    if (isnan(value) || fabs(value) < DBL_MIN) return strlen(double_text(value, text));
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        length = (size_t)snprintf(text, VALUE_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return length;
}

static size_t put_single(const ww_type *type, const void *element, char *text) {
    float value;
    memcpy(&value, element, sizeof value);
    size_t length = put_decimals((double)value, true, text);
    if (!length) length = put_exactly((double)value, FLT_MANT_DIG, FLT_DIG, FLT_DECIMAL_DIG, text);
    if (length) return length;
    if (isnan(value) || fabsf(value) < FLT_MIN) return strlen(value_text(type, element, text));
    for (int digits = FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
        length = (size_t)snprintf(text, VALUE_TEXT, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    return length;
}

size_t put_element(const ww_type *type, const void *element, char text[VALUE_TEXT]) {
    double value;
    if (type->kind != WW_KIND_FLOAT) {
        if (type->size <= sizeof(uint64_t)) return put_integer(type, element, text);
        return strlen(value_text(type, element, text));
    }
    if (type->size == sizeof(float)) return put_single(type, element, text);
    if (is_half(type)) return strlen(value_text(type, element, text));
    memcpy(&value, element, sizeof value);
    return put_double(value, text);
}
