/* Bodies as comma-separated values. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "nbody.h"
#include "print.h"

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

typedef struct csv {
    job *j;
    const char *path;
    const char *at, *end; /* what has not been read */
    uint64_t line;        /* from 1 */
    size_t fields;        /* of each line */
    int column[COLUMNS];  /* of each field */
} csv;

/* The next line without its end, which is LF, CRLF or the file's; false behind the last. */
static bool next_line(csv *f, const char **line, size_t *length) {
    if (f->at == f->end) return false;
    const char *stop = memchr(f->at, '\n', (size_t)(f->end - f->at));
    const char *next = stop ? stop + 1 : f->end;
    if (!stop) stop = f->end;
    if (stop > f->at && stop[-1] == '\r') stop--;
    *line = f->at;
    *length = (size_t)(stop - f->at);
    f->at = next;
    f->line++;
    return true;
}

/* The next field of a line, without spaces and tabs around it. */
static bool next_field(const char **line, size_t *left, const char **field, size_t *length, bool *last) {
    if (*last) return false;
    const char *comma = memchr(*line, ',', *left);
    size_t size = comma ? (size_t)(comma - *line) : *left;
    *last = !comma;
    *field = *line;
    *line += size + !*last;
    *left -= size + !*last;
    while (size && ((*field)[0] == ' ' || (*field)[0] == '\t')) (*field)++, size--;
    while (size && ((*field)[size - 1] == ' ' || (*field)[size - 1] == '\t')) size--;
    *length = size;
    return true;
}

static int shown(size_t length) { return length < 40 ? (int)length : 40; }

static int read_header(csv *f, bodies *b) {
    const char *line, *field;
    size_t left, length;
    bool last = false, seen[COLUMNS] = {false};
    if (f->end - f->at >= 3 && memcmp(f->at, "\xef\xbb\xbf", 3) == 0) f->at += 3;
    if (!next_line(f, &line, &left) || !left)
        return job_fail(f->j, "%s: the header mass,x,y,z,vx,vy,vz is missing", f->path);
    while (next_field(&line, &left, &field, &length, &last)) {
        int k = 0;
        while (k < COLUMNS && (strlen(nbody_columns[k]) != length || memcmp(nbody_columns[k], field, length) != 0)) k++;
        if (k == COLUMNS)
            return job_fail(f->j, "%s: column %zu is '%.*s', and columns are mass, x, y, z, vx, vy, vz", f->path,
                            f->fields + 1, shown(length), field);
        if (seen[k]) return job_fail(f->j, "%s: two columns are '%s'", f->path, nbody_columns[k]);
        seen[k] = true;
        f->column[f->fields++] = k;
    }
    b->dimensions = !seen[Z] && !seen[VZ] ? 2 : 3;
    for (int k = 0; k < COLUMNS; k++)
        if (!seen[k] && (b->dimensions == 3 || (k != Z && k != VZ)))
            return job_fail(f->j, "%s: the column '%s' is missing", f->path, nbody_columns[k]);
    return DONE;
}

static int read_row(csv *f, const char *line, size_t left, bodies *b, uint64_t row) {
    const char *field;
    size_t length, k = 0;
    bool last = false;
    number n;
    while (next_field(&line, &left, &field, &length, &last)) {
        if (k == f->fields)
            return job_fail(f->j, "%s: line %" PRIu64 " has more fields than the header's %zu", f->path, f->line,
                            f->fields);
        const char *name = nbody_columns[f->column[k]];
        if (!parse_number(field, length, &n))
            return job_fail(f->j, "%s: line %" PRIu64 ", %s: '%.*s' is no number", f->path, f->line, name,
                            shown(length), field);
        if (!isfinite(n.value))
            return job_fail(f->j, "%s: line %" PRIu64 ", %s: '%.*s' is not finite", f->path, f->line, name,
                            shown(length), field);
        b->column[f->column[k++]][row] = field[0] == '-' && n.value == 0 ? -0.0 : n.value;
    }
    if (k < f->fields)
        return job_fail(f->j, "%s: line %" PRIu64 " has %zu fields, and the header %zu", f->path, f->line, k,
                        f->fields);
    return DONE;
}

static int read_rows(csv *f, bodies *b) {
    const char *line, *begin = f->at;
    size_t length;
    uint64_t row = 0;
    const uint32_t dimensions = b->dimensions;
    while (f->end > f->at && (f->end[-1] == '\n' || f->end[-1] == '\r')) f->end--; /* empty lines at the end */
    csv counting = *f;
    while (next_line(&counting, &line, &length)) row++;
    if (bodies_room(f->j, row, b)) return FAILED;
    b->dimensions = dimensions;
    for (row = 0; next_line(f, &line, &length); row++) {
        if (row % 65536 == 0) progress_bytes(f->j->progress, (uint64_t)(f->at - begin), (uint64_t)(f->end - begin));
        if (read_row(f, line, length, b, row)) return FAILED;
    }
    return DONE;
}

int bodies_read(job *j, const char *path, bodies *b) {
    ww_file_array file;
    const ww_array bytes = ww_array_of(NULL, 0, &ww_type_uint8_t);
    if (named_npy(path)) return job_fail(j, "%s: bodies are read from CSV, not from .npy", path);
    if (job_read(j, path, bytes, &file)) return FAILED;
    csv f = {.j = j, .path = strcmp(path, "-") ? path : "standard input", .at = file.array.data};
    f.end = file.array.count ? f.at + file.array.count : f.at;
    const double began = seconds_now();
    int status = read_header(&f, b);
    if (!status) status = read_rows(&f, b);
    j->reading += seconds_now() - began;
    job_forget(j, &file);
    return status;
}

/* ---- writing ---- */

/* %.15g is what a person wrote, nearly always; 17 digits are enough for any. Returns the characters. */
static size_t put(char *to, double value) {
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(to, VALUE_TEXT, "%.*g", digits, value);
        if (strtod(to, NULL) == value) break;
    }
    return (size_t)length;
}

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
            at += put(to + at, b->column[k][i]);
            to[at++] = k + 1 < COLUMNS - (b->dimensions == 2) ? ',' : '\n';
        }
    text->count = at;
    return DONE;
}
