/* Method serial on a CPU: Rabin and Karp's fingerprint, rolled over the text by one thread.
 *
 * The fingerprint of m characters is the number that they are to the base 2^8 (the first class of section 2.3.1), modulo the
 * prime 2^61 - 1: each step takes the first character out and the next one in. The prime is not drawn at random, as Ashkiani's
 * (2017): where fingerprints agree the characters are compared, at no more than a step for each character of the text. */
#include "text/named/named_cpu.h"
#include "text/pieces_cpu.h"

typedef struct serial {
    ww__named_needle needle;
    uint64_t fingerprint, leaving; /* what a character counts that has left: -256^m */
} serial;

__extension__ typedef unsigned __int128 wide;

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t reduced(wide x) {
    const uint64_t sum = (uint64_t)(x & prime) + (uint64_t)(x >> 61);
    return sum >= prime ? sum - prime : sum;
}
static uint64_t entered(uint64_t fingerprint, unsigned c) { return reduced(((wide)fingerprint << 8) + c); }

/* One character enters and one leaves. */
static uint64_t rolled(const serial *s, uint64_t fingerprint, unsigned enters, unsigned leaves) {
    return reduced(((wide)fingerprint << 8) + enters + (wide)s->leaving * leaves);
}

static unsigned folded_if(bool fold, unsigned char c) { return fold ? ww__folded(c) : c; }

static uint64_t scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts, uint64_t *found) {
    const serial *s = needle;
    const bool fold = s->needle.fold;
    const unsigned char *const leaving = text + first, *const entering = leaving + s->needle.m;
    uint64_t fingerprint = 0, candidates = 0;
    for (uint64_t i = 0; i < s->needle.m; i++) fingerprint = entered(fingerprint, folded_if(fold, leaving[i]));
    for (uint64_t i = 0;; i++) {
        if (fingerprint == s->fingerprint) {
            found[i / 64] |= UINT64_C(1) << i % 64;
            candidates++;
        }
        if (i + 1 == starts) return candidates ? ww__keep_matches(&s->needle, text, first, starts, found) : 0;
        fingerprint = rolled(s, fingerprint, folded_if(fold, entering[i]), folded_if(fold, leaving[i]));
    }
}

ww_status ww__scanner_serial(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    serial *s;
    uint64_t power = 1;
    WW_TRY(ww__scratch(device, sizeof *s, &s));
    if (device->on_paper) return ww__named_on_paper(device, f);
    *s = (serial){0};
    WW_TRY(ww__named_needle_make(device, f, &s->needle));
    for (uint64_t i = 0; i < f->m; i++)
        s->fingerprint = entered(s->fingerprint, f->pattern[i]), power = entered(power, 0);
    s->leaving = prime - power;
    *scanner = (ww__scanner){scan, s, true};
    return WW_OK;
}
