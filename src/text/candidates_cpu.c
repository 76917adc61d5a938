/* Candidates are compared with the pattern, in time linear in the text whatever they are: no character is found equal twice.
 *
 * This is the algorithm of Morris and Pratt (1970), run only where there are candidates. What is known: the `held` characters
 * before `at` are the pattern's first ones, and no match begins before them that is still asked for. A candidate that begins
 * before them is none; one that begins behind them lets them go, border by border, until they begin there or behind. So true
 * matches that overlap cost what they add, and text that was built against the fingerprint costs no more. */
#include "text/candidates_cpu.h"

#include <string.h>

#include "function/function.h"

enum { CHUNK = 32 }; /* characters that are compared together */

static ww_status make_borders(ww_device *device, ww__needle *s) {
    uint32_t *borders;
    WW_TRY(ww__scratch_array(device, s->m, sizeof *borders, &borders));
    borders[0] = 0;
    for (uint64_t q = 1; q < s->m; q++) {
        uint32_t border = borders[q - 1];
        while (border && s->pattern[border] != s->pattern[q]) border = borders[border - 1];
        borders[q] = border + (s->pattern[border] == s->pattern[q]);
    }
    s->borders = borders;
    return WW_OK;
}

ww_status ww__needle_make(ww_device *device, const ww__finding *f, ww__needle *s) {
    *s = (ww__needle){
        .pattern = f->pattern, .m = f->m, .bits = f->bits, .step = f->packed ? f->bits : 8, .fold = f->fold};
    return f->starts ? make_borders(device, s) : WW_OK;
}

/* A chunk of the text, a byte a character. */
static const unsigned char *chunk_of(const ww__needle *s, const unsigned char *text, uint64_t at, unsigned char *room) {
    if (s->step == 8 && !s->fold) return text + at;
    if (s->step == 8)
        for (unsigned i = 0; i < CHUNK; i++) room[i] = ww__folded(text[at + i]);
    else
        for (unsigned i = 0; i < CHUNK; i++) room[i] = (unsigned char)ww__character(s, text, at + i);
    return room;
}

/* How many characters of the text, from `at`, are the pattern's from `held` on. */
static uint64_t equal_run(const ww__needle *s, const unsigned char *text, uint64_t at, uint64_t held) {
    unsigned char room[CHUNK];
    const unsigned char *const pattern = s->pattern + held;
    const uint64_t most = s->m - held;
    uint64_t run = 0;
    while (run + CHUNK <= most && !memcmp(chunk_of(s, text, at + run, room), pattern + run, CHUNK)) run += CHUNK;
    while (run < most && ww__character(s, text, at + run) == pattern[run]) run++;
    return run;
}

typedef struct known {
    uint64_t at, held;
} known;

static bool matches(const ww__needle *s, const unsigned char *text, uint64_t start, known *k) {
    while (k->held && k->at - k->held < start) k->held = s->borders[k->held - 1];
    if (!k->held && k->at < start) k->at = start;
    if (k->at - k->held != start) return false;
    const uint64_t run = equal_run(s, text, k->at, k->held);
    k->at += run;
    k->held += run;
    return k->held == s->m;
}

uint64_t ww__keep_matches(const ww__needle *s, const unsigned char *text, uint64_t first, uint64_t starts,
                          uint64_t *found) {
    known k = {first, 0};
    uint64_t kept = 0;
    for (uint64_t w = 0; w * 64 < starts; w++)
        for (uint64_t left = found[w]; left; left &= left - 1) {
            if (matches(s, text, first + w * 64 + (uint64_t)__builtin_ctzll(left), &k))
                kept++;
            else
                found[w] ^= left & -left;
        }
    return kept;
}

uint64_t ww__count_marks(uint64_t starts, const uint64_t *found) {
    uint64_t marks = 0;
    for (uint64_t w = 0; w * 64 < starts; w++) marks += (uint64_t)__builtin_popcountll(found[w]);
    return marks;
}
