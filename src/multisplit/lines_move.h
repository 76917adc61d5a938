/* A multisplit's loops through lines for one key size and one value size: see lines_pairs.h for what it is included with. */
#include "multisplit/lines_pairs.h"

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

static const ww__lines_loops PAIR(loops) = {PAIR(move), PAIR(finish)};
#include "multisplit/lines_end.h"
