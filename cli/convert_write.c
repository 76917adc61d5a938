/* Text and raw elements go to standard output as they come. All else is spooled, and written by the library when it is whole:
 * so it takes the old file's place with its owner and permissions, or not at all, and a .npy's header says how many there
 * are. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "standard.h"
#include "text_numbers.h"

enum { BLOCK = 1 << 18, ROUND_A_NUMBER = VALUE_TEXT + 1 };

static int empty_block(conversion *c) {
    job *j = &c->job;
    const size_t used = c->used;
    c->used = 0;
    if (c->direct) return fwrite(c->block, 1, used, stdout) == used ? DONE : job_printed(j);
    if (spool_put(&c->spool, c->block, used)) return DONE;
    return job_fail(j, "%s: its contents cannot be stored temporarily: %s", j->files[1], strerror(errno));
}

static int put(conversion *c, const void *bytes, size_t length) {
    const unsigned char *from = bytes;
    while (length) {
        const size_t left = BLOCK - c->used, n = length < left ? length : left;
        memcpy(c->block + c->used, from, n);
        c->used += n;
        from += n;
        length -= n;
        if (c->used == BLOCK && empty_block(c)) return FAILED;
    }
    return DONE;
}

/* The name as a field: in quotes, where it needs them. */
static int put_header(conversion *c) {
    const char special[] = {c->delimiter, '"', '\n', '\r', '\0'}, *name = c->column;
    const bool quotes = strpbrk(name, special) || !*name;
    if (quotes && put(c, "\"", 1)) return FAILED;
    for (; *name; name++)
        if (put(c, name, 1) || (*name == '"' && put(c, "\"", 1))) return FAILED;
    return put(c, quotes ? "\"\n" : "\n", quotes ? 2 : 1);
}

int convert_begin(conversion *c) {
    job *j = &c->job;
    c->direct = strcmp(j->files[1], "-") == 0 && c->to != FORM_NPY;
    c->block = malloc(BLOCK);
    if (!c->block || (!c->direct && !spool_open(&c->spool, j->files[1]))) return job_fail(j, "out of memory");
    c->width = 1;
    if (c->shaped && is_text(c->to)) {
        const uint64_t dimensions = c->shape.dimensions;
        if (dimensions > (c->to == FORM_CSV ? 2 : 1)) {
            return job_fail(j, "%s: has %d dimensions, and %s", j->files[0], (int)dimensions,
                            c->to == FORM_CSV ? "CSV has rows and columns"
                                              : "lines of text have one: --to=csv keeps two");
        }
        if (dimensions == 2) c->width = c->shape.shape[1];
    }
    if (c->to != FORM_CSV || c->from == FORM_CSV || !c->column) return DONE;
    if (c->width != 1) return job_fail(j, "%s: has rows, and --column=NAME is one column's name", j->files[0]);
    return put_header(c);
}

static int write_text(conversion *c, const unsigned char *element, size_t count) {
    for (size_t i = 0; i < count; i++, element += c->type.size) {
        if (BLOCK - c->used < ROUND_A_NUMBER && empty_block(c)) return FAILED;
        char *const to = (char *)c->block + c->used;
        const size_t length = put_element(c->type.type, element, to);
        to[length] = ++c->count % c->width ? c->delimiter : '\n';
        c->used += length + 1;
    }
    return DONE;
}

int convert_write(conversion *c, const void *elements, size_t count) {
    if (is_text(c->to)) return write_text(c, elements, count);
    c->count += count;
    return put(c, elements, count * c->type.size);
}

int convert_finish(conversion *c) {
    job *j = &c->job;
    void *bytes;
    uint64_t length;
    if (empty_block(c)) return FAILED;
    j->items = c->count;
    type_label(&c->type, j->label);
    if (c->direct) return job_printed(j);
    if (!spool_bytes(&c->spool, &bytes, &length))
        return job_fail(j, "%s: its contents cannot be stored temporarily: %s", j->files[1], strerror(errno));
    const bool text = is_text(c->to);
    ww_array whole = text ? ww_array_of(bytes, length, &ww_type_uint8_t) : c->type;
    if (!text) {
        whole.data = bytes;
        whole.count = c->count;
    }
    j->npy = c->to == FORM_NPY;
    if (c->shaped && j->npy) j->shape = &c->shape;
    const ww_file_output output = {j->files[1], ww_from(whole)};
    return job_write(j, &output, 1);
}

void convert_close(conversion *c) {
    if (c->block && !c->direct) spool_close(&c->spool);
    free(c->block);
}
