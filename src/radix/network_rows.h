/* Sorting in registers, for one size of numbers and one width; network_leaf.c includes this file with
 *     KEY, WIDTH              the numbers' type, and the width's name
 *     VECTOR, LANES           a register, and how many numbers are in it: 8 or 16
 *     LANE_BITS               a bit for each lane
 *     LOADED(p), STORE(p, v)  at any address; LOADED_SOME(p, m) has the m first numbers and behind them ONES, which are no
 *                             smaller than any number; STORE_SOME(p, v, m) writes the m first
 *     COMPARE(a, b)           in each lane the smaller to a, the larger to b
 *     SWAPPED_d(v)            lane i has what was in lane i ^ d: d = 1, 2, 4, … up to LANES / 4; SWAPPED_HALVES(v): LANES / 2
 *     REVERSED_w(v)           … in lane i ^ (w - 1): w = 4, 8, … LANES; REVERSED_ROW is that of LANES
 *     LANES_WITH(a, b, d)     b in the lanes i that have i & d, a in the others: d = 1, 2, … LANES / 2
 *     LANES_WITHOUT(a, b, d)  b in the lanes i that have no i & d, a in the others
 *     LEFT_HALVES_w(a, b)     in each group of w lanes the left halves of a and b in turn: a_0, b_0, a_1, …; w = 2, 4, … LANES;
 *                             RIGHT_HALVES_w; UNCROSS_ROWS is UNCROSS of LANES
 *     FILLED(number)          it in all lanes; NEGATIVE, BELOW, PACKED: network_quick.h
 *     PAIRS                   network_pairs.h, where numbers with values are sorted, too
 * and it undefines them. */

#define NAME(what) JOINED(what, JOINED(KEY, WIDTH))
typedef KEY NAME(key) __attribute__((aligned(1), may_alias));
#define ANY_KEY NAME(key) /* a number at any address */
#define INLINE JOINED(WW__TARGET, WIDTH) static inline __attribute__((always_inline))
#define MOST ((size_t)ROWS * LANES) /* numbers in a block */
/* … that a spread aims at: of random keys, a bucket in 10^6 has more than MOST */
#define AIM (MOST >= 256 ? MOST * 23 / 32 : MOST * 21 / 32)

/* ---- columns ---- */

/* clang-format off */
#define C(i, j) COMPARE(v[i], v[j]);

INLINE void NAME(columns)(VECTOR *v, const size_t rows) {
    if (rows == 2) {
        C(0, 1)
    } else if (rows == 4) {
        C(0, 1) C(2, 3) C(0, 2) C(1, 3) C(1, 2)
    } else if (rows == 8) {
        C(0, 1) C(2, 3) C(4, 5) C(6, 7) C(0, 2) C(1, 3) C(4, 6) C(5, 7) C(1, 2) C(5, 6)
        C(0, 4) C(3, 7) C(1, 5) C(2, 6) C(1, 4) C(3, 6) C(2, 4) C(3, 5) C(3, 4)
    } else if (rows == 12) {
        C(0, 8) C(1, 7) C(2, 6) C(3, 11) C(4, 10) C(5, 9)
        C(0, 1) C(2, 5) C(3, 4) C(6, 9) C(7, 8) C(10, 11)
        C(0, 2) C(1, 6) C(5, 10) C(9, 11)
        C(0, 3) C(1, 2) C(4, 6) C(5, 7) C(8, 11) C(9, 10)
        C(1, 4) C(3, 5) C(6, 8) C(7, 10)
        C(1, 3) C(2, 5) C(6, 9) C(8, 10)
        C(2, 3) C(4, 5) C(6, 7) C(8, 9)
        C(4, 6) C(5, 7)
        C(3, 4) C(5, 6) C(7, 8)
    } else {
        C(0, 1) C(2, 3) C(4, 5) C(6, 7) C(8, 9) C(10, 11) C(12, 13) C(14, 15)
        C(0, 2) C(4, 6) C(8, 10) C(12, 14) C(1, 3) C(5, 7) C(9, 11) C(13, 15)
        C(0, 4) C(8, 12) C(1, 5) C(9, 13) C(2, 6) C(10, 14) C(3, 7) C(11, 15)
        C(0, 8) C(1, 9) C(2, 10) C(3, 11) C(4, 12) C(5, 13) C(6, 14) C(7, 15)
        C(5, 10) C(6, 9) C(3, 12) C(13, 14) C(4, 8) C(7, 11) C(1, 2)
        C(1, 4) C(7, 13) C(2, 8) C(11, 14) C(5, 6) C(9, 10)
        C(2, 4) C(11, 13) C(3, 8) C(7, 12)
        C(6, 8) C(10, 12) C(3, 5) C(7, 9)
        C(3, 4) C(5, 6) C(7, 8) C(9, 10) C(11, 12)
        C(6, 7) C(8, 9)
    }
}
#undef C
/* clang-format on */

/* ---- merges ---- */

/* In a group of `wide` lanes of `rows` rows, the left half's numbers rise from row to row, and so do the right half's. To
 * merge them bitonically, the right half has to be read backwards: last row first, and each row from its end. So each row
 * is compared with the one as far from the other end, reversed: smaller numbers stay in the upper rows, where the same
 * holds between a row and what lies opposite in that half of the rows, and so on until halves are single rows. Of three rows
 * the smallest, middle and largest number of each lane make rows in order, the middle one reversed before: a bitonic sequence
 * of 0 and 1, cut in three and laid one on the other, has columns of as many 1, but for one stretch of columns that have one more. */
#define MERGE_ROWS(wide) \
    INLINE void NAME(JOINED(halve, wide))(VECTOR * v, const size_t rows, const size_t half) { \
        _Pragma("GCC unroll 8") for (size_t i = 0; i < rows / 2; i++) { \
            const size_t first = i / half * 2 * half, a = first + i % half, b = first + 2 * half - 1 - i % half; \
            v[b] = REVERSED_##wide(v[b]); \
            COMPARE(v[a], v[b]); \
        } \
    } \
    INLINE void NAME(JOINED(thirds, wide))(VECTOR * v, const size_t rows) { \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < rows; i += 3) { \
            v[i + 1] = REVERSED_##wide(v[i + 1]); \
            COMPARE(v[i], v[i + 2]); \
            COMPARE(v[i], v[i + 1]); \
            COMPARE(v[i + 1], v[i + 2]); \
        } \
    } \
    INLINE void NAME(JOINED(merge, wide))(VECTOR * v, const size_t rows) { \
        if (rows == 12) { \
            NAME(JOINED(halve, wide))(v, rows, 6); \
            NAME(JOINED(halve, wide))(v, rows, 3); \
            NAME(JOINED(thirds, wide))(v, rows); \
        } else { \
            if (rows >= 16) NAME(JOINED(halve, wide))(v, rows, 8); \
            if (rows >= 8) NAME(JOINED(halve, wide))(v, rows, 4); \
            if (rows >= 4) NAME(JOINED(halve, wide))(v, rows, 2); \
            NAME(JOINED(halve, wide))(v, rows, 1); \
        } \
        _Pragma("GCC unroll 8") for (size_t i = 0; i < rows; i += 2) NAME(JOINED(finish, wide))(&v[i], &v[i + 1]); \
    }

/* Compares within two rows at once, so that every lane of a comparison counts: in each group the lanes without the bit are held
 * against those with it, which lie opposite, or so far away. u takes the lanes without it of both rows, and then what is smaller; v
 * those with it, and what is larger. From which end the larger half is read makes no difference: it is bitonic both ways. */
#define CROSS(u, v, MOVED, bit) \
    do { \
        const VECTOR u_ = (u), v_ = (v); \
        (u) = LANES_WITH(u_, MOVED(v_), bit); \
        (v) = LANES_WITHOUT(v_, MOVED(u_), bit); \
        COMPARE(u, v); \
    } while (0)

/* When lanes were compared by all bits of their place in a group, the last of these says u or v, each of the others stands one
 * lower, and the highest says which row it is: the left halves of u and v, in turn, are the first row. */
#define UNCROSS(u, v, wide) \
    do { \
        const VECTOR u_ = (u), v_ = (v); \
        (u) = LEFT_HALVES_##wide(u_, v_); \
        (v) = RIGHT_HALVES_##wide(u_, v_); \
    } while (0)

#define REVERSED_2(v) SWAPPED_1(v)

INLINE void NAME(finish_2)(VECTOR *u, VECTOR *v) {
    CROSS(*u, *v, REVERSED_2, 1);
    UNCROSS(*u, *v, 2);
}
MERGE_ROWS(2)

INLINE void NAME(finish_4)(VECTOR *u, VECTOR *v) {
    CROSS(*u, *v, REVERSED_4, 2);
    CROSS(*u, *v, SWAPPED_1, 1);
    UNCROSS(*u, *v, 4);
}
MERGE_ROWS(4)

INLINE void NAME(finish_8)(VECTOR *u, VECTOR *v) {
    CROSS(*u, *v, REVERSED_8, 4);
    CROSS(*u, *v, SWAPPED_2, 2);
    CROSS(*u, *v, SWAPPED_1, 1);
    UNCROSS(*u, *v, 8);
}
MERGE_ROWS(8)

#if LANES >= 16
INLINE void NAME(finish_16)(VECTOR *u, VECTOR *v) {
    CROSS(*u, *v, REVERSED_16, 8);
    CROSS(*u, *v, SWAPPED_4, 4);
    CROSS(*u, *v, SWAPPED_2, 2);
    CROSS(*u, *v, SWAPPED_1, 1);
    UNCROSS(*u, *v, 16);
}
MERGE_ROWS(16)
#endif

/* ---- a block ---- */

/* Half of the rows are full, unless there are two. */
INLINE void NAME(sort_rows)(ANY_KEY *to, const ANY_KEY *from, size_t n, const size_t rows) {
    VECTOR v[ROWS];
    _Pragma("GCC unroll 16") for (size_t i = 0; i < rows; i++) {
        const size_t first = i * LANES;
        if (rows > 2 && i < rows / 2)
            v[i] = LOADED(from + first);
        else if (n >= first + LANES)
            v[i] = LOADED(from + first);
        else if (n > first)
            v[i] = LOADED_SOME(from + first, n - first);
        else
            v[i] = ONES;
    }
    NAME(columns)(v, rows);
    NAME(merge_2)(v, rows);
    NAME(merge_4)(v, rows);
    NAME(merge_8)(v, rows);
#if LANES >= 16
    NAME(merge_16)(v, rows);
#endif
    _Pragma("GCC unroll 16") for (size_t i = 0; i < rows; i++) {
        const size_t first = i * LANES;
        if (n >= first + LANES) {
            STORE(to + first, v[i]);
        } else {
            if (n > first) STORE_SOME(to + first, v[i], n - first);
            break;
        }
    }
}

#define SORT_ROWS(rows) \
    JOINED(WW__TARGET, WIDTH) static void NAME(JOINED(sort, rows))(ANY_KEY * to, const ANY_KEY *from, size_t n) { \
        NAME(sort_rows)(to, from, n, rows); \
    }
SORT_ROWS(2)
SORT_ROWS(4)
SORT_ROWS(8)
SORT_ROWS(12)
SORT_ROWS(16)

/* Up to MOST numbers; to and from may be the same. */
INLINE void NAME(sort_block)(ANY_KEY *to, const ANY_KEY *from, size_t n) {
    if (n > 12 * LANES)
        NAME(sort_16)(to, from, n);
    else if (n > 8 * LANES)
        NAME(sort_12)(to, from, n);
    else if (n > 4 * LANES)
        NAME(sort_8)(to, from, n);
    else if (n > 2 * LANES)
        NAME(sort_4)(to, from, n);
    else
        NAME(sort_2)(to, from, n);
}

/* ---- a few blocks ---- */

#include "radix/network_merge.h"

/* ---- more than a block ---- */

/* Numbers from `least` on go to buckets in proportion: the 32 highest bits that they differ in, times `factor`, without the 32
 * lowest bits of that. */
typedef struct NAME(spread) {
    KEY least;
    unsigned up; /* how far the highest bit that they differ in is from the highest of all */
    uint32_t factor, buckets;
} NAME(spread);

INLINE uint32_t NAME(bucket)(const NAME(spread) * s, KEY key) {
    const KEY above = (KEY)((KEY)(key - s->least) << s->up);
    return (uint32_t)((uint64_t)(uint32_t)(above >> (8 * sizeof(KEY) - 32)) * s->factor >> 32);
}

INLINE NAME(spread) NAME(spread_of)(KEY least, KEY most, size_t buckets) {
    if (buckets < BUCKETS_LEAST) buckets = BUCKETS_LEAST;
    if (buckets > BUCKETS_MOST) buckets = BUCKETS_MOST;
    NAME(spread) s = {.least = least, .buckets = (uint32_t)buckets};
    /* The lowest bit is set for numbers that are all equal: no bit set has no highest one. */
    s.up = (unsigned)__builtin_clzll((uint64_t)(most - least) | 1) - (64 - 8 * (unsigned)sizeof(KEY));
    const uint32_t last = (uint32_t)((KEY)((KEY)(most - least) << s.up) >> (8 * sizeof(KEY) - 32));
    s.factor = (uint32_t)(((uint64_t)buckets << 32) / ((uint64_t)last + 1));
    return s;
}

/* The halves of the numbers are counted, and moved, side by side: a bucket's counter is then less often waited for. */
INLINE void NAME(count_halves)(const NAME(spread) * s, const ANY_KEY *from, size_t n,
                               uint32_t counts[2][BUCKETS_MOST]) {
    const size_t half = n / 2;
    for (size_t i = 0; i < half; i++) {
        counts[0][NAME(bucket)(s, from[i])]++;
        counts[1][NAME(bucket)(s, from[half + i])]++;
    }
    if (n % 2) counts[1][NAME(bucket)(s, from[n - 1])]++;
}

INLINE void NAME(move_halves)(const NAME(spread) * s, const ANY_KEY *from, size_t n, ANY_KEY *WW__R to,
                              uint32_t next[2][BUCKETS_MOST]) {
    const size_t half = n / 2;
    for (size_t i = 0; i < half; i++) {
        const KEY a = from[i], b = from[half + i];
        const uint32_t to_a = next[0][NAME(bucket)(s, a)]++, to_b = next[1][NAME(bucket)(s, b)]++;
        to[to_a] = a;
        to[to_b] = b;
    }
    if (n % 2) to[next[1][NAME(bucket)(s, from[n - 1])]++] = from[n - 1];
}

/* Moves n numbers to their buckets, one behind the other; bucket b ends at next[1][b], where its second half's do. `next` is 0. */
INLINE void NAME(spread_counted)(const NAME(spread) * s, const ANY_KEY *from, size_t n, ANY_KEY *WW__R to,
                                 uint32_t next[2][BUCKETS_MOST]) {
    uint32_t sum = 0;
    NAME(count_halves)(s, from, n, next);
    for (size_t b = 0; b < s->buckets; b++)
        for (size_t h = 0; h < 2; h++) {
            const uint32_t count = next[h][b];
            next[h][b] = sum;
            sum += count;
        }
    NAME(move_halves)(s, from, n, to, next);
}

/* So many elements at most: slots for all take some more. */
#define SLOTS_TAKE (WW__NETWORK_SLOTTED / sizeof(KEY))

/* Spreads n elements to slots without counting them first: bucket b's to slots[b * (MOST + pad)] …, up to next[b]. What NUMBER
 * makes of an element is its number. False where a bucket has more than MOST, or slots for all would take too much: that is
 * looked at four times, since too many run over into the slots that follow, and there is room for a quarter of all behind the
 * last. The pad spreads buckets that fill at one rate over the sets of a first-level cache (with AVX2 no difference was measured). */
#define PADDED(ELEMENT) (MOST + 64 / sizeof(ELEMENT))
#define TO_SLOTS(what, ELEMENT, NUMBER) \
    INLINE bool NAME(what)(const NAME(spread) * s, const ELEMENT *from, size_t n, ELEMENT *WW__R slots, \
                           uint32_t next[BUCKETS_MOST]) { \
        const uint32_t slot = (uint32_t)PADDED(ELEMENT); \
        const size_t quarter = n / 4 + 1; \
        if (n / s->buckets > AIM || (s->buckets * slot + quarter) * sizeof(ELEMENT) > WW__NETWORK_SLOTS) return false; \
        for (uint32_t b = 0; b < s->buckets; b++) next[b] = b * slot; \
        for (size_t i = 0; i < n;) { \
            const size_t end = n - i < quarter ? n : i + quarter; \
            for (; i + 16 <= end; i += 16) { \
                __builtin_prefetch((const char *)(from + i) + WW__AHEAD); \
                for (size_t j = i; j < i + 16; j++) { \
                    const ELEMENT element = from[j]; \
                    slots[next[NAME(bucket)(s, NUMBER(element))]++] = element; \
                } \
            } \
            for (; i < end; i++) slots[next[NAME(bucket)(s, NUMBER(from[i]))]++] = from[i]; \
            uint32_t full = 0; \
            for (uint32_t b = 0; b < s->buckets; b++) full |= next[b] > b * slot + MOST; \
            if (full) return false; \
        } \
        return true; \
    }
#define ITSELF(number) (number)
TO_SLOTS(numbers_to_slots, ANY_KEY, ITSELF)

/* Numbers from `least` to `most`. False, and nothing is done, where they are not spread well enough. */
JOINED(WW__TARGET, WIDTH)
static bool NAME(sort_by_slots)(const ANY_KEY *from, ANY_KEY *to, size_t n, KEY least, KEY most, ANY_KEY *slots) {
    const NAME(spread) s = NAME(spread_of)(least, most, n / AIM + 1);
    uint32_t next[BUCKETS_MOST];
    if (!NAME(numbers_to_slots)(&s, from, n, slots, next)) return false;
    for (size_t b = 0; b < s.buckets; b++) {
        const size_t first = b * PADDED(KEY), many = next[b] - first;
        if (many) NAME(sort_block)(to, slots + first, many);
        to += many;
    }
    return true;
}

/* The smallest and the largest of n numbers. */
INLINE void NAME(find_ends)(const ANY_KEY *from, size_t n, KEY *ends) {
    KEY least = from[0], most = from[0];
    size_t i = 0;
    for (; i + 256 <= n; i += 256) {
        for (size_t f = 0; f < 256 * sizeof(KEY); f += 64) __builtin_prefetch((const char *)(from + i) + WW__AHEAD + f);
        for (size_t j = i; j < i + 256; j++) {
            least = from[j] < least ? from[j] : least;
            most = from[j] > most ? from[j] : most;
        }
    }
    for (; i < n; i++) {
        least = from[i] < least ? from[i] : least;
        most = from[i] > most ? from[i] : most;
    }
    ends[0] = least;
    ends[1] = most;
}

/* Sorts n numbers of `from` into `to`, which is `from` or `other`; both lose what they held. Whatever they are, each spread gets
 * on by 4 bits. */
JOINED(WW__TARGET, WIDTH)
static void NAME(sort_by_spreads)(ANY_KEY *from, ANY_KEY *other, ANY_KEY *to, size_t n) {
    KEY ends[2];
    if (n <= MOST) {
        NAME(sort_block)(to, from, n);
        return;
    }
    NAME(find_ends)(from, n, ends);
    if (ends[0] == ends[1]) {
        if (to != from) memcpy(to, from, n * sizeof(KEY));
        return;
    }
    const NAME(spread) s = NAME(spread_of)(ends[0], ends[1], n / AIM + 1);
    uint32_t next[2][BUCKETS_MOST] = {{0}};
    NAME(spread_counted)(&s, from, n, other, next);
    for (size_t b = 0, first = 0; b < s.buckets; first = next[1][b++])
        if (next[1][b] > first) NAME(sort_by_spreads)(other + first, from + first, to + first, next[1][b] - first);
}

/* ---- spread badly: by keys of a sample ---- */

#include "radix/network_quick.h"

/* Whether a sample says that slots would not do: some of it are equal, or a sixteenth of its span has a fifth of it. (Of even keys, one
 * sample in 300 says so.) */
INLINE bool NAME(crowds)(const ANY_KEY *from, size_t n) {
    enum { SAMPLE = 64, FIFTH = 13, EQUAL = 3 };
    KEY sample[SAMPLE];
    size_t equal = 0, close = 0;
    for (size_t i = 0; i < SAMPLE; i++) sample[i] = from[n / SAMPLE * i + (i * 7 & 15)];
    NAME(sort_block)(sample, sample, SAMPLE);
    const KEY sixteenth = (KEY)((sample[SAMPLE - 1] - sample[0]) / 16);
    for (size_t i = 1; i < SAMPLE; i++) equal += sample[i] == sample[i - 1];
    for (size_t i = FIFTH; i < SAMPLE; i++) close += (KEY)(sample[i] - sample[i - FIFTH]) <= sixteenth;
    return equal >= EQUAL || close;
}

/* Sorts n numbers of `from`, which is `to` or `other`, into `to`: by slots for what there is between the ends, or by quicksort. */
INLINE void NAME(sort_between)(ANY_KEY *from, ANY_KEY *to, ANY_KEY *other, size_t n, const KEY ends[2],
                               ANY_KEY *slots) {
    if (n <= MOST)
        NAME(sort_block)(to, from, n);
    else if (ends[0] != ends[1] && n <= SLOTS_TAKE && NAME(sort_by_slots)(from, to, n, ends[0], ends[1], slots))
        return;
    else if (from == to)
        NAME(quick_there)(to, other, n, NAME(quick_depth)(n), &as_they_are);
    else
        NAME(quick_from)(from, to, n, NAME(quick_depth)(n), &as_they_are);
}

/* Too many numbers for slots, and spread well: a spread makes parts of half of what slots take, each of which is sorted by slots.
 * Quicksort takes 1.14 to 1.25 times as long for 2^17 to 2^18 of 32 bits with AVX2 (an EPYC, 2026-11, one thread). */
JOINED(WW__TARGET, WIDTH)
static void NAME(sort_many)(ANY_KEY *from, ANY_KEY *other, ANY_KEY *to, size_t n, ANY_KEY *slots) {
    KEY ends[2];
    NAME(find_ends)(from, n, ends);
    const NAME(spread) s = NAME(spread_of)(ends[0], ends[1], n / (SLOTS_TAKE / 2) + 1);
    uint32_t next[2][BUCKETS_MOST] = {{0}};
    NAME(spread_counted)(&s, from, n, other, next);
    for (size_t b = 0, first = 0; b < s.buckets; first = next[1][b++]) {
        const size_t many = next[1][b] - first;
        if (!many) continue;
        NAME(find_ends)(other + first, many, ends);
        NAME(sort_between)(other + first, to + first, from + first, many, ends, slots);
    }
}

/* Slots for all that the mask allows; for what there is, where that is much less; else a sample's keys part numbers. */
JOINED(WW__TARGET, WIDTH)
static void NAME(leaf)(void *const keys[2], int from, size_t n, ww__word mask, void *slots) {
    enum { SAMPLED_LEAST = 1 << 13 };
    ANY_KEY *k = keys[from], *to = keys[1];
    const KEY first = k[0], span = (KEY)mask;
    if (n <= MOST) {
        NAME(sort_block)(to, k, n);
        return;
    }
    if (span && !ww__network_compares(sizeof(VECTOR) == 64, n * sizeof(KEY)) &&
        (n < SAMPLED_LEAST || !NAME(crowds)(k, n))) {
        KEY ends[2];
        if (n > SLOTS_TAKE) {
            NAME(sort_many)(k, keys[!from], to, n, slots);
            return;
        }
        if (NAME(sort_by_slots)(k, to, n, first & (KEY)~span, first | span, slots)) return;
        NAME(find_ends)(k, n, ends);
        if (ends[1] - ends[0] < span / 2 && NAME(sort_by_slots)(k, to, n, ends[0], ends[1], slots)) return;
    }
    if (k == to)
        NAME(quick_there)(to, keys[0], n, NAME(quick_depth)(n), &as_they_are);
    else
        NAME(quick_from)(k, to, n, NAME(quick_depth)(n), &as_they_are);
}

#ifdef PAIRS
#include PAIRS
#undef PAIRS
#endif

#undef NAME
#undef ANY_KEY
#undef INLINE
#undef MOST
#undef AIM
#undef PADDED
#undef SLOTS_TAKE
#undef TO_SLOTS
#undef ITSELF
#undef KEY
#undef WIDTH
#undef VECTOR
#undef LANES
#undef LANE_BITS
#undef LOADED
#undef FIRST_LANES
#undef LOADED_SOME
#undef ONES
#undef STORE
#undef STORE_SOME
#undef COMPARE
#undef LANES_WITH
#undef SWAPPED_1
#undef SWAPPED_2
#undef SWAPPED_4
#undef SWAPPED_HALVES
#undef REVERSED_ROW
#undef UNCROSS_ROWS
#undef FEW
#undef REVERSED_2
#undef REVERSED_4
#undef REVERSED_8
#undef REVERSED_16
#undef LANES_WITHOUT
#undef CROSS
#undef UNCROSS
#undef LEFT_HALVES_2
#undef RIGHT_HALVES_2
#undef LEFT_HALVES_4
#undef RIGHT_HALVES_4
#undef LEFT_HALVES_8
#undef RIGHT_HALVES_8
#undef LEFT_HALVES_16
#undef RIGHT_HALVES_16
#undef FILLED
#undef NEGATIVE
#undef BELOW
#undef PACKED
#undef MERGE_ROWS
#undef SORT_ROWS
