/* Parsing by hand where exactness matters (integers of 128 bits), by strtod where rounding does. */
#include "arguments.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "half_numbers.h"

enum { LONGEST_NUMBER = 400 }; /* -DBL_MAX written out has 310 characters */

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

static bool parse_digits(const char *text, size_t length, int base, magnitude *size) {
    *size = 0;
    for (size_t i = 0; i < length; i++) {
        const int digit = digit_of(text[i]);
        if (digit >= base || __builtin_mul_overflow(*size, (magnitude)base, size) ||
            __builtin_add_overflow(*size, (magnitude)digit, size)) {
            return false;
        }
    }
    return length > 0;
}

bool parse_number(const char *text, size_t length, number *n) {
    char copy[LONGEST_NUMBER + 1];
    if (length == 0 || length > LONGEST_NUMBER || memchr(text, '\0', length)) return false;
    memset(n, 0, sizeof *n);
    const bool sign = text[0] == '-' || text[0] == '+';
    const char *digits = text + sign;
    const size_t count = length - sign;
    const bool hexadecimal = count > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    n->negative = text[0] == '-';
    n->integer = hexadecimal ? parse_digits(digits + 2, count - 2, 16, &n->size)
                             : parse_digits(digits, count, 10, &n->size);
    if (n->integer && n->size == 0) n->negative = false;

    /* Only what begins as a number: strtod would skip spaces and take "nan(…)". */
    const char first = count ? digits[0] : '\0';
    if (!((first >= '0' && first <= '9') || first == '.' || first == 'i' || first == 'I')) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    n->value = strtod(copy, &end);
    if (n->value == 0) n->value = n->integer ? 0.0 : n->value; /* "-0" is the integer 0, "-0.0" is not */
    return *end == '\0' && (isfinite(n->value) || first == 'i' || first == 'I');
}

bool parse_type(const char *text, ww_array *type) {
    uint64_t bytes;
    if (strncmp(text, "rec:", 4) == 0) {
        if (!parse_count(text + 4, 1, 1 << 30, &bytes)) return false;
        *type = ww_records(NULL, 0, (size_t)bytes);
        return true;
    }
    const ww_type *named = ww_type_named(text);
    if (named == NULL || named->size == 0) return false;
    *type = ww_array_of(NULL, 0, named);
    return true;
}

bool parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *count) {
    number n;
    if (!parse_number(text, strlen(text), &n) || !n.integer || n.negative || n.size < least || n.size > most)
        return false;
    *count = (uint64_t)n.size;
    return true;
}

bool parse_bytes(const char *text, uint64_t *bytes) {
    static const char letters[] = "KMGT";
    const size_t length = strlen(text);
    const char *letter = length > 1 ? strchr(letters, text[length - 1]) : NULL;
    const unsigned shift = letter && *letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    number n;
    if (!parse_number(text, length - (shift > 0), &n) || !n.integer || n.negative || !n.size ||
        n.size > UINT64_MAX >> shift)
        return false;
    *bytes = (uint64_t)n.size << shift;
    return true;
}

int compare_numbers(const number *a, const number *b) {
    if (!a->integer || !b->integer) return (a->value > b->value) - (a->value < b->value);
    if (a->negative != b->negative) return a->negative ? -1 : 1;
    const int larger = (a->size > b->size) - (a->size < b->size);
    return a->negative ? -larger : larger;
}

bool parse_range(const char *text, number range[2]) {
    const char *colon = strchr(text, ':');
    return colon && parse_number(text, (size_t)(colon - text), &range[0]) &&
           parse_number(colon + 1, strlen(colon + 1), &range[1]) && isfinite(range[0].value) &&
           isfinite(range[1].value) && compare_numbers(&range[0], &range[1]) < 0;
}

bool parse_place(const char *text, uint64_t *offset, uint64_t *length) {
    const char *colon = strchr(text, ':');
    number n;
    if (!colon || !parse_number(text, (size_t)(colon - text), &n) || !n.integer || n.negative || n.size > UINT32_MAX) {
        return false;
    }
    *offset = (uint64_t)n.size;
    return parse_count(colon + 1, 1, UINT32_MAX, length);
}

bool parse_edges(const char *text, number_list *edges, size_t *wrong) {
    size_t commas = 0;
    for (const char *c = text; *c; c++) commas += *c == ',';
    *wrong = 0;
    edges->count = 0;
    edges->list = NULL;
    if (commas >= MOST_NUMBERS) return false;
    edges->list = malloc((commas + 1) * sizeof *edges->list);
    if (edges->list == NULL) return false;
    for (size_t i = 0; i <= commas; i++) {
        const size_t length = strcspn(text, ",");
        *wrong = i;
        if (!parse_number(text, length, &edges->list[i])) return false;
        if (i > 0 && compare_numbers(&edges->list[i - 1], &edges->list[i]) >= 0) return false;
        edges->count++;
        text += length + (i < commas);
    }
    return edges->count >= 2;
}

/* ---- elements ---- */

static bool put_unsigned(const number *n, size_t bytes, void *element) {
    if (!n->integer || n->negative || (bytes < sizeof(magnitude) && n->size >> 8 * bytes)) return false;
    memset(element, 0, bytes);
    memcpy(element, &n->size, bytes < sizeof(magnitude) ? bytes : sizeof(magnitude)); /* little-endian */
    return true;
}

static bool put_signed(const number *n, size_t bytes, void *element) {
    const magnitude limit = (magnitude)1 << (8 * bytes - 1);
    if (!n->integer || n->size > limit || (n->size == limit && !n->negative)) return false;
    const magnitude twos_complement = n->negative ? 0 - n->size : n->size;
    memcpy(element, &twos_complement, bytes);
    return true;
}

bool put_number(const number *n, const ww_type *type, void *element) {
    const float single = (float)n->value;
    switch (type->kind) {
    case WW_KIND_UNSIGNED:
        return put_unsigned(n, type->size, element);
    case WW_KIND_SIGNED:
        return put_signed(n, type->size, element);
    case WW_KIND_FLOAT:
        if (is_half(type)) {
            put_half(type, n->value, element);
        } else if (type->size == sizeof single) {
            memcpy(element, &single, sizeof single);
        } else {
            memcpy(element, &n->value, sizeof n->value);
        }
        return true;
    default:
        return false;
    }
}
