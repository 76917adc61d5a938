/* A file is read a portion at a time, into one block; its elements go on in blocks of their own. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert.h"
#include "standard.h"
#include "text_numbers.h"

enum { PORTION = 1 << 20, ELEMENTS = 1 << 12 };

typedef struct input {
    int fd;
    bool own;
    uint64_t done, total; /* bytes; total 0: not known */
} input;

/* The elements that text became, before they go on. */
typedef struct gathered {
    conversion *c;
    bool exact; /* f64 is nobody's choice, and whole numbers must not be changed by it */
    size_t count;
    _Alignas(16) unsigned char elements[ELEMENTS * 16];
} gathered;

static const char *name_of(const conversion *c) {
    return strcmp(c->job.files[0], "-") ? c->job.files[0] : "standard input";
}

/* ---- bytes ---- */

static int open_input(conversion *c, input *in) {
    struct stat about;
    const char *path = c->job.files[0];
    in->own = strcmp(path, "-") != 0;
    in->fd = in->own ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
    if (in->fd < 0) return job_fail(&c->job, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(in->fd, &about) == 0 && S_ISREG(about.st_mode)) {
        in->total = (uint64_t)about.st_size;
        posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return DONE;
}

/* The next portion, full unless the file ends; false: a sentence was printed. */
static bool next_portion(conversion *c, input *in, unsigned char *to, size_t room, size_t *got) {
    for (*got = 0; *got < room;) {
        const ssize_t n = read(in->fd, to + *got, room - *got);
        if (n < 0 && standard_again(in->fd, POLLIN)) continue;
        if (n < 0) {
            job_fail(&c->job, "%s: cannot be read at byte %" PRIu64 ": %s", name_of(c), in->done, strerror(errno));
            return false;
        }
        if (n == 0) break;
        *got += (size_t)n;
        in->done += (uint64_t)n;
        if (c->direct && is_text(c->from)) break; /* somebody may be waiting for it */
    }
    progress_bytes(c->job.progress, in->done, in->total);
    return true;
}

/* ---- text ---- */

static bool pass_on(gathered *g) {
    const size_t count = g->count;
    g->count = 0;
    return convert_write(g->c, g->elements, count) == DONE;
}

static bool say_number(csv *c, const ww_array *type, const char *text, size_t length, reading what) {
    char place[160], shown[64], label[24];
    csv_place(c, place);
    csv_excerpt(text, length, shown);
    type_label(type, label);
    switch (what) {
    case READ_NOTHING:
        return csv_fail(c, "%s: is empty (--missing=V gives a value for empty fields)", place);
    case READ_NO_WHOLE:
        return csv_fail(c, "%s: '%s' is not a whole number, and the type is %s", place, shown, label);
    case READ_OUTSIDE:
        return csv_fail(c, "%s: '%s' is outside the range of %s", place, shown, label);
    default:
        return csv_fail(c, "%s: '%s' is not a number", place, shown);
    }
}

/* Whole numbers that f64 rounds, where nobody asked for f64. */
static bool is_rounded(const char *text, size_t length, const void *element) {
    number n;
    double value;
    memcpy(&value, element, sizeof value);
    if (value < 0x1p53 && value > -0x1p53) return false;
    while (length && (*text == ' ' || *text == '\t')) text++, length--;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    if (!parse_number(text, length, &n) || !n.integer) return false;
    return value > 0x1p63 || value < -0x1p63 || n.size != (magnitude)(value < 0 ? -value : value);
}

static bool say_rounded(csv *reader, const char *text, size_t length) {
    char place[160], shown[64];
    return csv_fail(reader, "%s: '%s' is not an f64, the default: say --type=i64 or another", csv_place(reader, place),
                    csv_excerpt(text, length, shown));
}

static bool take_field(void *context, csv *reader, const char *text, size_t length) {
    gathered *g = context;
    conversion *c = g->c;
    unsigned char *const element = g->elements + g->count * c->type.size;
    const reading what = read_element(c->type.type, text, length, element);
    if (what == READ_NOTHING && c->missing)
        memcpy(element, c->missing_element, c->type.size);
    else if (what != READ_WELL)
        return say_number(reader, &c->type, text, length, what);
    else if (g->exact && is_rounded(text, length, element))
        return say_rounded(reader, text, length);
    return ++g->count < ELEMENTS || pass_on(g);
}

/* A column asked for by its number, in a file that may have no header: one whose first row is data must not lose it. */
static bool take_name(void *context, csv *reader, const char *text, size_t length) {
    double value;
    char place[160], shown[64];
    (void)context;
    if (read_element(&ww_type_double, text, length, &value) != READ_WELL) return true;
    reader->label[0] = '\0';
    return csv_fail(reader,
                    "%s: '%s' is a number: say --header=no if the first row is data, --header=yes if it is names",
                    csv_place(reader, place), csv_excerpt(text, length, shown));
}

static void ask_for_column(conversion *c) {
    csv *const reader = &c->csv;
    char *end = NULL;
    reader->delimiter = c->from == FORM_CSV ? c->delimiter : CSV_LINES;
    reader->column = 1;
    if (c->from == FORM_CSV) {
        const bool by_number = *c->column && strspn(c->column, "0123456789") == strlen(c->column);
        reader->column = by_number ? strtoull(c->column, &end, 10) : 0;
        if (!by_number) reader->column_name = c->column;
        if (by_number && !c->header) reader->take_name = take_name;
        reader->header = !c->no_header;
    }
    csv_begin(reader);
}

/* False with c->csv's sentence, or with none when one was printed. */
static bool read_rows(conversion *c, input *in, char *portion) {
    size_t got;
    do {
        if (!next_portion(c, in, (unsigned char *)portion, PORTION, &got)) return false;
        if (got && !csv_feed(&c->csv, portion, got)) return false;
    } while (got);
    return csv_end(&c->csv);
}

static int read_text(conversion *c, input *in, unsigned char *portion) {
    gathered *g = malloc(sizeof *g);
    if (!g) return job_fail(&c->job, "out of memory");
    g->c = c;
    g->count = 0;
    g->exact = !c->job.type.type;
    c->csv.take = take_field;
    c->csv.context = g;
    ask_for_column(c);
    int status = DONE;
    if (!read_rows(c, in, (char *)portion)) {
        status = FAILED;
        if (c->csv.sentence[0]) job_fail(&c->job, "%s: %s", name_of(c), c->csv.sentence);
    } else if (!pass_on(g)) {
        status = FAILED;
    }
    free(g);
    return status;
}

/* ---- arrays ---- */

static void swap(unsigned char *elements, size_t bytes, size_t size) {
    for (size_t at = 0; at < bytes; at += size)
        for (size_t k = 0; k < size / 2; k++) {
            const unsigned char one = elements[at + k];
            elements[at + k] = elements[at + size - 1 - k];
            elements[at + size - 1 - k] = one;
        }
}

/* The library reads the header, of standard input exactly its bytes. */
static int read_header(conversion *c, input *in) {
    job *j = &c->job;
    ww_file_array file;
    ww_file_options options = WW_FILE_OPTIONS;
    options.header = &c->shape;
    options.header_only = true;
    if (in->own && !in->total)
        return job_fail(j, "%s: is empty or not a regular file; .npy from a pipe must come through standard input (-)",
                        name_of(c));
    if (job_check(j, ww_file_read_with(j->device, j->files[0], j->type, &file, &options))) return FAILED;
    c->type = file.array;
    c->shaped = true;
    if (in->own && lseek(in->fd, (off_t)c->shape.begin, SEEK_SET) < 0)
        return job_fail(j, "%s: cannot be read: %s", name_of(c), strerror(errno));
    return DONE;
}

static int wrong_length(conversion *c, uint64_t bytes) {
    return job_fail(&c->job,
                    "%s: has %" PRIu64 " bytes of elements, and %" PRIu64 " elements of %zu bytes were expected",
                    name_of(c), bytes, c->type.count, c->type.size);
}

static int read_array(conversion *c, input *in, unsigned char *portion) {
    const size_t size = c->type.size, room = PORTION / size * size;
    uint64_t bytes = 0;
    size_t got;
    do {
        if (!next_portion(c, in, portion, room, &got)) return FAILED;
        bytes += got;
        if (c->shaped && bytes / size > c->type.count) return wrong_length(c, bytes);
        if (c->shape.swapped) swap(portion, got / size * size, size);
        if (convert_write(c, portion, got / size)) return FAILED;
    } while (got == room);
    if (c->shaped && bytes != c->type.count * size) return wrong_length(c, bytes);
    if (bytes % size == 0) return DONE;
    return job_fail(&c->job,
                    "%s: has %" PRIu64 " bytes, which are %" PRIu64 " elements of %zu bytes and %" PRIu64 " bytes more",
                    name_of(c), bytes, bytes / size, size, bytes % size);
}

/* ---- */

static int read_missing(conversion *c) {
    if (!c->missing) return DONE;
    char label[24];
    if (read_element(c->type.type, c->missing, strlen(c->missing), c->missing_element) == READ_WELL) return DONE;
    return misuse(c->job.command, "--missing=%s: is not a number of type %s", c->missing, type_label(&c->type, label));
}

static int need_text(conversion *c) {
    if (is_text(c->from) || is_text(c->to)) return need_numbers(&c->job, name_of(c), &c->type, "text");
    return DONE;
}

int convert_read(conversion *c) {
    static const ww_array f64 = {.type = &ww_type_double, .size = sizeof(double)};
    input in = {.fd = -1};
    unsigned char *const portion = malloc(PORTION);
    int status = portion ? open_input(c, &in) : job_fail(&c->job, "out of memory");
    c->type = c->job.type.type ? c->job.type : f64;
    if (!status && c->from == FORM_NPY) status = read_header(c, &in);
    if (!status) status = need_text(c);
    if (!status) status = read_missing(c);
    if (!status) status = convert_begin(c);
    if (!status) status = is_text(c->from) ? read_text(c, &in, portion) : read_array(c, &in, portion);
    if (in.own && in.fd >= 0) close(in.fd);
    free(portion);
    return status;
}
