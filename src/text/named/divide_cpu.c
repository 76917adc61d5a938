/* Method divide on a CPU: sections 2.4, 2.6.2 and 2.7.1, divide and conquer with modulo.
 *
 * The fingerprint of a window is the number that its m characters are to the base 2^bits, modulo a prime p below 2^(31 - bits), so
 * that no step of a 32-bit lane overflows. Each lane rolls that of its own subtext, and takes the character that leaves off
 * as the next comes in: F <- (F 2^bits + c + K o) mod p, where K is -2^(bits m) modulo p, and thus positive – one modulo where
 * Ashkiani (2017) has two. The quotient is F's highest bits, since p is little below a power of two.
 *
 * p is the highest prime that 2 is a primitive root of (so powers of the base are as many as there can be), not one drawn at
 * random: what is marked is compared, in time linear in the text. A lane reads m - 1 characters before its first window, which
 * is the method's overlap: a piece has 4 m starts or more, so that L lanes do no more than 1 + L/4 times the work. */
#include "device/device.h"
#include "text/named/lanes_cpu.h"
#include "text/named/named_cpu.h"
#include "text/pieces_cpu.h"

typedef struct divide divide;

/* All lanes' work on `own` starts each; returns the last one's fingerprint of its last window. */
typedef uint32_t roll(const divide *d, const unsigned char *text, uint64_t first, uint64_t own, uint64_t *found);

struct divide {
    ww__named_needle needle;
    uint32_t prime, base_m; /* K */
    uint32_t wanted;
    unsigned high; /* bits of the prime */
    roll *roll;
    unsigned lanes;
};

/* 2^(31 - bits) less its prime. */
static const uint32_t below[9] = {0, 35, 3, 125, 219, 5, 61, 227, 21};

static uint32_t alphabet_of(const divide *d) { return (1u << d->needle.bits) - 1; }

static uint32_t modulo(const divide *d, uint32_t x) {
    const uint32_t rest = x - (x >> d->high) * d->prime;
    return rest >= d->prime ? rest - d->prime : rest;
}

static uint32_t entered(const divide *d, uint32_t f, unsigned c) {
    return modulo(d, (f << d->needle.bits) + (c & alphabet_of(d)));
}

/* One thread's work on the starts from `from` on. f is the fingerprint of the window before, or where there is none that of the
 * first window without its last character. */
static void roll_one(const divide *d, const unsigned char *text, uint64_t first, uint64_t from, uint64_t starts,
                     uint32_t f, uint64_t *found) {
    for (uint64_t i = from; i < starts; i++) {
        const uint32_t leaves = i ? ww__character(&d->needle, text, first + i - 1) & alphabet_of(d) : 0;
        const uint32_t enters = ww__character(&d->needle, text, first + i + d->needle.m - 1) & alphabet_of(d);
        f = modulo(d, (f << d->needle.bits) + enters + leaves * d->base_m);
        found[i / 64] |= (uint64_t)(f == d->wanted) << i % 64;
    }
}

/* A step of every lane of a vector: characters enter and leave. The rest is below 2 p, which has 31 bits at the most, so that it
 * is compared as a signed number is. */
#define ROLLED(lanes, signs, f, enters, leaves) \
    do { \
        const lanes sum = ((f) << bits) + (enters) + (leaves)*base_m, rest = sum - (sum >> high) * prime; \
        f = rest - ((lanes)((signs)rest > last) & prime); \
    } while (0)

#define ROLL(width, ignored) \
    typedef int32_t signs_##width __attribute__((vector_size(WW__VECTOR_BYTES_##width))); \
    WW__TARGET_##width static inline __attribute__((always_inline)) \
    uint32_t roll_any_##width(const divide *d, const unsigned char *text, uint64_t first, uint64_t own, \
                              uint64_t *found, const unsigned step, const bool fold) { \
        typedef ww__u32_##width lanes; \
        enum { VECTORS = WW__LANE_VECTORS, LANES = WW__LANE_COUNT(32, width), EACH = LANES / VECTORS, W = 32 }; \
        const unsigned bits = d->needle.bits, high = d->high, in_word = W / step; \
        const uint64_t apart = own * step / 8, before_first = d->needle.m - 1; \
        const uint32_t alphabet = alphabet_of(d), prime = d->prime, base_m = d->base_m, wanted = d->wanted; \
        const int32_t last = (int32_t)prime - 1; \
        const unsigned off = (unsigned)(before_first * step % 8); \
        const unsigned char *leaving = text + first * step / 8, *entering = leaving; \
        uint32_t lane[LANES]; \
        lanes f[VECTORS] = {{0}}, left[VECTORS] = {{0}}, before[VECTORS] = {{0}}; \
        /* The first windows without their last characters. */ \
        for (uint64_t i = 0; i < before_first; i += in_word, entering += 4) \
            for (unsigned v = 0; v < VECTORS; v++) { \
                const unsigned many = before_first - i < in_word ? (unsigned)(before_first - i) : in_word; \
                lanes x = {WW__WORDS_32_##width(entering + v * EACH * apart, apart)}; \
                if (fold) x = WW__FOLDED_LANES(lanes, width, x); \
                for (unsigned c = 0; c < many; c++) \
                    ROLLED(lanes, signs_##width, f[v], x >> c * step & alphabet, (lanes){0}); \
            } \
        entering = leaving + before_first * step / 8; \
        if (step < 8) { \
            for (unsigned v = 0; v < VECTORS; v++) \
                before[v] = (lanes){WW__WORDS_32_##width(entering + v * EACH * apart, apart)}; \
            entering += 4; \
        } \
        for (uint64_t start = 0; start < own; start += W) { \
            lanes marks[VECTORS] = {{0}}; \
            for (unsigned l = 0; l < LANES; l++) __builtin_prefetch(entering + l * apart + WW__LANE_AHEAD); \
            for (unsigned w = 0; w < step; w++, entering += 4, leaving += 4) \
                for (unsigned v = 0; v < VECTORS; v++) { \
                    const lanes read = {WW__WORDS_32_##width(entering + v * EACH * apart, apart)}; \
                    const lanes gone = {WW__WORDS_32_##width(leaving + v * EACH * apart, apart)}; \
                    /* What leaves is a character behind: the first window has none before it. */ \
                    lanes x = read, y = gone << step | left[v] >> (W - step), hits = {0}; \
                    left[v] = gone; \
                    if (step < 8) x = WW__FROM_BIT(before[v], read, off, W), before[v] = read; \
                    if (fold) x = WW__FOLDED_LANES(lanes, width, x), y = WW__FOLDED_LANES(lanes, width, y); \
                    for (unsigned c = 0; c < in_word; c++) { \
                        ROLLED(lanes, signs_##width, f[v], (x >> c * step & alphabet), (y >> c * step & alphabet)); \
                        hits |= (lanes)(f[v] == wanted) & (uint32_t)1 << c; \
                    } \
                    marks[v] |= hits << w * in_word; \
                } \
            memcpy(lane, marks, sizeof lane); \
            for (uint64_t l = 0; l < LANES; l++) found[(l * own + start) / 64] |= (uint64_t)lane[l] << start % 64; \
        } \
        memcpy(lane, f, sizeof lane); \
        return lane[LANES - 1]; \
    } \
    WW__COMPILED WW__TARGET_##width static uint32_t roll_##width(const divide *d, const unsigned char *text, \
                                                                 uint64_t first, uint64_t own, uint64_t *found) { \
        return WW__BY_STEP(&d->needle, roll_any_##width, d, text, first, own, found); \
    }
WW__EACH_WIDTH(ROLL, 0)

/* What lanes leave over they take once more, where patterns are short beside it. */
enum { AGAIN_MOST = 256 };

static uint64_t scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts, uint64_t *found) {
    const divide *d = needle;
    const uint64_t m = d->needle.m;
    uint64_t done = 0;
    uint32_t f = 0;
    for (uint64_t own; (own = ww__own_starts(starts - done, d->lanes, d->needle.step)) && (!done || m <= AGAIN_MOST);
         done += own * d->lanes)
        f = d->roll(d, text, first + done, own, found + done / 64);
    for (uint64_t i = 0; !done && i + 1 < m; i++) f = entered(d, f, ww__character(&d->needle, text, first + i));
    roll_one(d, text, first, done, starts, f, found);
    return ww__keep_matches(&d->needle, text, first, starts, found);
}

static const struct {
    roll *roll;
    unsigned lanes;
} rolls[] = {
#define ROW(width, ignored) {roll_##width, WW__LANE_COUNT(32, width)},
    WW__EACH_WIDTH(ROW, 0)};

ww_status ww__scanner_divide(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    divide *d;
    WW_TRY(ww__scratch(device, sizeof *d, &d));
    if (device->on_paper) return ww__named_on_paper(device, f);
    *d = (divide){.high = 31 - f->bits, .roll = rolls[device->vector].roll, .lanes = rolls[device->vector].lanes};
    d->prime = (1u << d->high) - below[f->bits];
    WW_TRY(ww__named_needle_make(device, f, &d->needle));
    uint32_t power = 1;
    for (uint64_t i = 0; i < f->m; i++) d->wanted = entered(d, d->wanted, f->pattern[i]), power = entered(d, power, 0);
    d->base_m = d->prime - power;
    *scanner = (ww__scanner){scan, d, false};
    return WW_OK;
}
