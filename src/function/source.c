/* Assembling the device source of a function: the definitions that it uses, each once and before its first use, then the
 * function, all under #line directives that point at the caller's files. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "function/source.h"

enum { TEXTS = 64 }; /* different definitions that one function may reach */

typedef struct writer {
    char *text;
    size_t room, length;
    const ww_text *written[TEXTS];
    size_t many;
} writer;

static void write_format(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write_format(writer *w, const char *format, ...) {
    const size_t left = w->length < w->room ? w->room - w->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(left ? w->text + w->length : NULL, left, format, arguments);
    va_end(arguments);
    if (length > 0) w->length += (size_t)length;
}

static bool in_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/* What the caller wrote, in words of C++ too: where a C compiler's <stdbool.h> has made _Bool of bool it becomes bool. */
static void write_code(writer *w, const char *code) {
    static const char c_word[] = "_Bool";
    const size_t length = sizeof c_word - 1;
    for (const char *found; (found = strstr(code, c_word)); code = found + length) {
        const bool whole = (found == code || !in_word(found[-1])) && !in_word(found[length]);
        write_format(w, "%.*s%s", (int)(found - code), code, whole ? "bool" : c_word);
    }
    write_format(w, "%s", code);
}

/* A file's name as a C string. */
static void write_line_directive(writer *w, const char *file, int line) {
    write_format(w, "#line %d \"", line);
    for (; *file; file++) write_format(w, *file == '"' || *file == '\\' ? "\\%c" : "%c", *file);
    write_format(w, "\"\n");
}

static bool first_time(writer *w, const ww_text *text) {
    for (size_t i = 0; i < w->many; i++)
        if (!strcmp(w->written[i]->name, text->name)) return false;
    if (w->many < TEXTS) w->written[w->many++] = text;
    return true;
}

static void write_uses(writer *w, const ww_text *const *uses);

static void write_text(writer *w, const ww_text *text) {
    if (!text->text || !first_time(w, text)) return;
    write_uses(w, text->uses);
    write_line_directive(w, text->file, text->line);
    write_code(w, text->text);
    write_format(w, "\n");
}

static void write_uses(writer *w, const ww_text *const *uses) {
    for (; uses && *uses; uses++) write_text(w, *uses);
}

/* A struct with the layout that the caller's compiler gave it, asserted. */
static void write_type(writer *w, const ww_type *type) {
    if (!type || !type->text) return;
    bool seen = false;
    for (size_t i = 0; i < w->many; i++) seen |= !strcmp(w->written[i]->name, type->text->name);
    write_text(w, type->text);
    if (!seen)
        write_format(w, "static_assert(sizeof(%s) == %zu && alignof(%s) == %u, \"layout of %s\");\n", type->name, type->size,
                     type->name, (unsigned)type->alignment, type->name);
}

static void write_function(writer *w, const ww_function *function) {
    write_type(w, function->result);
    write_type(w, function->first);
    write_type(w, function->second);
    write_type(w, function->environment);
    write_uses(w, function->uses);
    write_line_directive(w, function->file, function->line);
    write_format(w, "WW_INLINE ");
    write_code(w, function->signature);
    write_format(w, " ");
    write_code(w, function->body);
    write_format(w, "\n");
}

/* Whether an earlier one of the functions is the same function. A static one in a header has an object in every source file
 * that includes it. */
static bool written_before(const ww_function *const *functions, size_t f) {
    for (size_t e = 0; e < f; e++)
        if (functions[e] == functions[f] || (!strcmp(functions[e]->name, functions[f]->name) &&
                                             !strcmp(functions[e]->body, functions[f]->body)))
            return true;
    return false;
}

size_t ww__functions_source(const ww_function *const *functions, size_t many_functions, const ww_type *const *types,
                            size_t many_types, char *text, size_t room) {
    writer w = {.text = text, .room = text ? room : 0};
    if (w.room) text[0] = 0;
    for (size_t t = 0; t < many_types; t++) write_type(&w, types[t]);
    for (size_t f = 0; f < many_functions; f++)
        if (!written_before(functions, f)) write_function(&w, functions[f]);
    return w.length + 1;
}

size_t ww_function_source(const ww_function *function, char *text, size_t room) {
    if (text && room) text[0] = 0;
    if (!function || !function->signature) return 1;
    return ww__functions_source(&function, 1, NULL, 0, text, room);
}

const ww_text ww_text_nothing = {"nothing", NULL, "", 0, NULL};
