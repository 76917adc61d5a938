/* The automatic method for packed texts: all starts of a byte are looked at together.
 *
 * The pattern from start s of a byte on covers some bits of that byte and of those behind it. A byte of the text allows start s,
 * bit s of a number, where it agrees with these; and it does where both its halves do, so that two tables of 16 numbers say it
 * for each of the first 4 bytes (a vector looks up 32 at once). What 4 bytes allow has 25 bits of the pattern compared, or all
 * of a shorter one; the rest is compared after it, 57 bits at a time. What is compared in vain is counted as in windows_cpu.c. */
#include <string.h>

#include "text/auto/auto_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { WORD_BITS = 57 }; /* a word of 64 less the bits before its first character */

/* Bits of the text from `bit` on, as a number; what lies behind `end`, a byte, is 0. */
static uint64_t bits_at(const unsigned char *text, uint64_t bit, uint64_t end) {
    const uint64_t byte = bit / 8;
    uint64_t word = 0;
    if (byte + 8 <= end)
        memcpy(&word, text + byte, sizeof word);
    else
        memcpy(&word, text + byte, (size_t)(end - byte));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word >> bit % 8;
}

static uint64_t pattern_bits(const ww__needle *n, uint64_t from, uint64_t many) {
    uint64_t word = 0;
    for (uint64_t i = 0; i < many; i++) word |= (uint64_t)n->pattern[from + i] << i * n->bits;
    return word;
}

/* Bit s: whether a half byte agrees with the pattern that begins at start s of the byte `byte` bytes before. */
static uint8_t allowed(const ww__needle *n, unsigned byte, unsigned shift, unsigned half) {
    uint8_t starts = 0;
    for (unsigned s = 0; s < 8 / n->bits; s++) {
        bool agrees = true;
        for (unsigned b = 0; b < 4; b += n->bits) {
            const int64_t i = ((int64_t)byte * 8 + shift + b) / n->bits - s;
            if (i < 0 || (uint64_t)i >= n->m) continue;
            agrees &= (half >> b & ((1u << n->bits) - 1)) == n->pattern[i];
        }
        starts = (uint8_t)(starts | (unsigned)agrees << s);
    }
    return starts;
}

void ww__packed_make(ww__needle *n) {
    for (unsigned byte = 0; byte < WW__PACKED_BYTES; byte++)
        for (unsigned half = 0; half < 16; half++) {
            n->halves.low[byte][half] = allowed(n, byte, 0, half);
            n->halves.high[byte][half] = allowed(n, byte, 4, half);
        }
}

/* ---- skimming: what each byte of text[i …] allows, to[0 … n - 1]; n is a multiple of 32, and 3 bytes behind are there ---- */

static void skim_plain(const ww__needle *n, const unsigned char *text, size_t bytes, uint8_t *to) {
    for (size_t i = 0; i < bytes; i++) {
        unsigned all = 255;
        for (unsigned b = 0; b < WW__PACKED_BYTES; b++)
            all &= (unsigned)n->halves.low[b][text[i + b] & 15] & n->halves.high[b][text[i + b] >> 4];
        to[i] = (uint8_t)all;
    }
}

#if defined(__x86_64__)
WW__TARGET_avx2 static inline __attribute__((always_inline)) __m256i look_up(const uint8_t *table, __m256i halves) {
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)table)), halves);
}

WW__TARGET_avx2 static void skim_avx2(const ww__needle *n, const unsigned char *text, size_t bytes, uint8_t *to) {
    const __m256i low = _mm256_set1_epi8(15);
    for (size_t i = 0; i < bytes; i += 32) {
        __m256i all = _mm256_set1_epi8(-1);
        __builtin_prefetch(text + i + WW__AHEAD);
#pragma GCC unroll 4
        for (unsigned b = 0; b < WW__PACKED_BYTES; b++) {
            const __m256i x = _mm256_loadu_si256((const void *)(text + i + b));
            const __m256i above = _mm256_and_si256(_mm256_srli_epi16(x, 4), low);
            all = _mm256_and_si256(all, look_up(n->halves.low[b], _mm256_and_si256(x, low)));
            all = _mm256_and_si256(all, look_up(n->halves.high[b], above));
        }
        _mm256_storeu_si256((void *)(to + i), all);
    }
}
#endif

static void skim(const ww__needle *n, const unsigned char *text, size_t bytes, uint8_t *to) {
#if defined(__x86_64__)
    if (n->vector >= WW_VECTOR_AVX2) {
        skim_avx2(n, text, bytes, to);
        return;
    }
#endif
    skim_plain(n, text, bytes, to);
}

/* ---- a piece ---- */

typedef struct going {
    const ww__needle *needle;
    const unsigned char *text;
    uint64_t first, starts, *found; /* first: the piece's first character in the text */
    uint64_t end;                   /* a byte: behind the last that may be read */
    uint64_t whole;                 /* of a pattern that fits into a word */
    uint64_t matches, compared;
    uint64_t from; /* where too much was compared: the next start to look at */
} going;

static bool fits(going *g, uint64_t at) {
    const ww__needle *const n = g->needle;
    const uint64_t a_word = WORD_BITS / n->bits;
    for (uint64_t i = 0; i < n->m; i += a_word) {
        const uint64_t many = ww__min_u64(a_word, n->m - i), mask = (UINT64_C(1) << many * n->bits) - 1;
        g->compared += many;
        const uint64_t wanted = n->m <= a_word ? g->whole : pattern_bits(n, i, many);
        if ((bits_at(g->text, (g->first + at + i) * n->bits, g->end) & mask) != wanted) return false;
    }
    return true;
}

/* The starts that one byte allows; false: up to g->from too much was compared in vain. */
static bool look_at(going *g, uint64_t byte, unsigned starts) {
    for (; starts; starts &= starts - 1) {
        const uint64_t character = byte * (8 / g->needle->bits) + (unsigned)__builtin_ctz(starts);
        if (character < g->first) continue;
        const uint64_t at = character - g->first;
        if (at >= g->starts) break;
        if (fits(g, at)) {
            g->found[at / 64] |= UINT64_C(1) << at % 64;
            g->matches++;
        }
        g->from = at + 1;
        if (ww__too_many(g->needle, g->compared, at)) return false;
    }
    return true;
}

/* The pattern lies in the bytes that are looked up, wherever in the first it begins: what is allowed is a match. */
static bool is_short(const ww__needle *n) { return 8 - n->bits + n->m * n->bits <= 8 * WW__PACKED_BYTES; }

/* Marks all that `bytes` bytes from `byte` on allow; the piece begins at a byte's begin, and `byte` is 8 k bytes from there. */
static void mark_run(going *g, uint64_t byte, uint64_t bytes, const uint8_t *starts) {
    const unsigned a_byte = 8 / g->needle->bits;
    for (uint64_t i = 0; i < bytes; i += 8) {
        const uint64_t at = (byte + i) * a_byte - g->first;
        uint64_t word = 0;
        for (unsigned k = 0; k < 8; k++) word |= (uint64_t)starts[i + k] << k * a_byte;
        if (!word) continue;
        if (g->starts - at < 64) word &= (UINT64_C(1) << (g->starts - at)) - 1;
        g->found[at / 64] |= word << at % 64;
        g->matches += (uint64_t)__builtin_popcountll(word);
    }
}

/* The starts in `bytes` bytes from `byte` on, RUN at most; false: up to g->from too much was compared in vain. */
enum { RUN = 256 };
static bool look_at_run(going *g, uint64_t byte, uint64_t bytes) {
    uint8_t starts[RUN];
    if (byte + ww__round_up(bytes, 32) + WW__PACKED_BYTES - 1 <= g->end) {
        skim(g->needle, g->text + byte, ww__round_up(bytes, 32), starts);
    } else { /* the end: a copy with zeros behind; where zeros are allowed, it is compared anyway */
        unsigned char copy[RUN + WW__PACKED_BYTES] = {0};
        memcpy(copy, g->text + byte, (size_t)ww__min_u64(sizeof copy, g->end - byte));
        skim(g->needle, copy, ww__round_up(bytes, 32), starts);
    }
    if (is_short(g->needle) && g->first * g->needle->bits % 8 == 0) {
        mark_run(g, byte, bytes, starts);
        return true;
    }
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t any;
        memcpy(&any, starts + i, sizeof any);
        if (!any) continue;
        for (uint64_t k = i; k < i + 8 && k < bytes; k++)
            if (starts[k] && !look_at(g, byte + k, starts[k])) return false;
    }
    return true;
}

uint64_t ww__packed_scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                         uint64_t *found) {
    const ww__needle *const n = needle;
    going g = {.needle = n, .text = text, .first = first, .starts = starts, .found = found};
    g.end = ((first + starts + n->m - 1) * n->bits + 7) / 8;
    if (n->m <= WORD_BITS / n->bits) g.whole = pattern_bits(n, 0, n->m);
    const uint64_t behind = ((first + starts - 1) * n->bits) / 8 + 1; /* the last byte that has starts */
    for (uint64_t byte = first * n->bits / 8; byte < behind; byte += RUN)
        if (!look_at_run(&g, byte, ww__min_u64(RUN, behind - byte)))
            return g.matches + (g.from < starts ? ww__linear_from(n, text, first, g.from, starts, found) : 0);
    return g.matches;
}
