/* The automatic method for patterns of 64 characters and more: most of the text is never looked at.
 *
 * Words of 8 or 16 characters are looked at, one in every `stride` characters, where the stride is so short that every match
 * has one of them inside, at one of the pattern's offsets 0 … stride - 1. A table of bits says of most words that they are at
 * none of these; of the others a list has the offsets, falling, so that the starts rise. (Faro and Külekci's EPSM and Cantone,
 * Faro and Pavone's WFR look at words like that.) A stride is at most STRIDE_MOST: making the tables must not cost more than
 * is saved. Where too much of the text looks like the pattern, windows_cpu.c goes on. */
#include <string.h>

#include "text/auto/auto_cpu.h"

enum {
    STRIDE_MOST = 4000,
    WORD_LONG = 256,   /* patterns from here on have words of 16 */
    BITS_A_WORD = 32,  /* of the table of bits, at least; */
    BITS_WANTED = 256, /* where the table stays small: a word that is looked up in vain costs as much as ten others */
    LOG_SMALL = 14,    /* of its bits … */
    LOG_LONG = 16,     /* … for long words */
    BITS_A_LIST = 16,  /* that share one list */
    AHEAD_STRIDES = 32,
    LOOKED_AT = 64 /* what a list's entry costs, in characters compared */
};

typedef struct ww__skipping {
    ww__needle needle; /* first */
    uint64_t stride;
    unsigned shift;        /* of a hash, to the number of its bit */
    uint16_t *head, *next; /* offsets + 1; 0 ends a list */
    uint64_t *bits;
} skipping;

WW__INLINE uint64_t half_word(const unsigned char *p, bool fold) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return fold ? word | UINT64_C(0x2020202020202020) : word;
}

WW__INLINE uint64_t hash_of(const unsigned char *p, bool two, bool fold) {
    uint64_t word = half_word(p, fold);
    if (two) word = word * UINT64_C(0xD6E8FEB86659FD93) + half_word(p + 8, fold);
    return word * UINT64_C(0x9E3779B97F4A7C15);
}

WW__INLINE bool maybe(const skipping *s, uint64_t hash) {
    const uint64_t bit = hash >> s->shift;
    return s->bits[bit / 64] >> bit % 64 & 1;
}

typedef struct going {
    const skipping *skipping;
    const unsigned char *text;
    uint64_t starts, *found;
    uint64_t matches, compared;
} going;

/* Compares at the offsets of a list; false where there was too much to compare, and then *at is the next start to look at. */
static bool look_at(going *g, uint64_t probe, uint64_t hash, uint64_t *at) {
    const skipping *const s = g->skipping;
    const uint64_t m = s->needle.m;
    for (uint16_t entry = s->head[hash >> s->shift >> 4]; entry; entry = s->next[entry - 1]) {
        const uint64_t offset = entry - 1u;
        *at = probe - offset;
        if (*at >= g->starts) break;
        g->compared += LOOKED_AT;
        if (ww__common(&s->needle, g->text + probe, offset, 8) == 8) {
            const uint64_t same = ww__common(&s->needle, g->text + *at, 0, m);
            g->compared += same;
            if (same == m) {
                g->found[*at / 64] |= UINT64_C(1) << *at % 64;
                g->matches++;
            }
        }
        ++*at;
        if (g->compared > *at + 4 * m + 4096) return false;
    }
    return true;
}

WW__INLINE uint64_t scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                         uint64_t *found, bool two, bool fold) {
    const skipping *const s = needle;
    const uint64_t stride = s->stride, ahead = AHEAD_STRIDES * stride > WW__AHEAD ? AHEAD_STRIDES * stride : WW__AHEAD;
    going g = {.skipping = s, .text = text + first, .starts = starts, .found = found};
    /* The word at `probe` is inside the matches that begin at probe - stride + 1 … probe. */
    for (uint64_t probe = stride - 1; probe - (stride - 1) < starts;) {
        if (probe + 3 * stride - (stride - 1) < starts) {
            bool any = false;
#pragma GCC unroll 4
            for (unsigned k = 0; k < 4; k++) {
                __builtin_prefetch(g.text + probe + k * stride + ahead);
                any |= maybe(s, hash_of(g.text + probe + k * stride, two, fold));
            }
            if (!any) {
                probe += 4 * stride;
                continue;
            }
        }
        for (unsigned k = 0; k < 4 && probe - (stride - 1) < starts; k++, probe += stride) {
            const uint64_t hash = hash_of(g.text + probe, two, fold);
            uint64_t at;
            if (maybe(s, hash) && !look_at(&g, probe, hash, &at))
                return g.matches + (at < starts ? ww__windows_from(&s->needle, g.text, at, starts, found) : 0);
        }
    }
    return g.matches;
}

/* By width: shifts by a number that is not known take one instruction since AVX2's time, three before. */
#define SCAN(width, two, fold) \
    WW__TARGET_##width static uint64_t scan_##width##_##two##fold(const void *needle, const unsigned char *text, \
                                                                  uint64_t first, uint64_t starts, uint64_t *found) { \
        return scan(needle, text, first, starts, found, two, fold); \
    }
#define SCANS(width, unused) SCAN(width, 0, 0) SCAN(width, 0, 1) SCAN(width, 1, 0) SCAN(width, 1, 1)
WW__EACH_WIDTH(SCANS, 0)

static ww__text_scan *scan_of(int vector, bool two, bool fold) {
#define OF_WIDTH(width) \
    { \
        {scan_##width##_00, scan_##width##_01}, { scan_##width##_10, scan_##width##_11 } \
    }
#if defined(__x86_64__)
    static ww__text_scan *const scans[WW_VECTORS][2][2] = {OF_WIDTH(plain), OF_WIDTH(avx2), OF_WIDTH(avx512)};
#else
    static ww__text_scan *const scans[WW_VECTORS][2][2] = {OF_WIDTH(plain)};
#endif
    return scans[vector][two][fold];
}

static void fill_tables(skipping *s, bool two) {
    for (uint64_t offset = 0; offset < s->stride; offset++) {
        const uint64_t bit = hash_of(s->needle.pattern + offset, two, s->needle.letters) >> s->shift;
        s->bits[bit / 64] |= UINT64_C(1) << bit % 64;
        s->next[offset] = s->head[bit / BITS_A_LIST];
        s->head[bit / BITS_A_LIST] = (uint16_t)(offset + 1);
    }
}

static unsigned log_of(uint64_t n) { return 64 - (unsigned)__builtin_clzll(n - 1); }

ww_status ww__skip_make(ww_device *device, const ww__needle *needle, ww__scanner *scanner) {
    const bool two = needle->m >= WORD_LONG;
    skipping *s, made = {.needle = *needle};
    made.stride = ww__min_u64(needle->m - (two ? 16 : 8) + 1, STRIDE_MOST);
    const unsigned least = log_of(BITS_A_WORD * made.stride), wanted = log_of(BITS_WANTED * made.stride);
    const unsigned small = wanted < (two ? LOG_LONG : LOG_SMALL) ? wanted : two ? LOG_LONG : LOG_SMALL;
    const unsigned log = least > small ? least : small;
    const size_t many = (size_t)1 << log;
    made.shift = 64 - log;
    WW_TRY(ww__scratch(device, sizeof *s, &s));
    WW_TRY(ww__scratch(device, many / 8, &made.bits));
    WW_TRY(ww__scratch(device, many / BITS_A_LIST * sizeof *made.head, &made.head));
    WW_TRY(ww__scratch(device, made.stride * sizeof *made.next, &made.next));
    if (device->on_paper) return WW_OK;
    *s = made;
    memset(s->bits, 0, many / 8);
    memset(s->head, 0, many / BITS_A_LIST * sizeof *s->head);
    fill_tables(s, two);
    *scanner = (ww__scanner){.scan = scan_of(needle->vector, two, needle->letters), .needle = s};
    return WW_OK;
}
