/* Cutting a network into passes. With windows of 2^w elements
 *     bitonic     all phases up to runs of 2^w are one pass. Then for each doubling of the runs phases with comparators longer
 *                 than a window are a pass each, and the rest, which stay inside windows, one
 *     merge       the same, but at the end of a doubling comparators go from each run of 2^narrow into the next one: steps up
 *                 to an eighth of a window are one pass of windows that overlap. A phase of step k moves what is wrong at a
 *                 window's ends k inwards, all of them together less than two eighths: the halo
 *     odd-even    phases by quarters of a window, which is the halo again */
#include "sort/named/network.h"

enum { HALO_PART = 4, STEP_PART = 8 };

uint32_t ww__network_of(ww_sort_method method) {
    return method == WW_SORT_ODDEVEN         ? NETWORK_ODDEVEN
           : method == WW_SORT_MERGE_NETWORK ? NETWORK_MERGE
                                             : NETWORK_BITONIC;
}

static uint32_t levels(uint64_t n) {
    uint32_t k = 0;
    while (n > (uint64_t)1 << k) k++;
    return k;
}

/* What begins with the phase (wide, narrow). */
static ww__network_pass pass_from(const ww__network *m, uint32_t wide, uint32_t narrow) {
    ww__network_pass p = {false, wide, narrow, 1, 0};
    if (m->kind == NETWORK_ODDEVEN) {
        p.windows = true;
        p.halo = m->window / HALO_PART;
        p.phases = (uint32_t)ww__min_u64(p.halo, m->n - wide);
    } else if (m->kind == NETWORK_BITONIC && (uint64_t)2 << narrow <= m->window) {
        p.windows = true;
        p.phases = narrow + 1;
    } else if (m->kind == NETWORK_MERGE && narrow < wide && (uint64_t)1 << narrow <= m->window / STEP_PART) {
        p.windows = true;
        p.halo = m->window / HALO_PART;
        p.phases = narrow + 1;
    }
    return p;
}

ww__network_pass ww__network_first(const ww__network *m) {
    const bool whole = m->n <= m->window;
    const uint32_t k = levels(whole ? m->n : m->window);
    if (m->kind != NETWORK_ODDEVEN) return (ww__network_pass){true, 0, 0, k * (k + 1) / 2, 0};
    return whole ? (ww__network_pass){true, 0, 0, (uint32_t)m->n, 0} : pass_from(m, 0, 0);
}

bool ww__network_next(const ww__network *m, ww__network_pass *p) {
    uint32_t wide = p->wide, narrow = p->narrow;
    for (uint32_t i = 0; i < p->phases; i++) network_next(m->kind, &wide, &narrow);
    if (m->kind == NETWORK_ODDEVEN ? wide >= m->n : (uint64_t)1 << wide >= m->n) return false;
    *p = pass_from(m, wide, narrow);
    return true;
}

uint32_t ww__network_moves(const ww__network *m) {
    uint32_t moves = 0;
    for (ww__network_pass p = ww__network_first(m); ww__network_next(m, &p);) moves += p.halo != 0;
    return moves;
}
