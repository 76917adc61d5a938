/* A batch of insertions into an empty dictionary, without atomics on slabs.
 *
 * pack: the range of each pair's bucket, and the pair. A radix sort brings the pairs of one range together. bounds: where
 * each range's pairs begin. count: a block for each range counts how many slabs its buckets want behind their first ones; a
 * scan of that gives each range slabs of its own, one behind another, so the slabs of a list are neighbours in memory.
 * place: a block for each range puts its pairs in their slots, those of first slabs in shared memory, and then writes these
 * whole.
 *
 * Where buckets of a range share slabs (slab.h), a bucket's pairs behind its first slab that are no more than a slab has slots go to one of
 * those with others': the largest first, each to the slab in which it leaves the fewest slots empty (best fit decreasing). Of 128 buckets
 * with 4 such pairs each, on average, 2% of the slots stay empty. Both kernels do so, and come to as many slabs.
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

/* Where the pairs behind first slabs go: `first` slab of each bucket, of those that the range has, and the slot in it. */
struct layout_of_range {
    uint32_t count[RANGE];  /* pairs of each bucket */
    uint32_t before[RANGE]; /* slabs of its buckets' own before each bucket */
    uint32_t own, slabs;    /* slabs of buckets' own, and all: the shared ones are the last */
    uint8_t shared[RANGE];  /* the shared slab of a bucket that goes there, and the slot */
    uint8_t slot[RANGE];
    uint8_t used[RANGE]; /* slots of each shared slab */
    uint8_t next_bucket[RANGE], next_slab[RANGE];
};

/* Pairs that a bucket has in a shared slab. */
WW_DEVICE uint32_t pairs_shared(const build_arguments &a, uint32_t pairs) {
    return a.shares && pairs > WW_SLOTS && pairs <= 2 * WW_SLOTS ? pairs - WW_SLOTS : 0;
}

/* Slabs that a bucket of so many pairs has behind its first for itself. */
WW_DEVICE uint32_t slabs_behind(const build_arguments &a, uint32_t pairs) {
    return pairs && !pairs_shared(a, pairs) ? (pairs - 1) / WW_SLOTS : 0;
}

/* The first warp calls it. */
WW_DEVICE void sum_slabs(const build_arguments &a, layout_of_range &l) {
    const uint32_t lane = lane_number();
    uint32_t sum = 0;
    for (uint32_t from = 0; from < RANGE; from += WW_WARP) {
        const uint32_t here = slabs_behind(a, l.count[from + lane]);
        uint32_t to = here;
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const uint32_t x = __shfl_up_sync(WW_ALL, to, by);
            if (lane >= by) to += x;
        }
        l.before[from + lane] = sum + to - here;
        sum += __shfl_sync(WW_ALL, to, WW_WARP - 1);
    }
    if (lane == 0) l.own = l.slabs = sum;
}

/* Shared slabs, and the buckets in them; a thread does it. Lists of buckets by their pairs there and of slabs by their empty slots; `some`: a
 * bit for each list of slabs that has some. */
WW_DEVICE void share_slabs(const build_arguments &a, layout_of_range &l) {
    enum : uint8_t { NONE = 255 };
    uint8_t buckets[WW_SLOTS + 1], slabs[WW_SLOTS + 1];
    uint32_t some = 0, many = 0;
    for (int k = 0; k <= WW_SLOTS; k++) buckets[k] = slabs[k] = NONE;
    for (uint32_t b = 0; b < RANGE; b++) {
        const uint32_t pairs = pairs_shared(a, l.count[b]);
        if (!pairs) continue;
        l.next_bucket[b] = buckets[pairs];
        buckets[pairs] = uint8_t(b);
    }
    for (uint32_t pairs = WW_SLOTS; pairs; pairs--)
        for (uint8_t b = buckets[pairs]; b != NONE; b = l.next_bucket[b]) {
            const uint32_t fits = some >> pairs << pairs, empty = fits ? __ffs(int(fits)) - 1 : WW_SLOTS;
            const uint32_t slab = fits ? slabs[empty] : many++;
            if (fits) slabs[empty] = l.next_slab[slab];
            if (fits && slabs[empty] == NONE) some &= ~(1u << empty);
            const uint32_t left = empty - pairs;
            l.shared[b] = uint8_t(slab);
            l.slot[b] = uint8_t(WW_SLOTS - empty);
            l.used[slab] = uint8_t(WW_SLOTS - left);
            if (!left) continue;
            l.next_slab[slab] = slabs[left];
            slabs[left] = uint8_t(slab);
            some |= 1u << left;
        }
    l.slabs += many;
}

WW_DEVICE void lay_out(const build_arguments &a, layout_of_range &l) {
    count_pairs(a, l.count);
    if (threadIdx.x >= WW_WARP) return;
    sum_slabs(a, l);
    __syncwarp();
    if (a.shares && threadIdx.x == 0) share_slabs(a, l);
}

WW_GPU_KERNEL(build_count, build_arguments, WW_THREADS) {
    WW_SHARED(layout_of_range, l);
    lay_out(a, l);
    if (threadIdx.x == 0) a.slabs[blockIdx.x] = l.slabs;
}

/* ---- placing ---- */

struct place_shared {
    alignas(16) unsigned char slab[RANGE][WW_BYTES]; /* first slabs, as they will be */
    unsigned char *base[RANGE];                      /* where they go */
    uint32_t next[RANGE], filter[RANGE];
    layout_of_range l;
};

/* Number and slot of pair `place` of a bucket's, from its first one behind first slabs on; `number`: of the range's first slab there. */
struct place_behind {
    uint32_t number, slot;
};
WW_DEVICE place_behind behind_of(const build_arguments &a, const layout_of_range &l, uint64_t number, uint32_t b,
                                 uint32_t place) {
    if (pairs_shared(a, l.count[b])) return {uint32_t(number + l.own + l.shared[b]), l.slot[b] + place};
    return {uint32_t(number + l.before[b] + place / WW_SLOTS), place % WW_SLOTS};
}

WW_DEVICE void end_slab(unsigned char *slab, uint32_t pairs, uint64_t behind) {
    const uint32_t full = (1u << pairs) - 1;
    *states_of(slab) = full | full << 16;
    *next_of(slab) = uint32_t(behind);
}

WW_DEVICE void begin_slabs(const build_arguments &a, place_shared &s) {
    const uint64_t from = uint64_t(blockIdx.x) << a.range_log;
    four_words *const words = reinterpret_cast<four_words *>(s.slab);
    for (uint32_t k = threadIdx.x; k < buckets_here(a) * WW_BYTES / 16; k += WW_THREADS) words[k] = {{0, 0, 0, 0}};
    for (uint32_t b = threadIdx.x; b < buckets_here(a); b += WW_THREADS)
        s.base[b] = base_slab(a.t, from + b, (from + b) / a.t.base_count);
    for (uint32_t b = threadIdx.x; b < RANGE; b += WW_THREADS) s.next[b] = s.filter[b] = 0;
}

WW_DEVICE void place_pairs(const build_arguments &a, place_shared &s, uint64_t number) {
    const uint64_t end = a.first[blockIdx.x + 1];
    for (uint64_t i = a.first[blockIdx.x] + threadIdx.x; i < end; i += WW_THREADS) {
        const key_and_value p = pairs_of(a)[i];
        const uint32_t b = bucket_here(a, p.key), place = atomicAdd(&s.next[b], 1u);
        unsigned char *slab = s.slab[b];
        uint32_t slot = place;
        if (place >= WW_SLOTS) {
            const place_behind to = behind_of(a, s.l, number, b, place - WW_SLOTS);
            slab = slab_of(a.t, to.number);
            slot = to.slot;
            atomicOr(&s.filter[b], filter_of(hash_of(a.t, p.key)));
        }
        *key_slot(slab, slot) = p.key;
#if WW_HAS_VALUES
        *value_slot(slab, slot) = p.value;
#endif
    }
}

/* The bucket that has slab k of buckets' own: the last one before which there are no more than k. */
WW_DEVICE uint32_t bucket_with(const layout_of_range &l, uint32_t k) {
    uint32_t from = 0;
    for (uint32_t step = RANGE / 2; step; step /= 2)
        if (l.before[from + step] <= k) from += step;
    return from;
}

WW_DEVICE void end_slabs(const build_arguments &a, place_shared &s, uint64_t number) {
    const layout_of_range &l = s.l;
    for (uint32_t b = threadIdx.x; b < buckets_here(a); b += WW_THREADS) {
        if (l.count[b] <= WW_SLOTS) {
            end_slab(s.slab[b], l.count[b], 0);
            continue;
        }
        *states_of(s.slab[b]) = SEALED | s.filter[b] | ALL_SLOTS;
        *next_of(s.slab[b]) = behind_of(a, l, number, b, 0).number;
    }
    for (uint32_t k = threadIdx.x; k < l.slabs; k += WW_THREADS) {
        unsigned char *const slab = slab_of(a.t, uint32_t(number + k));
        if (k >= l.own) {
            end_slab(slab, l.used[k - l.own], 0);
            continue;
        }
        const uint32_t b = bucket_with(l, k), left = l.count[b] - (k - l.before[b] + 1) * WW_SLOTS;
        end_slab(slab, left < WW_SLOTS ? left : WW_SLOTS, left > WW_SLOTS ? number + k + 1 : 0);
    }
}

/* Slabs that are in use now, in the bitmaps: blocks have slabs of one word in common. */
WW_DEVICE void take_slabs(const build_arguments &a, uint32_t slabs, uint64_t number) {
    const uint64_t from = number - 1, end = from + slabs;
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
    lay_out(a, s.l);
    __syncthreads();
    place_pairs(a, s, number);
    __syncthreads();
    end_slabs(a, s, number);
    take_slabs(a, s.l.slabs, number);
    __syncthreads();
    const four_words *const words = reinterpret_cast<const four_words *>(s.slab);
    for (uint32_t k = threadIdx.x; k < buckets_here(a) * WW_BYTES / 16; k += WW_THREADS)
        reinterpret_cast<four_words *>(s.base[k * 16 / WW_BYTES])[k % (WW_BYTES / 16)] = words[k];
}
