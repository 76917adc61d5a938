/* Candidates are compared with the pattern, in time linear in the text whatever they are: no character is found equal twice.
 *
 * This is the algorithm of Morris and Pratt (1970), run only where there are candidates. What is known: the `held` characters
 * before `at` are the pattern's first ones, and no match begins before them that is still asked for. A candidate that begins
 * before them is none; one that begins behind them lets them go, border by border, until they begin there or behind. So true
 * matches that overlap cost what they add, and text that was built against the fingerprint costs no more. */
#include "text/named/named_cpu.h"

#include <string.h>

#include "function/function.h"
#include "text/period.h"

enum { CHUNK = 32 }; /* characters that are compared together */

ww_status ww__named_needle_make(ww_device *device, const ww__finding *f, ww__named_needle *s) {
    *s = (ww__named_needle){
        .pattern = f->pattern, .m = f->m, .bits = f->bits, .step = f->packed ? f->bits : 8, .fold = f->fold};
    return f->starts ? ww__find_borders(device, f, &s->borders) : WW_OK;
}

ww_status ww__named_on_paper(ww_device *device, const ww__finding *f) {
    ww__named_needle like;
    return ww__named_needle_make(device, f, &like);
}

#define INLINE static inline __attribute__((always_inline))

/* A chunk of the text, a byte a character. */
INLINE const unsigned char *chunk_of(const unsigned char *text, uint64_t at, unsigned char *room, unsigned step,
                                     bool fold) {
    if (step == 8 && !fold) return text + at;
    for (unsigned i = 0; i < CHUNK; i++) room[i] = (unsigned char)ww__character_in(text, at + i, step, fold);
    return room;
}

/* How many characters of the text, from `at`, are the pattern's from `held` on. */
INLINE uint64_t equal_run(const ww__named_needle *s, const unsigned char *text, uint64_t at, uint64_t held,
                          unsigned step, bool fold) {
    unsigned char room[CHUNK];
    const unsigned char *const pattern = s->pattern + held;
    const uint64_t most = s->m - held;
    uint64_t run = 0;
    while (run + CHUNK <= most && !memcmp(chunk_of(text, at + run, room, step, fold), pattern + run, CHUNK))
        run += CHUNK;
    while (run < most && ww__character_in(text, at + run, step, fold) == pattern[run]) run++;
    return run;
}

INLINE uint64_t keep(const ww__named_needle *s, const unsigned char *text, uint64_t first, uint64_t starts,
                     uint64_t *found, unsigned step, bool fold) {
    uint64_t at = first, held = 0, kept = 0;
    for (uint64_t w = 0; w * 64 < starts; w++)
        for (uint64_t left = found[w]; left; left &= left - 1) {
            const uint64_t start = first + w * 64 + (uint64_t)__builtin_ctzll(left);
            while (held && at - held < start) held = s->borders[held - 1];
            if (!held && at < start) at = start;
            if (at - held == start) {
                const uint64_t run = equal_run(s, text, at, held, step, fold);
                at += run;
                held += run;
            }
            if (at - held == start && held == s->m)
                kept++;
            else
                found[w] ^= left & -left;
        }
    return kept;
}

uint64_t ww__keep_matches(const ww__named_needle *s, const unsigned char *text, uint64_t first, uint64_t starts,
                          uint64_t *found) {
    return WW__BY_STEP(s, keep, s, text, first, starts, found);
}

uint64_t ww__count_marks(uint64_t starts, const uint64_t *found) {
    uint64_t marks = 0;
    for (uint64_t w = 0; w * 64 < starts; w++) marks += (uint64_t)__builtin_popcountll(found[w]);
    return marks;
}
