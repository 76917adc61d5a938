/* Merging in a block. Runs stand in pairs in shared memory, and each thread merges WW_EACH elements of its pair, which go
 * to its registers; no two lanes of a warp ever want one bank, whatever the elements are:
 *
 *   - A pair's left run stands at the front of the pair's slots in order, its right run at their back in reverse. A
 *     thread that begins at `cut` in the left run then takes neighbouring slots from there up, and neighbouring slots
 *     of the right run down to one that is congruent, modulo WW_EACH, to the slot below `cut`. So it has one slot of
 *     each residue, and in step j all lanes take the one whose residue is j; those of a warp's lanes are WW_EACH times
 *     32 numbers that differ modulo 32, and WW_EACH is odd.
 *   - What it has taken rises and then falls, counted round. Keys alone are sorted from there by a network in registers
 *     (merge_bitonic.cuh); others go by way of a column in memory (merge_columns.cuh).
 *
 * With WW_PLAIN a thread's slots come in the order of its parts instead, as in a merge that knows nothing of banks: some three
 * or four lanes want the same one then, more where an input is made for that (method merge-plain, for comparing).
 *
 * Only the search for the cuts, which reads two slots in each of some twelve steps, meets conflicts by chance. (After
 * Berney and Sitchinava, Eliminating Bank Conflicts in GPU Mergesort.)
 *
 * An order that is none gives cuts that are no path. Threads see that their neighbour's cut is not where they would end;
 * the round then leaves the runs one behind the other, as they still stand in their slots.
 *
 * WW_PLAIN: 0, or 1 as above. WW_ALONE: 1 where keys are numbers and nothing goes with them. WW_CHECKED: 0 where the order is one of the library's.
 * WW_THREADS: of the block, a power of two; WW_EACH: an odd number; WW_WAYS: runs that one pass merges, a power of two.
 * A tile leaves a thread free for each pair but one that stands in it, since a pair's last thread may have less. */
#ifndef WW_MERGE_ROUND_CUH
#define WW_MERGE_ROUND_CUH

#include "sort/merge/merge_element.cuh"

enum {
    WAYS = WW_WAYS,
    EACH = WW_EACH,
    TILE = (WW_THREADS - (WAYS / 2 - 1)) * EACH,
    SLOTS = (WW_THREADS + WW_WARP * (WAYS / 2 - 1)) * EACH
};

struct round_shared {
    alignas(16) element slot[SLOTS];
#if !WW_ALONE
    element column[WW_THREADS * EACH]; /* a warp's columns side by side */
#endif
    uint16_t cut[WW_THREADS + 1];
};

/* Two runs that are merged with each other: their slots, how long they are, and the first of their threads. */
struct run_pair {
    uint32_t base, slots, lefts, rights, thread;
};

WW_DEVICE uint32_t most(uint32_t x, uint32_t limit) { return x < limit ? x : limit; }
WW_DEVICE uint32_t above(uint32_t x, uint32_t from) { return x > from ? x - from : 0; }

/* Threads of a pair wait for one another: those of a warp where it has them all. */
WW_DEVICE void meet(bool in_warp) {
    if (in_warp)
        __syncwarp();
    else
        __syncthreads();
}

/* The same, and whether any of them says so. */
WW_DEVICE bool meet_or(bool in_warp, bool says) {
    if (!in_warp) return __syncthreads_or(says);
    __syncwarp();
    return __any_sync(WW_ALL, says);
}

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

/* A thread's part of a merge: `many` elements from `first` on, of which `lefts` are the left run's, from `cut` on, and the others
 * the right one's, from `first - cut` on. `path`: the cuts of all threads are one, as they are by any order. */
struct round_part {
    uint32_t first, many, cut, lefts;
    bool path;
};

WW_DEVICE round_part find_part(const element_order &order, round_shared &s, const run_pair &p, bool in_warp) {
    const uint32_t all = p.lefts + p.rights;
    round_part part;
    part.first = most((threadIdx.x - p.thread) * EACH, all);
    part.many = most(all - part.first, EACH);
    part.cut = pair_cut(order, s.slot, p, part.first);
    s.cut[threadIdx.x] = uint16_t(part.cut);
    meet(in_warp);
    const uint32_t end = part.first + part.many == all ? p.lefts : s.cut[threadIdx.x + 1];
    part.lefts = end - part.cut;
    part.path = !WW_CHECKED || (part.cut <= end && part.lefts <= part.many);
    return part;
}

/* Which of its slots a thread that begins at `cut` takes first, of as many residues as there are. */
WW_DEVICE uint32_t first_residue(uint32_t cut) { return WW_PLAIN ? 0 : cut % EACH; }

/* Waits until all have taken their parts. Where the cuts of any are no path, all take theirs of the runs one behind the other, as
 * they still stand. */
WW_DEVICE void end_round(const round_shared &s, const run_pair &p, bool in_warp, const round_part &part, element (&out)[EACH]) {
    if (!WW_CHECKED) return meet(in_warp);
    if (!meet_or(in_warp, !part.path)) return;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t i = part.first + k;
        if (k < int(part.many)) out[k] = s.slot[p.base + (i < p.lefts ? i : p.slots - 1 - (i - p.lefts))];
    }
    meet(in_warp);
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
