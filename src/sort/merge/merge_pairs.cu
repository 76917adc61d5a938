/* A pass of few elements along the merge path, in one launch: every block finds where its tile begins and ends in the two runs that
 * it merges, a warp for each, which asks 32 places at once.
 *
 * An order that is none gives cuts that are no path. A block that sees it writes nothing, and the pass is none (merge_mend.cuh). */
#if WW_ALONE
#include "sort/merge/merge_bitonic.cuh"
#else
#include "sort/merge/merge_columns.cuh"
#endif
#include "sort/merge/merge_bring.cuh"
#include "sort/merge/merge_mend.cuh"

static_assert(WAYS == 2 && WW_THREADS >= 2 * WW_WARP, "a warp finds a cut");

struct pairs_shared {
    round_shared round;
    alignas(16) uint64_t cut[2];
};

/* How many of the first `diagonal` elements of the merge of two runs are the left one's. All lanes get it. */
WW_DEVICE uint64_t warp_cut(const element_order &order, const ww_key *left, const ww_key *right, uint64_t lefts, uint64_t rights,
                            uint64_t diagonal) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint64_t low = diagonal > rights ? diagonal - rights : 0, high = least(diagonal, lefts);
    while (low < high) {
        const uint64_t step = (high - low + WW_WARP - 1) / WW_WARP, middle = low + lane * step;
        bool comes = false; /* the left run's element there is among the first */
        if (middle < high) {
            element x, y;
            x.key = left[middle];
            y.key = right[diagonal - 1 - middle];
            comes = !order.before(y, x);
        }
        const uint32_t those = __ballot_sync(WW_ALL, comes), many = uint32_t(ww_ffs(~those)) - 1; /* 32 of them: -1 of 0 */
        const uint64_t taken = those == WW_ALL ? WW_WARP : many;
        high = least(high, low + taken * step);
        if (taken) low += (taken - 1) * step + 1;
    }
    return low;
}

WW_GPU_KERNEL_HELD(merge_pairs, pairs_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(pairs_shared, s);
    ww_in_line();
#if WW_CHECKED
    if (*a.left) return;
#endif
    const element_order order(a.far);
    const uint32_t in_group = uint32_t(a.in_group);
    const uint64_t group = blockIdx.x / in_group * (2 * a.run), count = least(a.n - group, 2 * a.run);
    const uint64_t begin = blockIdx.x % in_group * uint64_t(TILE), end = least(begin + TILE, count);
    const uint64_t lefts = least(count, a.run), rights = count - lefts;
    const uint32_t warp = threadIdx.x / WW_WARP;
    if (warp < 2) {
        const ww_key *const keys = a.in.keys + group;
        const uint64_t cut = warp_cut(order, keys, keys + lefts, lefts, rights, warp ? end : begin);
        if (threadIdx.x % WW_WARP == 0) s.cut[warp] = cut;
    }
    bool straight = WW_CHECKED && *a.ties;
    __syncthreads();
    const uint64_t cut = s.cut[0], cut_end = s.cut[1];
    if (WW_CHECKED && (cut > cut_end || cut_end - cut > end - begin)) {
        if (threadIdx.x == 0) atomicOr(a.broken, 1u);
        return;
    }
    run_pair p;
    p.base = p.thread = 0;
    p.slots = SLOTS;
    p.lefts = uint32_t(cut_end - cut);
    p.rights = uint32_t(end - begin) - p.lefts;
    bring_part<1>(a.in, group + cut, p.lefts, s.round.slot);
    bring_part<-1>(a.in, group + lefts + (begin - cut), p.rights, s.round.slot + SLOTS - 1);
    ww_copies_wait();
    __syncthreads();
    element out[EACH];
    const uint32_t mine = merge_round(order, s.round, p, false, straight, out);
    write_tile(s.round, out, mine, uint32_t(end - begin), a.out, group + begin);
}
