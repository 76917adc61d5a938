/* Assembling the device source of functions: the definitions that they use, each once and before its first use, then the
 * functions, all under #line directives that point at the caller's files.
 *
 * Each definition stands in a namespace of its own, ww_caller_1, ww_caller_2, …, and takes the names that it uses from theirs. So no
 * name of the caller's meets one of a kernel's, and two files may have different definitions of one name in one program: what
 * makes a definition is its text and what the names in it stand for. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function/source.h"

/* A ww_text or a ww_function that was met, and where its definition stands. */
typedef struct met {
    const ww_text *text; /* or */
    const ww_function *function;
    uint32_t space;
} met;

typedef struct writer {
    char *text;
    size_t room, length;
    met *all;
    size_t many, all_room;
    uint32_t spaces;
    bool failed; /* there is no memory */
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

static bool in_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

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

static void remember(writer *w, met m) {
    if (w->many == w->all_room) {
        const size_t room = w->all_room ? 2 * w->all_room : 32;
        met *larger = realloc(w->all, room * sizeof *larger);
        w->failed |= !larger;
        if (!larger) return;
        w->all = larger;
        w->all_room = room;
    }
    w->all[w->many++] = m;
}

/* The namespace of what was met before; 0 where it needs none, or was not. */
static uint32_t space_of_text(const writer *w, const ww_text *text) {
    for (size_t i = 0; i < w->many; i++)
        if (text && w->all[i].text == text) return w->all[i].space;
    return 0;
}

static uint32_t space_of_type(const writer *w, const ww_type *type) { return type ? space_of_text(w, type->text) : 0; }

static uint32_t space_of_function(const writer *w, const ww_function *function) {
    for (size_t i = 0; i < w->many; i++)
        if (w->all[i].function == function) return w->all[i].space;
    return 0;
}

static bool same_uses(const writer *w, const ww_text *const *a, const ww_text *const *b) {
    if (!a || !b) return !(a && *a) && !(b && *b);
    for (; *a && *b; a++, b++)
        if (space_of_text(w, *a) != space_of_text(w, *b)) return false;
    return !*a && !*b;
}

static bool same_text(const writer *w, const ww_text *a, const ww_text *b) {
    return a && !strcmp(a->name, b->name) && !strcmp(a->text, b->text) && same_uses(w, a->uses, b->uses);
}

static bool same_function(const writer *w, const ww_function *a, const ww_function *b) {
    return a && !strcmp(a->signature, b->signature) && !strcmp(a->body, b->body) && same_uses(w, a->uses, b->uses) &&
           space_of_type(w, a->result) == space_of_type(w, b->result) &&
           space_of_type(w, a->first) == space_of_type(w, b->first) &&
           space_of_type(w, a->second) == space_of_type(w, b->second) &&
           space_of_type(w, a->environment) == space_of_type(w, b->environment);
}

/* Names that a definition takes from where they stand. What is used by what it uses it may mention, too. */
static void write_using(writer *w, const ww_text *text) {
    const uint32_t space = space_of_text(w, text);
    if (space) write_format(w, "using ww_caller_%u::%s;\nusing namespace ww_caller_%u;\n", space, text->name, space);
}

static void write_text(writer *w, const ww_text *text);

static void write_uses(writer *w, const ww_text *const *uses) {
    for (; uses && *uses; uses++) write_text(w, *uses);
}

static void write_text(writer *w, const ww_text *text) {
    if (!text->text || space_of_text(w, text)) return;
    write_uses(w, text->uses);
    for (size_t i = 0; i < w->many; i++)
        if (same_text(w, w->all[i].text, text)) {
            remember(w, (met){.text = text, .space = w->all[i].space});
            return;
        }
    write_format(w, "namespace ww_caller_%u {\n", ++w->spaces);
    for (const ww_text *const *u = text->uses; u && *u; u++) write_using(w, *u);
    write_line_directive(w, text->file, text->line);
    write_code(w, text->text);
    write_format(w, "\n}\n");
    remember(w, (met){.text = text, .space = w->spaces});
}

/* A struct with the layout that the caller's compiler gave it, asserted. */
static void write_type(writer *w, const ww_type *type) {
    if (!type || !type->text) return;
    const uint32_t spaces = w->spaces;
    write_text(w, type->text);
    if (w->spaces == spaces) return;
    write_format(
        w, "static_assert(sizeof(ww_caller_%u::%s) == %zu && alignof(ww_caller_%u::%s) == %u, \"layout of %s\");\n",
        w->spaces, type->name, type->size, w->spaces, type->name, (unsigned)type->alignment, type->name);
}

static bool is_of_types(const ww_type *const *types, size_t many, const ww_text *text) {
    for (size_t t = 0; t < many; t++)
        if (types[t] && types[t]->text == text) return true;
    return false;
}

static void write_function(writer *w, const ww_function *function) {
    const ww_type *const types[] = {function->result, function->first, function->second, function->environment};
    if (space_of_function(w, function)) return;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) write_type(w, types[t]);
    write_uses(w, function->uses);
    for (size_t i = 0; i < w->many; i++)
        if (same_function(w, w->all[i].function, function)) {
            remember(w, (met){.function = function, .space = w->all[i].space});
            return;
        }
    write_format(w, "namespace ww_caller_%u {\n", ++w->spaces);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (types[t]) write_using(w, types[t]->text);
    for (const ww_text *const *u = function->uses; u && *u; u++)
        if (!is_of_types(types, sizeof types / sizeof *types, *u)) write_using(w, *u);
    write_line_directive(w, function->file, function->line);
    write_format(w, "WW_INLINE ");
    write_code(w, function->signature);
    write_format(w, " ");
    write_code(w, function->body);
    write_format(w, "\n}\n");
    remember(w, (met){.function = function, .space = w->spaces});
}

size_t ww__functions_source(const ww__definitions *of, char *text, size_t room) {
    writer w = {.text = text, .room = text ? room : 0};
    if (w.room) text[0] = 0;
    for (size_t t = 0; t < of->many_types; t++) write_type(&w, of->types[t]);
    for (size_t f = 0; f < of->many_functions; f++) write_function(&w, of->functions[f]);
    for (size_t t = 0; t < of->many_types; t++) of->type_spaces[t] = space_of_type(&w, of->types[t]);
    for (size_t f = 0; f < of->many_functions; f++) of->function_spaces[f] = space_of_function(&w, of->functions[f]);
    free(w.all);
    return w.failed ? 0 : w.length + 1;
}

/* The function alone, with its name and its types' where a program finds them. */
size_t ww_function_source(const ww_function *function, char *text, size_t room) {
    writer w = {.text = text, .room = text ? room : 0};
    if (text && room) text[0] = 0;
    if (!function || !function->signature) return 1;
    write_function(&w, function);
    const ww_type *const types[] = {function->result, function->first, function->second, function->environment};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        bool named = false;
        for (size_t e = 0; e < t; e++) named |= types[e] == types[t];
        if (!named && space_of_type(&w, types[t]))
            write_format(&w, "using ww_caller_%u::%s;\n", space_of_type(&w, types[t]), types[t]->name);
    }
    write_format(&w, "using ww_caller_%u::%s;\n", space_of_function(&w, function), function->name);
    free(w.all);
    return w.failed ? 0 : w.length + 1;
}
