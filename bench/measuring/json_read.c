/* By recursive descent, no deeper than DEPTH. Of escapes there are those that json.c writes, a backslash before the character
 * itself. */
#include "measuring/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16 };

static void *need(void *memory) {
    if (!memory) exit(1);
    return memory;
}

static char *file_text(const char *path) {
    FILE *f = fopen(path, "rb");
    size_t length = 0, room = 1 << 16, got;
    if (!f) return NULL;
    char *text = need(malloc(room));
    while ((got = fread(text + length, 1, room - length - 1, f)) > 0)
        if ((length += got) == room - 1) text = need(realloc(text, room *= 2));
    text[length] = '\0';
    fclose(f);
    return text;
}

static void skip(const char **at) { *at += strspn(*at, " \t\r\n"); }

static bool take(const char **at, char c) {
    skip(at);
    if (**at != c) return false;
    ++*at;
    return true;
}

static bool take_word(const char **at, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*at, word, length)) return false;
    *at += length;
    return true;
}

/* Behind its first quotation mark; NULL where there is no second. */
static char *take_text(const char **at) {
    char *text = need(malloc(strlen(*at) + 1)), *to = text;
    for (; **at && **at != '"'; ++*at) {
        if (**at == '\\' && (*at)[1]) ++*at;
        *to++ = **at;
    }
    *to = '\0';
    if (take(at, '"')) return need(realloc(text, (size_t)(to - text) + 1));
    free(text);
    return NULL;
}

static json *take_any(const char **at, unsigned depth);

/* Members of a list or an object, behind its bracket. */
static bool take_members(const char **at, json *j, unsigned depth) {
    const char end = j->kind == JSON_LIST ? ']' : '}';
    json **next = &j->first;
    if (take(at, end)) return true;
    do {
        char *name = NULL;
        if (j->kind == JSON_OBJECT && (!take(at, '"') || !(name = take_text(at)))) return false;
        if (name && !take(at, ':')) {
            free(name);
            return false;
        }
        if (!(*next = take_any(at, depth + 1))) {
            free(name);
            return false;
        }
        (*next)->name = name;
        next = &(*next)->next;
    } while (take(at, ','));
    return take(at, end);
}

static bool take_number(const char **at, json *j) {
    char *end;
    j->kind = JSON_NUMBER;
    j->value = strtod(*at, &end);
    const bool some = end != *at;
    *at = end;
    return some;
}

static bool take_into(const char **at, json *j, unsigned depth) {
    if (depth > DEPTH) return false;
    if (take(at, '"')) return j->kind = JSON_TEXT, (j->text = take_text(at)) != NULL;
    if (take(at, '[')) return j->kind = JSON_LIST, take_members(at, j, depth);
    if (take(at, '{')) return j->kind = JSON_OBJECT, take_members(at, j, depth);
    if (take_word(at, "null")) return true;
    if (take_word(at, "false")) return j->kind = JSON_BOOL, true;
    if (take_word(at, "true")) return j->kind = JSON_BOOL, j->value = 1, true;
    return take_number(at, j);
}

static json *take_any(const char **at, unsigned depth) {
    json *j = need(calloc(1, sizeof *j));
    if (take_into(at, j, depth)) return j;
    json_free(j);
    return NULL;
}

json *json_read(const char *path, bool *there) {
    char *text = file_text(path);
    const char *at = text;
    *there = text != NULL;
    if (!text) return NULL;
    json *j = take_any(&at, 0);
    skip(&at);
    if (j && *at) {
        json_free(j);
        j = NULL;
    }
    free(text);
    return j;
}

void json_free(json *j) {
    while (j) {
        json *next = j->next;
        json_free(j->first);
        free(j->name);
        free(j->text);
        free(j);
        j = next;
    }
}

const json *json_member(const json *j, const char *name) {
    if (!j || j->kind != JSON_OBJECT) return NULL;
    for (const json *m = j->first; m; m = m->next)
        if (!strcmp(m->name, name)) return m;
    return NULL;
}

const char *json_text(const json *j, const char *name) {
    const json *m = json_member(j, name);
    return m && m->text ? m->text : "";
}

double json_value(const json *j, const char *name) {
    const json *m = json_member(j, name);
    return m ? m->value : 0;
}
