/* Merging in a block, of keys with values or of structs (merge_round.cuh). A thread puts what it has taken into a column of its
 * own, whose places are all in its lane's bank, what is the left run's at the front in order and what is the right run's at the
 * back in reverse, and merges from there: which place comes next depends on the elements, the bank does not. Stable. */
#ifndef WW_MERGE_COLUMNS_CUH
#define WW_MERGE_COLUMNS_CUH

#include "sort/merge/merge_round.cuh"

enum { FLYING = 6 /* elements on their way to a column at once */ };

/* Brings a thread's part to its column: `lefts` elements of the left run from `cut` on to the front, the others of the
 * right one from `other` on to the back. In step j it takes the slot that is congruent to j, which stands `up` slots above
 * cut in the left run, or as far above where a right part of EACH elements would end. */
WW_DEVICE void take_part(const element *slot, const run_pair &p, uint32_t cut, uint32_t lefts, uint32_t other,
                         element *column) {
    const uint32_t residue = first_residue(cut), left = p.base + cut, right = p.base + p.slots - other - EACH;
#pragma unroll
    for (int first = 0; first < EACH; first += FLYING) {
        element x[FLYING];
#pragma unroll
        for (int j = first; j < first + FLYING && j < EACH; j++) {
            const uint32_t up = j + (j < int(residue) ? EACH - residue : 0 - residue);
            x[j - first] = slot[up + (up < lefts ? left : right)];
        }
#pragma unroll
        for (int j = first; j < first + FLYING && j < EACH; j++) {
            const uint32_t up = j + (j < int(residue) ? EACH - residue : 0 - residue);
            column[up * WW_WARP] = x[j - first];
        }
    }
}

/* Merges a column. */
WW_DEVICE void merge_column(const element_order &order, const element *column, uint32_t lefts, element (&out)[EACH]) {
    uint32_t i = 0, j = EACH - 1; /* the next of the left run, and of the right one, which goes down to `lefts` */
    element x = column[0], y = column[(EACH - 1) * WW_WARP];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const bool left = i < lefts && (int(j) < int(lefts) || !order.before(y, x));
        out[k] = left ? x : y;
        i += left;
        j -= !left;
        if (k + 1 < EACH) {
            const element next = column[(left ? i : j) * WW_WARP];
            if (left)
                x = next;
            else
                y = next;
        }
    }
}

/* The same for the last thread of a pair, which has `many` elements: from where they stand, by way of its column. */
WW_DEVICE void merge_rest(const element_order &order, const element *slot, const run_pair &p, uint32_t i, uint32_t j,
                          uint32_t many, element *column, element (&out)[EACH]) {
    const element *const left = slot + p.base, *const right = left + (p.slots - 1);
#pragma unroll 1
    for (uint32_t k = 0; k < many; k++) {
        const bool from_left = j == p.rights || (i < p.lefts && !order.before(*(right - j), left[i]));
        column[k * WW_WARP] = from_left ? left[i] : *(right - j);
        i += from_left;
        j += !from_left;
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (k < int(many)) out[k] = column[k * WW_WARP];
}

/* Every thread merges its part of its pair; returns how many elements it has. The slots are free afterwards. */
WW_DEVICE uint32_t merge_round(const element_order &order, round_shared &s, const run_pair &p, bool in_warp, bool &,
                               element (&out)[EACH]) {
    const round_part part = find_part(order, s, p, in_warp);
    element *const column = s.column + threadIdx.x / WW_WARP * (WW_WARP * EACH) + threadIdx.x % WW_WARP;
    if (part.path && part.many == EACH) {
        take_part(s.slot, p, part.cut, part.lefts, part.first - part.cut, column);
        merge_column(order, column, part.lefts, out);
    } else if (part.path) {
        merge_rest(order, s.slot, p, part.cut, part.first - part.cut, part.many, column, out);
    }
    end_round(s, p, in_warp, part, out);
    return part.many;
}

#endif
