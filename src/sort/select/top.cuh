/* What selecting knows of the element that is looked for: the bits of its number from `low` up, and where it stands among those
 * that share them.
 *
 * WW_MASKED: 1 keys compare by `bits` bits from bit `first` on only. */
#ifndef WW_TOP_CUH
#define WW_TOP_CUH

#include "radix/digits.cuh"
#include "sort/select/top_order_arguments.cuh"

/* Where the elements that have the known bits are. */
enum { IN_INPUT = 0, COPIED_NOW = 1 /* this level copies them to the buffer */, IN_BUFFER = 2 };

struct alignas(16) top_state {
    ww_key value;      /* the known bits; 0 below them */
    uint64_t left;     /* so many of the elements that have them are chosen */
    uint64_t many;     /* how many there are */
    uint64_t buffered; /* elements in the buffer */
    uint32_t low, done, where, unused;
};

WW_DEVICE ww_key ones(uint32_t bits) { return bits ? ww_key(ww_key(~ww_key(0)) >> (8 * WW_KEY - bits)) : ww_key(0); }

/* What a key is compared by. */
template <bool ordered> WW_DEVICE ww_key compared(const top_order &o, ww_key key) {
    const ww_key number = ordered_number<ordered>(o.order, key);
    return WW_MASKED ? ww_key(ww_key(number >> o.first) & ones(o.bits)) : number;
}

/* The bits from `low` up. */
WW_DEVICE ww_key above(ww_key number, uint32_t low) { return ww_key(number & ww_key(~ones(low))); }

/* Places behind two cursors for those of a thread's elements that two words name by bits, in the order in which warps and blocks come. Every
 * thread of the block calls it; places[k] is the first of the thread's, where it has any. */
struct top_room {
    uint32_t many[2];
    uint64_t first[2];
};
WW_DEVICE void take_places(top_room &s, const uint32_t (&named)[2], uint64_t *const (&cursor)[2], uint64_t (&places)[2]) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint32_t in_block[2];
    if (threadIdx.x < 2) s.many[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const uint32_t own = __popc(named[k]);
        uint32_t sum = own, base = 0;
        in_block[k] = 0;
        if (!__any_sync(WW_ALL, own != 0)) continue;
#pragma unroll
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const uint32_t earlier = ww_lane_before(sum, by);
            if (lane >= by) sum += earlier;
        }
        if (lane == WW_WARP - 1) base = atomicAdd(&s.many[k], sum);
        in_block[k] = ww_lane(base, WW_WARP - 1) + sum - own;
    }
    __syncthreads();
    if (threadIdx.x < 2 && s.many[threadIdx.x])
        s.first[threadIdx.x] = atomicAdd(cursor[threadIdx.x], uint64_t(s.many[threadIdx.x]));
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 2; k++) places[k] = named[k] ? s.first[k] + in_block[k] : 0;
}

WW_DEVICE bool has_known_bits(const top_state &t, ww_key number) {
    return above(number, t.low) == above(t.value, t.low);
}

#endif
