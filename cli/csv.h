/* One column of comma-separated values, all columns, or lines of text, in whatever portions they come: no row is ever held as
 * a whole, so that it may have any length and any number of fields.
 *
 * As RFC 4180 has it: rows end in LF or CRLF; a field that begins with a double quote goes on to the next one, in which
 * commas and newlines are characters and two quotes are one. A quote elsewhere is a character. All rows have as many fields
 * as the first one; a row without any byte is one empty field, and is left out at the end of the file. A byte-order mark is
 * left out. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CSV_LONGEST = 4096, /* bytes of a field of the column; and of its name */
    CSV_SENTENCE = 400,
    CSV_LINES = -1 /* instead of a delimiter: rows are fields, and quotes nothing but characters */
};

typedef struct csv {
    int delimiter;           /* ',' */
    const char *column_name; /* of the header, or NULL: by its number */
    uint64_t column;         /* from 1; found by the name */
    bool header;             /* the first row has names */
    bool every;              /* all columns are taken, c->field says which, and of a header all names */
    /* Takes a field of the column. False: it wrote the sentence. */
    bool (*take)(void *context, struct csv *c, const char *text, size_t length);
    /* Takes the column's name, where it was asked for by its number; NULL: whatever it is. */
    bool (*take_name)(void *context, struct csv *c, const char *text, size_t length);
    void *context;
    char sentence[CSV_SENTENCE]; /* what is wrong, without the file's name */
    /* ---- below: the reader's own ---- */
    uint64_t row, field; /* from 1, of what is being read; the header is row 1 */
    uint64_t fields;     /* of every row; 0: not known yet */
    uint64_t empty;      /* rows without a byte before this one, which may be the file's end */
    int state;
    bool special[256];
    unsigned marks; /* bytes of a byte-order mark that came */
    size_t length;  /* of the field as far as it came in an earlier portion, or between quotes */
    bool cut;       /* it is longer than what is kept */
    char kept[CSV_LONGEST + 1];
    char label[64]; /* the column's name, for sentences */
} csv;

/* The fields above the line are set by the caller, the others 0. */
void csv_begin(csv *c);

/* The next bytes; and the end of the file. False: c->sentence. */
bool csv_feed(csv *c, const char *bytes, size_t length);
bool csv_end(csv *c);

/* "row 3, column 2 (age)": where the field stands that is being taken. */
const char *csv_place(const csv *c, char text[160]);

/* Writes a sentence; false. */
bool csv_fail(csv *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text as it may stand in a sentence: cut, and without what is no plain character. */
const char *csv_excerpt(const char *text, size_t length, char shown[64]);

#endif
