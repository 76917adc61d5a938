/* A batch of insertions into an empty dictionary, without atomics on slabs.
 *
 * pack: the range of each pair's bucket, and the pair. A radix sort brings the pairs of one range together. bounds: where
 * each range's pairs begin. count: a block for each range counts how many slabs its buckets want behind their first ones; a
 * scan of that gives each range slabs of its own, one behind another, so the slabs of a list are neighbours in memory.
 * place: a block for each range puts its pairs in their slots, those of first slabs in shared memory, and then writes these
 * whole.
 *
 * Reads keys and values once, writes and reads them with 4 bytes each for each pass of the sort, reads them twice more, and
 * writes each slab once.
 *
 * build_pair: a number as large as a key and a value, or a record. */
#include "dictionary/slab/build_arguments.cuh"
#include "dictionary/slab/slab.cuh"

enum { RANGE = 1 << SLAB_RANGE_LOG_MOST };

struct alignas(16) four_words {
    uint32_t word[4];
};

/* A pair as it is moved. */
struct key_and_value {
    slab_key key;
#if WW_HAS_VALUES
    slab_value value;
#endif
};

WW_DEVICE uint64_t bucket_of(const slab_table &t, slab_key key) {
    const uint64_t hash = hash_of(t, key), home = ((hash >> 32) * t.base_count) >> 32;
    const uint64_t bucket = home + (hash & t.high_mask) * t.base_count;
    return bucket < t.buckets ? bucket : home + (hash & t.low_mask) * t.base_count;
}

struct build_pack_arguments : build_pack_fixed {
    key_input key;
#if WW_HAS_VALUES
    value_input values;
#endif
};

WW_GPU_KERNEL(build_pack, build_pack_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
    key_and_value p;
    p.key = key_at(a.key, i);
#if WW_HAS_VALUES
    p.value = value_at(a.values, i);
#endif
    reinterpret_cast<key_and_value *>(a.pair)[i] = p;
    a.range[i] = uint32_t(bucket_of(a.t, p.key) >> a.range_log);
}

WW_GPU_KERNEL(build_bounds, build_arguments, WW_THREADS) {
    const uint64_t range = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (range > a.ranges) return;
    uint64_t from = 0, end = a.count;
    while (from < end) {
        const uint64_t middle = from + (end - from) / 2;
        if (a.range[middle] < range)
            from = middle + 1;
        else
            end = middle;
    }
    a.first[range] = from;
}

/* ---- a block's range ---- */

WW_DEVICE uint32_t buckets_here(const build_arguments &a) {
    const uint64_t from = uint64_t(blockIdx.x) << a.range_log, left = a.t.buckets - from;
    return uint32_t(left < 1ull << a.range_log ? left : 1ull << a.range_log);
}

WW_DEVICE const key_and_value *pairs_of(const build_arguments &a) {
    return reinterpret_cast<const key_and_value *>(a.pair);
}

/* Which of the range's buckets a key belongs to. */
WW_DEVICE uint32_t bucket_here(const build_arguments &a, slab_key key) {
    return uint32_t(bucket_of(a.t, key) - (uint64_t(blockIdx.x) << a.range_log));
}

/* Pairs of each of its buckets. */
WW_DEVICE void count_pairs(const build_arguments &a, uint32_t *count) {
    for (uint32_t b = threadIdx.x; b < RANGE; b += WW_THREADS) count[b] = 0;
    __syncthreads();
    const uint64_t end = a.first[blockIdx.x + 1];
    for (uint64_t i = a.first[blockIdx.x] + threadIdx.x; i < end; i += WW_THREADS)
        atomicAdd(&count[bucket_here(a, pairs_of(a)[i].key)], 1u);
    __syncthreads();
}

/* Slabs that a bucket of so many pairs has behind its first. */
WW_DEVICE uint32_t slabs_behind(uint32_t pairs) { return pairs ? (pairs - 1) / WW_SLOTS : 0; }

/* before[b]: slabs behind the first ones of the range's buckets before b; returns those of all. The first warp calls it. */
WW_DEVICE uint32_t sum_slabs(const uint32_t *count, uint32_t *before) {
    const uint32_t lane = lane_number();
    uint32_t sum = 0;
    for (uint32_t from = 0; from < RANGE; from += WW_WARP) {
        const uint32_t here = slabs_behind(count[from + lane]);
        uint32_t to = here;
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const uint32_t x = __shfl_up_sync(WW_ALL, to, by);
            if (lane >= by) to += x;
        }
        before[from + lane] = sum + to - here;
        sum += __shfl_sync(WW_ALL, to, WW_WARP - 1);
    }
    return sum;
}

struct count_shared {
    uint32_t count[RANGE], before[RANGE];
};

WW_GPU_KERNEL(build_count, build_arguments, WW_THREADS) {
    WW_SHARED(count_shared, s);
    count_pairs(a, s.count);
    if (threadIdx.x >= WW_WARP) return;
    const uint32_t sum = sum_slabs(s.count, s.before);
    if (threadIdx.x == 0) a.slabs[blockIdx.x] = sum;
}

/* ---- placing ---- */

struct place_shared {
    alignas(16) unsigned char slab[RANGE][WW_BYTES]; /* first slabs, as they will be */
    unsigned char *base[RANGE];                      /* where they go */
    uint32_t count[RANGE], before[RANGE], next[RANGE];
    uint32_t slabs;
};

/* What a list's slab that has `pairs` pairs in it and behind it ends with. */
WW_DEVICE void end_slab(unsigned char *slab, uint32_t pairs, uint64_t behind) {
    const uint32_t full = pairs < WW_SLOTS ? (1u << pairs) - 1 : ALL_SLOTS;
    *states_of(slab) = full | full << 16;
    *next_of(slab) = pairs > WW_SLOTS ? uint32_t(behind) : 0;
}

WW_DEVICE void begin_slabs(const build_arguments &a, place_shared &s) {
    const uint64_t from = uint64_t(blockIdx.x) << a.range_log;
    four_words *const words = reinterpret_cast<four_words *>(s.slab);
    for (uint32_t k = threadIdx.x; k < buckets_here(a) * WW_BYTES / 16; k += WW_THREADS) words[k] = {{0, 0, 0, 0}};
    for (uint32_t b = threadIdx.x; b < buckets_here(a); b += WW_THREADS)
        s.base[b] = base_slab(a.t, from + b, (from + b) / a.t.base_count);
    for (uint32_t b = threadIdx.x; b < RANGE; b += WW_THREADS) s.next[b] = 0;
}

/* number: of the range's first slab behind first ones. */
WW_DEVICE void place_pairs(const build_arguments &a, place_shared &s, uint64_t number) {
    const uint64_t end = a.first[blockIdx.x + 1];
    for (uint64_t i = a.first[blockIdx.x] + threadIdx.x; i < end; i += WW_THREADS) {
        const key_and_value p = pairs_of(a)[i];
        const uint32_t b = bucket_here(a, p.key), place = atomicAdd(&s.next[b], 1u);
        unsigned char *slab = s.slab[b];
        if (place >= WW_SLOTS) slab = slab_of(a.t, uint32_t(number + s.before[b] + place / WW_SLOTS - 1));
        *key_slot(slab, place % WW_SLOTS) = p.key;
#if WW_HAS_VALUES
        *value_slot(slab, place % WW_SLOTS) = p.value;
#endif
    }
}

/* The bucket that has slab k of those behind the first ones: the last one before which there are no more than k. */
WW_DEVICE uint32_t bucket_with(const place_shared &s, uint32_t k) {
    uint32_t from = 0;
    for (uint32_t step = RANGE / 2; step; step /= 2)
        if (s.before[from + step] <= k) from += step;
    return from;
}

WW_DEVICE void end_slabs(const build_arguments &a, place_shared &s, uint64_t number) {
    for (uint32_t b = threadIdx.x; b < buckets_here(a); b += WW_THREADS)
        end_slab(s.slab[b], s.count[b], number + s.before[b]);
    for (uint32_t k = threadIdx.x; k < s.slabs; k += WW_THREADS) {
        const uint32_t b = bucket_with(s, k), left = s.count[b] - (k - s.before[b] + 1) * WW_SLOTS;
        end_slab(slab_of(a.t, uint32_t(number + k)), left, number + k + 1);
    }
}

/* Slabs that are in use now, in the bitmaps: blocks have slabs of one word in common. */
WW_DEVICE void take_slabs(const build_arguments &a, const place_shared &s, uint64_t number) {
    const uint64_t from = number - 1, end = from + s.slabs;
    for (uint64_t word = from / WORD + threadIdx.x; word * WORD < end; word += WW_THREADS) {
        const uint32_t low = word * WORD < from ? uint32_t(from % WORD) : 0;
        const uint32_t high = end - word * WORD < WORD ? uint32_t(end % WORD) : WORD;
        const uint32_t below = high < WORD ? (1u << high) - 1 : UINT32_MAX;
        atomicOr(word_of(a.t, word), below & ~((1u << low) - 1));
    }
}

WW_GPU_KERNEL(build_place, build_arguments, WW_THREADS) {
    WW_SHARED(place_shared, s);
    const uint64_t number = a.slabs[blockIdx.x] + 1;
    begin_slabs(a, s);
    count_pairs(a, s.count);
    if (threadIdx.x < WW_WARP) {
        const uint32_t sum = sum_slabs(s.count, s.before);
        if (threadIdx.x == 0) s.slabs = sum;
    }
    __syncthreads();
    place_pairs(a, s, number);
    end_slabs(a, s, number);
    take_slabs(a, s, number);
    __syncthreads();
    const four_words *const words = reinterpret_cast<const four_words *>(s.slab);
    for (uint32_t k = threadIdx.x; k < buckets_here(a) * WW_BYTES / 16; k += WW_THREADS)
        reinterpret_cast<four_words *>(s.base[k * 16 / WW_BYTES])[k % (WW_BYTES / 16)] = words[k];
}
