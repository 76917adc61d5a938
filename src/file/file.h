/* What other rooms know of files of arrays: one that is read in pieces, and one that is written in pieces under a temporary name. */
#ifndef WW__FILE_H
#define WW__FILE_H

#include "file/npy.h"
#include "file/place.h"
#include "file/source.h"
#include "file/temporary.h"

/* ---- reading ---- */

/* What a source's elements are, with what the caller wants to be there: reads a .npy file's header, so that the elements come next. */
typedef struct ww__contents {
    ww_array elements; /* type and size; count UINT64_MAX where it is not known before the end; no data */
    bool npy, swapped; /* elements are of the other byte order */
} ww__contents;
ww_status ww__source_contents(ww__source *source, ww_array what, ww__contents *contents);

/* Turns elements of the other byte order round, in place. */
void ww__swap_elements(void *data, uint64_t count, size_t size);

/* Bytes that are no whole number of elements: FORMAT. */
ww_status ww__check_multiple(const ww__transfer *transfer, ww_array what, uint64_t bytes);

/* ---- writing ---- */

/* What giving a file its name did, and undoing it has to do. */
typedef enum ww__naming {
    WW__NAMED_NOT,
    WW__NAMED_NEW,
    WW__NAMED_EXCHANGED,
    WW__NAMED_LINKED,
    WW__NAMED_FOR_GOOD
} ww__naming;

typedef struct ww__output {
    ww__transfer transfer;
    ww_array array; /* what is written */
    ww__file_place place;
    int fd;                                   /* -1: none; of a temporary file until all are renamed, for its lock */
    mode_t mode;                              /* of a new file */
    char temporary[WW__TEMPORARY_NAME_BYTES]; /* what is to be removed at the end: "" nothing */
    ww__naming named;
    bool durable, npy;
    /* Has no name before ww__output_finish, where the file system can make such files: nothing is left of a process that is killed
     * while it writes. */
    bool nameless;
    const ww_file_header *shape; /* of .npy, or NULL: one row */
} ww__output;

/* The steps, in this order, with ww__output_drop at the end, whatever failed: the place is found by the caller
 * (ww__file_place_find); opening; finishing, when all bytes are written; naming, all of several or none. */
ww_status ww__output_open(ww__output *to);
ww_status ww__output_finish(ww__output *to);
ww_status ww__output_name_all(ww__output *outputs, size_t count);
void ww__output_drop(ww__output *to);

/* FILE, with the system's reason (errno). */
ww_status ww__output_fail(const ww__output *to, const char *what);

/* Whether a file's name says that it is .npy. */
bool ww__named_npy(const char *path);

#endif
