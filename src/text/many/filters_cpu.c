/* The prefilters of many patterns on a CPU, in one of three ways.
 *
 * few (up to WW__TEDDY_PATTERNS): the patterns are in 8 buckets, a bit each. For each of their first bytes a table of 16 has
 * the buckets that have a low nibble, and one those that have a high nibble; a bucket of which all nibbles fit marks its place.
 * Tables of 16 are looked up by a vector's shuffle, 32 places at once. (Teddy, by Langdale, in Hyperscan.)
 *
 * skimmed (all patterns of 8 bytes and more): every pattern has WW__SKIM_STEP neighbouring pieces, of which one lies at a
 * multiple of that in the text; so only there a piece is hashed and looked for, and where it is found the places before it are
 * tried by the filter. Texts in which pieces are found too often are not skimmed.
 *
 * tried: each place by the filters of patterns.h. This is what the others may leave places to, and what they mark is, but for
 * what no pattern can have, a part of what this marks. */
#include "text/many/filters_cpu.h"

#include "warpwise/function_widths.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define VECTORS 1
#else
#define VECTORS 0
#endif

enum {
    BLOCK = 64, /* pieces that are looked for at once */
    BLOCK_BYTES = BLOCK * WW__SKIM_STEP,
    CROWDED = 2,     /* one piece in so many is found: */
    CROWDED_FOR = 15 /* so many parts of the text are not skimmed then */
};

/* ---- tried ---- */

static inline uint64_t bit_of(const uint32_t *bits, uint32_t hash, uint32_t log) {
    const uint32_t at = hash >> (32 - log);
    return bits[at >> 5] >> (at & 31) & 1;
}

static inline uint64_t long_may_begin(const ww_patterns *p, const uint32_t *eight, uint64_t x) {
    return bit_of(eight, ww__hash_eight((uint32_t)x, (uint32_t)(x >> 32)), p->eight_log);
}

static const uint32_t *four_bits(const ww_patterns *p) { return p->tables.filter + (p->tiny ? WW__PAIRS / 32 : 0); }
static const uint32_t *eight_bits(const ww_patterns *p) {
    return four_bits(p) + (p->four ? 1U << p->four_log >> 5 : 0);
}

static inline __attribute__((always_inline)) uint64_t any_may_begin(const ww_patterns *p, uint64_t x, bool tiny,
                                                                    bool four, bool eight) {
    uint64_t may = 0;
    if (tiny) may |= p->tables.filter[(x & 255) << 3 | (x >> 13 & 7)] >> (x >> 8 & 31) & 1;
    if (four) may |= bit_of(four_bits(p), ww__hash_four((uint32_t)x), p->four_log);
    if (eight) may |= long_may_begin(p, eight_bits(p), x);
    return may;
}

/* 64 places, behind which 8 bytes more lie. */
static inline __attribute__((always_inline)) uint64_t try_kinds(const ww_patterns *p, const unsigned char *text,
                                                                bool tiny, bool four, bool eight, bool fold) {
    uint64_t marks = 0;
    for (unsigned i = 0; i < 64; i++)
        marks |= any_may_begin(p, ww__bytes_at(text, UINT64_MAX, i, fold), tiny, four, eight) << i;
    return marks;
}

static uint64_t try_word_plain(const ww_patterns *p, const unsigned char *text) {
    if (p->fold) return try_kinds(p, text, p->tiny, p->four, p->eight, true);
    if (p->tiny) return try_kinds(p, text, true, p->four, p->eight, false);
    if (!p->four) return try_kinds(p, text, false, false, true, false);
    if (!p->eight) return try_kinds(p, text, false, true, false, false);
    return try_kinds(p, text, false, true, true, false);
}

#if VECTORS
WW__TARGET_avx2 static inline __m256i folded_avx2(__m256i x) {
    /* Signed: bytes above 127 are below 'A'. */
    const __m256i letters = _mm256_and_si256(_mm256_cmpgt_epi8(x, _mm256_set1_epi8('A' - 1)),
                                             _mm256_cmpgt_epi8(_mm256_set1_epi8('Z' + 1), x));
    return _mm256_or_si256(x, _mm256_and_si256(letters, _mm256_set1_epi8(32)));
}

/* The wanted bits, each the highest of its lane. */
WW__TARGET_avx2 static inline __m256i bits_avx2(const uint32_t *bits, __m256i at) {
    const __m256i words = _mm256_i32gather_epi32((const int *)(const void *)bits, _mm256_srli_epi32(at, 5), 4);
    return _mm256_sllv_epi32(words, _mm256_andnot_si256(at, _mm256_set1_epi32(31)));
}

WW__TARGET_avx2 static inline __m256i hash_avx2(__m256i low, __m256i high) {
    return _mm256_add_epi32(_mm256_mullo_epi32(low, _mm256_set1_epi32((int)0x9E3779B1)),
                            _mm256_mullo_epi32(high, _mm256_set1_epi32((int)0x85EBCA77)));
}

/* Of every fourth place from text on. */
WW__TARGET_avx2 static inline __m256i any_may_begin_avx2(const ww_patterns *p, const unsigned char *text) {
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)text), may = _mm256_setzero_si256();
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(text + 4));
    if (p->fold) low = folded_avx2(low), high = folded_avx2(high);
    if (p->tiny) {
        const __m256i byte = _mm256_set1_epi32(255), first = _mm256_slli_epi32(_mm256_and_si256(low, byte), 8);
        may = bits_avx2(p->tables.filter, _mm256_or_si256(first, _mm256_and_si256(_mm256_srli_epi32(low, 8), byte)));
    }
    if (p->four) {
        const __m256i hash = hash_avx2(low, _mm256_setzero_si256());
        may = _mm256_or_si256(
            may, bits_avx2(four_bits(p), _mm256_srl_epi32(hash, _mm_cvtsi32_si128((int)(32 - p->four_log)))));
    }
    if (p->eight) {
        const __m256i hash = hash_avx2(low, high);
        may = _mm256_or_si256(
            may, bits_avx2(eight_bits(p), _mm256_srl_epi32(hash, _mm_cvtsi32_si128((int)(32 - p->eight_log)))));
    }
    return _mm256_and_si256(may, _mm256_set1_epi32(INT32_MIN));
}

/* The highest bit of lane l for place 4 l + j goes to byte j of the lane. */
WW__TARGET_avx2 static uint64_t try_word_avx2(const ww_patterns *p, const unsigned char *text) {
    uint64_t marks = 0;
    for (unsigned half = 0; half < 64; half += 32) {
        __m256i may = any_may_begin_avx2(p, text + half + 3);
        may = _mm256_or_si256(may, _mm256_srli_epi32(any_may_begin_avx2(p, text + half + 2), 8));
        may = _mm256_or_si256(may, _mm256_srli_epi32(any_may_begin_avx2(p, text + half + 1), 16));
        may = _mm256_or_si256(may, _mm256_srli_epi32(any_may_begin_avx2(p, text + half), 24));
        marks |= (uint64_t)(uint32_t)_mm256_movemask_epi8(may) << half;
    }
    return marks;
}
#endif

typedef uint64_t try_word(const ww_patterns *p, const unsigned char *text);

static try_word *try_word_of(int vector) {
#if VECTORS
    if (vector >= WW_VECTOR_AVX2) return try_word_avx2;
#endif
    (void)vector;
    return try_word_plain;
}

static void try_one(const ww__marking *m, uint64_t first, uint64_t i, uint64_t *marks) {
    const uint64_t x = ww__bytes_at(m->text, m->n, first + i, m->patterns->fold);
    const bool tiny = m->patterns->tiny, four = m->patterns->four, eight = m->patterns->eight;
    marks[i / 64] |= any_may_begin(m->patterns, x, tiny, four, eight) << i % 64;
}

static void try_places(const ww__marking *m, uint64_t from, uint64_t first, uint64_t starts, uint64_t *marks) {
    try_word *const word = try_word_of(m->vector);
    uint64_t i = from - first;
    for (; i % 64 && i < starts; i++) try_one(m, first, i, marks);
    for (; i + 64 <= starts && first + i + 64 + 8 <= m->n; i += 64)
        marks[i / 64] |= word(m->patterns, m->text + first + i);
    for (; i < starts; i++) try_one(m, first, i, marks);
}

/* ---- skimmed ---- */

/* Of BLOCK pieces at multiples of WW__SKIM_STEP from `text` on, which lies 4 bytes more before the end: a bit for each that may
 * be some pattern's. */
typedef uint64_t skim(const ww_patterns *p, const unsigned char *text);

static uint32_t high_mask(const ww_patterns *p) { return (uint32_t)((UINT64_C(1) << 8 * (p->skim_bytes - 4)) - 1); }

static uint64_t skim_plain(const ww_patterns *p, const unsigned char *text) {
    const uint32_t mask = high_mask(p);
    uint64_t found = 0;
    for (unsigned k = 0; k < BLOCK; k++) {
        const uint64_t x = ww__bytes_at(text, UINT64_MAX, k * WW__SKIM_STEP, p->fold);
        found |= bit_of(p->skim, ww__hash_eight((uint32_t)x, (uint32_t)(x >> 32) & mask), p->skim_log) << k;
    }
    return found;
}

#if VECTORS
WW__TARGET_avx2 static uint64_t skim_avx2(const ww_patterns *p, const unsigned char *text) {
    const __m256i mask = _mm256_set1_epi32((int)high_mask(p));
    const __m128i shift = _mm_cvtsi32_si128((int)(32 - p->skim_log));
    uint64_t found = 0;
    for (unsigned k = 0; k < BLOCK; k += 8) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(text + 4 * k));
        __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(text + 4 * k + 4));
        if (p->fold) low = folded_avx2(low), high = folded_avx2(high);
        const __m256i hash = hash_avx2(low, _mm256_and_si256(high, mask));
        const __m256i bits = bits_avx2(p->skim, _mm256_srl_epi32(hash, shift));
        found |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(bits)) << k;
    }
    return found;
}

WW__TARGET_avx512 static uint64_t skim_avx512(const ww_patterns *p, const unsigned char *text) {
    const __m512i low_by = _mm512_set1_epi32((int)0x9E3779B1), high_by = _mm512_set1_epi32((int)0x85EBCA77);
    const __m512i mask = _mm512_set1_epi32((int)high_mask(p)), low_five = _mm512_set1_epi32(31);
    const __m128i shift = _mm_cvtsi32_si128((int)(32 - p->skim_log));
    uint64_t found = 0;
    for (unsigned k = 0; k < BLOCK; k += 16) {
        __m512i low = _mm512_loadu_si512(text + 4 * k), high = _mm512_loadu_si512(text + 4 * k + 4);
        if (p->fold) {
            const __m512i letter = _mm512_set1_epi8('A'), letters = _mm512_set1_epi8(26), bit = _mm512_set1_epi8(32);
            low = _mm512_mask_add_epi8(low, _mm512_cmplt_epu8_mask(_mm512_sub_epi8(low, letter), letters), low, bit);
            high = _mm512_mask_add_epi8(high, _mm512_cmplt_epu8_mask(_mm512_sub_epi8(high, letter), letters), high,
                                        bit);
        }
        const __m512i hash = _mm512_add_epi32(_mm512_mullo_epi32(low, low_by),
                                              _mm512_mullo_epi32(_mm512_and_si512(high, mask), high_by));
        const __m512i at = _mm512_srl_epi32(hash, shift);
        const __m512i words = _mm512_i32gather_epi32(_mm512_srli_epi32(at, 5), p->skim, 4);
        const __m512i bits = _mm512_sllv_epi32(words, _mm512_andnot_si512(at, low_five));
        found |= (uint64_t)_mm512_movepi32_mask(bits) << k;
    }
    return found;
}
#endif

static skim *skim_of(int vector) {
#if VECTORS
    if (vector >= WW_VECTOR_AVX512) return skim_avx512;
    if (vector >= WW_VECTOR_AVX2) return skim_avx2;
#endif
    return (void)vector, skim_plain;
}

/* Tries the places from which a pattern may have its piece at text[at]: the three before, and that. */
static void try_before(const ww__marking *m, uint64_t at, uint64_t first, uint64_t starts, uint64_t *marks) {
    const ww_patterns *const p = m->patterns;
    const uint32_t *const eight = eight_bits(p);
    uint64_t i = at - first < WW__SKIM_STEP - 1 ? 0 : at - first - (WW__SKIM_STEP - 1), may = 0;
    if (i + WW__SKIM_STEP == at - first + 1 && i + WW__SKIM_STEP <= starts && at + 8 <= m->n) {
        for (unsigned j = 0; j < WW__SKIM_STEP; j++)
            may |= long_may_begin(p, eight, ww__bytes_at(m->text, UINT64_MAX, first + i + j, p->fold)) << j;
        marks[i / 64] |= may << i % 64;
        if (i % 64 > 64 - WW__SKIM_STEP) marks[i / 64 + 1] |= may >> (64 - i % 64);
        return;
    }
    for (; i <= at - first && i < starts; i++)
        marks[i / 64] |= long_may_begin(p, eight, ww__bytes_at(m->text, m->n, first + i, p->fold)) << i % 64;
}

static void skim_places(ww__marking *m, uint64_t first, uint64_t starts, uint64_t *marks) {
    skim *const look = skim_of(m->vector);
    const uint64_t end = first + starts + WW__SKIM_STEP - 1; /* of pieces */
    uint64_t at = first, pieces = 0;
    for (; at < end && at + BLOCK_BYTES + 4 <= m->n; at += BLOCK_BYTES) {
        uint64_t found = look(m->patterns, m->text + at);
        pieces += (uint64_t)__builtin_popcountll(found);
        for (; found; found &= found - 1)
            try_before(m, at + (uint64_t)__builtin_ctzll(found) * WW__SKIM_STEP, first, starts, marks);
    }
    if (at < end) {
        const uint64_t from = at - first < WW__SKIM_STEP - 1 ? first : at - (WW__SKIM_STEP - 1);
        if (from < first + starts) try_places(m, from, first, starts, marks);
    }
    if (pieces * CROWDED * WW__SKIM_STEP > starts) m->crowded = CROWDED_FOR;
}

/* ---- few ---- */

/* Marks 64 places from text on, behind which as many bytes lie as patterns' first ones. */
typedef uint64_t teddy(const ww_patterns *p, const unsigned char *text);

#if VECTORS
WW__TARGET_avx2 static inline uint32_t teddy_half(const ww_patterns *p, const unsigned char *text) {
    const __m256i low_four = _mm256_set1_epi8(15);
    __m256i buckets = _mm256_set1_epi8(-1);
    for (uint32_t k = 0; k < p->teddy_bytes; k++) {
        const __m128i *const nibbles = (const __m128i *)(const void *)(p->teddy + 32 * k);
        const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128(nibbles));
        const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128(nibbles + 1));
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(text + k));
        const __m256i with_low = _mm256_shuffle_epi8(low, _mm256_and_si256(x, low_four));
        const __m256i with_high = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(x, 4), low_four));
        buckets = _mm256_and_si256(buckets, _mm256_and_si256(with_low, with_high));
    }
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(buckets, _mm256_setzero_si256()));
}

WW__TARGET_avx2 static uint64_t teddy_avx2(const ww_patterns *p, const unsigned char *text) {
    return teddy_half(p, text) | (uint64_t)teddy_half(p, text + 32) << 32;
}

WW__TARGET_avx512 static uint64_t teddy_avx512(const ww_patterns *p, const unsigned char *text) {
    const __m512i low_four = _mm512_set1_epi8(15);
    __m512i buckets = _mm512_set1_epi8(-1);
    for (uint32_t k = 0; k < p->teddy_bytes; k++) {
        const __m128i *const nibbles = (const __m128i *)(const void *)(p->teddy + 32 * k);
        const __m512i low = _mm512_broadcast_i32x4(_mm_loadu_si128(nibbles));
        const __m512i high = _mm512_broadcast_i32x4(_mm_loadu_si128(nibbles + 1));
        const __m512i x = _mm512_loadu_si512(text + k);
        const __m512i with_low = _mm512_shuffle_epi8(low, _mm512_and_si512(x, low_four));
        const __m512i with_high = _mm512_shuffle_epi8(high, _mm512_and_si512(_mm512_srli_epi16(x, 4), low_four));
        buckets = _mm512_and_si512(buckets, _mm512_and_si512(with_low, with_high));
    }
    return _mm512_test_epi8_mask(buckets, buckets);
}
#endif

static teddy *teddy_of(const ww__marking *m) {
#if VECTORS
    if (m->patterns->teddy && m->vector >= WW_VECTOR_AVX512) return teddy_avx512;
    if (m->patterns->teddy && m->vector >= WW_VECTOR_AVX2) return teddy_avx2;
#endif
    (void)m;
    return NULL;
}

static void look_up_places(const ww__marking *m, teddy *look, uint64_t first, uint64_t starts, uint64_t *marks) {
    uint64_t i = 0;
    for (; i + 64 <= starts && first + i + 64 + WW__TEDDY_MOST <= m->n; i += 64)
        marks[i / 64] = look(m->patterns, m->text + first + i);
    try_places(m, first + i, first, starts, marks);
}

void ww__filter_places(ww__marking *m, uint64_t first, uint64_t starts, uint64_t *marks) {
    teddy *const look = teddy_of(m);
    if (look)
        look_up_places(m, look, first, starts, marks);
    else if (m->patterns->skim && !m->crowded)
        skim_places(m, first, starts, marks);
    else {
        try_places(m, first, first, starts, marks);
        m->crowded -= m->crowded > 0;
    }
}
