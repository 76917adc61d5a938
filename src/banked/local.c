/* Sorting what lies in a bank, each processor alone in its own: by merging runs of 1, 2, 4, … words from one area into the
 * other, 2 steps a word and round; or, where words are sorted by a few bits, by counting them digit by digit, 7 steps a word
 * and digit and 3 for each value of the digit, as the counters are words of the bank too. */
#include "matrix.h"

typedef struct block { /* of the bank that is being sorted */
    uint64_t from, to, length, mask;
} block;

/* ---- by merging ---- */

static void merge_pair(ww__own *own, const block *b, uint64_t begin, uint64_t run) {
    uint64_t left = begin, right = ww__min_u64(begin + run, b->length), to = b->to + begin;
    const uint64_t middle = right, end = ww__min_u64(begin + 2 * run, b->length);
    uint64_t x = left < middle ? ww__own_read(own, b->from + left) : 0;
    uint64_t y = right < end ? ww__own_read(own, b->from + right) : 0;
    while (left < middle && right < end) {
        if ((y ^ b->mask) < (x ^ b->mask)) {
            ww__own_write(own, to++, y);
            if (++right < end) y = ww__own_read(own, b->from + right);
        } else {
            ww__own_write(own, to++, x);
            if (++left < middle) x = ww__own_read(own, b->from + left);
        }
    }
    while (left < middle) {
        ww__own_write(own, to++, x);
        if (++left < middle) x = ww__own_read(own, b->from + left);
    }
    while (right < end) {
        ww__own_write(own, to++, y);
        if (++right < end) y = ww__own_read(own, b->from + right);
    }
}

static uint32_t rounds_of(uint64_t length) {
    uint32_t rounds = 0;
    while (rounds < 63 && (uint64_t)1 << rounds < length) rounds++;
    return rounds;
}

static void merge_block(ww__own *own, block b) {
    for (uint64_t run = 1; run < b.length; run *= 2) {
        for (uint64_t begin = 0; begin < b.length; begin += 2 * run) merge_pair(own, &b, begin, run);
        const uint64_t from = b.from;
        b.from = b.to;
        b.to = from;
    }
}

/* ---- by counting ---- */

typedef struct digits {
    uint32_t bits, count;
} digits;

static uint64_t counting_steps(digits d, uint64_t length) { return d.count * (7 * length + ((uint64_t)3 << d.bits)); }

/* The widest that take fewest steps. */
static digits digits_of(const ww__run *run, uint64_t length) {
    digits best = {1, run->key_bits};
    for (uint32_t bits = 2; bits < 32 && (uint64_t)1 << bits <= run->counted; bits++) {
        const digits d = {bits, (run->key_bits + bits - 1) / bits};
        if (counting_steps(d, length) < counting_steps(best, length)) best = d;
    }
    return best;
}

static void count_digit(ww__own *own, const ww__run *run, const block *b, uint32_t shift, uint32_t bits) {
    const uint64_t values = (uint64_t)1 << bits;
    uint64_t begin = 0;
    for (uint64_t v = 0; v < values; v++) ww__own_write(own, run->counters + v, 0);
    for (uint64_t k = 0; k < b->length; k++) {
        const uint64_t v = run->counters + ((ww__own_read(own, b->from + k) ^ b->mask) >> shift & (values - 1));
        ww__own_write(own, v, ww__own_read(own, v) + 1);
    }
    for (uint64_t v = 0; v < values; v++) {
        const uint64_t count = ww__own_read(own, run->counters + v);
        ww__own_write(own, run->counters + v, begin);
        begin += count;
    }
    for (uint64_t k = 0; k < b->length; k++) {
        const uint64_t word = ww__own_read(own, b->from + k);
        const uint64_t v = run->counters + ((word ^ b->mask) >> shift & (values - 1));
        const uint64_t place = ww__own_read(own, v);
        ww__own_write(own, v, place + 1);
        ww__own_write(own, b->to + place, word);
    }
}

static void count_block(ww__own *own, const ww__run *run, block b, digits d) {
    for (uint32_t k = 0; k < d.count; k++) {
        count_digit(own, run, &b, run->key_first + k * d.bits, d.bits);
        const uint64_t from = b.from;
        b.from = b.to;
        b.to = from;
    }
}

/* ---- which ---- */

/* Counting takes only what merging would take longer for. */
static bool counts(const ww__run *run, uint64_t length) {
    return run->key_bits && length > 1 &&
           counting_steps(digits_of(run, length), length) < 2 * length * rounds_of(length);
}

uint64_t ww__local_steps(const ww__run *run, uint64_t length) {
    return counts(run, length) ? counting_steps(digits_of(run, length), length) : 2 * length * rounds_of(length);
}

void ww__sort_rows(ww__run *run, const ww__rows *rows, uint64_t length, uint64_t blocks, bool alternate) {
    const bool counting = counts(run, length);
    const digits d = counting ? digits_of(run, length) : (digits){0, 0};
    for (uint32_t p = 0; p < run->machine.banks; p++) {
        if (rows->place[p] == WW__IDLE) continue;
        ww__own own = ww__own_begin(&run->machine, p);
        block b = {run->at, run->other, length, rows->mask[p] ^ (alternate && rows->place[p] % 2 ? UINT64_MAX : 0)};
        for (uint64_t k = 0; k < blocks; k++, b.from += length, b.to += length) {
            if (counting)
                count_block(&own, run, b, d);
            else
                merge_block(&own, b);
        }
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
    if ((counting ? d.count : rounds_of(length)) % 2) ww__turn_areas(run);
}
