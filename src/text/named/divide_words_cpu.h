/* Windows of up to 64 bits, which lanes look for without modulo: methods divide32 and divide64, and what twostage skims by. */
#ifndef WW__TEXT_DIVIDE_WORDS_H
#define WW__TEXT_DIVIDE_WORDS_H

#include "text/named/named_cpu.h"
#include "text/pieces_cpu.h"

typedef struct ww__words ww__words;
typedef void ww__roll(const ww__words *words, const unsigned char *text, uint64_t first, uint64_t own, uint64_t *found);

struct ww__words {
    ww__named_needle needle;
    uint64_t m; /* characters that are looked for: the pattern's first ones */
    uint64_t fingerprint, mask;
    ww__roll *roll;
    unsigned lanes;
    bool exact; /* what they mark matches */
};

/* Makes the search for the pattern's first m characters ready, in lanes of `word` bits (32 or 64). */
ww_status ww__words_make(ww_device *device, const ww__finding *finding, uint64_t m, unsigned word, ww__words *words);

/* Marks where they are, and keeps what matches the whole pattern. */
ww__text_scan ww__words_find;

#endif
