/* The radix sort's loops over keys alone, for one key size; radix_loops.c includes this file once for each with
 *     KEY         the unsigned type of the size
 *     KEY_NAME    its short name
 *     HIGHEST(x)  the number of the highest bit set in x, which is not 0; LOWEST(x)
 * and it has radix_pairs.h included for each value size. */

#define NAME(what) JOINED(what, KEY_NAME)
#define BLOCK (BLOCK_BYTES / sizeof(KEY))

typedef KEY NAME(key) __attribute__((aligned(1), may_alias));
#define ANY_KEY NAME(key) /* a key at any address */

INLINE KEY NAME(number)(KEY key, KEY flip, KEY fold) { return WW_KEY_NUMBER(KEY, key, flip, fold); }

/* The numbers of a block of up to BLOCK keys: the keys themselves, or made in `room`. */
INLINE const ANY_KEY *NAME(numbers)(ANY_KEY *room, const ANY_KEY *keys, size_t n, KEY flip, KEY fold) {
    if (!(flip | fold)) return keys;
    for (size_t i = 0; i < n; i++) room[i] = NAME(number)(keys[i], flip, fold);
    return room;
}

static ww__word NAME(differ)(const void *keys, size_t n, size_t step, const ww__radix_order *order) {
    const ANY_KEY *k = keys;
    const KEY flip = (KEY)order->flip, fold = (KEY)order->fold, first = n ? NAME(number)(k[0], flip, fold) : 0;
    KEY differ = 0;
    size_t i = 0;
    for (; step == 1 && i + BLOCK <= n; i += BLOCK) {
        FETCH(k + i, BLOCK_BYTES);
        for (size_t j = i; j < i + BLOCK; j++) differ |= NAME(number)(k[j], flip, fold) ^ first;
    }
    for (; i < n; i += step) differ |= NAME(number)(k[i], flip, fold) ^ first;
    return differ;
}

static size_t NAME(digit)(const void *key, const ww__radix_order *order, unsigned low, unsigned bits) {
    const KEY number = NAME(number)(*(const ANY_KEY *)key, (KEY)order->flip, (KEY)order->fold);
    return (size_t)WW_KEY_DIGIT(number, low, (KEY)(((size_t)1 << bits) - 1));
}

static bool NAME(alone)(const void *keys, size_t n, const ww__radix_order *order, unsigned low, unsigned bits,
                        void *only) {
    const ANY_KEY *k = keys;
    ANY_KEY *o = only;
    const KEY flip = (KEY)order->flip, fold = (KEY)order->fold, first = NAME(number)(k[0], flip, fold);
    const size_t buckets = (size_t)1 << bits;
    const KEY digit = (KEY)(buckets - 1);
    KEY differ = 0;
    for (size_t b = 0; b < buckets; b++) o[b] = (KEY)((first & (KEY) ~(KEY)(digit << low)) | (KEY)((KEY)b << low));
    for (size_t i = 0; i < n; i++) {
        const KEY number = NAME(number)(k[i], flip, fold);
        o[(size_t)(number >> low & digit)] = number;
    }
    for (size_t i = 0; i < n; i++) {
        const KEY number = NAME(number)(k[i], flip, fold);
        differ |= o[(size_t)(number >> low & digit)] ^ number;
    }
    return differ == 0;
}

/* Counts `many` numbers in the tables in turn, so that equal neighbours do not wait for each other. */
INLINE KEY NAME(count_block)(const ww__radix_count *count, const ANY_KEY *number, size_t many, KEY one,
                             const bool few) {
    const size_t buckets = (size_t)1 << count->bits;
    const KEY digit = (KEY)(buckets - 1);
    const unsigned low = count->low;
    const ANY_KEY *only = count->only;
    uint32_t *table[WW__RADIX_TABLES];
    KEY differ = 0;
    for (size_t t = 0; t < WW__RADIX_TABLES; t++) table[t] = count->tables + t * buckets;
    if (!few)
        for (size_t j = 0; j < many; j++) differ |= number[j] ^ one;
    for (size_t j = 0; j + WW__RADIX_TABLES <= many; j += WW__RADIX_TABLES)
        for (size_t t = 0; t < WW__RADIX_TABLES; t++) {
            const size_t b = (size_t)(number[j + t] >> low & digit);
            table[t][b]++;
            if (few) differ |= number[j + t] ^ only[b];
        }
    for (size_t j = many - many % WW__RADIX_TABLES; j < many; j++) {
        const size_t b = (size_t)(number[j] >> low & digit);
        table[0][b]++;
        if (few) differ |= number[j] ^ only[b];
    }
    return differ;
}

INLINE KEY NAME(count_digits)(const ww__radix_count *count, const bool few) {
    const ANY_KEY *k = count->keys;
    const KEY flip = (KEY)count->order.flip, fold = (KEY)count->order.fold;
    const KEY one = NAME(number)(*(const ANY_KEY *)count->first, flip, fold);
    ANY_KEY room[BLOCK];
    KEY differ = 0;
    size_t i = 0;
    memset(count->tables, 0, WW__RADIX_TABLES * sizeof *count->tables << count->bits);
    for (; i + BLOCK <= count->n; i += BLOCK) {
        FETCH(k + i, BLOCK_BYTES);
        differ |= NAME(count_block)(count, NAME(numbers)(room, k + i, BLOCK, flip, fold), BLOCK, one, few);
    }
    const ANY_KEY *number = NAME(numbers)(room, k + i, count->n - i, flip, fold);
    return differ | NAME(count_block)(count, number, count->n - i, one, few);
}

static ww__word NAME(count)(const ww__radix_count *count) {
    const size_t buckets = (size_t)1 << count->bits;
    const KEY differ = count->only ? NAME(count_digits)(count, true) : NAME(count_digits)(count, false);
    for (size_t b = 0; b < buckets; b++) {
        count->counts[b] = 0;
        for (size_t t = 0; t < WW__RADIX_TABLES; t++) count->counts[b] += count->tables[t * buckets + b];
    }
    return differ;
}

static void NAME(arrange)(void *to, const void *from, size_t n, const ww__radix_order *order) {
    const ANY_KEY *f = from;
    ANY_KEY *t = to;
    const KEY flip = (KEY)order->flip, fold = (KEY)order->fold;
    for (size_t i = 0; i < n; i++) t[i] = NAME(number)(f[i], flip, fold);
}

static void NAME(restore)(void *keys, size_t n, const ww__radix_order *order) {
    ANY_KEY *k = keys;
    const KEY flip = (KEY)order->flip, fold = (KEY)order->fold;
    for (size_t i = 0; i < n; i++) k[i] = WW_NUMBER_KEY(KEY, k[i], flip, fold);
}

static void NAME(repeat)(void *keys, size_t n, const void *number, const ww__radix_order *order) {
    ANY_KEY *k = keys;
    KEY key = *(const ANY_KEY *)number;
    NAME(restore)(&key, 1, order);
    for (size_t i = 0; i < n; i++) k[i] = key;
}

/* Where each bucket of a digit begins; of two digits at once. */
static void NAME(begins)(const ANY_KEY *keys, size_t n, unsigned low, unsigned bits, uint32_t *restrict table) {
    const KEY digit = (KEY)(((size_t)1 << bits) - 1);
    memset(table, 0, sizeof *table << bits);
    for (size_t i = 0; i < n; i++) table[(size_t)(keys[i] >> low & digit)]++;
    add_up(table, (size_t)1 << bits);
}

static void NAME(begins_of_two)(const ANY_KEY *keys, size_t n, unsigned low_1, unsigned bits_1,
                                uint32_t *restrict table_1, unsigned low_2, unsigned bits_2,
                                uint32_t *restrict table_2) {
    const KEY digit_1 = (KEY)(((size_t)1 << bits_1) - 1), digit_2 = (KEY)(((size_t)1 << bits_2) - 1);
    memset(table_1, 0, sizeof *table_1 << bits_1);
    memset(table_2, 0, sizeof *table_2 << bits_2);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = i; j < i + 8; j++) {
            const KEY key = keys[j];
            table_1[(size_t)(key >> low_1 & digit_1)]++;
            table_2[(size_t)(key >> low_2 & digit_2)]++;
        }
    for (; i < n; i++) {
        table_1[(size_t)(keys[i] >> low_1 & digit_1)]++;
        table_2[(size_t)(keys[i] >> low_2 & digit_2)]++;
    }
    add_up(table_1, (size_t)1 << bits_1);
    add_up(table_2, (size_t)1 << bits_2);
}

/* Words of each number's bits from `low` on, `up` bits higher, and its place. */
static void NAME(tag)(uint64_t *restrict words, const ANY_KEY *restrict keys, size_t n, KEY mask, unsigned low,
                      unsigned up) {
    for (size_t i = 0; i < n; i++) words[i] = (uint64_t)((KEY)(keys[i] & mask) >> low) << up | (uint64_t)i;
}

#define PAIRS "radix/radix_pairs.h"
#define LOOPS ww__radix_loops
#include "radix/lines_values.h"

#undef NAME
#undef ANY_KEY
#undef BLOCK
#undef KEY
#undef KEY_NAME
#undef HIGHEST
#undef LOWEST
