/* Starts where fingerprints agree, and which of them are matches: every character of the text is compared about twice at most,
 * however many candidates there are, as long as fingerprints tell the truth. */
#ifndef WW__TEXT_CANDIDATES_H
#define WW__TEXT_CANDIDATES_H

#include "text/find.h"

/* A chunk of a text, and where its candidates are; memory of the device. */
typedef struct ww__candidates {
    const unsigned char *text, *pattern; /* the chunk's first character */
    uint64_t starts, m, period;
    uint32_t fold;
    uint32_t *candidates; /* rising; room for `starts` */
    uint64_t *count;
    uint32_t *marks; /* of the chunk, clear */
} ww__candidates;

/* Marks the candidates that are matches. Scratch: 8 bytes a start. */
ww_status ww__mark_candidates(ww_device *device, const ww__candidates *candidates);

#endif
