/* Compiled programs on disk: $XDG_CACHE_HOME/warpwise (else ~/.cache/warpwise), a file each. WARPWISE_CACHE names another
 * folder, or is "off". Nothing here fails a call: without a cache, programs are compiled anew. */
#ifndef WW__CACHE_H
#define WW__CACHE_H

#include "device/gpu/driver.h"

/* The code kept for this source and what compiled it, to be freed by free(). */
bool ww__cache_find(const char *maker, const char *source, ww__code *code);
void ww__cache_keep(const char *maker, const char *source, const ww__code *code);

#endif
