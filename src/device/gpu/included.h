/* Which kernel files a program's text includes, directly or through one another. */
#ifndef WW__INCLUDED_H
#define WW__INCLUDED_H

#include <stdint.h>

#include "device/gpu/driver.h"

/* A hash of their names and texts. A name that is in no table counts by itself: the compiler will refuse it. */
uint64_t ww__included_hash(const char *source, const ww__header *headers);

#endif
