/* Compiled programs on disk: $XDG_CACHE_HOME/warpwise (else ~/.cache/warpwise), a file each. WARPWISE_CACHE names another
 * folder, by an absolute path, or is "off". Nothing here fails a call: without a cache, or where its folder is not this user's
 * alone (device/trust.h), programs are compiled again. */
#ifndef WW__CACHE_H
#define WW__CACHE_H

#include "device/gpu/driver.h"

/* The code kept for this source and what compiled it, to be freed by free(). */
bool ww__cache_find(const char *maker, const char *source, ww__code *code);
/* Keeps it. What is wrong with the folder where it is not trusted, else NULL. */
const char *ww__cache_keep(const char *maker, const char *source, const ww__code *code);

#endif
