/* A tile of a sort or split in a block: elements in registers, ranked by a digit, put in its order in shared memory.
 * (Merrill and Grimshaw 2011; Adinets and Merrill, Onesweep, 2022.)
 *
 * A warp has WW_ITEMS rows of 32 neighbours. First each warp only counts its keys, so that the tiles behind soon know of them.
 * Then bins and, in a bin, warps follow one another: that turns the counters into places. Then keys are ranked: the lanes
 * whose digits are equal find one another by the bits that they set in a mask of the bin's, the last of them adds how many
 * they are to the warp's counter, and what stood there before is where they go: rows follow one another, so equal
 * digits keep their order.
 *
 * WW_VALUE: bytes of the values that go with the keys, 0 where there are none. WW_COUNTED: 1 the input's values are
 * positions, counted up from a number. WW_WIDE: 1 positions take 64 bits. WW_GROUP: rows whose counters are asked
 * for together. WW_BLOCKS: blocks that are to fit in a processor, by the registers that they take. */
#ifndef WW_TILE_CUH
#define WW_TILE_CUH

#include "radix/digits.cuh"
#include "radix/letters.cuh"

typedef ww_number<WW_VALUE>::type ww_value;

#if WW_WIDE
typedef uint64_t ww_position;
#else
typedef uint32_t ww_position;
#endif

/* WW_BALLOT: bits of a digit, where lanes with equal digits find one another by so many ballots instead. */
#ifndef WW_BALLOT
#define WW_BALLOT 0
#endif

/* WW_TURNS: 1 keys and values take turns in one room of shared memory, and tiles can be larger. */
#ifndef WW_TURNS
#define WW_TURNS 0
#endif

/* WW_FETCHED: 1 values are asked for early. */
#ifndef WW_FETCHED
#define WW_FETCHED 0
#endif

/* WW_LETTERS: 1 keys may be coded. */
#ifndef WW_LETTERS
#define WW_LETTERS 0
#endif

/* WW_REORDERED: 0 elements are not put in order in shared memory. */
#ifndef WW_REORDERED
#define WW_REORDERED 1
#endif

enum {
    WARPS = WW_THREADS / WW_WARP,
    TILE = WW_THREADS * WW_ITEMS,
    /* The threads that see to bins, and how many bins each has. */
    BIN_THREADS = WW_THREADS < BINS ? WW_THREADS : BINS,
    OWN_BINS = BINS / BIN_THREADS
};

#ifndef WW_SHIFTED
#define WW_SHIFTED 0
#endif
/* A place in the output; where buckets are shifted it may be anywhere. */
#if WW_SHIFTED
typedef uint64_t ww_place;
#else
typedef ww_position ww_place;
#endif

struct tile_shared {
#if WW_TURNS
    union {
        alignas(16) ww_key key[TILE];
        alignas(16) ww_value value[TILE];
    };
#else
    alignas(16) ww_key key[TILE]; /* as numbers, in the digit's order */
#if WW_VALUE
    alignas(16) ww_value value[TILE];
#endif
#endif
    alignas(16) uint32_t counter[WARPS][BINS]; /* of a warp's keys in a bin; then where the next one goes in the tile */
#if !WW_BALLOT
    alignas(16) uint32_t mask[WARPS][BINS];    /* the lanes of a row that have the bin's digit; 0 between rows */
#endif
    ww_place to[BINS];                         /* what takes a place in the tile to the place in the output */
    uint32_t sum[BIN_THREADS / WW_WARP];
    uint32_t tile, skewed;
    uint32_t differ[4]; /* bits in which keys differ */
#if WW_BY || WW_TURNS
    uint8_t bin[TILE];
#endif
#if WW_LETTERS
    alignas(4) uint8_t code[256];
    alignas(4) uint8_t letter[1 << LETTER_BITS_MOST];
#endif
    shared_edges edges;
};

/* A thread's keys. Those behind the end have the last bin. */
struct thread_keys {
    ww_key number[WW_ITEMS];
    ww_digit digit;
#if WW_BY
    uint32_t bins[(WW_ITEMS + 3) / 4]; /* four a word: functions are called once */
    WW_DEVICE_MEMBER uint32_t bin(int i) const { return bins[i / 4] >> i % 4 * 8 & 255; }
#else
    WW_DEVICE_MEMBER uint32_t bin(int i) const { return digit_in(number[i], digit); }
#endif
};

/* Where a thread's elements go in the tile, two a word, where that has to be known later. */
struct thread_places {
#if WW_VALUE || !WW_REORDERED
    uint32_t word[(WW_ITEMS + 1) / 2];
    WW_DEVICE_MEMBER uint32_t at(int i) const { return word[i / 2] >> i % 2 * 16 & 0xFFFF; }
    WW_DEVICE_MEMBER void set(int i, uint32_t place) { word[i / 2] = i % 2 ? word[i / 2] | place << 16 : place; }
#else
    WW_DEVICE_MEMBER void set(int, uint32_t) {}
#endif
};
static_assert(TILE <= 1 << 16, "places take 16 bits");
static_assert(BINS % BIN_THREADS == 0, "each of these threads sees to as many bins");

/* The bins of one thread. */
struct tile_bins {
    uint32_t of_warp[OWN_BINS][WARPS], count[OWN_BINS], first[OWN_BINS];
};

/* Where this thread's first element stands in its tile; the next ones follow at strides of WW_WARP. */
WW_DEVICE uint32_t place_in_tile() { return threadIdx.x / WW_WARP * WW_ITEMS * WW_WARP + threadIdx.x % WW_WARP; }

/* What is behind the end ranks last. */
template <bool whole>
WW_DEVICE void read_keys(const ww_key *keys, uint32_t order, uint64_t first, uint64_t count, ww_key (&number)[WW_ITEMS]) {
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        number[i] = ww_key(~ww_key(0));
        if (whole || first + i * WW_WARP < count) number[i] = keys[first + i * WW_WARP];
    }
    if (!order_of(order)) return;
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++)
        if (whole || first + i * WW_WARP < count) number[i] = ordered_number<true>(order, number[i]);
}

/* `from`: the number that the first value is, where they are counted. */
template <bool whole>
WW_DEVICE void read_values(const ww_value *values, bool counted, uint64_t from, uint64_t first, uint64_t count,
                           ww_value (&value)[WW_ITEMS]) {
#if WW_COUNTED
    if (counted) {
#pragma unroll
        for (int i = 0; i < WW_ITEMS; i++) value[i] = ww_value(from + first + i * WW_WARP);
        return;
    }
#else
    (void)counted, (void)from;
#endif
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        value[i] = ww_value();
        if (whole || first + i * WW_WARP < count) value[i] = values[first + i * WW_WARP];
    }
}

/* The keys' bins, where they are not digits of the keys themselves: a few keys at a time. A caller's function may look its keys up in
 * a table: it gets none that are not there. */
#if WW_BY
template <bool whole>
WW_DEVICE void find_bins(const ww_buckets &by, tile_shared &s, uint64_t mine, uint64_t count, thread_keys &keys) {
    enum { N = 8 };
    load_edges(by, s.edges);
#pragma unroll
    for (int i = 0; i < (WW_ITEMS + 3) / 4; i++) keys.bins[i] = 0;
#pragma unroll
    for (int begin = 0; begin < WW_ITEMS; begin += N) {
        bucket_item item[N];
        uint32_t bucket[N];
#pragma unroll
        for (int k = 0; k < N; k++)
            item[k] = ww_as<bucket_item>(keys.number[begin + k < WW_ITEMS ? begin + k : WW_ITEMS - 1]);
#if WW_BY == 1
#pragma unroll
        for (int k = 0; k < N; k++) {
            bucket[k] = 0;
            if (whole || mine + (begin + k) * WW_WARP < count) bucket[k] = bucket_of(by, item[k]);
        }
#else
        buckets_of(by, s.edges, item, bucket);
#endif
#pragma unroll
        for (int i = begin; i < begin + N && i < WW_ITEMS; i++) {
            const bool there = whole || mine + i * WW_WARP < count;
            const uint32_t bin = there ? digit_in(bucket[i - begin], keys.digit) : keys.digit.mask;
            keys.bins[i / 4] |= bin << i % 4 * 8;
        }
    }
}
#endif

/* Asks for values that will be read soon: they come into the second-level cache while keys are ranked. */
template <bool whole> WW_DEVICE void fetch_values(const ww_value *values, uint64_t first, uint64_t count) {
    enum { SECTOR = 32, STEP = WW_VALUE < SECTOR && WW_VALUE ? SECTOR / WW_VALUE : 1 };
    if (threadIdx.x % WW_WARP % STEP) return;
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++)
        if (whole || first + i * WW_WARP < count) ww_fetch_to_cache(values + first + i * WW_WARP);
}

/* The warp's counters, and masks, are 0 then. */
WW_DEVICE void clear_counters(tile_shared &s) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    const ww_sixteen zero = {};
    for (uint32_t k = lane; k < BINS / 4; k += WW_WARP) {
        reinterpret_cast<ww_sixteen *>(s.counter[warp])[k] = zero;
#if !WW_BALLOT
        reinterpret_cast<ww_sixteen *>(s.mask[warp])[k] = zero;
#endif
    }
}

/* Counts the warp's keys. */
WW_DEVICE void count_keys(tile_shared &s, const thread_keys &keys) {
    uint32_t *const counter = s.counter[threadIdx.x / WW_WARP];
    clear_counters(s);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) atomicAdd(counter + keys.bin(i), 1u);
}

/* The lanes that have this lane's digit; by its mask, which is 0 before and afterwards. Lanes wait for one another at a mask;
 * where keys are skewed those with the first lane's digit find one another before, and need none. */
template <bool skewed> WW_DEVICE uint32_t equal_lanes(tile_shared &s, uint32_t warp, uint32_t bin) {
#if WW_BALLOT
    uint32_t equal = WW_ALL;
    (void)s, (void)warp;
#pragma unroll
    for (int b = 0; b < WW_BALLOT; b++) {
        const uint32_t set = __ballot_sync(WW_ALL, bin >> b & 1);
        equal &= bin >> b & 1 ? set : ~set;
    }
    return equal;
#else
    uint32_t *const mask = &s.mask[warp][bin];
    const uint32_t lane = threadIdx.x % WW_WARP, first = skewed ? __shfl_sync(WW_ALL, bin, 0) : 0;
    const bool waits = !skewed || bin != first;
    const uint32_t firsts = skewed ? ~__ballot_sync(WW_ALL, waits) : 0;
    if (skewed && firsts == WW_ALL) return firsts;
    if (waits) atomicOr(mask, 1u << lane);
    __syncwarp();
    const uint32_t equal = waits ? *mask : firsts;
    __syncwarp();
    if (waits && lane == uint32_t(WW_WARP - 1 - __clz(int(equal)))) *mask = 0;
    __syncwarp();
    return equal;
#endif
}

/* Puts keys in the digit's order, and tells their places. The counters say where each warp's keys begin. */
template <bool skewed> WW_DEVICE void put_keys(tile_shared &s, thread_keys &keys, thread_places &places) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, lanes_before = (1u << lane) - 1;
    /* Digits are taken from the numbers once more: kept since they were counted, they would take a register each. (Measured on an
     * H100: with this, 171 instead of 123 G keys a second and 256 bins; but where values take turns, 128 instead of 137.) */
    if (!WW_TURNS) ww_forget(keys.digit.low);
#pragma unroll
    for (int begin = 0; begin < WW_ITEMS; begin += WW_GROUP) {
        const int end = begin + int(WW_GROUP) < int(WW_ITEMS) ? begin + int(WW_GROUP) : int(WW_ITEMS);
        uint32_t leader[WW_GROUP], earlier[WW_GROUP], old[WW_GROUP];
#pragma unroll
        for (int i = begin; i < end; i++) {
            const uint32_t equal = equal_lanes<skewed>(s, warp, keys.bin(i));
            leader[i - begin] = WW_WARP - 1 - __clz(int(equal));
            earlier[i - begin] = __popc(equal & lanes_before);
        }
#pragma unroll
        for (int i = begin; i < end; i++) {
            old[i - begin] = 0;
            if (lane == leader[i - begin])
                old[i - begin] = atomicAdd(&s.counter[warp][keys.bin(i)], earlier[i - begin] + 1);
            __syncwarp();
        }
#pragma unroll
        for (int i = begin; i < end; i++) {
            const uint32_t place = __shfl_sync(WW_ALL, old[i - begin], leader[i - begin]) + earlier[i - begin];
            places.set(i, place);
#if WW_REORDERED
            s.key[place] = keys.number[i];
#if WW_BY || WW_TURNS
            s.bin[place] = uint8_t(keys.bin(i));
#endif
#endif
        }
    }
}

/* Adds up the warps' counters. All are there. */
WW_DEVICE void count_bins(const tile_shared &s, tile_bins &bins) {
#pragma unroll
    for (int q = 0; q < OWN_BINS; q++) {
        bins.count[q] = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            bins.of_warp[q][w] = s.counter[w][threadIdx.x * OWN_BINS + q];
            bins.count[q] += bins.of_warp[q][w];
        }
    }
}

/* Whether one bin has more than a few of the tile's keys: all threads see it behind place_bins' barriers. */
WW_DEVICE void find_skew(tile_shared &s, const tile_bins &bins) {
    enum { FEW = TILE / 6 };
#pragma unroll
    for (int q = 0; q < OWN_BINS; q++)
        if (bins.count[q] > FEW) atomicOr(&s.skewed, 1u);
}

/* Where bins begin in the tile, and in the counters where each warp's keys do. Every thread calls it; those that
 * see to bins have counted them. */
WW_DEVICE void place_bins(tile_shared &s, tile_bins &bins) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    const bool sees_to_bins = threadIdx.x < BIN_THREADS;
    uint32_t own = 0, at = 0;
    if (sees_to_bins) {
#pragma unroll
        for (int q = 0; q < OWN_BINS; q++) own += bins.count[q];
        at = own;
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) {
            const uint32_t earlier = __shfl_up_sync(WW_ALL, at, by);
            if (lane >= uint32_t(by)) at += earlier;
        }
        if (lane == WW_WARP - 1) s.sum[warp] = at;
    }
    __syncthreads();
    if (sees_to_bins) {
        at -= own;
#pragma unroll
        for (uint32_t w = 0; w + 1 < BIN_THREADS / WW_WARP; w++) at += w < warp ? s.sum[w] : 0;
#pragma unroll
        for (int q = 0; q < OWN_BINS; q++) {
            bins.first[q] = at;
#pragma unroll
            for (int w = 0; w < WARPS; w++) {
                s.counter[w][threadIdx.x * OWN_BINS + q] = at;
                at += bins.of_warp[q][w];
            }
        }
    }
    __syncthreads();
}

/* Where a tile is written to. */
struct tile_output {
    ww_key *keys;
    ww_value *values;
    uint64_t count; /* of all elements */
    uint32_t order; /* of keys */
    uint32_t decodes; /* bits of a code, where keys are decoded; or 0 */
};

/* Where the element goes that stands at a place of the tile. */
WW_DEVICE ww_place place_in_output(const tile_shared &s, ww_digit digit, uint32_t place) {
#if WW_BY || WW_TURNS
    (void)digit;
    return s.to[s.bin[place]] + place;
#else
    return s.to[digit_in(s.key[place], digit)] + place;
#endif
}

template <bool whole, bool ordered>
WW_DEVICE void write_keys_of(const tile_output &o, const tile_shared &s, ww_digit digit, uint32_t many) {
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t place = i * WW_THREADS + threadIdx.x;
        if (whole || place < many) {
            const ww_place to = place_in_output(s, digit, place);
            /* A function that does not give a key its bucket again could lead anywhere. */
            if (WW_BY == 1 && !WW_SHIFTED && to >= o.count) continue;
            o.keys[to] = ordered_key<ordered>(o.order, s.key[place]);
#if WW_VALUE && !WW_TURNS
            o.values[to] = s.value[place];
#endif
        }
    }
}

#if WW_LETTERS
/* Few at a time: see code_keys of sweep.cu. */
WW_DEVICE void write_decoded(const tile_output &o, const tile_shared &s, ww_digit digit, uint32_t many) {
#pragma unroll 4
    for (uint32_t place = threadIdx.x; place < many; place += WW_THREADS) {
        const ww_place to = place_in_output(s, digit, place);
        o.keys[to] = key_of(o.order, decoded(s.letter, o.decodes, s.key[place]));
#if WW_VALUE
        o.values[to] = s.value[place];
#endif
    }
}
#else
WW_DEVICE void write_decoded(const tile_output &, const tile_shared &, ww_digit, uint32_t) {}
#endif

/* Writes the tile's keys, of which there are `many`, and values, unless they take turns. */
template <bool whole>
WW_DEVICE void write_keys(const tile_output &o, const tile_shared &s, ww_digit digit, uint32_t many) {
    if (WW_LETTERS && o.decodes)
        write_decoded(o, s, digit, many);
    else if (order_of(o.order))
        write_keys_of<whole, true>(o, s, digit, many);
    else
        write_keys_of<whole, false>(o, s, digit, many);
}

#if WW_VALUE
WW_DEVICE void put_values(tile_shared &s, const thread_places &places, const ww_value (&value)[WW_ITEMS]) {
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) s.value[places.at(i)] = value[i];
}

template <bool whole>
WW_DEVICE void write_values(const tile_output &o, const tile_shared &s, ww_digit digit, uint32_t many) {
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t place = i * WW_THREADS + threadIdx.x;
        if (whole || place < many) {
            const ww_place to = place_in_output(s, digit, place);
            if (WW_BY == 1 && !WW_SHIFTED && to >= o.count) continue;
            o.values[to] = s.value[place];
        }
    }
}
#endif

#endif
