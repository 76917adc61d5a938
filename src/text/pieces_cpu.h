/* How a CPU goes through a text: workers claim pieces of it, a method marks where matches begin in a piece, and the marks
 * become positions in their order. */
#ifndef WW__TEXT_PIECES_H
#define WW__TEXT_PIECES_H

#include "text/find.h"

/* Marks the matches that begin at text[first] … text[first + starts - 1] (characters): sets bit i of `found`, which is clear, for
 * one at first + i, and returns how many there are. It may read the text up to character first + starts + m - 1 and no further,
 * and back to the text's begin. */
typedef uint64_t ww__text_scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                          uint64_t *found);

/* A method, with the pattern made ready for it (in the call's scratch memory). Several workers use it at once. */
typedef struct ww__scanner {
    ww__text_scan *scan;
    const void *needle;
    bool alone; /* one worker only */
} ww__scanner;

/* Makes a method ready. */
typedef ww_status ww__scanner_make(ww_device *device, const ww__finding *finding, ww__scanner *scanner);
ww__scanner_make ww__scanner_serial, ww__scanner_divide, ww__scanner_divide32, ww__scanner_divide64, ww__scanner_hybrid,
    ww__scanner_twostage;
/* The automatic method looks at the text, too: what is rare in it? */
ww_status ww__scanner_auto(ww_device *device, const ww__finding *finding, const unsigned char *text,
                           ww__scanner *scanner);

/* Goes through a text in memory, and writes what the request asks for. */
ww_status ww__find_pieces(ww_device *device, const ww__finding *finding, const unsigned char *text,
                          const ww__scanner *scanner);

#endif
