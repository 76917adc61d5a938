/* Philox4x32-10 on a CPU. A vector has one word of several blocks, each in the low half of 64 bits: the multiplication of vector
 * units takes low halves and gives whole products, so that a round is two products, two shifts and two exclusive ors of three,
 * and what is left in high halves is never looked at. Blocks are dealt to lanes in the order in which the last step, which joins
 * words to blocks, leaves them one behind the other. */
#include "random/words.h"

#include "device/device.h"
#include "warpwise/random_kernel.h"

static void words_plain(uint32_t *words, uint64_t seed, uint64_t stream, uint64_t block, size_t blocks) {
    for (size_t b = 0; b < blocks; b++) {
        const ww_random_block x = ww_philox(seed, stream, block + b);
        for (size_t k = 0; k < 4; k++) words[4 * b + k] = x.word[k];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
/* Written out: compilers then keep words in registers, and take a round's keys from memory as operands. */
#define TEN_ROUNDS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
enum { ROUNDS = 10 };

/* Blocks b, b + 2, b + 1, b + 3 in the lanes of one vector. */
WW__TARGET_avx2 static void words_avx2(uint32_t *words, uint64_t seed, uint64_t stream, uint64_t block, size_t blocks) {
    const __m256i first = _mm256_set1_epi64x(MULTIPLIER_0), second = _mm256_set1_epi64x(MULTIPLIER_1);
    const __m256i stream_low = _mm256_set1_epi64x((int64_t)stream), stream_high = _mm256_srli_epi64(stream_low, 32);
    __m256i number = _mm256_add_epi64(_mm256_set1_epi64x((int64_t)block), _mm256_setr_epi64x(0, 2, 1, 3));
    __m256i key_0[ROUNDS], key_1[ROUNDS];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        key_0[round] = _mm256_set1_epi64x((uint32_t)seed + round * WW_PHILOX_KEY_0);
        key_1[round] = _mm256_set1_epi64x((uint32_t)(seed >> 32) + round * WW_PHILOX_KEY_1);
    }
    for (size_t b = 0; b < blocks; b += 4, words += 16, number = _mm256_add_epi64(number, _mm256_set1_epi64x(4))) {
        __m256i x0 = number, x1 = _mm256_srli_epi64(number, 32), x2 = stream_low, x3 = stream_high, p, q;
#define ROUND(round) \
    p = _mm256_mul_epu32(x0, first); \
    q = _mm256_mul_epu32(x2, second); \
    x0 = _mm256_xor_si256(_mm256_srli_epi64(q, 32), _mm256_xor_si256(x1, key_0[round])); \
    x2 = _mm256_xor_si256(_mm256_srli_epi64(p, 32), _mm256_xor_si256(x3, key_1[round])); \
    x1 = q; \
    x3 = p;
        TEN_ROUNDS(ROUND)
#undef ROUND
        const __m256i even = _mm256_blend_epi32(x0, _mm256_slli_epi64(x1, 32), 0xAA);
        const __m256i odd = _mm256_blend_epi32(x2, _mm256_slli_epi64(x3, 32), 0xAA);
        _mm256_storeu_si256((__m256i *)(void *)words, _mm256_unpacklo_epi64(even, odd));
        _mm256_storeu_si256((__m256i *)(void *)(words + 8), _mm256_unpackhi_epi64(even, odd));
    }
}

/* Blocks b, b + 4, b + 1, b + 5, … */
WW__TARGET_avx512 static void words_avx512(uint32_t *words, uint64_t seed, uint64_t stream, uint64_t block,
                                           size_t blocks) {
    enum { XOR_OF_THREE = 0x96 };
    const __m512i first = _mm512_set1_epi64(MULTIPLIER_0), second = _mm512_set1_epi64(MULTIPLIER_1);
    const __m512i stream_low = _mm512_set1_epi64((int64_t)stream), stream_high = _mm512_srli_epi64(stream_low, 32);
    __m512i number = _mm512_add_epi64(_mm512_set1_epi64((int64_t)block), _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7));
    __m512i key_0[ROUNDS], key_1[ROUNDS];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        key_0[round] = _mm512_set1_epi64((uint32_t)seed + round * WW_PHILOX_KEY_0);
        key_1[round] = _mm512_set1_epi64((uint32_t)(seed >> 32) + round * WW_PHILOX_KEY_1);
    }
    for (size_t b = 0; b < blocks; b += 8, words += 32, number = _mm512_add_epi64(number, _mm512_set1_epi64(8))) {
        __m512i x0 = number, x1 = _mm512_srli_epi64(number, 32), x2 = stream_low, x3 = stream_high, p, q;
#define ROUND(round) \
    p = _mm512_mul_epu32(x0, first); \
    q = _mm512_mul_epu32(x2, second); \
    x0 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(q, 32), x1, key_0[round], XOR_OF_THREE); \
    x2 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p, 32), x3, key_1[round], XOR_OF_THREE); \
    x1 = q; \
    x3 = p;
        TEN_ROUNDS(ROUND)
#undef ROUND
        const __mmask16 high_words = 0xAAAA;
        const __m512i even = _mm512_mask_blend_epi32(high_words, x0, _mm512_slli_epi64(x1, 32));
        const __m512i odd = _mm512_mask_blend_epi32(high_words, x2, _mm512_slli_epi64(x3, 32));
        _mm512_storeu_si512(words, _mm512_unpacklo_epi64(even, odd));
        _mm512_storeu_si512(words + 16, _mm512_unpackhi_epi64(even, odd));
    }
}

ww__philox_words *ww__philox_words_of(int vector) {
    return vector == WW_VECTOR_PLAIN ? words_plain : vector == WW_VECTOR_AVX2 ? words_avx2 : words_avx512;
}

#else

ww__philox_words *ww__philox_words_of(int vector) {
    (void)vector;
    return words_plain;
}

#endif
