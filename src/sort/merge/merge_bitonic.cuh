/* Merging in a block, of keys alone (merge_round.cuh). What a thread has taken rises from some place on and then falls, counted
 * round: it is bitonic, and is sorted by a network in registers that has a third to a half of another's comparators.
 *
 * A network is not stable. That shows only where two keys are equal in the order and yet not the same: then neighbours of
 * what it has sorted are, and the thread merges anew, straight from the slots. The library's own orders have no such keys.
 * Where a tile has them, those that are merged later do without the network.
 *
 * For EACH = 3 m elements: those that are m apart are sorted three by three. Then the lower third has no element above one of
 * the middle third, nor that one above the upper third, and each is bitonic again: of zeros and ones the ones stand side by
 * side, counted round, so that all columns but those beside one another have equally many. (Batcher's halves, in thirds.) */
#ifndef WW_MERGE_BITONIC_CUH
#define WW_MERGE_BITONIC_CUH

#include "sort/merge/merge_round.cuh"

WW_DEVICE void put_in_order(const element_order &order, element &x, element &y) {
    const bool turned = order.before(y, x);
    const element low = turned ? y : x, high = turned ? x : y;
    x = low;
    y = high;
}

/* N elements from FROM on, however they stand, by Batcher's odd-even merges: runs of P are merged, by comparators of K places. */
template <int N, int FROM, int P, int K>
WW_DEVICE void sort_any(const element_order &order, element (&x)[EACH]) {
#pragma unroll
    for (int i = K % P; i + K < N; i++)
        if ((i - K % P) / K % 2 == 0 && i / (2 * P) == (i + K) / (2 * P)) put_in_order(order, x[FROM + i], x[FROM + i + K]);
    if constexpr (K > 1)
        sort_any<N, FROM, P, K / 2>(order, x);
    else if constexpr (2 * P < N)
        sort_any<N, FROM, 2 * P, 2 * P>(order, x);
}

/* The same where they are bitonic. */
template <int N, int FROM>
WW_DEVICE void sort_bitonic(const element_order &order, element (&x)[EACH]) {
    if constexpr (N > 3 && N % 3 == 0) {
        constexpr int M = N / 3;
#pragma unroll
        for (int i = FROM; i < FROM + M; i++) {
            put_in_order(order, x[i], x[i + M]);
            put_in_order(order, x[i + M], x[i + 2 * M]);
            put_in_order(order, x[i], x[i + M]);
        }
        sort_bitonic<M, FROM>(order, x);
        sort_bitonic<M, FROM + M>(order, x);
        sort_bitonic<M, FROM + 2 * M>(order, x);
    } else {
        sort_any<N, FROM, 1, 1>(order, x);
    }
}

/* Takes a thread's EACH elements: `lefts` of the left run from `cut` on, the others of the right one from `other` on. Slot j of
 * what comes out has the one that is congruent to j. Counted round, j goes through the left part and the right part, one of
 * which goes on at the begin: three stretches. */
WW_DEVICE void take_part(const element *slot, const run_pair &p, uint32_t cut, uint32_t lefts, uint32_t other,
                         element (&x)[EACH]) {
    const uint32_t residue = first_residue(cut), behind = residue + lefts;
    const element *const left = slot + p.base + cut - residue;
    const element *const right = slot + p.base + p.slots - other - EACH - residue;
    const bool left_goes_round = behind > EACH;
    const int second = int(left_goes_round ? behind - EACH : residue), third = int(left_goes_round ? residue : behind);
    const element *const at_first = (left_goes_round ? left : right) + EACH;
    const element *const at_second = left_goes_round ? right + EACH : left, *const at_third = left_goes_round ? left : right;
#pragma unroll
    for (int j = 0; j < EACH; j++) x[j] = (j < second ? at_first : j < third ? at_second : at_third)[j];
}

/* The same for a thread that has `many`: the pair's greatest element, which is returned, stands for those that are missing,
 * between the left ones and the right ones, and comes last. */
WW_DEVICE element take_rest(const element_order &order, const element *slot, const run_pair &p, uint32_t cut, uint32_t lefts,
                            uint32_t other, uint32_t many, element (&x)[EACH]) {
    const uint32_t last_left = p.base + p.lefts - 1, last_right = p.base + p.slots - p.rights;
    const bool right_last = !p.lefts || (p.rights && order.before(slot[last_left], slot[last_right]));
    const uint32_t last = right_last ? last_right : last_left, left = p.base + cut, right = p.base + p.slots - other - EACH;
    const uint32_t residue = first_residue(cut);
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        const uint32_t up = j + (j < int(residue) ? EACH - residue : 0 - residue);
        x[j] = slot[up < lefts ? left + up : up < lefts + EACH - many ? last : right + up];
    }
    return slot[last];
}

/* Whether a network may have changed the order of equal keys: what it has sorted says so. */
WW_DEVICE bool has_ties(const element_order &order, const element (&x)[EACH]) {
    bool ties = false;
#if WW_CHECKED
#pragma unroll
    for (int k = 0; k + 1 < EACH; k++)
        ties |= !order.before(x[k], x[k + 1]) & !same_bits(x[k].key, x[k + 1].key);
#endif
    return ties;
}

/* Whether what stands behind the `many` is what take_rest put there: always, unless the order is none. */
WW_DEVICE bool rest_is(const element &last, uint32_t many, const element (&x)[EACH]) {
    bool is = true;
#if WW_CHECKED
#pragma unroll
    for (int k = 0; k < EACH; k++) is &= k < int(many) || same_bits(x[k].key, last.key);
#endif
    return is;
}

/* Merges a thread's `many` elements from where they stand, stably: from i on in the left run, from j on in the right one. */
WW_DEVICE void merge_straight(const element_order &order, const element *slot, const run_pair &p, uint32_t i, uint32_t j,
                              uint32_t lefts, uint32_t many, element (&out)[EACH]) {
    const element *const left = slot + p.base, *const right = left + (p.slots - 1);
    const uint32_t i_end = i + lefts, j_end = j + many - lefts;
    element x, y;
    if (i < i_end) x = left[i];
    if (j < j_end) y = *(right - j);
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        if (k >= int(many)) continue;
        const bool from_left = j == j_end || (i < i_end && !order.before(y, x));
        out[k] = from_left ? x : y;
        i += from_left;
        j += !from_left;
        if (from_left && i < i_end) x = left[i];
        if (!from_left && j < j_end) y = *(right - j);
    }
}

/* Every thread merges its part of its pair; returns how many elements it has. The slots are free afterwards. `straight`: a warp
 * does without the network, and goes on so. */
WW_DEVICE uint32_t merge_round(const element_order &order, round_shared &s, const run_pair &p, bool in_warp, bool &straight,
                               element (&out)[EACH]) {
    const round_part part = find_part(order, s, p, in_warp);
    const uint32_t many = part.many, cut = part.cut, other = part.first - cut;
    bool ties = false;
    if (part.path && many && !straight) {
        element last;
        if (many == EACH)
            take_part(s.slot, p, cut, part.lefts, other, out);
        else
            last = take_rest(order, s.slot, p, cut, part.lefts, other, many, out);
        sort_bitonic<EACH, 0>(order, out);
        ties = has_ties(order, out) || (many < EACH && !rest_is(last, many, out));
    }
    if (WW_CHECKED && part.path && (ties || straight)) merge_straight(order, s.slot, p, cut, other, part.lefts, many, out);
    straight = straight || (WW_CHECKED && __any_sync(WW_ALL, ties));
    end_round(s, p, in_warp, part, out);
    return many;
}

#endif
