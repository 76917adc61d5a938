/* A multisplit's loops through lines for one key size and one value size: see lines_pairs.h for what it is included with. */
#define LINE WW__LINE_OF(sizeof(KEY), VALUED)
#include "radix/lines_pairs.h"

/* Positions are read in the loop that moves: an EPYC of 2023 (Zen 4) takes 0.7 of the time that two loops take. */
static void PAIR(move)(const ww__lines *lines, const void *keys_in, const void *values_in, const uint32_t *buckets,
                       size_t n) {
    const ANY_KEY *keys = keys_in;
    const ANY_VALUE *values = values_in;
    uint64_t *position = lines->position;
    const WRITER w = PAIR(writer_of)(lines);
    const bool together = PAIR(together)(&w);
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t end = n - i < BLOCK ? n : i + BLOCK;
        if (VALUED) WW__LINES_FETCH(values + i, BLOCK * sizeof(VALUE));
        if (together)
            for (size_t j = i; j < end; j++)
                PAIR(put)(&w, buckets[j], position[buckets[j]]++, keys[j], values + j, true);
        else
            for (size_t j = i; j < end; j++)
                PAIR(put)(&w, buckets[j], position[buckets[j]]++, keys[j], VALUED ? values + j : NULL, false);
    }
}

static void PAIR(finish)(const ww__lines *lines, size_t buckets) {
    const WRITER w = PAIR(writer_of)(lines);
    PAIR(drain)(&w, lines->position, buckets);
}

/* Element j of the input to a place, which is read twice. */
#define PUT(j, place) \
    do { \
        keys_out[place] = keys[j]; \
        if (VALUED) values_out[place] = values[j]; \
    } while (0)

#define ASK(place) \
    do { \
        __builtin_prefetch((const char *)(keys_out + place) + 64, 1); \
        if (VALUED) __builtin_prefetch((const char *)(values_out + place) + 64, 1); \
    } while (0)

static void PAIR(move_direct)(const ww__lines *lines, const void *keys_in, const void *values_in,
                              const uint32_t *WW__R buckets, size_t n) {
    const ANY_KEY *keys = keys_in;
    const ANY_VALUE *values = values_in;
    ANY_KEY *keys_out = lines->keys_out;
    ANY_VALUE *values_out = lines->values_out;
    uint64_t *WW__R position = lines->position;
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        const uint64_t to_0 = position[buckets[j]]++, to_1 = position[buckets[j + 1]]++;
        const uint64_t to_2 = position[buckets[j + 2]]++, to_3 = position[buckets[j + 3]]++;
        if (lines->ahead) {
            ASK(to_0);
            ASK(to_1);
            ASK(to_2);
            ASK(to_3);
        }
        PUT(j, to_0);
        PUT(j + 1, to_1);
        PUT(j + 2, to_2);
        PUT(j + 3, to_3);
    }
    for (; j < n; j++) {
        const uint64_t to = position[buckets[j]]++;
        PUT(j, to);
    }
}

static void PAIR(move_within)(const ww__lines *lines, const void *keys_in, const void *values_in,
                              const uint32_t *WW__R buckets, size_t n) {
    const ANY_KEY *keys = keys_in;
    const ANY_VALUE *values = values_in;
    ANY_KEY *keys_out = lines->keys_out;
    ANY_VALUE *values_out = lines->values_out;
    uint64_t *WW__R position = lines->position;
    const uint64_t *WW__R end = lines->end;
    for (size_t j = 0; j < n;) {
        const size_t stop = n - j < 4 ? n : j + 4;
        if (stop == j + 4) {
            const uint32_t b_0 = buckets[j], b_1 = buckets[j + 1], b_2 = buckets[j + 2], b_3 = buckets[j + 3];
            const uint64_t to_0 = position[b_0]++, to_1 = position[b_1]++;
            const uint64_t to_2 = position[b_2]++, to_3 = position[b_3]++;
            if (lines->ahead) {
                ASK(to_0);
                ASK(to_1);
                ASK(to_2);
                ASK(to_3);
            }
            if (__builtin_expect((to_0 < end[b_0]) & (to_1 < end[b_1]) & (to_2 < end[b_2]) & (to_3 < end[b_3]), 1)) {
                PUT(j, to_0);
                PUT(j + 1, to_1);
                PUT(j + 2, to_2);
                PUT(j + 3, to_3);
                j = stop;
                continue;
            }
            position[b_0]--, position[b_1]--, position[b_2]--, position[b_3]--;
        }
        for (; j < stop; j++) {
            const uint64_t to = position[buckets[j]];
            if (to >= end[buckets[j]]) continue;
            position[buckets[j]] = to + 1;
            PUT(j, to);
        }
    }
}
#undef PUT
#undef ASK

static const ww__lines_loops PAIR(loops) = {PAIR(move), PAIR(move_direct), PAIR(move_within), PAIR(finish)};
#include "radix/lines_end.h"
