/* Merging in a block. Runs stand in pairs in shared memory, and each thread merges WW_EACH elements of its pair, which go
 * to its registers; no two lanes of a warp ever want one bank, whatever the elements are:
 *
 *   - A pair's left run stands at the front of the pair's slots in order, its right run at their back in reverse. A
 *     thread that begins at `cut` in the left run then takes neighbouring slots from there up, and neighbouring slots
 *     of the right run down to one that is congruent, modulo WW_EACH, to the slot below `cut`. So it has one slot of
 *     each residue, and in step j all lanes take the one whose residue is j; those of a warp's lanes are WW_EACH times
 *     32 numbers that differ modulo 32, and WW_EACH is odd.
 *   - It puts them into a column of its own, whose places are all in its lane's bank, what is the left run's at the front
 *     in order and what is the right run's at the back in reverse, and merges from there: which place comes next depends
 *     on the elements, the bank does not.
 *
 * Only the search for the cuts, which reads two slots in each of some twelve steps, meets conflicts by chance. (After
 * Berney and Sitchinava, Eliminating Bank Conflicts in GPU Mergesort, who go on with a network in registers; that
 * would not be stable.)
 *
 * An order that is none gives cuts that are no path. Threads see that their neighbour's cut is not where they would end;
 * the round then leaves the runs one behind the other, as they still stand in their slots.
 *
 * WW_THREADS: of the block, a power of two; WW_EACH: an odd number; WW_WAYS: runs that one pass merges, a power of two.
 * A tile leaves a thread free for each pair but one that stands in it, since a pair's last thread may have less. */
#ifndef WW_MERGE_ROUND_CUH
#define WW_MERGE_ROUND_CUH

#include "sort/merge_element.cuh"

enum {
    WAYS = WW_WAYS,
    EACH = WW_EACH,
    TILE = (WW_THREADS - (WAYS / 2 - 1)) * EACH,
    SLOTS = (WW_THREADS + WW_WARP * (WAYS / 2 - 1)) * EACH,
    FLYING = 6 /* elements on their way to a column at once */
};

struct round_shared {
    alignas(16) element slot[SLOTS];
    element column[WW_THREADS * EACH]; /* a warp's columns side by side */
    uint16_t cut[WW_THREADS + 1];
};

/* Two runs that are merged with each other: their slots, how long they are, and the first of their threads. */
struct run_pair {
    uint32_t base, slots, lefts, rights, thread;
};

WW_DEVICE uint32_t most(uint32_t x, uint32_t limit) { return x < limit ? x : limit; }
WW_DEVICE uint32_t above(uint32_t x, uint32_t from) { return x > from ? x - from : 0; }

/* How many of the first `diagonal` elements of the merge are the left run's; in both runs, sorted or not. */
WW_DEVICE uint32_t pair_cut(const element_order &order, const element *slot, const run_pair &p, uint32_t diagonal) {
    const element *const left = slot + p.base, *const right = left + (p.slots - 1);
    uint32_t low = above(diagonal, p.rights), high = most(diagonal, p.lefts);
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (order.before(*(right - (diagonal - 1 - middle)), left[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Brings a thread's part to its column: `lefts` elements of the left run from `cut` on to the front, the others of the
 * right one from `other` on to the back. In step j it takes the slot that is congruent to j, which stands `up` slots above
 * cut in the left run, or as far above where a right part of EACH elements would end. */
WW_DEVICE void take_part(const element *slot, const run_pair &p, uint32_t cut, uint32_t lefts, uint32_t other,
                         element *column) {
    const uint32_t residue = cut % EACH, left = p.base + cut, right = p.base + p.slots - other - EACH;
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
WW_DEVICE uint32_t merge_round(const element_order &order, round_shared &s, const run_pair &p, element (&out)[EACH]) {
    const uint32_t all = p.lefts + p.rights, first = most((threadIdx.x - p.thread) * EACH, all);
    const uint32_t many = most(all - first, EACH), cut = pair_cut(order, s.slot, p, first);
    s.cut[threadIdx.x] = uint16_t(cut);
    __syncthreads();
    const uint32_t end = first + many == all ? p.lefts : s.cut[threadIdx.x + 1], lefts = end - cut;
    const bool path = cut <= end && lefts <= many;
    element *const column = s.column + threadIdx.x / WW_WARP * (WW_WARP * EACH) + threadIdx.x % WW_WARP;
    if (path && many == EACH) {
        take_part(s.slot, p, cut, lefts, first - cut, column);
        merge_column(order, column, lefts, out);
    } else if (path) {
        merge_rest(order, s.slot, p, cut, first - cut, many, column, out);
    }
    if (__syncthreads_or(!path)) {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const uint32_t i = first + k;
            if (k < int(many)) out[k] = s.slot[p.base + (i < p.lefts ? i : p.slots - 1 - (i - p.lefts))];
        }
        __syncthreads();
    }
    return many;
}

/* Puts a thread's elements, which begin `first` elements into a run, where that run is to stand: the left or the right
 * one of a pair. */
WW_DEVICE void put_run(element *slot, const run_pair &p, bool right, uint32_t first, uint32_t many,
                       const element (&out)[EACH]) {
    element *const up = slot + p.base + first, *const down = slot + p.base + p.slots - 1 - first;
    if (many == EACH && right) {
#pragma unroll
        for (int k = 0; k < EACH; k++) down[-k] = out[k];
    } else if (many == EACH) {
#pragma unroll
        for (int k = 0; k < EACH; k++) up[k] = out[k];
    } else {
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (k < int(many)) *(right ? down - k : up + k) = out[k];
    }
}

/* Writes the block's `many` elements, each thread's behind the ones of the thread before, to memory from `first` on. */
WW_DEVICE void write_tile(round_shared &s, const element (&out)[EACH], uint32_t mine, uint32_t many, const elements &to,
                          uint64_t first) {
    element *const slot = s.slot + threadIdx.x * EACH;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (k < int(mine)) slot[k] = out[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (at < many) put_element(to, first + at, s.slot[at]);
    }
}

#endif
