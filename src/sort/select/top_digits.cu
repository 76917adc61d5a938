/* One level of radix select: counts the next digit of those elements that have the bits known so far; the block that ends last
 * finds which digit the sought element has, and so the next known bits. The first level reads the input; as soon as few
 * enough are left, a level copies them to a buffer on its way, and later ones read that. Bits in which all that are left
 * agree are no digit: levels after the one that sees it go on below them.
 *
 * With a.exact all bits become known; else it ends as soon as all that are left are chosen.
 *
 * WW_EMIT: the level that copies also gives out those that are below all that are left, which are chosen. */
#include "sort/select/top.cuh"
#include "sort/select/top_digits_arguments.cuh"

enum { DIGIT = 8, BATCH = WW_ROWS * WW_ITEMS, TILE = WW_THREADS * BATCH, WORDS = ww_words<ww_key>::many };

struct digits_arguments : top_digits_fixed {
    keys_input keys;
};

#ifndef WW_EMIT
#define WW_EMIT 0
#endif

struct digits_shared {
#if WW_EMIT
    top_room room;
#endif
    uint32_t counter[BINS * WW_COPIES];
    uint32_t any_set[WORDS], any_clear[WORDS];
    uint32_t found, last;
    uint64_t place;
};

/* What one thread has seen. */
struct seen_bits {
    ww_key any_set, any_clear;
};

WW_DEVICE top_state state_before(const digits_arguments &a) {
    if (a.level) return *a.before;
    top_state t;
    t.value = 0;
    t.left = a.wanted;
    t.many = a.count;
    t.buffered = 0;
    t.low = a.order.bits;
    t.done = t.unused = 0;
    t.where = IN_INPUT;
    return t;
}

WW_DEVICE void count_one(digits_shared &s, ww_key number, ww_digit digit, seen_bits &seen) {
    atomicAdd(&s.counter[digit_in(number, digit) * WW_COPIES + threadIdx.x % WW_COPIES], 1u);
    seen.any_set = ww_key(seen.any_set | number);
    seen.any_clear = ww_key(seen.any_clear | ww_key(~number));
}

/* Copies those of a tile's elements that are left; all threads of the block call it. */
WW_DEVICE void copy_left(const digits_arguments &a, digits_shared &s, const ww_key (&number)[BATCH], uint32_t left) {
    if (threadIdx.x == 0) s.found = 0;
    __syncthreads();
    uint32_t place = left ? atomicAdd(&s.found, uint32_t(__popc(left))) : 0;
    __syncthreads();
    if (threadIdx.x == 0 && s.found) s.place = atomicAdd(a.cursor, uint64_t(s.found));
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BATCH; k++)
        if (left >> k & 1 && s.place + place < a.room) a.buffer[s.place + place++] = number[k];
}

#if WW_EMIT
/* The same; and those that are below go to the output as keys. */
template <bool ordered>
WW_DEVICE void copy_and_emit(const digits_arguments &a, digits_shared &s, const ww_key (&number)[BATCH], uint32_t left, uint32_t below) {
    const uint32_t named[2] = {left, below};
    uint64_t *const cursor[2] = {a.cursor, a.emitted};
    uint64_t place[2];
    take_places(s.room, named, cursor, place);
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
        if (left >> k & 1 && place[0] < a.room) a.buffer[place[0]++] = number[k];
        if (below >> k & 1 && place[1] < a.wanted)
            a.keys_out[place[1]++] = ordered ? ordered_key<true>(a.order.order, number[k]) : number[k];
    }
}
#endif

template <bool ordered>
WW_DEVICE void count_input(const digits_arguments &a, digits_shared &s, const top_state &t, ww_digit digit,
                           seen_bits &seen) {
    static_assert(BATCH <= 32, "a bit for each element");
    for (uint64_t tile = uint64_t(blockIdx.x) * TILE; tile < a.count; tile += uint64_t(gridDim.x) * TILE) {
        ww_key number[BATCH];
        uint32_t left = 0, below = 0;
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            const uint64_t mine = tile + (r * WW_THREADS + threadIdx.x) * WW_ITEMS;
            keys_item x[WW_ITEMS];
            const bool whole = mine + WW_ITEMS <= a.count;
            if (whole) keys_read<WW_ITEMS>(a.keys, mine, x);
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) {
                const int b = r * WW_ITEMS + k;
                if (!whole && mine + k < a.count) x[k] = keys_at(a.keys, mine + k);
                number[b] = 0;
                if (mine + k >= a.count) continue;
                number[b] = compared<ordered>(a.order, ww_as<ww_key>(x[k]));
                if (!has_known_bits(t, number[b])) {
                    below |= uint32_t(number[b] < t.value) << b;
                    continue;
                }
                count_one(s, number[b], digit, seen);
                left |= 1u << b;
            }
        }
#if WW_EMIT
        if (t.where == COPIED_NOW) copy_and_emit<ordered>(a, s, number, left, below);
#else
        (void)below;
        if (t.where == COPIED_NOW) copy_left(a, s, number, left);
#endif
    }
}

WW_DEVICE void count_buffer(const digits_arguments &a, digits_shared &s, const top_state &t, ww_digit digit,
                            seen_bits &seen) {
    for (uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; i < t.buffered;
         i += uint64_t(gridDim.x) * WW_THREADS) {
        const ww_key number = a.buffer[i];
        if (has_known_bits(t, number)) count_one(s, number, digit, seen);
    }
}

/* Adds what the block has counted to what all have. */
WW_DEVICE void publish(const digits_arguments &a, digits_shared &s, const seen_bits &seen) {
    ww_words<ww_key> set, clear;
    set.word[WORDS - 1] = clear.word[WORDS - 1] = 0;
    set.value = seen.any_set;
    clear.value = seen.any_clear;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        if (set.word[w]) atomicOr(&s.any_set[w], set.word[w]);
        if (clear.word[w]) atomicOr(&s.any_clear[w], clear.word[w]);
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < BINS; b += WW_THREADS) {
        uint32_t sum = 0;
#pragma unroll
        for (uint32_t c = 0; c < WW_COPIES; c++) sum += s.counter[b * WW_COPIES + (c + threadIdx.x) % WW_COPIES];
        if (sum) atomicAdd(a.counts + b, uint64_t(sum));
    }
    if (threadIdx.x < WORDS) {
        if (s.any_set[threadIdx.x]) atomicOr(a.any_set + threadIdx.x, s.any_set[threadIdx.x]);
        if (s.any_clear[threadIdx.x]) atomicOr(a.any_clear + threadIdx.x, s.any_clear[threadIdx.x]);
    }
}

WW_DEVICE ww_key key_of_words(const uint32_t *from) {
    ww_words<ww_key> w;
#pragma unroll
    for (int k = 0; k < WORDS; k++) w.word[k] = ww_load_relaxed(from + k);
    return w.value;
}

/* The state once the digit is known: it has `many` of the elements, and `before` are below it. By one thread. */
WW_DEVICE void write_state(const digits_arguments &a, top_state t, uint32_t digit, uint64_t before, uint64_t many) {
    const uint32_t low = t.low < DIGIT ? 0 : t.low - DIGIT;
    const ww_key set = key_of_words(a.any_set), clear = key_of_words(a.any_clear);
    const ww_key differ = ww_key(set & clear & ones(low));
    if (t.where == COPIED_NOW) {
        t.where = IN_BUFFER;
        t.buffered = t.many;
    } else if (t.where == IN_INPUT && many <= a.room) {
        t.where = COPIED_NOW;
    }
    t.value = ww_key(t.value | ww_key(ww_key(digit) << low));
    t.left -= before;
    t.many = many;
    t.low = 0;
    while (t.low < low && ww_key(differ >> t.low)) t.low++;
    /* All have the same bits from there up to the digit. */
    t.value = ww_key(t.value | (set & ones(low) & ww_key(~ones(t.low))));
    t.done = !t.low || (!a.exact && t.left == many);
    *a.after = t;
}

/* Finds the digit of the sought element. By a warp. */
WW_DEVICE void choose_digit(const digits_arguments &a, const top_state &t) {
    enum { OWN = BINS / WW_WARP };
    const uint32_t lane = threadIdx.x;
    uint64_t own[OWN], sum = 0;
#pragma unroll
    for (int k = 0; k < OWN; k++) {
        own[k] = ww_load_relaxed(a.counts + lane * OWN + k);
        sum += own[k];
    }
    uint64_t before = ww_sum_before(sum);
#pragma unroll
    for (int k = 0; k < OWN; k++) {
        if (before < t.left && t.left <= before + own[k]) write_state(a, t, lane * OWN + k, before, own[k]);
        before += own[k];
    }
}

WW_GPU_KERNEL(count_level, digits_arguments, WW_THREADS) {
    WW_SHARED(digits_shared, s);
    const top_state t = state_before(a);
    if (t.done) {
        if (blockIdx.x == 0 && threadIdx.x == 0) *a.after = t;
        return;
    }
    for (uint32_t k = threadIdx.x; k < BINS * WW_COPIES; k += WW_THREADS) s.counter[k] = 0;
    if (threadIdx.x < WORDS) s.any_set[threadIdx.x] = s.any_clear[threadIdx.x] = 0;
    __syncthreads();
    const uint32_t bits = t.low < DIGIT ? t.low : DIGIT;
    const ww_digit digit = digit_from(t.low - bits, bits);
    seen_bits seen = {0, 0};
    if (t.where == IN_BUFFER)
        count_buffer(a, s, t, digit, seen);
    else if (order_of(a.order.order))
        count_input<true>(a, s, t, digit, seen);
    else
        count_input<false>(a, s, t, digit, seen);
    publish(a, s, seen);
    __syncthreads();
    if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (s.last && threadIdx.x < WW_WARP) choose_digit(a, t);
}
