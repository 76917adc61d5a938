/* Whether the elements of a file are in order, for subcommands whose result would be wrong if they were not. */
#ifndef CLI_SORTED_H
#define CLI_SORTED_H

#include "job.h"

/* DONE when no element is below the one before it, in the order of ww_sort; else a sentence that names the first. Records have
 * no order: FAILED, too. */
int need_sorted(job *j, const char *path, const ww_array *array);

#endif
