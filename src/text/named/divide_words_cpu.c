/* Methods divide32 and divide64 on a CPU: sections 2.6.2 and 2.7.1, divide and conquer without modulo.
 *
 * The fingerprint of a window is its characters themselves, side by side in 32 or 64 bits: F <- ((F & mask) << bits) + c, where
 * the mask leaves all but the window's first character. Each lane rolls that of its own subtext. It cannot agree by chance, so
 * what is marked are the matches – but where the text may have bytes that are no characters: of those only the lowest bits are
 * taken here, and what is marked is compared. */
#include "text/named/divide_words_cpu.h"

#include "text/named/lanes_cpu.h"

static uint64_t alphabet_of(const ww__words *s) { return (UINT64_C(1) << s->needle.bits) - 1; }

/* The fingerprint of a subtext's first window without its last character. */
static uint64_t begun(const ww__words *s, const unsigned char *text, uint64_t first) {
    uint64_t fingerprint = 0;
    for (uint64_t i = 0; i + 1 < s->m; i++)
        fingerprint = fingerprint << s->needle.bits | (ww__character(&s->needle, text, first + i) & alphabet_of(s));
    return fingerprint;
}

/* One thread's work on the starts that lanes leave over. */
static void roll_one(const ww__words *s, const unsigned char *text, uint64_t first, uint64_t from, uint64_t starts,
                     uint64_t *found) {
    uint64_t fingerprint = begun(s, text, first + from);
    for (uint64_t i = from; i < starts; i++) {
        const uint64_t c = ww__character(&s->needle, text, first + i + s->m - 1) & alphabet_of(s);
        fingerprint = ((fingerprint & s->mask) << s->needle.bits) + c;
        found[i / 64] |= (uint64_t)(fingerprint == s->fingerprint) << i % 64;
    }
}

/* All lanes' work on `own` starts each, W at a time: their characters are `step` words of W bits, and their marks one. */
#define ROLL(W, width) \
    WW__TARGET_##width static inline __attribute__((always_inline)) void roll_any_##W##_##width( \
        const ww__words *s, const unsigned char *text, uint64_t first, uint64_t own, uint64_t *found, \
        const unsigned step, const bool fold) { \
        typedef ww__u##W##_##width lanes; \
        typedef uint##W##_t word; \
        enum { VECTORS = WW__LANE_VECTORS, LANES = WW__LANE_COUNT(W, width), EACH = LANES / VECTORS }; \
        const unsigned bits = s->needle.bits, in_word = W / step, off = (unsigned)((first + s->m - 1) * step % 8); \
        const uint64_t apart = own * step / 8; \
        const word alphabet = (word)alphabet_of(s), mask = (word)s->mask, wanted = (word)s->fingerprint; \
        const unsigned char *at = text + (first + s->m - 1) * step / 8; \
        word lane[LANES]; \
        lanes f[VECTORS], before[VECTORS] = {{0}}; \
        for (uint64_t l = 0; l < LANES; l++) lane[l] = (word)begun(s, text, first + l * own); \
        memcpy(f, lane, sizeof f); \
        if (step < 8) { \
            for (unsigned v = 0; v < VECTORS; v++) \
                before[v] = (lanes){WW__WORDS_##W##_##width(at + v * EACH * apart, apart)}; \
            at += W / 8; \
        } \
        for (uint64_t start = 0; start < own; start += W) { \
            lanes marks[VECTORS] = {{0}}; \
            for (unsigned l = 0; l < LANES; l++) __builtin_prefetch(at + l * apart + WW__LANE_AHEAD); \
            for (unsigned w = 0; w < step; w++, at += W / 8) \
                for (unsigned v = 0; v < VECTORS; v++) { \
                    const lanes read = {WW__WORDS_##W##_##width(at + v * EACH * apart, apart)}; \
                    lanes x = read, hits = {0}; \
                    if (step < 8) x = WW__FROM_BIT(before[v], read, off, W), before[v] = read; \
                    if (fold) x = WW__FOLDED_LANES(lanes, width, x); \
                    for (unsigned c = 0; c < in_word; c++) { \
                        f[v] = ((f[v] & mask) << bits) + (x >> c * step & alphabet); \
                        hits |= (lanes)(f[v] == wanted) & (word)1 << c; \
                    } \
                    marks[v] |= hits << w * in_word; \
                } \
            memcpy(lane, marks, sizeof lane); \
            for (uint64_t l = 0; l < LANES; l++) found[(l * own + start) / 64] |= (uint64_t)lane[l] << start % 64; \
        } \
    } \
    WW__COMPILED WW__TARGET_##width static void roll_##W##_##width(const ww__words *s, const unsigned char *text, \
                                                                   uint64_t first, uint64_t own, uint64_t *found) { \
        WW__BY_STEP(&s->needle, roll_any_##W##_##width, s, text, first, own, found); \
    }
#define ROLLS(width, ignored) ROLL(32, width) ROLL(64, width)
WW__EACH_WIDTH(ROLLS, 0)

typedef struct roll {
    ww__roll *lanes;
    unsigned count;
} roll;
#define ROW(width, W) {roll_##W##_##width, WW__LANE_COUNT(W, width)},
static const roll rolls_32[] = {WW__EACH_WIDTH(ROW, 32)}, rolls_64[] = {WW__EACH_WIDTH(ROW, 64)};

static uint64_t mark(const ww__words *s, const unsigned char *text, uint64_t first, uint64_t starts, uint64_t *found) {
    uint64_t done = 0;
    for (uint64_t own; (own = ww__own_starts(starts - done, s->lanes, s->needle.step)); done += own * s->lanes)
        s->roll(s, text, first + done, own, found + done / 64);
    roll_one(s, text, first, done, starts, found);
    return ww__count_marks(starts, found);
}

uint64_t ww__words_find(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                        uint64_t *found) {
    const ww__words *s = needle;
    const uint64_t marks = mark(s, text, first, starts, found);
    return s->exact || !marks ? marks : ww__keep_matches(&s->needle, text, first, starts, found);
}

ww_status ww__words_make(ww_device *device, const ww__finding *f, uint64_t m, unsigned word, ww__words *s) {
    const roll *const r = (word == 32 ? rolls_32 : rolls_64) + device->vector;
    *s = (ww__words){.m = m, .roll = r->lanes, .lanes = r->count};
    WW_TRY(ww__named_needle_make(device, f, &s->needle));
    for (uint64_t i = 0; i < m; i++) s->fingerprint = s->fingerprint << f->bits | f->pattern[i];
    s->mask = (UINT64_C(1) << f->bits * (m - 1)) - 1;
    s->exact = m == f->m && (f->packed || f->bits == 8);
    return WW_OK;
}

static ww_status make(ww_device *device, const ww__finding *f, unsigned word, ww__scanner *scanner) {
    ww__words *s;
    WW_TRY(ww__scratch(device, sizeof *s, &s));
    if (device->on_paper) return ww__named_on_paper(device, f);
    WW_TRY(ww__words_make(device, f, f->m, word, s));
    *scanner = (ww__scanner){ww__words_find, s, false};
    return WW_OK;
}

ww_status ww__scanner_divide32(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    return make(device, f, 32, scanner);
}
ww_status ww__scanner_divide64(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    return make(device, f, 64, scanner);
}
