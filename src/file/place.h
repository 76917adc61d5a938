/* Where a path leads when something is to be written there: to a folder and a name in it, or to a descriptor that this
 * process has open. */
#ifndef WW__FILE_PLACE_H
#define WW__FILE_PLACE_H

#include <limits.h>
#include <sys/stat.h>

#include "file/source.h"

typedef struct ww__file_place {
    int folder;              /* open; -1: none */
    char name[NAME_MAX + 1]; /* in the folder; no link */
    int descriptor;          /* "-", /dev/stdout, /dev/fd/3, …: of this process; -1: none */
    bool there;              /* there is something, and this is its status */
    struct stat status;
} ww__file_place;

/* Follows links, so that the file that a link names is replaced and not the link. FILE where nothing can be written. */
ww_status ww__file_place_find(const ww__transfer *transfer, ww__file_place *place);
void ww__file_place_close(ww__file_place *place);

/* Whether a file is to be replaced here, or come to be. Else the bytes go to the descriptor, or to what is opened by the path:
 * a named pipe, a terminal, /dev/null. */
bool ww__file_place_is_replaced(const ww__file_place *place);

/* Whether two places are one file: one name in one folder, or two names (hard links) of one file. */
bool ww__file_place_same(const ww__file_place *a, const ww__file_place *b);

#endif
