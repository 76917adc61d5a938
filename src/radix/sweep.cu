/* A sort's or split's sweep over one digit, as in Onesweep (Adinets and Merrill 2022): every tile reads its elements,
 * puts them in order (tile.cuh) and writes them to their places, which count_digits.cu and the tiles before tell. Reads
 * and writes each element once.
 *
 * Each bin has a chain of its own: a tile publishes how many of its keys are in a bin, and looks back over the
 * tiles before until one knows where its keys end in the output. A word holds such a count or position and, in its
 * lowest two bits, which of them it is. Sweeps take two sets of words in turns and clear the other set for the next
 * one.
 *
 * WW_TOGETHER: 1 so few tiles that a GPU holds them all at once: one launch makes all sweeps, and between two of them blocks wait
 * for one another. */
#include "device/kernel/counted.cuh"
#include "radix/tile.cuh"
#include "radix/sweep_arguments.cuh"

enum { NOTHING_YET = 0, OWN_COUNT = 1, ALL_BEFORE_TOO = 2, STATES = 4, AHEAD = 4 /* words asked for at once */ };

#ifndef WW_TOGETHER
#define WW_TOGETHER 0
#endif

struct sweep_arguments : sweep_fixed {
#if WW_BY || WW_CHECKED
    ww_buckets by;
#endif
};

/* What the plan says. */
struct sweep {
    const ww_key *keys;
    ww_key *keys_out;
    const ww_value *values;
    ww_value *values_out;
    const uint64_t *first; /* where each bin begins */
    ww_position *words, *next_words;
    bool from_input;
    ww_digit digit;
    uint32_t codes, decodes; /* bits of a code, where it codes or decodes; or 0 */
};

/* The launch's own sweep; where it makes several, of this number. */
WW_DEVICE sweep sweep_of(const sweep_arguments &a, uint32_t number, uint32_t plan) {
    const uint32_t from = plan / SWEEP_FROM % PLACES, to = plan / SWEEP_TO % PLACES;
    sweep w;
    w.from_input = from == PLACE_INPUT;
    w.keys = from == PLACE_INPUT ? a.keys : from == PLACE_OUTPUT ? a.keys_out : a.keys_scratch;
    w.values = from == PLACE_INPUT ? a.values : from == PLACE_OUTPUT ? a.values_out : a.values_scratch;
    w.keys_out = to == PLACE_OUTPUT ? a.keys_out : a.keys_scratch;
    w.values_out = to == PLACE_OUTPUT ? a.values_out : a.values_scratch;
    w.words = a.words + (plan & SWEEP_ODD ? a.tiles * BINS : 0);
    w.next_words = a.words + (plan & SWEEP_ODD ? 0 : a.tiles * BINS);
    w.digit = WW_TOGETHER ? digit_of_sweep(a.sweeps, a.width, a.low, a.bits, number) : digit_from(a.low, a.bits);
    w.first = a.first + number * BINS;
    w.codes = w.decodes = 0;
#if WW_LETTERS
    if (plan & SWEEP_CODED) w.first = a.first_coded + number * BINS;
    if (plan & SWEEP_CODES) w.codes = a.letters->bits;
    if (plan & SWEEP_DECODES) w.decodes = a.letters->bits;
#endif
    return w;
}

WW_DEVICE uint32_t take_ticket(const sweep_arguments &a, tile_shared &s) {
    if (threadIdx.x == 0) s.tile = atomicAdd(a.ticket, 1u);
    __syncthreads();
    return s.tile;
}

/* The number of this block's tile. */
WW_DEVICE uint32_t take_tile(const sweep_arguments &a, tile_shared &s) {
    return WW_STARTED_IN_ORDER ? blockIdx.x : take_ticket(a, s);
}

/* Tells the tiles behind how many keys this one has in its bins; the first tile where they end. */
WW_DEVICE void publish_counts(const sweep &w, uint64_t tile, const tile_bins &bins) {
#pragma unroll
    for (int q = 0; q < OWN_BINS; q++) {
        const uint32_t b = threadIdx.x * OWN_BINS + q;
        const ww_position count = bins.count[q];
        w.next_words[tile * BINS + b] = NOTHING_YET;
        ww_store_relaxed(w.words + tile * BINS + b, tile ? count * STATES + OWN_COUNT
                                                        : (ww_position(w.first[b]) + count) * STATES + ALL_BEFORE_TOO);
    }
}

/* Where this tile's keys of a bin begin in the output. */
WW_DEVICE ww_position look_back(const ww_position *words, uint64_t tile, uint32_t b) {
    ww_position before = 0;
    for (int64_t end = tile;; end -= AHEAD) {
        ww_position word[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            word[k] = ALL_BEFORE_TOO;
            if (end - 1 - k >= 0) word[k] = ww_load_relaxed(words + (end - 1 - k) * BINS + b);
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            while (word[k] % STATES == NOTHING_YET) {
                ww_wait_a_moment();
                word[k] = ww_load_relaxed(words + (end - 1 - k) * BINS + b);
            }
            before += word[k] / STATES;
            if (word[k] % STATES == ALL_BEFORE_TOO) return before;
        }
    }
}

WW_DEVICE void find_places(const sweep_arguments &a, const sweep &w, tile_shared &s, uint64_t tile,
                           const tile_bins &bins) {
#pragma unroll
    for (int q = 0; q < OWN_BINS; q++) {
        const uint32_t b = threadIdx.x * OWN_BINS + q;
        ww_position before;
        if (tile) {
            before = look_back(w.words, tile, b);
            ww_store_relaxed(w.words + tile * BINS + b, (before + bins.count[q]) * STATES + ALL_BEFORE_TOO);
        } else {
            before = ww_position(w.first[b]);
        }
#if WW_SHIFTED
        s.to[b] = ww_place(before) - bins.first[q] + a.shift[b];
#else
        s.to[b] = before - bins.first[q];
#endif
    }
}

#if WW_LETTERS
/* Makes codes of keys, in shared memory, so that the program's text is not there for each key of a thread: it comes from memory, too.
 * What is behind the end stays, and ranks last. */
template <bool whole>
WW_DEVICE void code_keys(const sweep_arguments &a, const sweep &w, tile_shared &s, uint64_t mine, thread_keys &keys) {
    ww_key *const own = s.key + threadIdx.x;
    load_letters<WW_THREADS>(s.code, a.letters->code, sizeof s.code);
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) own[i * WW_THREADS] = keys.number[i];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < WW_ITEMS; i++)
        if (whole || mine + i * WW_WARP < a.count) own[i * WW_THREADS] = coded(s.code, w.codes, own[i * WW_THREADS]);
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) keys.number[i] = own[i * WW_THREADS];
}
#endif

template <bool whole>
WW_DEVICE void sweep_tile(const sweep_arguments &a, const sweep &w, tile_shared &s, uint64_t tile, uint32_t many) {
    thread_keys keys;
    keys.digit = w.digit;
    const uint64_t mine = tile * TILE + place_in_tile();
    thread_places places;
    tile_bins bins;
    read_keys<whole>(w.keys, a.order, mine, a.count, keys.number);
#if WW_LETTERS
    if (w.codes) code_keys<whole>(a, w, s, mine, keys);
    if (w.decodes) load_letters<WW_THREADS>(s.letter, a.letters->letter, sizeof s.letter);
#endif
#if WW_VALUE && WW_FETCHED
    if (!WW_COUNTED || !w.from_input) fetch_values<whole>(w.values, mine, a.count);
#endif
#if WW_BY
    find_bins<whole>(a.by, s, mine, a.count, keys);
#endif
    count_keys(s, keys);
    if (threadIdx.x == 0) s.skewed = 0;
    __syncthreads();
    if (threadIdx.x < BIN_THREADS) {
        count_bins(s, bins);
        find_skew(s, bins);
        publish_counts(w, tile, bins);
    }
    place_bins(s, bins);
    if (s.skewed || !whole) /* either is right: one program less for the last tile */
        put_keys<true>(s, keys, places);
    else
        put_keys<false>(s, keys, places);
#if WW_VALUE
    ww_value value[WW_ITEMS];
    read_values<whole>(w.values, w.from_input, a.first_value, mine, a.count, value);
#endif
    if (threadIdx.x < BIN_THREADS) find_places(a, w, s, tile, bins);
#if WW_VALUE && !WW_TURNS
    put_values(s, places, value);
#endif
    __syncthreads();
    const tile_output out = {w.keys_out, w.values_out, a.count, a.order, w.decodes};
    write_keys<whole>(out, s, keys.digit, many);
#if WW_VALUE && WW_TURNS
    __syncthreads();
    put_values(s, places, value);
    __syncthreads();
    write_values<whole>(out, s, keys.digit, many);
#endif
}

/* A tile from which on there are `left` elements. */
WW_DEVICE void sweep_one(const sweep_arguments &a, const sweep &w, tile_shared &s, uint64_t tile, uint64_t left) {
    if (left >= TILE)
        sweep_tile<true>(a, w, s, tile, TILE);
    else
        sweep_tile<false>(a, w, s, tile, uint32_t(left));
}

#if WW_BY || WW_CHECKED
WW_DEVICE bool stopped(const sweep_arguments &a) { return has_no_bucket(a.by); }
#else
WW_DEVICE bool stopped(const sweep_arguments &) { return false; }
#endif

#if !WW_TOGETHER
/* One tile a block; where a count on the device says how many there are (a.tiles stays what there is room for), blocks are no more
 * than a GPU holds, and take one after the other, as ww_each_tile does. */
WW_DEVICE void sweep_tiles(const sweep_arguments &a) {
    WW_SHARED_LARGE(tile_shared, s);
    const uint32_t plan = *a.plan;
    if (!(plan & SWEEP_RUNS) || stopped(a)) return;
    const sweep w = sweep_of(a, 0, plan);
#if WW_COUNT_AT
    const uint64_t tiles = (a.count + TILE - 1) / TILE;
    const bool once = tiles <= gridDim.x;
    if (blockIdx.x >= tiles) return;
    for (;;) {
        const uint64_t tile = once ? take_tile(a, s) : take_ticket(a, s), left = a.count - tile * TILE;
        if (tile >= tiles) return;
        sweep_one(a, w, s, tile, left);
        if (once) return;
        __syncthreads();
    }
#else
    const uint64_t tile = take_tile(a, s);
    sweep_one(a, w, s, tile, a.count - tile * TILE);
#endif
}

WW_LOOP_KERNEL_HELD(sweep_digit, sweep_arguments, WW_THREADS, WW_BLOCKS) {
#if !WW_COUNT_AT
    ww_in_line();
#endif
    sweep_tiles(ww_counted(a));
}
#else
WW_GPU_KERNEL_HELD(sweep_digits, sweep_arguments, WW_THREADS, WW_BLOCKS) {
    WW_SHARED_LARGE(tile_shared, s);
    if (stopped(a)) return;
    bool first = true;
    for (uint32_t number = 0; number < a.sweeps; number++) {
        const uint32_t plan = a.plan[number];
        if (!(plan & SWEEP_RUNS)) continue;
        if (!first) ww_barrier(a.arrived, 0);
        first = false;
        sweep_one(a, sweep_of(a, number, plan), s, blockIdx.x, a.count - blockIdx.x * uint64_t(TILE));
    }
}
#endif
