/* The parts of levels in which a block's queries belong: those come in the order of order.cu, by their keys, so that what each of them is
 * looked for in is short. */
#ifndef WW_LSM_PARTS_CUH
#define WW_LSM_PARTS_CUH

#include "dictionary/lsm/logic.cuh"

enum {
    PART_LANES = 16, /* look for one place together */
    PART_GROUPS = WW_THREADS / PART_LANES,
    PART_WARPS = WW_THREADS / WW_WARP
};

struct block_parts {
    ww_key least[PART_WARPS], most[PART_WARPS]; /* of each warp's keys */
    uint64_t place[2 * WW_LSM_RUNS];            /* where the block's least and most belong in each level */
};

/* The first of `count` places of a level whose key is not below `key`. PART_LANES neighbours look for it together: fewer steps, more
 * memory touched. All lanes of the warp call it. */
WW_DEVICE uint64_t bound_of_lanes(const ww_lsm_run *r, uint64_t count, ww_key key) {
    const uint32_t lane = threadIdx.x % PART_LANES, begin = threadIdx.x % WW_WARP - lane;
    uint64_t low = 0, high = count;
    while (__any_sync(WW_ALL, low < high)) {
        const uint64_t step = (high - low + PART_LANES) / (PART_LANES + 1), middle = low + (lane + 1) * step - 1;
        bool behind = true;
        if (low < high && middle < high) behind = lsm_key(r, middle) >= key;
        const uint32_t are_behind = __ballot_sync(WW_ALL, behind) >> begin & ((1u << PART_LANES) - 1);
        if (low < high) {
            const uint32_t first = are_behind ? __ffs(int(are_behind)) - 1 : PART_LANES;
            const uint64_t end = low + (first + 1) * step - 1;
            low += first * step;
            if (first < PART_LANES && end < high) high = end;
        }
    }
    return low;
}

/* The least and the largest of a warp's keys, for all to see. */
WW_DEVICE void put_ends(bool is, ww_key key, block_parts &s) {
    ww_key least = is ? key : ww_key(~ww_key(0)), most = is ? key : 0;
    for (int by = WW_WARP / 2; by; by /= 2) {
        const ww_key other_least = __shfl_xor_sync(WW_ALL, least, by), other_most = __shfl_xor_sync(WW_ALL, most, by);
        least = other_least < least ? other_least : least;
        most = other_most > most ? other_most : most;
    }
    if (threadIdx.x % WW_WARP) return;
    s.least[threadIdx.x / WW_WARP] = least;
    s.most[threadIdx.x / WW_WARP] = most;
}

/* One of the two ends of the block's. */
WW_DEVICE ww_key end_of(const block_parts &s, bool most) {
    ww_key end = most ? s.most[0] : s.least[0];
    for (int w = 1; w < PART_WARPS; w++) {
        const ww_key other = most ? s.most[w] : s.least[w];
        if (most ? other > end : other < end) end = other;
    }
    return end;
}

/* Every thread of the block calls it, with its query's key, if it has one. */
WW_DEVICE void find_places(const ww_lsm_runs *runs, bool is, ww_key key, block_parts &s) {
    const uint32_t ends = uint32_t(2 * runs->many);
    put_ends(is, key, s);
    __syncthreads();
    for (uint32_t first = 0; first < ends; first += PART_GROUPS) {
        const uint32_t k = first + threadIdx.x / PART_LANES;
        const ww_lsm_run *const r = &runs->run[k < ends ? k / 2 : 0];
        const uint64_t place = bound_of_lanes(r, k < ends ? r->count : 0, end_of(s, k % 2));
        if (k < ends && threadIdx.x % PART_LANES == 0) s.place[k] = place;
    }
    __syncthreads();
}

/* The first of so many keys, or behind them, that is not below `key`. */
WW_DEVICE uint32_t first_of(const ww_key *keys, uint32_t many, ww_key key) {
    uint32_t p = 0;
#pragma unroll 1
    while (many > 1) {
        const uint32_t half = many / 2;
        if (keys[p + half - 1] < key) p += half;
        many -= half;
    }
    return p + (many && keys[p] < key ? 1 : 0);
}

/* As lsm_bound, of a query of the block, in all of level j. */
WW_DEVICE uint64_t bound_in_part(const ww_lsm_runs *runs, const block_parts &s, uint64_t j, ww_key key) {
    const uint64_t from = s.place[2 * j], end = s.place[2 * j + 1];
    if (end - from > UINT32_MAX) return lsm_bound(&runs->run[j], from, end, key, false);
    return from + first_of(static_cast<const ww_key *>(runs->run[j].keys) + from, uint32_t(end - from), key);
}

#endif
