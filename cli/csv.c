/* A machine with a state for each place in a field. Fields of other columns are only passed; one of the column is given to its
 * taker where it stands, and is kept only when it comes in two portions, or between quotes. */
#include "csv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum state {
    AT_START, /* of a field */
    ROW_CR,   /* behind a CR that begins a row: an empty one, when LF follows */
    PLAIN,
    QUOTED,
    QUOTE_SEEN, /* between quotes: the end, or the first of two */
    QUOTE_CR    /* behind the end: a CR, and LF must follow */
};

/* ---- sentences ---- */

bool csv_fail(csv *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->sentence, sizeof c->sentence, format, arguments);
    va_end(arguments);
    return false;
}

const char *csv_excerpt(const char *text, size_t length, char shown[64]) {
    enum { MOST = 40 };
    const size_t n = length < MOST ? length : MOST;
    for (size_t i = 0; i < n; i++) shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    strcpy(shown + n, length > MOST ? "..." : "");
    return shown;
}

const char *csv_place(const csv *c, char text[160]) {
    if (c->delimiter == CSV_LINES)
        snprintf(text, 160, "line %" PRIu64, c->row);
    else if (c->label[0])
        snprintf(text, 160, "row %" PRIu64 ", column %" PRIu64 " (%s)", c->row, c->field, c->label);
    else
        snprintf(text, 160, "row %" PRIu64 ", column %" PRIu64, c->row, c->field);
    return text;
}

/* ---- fields and rows ---- */

static bool in_header(const csv *c) { return c->header && c->row == 1; }

/* In a row of data. */
static bool taken(const csv *c) { return c->field == c->column || c->every; }

static bool wanted(const csv *c) { return taken(c) || in_header(c); }

static void keep(csv *c, const char *text, size_t length) {
    const size_t left = CSV_LONGEST - c->length, n = length < left ? length : left;
    memcpy(c->kept + c->length, text, n);
    c->length += n;
    c->cut |= n < length;
}

static bool name_column(csv *c, const char *text, size_t length) {
    if (c->column_name) {
        if (c->cut || strlen(c->column_name) != length || memcmp(c->column_name, text, length) != 0) return true;
        if (c->column) {
            char shown[64];
            return csv_fail(c, "row 1: columns %" PRIu64 " and %" PRIu64 " are both called '%s'", c->column, c->field,
                            csv_excerpt(text, length, shown));
        }
        c->column = c->field;
    }
    if (!taken(c)) return true;
    if (!c->every) csv_excerpt(text, length, c->label);
    return c->column_name || !c->take_name || c->take_name(c->context, c, text, length);
}

/* A field of the column, or of the header, whose text is all there. */
static bool take(csv *c, const char *text, size_t length) {
    char place[160];
    if (in_header(c)) return name_column(c, text, length);
    if (c->cut) return csv_fail(c, "%s: has more than %d bytes", csv_place(c, place), CSV_LONGEST);
    return c->take(c->context, c, text, length);
}

/* The field ends, whose last bytes are these; what was kept comes before them. Quoted ones were kept wholly. */
static bool end_field(csv *c, const char *text, size_t length) {
    if (!wanted(c)) return true;
    bool right;
    if (c->length) {
        keep(c, text, length);
        right = take(c, c->kept, c->length);
    } else {
        right = take(c, text, length);
    }
    c->length = 0;
    c->cut = false;
    return right;
}

/* The first row says how many fields there are. */
static bool end_first_row(csv *c) {
    char shown[64];
    c->fields = c->field;
    if (c->column_name && !c->column)
        return csv_fail(c, "row 1: none of its %" PRIu64 " columns is called '%s'", c->fields,
                        csv_excerpt(c->column_name, strlen(c->column_name), shown));
    if (c->column > c->fields)
        return csv_fail(c, "row 1: has %" PRIu64 " columns, and no column %" PRIu64, c->fields, c->column);
    return true;
}

static bool end_row(csv *c) {
    if (!c->fields && !end_first_row(c)) return false;
    if (c->field != c->fields)
        return csv_fail(c, "row %" PRIu64 ": has %" PRIu64 " field%s, and row 1 has %" PRIu64, c->row, c->field,
                        c->field > 1 ? "s" : "", c->fields);
    c->row++;
    c->field = 1;
    c->state = AT_START;
    return true;
}

/* Rows without a byte turned out to be rows. */
static bool take_empty(csv *c) {
    while (c->empty) {
        c->empty--;
        if (!end_field(c, "", 0) || !end_row(c)) return false;
    }
    return true;
}

/* ---- bytes ---- */

void csv_begin(csv *c) {
    c->row = c->field = 1;
    c->special['\n'] = true;
    if (c->delimiter != CSV_LINES) c->special[c->delimiter] = true;
}

static const char mark[] = "\xef\xbb\xbf";

/* What began as one was something else. */
static void no_mark(csv *c) {
    if (!c->marks) return;
    if (wanted(c)) keep(c, mark, c->marks);
    c->state = PLAIN;
}

static const char *skip_mark(csv *c, const char *at, const char *end) {
    if (c->marks > 3) return at;
    while (at < end && c->marks < 3 && *at == mark[c->marks]) at++, c->marks++;
    if (at == end && c->marks < 3) return at;
    if (c->marks < 3) no_mark(c);
    c->marks = 4;
    return at;
}

static const char *skip_plain(const csv *c, const char *at, const char *end) {
    if (c->delimiter == CSV_LINES) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        return newline ? newline : end;
    }
#ifdef __SSE2__
    const __m128i delimiter = _mm_set1_epi8((char)c->delimiter), newline = _mm_set1_epi8('\n');
    for (; end - at >= 16; at += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiter), _mm_cmpeq_epi8(bytes, newline));
        const unsigned stops = (unsigned)_mm_movemask_epi8(ends);
        if (stops) return at + __builtin_ctz(stops);
    }
#endif
    while (at < end && !c->special[(unsigned char)*at]) at++;
    return at;
}

/* A plain field from here on, or the rest of one. Returns what is behind it; NULL: c->sentence. */
static const char *plain(csv *c, const char *at, const char *end) {
    const char *const stop = skip_plain(c, at, end);
    size_t length = (size_t)(stop - at);
    if (stop == end) {
        if (wanted(c)) keep(c, at, length);
        c->state = PLAIN;
        return end;
    }
    if (*stop == '\n') {
        if (length && stop[-1] == '\r')
            length--;
        else if (!length && c->length && c->kept[c->length - 1] == '\r')
            c->length--; /* it came in the portion before */
    }
    if (!end_field(c, at, length)) return NULL;
    c->state = AT_START;
    if (*stop != '\n')
        c->field++;
    else if (!end_row(c))
        return NULL;
    return stop + 1;
}

/* Fields of the column that begin here and end here, one behind the other where all columns are taken, without the machine:
 * it goes on at what is returned. NULL: c->sentence. */
static const char *whole_fields(csv *c, const char *at, const char *end) {
    const char quote = c->delimiter == CSV_LINES ? '\n' : '"';
    while (at < end && taken(c) && *at != quote && *at != '\n' && *at != '\r') {
        const char *const stop = skip_plain(c, at, end);
        if (stop == end) return at;
        const size_t length = (size_t)(stop - at) - (*stop == '\n' && stop > at && stop[-1] == '\r');
        if (!c->take(c->context, c, at, length)) return NULL;
        if (*stop != '\n')
            c->field++;
        else if (!end_row(c))
            return NULL;
        at = stop + 1;
    }
    return at;
}

/* An empty row may be the file's end; it is not when more follows. */
static const char *start(csv *c, const char *at, const char *end) {
    if (c->field == 1 && !c->length) {
        if (*at == '\n') {
            c->empty++;
            return at + 1;
        }
        if (*at == '\r') {
            c->state = ROW_CR;
            return at + 1;
        }
        if (c->empty && !take_empty(c)) return NULL;
    }
    if (*at != '"' || c->delimiter == CSV_LINES) return plain(c, at, end);
    c->state = QUOTED;
    return at + 1;
}

static const char *row_behind_cr(csv *c, const char *at) {
    c->state = AT_START;
    if (*at == '\n') {
        c->empty++;
        return at + 1;
    }
    if (c->empty && !take_empty(c)) return NULL;
    if (wanted(c)) keep(c, "\r", 1);
    c->state = PLAIN;
    return at;
}

static const char *quoted(csv *c, const char *at, const char *end) {
    const char *const quote = memchr(at, '"', (size_t)(end - at)), *const stop = quote ? quote : end;
    if (wanted(c)) keep(c, at, (size_t)(stop - at));
    if (!quote) return end;
    c->state = QUOTE_SEEN;
    return quote + 1;
}

static const char *behind_quote(csv *c, const char *at) {
    char place[160], shown[64];
    const bool cr = c->state == QUOTE_CR;
    if (*at == '"' && !cr) {
        if (wanted(c)) keep(c, at, 1);
        c->state = QUOTED;
        return at + 1;
    }
    if (*at == '\r' && !cr) {
        c->state = QUOTE_CR;
        return at + 1;
    }
    if (*at == '\n' || (*at == c->delimiter && !cr)) {
        if (!end_field(c, "", 0)) return NULL;
        c->state = AT_START;
        if (*at != '\n')
            c->field++;
        else if (!end_row(c))
            return NULL;
        return at + 1;
    }
    csv_fail(c, "%s: '%s' follows the quote that ends the field", csv_place(c, place), csv_excerpt(at, 1, shown));
    return NULL;
}

#ifdef __SSE2__
/* Sixteen bytes at a time, of fields that nobody wants: where the delimiters and newlines are, up to a quote, which may begin a
 * field. Returns where the machine goes on: at a field of the column, at a quote, or near the end. NULL: c->sentence. */
static const char *pass(csv *c, const char *at, const char *end) {
    const __m128i delimiter = _mm_set1_epi8((char)c->delimiter), newline = _mm_set1_epi8('\n'),
                  quote = _mm_set1_epi8('"');
    while (end - at >= 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        const __m128i quotes = _mm_cmpeq_epi8(bytes, quote);
        const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiter), _mm_cmpeq_epi8(bytes, newline));
        unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(quotes, ends)), behind = 0;
        for (; stops; stops &= stops - 1) {
            const char *const stop = at + __builtin_ctz(stops);
            if (*stop == '"') return at + behind;
            behind = (unsigned)(stop - at) + 1;
            c->state = AT_START;
            if (*stop == '\n') {
                if (!end_row(c)) return NULL;
                return at + behind; /* an empty row is the machine's */
            }
            if (++c->field == c->column) return at + behind;
        }
        if (behind < 16) c->state = PLAIN;
        at += 16;
    }
    return at;
}
#else
static const char *pass(csv *c, const char *at, const char *end) {
    (void)c, (void)end;
    return at;
}
#endif

static bool passes(const csv *c) {
    return c->state <= PLAIN && c->state != ROW_CR && !taken(c) && !in_header(c) && c->delimiter != CSV_LINES;
}

bool csv_feed(csv *c, const char *bytes, size_t length) {
    const char *const end = bytes + length, *at = skip_mark(c, bytes, end);
    while (at && at < end) {
        if (passes(c) && (c->field > 1 || c->state == PLAIN)) {
            at = pass(c, at, end);
            if (!at || at == end) break;
        }
        if (c->state == AT_START && taken(c) && c->fields && !c->length && !c->empty) {
            at = whole_fields(c, at, end);
            if (!at || at == end) break;
            if (!taken(c)) continue;
        }
        switch ((enum state)c->state) {
        case AT_START:
            at = start(c, at, end);
            break;
        case ROW_CR:
            at = row_behind_cr(c, at);
            break;
        case PLAIN:
            at = plain(c, at, end);
            break;
        case QUOTED:
            at = quoted(c, at, end);
            break;
        case QUOTE_SEEN:
        case QUOTE_CR:
            at = behind_quote(c, at);
            break;
        }
    }
    return at != NULL;
}

bool csv_end(csv *c) {
    char place[160];
    if (c->marks < 3) no_mark(c);
    if (c->state == QUOTED) return csv_fail(c, "%s: the file ends inside its quotes", csv_place(c, place));
    if (c->state > ROW_CR || c->field > 1) {
        if (c->state == PLAIN && c->length && c->kept[c->length - 1] == '\r') c->length--;
        return end_field(c, "", 0) && end_row(c);
    }
    return c->fields || !c->header || csv_fail(c, "is empty, and has no header");
}
