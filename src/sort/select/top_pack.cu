/* Packs what radix select has chosen, in the input's order: elements below the known bits first, then as many of those that have
 * them as are chosen, the first ones. Both are counted tile by tile, with look-back. Reads the input once.
 *
 * WW_VALUES: 0 there are no values; 1 they are packed, too; 2 their positions are. WW_NTH: 1 the last chosen key is all that is
 * written. WW_NARROW: 1 both counts go into one word. */
#include "sort/select/top.cuh"

struct ww_carrier {
    uint64_t below, equal;
};
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    ww_carrier z;
    z.below = x.below + y.below;
    z.equal = x.equal + y.equal;
    return z;
}
#if WW_NARROW
#define WW_PACKED 1
enum { COUNT_BITS = 31, STATE_BITS = 2 };
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) { return (c.below << COUNT_BITS | c.equal) << STATE_BITS; }
WW_DEVICE ww_carrier ww_unpack(uint64_t word) {
    ww_carrier c;
    c.below = word >> (COUNT_BITS + STATE_BITS);
    c.equal = word >> STATE_BITS & ((uint64_t(1) << COUNT_BITS) - 1);
    return c;
}
#else
#define WW_PACKED 0
#endif
#include "device/kernel/lookback.cuh"
#include "sort/select/top_pack_arguments.cuh"

enum { WARPS = WW_THREADS / WW_WARP, TILE = WW_THREADS * WW_ITEMS };

struct pack_arguments : top_pack_fixed {
    keys_input keys;
#if WW_VALUES == 1
    values_input values;
#endif
};

struct pack_shared {
    uint32_t tile, below[WARPS], equal[WARPS];
    ww_carrier before;
};

/* Writes the element at position i of the input to place `to`. */
WW_DEVICE void write_one(const pack_arguments &a, uint64_t to, ww_key key, uint64_t i) {
    if (to >= a.wanted) return; /* keys that are computed, and not the same twice, could lead anywhere */
#if WW_NTH
    if (to == a.wanted - 1) a.keys_out[0] = key;
#else
    a.keys_out[to] = key;
#if WW_VALUES == 1
    static_cast<ww_value_item *>(a.values_out)[to] = ww_as<ww_value_item>(values_at(a.values, i));
#elif WW_VALUES == 2
    static_cast<ww_index *>(a.values_out)[to] = ww_index(i);
#endif
#endif
    (void)i;
}

/* What stands before this warp in the input. The warps have said how many they have. */
WW_DEVICE ww_carrier find_before(const pack_arguments &a, pack_shared &s, uint64_t tile) {
    __syncthreads();
    const uint32_t warp = threadIdx.x / WW_WARP;
    if (warp == 0) {
        ww_carrier own = {0, 0};
        const ww_carrier nothing = {0, 0};
        for (int w = 0; w < WARPS; w++) {
            own.below += s.below[w];
            own.equal += s.equal[w];
        }
        ww_find_before(a.chain, tile, own, nothing,
                       [&](const ww_carrier &before, const ww_carrier &) { s.before = before; });
    }
    __syncthreads();
    ww_carrier before = s.before;
    for (uint32_t w = 0; w < warp; w++) {
        before.below += s.below[w];
        before.equal += s.equal[w];
    }
    return before;
}

template <bool ordered> WW_DEVICE void pack_tile(const pack_arguments &a, pack_shared &s) {
    const top_state t = *a.state;
    const uint64_t tile = ww_take_tile(a.chain, s.tile);
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, lanes_before = (1u << lane) - 1;
    const uint64_t mine = tile * TILE + warp * (WW_ITEMS * WW_WARP) + lane;
    ww_key key[WW_ITEMS];
    uint32_t is_below[WW_ITEMS], is_equal[WW_ITEMS], below = 0, equal = 0;
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const bool there = mine + i * WW_WARP < a.count;
        key[i] = 0;
        if (there) key[i] = ww_as<ww_key>(keys_at(a.keys, mine + i * WW_WARP));
        const ww_key known = above(compared<ordered>(a.order, key[i]), t.low), sought = above(t.value, t.low);
        is_below[i] = __ballot_sync(WW_ALL, there && known < sought);
        is_equal[i] = __ballot_sync(WW_ALL, there && known == sought);
        below += __popc(is_below[i]);
        equal += __popc(is_equal[i]);
    }
    if (lane == 0) {
        s.below[warp] = below;
        s.equal[warp] = equal;
    }
    ww_carrier before = find_before(a, s, tile);
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint64_t rank = before.equal + __popc(is_equal[i] & lanes_before);
        if (is_below[i] >> lane & 1)
            write_one(a, before.below + __popc(is_below[i] & lanes_before), key[i], mine + i * WW_WARP);
        else if (is_equal[i] >> lane & 1 && rank < t.left)
            write_one(a, a.wanted - t.left + rank, key[i], mine + i * WW_WARP);
        before.below += __popc(is_below[i]);
        before.equal += __popc(is_equal[i]);
    }
}

WW_GPU_KERNEL(pack_top, pack_arguments, WW_THREADS) {
    WW_SHARED(pack_shared, s);
    if (order_of(a.order.order))
        pack_tile<true>(a, s);
    else
        pack_tile<false>(a, s);
}

/* The sought key itself, where all its bits are known. */
WW_GPU_KERNEL(write_nth, pack_arguments, WW_THREADS) {
    if (threadIdx.x == 0) a.keys_out[0] = key_of(a.order.order, a.state->value);
}
