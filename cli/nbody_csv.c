/* Bodies as comma-separated values. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "nbody.h"
#include "text_numbers.h"

const char *const nbody_columns[COLUMNS] = {"mass", "x", "y", "z", "vx", "vy", "vz"};

int bodies_room(job *j, uint64_t count, bodies *b) {
    static double like;
    uint64_t numbers;
    if (__builtin_mul_overflow(count, (uint64_t)COLUMNS, &numbers))
        return job_fail(j, "%" PRIu64 " bodies do not fit in memory", count);
    if (job_room(j, ww_array(&like, 1), numbers, &b->room)) return FAILED;
    if (numbers) memset(b->room.data, 0, numbers * sizeof(double));
    b->count = count;
    b->dimensions = 3;
    for (size_t k = 0; k < COLUMNS; k++)
        b->column[k] = numbers ? (double *)b->room.data + k * count : (double *)b->room.data;
    return DONE;
}

/* ---- reading ---- */

typedef struct rows {
    bodies *b;
    size_t columns;      /* that the header has */
    int column[COLUMNS]; /* of each of its fields */
    bool checked;        /* that it has all */
} rows;

static void trim(const char **text, size_t *length) {
    while (*length && ((*text)[0] == ' ' || (*text)[0] == '\t')) (*text)++, --*length;
    while (*length && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) --*length;
}

static bool take_name(void *context, csv *reader, const char *text, size_t length) {
    rows *r = context;
    char shown[64];
    int k = 0;
    trim(&text, &length);
    while (k < COLUMNS && (strlen(nbody_columns[k]) != length || memcmp(nbody_columns[k], text, length) != 0)) k++;
    if (k == COLUMNS)
        return csv_fail(reader, "column %" PRIu64 " is '%s', and columns are mass, x, y, z, vx, vy, vz", reader->field,
                        csv_excerpt(text, length, shown));
    for (size_t i = 0; i < r->columns; i++)
        if (r->column[i] == k) return csv_fail(reader, "two columns are '%s'", nbody_columns[k]);
    r->column[r->columns++] = k;
    return true;
}

/* Once the header is read. */
static bool check_names(rows *r, csv *reader) {
    bool seen[COLUMNS] = {false};
    r->checked = true;
    if (!r->columns) return csv_fail(reader, "the header mass,x,y,z,vx,vy,vz is missing");
    for (size_t i = 0; i < r->columns; i++) seen[r->column[i]] = true;
    r->b->dimensions = !seen[Z] && !seen[VZ] ? 2 : 3;
    for (int k = 0; k < COLUMNS; k++)
        if (!seen[k] && (r->b->dimensions == 3 || (k != Z && k != VZ)))
            return csv_fail(reader, "the column '%s' is missing", nbody_columns[k]);
    return true;
}

/* What the reader says of the whole row is said at its end: fields beyond the header's have no column. */
static bool take_number(void *context, csv *reader, const char *text, size_t length) {
    rows *r = context;
    const uint64_t row = reader->row - 2;
    char shown[64];
    double value;
    if (!r->checked && !check_names(r, reader)) return false;
    if (reader->field > r->columns || row >= r->b->count) return true;
    const int k = r->column[reader->field - 1];
    const reading what = read_element(&ww_type_double, text, length, &value);
    if (what == READ_WELL && isfinite(value)) {
        r->b->column[k][row] = value;
        return true;
    }
    trim(&text, &length);
    return csv_fail(reader, "row %" PRIu64 ", %s: '%s' is %s", reader->row, nbody_columns[k],
                    csv_excerpt(text, length, shown),
                    what == READ_WELL || what == READ_OUTSIDE ? "not finite" : "not a number");
}

/* Not fewer than there are behind the header: a line may be empty, or a part of a field between quotes. */
static uint64_t rows_at_most(const char *at, const char *end) {
    uint64_t lines = 0;
    if (at < end && end[-1] == '\n') end--;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) at++, lines++;
    return lines;
}

/* There are fewer than there is room for: columns stand one behind the other. */
static void keep_first(bodies *b, uint64_t count) {
    if (count >= b->count) return;
    for (size_t k = 1; k < COLUMNS; k++)
        b->column[k] = memmove(b->column[0] + k * count, b->column[k], count * sizeof(double));
    b->count = count;
}

static int read_rows(job *j, const char *path, const char *at, const char *end, bodies *b) {
    enum { PORTION = 1 << 20 };
    const char *const begin = at;
    rows r = {.b = b};
    csv reader = {
        .delimiter = ',', .header = true, .every = true, .take = take_number, .take_name = take_name, .context = &r};
    bool right = true;
    if (bodies_room(j, rows_at_most(at, end), b)) return FAILED;
    csv_begin(&reader);
    while (right && at < end) {
        const size_t portion = end - at < PORTION ? (size_t)(end - at) : PORTION;
        right = csv_feed(&reader, at, portion);
        at += portion;
        progress_bytes(j->progress, (uint64_t)(at - begin), (uint64_t)(end - begin));
    }
    right = right && (begin < end ? csv_end(&reader) : check_names(&r, &reader)) &&
            (r.checked || check_names(&r, &reader));
    if (!right) return job_fail(j, "%s: %s", path, reader.sentence);
    keep_first(b, reader.row - 2);
    return DONE;
}

int bodies_read(job *j, const char *path, bodies *b) {
    ww_file_array file;
    const ww_array bytes = ww_array_of(NULL, 0, &ww_type_uint8_t);
    if (named_npy(path)) return job_fail(j, "%s: bodies are read from CSV, not from .npy", path);
    if (job_read(j, path, bytes, &file)) return FAILED;
    const char *const text = file.array.data;
    const double began = seconds_now();
    const int status = read_rows(j, strcmp(path, "-") ? path : "standard input", text,
                                 file.array.count ? text + file.array.count : text, b);
    j->reading += seconds_now() - began;
    job_forget(j, &file);
    return status;
}

/* ---- writing ---- */

int bodies_text(job *j, const bodies *b, ww_array *text) {
    enum { ROW = COLUMNS * 25 }; /* -1.7976931348623157e+308 and a comma */
    static uint8_t like;
    static const char flat[] = "mass,x,y,vx,vy\n", all[] = "mass,x,y,z,vx,vy,vz\n";
    const char *header = b->dimensions == 2 ? flat : all;
    uint64_t bytes;
    size_t at = strlen(header);
    if (__builtin_mul_overflow(b->count, (uint64_t)ROW, &bytes))
        return job_fail(j, "%" PRIu64 " bodies do not fit in memory", b->count);
    if (job_room(j, ww_array(&like, 1), bytes + at + VALUE_TEXT, text)) return FAILED;
    char *to = text->data;
    memcpy(to, header, at);
    for (uint64_t i = 0; i < b->count; i++)
        for (int k = 0; k < COLUMNS; k++) {
            if (b->dimensions == 2 && (k == Z || k == VZ)) continue;
            at += put_element(&ww_type_double, &b->column[k][i], to + at);
            to[at++] = k + 1 < COLUMNS - (b->dimensions == 2) ? ',' : '\n';
        }
    text->count = at;
    return DONE;
}
