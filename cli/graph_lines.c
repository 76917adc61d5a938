#include "graph_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMENTS_MOST (UINT64_C(64) << 20)

bool graph_lines_open(graph_lines *l, graph_source *source) {
    *l = (graph_lines){.source = source, .bytes = malloc(LINES_CHUNK + 1)};
    if (!l->bytes) return graph_source_fail(source, "there is no memory to read it");
    l->bytes[0] = '\0';
    return true;
}

void graph_lines_close(graph_lines *l) {
    free(l->bytes);
    l->bytes = NULL;
}

static bool fill(graph_lines *l) {
    memmove(l->bytes, l->bytes + l->begin, l->end - l->begin);
    l->end -= l->begin;
    l->begin = 0;
    size_t got;
    if (!graph_source_read(l->source, l->bytes + l->end, LINES_CHUNK - l->end, &got)) return false;
    l->end += got;
    l->ended = got == 0;
    return true;
}

/* The next line, without its end, at l->at; NULL there: the file has ended. */
bool graph_lines_next(graph_lines *l) {
    char *end;
    size_t looked = 0;
    while (!(end = memchr(l->bytes + l->begin + looked, '\n', l->end - l->begin - looked)) && !l->ended) {
        looked = l->end - l->begin;
        if (looked > LINE_MOST) break;
        if (!fill(l)) return false;
    }
    l->line++;
    if (!end) end = l->bytes + l->end;
    const size_t length = (size_t)(end - (l->bytes + l->begin));
    if (length > LINE_MOST)
        return graph_source_fail(l->source, "line %" PRIu64 " is longer than %d bytes: it begins with '%.20s'", l->line,
                                 LINE_MOST, l->bytes + l->begin);
    l->at = l->bytes + l->begin;
    if (l->ended && l->begin == l->end) {
        l->at = NULL;
        return true;
    }
    *end = '\0';
    if (memchr(l->at, '\0', length))
        return graph_source_fail(l->source, "line %" PRIu64 " holds a byte of 0: this is not text", l->line);
    l->begin += length + (end < l->bytes + l->end);
    return true;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

void skip_blanks(graph_lines *l) {
    while (is_blank(*l->at)) l->at++;
}

/* Comments cost a compressed file nothing: they have an end, too. */
bool graph_lines_comment(graph_lines *l) {
    l->comments += strlen(l->at) + 1;
    return l->comments <= COMMENTS_MOST ||
           graph_source_fail(l->source,
                             "line %" PRIu64 ": there are more than %" PRIu64 " bytes of comments and empty lines",
                             l->line, COMMENTS_MOST);
}

/* The next line that is neither empty nor begins with one of `marks`. */
bool graph_lines_next_said(graph_lines *l, const char *marks) {
    for (;;) {
        if (!graph_lines_next(l)) return false;
        if (!l->at) return true;
        skip_blanks(l);
        if (*l->at && !strchr(marks, *l->at)) return true;
        if (!graph_lines_comment(l)) return false;
    }
}

int word_length(const char *at) {
    int length = 0;
    while (at[length] && !is_blank(at[length]) && length < 40) length++;
    return length;
}

/* ---- numbers ---- */

bool fail_at(graph_lines *l, const char *what, const char *problem) {
    skip_blanks(l);
    if (!*l->at) return graph_source_fail(l->source, "line %" PRIu64 ": %s is missing", l->line, what);
    return graph_source_fail(l->source, "line %" PRIu64 ": %s '%.*s' %s", l->line, what, word_length(l->at), l->at,
                             problem);
}

/* A whole number from least to most. */
bool take_whole(graph_lines *l, const char *what, uint64_t least, uint64_t most, uint64_t *number) {
    skip_blanks(l);
    const char *at = l->at;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) return fail_at(l, what, "is too large");
        value = 10 * value + digit;
    }
    if (at == l->at || (*at && !is_blank(*at))) return fail_at(l, what, "is not a whole number");
    if (value < least || value > most) {
        char problem[80];
        snprintf(problem, sizeof problem, "is not from %" PRIu64 " to %" PRIu64, least, most);
        return fail_at(l, what, problem);
    }
    l->at += at - l->at;
    *number = value;
    return true;
}

bool whole_next(const char *at) {
    if (*at == '+') return false;
    while (*at >= '0' && *at <= '9') at++;
    return !*at || is_blank(*at);
}

bool take_real(graph_lines *l, float *value) {
    skip_blanks(l);
    char *end;
    if (!*l->at || word_length(l->at) == 40) return fail_at(l, "the weight", "is not a number");
    *value = strtof(l->at, &end);
    if (end == l->at || (*end && !is_blank(*end))) return fail_at(l, "the weight", "is not a number");
    if (isnan(*value)) return fail_at(l, "the weight", "is not a number");
    if (*value < 0) return fail_at(l, "the weight", "is negative");
    if (isinf(*value)) return fail_at(l, "the weight", "is infinite, or too large for f32");
    if (*value == 0) *value = 0; /* -0 */
    l->at = end;
    return true;
}

bool line_ends(graph_lines *l) {
    skip_blanks(l);
    if (!*l->at) return true;
    return graph_source_fail(l->source, "line %" PRIu64 ": unexpected '%.*s' after the end", l->line,
                             word_length(l->at), l->at);
}
