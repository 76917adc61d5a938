/* A .npy file: "\x93NUMPY", the version's two bytes, the header's length (u16, from version 2 on u32), the header, which is
 * a Python dictionary as text, {'descr': '<u4', 'fortran_order': False, 'shape': (3, 4), }, and the elements.
 *
 * The header is parsed as the small language that it is, with a cursor that never passes its end: exactly the three keys,
 * in any order, each once. Everything else is refused with the place (bytes from the header's beginning) and what stood
 * there. The format: NumPy Enhancement Proposal 1 and numpy.lib.format. */
#include "file/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw files are little-endian, as the machine is");

static const unsigned char magic[WW__NPY_MAGIC_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* Text from a file as it may stand in a sentence: cut, and what is no plain character replaced. */
typedef struct excerpt {
    char text[44];
} excerpt;

static excerpt excerpt_of(const char *text, size_t length) {
    excerpt e;
    const size_t room = sizeof(e.text) - 4, n = length < room ? length : room;
    for (size_t i = 0; i < n; i++) e.text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    memcpy(e.text + n, length > room ? "..." : "", length > room ? 4 : 1);
    return e;
}

/* ---- descr ---- */

typedef struct element_kind {
    char code;
    size_t size;         /* 0: any */
    const ww_type *type; /* NULL: not read */
    const char *name;    /* … because it is that */
} element_kind;

static const element_kind kinds[] = {
    {'b', 1, &ww_type_uint8_t, NULL},
    {'u', 1, &ww_type_uint8_t, NULL},
    {'u', 2, &ww_type_uint16_t, NULL},
    {'u', 4, &ww_type_uint32_t, NULL},
    {'u', 8, &ww_type_uint64_t, NULL},
    {'i', 1, &ww_type_int8_t, NULL},
    {'i', 2, &ww_type_int16_t, NULL},
    {'i', 4, &ww_type_int32_t, NULL},
    {'i', 8, &ww_type_int64_t, NULL},
    {'f', 2, &ww_type_ww_f16, NULL},
    {'f', 4, &ww_type_float, NULL},
    {'f', 8, &ww_type_double, NULL},
    {'V', 0, &ww_type_record, NULL},
    {'f', 12, NULL, "floats of 12 bytes"},
    {'f', 16, NULL, "floats of 16 bytes"},
    {'c', 0, NULL, "complex numbers"},
    {'S', 0, NULL, "byte strings"},
    {'a', 0, NULL, "byte strings"},
    {'U', 0, NULL, "strings"},
    {'T', 0, NULL, "strings"},
    {'O', 0, NULL, "Python objects"},
    {'M', 0, NULL, "dates"},
    {'m', 0, NULL, "time spans"},
};

static ww_status parse_descr(ww_device *device, const char *name, const char *descr, size_t length, ww__npy *npy) {
    const excerpt shown = excerpt_of(descr, length);
    size_t at = 0, size = 0;
    char order = '=';
    if (at < length && memchr("<>=|", descr[at], 4)) order = descr[at++];
    const char code = at < length ? descr[at++] : '\0';
    const size_t first_digit = at;
    bool fits = true;
    for (; at < length && descr[at] >= '0' && descr[at] <= '9'; at++) {
        fits = fits && !__builtin_mul_overflow(size, 10, &size) &&
               !__builtin_add_overflow(size, descr[at] - '0', &size);
    }
    /* "|O" has no size; dates have a unit, "<M8[ns]". */
    const bool whole = at == length && at > first_digit && fits && size > 0;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        if (kinds[k].code != code) continue;
        if (kinds[k].type == NULL && (kinds[k].size == 0 || (whole && kinds[k].size == size))) {
            return ww__fail(device, WW_FORMAT, "%.200s: holds %s (descr '%s'), which are not read", name, kinds[k].name,
                            shown.text);
        }
        if (!whole || (kinds[k].size != 0 && kinds[k].size != size)) continue;
        npy->type = kinds[k].type;
        npy->size = size;
        npy->swapped = order == '>' && size > 1 && npy->type != &ww_type_record;
        return WW_OK;
    }
    return ww__fail(device, WW_FORMAT, "%.200s: descr '%s' in the header names no element type", name, shown.text);
}

/* ---- the dictionary ---- */

typedef struct cursor {
    ww_device *device;
    const char *name;
    const char *begin, *at, *end;
} cursor;

static ww_status expected(const cursor *c, const char *what) {
    const excerpt found = excerpt_of(c->at, (size_t)(c->end - c->at));
    return ww__fail(c->device, WW_FORMAT, "%.200s: byte %zu of the header should be %s; it is \"%s\"", c->name,
                    (size_t)(c->at - c->begin), what, found.text);
}

static void skip_space(cursor *c) {
    while (c->at < c->end && memchr(" \t\r\n\f", *c->at, 5)) c->at++;
}

/* Takes the character if it comes next. */
static bool take(cursor *c, char wanted) {
    skip_space(c);
    if (c->at == c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word) {
    const size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

static ww_status parse_string(cursor *c, const char *what, const char **text, size_t *length) {
    skip_space(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"')) return expected(c, what);
    const char quote = *c->at;
    const char *last = memchr(c->at + 1, quote, (size_t)(c->end - c->at - 1));
    if (last == NULL) return expected(c, "a string with an end");
    *text = c->at + 1;
    *length = (size_t)(last - *text);
    c->at = last + 1;
    return WW_OK;
}

static ww_status parse_dimension(cursor *c, uint64_t *dimension) {
    const char *first = c->at;
    *dimension = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (__builtin_mul_overflow(*dimension, 10, dimension) ||
            __builtin_add_overflow(*dimension, (uint64_t)(*c->at - '0'), dimension)) {
            c->at = first;
            return expected(c, "a number below 2^64");
        }
    }
    if (c->at == first) return expected(c, "a number of the shape");
    if (c->at < c->end && *c->at == 'L') c->at++; /* written by Python 2 */
    return WW_OK;
}

/* (), (n,), (n, m), (n, m,) …; the product is 1 for (). */
static ww_status parse_shape(cursor *c, ww__npy *npy) {
    uint64_t *const count = &npy->count;
    if (!take(c, '(')) return expected(c, "a shape in parentheses");
    const char *first = c->at;
    bool fits = true, zero = false;
    size_t dimensions = 0;
    bool comma = false;
    *count = 1;
    while (!take(c, ')')) {
        uint64_t dimension;
        if (dimensions > 0 && !comma) return expected(c, "a comma or ) in the shape");
        WW_TRY(parse_dimension(c, &dimension));
        WW_CHECK(c->device, dimensions < WW_FILE_DIMENSIONS, WW_FORMAT,
                 "%.200s: the shape has more than %d dimensions, which are not read", c->name, WW_FILE_DIMENSIONS);
        npy->shape[dimensions] = dimension;
        zero = zero || dimension == 0;
        fits = fits && !__builtin_mul_overflow(*count, dimension, count);
        dimensions++;
        comma = take(c, ',');
    }
    npy->dimensions = dimensions;
    if (zero) *count = 0; /* whatever the others are: there are no elements */
    const excerpt shown = excerpt_of(first, (size_t)(c->at - first - 1));
    if (!fits && !zero) {
        return ww__fail(c->device, WW_FORMAT, "%.200s: the shape (%s) has more than 2^64 elements", c->name,
                        shown.text);
    }
    if (dimensions == 1 && !comma) {
        return ww__fail(c->device, WW_FORMAT, "%.200s: the shape (%s) is a number; a shape is a tuple, (%s,)", c->name,
                        shown.text, shown.text);
    }
    return WW_OK;
}

static ww_status parse_order(cursor *c) {
    if (take_word(c, "False")) return WW_OK;
    if (!take_word(c, "True")) return expected(c, "True or False");
    return ww__fail(c->device, WW_FORMAT,
                    "%.200s: is in Fortran order, which is not read (numpy.ascontiguousarray turns it)", c->name);
}

static ww_status parse_type(cursor *c, ww__npy *npy) {
    const char *descr;
    size_t length;
    skip_space(c);
    if (c->at < c->end && (*c->at == '[' || *c->at == '(')) {
        return ww__fail(c->device, WW_FORMAT,
                        "%.200s: holds structured elements, which are not read (a view as |VN is)", c->name);
    }
    WW_TRY(parse_string(c, "the type as a string", &descr, &length));
    return parse_descr(c->device, c->name, descr, length, npy);
}

ww_status ww__npy_parse(ww_device *device, const char *name, const char *text, size_t length, ww__npy *npy) {
    enum { DESCR, ORDER, SHAPE, KEYS };
    static const char *const key_names[KEYS] = {"descr", "fortran_order", "shape"};
    bool seen[KEYS] = {false, false, false};
    cursor c = {device, name, text, text, text + length};

    if (!take(&c, '{')) return expected(&c, "{");
    while (!take(&c, '}')) {
        const char *key;
        size_t key_length;
        int which = 0;
        WW_TRY(parse_string(&c, "a key or }", &key, &key_length));
        while (which < KEYS &&
               (strlen(key_names[which]) != key_length || memcmp(key_names[which], key, key_length) != 0)) {
            which++;
        }
        const excerpt shown = excerpt_of(key, key_length);
        WW_CHECK(device, which < KEYS, WW_FORMAT, "%.200s: the header has a key '%s', which .npy does not know", name,
                 shown.text);
        WW_CHECK(device, !seen[which], WW_FORMAT, "%.200s: the header has '%s' twice", name, shown.text);
        seen[which] = true;
        if (!take(&c, ':')) return expected(&c, ":");
        if (which == DESCR) WW_TRY(parse_type(&c, npy));
        if (which == ORDER) WW_TRY(parse_order(&c));
        if (which == SHAPE) WW_TRY(parse_shape(&c, npy));
        if (!take(&c, ',')) {
            if (!take(&c, '}')) return expected(&c, "a comma or }");
            break;
        }
    }
    skip_space(&c);
    if (c.at != c.end) return expected(&c, "the header's end");
    for (int k = 0; k < KEYS; k++) {
        WW_CHECK(device, seen[k], WW_FORMAT, "%.200s: the header has no '%s'", name, key_names[k]);
    }
    return WW_OK;
}

/* ---- preamble ---- */

bool ww__npy_begins(const unsigned char *bytes, size_t length) {
    return length >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

ww_status ww__npy_lengths(ww_device *device, const char *name, const unsigned char *bytes, size_t length,
                          size_t *preamble, size_t *header) {
    WW_CHECK(device, ww__npy_begins(bytes, length), WW_FORMAT, "%.200s: does not begin as a .npy file (\\x93NUMPY)",
             name);
    WW_CHECK(device, length >= 10, WW_FORMAT, "%.200s: ends after %zu bytes, inside the first 10", name, length);
    const unsigned major = bytes[6], minor = bytes[7];
    WW_CHECK(device, major >= 1 && major <= 3 && minor == 0, WW_FORMAT,
             "%.200s: is .npy version %u.%u; versions 1.0, 2.0 and 3.0 are read", name, major, minor);
    *preamble = major == 1 ? 10 : 12;
    WW_CHECK(device, length >= *preamble, WW_FORMAT, "%.200s: ends after %zu bytes, inside the first 12", name, length);
    *header = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (major > 1) *header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    WW_CHECK(device, *header <= WW__NPY_HEADER_LIMIT, WW_FORMAT,
             "%.200s: says that its header has %zu bytes; more than %d are not read", name, *header,
             WW__NPY_HEADER_LIMIT);
    return WW_OK;
}

/* "(3,)", "(3, 4)"; what is behind it. */
static char *put_shape(char *to, const char *end, uint64_t count, const ww_file_header *shape) {
    const uint64_t dimensions = shape ? shape->dimensions : 1;
    *to++ = '(';
    for (uint64_t d = 0; d < dimensions; d++)
        to += snprintf(to, (size_t)(end - to), "%s%" PRIu64, d ? ", " : "", shape ? shape->shape[d] : count);
    return to + snprintf(to, (size_t)(end - to), dimensions == 1 ? ",)" : ")");
}

size_t ww__npy_header(const ww_array *array, const ww_file_header *shape, char bytes[WW__NPY_WRITTEN_BYTES]) {
    static const char codes[] = {[WW_KIND_UNSIGNED] = 'u',
                                 [WW_KIND_SIGNED] = 'i',
                                 [WW_KIND_FLOAT] = 'f',
                                 [WW_KIND_RECORD] = 'V',
                                 [WW_KIND_STRUCT] = 'V'};
    /* NumPy has no integers of 16 bytes, and no bf16: programs that add it write V2 (ml_dtypes). */
    const char code = array->size > 8 || array->type == &ww_type_ww_bf16 ? 'V' : codes[array->type->kind];
    const char order = array->size == 1 || code == 'V' ? '|' : '<';
    const char *const last = bytes + WW__NPY_WRITTEN_BYTES;
    char *to = bytes + 10;
    to += snprintf(to, (size_t)(last - to), "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': ", order, code,
                   array->size);
    to = put_shape(to, last, array->count, shape);
    to += snprintf(to, (size_t)(last - to), ", }");
    const size_t used = (size_t)(to - bytes), end = ww__round_up(used + 1, 64);
    memset(to, ' ', end - used - 1);
    bytes[end - 1] = '\n';
    memcpy(bytes, magic, sizeof(magic));
    bytes[6] = 1;
    bytes[7] = 0;
    bytes[8] = (char)((end - 10) & 0xFF);
    bytes[9] = (char)((end - 10) >> 8);
    return end;
}
