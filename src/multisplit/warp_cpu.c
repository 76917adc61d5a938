/* warp: a vector register is the warp. Groups of 8 or 16 elements are ranked by bucket and written in that order, so that
 * the elements of a bucket follow one another.
 *
 * A lane's place in its group is how many lanes have a lower bucket, or the same one and a lower number. With AVX-512 a
 * comparison of all lanes is a mask in a register, Ashkiani's ballot: one for each bit of the bucket tells every lane
 * which lanes are below it and which are its equals (section 3.5.3). With AVX2 every lane meets every other by rotation. */
#include "multisplit/pass.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LANES_PLAIN = 8, LANES_AVX2 = 8, LANES_AVX512 = 16, LANES_MOST = 16 };

/* The places of a group's lanes. */
typedef void rank_group(const uint32_t *digits, unsigned bits, uint32_t *places);

static void rank_plain(const uint32_t *digits, unsigned bits, uint32_t *places) {
    (void)bits;
    for (size_t l = 0; l < LANES_PLAIN; l++) {
        places[l] = 0;
        for (size_t k = 0; k < LANES_PLAIN; k++)
            places[l] += (digits[k] < digits[l]) | ((digits[k] == digits[l]) & (k < l));
    }
}

#if defined(__x86_64__)
WW__TARGET_avx2 static void rank_avx2(const uint32_t *digits, unsigned bits, uint32_t *places) {
    const __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)digits);
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i place = _mm256_setzero_si256();
    (void)bits;
    for (int r = 1; r < LANES_AVX2; r++) {
        const __m256i from = _mm256_and_si256(_mm256_add_epi32(lane, _mm256_set1_epi32(r)), _mm256_set1_epi32(7));
        const __m256i other = _mm256_permutevar8x32_epi32(d, from);
        const __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi32(d, other), _mm256_cmpgt_epi32(lane, from));
        place = _mm256_sub_epi32(_mm256_sub_epi32(place, _mm256_cmpgt_epi32(d, other)), equal);
    }
    _mm256_storeu_si256((__m256i *)(void *)places, place);
}

/* How many of the 16 lower bits are set, in each lane. */
WW__TARGET_avx512 static inline __m512i count_bits(__m512i x) {
    const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m512i four = _mm512_set1_epi8(15);
    const __m512i low = _mm512_shuffle_epi8(table, _mm512_and_si512(x, four));
    const __m512i high = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi32(x, 4), four));
    const __m512i bytes = _mm512_add_epi8(low, high);
    return _mm512_and_si512(_mm512_add_epi32(bytes, _mm512_srli_epi32(bytes, 8)), _mm512_set1_epi32(255));
}

WW__TARGET_avx512 static void rank_avx512(const uint32_t *digits, unsigned bits, uint32_t *places) {
    const __m512i d = _mm512_loadu_si512(digits);
    const __m512i before = _mm512_setr_epi32(0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383,
                                             32767);
    __m512i equal = _mm512_set1_epi32(0xffff), lower = _mm512_setzero_si512();
    for (unsigned bit = bits; bit-- > 0;) {
        const __mmask16 set = _mm512_test_epi32_mask(d, _mm512_set1_epi32((int)(1u << bit)));
        const __m512i ballot = _mm512_set1_epi32((int)_cvtmask16_u32(set));
        const __m512i clear = _mm512_andnot_si512(ballot, equal);
        lower = _mm512_mask_or_epi32(lower, set, lower, clear);
        equal = _mm512_mask_and_epi32(clear, set, equal, ballot);
    }
    _mm512_storeu_si512(places, count_bits(_mm512_or_si512(lower, _mm512_and_si512(equal, before))));
}
#endif

/* Elements of a tile in the order of their groups. The last group is filled up with the highest digit, which comes last. */
static inline void order_tile(uint32_t *order, const uint32_t *digits, size_t n, unsigned bits, rank_group *rank,
                              size_t lanes) {
    for (size_t i = 0; i < n; i += lanes) {
        const size_t many = n - i < lanes ? n - i : lanes;
        uint32_t filled[LANES_MOST], places[LANES_MOST];
        const uint32_t *group = digits + i;
        if (many < lanes) {
            for (size_t l = 0; l < lanes; l++) filled[l] = l < many ? group[l] : ((uint32_t)1 << bits) - 1;
            group = filled;
        }
        rank(group, bits, places);
        for (size_t l = 0; l < many; l++) order[i + places[l]] = (uint32_t)(i + l);
    }
}

static void order_by_width(const ww__pass *p, const ww__desk *desk, size_t n) {
#if defined(__x86_64__)
    if (p->device->vector == WW_VECTOR_AVX512) {
        order_tile(desk->order, desk->digits, n, p->bits, rank_avx512, LANES_AVX512);
        return;
    }
    if (p->device->vector == WW_VECTOR_AVX2) {
        order_tile(desk->order, desk->digits, n, p->bits, rank_avx2, LANES_AVX2);
        return;
    }
#endif
    order_tile(desk->order, desk->digits, n, p->bits, rank_plain, LANES_PLAIN);
}

static size_t tile(size_t bytes) {
    const size_t fit = ww__tile(bytes);
    return fit < WW__SPLIT_TILE ? fit : WW__SPLIT_TILE;
}

static void move(const ww__pass *p, const ww__desk *desk, const ww__split_tile *t, const uint64_t *start,
                 const uint64_t *end) {
    size_t kept = 0;
    (void)start;
    order_by_width(p, desk, t->n);
    for (size_t k = 0; k < t->n; k++) {
        const uint32_t j = desk->order[k], b = desk->digits[j];
        const uint64_t place = desk->position[b];
        const bool fits = place < end[b];
        desk->to[kept] = place;
        desk->order[kept] = j;
        desk->position[b] = place + fits;
        kept += fits;
    }
    ww__place_tile(p, desk, t, desk->order, kept);
}

const ww__mover ww__move_warp = {"warp", tile, NULL, move, NULL};
