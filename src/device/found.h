/* Libraries that are looked for in folders where others install them. */
#ifndef WW__FOUND_H
#define WW__FOUND_H

#include <stdbool.h>
#include <stddef.h>

/* Has opens(context, path) try the files that a pattern names, until one is. Those below HOME ("~/…"), which need not be this user's
 * own folder, only where nobody else could have put them there; the first that is not so, and why, is noted in `left`, unless
 * something stands there already. */
bool ww__found_library(const char *pattern, bool (*opens)(void *context, const char *path), void *context, char *left,
                       size_t left_room);

#endif
