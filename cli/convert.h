/* What `warpwise convert` does: elements come from a file in one form, a portion at a time, and go to one in another form. */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include "csv.h"
#include "job.h"
#include "spool.h"

typedef enum form { FORM_UNKNOWN, FORM_CSV, FORM_TEXT, FORM_NPY, FORM_RAW } form;

typedef struct conversion {
    job job;
    form from, to;
    char delimiter;      /* of CSV; 0: by the name */
    const char *column;  /* --column, or NULL */
    const char *missing; /* --missing, or NULL */
    bool header, no_header;
    /* ---- what comes in ---- */
    ww_array type;        /* of the elements: type and size */
    ww_file_header shape; /* of a .npy that comes in; dimensions 0 and `shaped` false where there is none */
    bool shaped;
    _Alignas(16) unsigned char missing_element[16];
    csv csv;
    /* ---- what goes out ---- */
    bool direct; /* to standard output, at once */
    spool spool;
    unsigned char *block; /* what is not yet there */
    size_t used;
    uint64_t count; /* elements */
    uint64_t width; /* of a row of CSV that goes out, in elements */
} conversion;

static inline bool is_text(form f) { return f == FORM_CSV || f == FORM_TEXT; }

/* Exit statuses; a sentence was printed when it is not DONE. */
int convert_read(conversion *c);

/* convert_write takes the elements that were read. convert_begin is called when their type is known, convert_finish when all
 * came, convert_close in any case. */
int convert_begin(conversion *c);
int convert_write(conversion *c, const void *elements, size_t count);
int convert_finish(conversion *c);
void convert_close(conversion *c);

#endif
