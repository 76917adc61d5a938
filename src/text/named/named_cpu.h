/* The pattern as a CPU's named methods know it, and what becomes of the candidates that they mark. */
#ifndef WW__TEXT_NAMED_CPU_H
#define WW__TEXT_NAMED_CPU_H

#include "text/find.h"

typedef struct ww__named_needle {
    const unsigned char *pattern;
    uint64_t m;
    unsigned bits; /* of a character */
    unsigned step; /* bits from one character of the text to the next: 8, or where it is packed `bits` */
    bool fold;
    const uint32_t *borders; /* ww__find_borders' */
} ww__named_needle;

/* Fills a needle; the borders are the call's scratch memory. */
ww_status ww__named_needle_make(ww_device *device, const ww__finding *finding, ww__named_needle *needle);
/* The memory that this takes, for calls on paper. */
ww_status ww__named_on_paper(ww_device *device, const ww__finding *finding);

/* A character of the text, as it is compared. */
static inline unsigned ww__character_in(const unsigned char *text, uint64_t at, unsigned step, bool fold) {
    if (step == 8) return fold ? ww__folded(text[at]) : text[at];
    const unsigned a_byte = 8 / step;
    return (unsigned)text[at / a_byte] >> (at % a_byte * step) & ((1u << step) - 1);
}
static inline unsigned ww__character(const ww__named_needle *s, const unsigned char *text, uint64_t at) {
    return ww__character_in(text, at, s->step, s->fold);
}

/* The five ways in which characters lie, for each of which a loop is compiled: loop(arguments …, step, fold). */
#define WW__BY_STEP(s, loop, ...) \
    ((s)->step == 1   ? loop(__VA_ARGS__, 1, false) \
     : (s)->step == 2 ? loop(__VA_ARGS__, 2, false) \
     : (s)->step == 4 ? loop(__VA_ARGS__, 4, false) \
     : (s)->fold      ? loop(__VA_ARGS__, 8, true) \
                      : loop(__VA_ARGS__, 8, false))

/* Takes away the marks of candidates that do not match, and returns how many are left. Bit i of `found` is the candidate that
 * begins at character first + i. */
uint64_t ww__keep_matches(const ww__named_needle *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                          uint64_t *found);

/* How many marks there are, where all candidates match. */
uint64_t ww__count_marks(uint64_t starts, const uint64_t *found);

#endif
