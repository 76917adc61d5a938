/* The last labels of a permutation, appendix B of Afshani and Sitchinava (2015): packed into a narrow matrix, sorted, and sent.
 *
 * Packing: rows with too many labels give some to a row at a random distance, the same one for all, so that rows are matched;
 * only those that have few take any. Sorted by where they go, a row's labels that go neither to its first one's row nor to its
 * last one's are the only ones that go to theirs, and are sent at any time. The others are sent in the step that is their
 * column's number, those like the first and those like the last one after another: so no two of them touch one bank either. */
#include "order.h"
#include "permute.h"

/* One match: rows with more than `packed` labels give to the row `apart` behind them. */
static void match(ww__permutation *p, uint64_t packed, uint32_t apart) {
    ww__run *run = p->run;
    ww__machine *m = &run->machine;
    uint64_t *given = run->item, *had = run->column;
    for (uint32_t q = 0; q < m->banks; q++) ww__bank_write(m, q, q, p->mail, p->left[q]);
    ww__step(m);
    for (uint32_t q = 0; q < m->banks; q++) {
        given[q] = 0;
        if (p->left[q] <= packed) continue;
        had[q] = ww__bank_read(m, q, (uint32_t)(((uint64_t)q + apart) % m->banks), p->mail);
        if (had[q] < packed) given[q] = ww__min_u64(packed - had[q], p->left[q] - packed);
    }
    ww__step(m);
    for (uint64_t k = 0; k < packed; k++) {
        for (uint32_t q = 0; q < m->banks; q++)
            if (k < given[q]) run->word[q] = ww__bank_read(m, q, q, run->at + p->left[q] - 1 - k);
        ww__step(m);
        for (uint32_t q = 0; q < m->banks; q++)
            if (k < given[q])
                ww__bank_write(m, q, (uint32_t)(((uint64_t)q + apart) % m->banks), run->at + had[q] + k, run->word[q]);
        ww__step(m);
    }
    for (uint32_t q = 0; q < m->banks; q++)
        if (given[q]) ww__bank_write(m, q, (uint32_t)(((uint64_t)q + apart) % m->banks), p->mail, had[q] + given[q]);
    ww__step(m);
    for (uint32_t q = 0; q < m->banks; q++)
        if (p->left[q] <= packed) p->left[q] = ww__bank_read(m, q, q, p->mail);
    ww__step(m);
    for (uint32_t q = 0; q < m->banks; q++) p->left[q] -= given[q];
}

/* Between looks at whether all rows have few labels. */
enum { MATCHES = 4 };

static void pack(ww__permutation *p, uint64_t packed) {
    const uint32_t banks = p->run->machine.banks;
    while (!p->run->machine.refused && ww__tell_all_left(p).most > packed)
        for (int k = 0; k < MATCHES; k++) match(p, packed, (uint32_t)(1 + ww__tell_all_random(p) % (banks - 1)));
}

static void fill_rows(ww__permutation *p, uint64_t packed) {
    for (uint32_t q = 0; q < p->run->machine.banks; q++) {
        ww__own own = ww__own_begin(&p->run->machine, q);
        for (uint64_t c = p->left[q]; c < packed; c++) ww__own_write(&own, p->run->at + c, UINT64_MAX);
        ww__own_end(&own);
    }
    ww__alone_end(&p->run->machine);
}

/* The rows that a processor's first and last labels go to, noted when they are sorted; UINT64_MAX: none. */
static void look_at_ends(ww__permutation *p, uint64_t packed, uint64_t *first, uint64_t *last) {
    for (uint32_t q = 0; q < p->run->machine.banks; q++) {
        ww__own own = ww__own_begin(&p->run->machine, q);
        first[q] = last[q] = UINT64_MAX;
        for (uint64_t c = 0; c < packed; c++) {
            const uint64_t word = ww__own_read(&own, p->run->at + c);
            if (word == UINT64_MAX) break;
            last[q] = ww__label(word) / p->width;
            if (!c) first[q] = last[q];
        }
        ww__own_end(&own);
    }
    ww__alone_end(&p->run->machine);
}

static void send_middle(ww__permutation *p, uint64_t packed, const uint64_t *first, const uint64_t *last) {
    ww__run *run = p->run;
    ww__machine *m = &run->machine;
    for (uint64_t c = 0; c < packed; c++) {
        for (uint32_t q = 0; q < m->banks; q++) run->word[q] = ww__bank_read(m, q, q, run->at + c);
        ww__step(m);
        for (uint32_t q = 0; q < m->banks; q++) {
            const uint64_t label = ww__label(run->word[q]), row = label / p->width;
            if (run->word[q] == UINT64_MAX || row == first[q] || row == last[q]) continue;
            ww__bank_write(m, q, (uint32_t)row, p->arrived + label % p->width, run->word[q]);
        }
        ww__step(m);
    }
}

/* Labels that go to row to[q], in the step of their column; `from` is the first that may be one. */
static void send_by_columns(ww__permutation *p, uint64_t packed, const uint64_t *to, uint64_t *from) {
    ww__run *run = p->run;
    ww__machine *m = &run->machine;
    for (uint32_t q = 0; q < m->banks; q++) run->word[q] = UINT64_MAX;
    for (uint64_t j = 0; j < p->width; j++) {
        for (uint32_t q = 0; q < m->banks; q++) /* the next one, where none is held */
            if (to[q] != UINT64_MAX && run->word[q] == UINT64_MAX && from[q] < packed)
                run->word[q] = ww__bank_read(m, q, q, run->at + from[q]++);
        ww__step(m);
        for (uint32_t q = 0; q < m->banks; q++) {
            const uint64_t label = ww__label(run->word[q]);
            if (run->word[q] == UINT64_MAX || label != to[q] * p->width + j) continue;
            ww__bank_write(m, q, (uint32_t)to[q], p->arrived + j, run->word[q]);
            run->word[q] = UINT64_MAX;
        }
        ww__step(m);
    }
}

/* Where the labels begin that go to the last one's row. */
static void find_last(ww__permutation *p, uint64_t packed, const uint64_t *last, uint64_t *from) {
    for (uint32_t q = 0; q < p->run->machine.banks; q++) {
        ww__own own = ww__own_begin(&p->run->machine, q);
        from[q] = 0;
        while (last[q] != UINT64_MAX && from[q] < packed &&
               ww__label(ww__own_read(&own, p->run->at + from[q])) / p->width != last[q])
            from[q]++;
        ww__own_end(&own);
    }
    ww__alone_end(&p->run->machine);
}

ww_status ww__permute_rest(ww__permutation *p, uint64_t packed) {
    ww__run *run = p->run;
    const uint32_t banks = run->machine.banks;
    uint64_t *first, *last;
    WW_TRY(ww__scratch_array(run->device, banks, sizeof *first, &first));
    WW_TRY(ww__scratch_array(run->device, banks, sizeof *last, &last));
    pack(p, packed);
    fill_rows(p, packed);
    ww__rows narrow = p->rows;
    narrow.width = packed;
    WW_TRY(ww__sort_matrices(run, &narrow, WW__HOW_AUTO));
    look_at_ends(p, packed, first, last);
    send_middle(p, packed, first, last);
    for (uint32_t q = 0; q < banks; q++) run->item[q] = 0;
    send_by_columns(p, packed, first, run->item);
    for (uint32_t q = 0; q < banks; q++)
        if (last[q] == first[q]) last[q] = UINT64_MAX;
    find_last(p, packed, last, run->item);
    send_by_columns(p, packed, last, run->item);
    return WW_OK;
}
