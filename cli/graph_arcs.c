#include "graph_arcs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph_lines.h"

enum { FIRST_ROOM = 1 << 12 };

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

/* ---- a file that is being read ---- */

typedef struct reader {
    graph_lines lines;
    graph_arcs *arcs;
    uint64_t declared, declared_at; /* arcs that the file says to have, and the line that does */
    bool symmetric;
} reader;

static bool take_weight(reader *r, bool real, arc_weight *weight) {
    uint64_t whole;
    if (real) return take_real(&r->lines, &weight->real);
    skip_blanks(&r->lines);
    if (*r->lines.at == '-' && r->lines.at[1] >= '0' && r->lines.at[1] <= '9')
        return fail_at(&r->lines, "the weight", "is negative");
    if (!take_whole(&r->lines, "the weight", 0, UINT32_MAX, &whole)) return false;
    weight->whole = (uint32_t)whole;
    return true;
}

static bool add(reader *r, uint64_t from, uint64_t to, arc_weight weight) {
    if (r->arcs->count == UINT32_MAX)
        return graph_source_fail(r->lines.source, "line %" PRIu64 ": there are more than 2^32 - 1 arcs", r->lines.line);
    if (graph_arcs_add(r->arcs, from, to, weight)) return true;
    return graph_source_fail(r->lines.source, "line %" PRIu64 ": no memory for more arcs than %" PRIu64, r->lines.line,
                             r->arcs->count);
}

/* The number of lines that were declared, no more and no fewer. */
static bool another(reader *r, uint64_t lines) {
    return lines < r->declared ||
           graph_source_fail(r->lines.source,
                             "line %" PRIu64 ": one more than the %" PRIu64 " arcs that line %" PRIu64 " declares",
                             r->lines.line, r->declared, r->declared_at);
}

static bool all_there(reader *r, uint64_t lines) {
    return lines == r->declared ||
           graph_source_fail(r->lines.source,
                             "ends after %" PRIu64 " of the %" PRIu64 " arcs that line %" PRIu64 " declares", lines,
                             r->declared, r->declared_at);
}

/* ---- DIMACS ---- */

static bool dimacs_problem(reader *r) {
    graph_arcs *a = r->arcs;
    if (r->lines.at[0] != 'p' || !is_blank(r->lines.at[1]))
        return fail_at(&r->lines, "expected 'p sp VERTICES ARCS', but", "comes first");
    r->lines.at++;
    skip_blanks(&r->lines);
    if (strncmp(r->lines.at, "sp", 2) != 0 || !is_blank(r->lines.at[2]))
        return fail_at(&r->lines, "the problem", "is not sp");
    r->lines.at += 2;
    r->declared_at = r->lines.line;
    return take_whole(&r->lines, "the number of vertices", 0, UINT32_MAX, &a->vertices) &&
           take_whole(&r->lines, "the number of arcs", 0, UINT64_MAX, &r->declared) && line_ends(&r->lines);
}

static bool dimacs_arc(reader *r) {
    uint64_t from, to;
    arc_weight weight;
    if (r->lines.at[0] != 'a' || !is_blank(r->lines.at[1]))
        return fail_at(&r->lines, "expected 'a FROM TO WEIGHT', but", "comes");
    r->lines.at++;
    return another(r, r->arcs->count) && take_whole(&r->lines, "the vertex", 1, r->arcs->vertices, &from) &&
           take_whole(&r->lines, "the vertex", 1, r->arcs->vertices, &to) && take_weight(r, false, &weight) &&
           line_ends(&r->lines) && add(r, from - 1, to - 1, weight);
}

static bool read_dimacs(reader *r) {
    graph_arcs *a = r->arcs;
    a->format = "DIMACS";
    a->first = 1;
    a->weights = WEIGHTS_WHOLE;
    if (r->lines.at[0] == 'c' && !graph_lines_next_said(&r->lines, "c")) return false;
    if (!r->lines.at) return graph_source_fail(r->lines.source, "ends before 'p sp VERTICES ARCS'");
    if (!dimacs_problem(r)) return false;
    for (;;) {
        if (!graph_lines_next_said(&r->lines, "c")) return false;
        if (!r->lines.at) return all_there(r, a->count);
        if (!dimacs_arc(r)) return false;
    }
}

/* ---- Matrix Market ---- */

static bool take_word(reader *r, const char *const *words, const char *what, size_t *which) {
    skip_blanks(&r->lines);
    const int length = word_length(r->lines.at);
    for (*which = 0; words[*which]; ++*which)
        if (strlen(words[*which]) == (size_t)length && strncasecmp(r->lines.at, words[*which], (size_t)length) == 0) {
            r->lines.at += length;
            return true;
        }
    return fail_at(&r->lines, what, "cannot be read as a graph with lengths");
}

static bool matrix_banner(reader *r) {
    static const char *const objects[] = {"matrix", NULL}, *const layouts[] = {"coordinate", NULL},
                             *const fields[] = {"pattern", "integer", "real", "double", NULL},
                             *const kinds[] = {"general", "symmetric", NULL};
    size_t word, field, kind;
    r->lines.at += strlen("%%MatrixMarket");
    if (!take_word(r, objects, "the object", &word) || !take_word(r, layouts, "the layout", &word) ||
        !take_word(r, fields, "the field", &field) || !take_word(r, kinds, "the symmetry", &kind) ||
        !line_ends(&r->lines))
        return false;
    r->arcs->weights = field == 0 ? WEIGHTS_NONE : field == 1 ? WEIGHTS_WHOLE : WEIGHTS_REAL;
    r->symmetric = kind == 1;
    return true;
}

static bool matrix_size(reader *r) {
    uint64_t columns;
    if (!graph_lines_next_said(&r->lines, "%")) return false;
    if (!r->lines.at) return graph_source_fail(r->lines.source, "ends before the line of its size");
    r->declared_at = r->lines.line;
    if (!take_whole(&r->lines, "the number of rows", 0, UINT32_MAX, &r->arcs->vertices) ||
        !take_whole(&r->lines, "the number of columns", 0, UINT32_MAX, &columns) ||
        !take_whole(&r->lines, "the number of entries", 0, UINT64_MAX, &r->declared) || !line_ends(&r->lines))
        return false;
    if (columns == r->arcs->vertices) return true;
    return graph_source_fail(r->lines.source,
                             "line %" PRIu64 ": a graph's matrix is square, this has %" PRIu64 " rows and %" PRIu64
                             " columns",
                             r->lines.line, r->arcs->vertices, columns);
}

static bool read_matrix(reader *r) {
    graph_arcs *a = r->arcs;
    uint64_t from, to;
    arc_weight weight = {1};
    a->format = "Matrix Market";
    a->first = 1;
    if (!matrix_banner(r) || !matrix_size(r)) return false;
    for (uint64_t lines = 0;; lines++) {
        if (!graph_lines_next_said(&r->lines, "%")) return false;
        if (!r->lines.at) return all_there(r, lines);
        if (!another(r, lines) || !take_whole(&r->lines, "the row", 1, a->vertices, &from) ||
            !take_whole(&r->lines, "the column", 1, a->vertices, &to) ||
            (a->weights != WEIGHTS_NONE && !take_weight(r, a->weights == WEIGHTS_REAL, &weight)) ||
            !line_ends(&r->lines) || !add(r, from - 1, to - 1, weight) ||
            (r->symmetric && from != to && !add(r, to - 1, from - 1, weight)))
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
    if (!take_whole(&r->lines, "the vertex", 0, UINT32_MAX - 1, &from) ||
        !take_whole(&r->lines, "the vertex", 0, UINT32_MAX - 1, &to))
        return false;
    skip_blanks(&r->lines);
    if (!a->count && *r->lines.at) a->weights = WEIGHTS_WHOLE;
    if (a->weights != WEIGHTS_NONE) {
        /* Whatever is no whole number, a sign among it, is for the reader of reals. */
        if (a->weights == WEIGHTS_WHOLE && *r->lines.at && !whole_next(r->lines.at)) make_real(a);
        if (!take_weight(r, a->weights == WEIGHTS_REAL, &weight)) return false;
    }
    if (from >= a->vertices) a->vertices = from + 1;
    if (to >= a->vertices) a->vertices = to + 1;
    return line_ends(&r->lines) && add(r, from, to, weight);
}

static bool read_edges(reader *r) {
    r->arcs->format = "edge list";
    while (r->lines.at) {
        if (!edge(r) || !graph_lines_next_said(&r->lines, "#%")) return false;
    }
    return true;
}

/* ---- */

static bool read_text(reader *r) {
    if (!graph_lines_next(&r->lines)) return false;
    if (r->lines.at && strncasecmp(r->lines.at, "%%MatrixMarket", 14) == 0) return read_matrix(r);
    if (r->lines.at) {
        skip_blanks(&r->lines);
        if (!*r->lines.at || *r->lines.at == '#' || *r->lines.at == '%')
            if (!graph_lines_comment(&r->lines) || !graph_lines_next_said(&r->lines, "#%")) return false;
    }
    if (!r->lines.at) return graph_source_fail(r->lines.source, "is empty: there is no graph in it");
    if (*r->lines.at == 'c' || *r->lines.at == 'p' || *r->lines.at == 'a') return read_dimacs(r);
    if (*r->lines.at < '0' || *r->lines.at > '9')
        return fail_at(&r->lines, "expected a graph, but", "comes; DIMACS, Matrix Market and edge lists are known");
    return read_edges(r);
}

bool graph_arcs_read(graph_source *source, graph_arcs *arcs) {
    reader r = {.arcs = arcs};
    memset(arcs, 0, sizeof *arcs);
    if (!graph_lines_open(&r.lines, source)) return false;
    const bool done = read_text(&r) && graph_arcs_check(source, arcs);
    graph_lines_close(&r.lines);
    return done;
}
