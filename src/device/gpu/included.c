/* Programs are kept by what they are made of: a change to one kernel's text leaves the others' compiled programs as they
 * are. Every line that begins with #include counts, also one that a condition leaves out: at worst a program is compiled
 * again. */
#include "device/gpu/included.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FILES = 256 }; /* cmake/kernels.cmake refuses more */

typedef struct files {
    const ww__header *headers;
    ww__digest digest;
    bool seen[FILES];
} files;

static void add_bytes(files *f, const char *bytes, size_t length) {
    ww__digest_add(&f->digest, bytes, length);
    ww__digest_add(&f->digest, "", 1); /* where one text ends */
}

static void add_included(files *f, const char *text);

static void add_file(files *f, const char *name, size_t length) {
    add_bytes(f, name, length);
    for (size_t i = 0; i < FILES && f->headers[i].name; i++) {
        if (strlen(f->headers[i].name) != length || memcmp(f->headers[i].name, name, length) || f->seen[i]) continue;
        f->seen[i] = true;
        add_bytes(f, f->headers[i].text, strlen(f->headers[i].text));
        add_included(f, f->headers[i].text);
    }
}

static void add_included(files *f, const char *text) {
    static const char directive[] = "#include \"";
    for (const char *line = text; line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, directive, sizeof directive - 1)) continue;
        const char *name = line + sizeof directive - 1;
        add_file(f, name, strcspn(name, "\"\n"));
    }
}

void ww__included_digest(const char *source, const ww__header *headers, char digest[WW__DIGEST_TEXT]) {
    files f = {.headers = headers};
    ww__digest_begin(&f.digest);
    add_included(&f, source);
    ww__digest_end_text(&f.digest, digest);
}
