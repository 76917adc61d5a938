/* The radix sort's loops that move elements, for one key size and one value size; radix_keys.h includes this file with
 *     VALUE       a type of the values' size
 *     VALUED      0: there are no values, and no code for them
 *     VALUE_NAME  a name for the pair of sizes */

#define CHECKED 0 /* buckets hold what was counted */
#define LINE WW__RADIX_LINE_OF(VALUED)
#include "radix/lines_pairs.h"

/* ---- partition ---- */

static void PAIR(partition)(const ww__radix_partition *job) {
    const ANY_KEY *keys = job->keys;
    const ANY_VALUE *values = job->values;
    const KEY flip = (KEY)job->order.flip, fold = (KEY)job->order.fold;
    const unsigned low = job->low;
    const size_t buckets = (size_t)1 << job->bits;
    const KEY digit = (KEY)(buckets - 1);
    uint64_t *position = job->lines.position;
    const WRITER w = PAIR(writer_of)(&job->lines);
    const bool together = PAIR(together)(&w), direct = !job->lines.streaming && job->bits <= DIRECT_BITS;
    ANY_KEY room[BLOCK];
    for (size_t i = 0; i < job->n; i += BLOCK) {
        const size_t n = (size_t)ww__min_u64(BLOCK, job->n - i);
        FETCH(keys + i, BLOCK_BYTES);
        if (VALUED) FETCH(values + i, BLOCK * sizeof(VALUE));
        const ANY_KEY *number = NAME(numbers)(room, keys + i, n, flip, fold);
        if (direct) {
            UNROLLED
            for (size_t j = 0; j < n; j++) {
                const KEY key = number[j];
                const uint64_t to = position[(size_t)(key >> low & digit)]++;
                TAKE_NEXT_LINE(w.keys + to);
                if (VALUED) TAKE_NEXT_LINE(w.values + to);
                w.keys[to] = key;
                if (VALUED) w.values[to] = values[i + j];
            }
        } else if (together) {
            UNROLLED
            for (size_t j = 0; j < n; j++) {
                const size_t b = (size_t)(number[j] >> low & digit);
                PAIR(put)(&w, b, position[b]++, number[j], values + i + j, true);
            }
        } else {
            UNROLLED
            for (size_t j = 0; j < n; j++) {
                const size_t b = (size_t)(number[j] >> low & digit);
                PAIR(put)(&w, b, position[b]++, number[j], VALUED ? values + i + j : NULL, false);
            }
        }
    }
    if (!direct) PAIR(drain)(&w, position, buckets);
}

/* ---- leaf: elements that are in cache ---- */

/* Moves elements to where the buckets of a digit begin. */
static void PAIR(move)(const ANY_KEY *restrict keys, const ANY_VALUE *restrict values, ANY_KEY *restrict keys_out,
                       ANY_VALUE *restrict values_out, size_t n, unsigned low, unsigned bits,
                       uint32_t *restrict begins) {
    const KEY digit = (KEY)(((size_t)1 << bits) - 1);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = i; j < i + 8; j++) {
            const KEY key = keys[j];
            const uint32_t to = begins[(size_t)(key >> low & digit)]++;
            keys_out[to] = key;
            if (VALUED) values_out[to] = values[j];
        }
    for (; i < n; i++) {
        const uint32_t to = begins[(size_t)(keys[i] >> low & digit)]++;
        keys_out[to] = keys[i];
        if (VALUED) values_out[to] = values[i];
    }
}

static void PAIR(insertion)(ANY_KEY *keys, ANY_VALUE *values, size_t n, KEY mask) {
    for (size_t i = 1; i < n; i++) {
        const KEY key = keys[i];
        size_t j = i;
        if ((keys[j - 1] & mask) <= (key & mask)) continue;
        VALUE value = {0};
        if (VALUED) value = values[i];
        do {
            keys[j] = keys[j - 1];
            if (VALUED) values[j] = values[j - 1];
            j--;
        } while (j > 0 && (keys[j - 1] & mask) > (key & mask));
        keys[j] = key;
        if (VALUED) values[j] = value;
    }
}

static void PAIR(leaf)(const ww__radix_leaf *leaf, int from, size_t n, ww__word wide_mask);

/* The keys are sorted by the bits `above`. Where two neighbours that agree in them are out of order, all that agree with
 * them are sorted by `mask`, the bits below. */
static void PAIR(sort_ties)(const ww__radix_leaf *leaf, size_t n, KEY above, KEY mask) {
    const ANY_KEY *keys = leaf->keys[1];
    for (size_t i = 1; i < n; i++) {
        if ((keys[i] & (above | mask)) >= (keys[i - 1] & (above | mask))) continue;
        size_t begin = i - 1, end = i + 1;
        while (begin > 0 && ((keys[begin - 1] ^ keys[i]) & above) == 0) begin--;
        while (end < n && ((keys[end] ^ keys[i]) & above) == 0) end++;
        const ww__radix_leaf tied = {.keys = {(ANY_KEY *)leaf->keys[0] + begin, (ANY_KEY *)leaf->keys[1] + begin},
                                     .values = {VALUED ? (ANY_VALUE *)leaf->values[0] + begin : NULL,
                                                VALUED ? (ANY_VALUE *)leaf->values[1] + begin : NULL},
                                     .tables = leaf->tables};
        PAIR(leaf)(&tied, 1, end - begin, mask);
        i = end - 1;
    }
}

/* Sorts by the bits low … low + bits - 1, one digit or two, and says in which buffer the elements are then. */
static int PAIR(sort_by_digits)(ANY_KEY *const keys[2], ANY_VALUE *const values[2], int from, size_t n, unsigned low,
                                unsigned bits, uint32_t *table) {
    if (bits <= 8) {
        NAME(begins)(keys[from], n, low, bits, table);
        PAIR(move)(keys[from], values[from], keys[!from], values[!from], n, low, bits, table);
        return !from;
    }
    const unsigned half = bits / 2;
    uint32_t *table_2 = table + WW__RADIX_LEAF_BUCKETS;
    NAME(begins_of_two)(keys[from], n, low, half, table, low + half, bits - half, table_2);
    PAIR(move)(keys[from], values[from], keys[!from], values[!from], n, low, half, table);
    PAIR(move)(keys[!from], values[!from], keys[from], values[from], n, low + half, bits - half, table_2);
    return from;
}

/* Sorts by the highest bits that differ, some more than it takes to number the elements, and then the few ties among them
 * by the bits that are left. (A tie that is not sorted by insertion loses 7 bits or more, so calls are at most 19 deep.) */
static void PAIR(leaf)(const ww__radix_leaf *leaf, int from, size_t n, ww__word wide_mask) {
    ANY_KEY *const keys[2] = {leaf->keys[0], leaf->keys[1]};
    ANY_VALUE *const values[2] = {leaf->values[0], leaf->values[1]};
    const KEY mask = (KEY)wide_mask, differ = (KEY)(NAME(differ)(keys[from], n, 1, &as_they_are) & mask);
    const bool by_digits = n > INSERTION && differ;
    unsigned low = 0;
    if (by_digits) {
        const unsigned highest = HIGHEST(differ), span = highest + 1 - LOWEST(differ);
        const unsigned wanted = highest_bit(n) + TIES_BITS;
        const unsigned bits = least(span <= wanted + 2 ? span : wanted, 2 * WW__RADIX_LEAF_BITS);
        low = highest + 1 - bits;
        from = PAIR(sort_by_digits)(keys, values, from, n, low, bits, leaf->tables);
    }
    if (from == 0) {
        memcpy(keys[1], keys[0], n * sizeof(KEY));
        if (VALUED) memcpy(values[1], values[0], n * sizeof(VALUE));
    }
    const KEY below = (KEY)(((KEY)1 << low) - 1);
    if (!by_digits)
        PAIR(insertion)(keys[1], values[1], n, mask);
    else if (differ & below)
        PAIR(sort_ties)(leaf, n, mask & (KEY)~below, differ & below);
}

/* Elements in the order of words whose low bits are their places. */
static void PAIR(take)(const uint64_t *restrict words, uint64_t places, const ANY_KEY *restrict keys,
                       const ANY_VALUE *restrict values, ANY_KEY *restrict keys_out, ANY_VALUE *restrict values_out,
                       size_t n) {
    for (size_t i = 0; i < n; i++) {
        const size_t from = (size_t)(words[i] & places);
        keys_out[i] = keys[from];
        if (VALUED) values_out[i] = values[from];
    }
}

/* A word has as many bits of its number, from the highest that differs, as leave room for the place below; equal numbers stay in order
 * by their places. Ties by these bits are sorted by those that are left. */
static void PAIR(tagged_leaf)(const ww__radix_leaf *leaf, const ww__radix_tags *tags, int from, size_t n,
                              ww__word wide_mask) {
    const KEY mask = (KEY)wide_mask, differ = (KEY)(NAME(differ)(leaf->keys[from], n, 1, &as_they_are) & mask);
    if (n <= INSERTION || !differ) {
        PAIR(leaf)(leaf, from, n, mask);
        return;
    }
    const unsigned highest = HIGHEST(differ), place_bits = highest_bit(n - 1) + 1;
    const unsigned low = highest + 1 > 64 - place_bits ? highest + 1 - (64 - place_bits) : 0; /* of a word's */
    NAME(tag)(tags->words[0], leaf->keys[from], n, mask, low, 63 - (highest - low));
    tags->sort(tags->words[0], tags->words[1], tags->words[0], n, &as_they_are, &as_they_are);
    if (from == 1) {
        memcpy(leaf->keys[0], leaf->keys[1], n * sizeof(KEY));
        if (VALUED) memcpy(leaf->values[0], leaf->values[1], n * sizeof(VALUE));
    }
    PAIR(take)
    (tags->words[1], ((uint64_t)1 << place_bits) - 1, leaf->keys[0], leaf->values[0], leaf->keys[1], leaf->values[1],
     n);
    const KEY below = (KEY)(((KEY)1 << low) - 1);
    if (differ & below) PAIR(sort_ties)(leaf, n, mask & (KEY)~below, differ & below);
}

static const ww__radix_loops PAIR(loops) = {NAME(differ),    NAME(digit), NAME(alone),       NAME(count),
                                            PAIR(partition), PAIR(leaf),  PAIR(tagged_leaf), NAME(arrange),
                                            NAME(restore),   NAME(repeat)};

#undef CHECKED
#include "radix/lines_end.h"
