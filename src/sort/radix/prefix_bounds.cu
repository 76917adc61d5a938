/* Where the parts begin that are left to be sorted of keys that were swept by a prefix. Each thread looks for one bound or two.
 *
 * Of two neighbouring digits above which keys agree each bucket is a part. Of longer prefixes there are more buckets than keys: the
 * keys are cut at equal distances, and each cut is moved to the end of the bucket that it meets. Where that bucket is longer than
 * the distance, it is a part of its own, which begins where the first of its cuts says; so parts are a few small buckets, or a
 * large one. If keys were sorted whole instead, all parts are empty. */
#include "device/kernel/counted.cuh"
#include "radix/digits.cuh"
#include "sort/radix/prefix_arguments.cuh"

/* The first of the keys first to end - 1 of which what stands from bit `low` on, `mask` of it, is not below x. */
WW_DEVICE uint64_t lower_bound(const bounds_arguments &a, uint64_t first, uint64_t end, uint32_t low, ww_key mask, ww_key x) {
    for (uint64_t left = end - first; left;) {
        const uint64_t half = left / 2;
        if (ww_key(ww_key(number_of(a.order, a.keys[first + half]) >> low) & mask) < x) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

/* The highest digit may have fewer bits than others; above it stand bits that keys were not swept by. */
WW_DEVICE void find_bucket(const bounds_arguments &a, uint64_t bucket, uint32_t low) {
    const uint32_t swept = a.first + a.bits - low;
    const uint64_t buckets = uint64_t(1) << (swept < a.two_digits ? swept : a.two_digits);
    a.offsets[bucket] = bucket >= buckets ? a.count
                                          : lower_bound(a, 0, a.count, low, ww_key(buckets - 1), ww_key(bucket));
}

/* The bounds behind cut `cut` and, of the part before, its beginning. */
WW_DEVICE void find_cut(const bounds_arguments &a, uint64_t cut, uint32_t low) {
    const uint64_t at = cut * a.apart, before = at - a.apart;
    uint64_t begin = a.count, end = a.count;
    if (cut && at < a.count) {
        const ww_key mask = ww_key(ww_key(~ww_key(0)) >> (8 * WW_KEY - (a.first + a.bits - low)));
        const ww_key x = ww_key(ww_key(number_of(a.order, a.keys[at - 1]) >> low) & mask);
        end = x == mask ? a.count : lower_bound(a, at, a.count, low, mask, ww_key(x + 1));
        begin = lower_bound(a, before, at, low, mask, x);
        /* At the place of the cut before another bucket may have begun, or this one may have been found already. */
        const bool found = begin == before && begin && ww_key(ww_key(number_of(a.order, a.keys[begin - 1]) >> low) & mask) == x;
        if (found || end - begin <= a.apart) begin = end;
    }
    if (!cut) begin = end = 0;
    if (cut) a.offsets[2 * cut - 1] = begin;
    a.offsets[2 * cut] = end;
}

WW_GPU_KERNEL(find_bounds, bounds_arguments, WW_THREADS) {
    ww_in_line();
    const uint64_t me = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    const uint32_t prefix = *a.prefix;
    if (prefix == NO_PREFIX) {
        for (uint64_t k = me; k < a.room; k += uint64_t(gridDim.x) * WW_THREADS) a.offsets[k] = 0;
    } else if (prefix & PREFIX_CUT) {
        if (me <= a.cuts) find_cut(a, me, prefix - PREFIX_CUT);
        for (uint64_t k = 2 * a.cuts + 1 + me; k < a.room; k += uint64_t(gridDim.x) * WW_THREADS) a.offsets[k] = a.count;
    } else {
        for (uint64_t k = me; k < a.room; k += uint64_t(gridDim.x) * WW_THREADS) find_bucket(a, k, prefix);
    }
}
