/* Look-back over counts: how many elements of a kind stand before a tile (lookback.cuh, which is included here). */
#ifndef WW_COUNT_CUH
#define WW_COUNT_CUH

struct ww_carrier {
    uint64_t many;
};
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    ww_carrier z;
    z.many = x.many + y.many;
    return z;
}
#define WW_PACKED 1
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) { return c.many << 2; }
WW_DEVICE ww_carrier ww_unpack(uint64_t word) {
    ww_carrier c;
    c.many = word >> 2;
    return c;
}

#include "device/kernel/lookback.cuh"

/* The same with numbers: calls keep(before, all) in one lane, for a tile that has `here`. Called by one warp. */
template <class F> WW_DEVICE void ww_count_before(const ww_chain &chain, uint64_t tile, uint32_t here, F keep) {
    ww_carrier own, nothing;
    own.many = here;
    nothing.many = 0;
    ww_find_before(chain, tile, own, nothing,
                   [&](const ww_carrier &before, const ww_carrier &all) { keep(before.many, all.many); });
}

/* The same where tiles are so quick that hundreds of them look back at once: four times as far in each step. */
template <class F> WW_DEVICE void ww_count_far_before(const ww_chain &chain, uint64_t tile, uint32_t here, F keep) {
    enum { STEPS = 4 };
    const int lane = threadIdx.x % WW_WARP;
    uint64_t before = 0;
    ww_carrier sum;
    sum.many = here;
    if (tile && lane == 0) ww_publish(chain, tile, WW_OWN_SUM, sum);
    bool found = tile == 0;
    for (int64_t end = tile; !found; end -= STEPS * WW_WARP) {
        uint64_t word[STEPS];
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            const int64_t at = end - k * WW_WARP - 1 - lane;
            word[k] = at < 0 ? 0 : ww_load_relaxed(chain.word + at);
        }
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            if (found) continue;
            const uint32_t known = __ballot_sync(WW_ALL, (word[k] & 3) != WW_NOTHING_YET);
            const uint32_t whole = __ballot_sync(WW_ALL, (word[k] & 3) == WW_ALL_BEFORE_TOO);
            int last = whole ? __ffs(int(whole)) - 1 : WW_WARP - 1;
            if (~known & (WW_ALL >> (WW_WARP - 1 - last))) word[k] = ww_wait_for(chain, end - k * WW_WARP, last);
            if (lane <= last) before += word[k] >> 2;
            found = __any_sync(WW_ALL, lane <= last && (word[k] & 3) == WW_ALL_BEFORE_TOO);
        }
    }
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2) before += __shfl_xor_sync(WW_ALL, before, by);
    if (lane == 0) {
        sum.many = before + here;
        ww_publish(chain, tile, WW_ALL_BEFORE_TOO, sum);
        keep(before, sum.many);
    }
}

#endif
