/* Where buckets begin in the output. With few of them the count has told (begin_few); else each is looked for among the keys
 * as they have been split (begin_many), log n reads a bucket, which neighbours share. */
#include "device/kernel/counted.cuh"
#include "radix/digits.cuh"
#include "multisplit/offsets_arguments.cuh"

struct offset_arguments : offsets_fixed {
    ww_buckets by;
};

WW_DEVICE void tell_few(const offset_arguments &a) {
    const uint32_t b = blockIdx.x * WW_THREADS + threadIdx.x;
    if (b <= a.many && !has_no_bucket(a.by)) a.offsets[b] = ww_offset(b < a.many ? a.first[b] : a.count);
}

WW_LOOP_KERNEL(begin_few, offset_arguments, WW_THREADS) { tell_few(ww_counted(a)); }

WW_DEVICE uint32_t bucket_at(const offset_arguments &a, const shared_edges &s, uint64_t i) {
#if WW_BY
    const bucket_item key[1] = {ww_as<bucket_item>(a.keys[i])};
    uint32_t bucket[1];
    buckets_of(a.by, s, key, bucket);
    return bucket[0];
#else
    const ww_key number = ww_key(a.keys[i] >> a.low);
    (void)s;
    return uint32_t(number) & (a.bits < 32 ? (1u << a.bits) - 1 : UINT32_MAX);
#endif
}

WW_DEVICE void find_many(const offset_arguments &a) {
    const uint32_t b = blockIdx.x * WW_THREADS + threadIdx.x;
    WW_SHARED(shared_edges, s);
    load_edges(a.by, s);
    if (b > a.many || has_no_bucket(a.by)) return;
    uint64_t first = 0;
    for (uint64_t left = a.count; left;) {
        const uint64_t half = left / 2;
        const bool up = bucket_at(a, s, first + half) < b;
        first = up ? first + half + 1 : first;
        left = up ? left - half - 1 : half;
    }
    a.offsets[b] = ww_offset(first);
}

WW_LOOP_KERNEL(begin_many, offset_arguments, WW_THREADS) { find_many(ww_counted(a)); }
