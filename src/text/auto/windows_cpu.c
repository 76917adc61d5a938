/* The automatic method by windows: a few characters of the pattern (rare_cpu.c) are compared at 64 starts at once, by loads
 * that overlap; where all of them agree, the rest is compared.
 *
 * A match is followed by others where the pattern has a period p: two matches that are at most m / 2 apart, with none between,
 * are p apart. From then on only the p characters behind a match are compared, for the next one at + p. Where they differ at
 * e, no match before e - p + 1 is possible: it would make text[e] and text[e - p] equal. So matches are linear work. What is
 * compared in vain is counted, and where it is too much, other offsets are chosen for the chunk, by a sample of its own and
 * with the offset where the latest candidate differed; where it is too much again, linear_cpu.c goes on. */
#include "text/auto/auto_cpu.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- comparing ---- */

static inline uint64_t word_at(const unsigned char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static inline uint64_t common(const unsigned char *text, const unsigned char *pattern, const unsigned char *letters,
                              uint64_t n) {
    uint64_t i = 0;
    while (i + 8 <= n && ((word_at(text + i) | (letters ? word_at(letters + i) : 0)) == word_at(pattern + i))) i += 8;
    while (i < n && (text[i] | (letters ? letters[i] : 0)) == pattern[i]) i++;
    return i;
}

uint64_t ww__common(const ww__needle *needle, const unsigned char *text, uint64_t from, uint64_t n) {
    return needle->letters ? common(text, needle->pattern + from, needle->letters + from, n)
                           : common(text, needle->pattern + from, NULL, n);
}

/* ---- skimming and marking: bodies by width, for K offsets, with letters or without ---- */

#define BODY(width) WW__COMPILED WW__TARGET_##width static inline __attribute__((always_inline))

/* What a body has in registers. */
typedef struct ready_plain {
    const ww__rare *rare;
    const unsigned char *text;
} ready_plain;

BODY(plain)
void get_ready_plain(ready_plain *r, const ww__rare *rare, const unsigned char *text, unsigned many, bool fold) {
    (void)many, (void)fold;
    *r = (ready_plain){rare, text};
}

/* Which of the 64 starts from i on survive, a bit each. `seldom`: any at all is asked first. */
BODY(plain) uint64_t survivors_plain(const ready_plain *r, uint64_t i, unsigned many, bool fold, bool seldom) {
    unsigned char differ[64] = {0}, any = 0;
    for (unsigned k = 0; k < many; k++) {
        const unsigned char *const at = r->text + i + r->rare->at[k];
        const unsigned char byte = r->rare->byte[k], letter = fold ? r->rare->letter[k] : 0;
        for (unsigned j = 0; j < 64; j++) differ[j] = (unsigned char)(differ[j] | ((at[j] | letter) ^ byte));
    }
    for (unsigned j = 0; j < 64; j++) any = (unsigned char)(any | (differ[j] == 0));
    if (seldom && !any) return 0;
    uint64_t mask = 0;
    for (unsigned j = 0; j < 64; j++) mask |= (uint64_t)(differ[j] == 0) << j;
    return mask;
}

#if defined(__x86_64__)

typedef struct ready_avx2 {
    const unsigned char *at[WW__RARE_MOST];
    __m256i bytes[WW__RARE_MOST], letters[WW__RARE_MOST];
} ready_avx2;

BODY(avx2)
void get_ready_avx2(ready_avx2 *r, const ww__rare *rare, const unsigned char *text, unsigned many, bool fold) {
#pragma GCC unroll 8
    for (unsigned k = 0; k < many; k++) {
        r->at[k] = text + rare->at[k];
        r->bytes[k] = _mm256_set1_epi8((char)rare->byte[k]);
        if (fold) r->letters[k] = _mm256_set1_epi8((char)rare->letter[k]);
    }
}

/* The same of 32 starts, a byte each. */
BODY(avx2) __m256i survivors_32(const ready_avx2 *r, uint64_t i, unsigned many, bool fold) {
    __m256i all = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (unsigned k = 0; k < many; k++) {
        const __m256i loaded = _mm256_loadu_si256((const void *)(r->at[k] + i));
        const __m256i same = _mm256_cmpeq_epi8(fold ? _mm256_or_si256(loaded, r->letters[k]) : loaded, r->bytes[k]);
        all = k ? _mm256_and_si256(all, same) : same;
    }
    return all;
}

BODY(avx2) uint64_t survivors_avx2(const ready_avx2 *r, uint64_t i, unsigned many, bool fold, bool seldom) {
    const __m256i low = survivors_32(r, i, many, fold), high = survivors_32(r, i + 32, many, fold);
    if (seldom && !_mm256_movemask_epi8(_mm256_or_si256(low, high))) return 0;
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

typedef struct ready_avx512 {
    const unsigned char *at[WW__RARE_MOST];
    __m512i bytes[WW__RARE_MOST], letters[WW__RARE_MOST];
} ready_avx512;

BODY(avx512)
void get_ready_avx512(ready_avx512 *r, const ww__rare *rare, const unsigned char *text, unsigned many, bool fold) {
#pragma GCC unroll 8
    for (unsigned k = 0; k < many; k++) {
        r->at[k] = text + rare->at[k];
        r->bytes[k] = _mm512_set1_epi8((char)rare->byte[k]);
        if (fold) r->letters[k] = _mm512_set1_epi8((char)rare->letter[k]);
    }
}

BODY(avx512) uint64_t survivors_avx512(const ready_avx512 *r, uint64_t i, unsigned many, bool fold, bool seldom) {
    __mmask64 all = ~(__mmask64)0;
    (void)seldom;
#pragma GCC unroll 8
    for (unsigned k = 0; k < many; k++) {
        const __m512i loaded = _mm512_loadu_si512((const void *)(r->at[k] + i));
        all = _mm512_mask_cmpeq_epi8_mask(all, fold ? _mm512_or_si512(loaded, r->letters[k]) : loaded, r->bytes[k]);
    }
    return all;
}

#endif

/* clang-format off */
#define EACH_MANY(X, width, fold) \
    X(width, 1, fold) X(width, 2, fold) X(width, 3, fold) X(width, 4, fold) \
    X(width, 5, fold) X(width, 6, fold) X(width, 7, fold) X(width, 8, fold)
#define LOOPS(width, K, fold) \
    WW__COMPILED WW__TARGET_##width static uint64_t skim_##width##_##K##_##fold(const ww__rare *rare, const unsigned char *text, \
                                                                                uint64_t i, uint64_t end, uint64_t *mask) { \
        ready_##width r; \
        get_ready_##width(&r, rare, text, K, fold); \
        for (; i + 64 <= end; i += 64) { \
            __builtin_prefetch(text + i + WW__AHEAD); \
            if ((*mask = survivors_##width(&r, i, K, fold, true))) return i; \
        } \
        *mask = 0; \
        return i; \
    } \
    WW__COMPILED WW__TARGET_##width static uint64_t mark_##width##_##K##_##fold(const ww__rare *rare, const unsigned char *text, \
                                                                                uint64_t i, uint64_t end, uint64_t *found) { \
        uint64_t matches = 0; \
        ready_##width r; \
        get_ready_##width(&r, rare, text, K, fold); \
        for (; i + 64 <= end; i += 64) { \
            __builtin_prefetch(text + i + WW__AHEAD); \
            found[i / 64] = survivors_##width(&r, i, K, fold, false); \
            matches += (uint64_t)__builtin_popcountll(found[i / 64]); \
        } \
        return matches; \
    }
#define ROW(width, K, fold) [fold][K] = {skim_##width##_##K##_##fold, mark_##width##_##K##_##fold},
#define TABLE(width, ignored) \
    EACH_MANY(LOOPS, width, 0) EACH_MANY(LOOPS, width, 1) \
    static const loops loops_##width[2][WW__RARE_MOST + 1] = {EACH_MANY(ROW, width, 0) EACH_MANY(ROW, width, 1)};

/* Goes over the blocks of 64 starts from `i` on that end at `end` or before. skim: up to the first with candidates; returns its
 * begin, and them as bits of *bits, 0 where there are none and less than a block is left. mark: all; stores the candidates as
 * found[i / 64] …, and returns how many there are. No branch depends on the text then. */
typedef uint64_t loop(const ww__rare *rare, const unsigned char *text, uint64_t i, uint64_t end, uint64_t *bits);
typedef struct loops {
    loop *skim, *mark;
} loops;
WW__EACH_WIDTH(TABLE, 0)
/* clang-format on */

static const loops *loops_of(int vector, unsigned many, bool fold) {
#if defined(__x86_64__)
    if (vector == WW_VECTOR_AVX512) return &loops_avx512[fold][many];
    if (vector == WW_VECTOR_AVX2) return &loops_avx2[fold][many];
#endif
    (void)vector;
    return &loops_plain[fold][many];
}

/* ---- a piece ---- */

typedef struct going {
    const ww__needle *needle;
    const ww__rare *rare;
    const loops *loops;
    const unsigned char *text;
    uint64_t starts, *found;
    uint64_t from; /* no match begins before it but those marked */
    uint64_t matches, last, period;
    uint64_t compared, survivors;
    uint32_t differs; /* the latest offset where a candidate differed */
    bool again;       /* the windows have been chosen a second time */
    ww__rare own;
    uint64_t counted_from; /* the start from which on compared and survivors (candidates) are counted */
} going;

static void mark(going *g, uint64_t at) {
    g->found[at / 64] |= UINT64_C(1) << at % 64;
    g->matches++;
    g->last = at;
    g->from = at + 1;
}

/* Marks `many` matches, a period apart, behind the last one. */
static void mark_more(going *g, uint64_t many) {
    const uint64_t p = g->period;
    uint64_t at = g->last + p;
    g->matches += many;
    g->last += many * p;
    g->from = g->last + 1;
    if (p == 1)
        for (; many && (at % 64 || many >= 64); many -= at % 64 ? 1 : 64, at += at % 64 ? 1 : 64)
            g->found[at / 64] |= at % 64 ? UINT64_C(1) << at % 64 : UINT64_MAX;
    for (; many; many--, at += p) g->found[at / 64] |= UINT64_C(1) << at % 64;
}

/* Matches that are a period apart, from the one at g->last on: many periods are compared at a time. */
static void follow(going *g) {
    const uint64_t m = g->needle->m, p = g->period, periods = m / p;
    for (uint64_t possible; (possible = (g->starts - 1 - g->last) / p);) {
        const uint64_t many = ww__min_u64(periods, possible);
        const uint64_t same = ww__common(g->needle, g->text + g->last + m, m - periods * p, many * p);
        mark_more(g, same / p);
        if (same == many * p) continue;
        g->from = g->last + m + same % p - p + 1;
        return;
    }
    g->from = g->starts;
}

/* How many characters agree, or 0 where not all of them do: patterns of 8 to 16 take two words, and no branch. */
static inline uint64_t agreeing(const ww__needle *n, const unsigned char *text) {
    const uint64_t m = n->m;
    if (m < 8 || m > 16) return ww__common(n, text, 0, m);
    const unsigned char *const x = n->pattern, *const letters = n->letters;
    uint64_t low = word_at(text), high = word_at(text + m - 8);
    if (letters) {
        low |= word_at(letters);
        high |= word_at(letters + m - 8);
    }
    return ((low ^ word_at(x)) | (high ^ word_at(x + m - 8))) ? 0 : m;
}

static void look_at(going *g, uint64_t at) {
    const uint64_t m = g->needle->m, same = agreeing(g->needle, g->text + at);
    g->compared += same;
    g->survivors++;
    if (same < m) {
        g->differs = (uint32_t)same;
        return;
    }
    if (g->matches && at - g->last <= m / 2) g->period = at - g->last;
    mark(g, at);
    if (g->period) follow(g);
}

/* Survivors among the fewer than 64 starts that are left. */
static uint64_t survivors_left(const going *g, uint64_t i) {
    const ww__rare *rare = g->rare;
    uint64_t mask = 0;
    if (g->starts >= 64) {
        g->loops->skim(rare, g->text, g->starts - 64, g->starts, &mask);
        return mask >> (64 - (g->starts - i));
    }
    for (uint64_t at = i; at < g->starts; at++) {
        bool all = true;
        for (unsigned k = 0; k < rare->many; k++) all &= (g->text[at + rare->at[k]] | rare->letter[k]) == rare->byte[k];
        mask |= (uint64_t)all << (at - i);
    }
    return mask;
}

static uint64_t next_block(const going *g, uint64_t i, uint64_t *mask) {
    i = g->loops->skim(g->rare, g->text, i, g->starts, mask);
    if (!*mask && i < g->starts) *mask = survivors_left(g, i);
    return i;
}

/* All of the pattern is in the windows. Where one block in 8 has matches, those that are left are marked one and all. */
static uint64_t scan_short(going *g) {
    uint64_t hits = 0;
    for (uint64_t i = 0, mask; i < g->starts; i += 64) {
        i = next_block(g, i, &mask);
        if (!mask) break;
        g->found[i / 64] = mask;
        g->matches += (uint64_t)__builtin_popcountll(mask);
        if (++hits < 8 + i / 512 || i + 64 >= g->starts) continue;
        i += 64;
        g->matches += g->loops->mark(g->rare, g->text, i, g->starts, g->found);
        i += (g->starts - i) / 64 * 64;
        if (i == g->starts) break;
        g->found[i / 64] = mask = survivors_left(g, i);
        g->matches += (uint64_t)__builtin_popcountll(mask);
        break;
    }
    return g->matches;
}

static void take_windows(going *g, const ww__rare *rare) {
    g->rare = rare;
    g->loops = loops_of(g->needle->vector, rare->many, g->needle->letters);
}

/* The piece's own windows, by a sample of what is left of it. */
static void choose_windows(going *g, uint64_t at, uint32_t wanted) {
    ww__rare_choose(g->needle, g->text + at, g->starts - at, wanted, &g->own);
    take_windows(g, &g->own);
    g->compared = g->survivors = 0;
    g->counted_from = at;
}

static bool too_many_survive(const going *g, uint64_t at) {
    return !g->again && g->needle->m > 4 && g->survivors > 512 + (at - g->counted_from) / 16;
}

/* Compares a block's candidates; false when too many differed before the last. */
static bool look_at_block(going *g, uint64_t i, uint64_t mask) {
    for (; mask; mask &= mask - 1) {
        const uint64_t at = i + (uint64_t)__builtin_ctzll(mask);
        if (at < g->from) continue;
        g->from = at + 1;
        look_at(g, at);
        if (ww__too_many(g->needle, g->compared, at - g->counted_from)) return false;
    }
    return true;
}

uint64_t ww__windows_from(const ww__needle *needle, const unsigned char *text, uint64_t from, uint64_t starts,
                          uint64_t *found) {
    going g = {.needle = needle, .text = text, .starts = starts, .found = found, .from = from, .counted_from = from};
    if (needle->rare.many)
        take_windows(&g, &needle->rare);
    else
        choose_windows(&g, from, UINT32_MAX);
    if (g.rare->many == needle->m && !from) return scan_short(&g);
    for (uint64_t i = from, mask; i < starts;) {
        i = next_block(&g, i, &mask);
        const bool well = look_at_block(&g, i, mask);
        i = well && i + 64 > g.from ? i + 64 : g.from;
        if (i >= starts) break;
        if (!well && g.again) return g.matches + ww__linear_from(needle, text, 0, i, starts, found);
        if (well && !too_many_survive(&g, i)) continue;
        choose_windows(&g, i, g.differs);
        g.again = true;
    }
    return g.matches;
}

uint64_t ww__windows_scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                          uint64_t *found) {
    return ww__windows_from(needle, text + first, 0, starts, found);
}
