/* Look-back: tiles in a row, each of which needs to know what precedes it, in one pass (Merrill and Garland 2016).
 *
 * A tile publishes its own sum, then looks back over its predecessors, adding their sums, until it meets one that knows all
 * that precedes it; then it publishes that for itself. Blocks take tiles in the order in which they start: a tile only waits
 * for tiles whose blocks run already.
 *
 * The program says what a sum is: ww_carrier, ww_join(a, b) with a before b, and WW_PACKED, which is 1 where a carrier goes
 * into 48 bits: ww_pack and ww_unpack then are what makes 64-bit words of it, whose lowest two bits stay free. Otherwise the
 * carriers lie in arrays beside the words, which are released after them. All words are 0 before the launch.
 * WW_PACKED 2: a carrier goes into two words of 62 bits, which ww_pack and ww_unpack have as arrays. Each says of itself what it is of; where
 * they differ, one of them is about to be written.
 *
 * WW_CHAIN_ORDERS: 1 where what a block did before it published its sum is to be done before any block that has seen that goes
 * on. Without arrays the words need no such order by themselves. */
#ifndef WW_LOOKBACK_CUH
#define WW_LOOKBACK_CUH

#include "device/kernel/chain_arguments.cuh"

#ifndef WW_CHAIN_ORDERS
#define WW_CHAIN_ORDERS 0
#endif

enum { WW_NOTHING_YET = 0, WW_OWN_SUM = 1, WW_ALL_BEFORE_TOO = 2 };

/* How many tickets were taken before this one; a tile that is alone has none. Every thread calls it; `room` is shared. */
WW_DEVICE uint32_t ww_take_ticket(uint32_t *ticket, uint32_t &room) {
    if (threadIdx.x == 0) room = ticket ? atomicAdd(ticket, 1u) : 0;
    __syncthreads();
    return room;
}

/* The number of this block's tile. Every thread calls it; `room` is shared. */
WW_DEVICE uint32_t ww_take_tile(const ww_chain &chain, uint32_t &room) {
    return WW_STARTED_IN_ORDER ? blockIdx.x : ww_take_ticket(chain.ticket, room);
}

/* Calls each(tile) for the tiles of this block: its own; or, where a count on the device says how many there are
 * (device/kernel/counted.cuh) and blocks are no more than a GPU holds, one after the other. A tile is taken by a block that runs, when
 * that is done with those before: so tiles never wait for one that nobody has. */
template <class F> WW_DEVICE void ww_each_tile(const ww_chain &chain, uint64_t tiles, uint32_t &room, F each) {
#if WW_COUNT_AT
    if (blockIdx.x >= tiles) return;
    const bool once = tiles <= gridDim.x;
    for (;;) {
        const uint64_t tile = once ? ww_take_tile(chain, room) : ww_take_ticket(chain.ticket, room);
        if (tile >= tiles) return;
        each(tile);
        if (once) return;
        __syncthreads();
    }
#else
    (void)tiles;
    each(ww_take_tile(chain, room));
#endif
}

WW_DEVICE void ww_publish(const ww_chain &chain, uint64_t tile, uint32_t what, const ww_carrier &sum) {
#if WW_PACKED == 2
    static_assert(!WW_CHAIN_ORDERS, "two words are stored in no order");
    uint64_t word[2];
    ww_pack(sum, word);
#pragma unroll
    for (int k = 0; k < 2; k++) ww_store_relaxed(chain.word + 2 * tile + k, word[k] | what);
#elif WW_PACKED && WW_CHAIN_ORDERS
    ww_store_release(chain.word + tile, ww_pack(sum) | what);
#elif WW_PACKED
    ww_store_relaxed(chain.word + tile, ww_pack(sum) | what);
#else
    (what == WW_OWN_SUM ? chain.own : chain.all)[tile] = sum;
    ww_store_release(chain.word + tile, uint64_t(what));
#endif
}

/* What is known of a tile. */
struct ww_seen {
    uint64_t word[WW_PACKED == 2 ? 2 : 1];
};
WW_DEVICE ww_seen ww_look_at(const ww_chain &chain, uint64_t tile) {
    ww_seen seen;
#if WW_PACKED == 2
    for (int k = 0; k < 2; k++) seen.word[k] = ww_load_relaxed(chain.word + 2 * tile + k);
    if ((seen.word[0] ^ seen.word[1]) & 3) seen.word[0] = 0;
#elif WW_PACKED && !WW_CHAIN_ORDERS
    seen.word[0] = ww_load_relaxed(chain.word + tile);
#else
    seen.word[0] = ww_load_acquire(chain.word + tile);
#endif
    return seen;
}

/* The words of the 32 tiles before `end`, the nearest in lane 0, as soon as they are known as far back as is needed: up to
 * the nearest that knows all before it. Lanes before the first tile say that they know nothing, and are not waited for. */
WW_DEVICE ww_seen ww_wait_for_seen(const ww_chain &chain, int64_t end, int &last) {
    const int lane = threadIdx.x % WW_WARP;
    const int64_t tile = end - 1 - lane;
    for (;;) {
        ww_seen seen = {};
        if (tile >= 0) seen = ww_look_at(chain, tile);
        const uint64_t word = seen.word[0];
        const uint32_t whole = __ballot_sync(WW_ALL, (word & 3) == WW_ALL_BEFORE_TOO);
        const uint32_t unknown = __ballot_sync(WW_ALL, (word & 3) == WW_NOTHING_YET);
        last = whole ? __ffs(whole) - 1 : WW_WARP - 1;
        if (!(unknown & (0xFFFFFFFFu >> (WW_WARP - 1 - last)))) return seen;
        ww_wait_a_moment();
    }
}
WW_DEVICE uint64_t ww_wait_for(const ww_chain &chain, int64_t end, int &last) {
    return ww_wait_for_seen(chain, end, last).word[0];
}

/* The sum of all tiles before `tile` > 0, for every lane of the one warp that calls it. */
WW_DEVICE ww_carrier ww_look_back(const ww_chain &chain, uint64_t tile) {
    const int lane = threadIdx.x % WW_WARP;
    ww_carrier before;
    bool found = false;
    for (int64_t end = tile;; end -= WW_WARP) {
        int last;
        const ww_seen seen = ww_wait_for_seen(chain, end, last);
        const uint64_t word = seen.word[0];
        ww_carrier sum;
#if WW_PACKED == 2
        sum = ww_unpack(seen.word);
#elif WW_PACKED
        sum = ww_unpack(word);
#else
        if (lane <= last) sum = ((word & 3) == WW_OWN_SUM ? chain.own : chain.all)[end - 1 - lane];
#endif
        for (int by = 1; by < WW_WARP; by *= 2) {
            const ww_carrier earlier = ww_lane_after(sum, by);
            if (lane + by <= last) sum = ww_join(earlier, sum);
        }
        sum = ww_lane(sum, 0);
        before = found ? ww_join(sum, before) : sum;
        found = true;
        if (!__any_sync(WW_ALL, (word & 3) == WW_ALL_BEFORE_TOO)) continue;
        if (WW_CHAIN_ORDERS) __syncwarp(); /* what lanes have acquired, one of them publishes */
        return before;
    }
}

/* Tells the tiles behind of this one's sum, looks back, and calls keep(before, all) in one lane: the sum of all tiles
 * before (`nothing` for the first one), and the same with this tile's own. Called by one warp. */
template <class F>
WW_DEVICE void ww_find_before(const ww_chain &chain, uint64_t tile, const ww_carrier &own, const ww_carrier &nothing,
                              F keep) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    ww_carrier before = nothing;
    if (tile) {
        if (lane == 0) ww_publish(chain, tile, WW_OWN_SUM, own);
        before = ww_look_back(chain, tile);
    }
    if (lane == 0) {
        const ww_carrier all = ww_join(before, own);
        ww_publish(chain, tile, WW_ALL_BEFORE_TOO, all);
        keep(before, all);
    }
}

#endif
