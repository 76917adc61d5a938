/* Permuting by hashed colours, theorem 4 of Afshani and Sitchinava (2015).
 *
 *   Shuffle      Each row is shifted by a random amount, and squares of the matrix are transposed: labels that go to one row
 *                are then in rows that have little to do with each other.
 *   Colour       Label (i, j), which goes to column j of row i, has colour (h(i) + j) mod width, h being a random hash that all
 *                know. For each row i every colour is there once.
 *   Communicate  In step c every row sends a label of colour c: no two go to one row. Some REPEATS times, as a row has about
 *                one label of a colour.
 *   Synchronise  What is left is counted. With a new hash it goes on, until little is left; the rest is sorted (finish.c).
 *
 * In each round the labels that are left are raised to a power, so to speak: log log (n / what may be left) rounds. The hash
 * is a mixing of 64 bits with a random word, told in 2 log2 m steps, in the place of Pagh and Pagh's family. */
#include "permute.h"

enum { REPEATS = 3 };

static uint64_t next_random(uint64_t *state) { return ww__mixed(*state += 0x9e3779b97f4a7c15u); }

uint64_t ww__tell_all_random(ww__permutation *p) {
    ww__machine *m = &p->run->machine;
    const uint64_t word = next_random(&p->random);
    for (uint32_t told = 1; told < m->banks; told *= 2) {
        for (uint32_t q = 0; q < told && q + told < m->banks; q++) ww__bank_write(m, q, q + told, p->mail, word);
        ww__step(m);
        for (uint32_t q = told; q < 2 * told && q < m->banks; q++) ww__bank_read(m, q, q, p->mail);
        ww__step(m);
        if (told > UINT32_MAX / 2) break;
    }
    return word;
}

ww__left_over ww__tell_all_left(ww__permutation *p) {
    ww__machine *m = &p->run->machine;
    uint64_t *sum = p->run->word, *most = p->run->item;
    for (uint32_t q = 0; q < m->banks; q++) sum[q] = most[q] = p->left[q];
    /* Two words go to the processor `apart` before, if it is there; a round is 4 steps. */
    for (uint64_t apart = 1; apart < m->banks; apart *= 2) {
        for (int part = 0; part < 2; part++) {
            for (uint64_t q = apart; q < m->banks; q += 2 * apart)
                ww__bank_write(m, (uint32_t)q, (uint32_t)(q - apart), p->mail, part ? most[q] : sum[q]);
            ww__step(m);
            for (uint64_t q = 0; q + apart < m->banks; q += 2 * apart) {
                const uint64_t got = ww__bank_read(m, (uint32_t)q, (uint32_t)q, p->mail);
                if (!part)
                    sum[q] += got;
                else if (got > most[q])
                    most[q] = got;
            }
            ww__step(m);
        }
    }
    const ww__left_over all = {sum[0], most[0]};
    for (int part = 0; part < 2; part++) { /* as ww__tell_all_random does */
        for (uint64_t told = 1; told < m->banks; told *= 2) {
            for (uint64_t q = 0; q < told && q + told < m->banks; q++)
                ww__bank_write(m, (uint32_t)q, (uint32_t)(q + told), p->mail, part ? all.most : all.sum);
            ww__step(m);
            for (uint64_t q = told; q < 2 * told && q < m->banks; q++)
                ww__bank_read(m, (uint32_t)q, (uint32_t)q, p->mail);
            ww__step(m);
        }
    }
    return all;
}

/* ---- shuffle ---- */

static void shift_rows(ww__permutation *p) {
    ww__run *run = p->run;
    for (uint32_t q = 0; q < run->machine.banks; q++) {
        ww__own own = ww__own_begin(&run->machine, q);
        /* Each processor draws for itself. */
        const uint64_t by = ww__mixed(p->random + (uint64_t)q * 0x9e3779b97f4a7c15u) % p->width;
        for (uint64_t c = 0, to = by; c < p->width; c++, to = to + 1 == p->width ? 0 : to + 1)
            ww__own_write(&own, run->other + to, ww__own_read(&own, run->at + c));
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
    ww__turn_areas(run);
}

/* Squares, as many as there are; what is beside them stays. In step d row i sends its column (i + d) mod side. */
static void transpose_squares(ww__permutation *p) {
    ww__run *run = p->run;
    ww__machine *m = &run->machine;
    const uint32_t side = p->width < m->banks ? (uint32_t)p->width : m->banks, squares = m->banks / side * side;
    const uint64_t end = p->width / side * side;
    for (uint64_t c = 0; c < p->width; c++) {
        const uint64_t left = c / side * side;
        for (int half = 0; half < 2; half++) {
            for (uint32_t q = 0; q < m->banks; q++) {
                const bool stays = q >= squares || c >= end;
                const uint32_t i = q % side, t = (uint32_t)((i + c) % side);
                if (!half)
                    run->word[q] = ww__bank_read(m, q, q, run->at + (stays ? c : left + t));
                else if (stays)
                    ww__bank_write(m, q, q, run->other + c, run->word[q]);
                else
                    ww__bank_write(m, q, q - i + t, run->other + left + i, run->word[q]);
            }
            ww__step(m);
        }
    }
    ww__turn_areas(run);
}

/* ---- a round ---- */

static inline uint64_t colour(const ww__permutation *p, uint64_t hash, uint64_t word) {
    const uint64_t label = ww__label(word), i = label / p->width;
    return (ww__mixed(i ^ hash) % p->width + label % p->width) % p->width;
}

/* Each row by colours, counted; a counter then says where its colour begins. */
static void sort_by_colour(ww__permutation *p, uint64_t hash) {
    ww__run *run = p->run;
    for (uint32_t q = 0; q < run->machine.banks; q++) {
        ww__own own = ww__own_begin(&run->machine, q);
        for (uint64_t c = 0; c <= p->width; c++) ww__own_write(&own, run->counters + c, 0);
        for (uint64_t k = 0; k < p->left[q]; k++) {
            const uint64_t at = run->counters + colour(p, hash, ww__own_read(&own, run->at + k));
            ww__own_write(&own, at, ww__own_read(&own, at) + 1);
        }
        uint64_t end = 0;
        for (uint64_t c = 0; c <= p->width; c++) {
            end += ww__own_read(&own, run->counters + c);
            ww__own_write(&own, run->counters + c, end);
        }
        for (uint64_t k = 0; k < p->left[q]; k++) {
            const uint64_t word = ww__own_read(&own, run->at + k), at = run->counters + colour(p, hash, word);
            const uint64_t place = ww__own_read(&own, at) - 1;
            ww__own_write(&own, at, place);
            ww__own_write(&own, run->other + place, word);
        }
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
    ww__turn_areas(run);
}

static void communicate(ww__permutation *p) {
    ww__run *run = p->run;
    ww__machine *m = &run->machine;
    uint64_t *next = run->item, *end = run->column;
    for (uint32_t q = 0; q < m->banks; q++) end[q] = 0; /* where colour 0 begins */
    for (uint64_t c = 0; c < p->width; c++) {
        for (uint32_t q = 0; q < m->banks; q++) {
            next[q] = end[q];
            end[q] = ww__bank_read(m, q, q, run->counters + c + 1);
        }
        ww__step(m);
        for (int k = 0; k < REPEATS; k++) {
            for (uint32_t q = 0; q < m->banks; q++)
                if (next[q] < end[q]) run->word[q] = ww__bank_read(m, q, q, run->at + next[q]);
            ww__step(m);
            for (uint32_t q = 0; q < m->banks; q++) {
                if (next[q] >= end[q]) continue;
                const uint64_t label = ww__label(run->word[q]);
                ww__bank_write(m, q, (uint32_t)(label / p->width), p->arrived + label % p->width, run->word[q]);
                next[q]++;
            }
            ww__step(m);
        }
    }
}

/* What has not been sent moves to the beginning of its row. */
static void keep_rest(ww__permutation *p) {
    ww__run *run = p->run;
    for (uint32_t q = 0; q < run->machine.banks; q++) {
        ww__own own = ww__own_begin(&run->machine, q);
        uint64_t kept = 0, begin = ww__own_read(&own, run->counters);
        for (uint64_t c = 0; c < p->width; c++) {
            const uint64_t end = ww__own_read(&own, run->counters + c + 1);
            for (uint64_t k = begin + REPEATS; k < end; k++)
                ww__own_write(&own, run->at + kept++, ww__own_read(&own, run->at + k));
            begin = end;
        }
        p->left[q] = kept;
        ww__own_end(&own);
    }
    ww__alone_end(&run->machine);
}

/* ---- */

/* Columns of a matrix for the labels that are left when the rounds end: width / (64 L^3), L = log m / log width, at least 1. */
static uint64_t packed_columns(const ww__permutation *p) {
    uint64_t l = 1;
    for (uint64_t reach = p->width; p->width > 1 && reach < p->run->machine.banks; reach *= p->width) l++;
    const uint64_t columns = p->width / (64 * l * l * l);
    return columns ? columns : 1;
}

ww_status ww__permute_at_random(ww__permutation *p) {
    const uint32_t banks = p->run->machine.banks;
    const uint64_t packed = packed_columns(p);
    shift_rows(p);
    transpose_squares(p);
    for (uint32_t q = 0; q < banks; q++) p->left[q] = p->width;
    while (!p->run->machine.refused) {
        sort_by_colour(p, ww__tell_all_random(p));
        communicate(p);
        keep_rest(p);
        const ww__left_over left = ww__tell_all_left(p);
        if (!left.sum) return WW_OK;
        if (left.sum <= banks * packed / 2) return ww__permute_rest(p, packed);
    }
    return WW_OK;
}
