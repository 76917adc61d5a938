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

#endif
