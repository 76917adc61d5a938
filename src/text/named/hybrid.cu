/* Method hybrid (Ashkiani 2017, section 2.6.3): a block for each subtext, whose threads find the fingerprints of a chunk of
 * its starts together. As fingerprints follow one another, they are a recurrence (section 2.3.2's last paragraph),
 *
 *     x(s) = base x(s - 1) + y(s + m - 1) - base^m y(s - 1)     modulo the prime 2^31 - 1,
 *
 * which one scan over the block solves: the sums of the threads before count base to the power of the distance. A chunk hands
 * its last fingerprint on to the next. The first chunks have no whole window yet: characters before the subtext count 0. */
#include "text/named/named.cuh"

enum { WARPS = WW_THREADS / WW_WARP, ITEMS = 8, CHUNK = WW_THREADS * ITEMS, WARP_POWER = 5 };
#define PRIME 0x7FFFFFFFu

struct hybrid_shared {
    uint32_t warp[WARPS], before[WARPS], last;
};

WW_DEVICE uint32_t times(uint32_t x, uint32_t y) {
    const uint64_t product = uint64_t(x) * y;
    const uint32_t sum = uint32_t(product & PRIME) + uint32_t(product >> 31);
    return sum >= PRIME ? sum - PRIME : sum;
}
WW_DEVICE uint32_t plus(uint32_t x, uint32_t y) { return x + y >= PRIME ? x + y - PRIME : x + y; }
WW_DEVICE uint32_t minus(uint32_t x, uint32_t y) { return x >= y ? x - y : x + PRIME - y; }

/* ITEMS characters from `at` on; of those before `begin` and behind the text 0. */
WW_DEVICE void characters(const named_arguments &a, int64_t at, int64_t begin, uint32_t (&c)[ITEMS]) {
#pragma unroll
    for (int w = 0; w < ITEMS / 4; w++) {
        const int64_t first = at + 4 * w;
        const uint32_t four = first + 3 >= begin && first >= 0 ? four_bytes(a, uint64_t(first)) : 0;
#pragma unroll
        for (int k = 0; k < 4; k++) c[4 * w + k] = first + k >= begin ? four >> 8 * k & 255 : 0;
    }
    /* A word that reaches over the text's begin. */
    if (at < 0 && at + ITEMS > 0 && begin == 0)
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            if (at + k >= 0 && uint64_t(at + k) < a.bytes) c[k] = folded(uint32_t(a.text[at + k]));
}

/* What comes in front of each thread's own sum, as a sum; `carry` is in front of all. */
WW_DEVICE uint32_t sums_before(const named_arguments &a, hybrid_shared &s, uint32_t own, uint32_t carry) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t sum = own;
#pragma unroll
    for (int k = 0; k < WARP_POWER; k++) {
        const uint32_t earlier = __shfl_up_sync(WW_ALL, sum, 1 << k);
        if (lane >= 1u << k) sum = plus(sum, times(earlier, a.power[k]));
    }
    const uint32_t before_lane = __shfl_up_sync(WW_ALL, sum, 1);
    if (lane == WW_WARP - 1) s.warp[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 0; w < WARPS; w++) {
            s.before[w] = carry;
            carry = plus(times(carry, a.power[WARP_POWER]), s.warp[w]);
            s.last = carry;
        }
    __syncthreads();
    /* base to the power of the characters of the lanes before. */
    uint32_t moved = s.before[warp];
#pragma unroll
    for (int k = 0; k < WARP_POWER; k++)
        if (lane >> k & 1) moved = times(moved, a.power[k]);
    return lane ? plus(moved, before_lane) : moved;
}

/* Marks of a chunk's starts, from `first` on; lanes of four threads have a word together. */
WW_DEVICE void put_marks(const named_arguments &a, uint64_t first, uint32_t marks) {
    uint32_t word = marks << threadIdx.x % 4 * ITEMS;
    word |= __shfl_xor_sync(WW_ALL, word, 1);
    word |= __shfl_xor_sync(WW_ALL, word, 2);
    if (threadIdx.x % 4 == 0 && first < a.starts) a.marks[first / MARK_BITS] = word;
}

WW_GPU_KERNEL(hybrid, named_arguments, WW_THREADS) {
    WW_SHARED(hybrid_shared, s);
    const int64_t begin = int64_t(uint64_t(blockIdx.x) * a.each), m = int64_t(a.m), starts = int64_t(a.starts);
    const int64_t end = begin + int64_t(a.each) < starts ? begin + int64_t(a.each) : starts;
    const int64_t warm = (m - 1 + CHUNK - 1) / CHUNK * CHUNK;
    uint32_t carry = 0;
    found before = {0, false}; /* by this thread */
    for (int64_t chunk = begin - warm; chunk < end; chunk += CHUNK) {
        const int64_t mine = chunk + threadIdx.x * ITEMS;
        uint32_t old[ITEMS], fresh[ITEMS], own = 0, marks = 0;
        characters(a, mine - 1, begin, old);
        characters(a, mine + m - 1, begin, fresh);
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            fresh[k] = minus(fresh[k], times(uint32_t(a.leaving), old[k]));
            own = plus(times(own, a.base), fresh[k]);
        }
        uint32_t x = sums_before(a, s, own, carry);
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            x = plus(times(x, a.base), fresh[k]);
            if (x == uint32_t(a.wanted) && mine + k >= begin && mine + k < end &&
                is_match(a, uint64_t(mine + k), before, fits))
                marks |= 1u << k;
        }
        carry = s.last;
        __syncthreads();
        if (chunk >= begin) put_marks(a, uint64_t(mine), marks);
    }
}
