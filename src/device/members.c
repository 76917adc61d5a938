/* What an element is made of: the declarations of a WW_STRUCT are read, and laid out as C does. Where the layout that comes out is not
 * the type's, or a declaration is something else than numbers, arrays of them, pointers and other WW_STRUCTs, the members are not known. */
#include "device/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

/* A kind of number, or a struct. */
typedef struct base {
    ww_kind kind;
    size_t size, alignment;
    const ww_text *text; /* of a WW_STRUCT */
    bool is_bf16;
} base;

typedef struct reader {
    ww__members *m;
    const ww_text *text;
    const char *at;
    char prefix[48];
    size_t offset, alignment; /* behind what was read; the largest met */
    unsigned depth;
} reader;

static bool in_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static void skip_spaces(reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n') r->at++;
}

static bool take_sign(reader *r, char sign) {
    skip_spaces(r);
    if (*r->at != sign) return false;
    r->at++;
    return true;
}

/* The next word, "" where there is none. */
typedef struct word {
    char text[48];
} word;

static word next_word(reader *r) {
    word w = {""};
    size_t length = 0;
    skip_spaces(r);
    while (in_word(r->at[length])) length++;
    if (length < sizeof w.text) memcpy(w.text, r->at, length);
    r->at += length;
    return w;
}

static bool find_number(const char *name, base *b) {
    static const struct {
        const char *name;
        ww_kind kind;
        size_t size;
    } numbers[] = {
        {"uint8_t", WW_KIND_UNSIGNED, 1},
        {"uint16_t", WW_KIND_UNSIGNED, 2},
        {"uint32_t", WW_KIND_UNSIGNED, 4},
        {"uint64_t", WW_KIND_UNSIGNED, 8},
        {"int8_t", WW_KIND_SIGNED, 1},
        {"int16_t", WW_KIND_SIGNED, 2},
        {"int32_t", WW_KIND_SIGNED, 4},
        {"int64_t", WW_KIND_SIGNED, 8},
        {"float", WW_KIND_FLOAT, 4},
        {"double", WW_KIND_FLOAT, 8},
        {"bool", WW_KIND_UNSIGNED, 1},
        {"_Bool", WW_KIND_UNSIGNED, 1},
        {"ww_f16", WW_KIND_FLOAT, 2},
        {"ww_bf16", WW_KIND_FLOAT, 2},
        {"ww_u128", WW_KIND_UNSIGNED, 16},
        {"ww_i128", WW_KIND_SIGNED, 16},
        {"size_t", WW_KIND_UNSIGNED, sizeof(size_t)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(numbers[i].name, name)) {
            *b = (base){numbers[i].kind, numbers[i].size, numbers[i].size, NULL, !strcmp(name, "ww_bf16")};
            return true;
        }
    return false;
}

/* char, unsigned, long long and so on, of which `first` is the first word. */
static bool read_c_number(reader *r, const char *first, base *b) {
    size_t size = 0;
    int longs = 0;
    bool is_unsigned = false, is_signed = false, any = false;
    word w;
    snprintf(w.text, sizeof w.text, "%s", first);
    for (;;) {
        const char *before = r->at;
        if (!strcmp(w.text, "unsigned"))
            is_unsigned = true;
        else if (!strcmp(w.text, "char"))
            size = 1;
        else if (!strcmp(w.text, "short"))
            size = 2;
        else if (!strcmp(w.text, "long"))
            longs++;
        else if (!strcmp(w.text, "signed"))
            is_signed = true;
        else if (strcmp(w.text, "int")) {
            r->at -= any ? strlen(w.text) : 0; /* the member's name */
            break;
        }
        any = true;
        before = r->at;
        w = next_word(r);
        if (!*w.text) {
            r->at = before;
            break;
        }
    }
    is_unsigned |= size == 1 && !is_signed; /* a plain char is a u8 to the library */
    if (!size) size = longs ? (longs > 1 ? sizeof(long long) : sizeof(long)) : sizeof(int);
    *b = (base){is_unsigned ? WW_KIND_UNSIGNED : WW_KIND_SIGNED, size, size, NULL, false};
    return any;
}

static const ww_text *used(const ww_text *text, const char *name) {
    for (const ww_text *const *u = text->uses; u && *u; u++)
        if (!strcmp((*u)->name, name) && !strncmp((*u)->text, "typedef struct ", 15)) return *u;
    return NULL;
}

static bool read_base(reader *r, base *b) {
    word w = next_word(r);
    while (!strcmp(w.text, "const") || !strcmp(w.text, "volatile") || !strcmp(w.text, "struct")) w = next_word(r);
    if (!*w.text) return false;
    if (find_number(w.text, b) || read_c_number(r, w.text, b)) return true;
    *b = (base){WW_KIND_STRUCT, 0, 0, used(r->text, w.text), false};
    return true;
}

static bool read_struct(reader *r);

static bool add(reader *r, const char *name, base b, size_t count, bool pointer) {
    ww__members *m = r->m;
    if (m->many == WW__MEMBERS || !count) return false;
    ww__member *n = &m->member[m->many++];
    const size_t before = strlen(r->prefix), length = strlen(name);
    *n = (ww__member){"", r->offset, count, b.size, b.kind, pointer, b.is_bf16};
    if (before + length >= sizeof n->name) return false;
    memcpy(n->name, r->prefix, before);
    memcpy(n->name + before, name, length + 1);
    m->floats |= b.kind == WW_KIND_FLOAT;
    r->offset += count * b.size;
    return true;
}

/* A member, or an array of them, that is a WW_STRUCT itself. */
static bool add_struct(reader *r, const char *name, const ww_text *text, size_t count) {
    for (size_t k = 0; k < count; k++) {
        reader inner = {
            .m = r->m, .text = text, .at = text->text, .offset = r->offset, .alignment = 1, .depth = r->depth + 1};
        char index[24] = "";
        if (count > 1) snprintf(index, sizeof index, "[%zu]", k);
        if (snprintf(inner.prefix, sizeof inner.prefix, "%s%s%s.", r->prefix, name, index) >= (int)sizeof inner.prefix)
            return false;
        /* Where the first one begins is known when its alignment is: it is read twice. */
        const size_t many = r->m->many;
        if (!read_struct(&inner)) return false;
        if (r->offset % inner.alignment) {
            r->m->many = many;
            r->offset = ww__round_up(r->offset, inner.alignment);
            inner.at = text->text;
            inner.offset = r->offset;
            if (!read_struct(&inner)) return false;
        }
        if (inner.alignment > r->alignment) r->alignment = inner.alignment;
        r->offset = inner.offset;
    }
    return true;
}

/* The number of an array's elements: 1 for none. */
static bool read_lengths(reader *r, size_t *count) {
    *count = 1;
    while (take_sign(r, '[')) {
        const word w = next_word(r);
        char *end;
        const unsigned long long length = strtoull(w.text, &end, 0);
        if (!*w.text || (*end && strcmp(end, "u") && strcmp(end, "U")) || !length || length > SIZE_MAX / *count)
            return false;
        *count *= (size_t)length;
        if (*count > UINT32_MAX || !take_sign(r, ']')) return false;
    }
    return true;
}

static bool read_declarator(reader *r, const base *of) {
    base b = *of;
    size_t count;
    bool pointer = false;
    while (take_sign(r, '*')) pointer = true;
    word name = next_word(r);
    if (pointer && (!strcmp(name.text, "const") || !strncmp(name.text, "__restrict", 10))) name = next_word(r);
    if (!*name.text || !read_lengths(r, &count)) return false;
    if (pointer) b = (base){WW_KIND_UNSIGNED, sizeof(void *), sizeof(void *), NULL, false};
    if (b.kind == WW_KIND_STRUCT) return b.text && r->depth < 8 && add_struct(r, name.text, b.text, count);
    if (b.alignment > r->alignment) r->alignment = b.alignment;
    r->offset = ww__round_up(r->offset, b.alignment);
    return add(r, name.text, b, count, pointer);
}

static bool read_struct(reader *r) {
    const char *brace = strchr(r->at, '{');
    if (!brace) return false;
    r->at = brace + 1;
    while (!take_sign(r, '}')) {
        base b;
        if (!read_base(r, &b)) return false;
        do {
            if (!read_declarator(r, &b)) return false;
        } while (take_sign(r, ','));
        if (!take_sign(r, ';')) return false;
    }
    r->offset = ww__round_up(r->offset, r->alignment);
    return true;
}

void ww__members_of(const ww_type *type, size_t size, ww__members *m) {
    m->known = m->floats = false;
    m->many = 0;
    if (type->kind == WW_KIND_STRUCT) {
        reader r = {.m = m, .text = type->text, .at = type->text ? type->text->text : "", .alignment = 1};
        m->known = type->text && read_struct(&r) && r.offset == type->size && r.alignment == type->alignment;
    } else {
        const bool bytes = type->kind == WW_KIND_RECORD;
        m->member[0] = (ww__member){"",
                                    0,
                                    bytes ? size : 1,
                                    bytes ? 1 : size,
                                    bytes ? WW_KIND_UNSIGNED : type->kind,
                                    false,
                                    type == &ww_type_ww_bf16};
        m->many = 1;
        m->known = true;
        m->floats = type->kind == WW_KIND_FLOAT;
    }
    if (!m->known) m->many = m->floats = 0;
}

/* ---- the members that a zip fills ---- */

static bool same_member(const ww__member *a, const ww__member *b, size_t offset) {
    return a->offset == b->offset + offset && a->count == b->count && a->size == b->size && a->kind == b->kind &&
           a->is_bf16 == b->is_bf16 && !a->pointer && !b->pointer;
}

/* "p.x" is member p of a struct whose own first member is x. */
static bool cut_name(const ww__member *whole, const ww__member *own, ww__zipped *z) {
    const size_t own_length = strlen(own->name), length = strlen(whole->name) - (own_length ? own_length + 1 : 0);
    if (own_length && (strlen(whole->name) < own_length + 2 || strcmp(whole->name + length + 1, own->name)))
        return false;
    memcpy(z->name, whole->name, length);
    z->name[length] = 0;
    z->offset = whole->offset - own->offset;
    return true;
}

bool ww__zip_members(const ww_type *type, const ww_type *const *part, size_t many, ww__zipped *z) {
    ww__members whole, own;
    size_t at = 0;
    if (type->kind != WW_KIND_STRUCT) return false;
    ww__members_of(type, type->size, &whole);
    for (size_t k = 0; k < many; k++) {
        if (part[k]->kind == WW_KIND_RECORD) return false;
        ww__members_of(part[k], part[k]->size, &own);
        if (!own.known || !own.many || at + own.many > whole.many) return false;
        if (!cut_name(&whole.member[at], &own.member[0], &z[k])) return false;
        for (size_t m = 0; m < own.many; m++)
            if (!same_member(&whole.member[at + m], &own.member[m], z[k].offset)) return false;
        at += own.many;
    }
    return whole.known && at == whole.many;
}
