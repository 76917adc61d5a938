/* The key of a rank is found bit by bit: the largest number below which there are at most `rank` keys. Each run keeps the range
 * of its keys that begin with the bits found so far, which a binary search for each further bit halves into those without
 * and with it. What is left in the end are the keys equal to that number, of which each run in turn gives as many as are missing. */
#include "sort/large/rank.h"

#include <string.h>

#include "sort/order.h"

ww__runs ww__runs_of(const ww__sorting *s, const unsigned char *keys, uint64_t length) {
    return (ww__runs){.keys = keys,
                      .n = s->keys.count,
                      .length = length,
                      .runs = s->keys.count ? (s->keys.count - 1) / length + 1 : 0,
                      .key_size = s->keys.size,
                      .order = ww__radix_order_of(s),
                      .bit_first = s->bit_first,
                      .bit_count = s->bit_count};
}

static ww__word number_at(const ww__runs *r, uint64_t i) {
    return WW_KEY_DIGIT(ww__radix_number_at(r->keys, r->key_size, i, &r->order), r->bit_first,
                        ww__radix_ones(r->bit_count));
}

/* The first of the sorted keys low … high - 1 that is not below a number. */
static uint64_t lower_bound(const ww__runs *r, uint64_t low, uint64_t high, ww__word number) {
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (number_at(r, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ww__rank_cut(const ww__runs *r, uint64_t rank, uint64_t *cut, uint64_t *room) {
    uint64_t *const low = cut, *const high = room, *const middle = room + r->runs, before;
    ww__word number = 0;
    for (uint64_t run = 0; run < r->runs; run++) {
        low[run] = run * r->length;
        high[run] = ww__run_end(r, run);
    }
    for (unsigned bit = r->bit_count; bit-- > 0;) {
        const ww__word larger = number | (ww__word)1 << bit;
        before = 0;
        for (uint64_t run = 0; run < r->runs; run++) {
            middle[run] = lower_bound(r, low[run], high[run], larger);
            before += middle[run] - run * r->length;
        }
        const bool reaches = before <= rank;
        memcpy(reaches ? low : high, middle, r->runs * sizeof *middle);
        if (reaches) number = larger;
    }
    before = 0;
    for (uint64_t run = 0; run < r->runs; run++) before += low[run] - run * r->length;
    for (uint64_t run = 0, missing = rank - before; run < r->runs; run++) {
        const uint64_t equal = ww__min_u64(missing, high[run] - low[run]);
        cut[run] += equal;
        missing -= equal;
    }
}
