/* Method serial on a CPU: Rabin and Karp's fingerprint, rolled over the text by one thread.
 *
 * The fingerprint of m characters is the number that they are to the base 2^8, modulo the prime 2^61 - 1, times a factor that
 * makes it hard to build a text for: each step takes the first character out and the next one in. Where fingerprints agree the
 * characters are compared. */
#include "text/pieces_cpu.h"

typedef struct serial {
    const unsigned char *pattern;
    uint64_t m, fingerprint, leaving; /* what a character that leaves counts: 256^(m - 1) */
    bool fold;
} serial;

__extension__ typedef unsigned __int128 wide;

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t reduced(wide x) {
    const uint64_t sum = (uint64_t)(x & prime) + (uint64_t)(x >> 61);
    return sum >= prime ? sum - prime : sum;
}
static uint64_t times(uint64_t a, uint64_t b) { return reduced((wide)a * b); }
static uint64_t entered(uint64_t fingerprint, unsigned char c) { return reduced(((wide)fingerprint << 8) + c); }

static unsigned char character(const serial *s, const unsigned char *text, uint64_t at) {
    return s->fold ? ww__folded(text[at]) : text[at];
}

static bool fits(const serial *s, const unsigned char *text, uint64_t at) {
    for (uint64_t i = 0; i < s->m; i++)
        if (character(s, text, at + i) != s->pattern[i]) return false;
    return true;
}

static uint64_t scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts, uint64_t *found) {
    const serial *s = needle;
    uint64_t fingerprint = 0, matches = 0;
    for (uint64_t i = 0; i < s->m; i++) fingerprint = entered(fingerprint, character(s, text, first + i));
    for (uint64_t i = 0;; i++) {
        if (fingerprint == s->fingerprint && fits(s, text, first + i)) {
            found[i / 64] |= UINT64_C(1) << i % 64;
            matches++;
        }
        if (i + 1 == starts) return matches;
        const uint64_t leaves = times(s->leaving, character(s, text, first + i));
        fingerprint = entered(fingerprint >= leaves ? fingerprint - leaves : fingerprint + prime - leaves,
                              character(s, text, first + i + s->m));
    }
}

ww_status ww__scanner_serial(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    serial *s;
    WW_TRY(ww__scratch(device, sizeof *s, &s));
    *s = (serial){.pattern = f->pattern, .m = f->m, .leaving = 1, .fold = f->fold};
    for (uint64_t i = 0; i < f->m; i++) s->fingerprint = entered(s->fingerprint, f->pattern[i]);
    for (uint64_t i = 1; i < f->m; i++) s->leaving = times(s->leaving, 256);
    *scanner = (ww__scanner){scan, s, true};
    return WW_OK;
}
