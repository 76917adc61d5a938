/* The parts of levels in which a block's queries belong: those come in the order of order.cu, by their keys, so that what each of them is
 * looked for in is short. */
#ifndef WW_LSM_PARTS_CUH
#define WW_LSM_PARTS_CUH

#include "dictionary/lsm/logic.cuh"

enum {
    PART_LANES = 8, /* look for one place together */
    PART_GROUPS = WW_THREADS / PART_LANES
};

struct block_parts {
    unsigned long long least, most;  /* of the block's keys */
    uint64_t place[2 * WW_LSM_RUNS]; /* where these two belong in each level */
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

/* The least and the largest of a block's keys. */
WW_DEVICE void find_ends(bool is, ww_key key, block_parts &s) {
    unsigned long long least = is ? key : ~0ull, most = is ? key : 0;
    for (int by = WW_WARP / 2; by; by /= 2) {
        const unsigned long long other_least = __shfl_xor_sync(WW_ALL, least, by),
                                 other_most = __shfl_xor_sync(WW_ALL, most, by);
        least = other_least < least ? other_least : least;
        most = other_most > most ? other_most : most;
    }
    if (threadIdx.x == 0) s.least = ~0ull, s.most = 0;
    __syncthreads();
    if (threadIdx.x % WW_WARP == 0) {
        atomicMin(&s.least, least);
        atomicMax(&s.most, most);
    }
    __syncthreads();
}

/* Every thread of the block calls it, with its query's key, if it has one. */
WW_DEVICE void find_places(const ww_lsm_runs *runs, bool is, ww_key key, block_parts &s) {
    const uint32_t ends = uint32_t(2 * runs->many);
    find_ends(is, key, s);
    for (uint32_t first = 0; first < ends; first += PART_GROUPS) {
        const uint32_t k = first + threadIdx.x / PART_LANES;
        const ww_lsm_run *const r = &runs->run[k < ends ? k / 2 : 0];
        const uint64_t place = bound_of_lanes(r, k < ends ? r->count : 0, ww_key(k % 2 ? s.most : s.least));
        if (k < ends && threadIdx.x % PART_LANES == 0) s.place[k] = place;
    }
    __syncthreads();
}

/* The first of so many keys, or behind them, that is not below `key`. */
WW_DEVICE uint32_t first_of(const ww_key *keys, uint32_t many, ww_key key) {
    const ww_key *at = keys;
    while (many > 1) {
        const uint32_t half = many / 2;
        if (at[half - 1] < key) at += half;
        many -= half;
    }
    return uint32_t(at - keys) + (many && *at < key ? 1 : 0);
}

/* As lsm_bound, of a query of the block, in all of level j. */
WW_DEVICE uint64_t bound_in_part(const ww_lsm_runs *runs, const block_parts &s, uint64_t j, ww_key key) {
    const uint64_t from = s.place[2 * j], end = s.place[2 * j + 1];
    if (end - from > UINT32_MAX) return lsm_bound(&runs->run[j], from, end, key, false);
    return from + first_of(static_cast<const ww_key *>(runs->run[j].keys) + from, uint32_t(end - from), key);
}

#endif
