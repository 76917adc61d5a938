/* Which kernel files a program's text includes, directly or through one another. */
#ifndef WW__INCLUDED_H
#define WW__INCLUDED_H

#include "device/digest.h"
#include "device/gpu/driver.h"

/* A digest of their names and texts. A name that is in no table counts by itself: the compiler will refuse it. */
void ww__included_digest(const char *source, const ww__header *headers, char digest[WW__DIGEST_TEXT]);

#endif
