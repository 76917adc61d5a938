/* Files under a temporary name beside the one whose place they are to take, and what is left of them by processes that were
 * killed. */
#ifndef WW__FILE_TEMPORARY_H
#define WW__FILE_TEMPORARY_H

#include <sys/types.h>

#include "file/source.h"

enum { WW__TEMPORARY_NAMES = 4, WW__TEMPORARY_NAME_BYTES = 64 };

/* Makes a file in the folder, for a file that is to be called `name`, after removing what killed processes left there for that
 * name. The file is locked as long as *fd (which is not 0 to 2) is open. FILE where none can be made. */
ww_status ww__temporary_open(const ww__transfer *transfer, int folder, const char *name, mode_t mode,
                             char temporary[WW__TEMPORARY_NAME_BYTES], int *fd);

/* Gives a file that has none such a name, and locks it. */
ww_status ww__temporary_link(const ww__transfer *transfer, int folder, const char *name, int fd,
                             char temporary[WW__TEMPORARY_NAME_BYTES]);

/* Whether that can be done with files of this folder: it is tried with one that is gone again. */
bool ww__temporary_can_link(int folder, const char *name);

/* The first of the names that a file so called can have meanwhile, the second … */
void ww__temporary_name(const char *name, unsigned number, char temporary[WW__TEMPORARY_NAME_BYTES]);

#endif
