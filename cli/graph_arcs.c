#include "graph_arcs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHUNK = 1 << 20, LINE_MOST = 4096, NUMBER_MOST = 63, FIRST_ROOM = 1 << 12 };
#define COMMENTS_MOST (UINT64_C(64) << 20)

/* ---- lists ---- */

bool graph_arcs_add(graph_arcs *a, uint64_t from, uint64_t to, arc_weight weight) {
    if (a->count == a->room) {
        const uint64_t room = a->room ? 2 * a->room : FIRST_ROOM;
        if (room > SIZE_MAX / sizeof *a->from) return false;
        void *moved = realloc(a->from, room * sizeof *a->from);
        if (!moved) return false;
        a->from = moved;
        if (!(moved = realloc(a->to, room * sizeof *a->to))) return false;
        a->to = moved;
        if (!(moved = realloc(a->weight, room * sizeof *a->weight))) return false;
        a->weight = moved;
        a->room = room;
    }
    a->from[a->count] = (uint32_t)from;
    a->to[a->count] = (uint32_t)to;
    a->weight[a->count++] = weight;
    return true;
}

void graph_arcs_release(graph_arcs *a) {
    free(a->from);
    free(a->to);
    free(a->weight);
    memset(a, 0, sizeof *a);
}

bool graph_arcs_check(graph_source *s, const graph_arcs *a) {
    if (a->vertices <= LONELY_MOST || a->vertices - LONELY_MOST <= LONELY_EACH * a->count) return true;
    return graph_source_fail(
        s, "has %" PRIu64 " vertices but only %" PRIu64 " arcs: more than %d and %d an arc are refused", a->vertices,
        a->count, LONELY_MOST, LONELY_EACH);
}

/* ---- lines ---- */

typedef struct reader {
    graph_source *source;
    graph_arcs *arcs;
    char *bytes; /* CHUNK + 1 */
    size_t begin, end;
    bool ended;
    uint64_t line, comments;        /* number of the line; bytes of comments so far */
    uint64_t declared, declared_at; /* arcs that the file says to have, and the line that does */
    bool symmetric;
    char *at; /* in the line that is being read, which ends with '\0' */
} reader;

static bool fill(reader *r) {
    memmove(r->bytes, r->bytes + r->begin, r->end - r->begin);
    r->end -= r->begin;
    r->begin = 0;
    size_t got;
    if (!graph_source_read(r->source, r->bytes + r->end, CHUNK - r->end, &got)) return false;
    r->end += got;
    r->ended = got == 0;
    return true;
}

/* The next line, without its end, at r->at; NULL there: the file has ended. */
static bool next_line(reader *r) {
    char *end;
    size_t looked = 0;
    while (!(end = memchr(r->bytes + r->begin + looked, '\n', r->end - r->begin - looked)) && !r->ended) {
        looked = r->end - r->begin;
        if (looked > LINE_MOST) break;
        if (!fill(r)) return false;
    }
    r->line++;
    if (!end) end = r->bytes + r->end;
    const size_t length = (size_t)(end - (r->bytes + r->begin));
    if (length > LINE_MOST)
        return graph_source_fail(r->source, "line %" PRIu64 " is longer than %d bytes: it begins with '%.20s'", r->line,
                                 LINE_MOST, r->bytes + r->begin);
    r->at = r->bytes + r->begin;
    if (r->ended && r->begin == r->end) {
        r->at = NULL;
        return true;
    }
    *end = '\0';
    if (memchr(r->at, '\0', length))
        return graph_source_fail(r->source, "line %" PRIu64 " holds a byte of 0: this is no text", r->line);
    r->begin += length + (end < r->bytes + r->end);
    return true;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(reader *r) {
    while (blank(*r->at)) r->at++;
}

/* Comments cost a compressed file nothing: they have an end, too. */
static bool comment(reader *r) {
    r->comments += strlen(r->at) + 1;
    return r->comments <= COMMENTS_MOST ||
           graph_source_fail(r->source,
                             "line %" PRIu64 ": there are more than %" PRIu64 " bytes of comments and empty lines",
                             r->line, COMMENTS_MOST);
}

/* The next line that is neither empty nor begins with one of `marks`. */
static bool next_said(reader *r, const char *marks) {
    for (;;) {
        if (!next_line(r)) return false;
        if (!r->at) return true;
        skip_blanks(r);
        if (*r->at && !strchr(marks, *r->at)) return true;
        if (!comment(r)) return false;
    }
}

static int word_length(const char *at) {
    int length = 0;
    while (at[length] && !blank(at[length]) && length < 40) length++;
    return length;
}

/* ---- numbers ---- */

static bool fail_at(reader *r, const char *what, const char *problem) {
    skip_blanks(r);
    if (!*r->at) return graph_source_fail(r->source, "line %" PRIu64 ": %s is missing", r->line, what);
    return graph_source_fail(r->source, "line %" PRIu64 ": %s '%.*s' %s", r->line, what, word_length(r->at), r->at,
                             problem);
}

/* A whole number from least to most. */
static bool take_whole(reader *r, const char *what, uint64_t least, uint64_t most, uint64_t *number) {
    skip_blanks(r);
    const char *at = r->at;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) return fail_at(r, what, "is too large");
        value = 10 * value + digit;
    }
    if (at == r->at || (*at && !blank(*at))) return fail_at(r, what, "is no whole number");
    if (value < least || value > most) {
        char problem[80];
        snprintf(problem, sizeof problem, "is not from %" PRIu64 " to %" PRIu64, least, most);
        return fail_at(r, what, problem);
    }
    r->at += at - r->at;
    *number = value;
    return true;
}

static bool whole_next(const char *at) {
    if (*at == '+') return false;
    while (*at >= '0' && *at <= '9') at++;
    return !*at || blank(*at);
}

static bool take_real(reader *r, float *value) {
    skip_blanks(r);
    char *end;
    if (!*r->at || word_length(r->at) == 40) return fail_at(r, "the weight", "is no number");
    *value = strtof(r->at, &end);
    if (end == r->at || (*end && !blank(*end))) return fail_at(r, "the weight", "is no number");
    if (isnan(*value)) return fail_at(r, "the weight", "is not a number");
    if (*value < 0) return fail_at(r, "the weight", "is negative");
    if (isinf(*value)) return fail_at(r, "the weight", "is infinite, or too large for f32");
    if (*value == 0) *value = 0; /* -0 */
    r->at = end;
    return true;
}

static bool take_weight(reader *r, bool real, arc_weight *weight) {
    uint64_t whole;
    if (real) return take_real(r, &weight->real);
    skip_blanks(r);
    if (*r->at == '-' && r->at[1] >= '0' && r->at[1] <= '9') return fail_at(r, "the weight", "is negative");
    if (!take_whole(r, "the weight", 0, UINT32_MAX, &whole)) return false;
    weight->whole = (uint32_t)whole;
    return true;
}

static bool line_ends(reader *r) {
    skip_blanks(r);
    if (!*r->at) return true;
    return graph_source_fail(r->source, "line %" PRIu64 ": goes on with '%.*s'", r->line, word_length(r->at), r->at);
}

static bool add(reader *r, uint64_t from, uint64_t to, arc_weight weight) {
    if (r->arcs->count == UINT32_MAX)
        return graph_source_fail(r->source, "line %" PRIu64 ": there are more than 2^32 - 1 arcs", r->line);
    if (graph_arcs_add(r->arcs, from, to, weight)) return true;
    return graph_source_fail(r->source, "line %" PRIu64 ": no memory for more arcs than %" PRIu64, r->line,
                             r->arcs->count);
}

/* The number of lines that were declared, no more and no fewer. */
static bool another(reader *r, uint64_t lines) {
    return lines < r->declared ||
           graph_source_fail(r->source,
                             "line %" PRIu64 ": one more than the %" PRIu64 " arcs that line %" PRIu64 " declares",
                             r->line, r->declared, r->declared_at);
}

static bool all_there(reader *r, uint64_t lines) {
    return lines == r->declared ||
           graph_source_fail(r->source, "ends after %" PRIu64 " of the %" PRIu64 " arcs that line %" PRIu64 " declares",
                             lines, r->declared, r->declared_at);
}

/* ---- DIMACS ---- */

static bool dimacs_problem(reader *r) {
    graph_arcs *a = r->arcs;
    if (r->at[0] != 'p' || !blank(r->at[1])) return fail_at(r, "instead of 'p sp VERTICES ARCS'", "comes first");
    r->at++;
    skip_blanks(r);
    if (strncmp(r->at, "sp", 2) != 0 || !blank(r->at[2])) return fail_at(r, "the problem", "is not sp");
    r->at += 2;
    r->declared_at = r->line;
    return take_whole(r, "the number of vertices", 0, UINT32_MAX, &a->vertices) &&
           take_whole(r, "the number of arcs", 0, UINT64_MAX, &r->declared) && line_ends(r);
}

static bool dimacs_arc(reader *r) {
    uint64_t from, to;
    arc_weight weight;
    if (r->at[0] != 'a' || !blank(r->at[1])) return fail_at(r, "instead of 'a FROM TO WEIGHT'", "comes");
    r->at++;
    return another(r, r->arcs->count) && take_whole(r, "the vertex", 1, r->arcs->vertices, &from) &&
           take_whole(r, "the vertex", 1, r->arcs->vertices, &to) && take_weight(r, false, &weight) && line_ends(r) &&
           add(r, from - 1, to - 1, weight);
}

static bool read_dimacs(reader *r) {
    graph_arcs *a = r->arcs;
    a->format = "DIMACS";
    a->first = 1;
    a->weights = WEIGHTS_WHOLE;
    if (r->at[0] == 'c' && !next_said(r, "c")) return false;
    if (!r->at) return graph_source_fail(r->source, "ends before 'p sp VERTICES ARCS'");
    if (!dimacs_problem(r)) return false;
    for (;;) {
        if (!next_said(r, "c")) return false;
        if (!r->at) return all_there(r, a->count);
        if (!dimacs_arc(r)) return false;
    }
}

/* ---- Matrix Market ---- */

static bool take_word(reader *r, const char *const *words, const char *what, size_t *which) {
    skip_blanks(r);
    const int length = word_length(r->at);
    for (*which = 0; words[*which]; ++*which)
        if (strlen(words[*which]) == (size_t)length && strncasecmp(r->at, words[*which], (size_t)length) == 0) {
            r->at += length;
            return true;
        }
    return fail_at(r, what, "is none that makes a graph with lengths");
}

static bool matrix_banner(reader *r) {
    static const char *const objects[] = {"matrix", NULL}, *const layouts[] = {"coordinate", NULL},
                             *const fields[] = {"pattern", "integer", "real", "double", NULL},
                             *const kinds[] = {"general", "symmetric", NULL};
    size_t word, field, kind;
    r->at += strlen("%%MatrixMarket");
    if (!take_word(r, objects, "the object", &word) || !take_word(r, layouts, "the layout", &word) ||
        !take_word(r, fields, "the field", &field) || !take_word(r, kinds, "the symmetry", &kind) || !line_ends(r))
        return false;
    r->arcs->weights = field == 0 ? WEIGHTS_NONE : field == 1 ? WEIGHTS_WHOLE : WEIGHTS_REAL;
    r->symmetric = kind == 1;
    return true;
}

static bool matrix_size(reader *r) {
    uint64_t columns;
    if (!next_said(r, "%")) return false;
    if (!r->at) return graph_source_fail(r->source, "ends before the line of its size");
    r->declared_at = r->line;
    if (!take_whole(r, "the number of rows", 0, UINT32_MAX, &r->arcs->vertices) ||
        !take_whole(r, "the number of columns", 0, UINT32_MAX, &columns) ||
        !take_whole(r, "the number of entries", 0, UINT64_MAX, &r->declared) || !line_ends(r))
        return false;
    if (columns == r->arcs->vertices) return true;
    return graph_source_fail(
        r->source, "line %" PRIu64 ": a graph's matrix is square, this has %" PRIu64 " rows and %" PRIu64 " columns",
        r->line, r->arcs->vertices, columns);
}

static bool read_matrix(reader *r) {
    graph_arcs *a = r->arcs;
    uint64_t from, to;
    arc_weight weight = {1};
    a->format = "Matrix Market";
    a->first = 1;
    if (!matrix_banner(r) || !matrix_size(r)) return false;
    for (uint64_t lines = 0;; lines++) {
        if (!next_said(r, "%")) return false;
        if (!r->at) return all_there(r, lines);
        if (!another(r, lines) || !take_whole(r, "the row", 1, a->vertices, &from) ||
            !take_whole(r, "the column", 1, a->vertices, &to) ||
            (a->weights != WEIGHTS_NONE && !take_weight(r, a->weights == WEIGHTS_REAL, &weight)) || !line_ends(r) ||
            !add(r, from - 1, to - 1, weight) || (r->symmetric && from != to && !add(r, to - 1, from - 1, weight)))
            return false;
    }
}

/* ---- edge lists ---- */

/* The first weight that is no whole number makes all of them f32. */
static void make_real(graph_arcs *a) {
    a->weights = WEIGHTS_REAL;
    for (uint64_t i = 0; i < a->count; i++) a->weight[i].real = (float)a->weight[i].whole;
}

static bool edge(reader *r) {
    graph_arcs *a = r->arcs;
    uint64_t from, to;
    arc_weight weight = {1};
    if (!take_whole(r, "the vertex", 0, UINT32_MAX - 1, &from) || !take_whole(r, "the vertex", 0, UINT32_MAX - 1, &to))
        return false;
    skip_blanks(r);
    if (!a->count && *r->at) a->weights = WEIGHTS_WHOLE;
    if (a->weights != WEIGHTS_NONE) {
        /* Whatever is no whole number, a sign among it, is for the reader of reals. */
        if (a->weights == WEIGHTS_WHOLE && *r->at && !whole_next(r->at)) make_real(a);
        if (!take_weight(r, a->weights == WEIGHTS_REAL, &weight)) return false;
    }
    if (from >= a->vertices) a->vertices = from + 1;
    if (to >= a->vertices) a->vertices = to + 1;
    return line_ends(r) && add(r, from, to, weight);
}

static bool read_edges(reader *r) {
    r->arcs->format = "edge list";
    while (r->at) {
        if (!edge(r) || !next_said(r, "#%")) return false;
    }
    return true;
}

/* ---- */

static bool read_text(reader *r) {
    if (!next_line(r)) return false;
    if (r->at && strncasecmp(r->at, "%%MatrixMarket", 14) == 0) return read_matrix(r);
    if (r->at) {
        skip_blanks(r);
        if (!*r->at || *r->at == '#' || *r->at == '%')
            if (!comment(r) || !next_said(r, "#%")) return false;
    }
    if (!r->at) return graph_source_fail(r->source, "is empty: there is no graph in it");
    if (*r->at == 'c' || *r->at == 'p' || *r->at == 'a') return read_dimacs(r);
    if (*r->at < '0' || *r->at > '9')
        return fail_at(r, "instead of a graph", "comes; known are DIMACS, Matrix Market and lists of edges");
    return read_edges(r);
}

bool graph_arcs_read(graph_source *source, graph_arcs *arcs) {
    reader r = {.source = source, .arcs = arcs, .bytes = malloc(CHUNK + 1)};
    memset(arcs, 0, sizeof *arcs);
    if (!r.bytes) return graph_source_fail(source, "there is no memory to read it");
    r.bytes[0] = '\0';
    const bool done = read_text(&r) && graph_arcs_check(source, arcs);
    free(r.bytes);
    return done;
}
