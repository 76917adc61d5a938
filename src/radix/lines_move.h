/* A multisplit's loops through lines for one key size and one value size: see lines_pairs.h for what it is included with. */
#define LINE WW__LINE_OF(sizeof(KEY), VALUED)
#include "radix/lines_pairs.h"

static void PAIR(move)(const ww__lines *lines, const void *keys_in, const void *values_in, const uint32_t *buckets,
                       size_t n) {
    const ANY_KEY *keys = keys_in;
    const ANY_VALUE *values = values_in;
    const WRITER w = PAIR(writer_of)(lines);
    const bool together = PAIR(together)(&w);
    uint64_t to[BLOCK];
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t many = n - i < BLOCK ? n - i : BLOCK;
        if (VALUED) WW__LINES_FETCH(values + i, BLOCK * sizeof(VALUE));
        ww__take_places(lines->position, buckets + i, to, many);
        if (together)
            for (size_t j = 0; j < many; j++) PAIR(put)(&w, buckets[i + j], to[j], keys[i + j], values + i + j, true);
        else
            for (size_t j = 0; j < many; j++)
                PAIR(put)(&w, buckets[i + j], to[j], keys[i + j], VALUED ? values + i + j : NULL, false);
    }
}

static void PAIR(finish)(const ww__lines *lines, size_t buckets) {
    const WRITER w = PAIR(writer_of)(lines);
    PAIR(drain)(&w, lines->position, buckets);
}

static void PAIR(move_direct)(const ww__lines *lines, const void *keys_in, const void *values_in,
                              const uint32_t *buckets, size_t n) {
    const ANY_KEY *keys = keys_in;
    const ANY_VALUE *values = values_in;
    ANY_KEY *keys_out = lines->keys_out;
    ANY_VALUE *values_out = lines->values_out;
    uint64_t to[BLOCK];
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t many = n - i < BLOCK ? n - i : BLOCK;
        if (VALUED) WW__LINES_FETCH(values + i, BLOCK * sizeof(VALUE));
        ww__take_places(lines->position, buckets + i, to, many);
        for (size_t j = 0; j < many; j++) {
            __builtin_prefetch((const char *)(keys_out + to[j]) + 64, 1);
            keys_out[to[j]] = keys[i + j];
            if (!VALUED) continue;
            __builtin_prefetch((const char *)(values_out + to[j]) + 64, 1);
            values_out[to[j]] = values[i + j];
        }
    }
}

static const ww__lines_loops PAIR(loops) = {PAIR(move), PAIR(move_direct), PAIR(finish)};
#include "radix/lines_end.h"
