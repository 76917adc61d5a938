/* A few keys with values are sorted by words of 32 bits: the highest bits that keys differ in, and below them the pair's place. Words
 * are sorted by vectors (network_merge.h), and their places say where keys and values come from, so that equal keys stay in order.
 *
 * Where keys differ in more bits than words have room for, some may come out of order: those with the same bits in their words, few
 * where keys are spread. They are put in order by insertion. Where many are out of order, nothing is written. */
#include "radix/few_pairs.h"

#include <string.h>

#include "warpwise/function_widths.h"

#if defined(__x86_64__)

enum {
    PLACE_BITS = 10,
    KEY_BITS = 32 - PLACE_BITS,
    PLACES = (1 << PLACE_BITS) - 1,
    VALUE_MOST = 16, /* bytes */
    DESCENTS = 32    /* one of so many may be out of order */
};
_Static_assert(WW__FEW_PAIRS == 1 << PLACE_BITS, "a place is PLACE_BITS long");

/* Values, at any address. */
#define ANYWHERE __attribute__((aligned(1), may_alias))
typedef uint8_t value_1 ANYWHERE;
typedef uint16_t value_2 ANYWHERE;
typedef uint32_t value_4 ANYWHERE;
typedef uint64_t value_8 ANYWHERE;
typedef struct value_16 {
    value_8 half[2];
} ANYWHERE value_16;

/* Each place's element. gcc 12 would collect vectors of them lane by lane, which takes twice as long. */
#if defined(__clang__)
#define ONE_BY_ONE
#else
#define ONE_BY_ONE __attribute__((optimize("no-tree-vectorize")))
#endif
#define TAKE(ELEMENT) \
    do { \
        const ELEMENT *at = from; \
        ELEMENT *out = to; \
        for (size_t i = 0; i < n; i++) out[i] = at[words[i] & PLACES]; \
    } while (0)

ONE_BY_ONE static void take(const uint32_t *words, size_t n, const void *from, void *to, size_t size) {
    switch (size) {
    case 1:
        TAKE(value_1);
        break;
    case 2:
        TAKE(value_2);
        break;
    case 4:
        TAKE(value_4);
        break;
    case 8:
        TAKE(value_8);
        break;
    default:
        TAKE(value_16);
    }
}

static void take_values(const uint32_t *words, const ww__few *few) {
    uint64_t room[WW__FEW_PAIRS * VALUE_MOST / sizeof(uint64_t)];
    const bool there = few->values == few->values_out;
    const void *values = there ? memcpy(room, few->values, few->n * few->value_size) : few->values;
    take(words, few->n, values, few->values_out, few->value_size);
}

#define KEYS(KEY) \
    typedef KEY key_##KEY __attribute__((aligned(1), may_alias)); \
    /* Out of the numbers' bits the shift takes the highest KEY_BITS of those that they differ in. */ \
    WW__INLINE unsigned words_of_##KEY(const KEY *numbers, size_t n, uint32_t *words) { \
        KEY least = numbers[0], most = least; \
        for (size_t i = 0; i < n; i++) { \
            least = numbers[i] < least ? numbers[i] : least; \
            most = numbers[i] > most ? numbers[i] : most; \
        } \
        const unsigned bits = 64 - (unsigned)__builtin_clzll((uint64_t)(most - least) | 1); \
        const unsigned shift = bits > KEY_BITS ? bits - KEY_BITS : 0; \
        for (size_t i = 0; i < n; i++) \
            words[i] = (uint32_t)((numbers[i] - least) >> shift) << PLACE_BITS | (uint32_t)i; \
        return shift; \
    } \
    WW__INLINE size_t descents_of_##KEY(const KEY *numbers, size_t n) { \
        KEY descents = 0; \
        for (size_t i = 1; i < n; i++) descents = (KEY)(descents + (numbers[i] < numbers[i - 1])); \
        return (size_t)descents; \
    } \
    WW__INLINE void insert_##KEY(KEY *numbers, uint32_t *words, size_t n) { \
        for (size_t i = 1; i < n; i++) { \
            const KEY number = numbers[i]; \
            const uint32_t word = words[i]; \
            size_t j = i; \
            for (; j > 0 && numbers[j - 1] > number; j--) numbers[j] = numbers[j - 1], words[j] = words[j - 1]; \
            numbers[j] = number, words[j] = word; \
        } \
    } \
    WW__INLINE bool sort_##KEY(const ww__few *few, const ww__radix_order *in, const ww__radix_order *out, \
                               ww__network_words *sort_words) { \
        const size_t n = few->n; \
        const KEY in_flip = (KEY)in->flip, in_fold = (KEY)in->fold, flip = (KEY)out->flip, fold = (KEY)out->fold; \
        const key_##KEY *keys = few->keys; \
        key_##KEY *keys_out = few->keys_out; \
        uint32_t words[WW__FEW_PAIRS] __attribute__((aligned(64))); \
        KEY numbers[WW__FEW_PAIRS], sorted[WW__FEW_PAIRS]; \
        numbers[0] = 0; /* gcc does not know that there is one */ \
        for (size_t i = 0; i < n; i++) numbers[i] = WW_KEY_NUMBER(KEY, keys[i], in_flip, in_fold); \
        const unsigned shift = words_of_##KEY(numbers, n, words); \
        sort_words(words, n); \
        take(words, n, numbers, sorted, sizeof(KEY)); \
        const size_t descents = shift ? descents_of_##KEY(sorted, n) : 0; \
        if (descents > n / DESCENTS) return false; \
        if (descents) insert_##KEY(sorted, words, n); \
        for (size_t i = 0; i < n; i++) keys_out[i] = WW_NUMBER_KEY(KEY, sorted[i], flip, fold); \
        take_values(words, few); \
        return true; \
    }
KEYS(uint32_t)
KEYS(uint64_t)

#define SORTS(width, KEY, vector) \
    WW__LOOP(width) \
    bool sort_##KEY##_##width(const ww__few *few, const ww__radix_order *in, const ww__radix_order *out) { \
        return sort_##KEY(few, in, out, ww__network_words_of(vector)); \
    }
SORTS(avx2, uint32_t, WW_VECTOR_AVX2)
SORTS(avx2, uint64_t, WW_VECTOR_AVX2)
SORTS(avx512, uint32_t, WW_VECTOR_AVX512)
SORTS(avx512, uint64_t, WW_VECTOR_AVX512)

ww__sort_few_pairs *ww__few_pairs_of(int vector, size_t key_size) {
    if (vector == WW_VECTOR_AVX512)
        return key_size == 4 ? sort_uint32_t_avx512 : key_size == 8 ? sort_uint64_t_avx512 : NULL;
    if (vector == WW_VECTOR_AVX2) return key_size == 4 ? sort_uint32_t_avx2 : key_size == 8 ? sort_uint64_t_avx2 : NULL;
    return NULL;
}

#else
ww__sort_few_pairs *ww__few_pairs_of(int vector, size_t key_size) {
    (void)vector, (void)key_size;
    return NULL;
}
#endif
