/* Finding all over again, where comparing candidates one by one has cost too much: the launch behind auto.cu's, which returns
 * at once where it has not. Linear in the text whatever stands in it, and exact.
 *
 * Each block has a segment of starts, as long as the pattern at least, and reads twice that at most.
 * 1. It rolls Karp and Rabin's fingerprint modulo 2^61 - 1 over the segment: with w(s) of the m characters from s on,
 *    w(s) = w(s - 1) b + text[s + m - 1] - text[s - 1] b^m, where what stands before the segment counts as 0 and s begins
 *    m before it. That is a linear recurrence, which threads compute 32 places each, with a scan over the block.
 * 2. Starts whose fingerprint is the pattern's are candidates. Each character is compared once: with the pattern at the first
 *    candidate that it belongs to. So the first candidate is compared whole, and of each further one what the one before does
 *    not reach, at distance d < m its last d characters; the rest is what the one before has there, if the pattern
 *    fits on itself at distance d, which the host has found out. If it does not, or if a character differs, then a
 *    fingerprint has lied, and the segment's candidates are compared one by one: only luck costs time.
 * 3. With the count of its matches it looks back, and writes positions.
 *
 * The pattern's image and what is asked for are as in auto.cu. */
#include "text/auto/auto.cuh"

#define PRIME ((uint64_t(1) << 61) - 1)

enum {
    OWN = 32, /* starts of a thread: a word of marks */
    ROUND = WW_THREADS * OWN,
    LETTERS_IN_ALL = 1 << WW_BITS
};
#define NOWHERE (int64_t(UINT64_MAX >> 2))

struct again_arguments : again_fixed {
#if WW_INLINE_WORDS
    uint32_t image[WW_INLINE_WORDS];
#endif
};

struct again_shared {
    uint64_t dropped[LETTERS_IN_ALL]; /* what takes each character away from a fingerprint */
    uint64_t print[WARPS], before;
    int64_t lowest[WARPS];
    uint32_t tile, of_warp[WARPS];
};

/* A block's segment. Starts are counted from its first one. */
struct segment_of {
    uint64_t character; /* of its first start */
    uint64_t word;      /* of marks */
    uint64_t starts;
    const uint32_t *image;
};

/* ---- fingerprints ---- */

WW_DEVICE uint64_t plus(uint64_t x, uint64_t y) {
    const uint64_t sum = x + y;
    return sum >= PRIME ? sum - PRIME : sum;
}

WW_DEVICE uint64_t times(uint64_t x, uint64_t y) {
    const uint64_t low = x * y, high = __umul64hi(x, y);
    return plus(low & PRIME, low >> 61 | high << 3);
}

/* Rolls over a thread's places from `from` on, which may lie before the segment; calls see(k, print) for each. */
template <class F>
WW_DEVICE uint64_t roll(const again_arguments &a, const again_shared &s, const segment_of &g, int64_t from, uint64_t print,
                        F see) {
    for (int k = 0; k < OWN; k += CHARACTERS) {
        const int64_t leaves = from + k - 1, enters = leaves + int64_t(a.pattern.characters);
        const uint32_t in = enters > -CHARACTERS ? text_bits(a.text, (g.character + uint64_t(enters)) * WW_BITS) : 0;
        const uint32_t out = leaves > -CHARACTERS ? text_bits(a.text, (g.character + uint64_t(leaves)) * WW_BITS) : 0;
#pragma unroll
        for (int c = 0; c < CHARACTERS; c++) {
            const uint32_t entering = enters + c >= 0 ? folded(character(in, c)) : 0;
            const uint32_t leaving = leaves + c >= 0 ? folded(character(out, c)) : 0;
            print = plus(plus(times(print, a.base), entering), s.dropped[leaving]);
            see(k + c, print);
        }
    }
    return print;
}

/* Fingerprints of the places before each thread's, from those of the threads; `carry` goes on behind the round. */
WW_DEVICE uint64_t prints_before(const again_arguments &a, again_shared &s, uint64_t own, uint64_t to_lane, uint64_t &carry) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint64_t print = own;
#pragma unroll
    for (int k = 0; k < 5; k++) {
        const uint64_t earlier = __shfl_up_sync(WW_ALL, print, 1u << k);
        if (lane >= 1u << k) print = plus(times(earlier, a.step[k]), print);
    }
    if (lane == WW_WARP - 1) s.print[warp] = print;
    const uint64_t last = __shfl_up_sync(WW_ALL, print, 1u), in_warp = lane ? last : 0;
    __syncthreads();
    uint64_t before = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
        if (w == warp) before = carry;
        carry = plus(times(carry, a.step[5]), s.print[w]);
    }
    __syncthreads();
    return plus(times(before, to_lane), in_warp);
}

/* Marks the candidates of the segment. */
WW_DEVICE void mark_candidates(const again_arguments &a, again_shared &s, const segment_of &g, int64_t lead) {
    uint64_t carry = 0, to_lane = 1;
    for (uint32_t k = 0; k < threadIdx.x % WW_WARP; k++) to_lane = times(to_lane, a.step[0]);
    for (int64_t round = -lead; round < int64_t(g.starts); round += ROUND) {
        const int64_t from = round + int64_t(threadIdx.x * OWN);
        const uint64_t own = roll(a, s, g, from, 0, [](int, uint64_t) {});
        const uint64_t before = prints_before(a, s, own, to_lane, carry);
        if (round < 0) continue;
        uint32_t bits = 0;
        roll(a, s, g, from, before, [&](int k, uint64_t print) {
            if (print == a.target && from + k < int64_t(g.starts)) bits |= 1u << k;
        });
        if (from < int64_t(g.starts)) a.results.marks[g.word + uint64_t(from) / 32] = bits;
    }
}

/* ---- comparing ---- */

/* The next candidate behind this thread's places; `carry`: the lowest of the rounds behind, and then of this one too. */
WW_DEVICE int64_t next_behind(again_shared &s, int64_t lowest, int64_t &carry) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    const uint32_t have = __ballot_sync(WW_ALL, lowest != NOWHERE), later = have & ~((2u << lane) - 1);
    const int64_t of_lane = __shfl_sync(WW_ALL, lowest, later ? __ffs(int(later)) - 1 : int(lane));
    const int64_t of_warp = __shfl_sync(WW_ALL, lowest, have ? __ffs(int(have)) - 1 : 0);
    if (lane == 0) s.lowest[warp] = of_warp;
    __syncthreads();
    int64_t behind = carry;
    for (int w = WARPS - 1; w >= 0; w--) {
        if (uint32_t(w) == warp) behind = carry;
        if (s.lowest[w] != NOWHERE) carry = s.lowest[w];
    }
    __syncthreads();
    return later ? of_lane : behind;
}

/* Whether `many` characters, of one word at most, differ: the one behind place p by the pattern's length, and the pattern's
 * that stands so far before its end as p does before the candidate `next`. */
WW_DEVICE bool differs(const again_arguments &a, const segment_of &g, int64_t p, int64_t next, uint32_t many) {
    const uint64_t m = a.pattern.characters, of_pattern = (m - uint64_t(next - p)) * WW_BITS;
    uint32_t bits = text_bits(a.text, (g.character + uint64_t(p + int64_t(m))) * WW_BITS) ^ image_bits(g.image, of_pattern);
    if (WW_FOLD) bits &= image_bits(g.image + a.pattern.words + 1, of_pattern);
    return many == CHARACTERS ? bits != 0 : (bits & ((1u << (many * WW_BITS)) - 1)) != 0;
}

WW_DEVICE bool fits_on_itself(const again_arguments &a, const segment_of &g, uint64_t distance) {
    const uint32_t *fits = g.image + (a.pattern.words + 1) * (1 + WW_FOLD);
    return fits[distance / 32] >> (distance % 32) & 1;
}

/* Whether anything speaks against the candidates among 32 places, or against what follows them. */
WW_DEVICE bool is_bad(const again_arguments &a, const segment_of &g, int64_t from, uint32_t own, int64_t next) {
    const int64_t m = int64_t(a.pattern.characters);
    bool bad = false;
    for (int k = OWN - CHARACTERS; k >= 0; k -= CHARACTERS) {
        const uint32_t group = CHARACTERS == 32 ? own : own >> k & ((1u << (CHARACTERS % 32)) - 1);
        if (!group) {
            const int64_t p = from + k;
            if (next - (p + CHARACTERS - 1) > m || p + CHARACTERS - 1 + m < 0) continue;
            if (next - p <= m && p + m >= 0) {
                bad |= differs(a, g, p, next, CHARACTERS);
                continue;
            }
        }
        for (int c = CHARACTERS - 1; c >= 0; c--) {
            const int64_t p = from + k + c;
            if (next - p <= m && p + m >= 0) bad |= differs(a, g, p, next, 1);
            if (!(own >> (k + c) & 1)) continue;
            if (next - p < m && !fits_on_itself(a, g, uint64_t(next - p))) bad = true;
            next = p;
        }
    }
    return bad;
}

/* Whether something speaks against the segment's candidates. */
WW_DEVICE bool check_candidates(const again_arguments &a, again_shared &s, const segment_of &g, int64_t lead) {
    int64_t carry = NOWHERE;
    bool bad = false;
    for (int64_t round = int64_t((g.starts - 1) / ROUND * ROUND); round >= -lead; round -= ROUND) {
        const int64_t from = round + int64_t(threadIdx.x * OWN);
        const bool there = from >= 0 && from < int64_t(g.starts);
        const uint32_t own = there ? a.results.marks[g.word + uint64_t(from) / 32] : 0;
        const int64_t next = next_behind(s, own ? from + (__ffs(int(own)) - 1) : NOWHERE, carry);
        bad |= is_bad(a, g, from, own, next);
    }
    return __syncthreads_or(bad);
}

/* Whether the pattern stands at a start. By the block. */
WW_DEVICE bool block_fits(const again_arguments &a, const segment_of &g, uint64_t start) {
    const uint64_t bit = (g.character + start) * WW_BITS;
    for (uint32_t from = 0; from < a.pattern.words; from += WW_THREADS) {
        const uint32_t w = from + threadIdx.x;
        uint32_t differ = 0;
        if (w < a.pattern.words)
            differ = (text_bits(a.text, bit + 32 * uint64_t(w)) ^ g.image[w]) & image_keeps(a.pattern, g.image, w);
        if (__syncthreads_or(differ != 0)) return false;
    }
    return true;
}

/* Compares the candidates one by one. */
WW_DEVICE void compare_candidates(const again_arguments &a, const segment_of &g) {
    for (uint64_t w = 0; w * 32 < g.starts; w++) {
        const uint32_t candidates = a.results.marks[g.word + w];
        uint32_t kept = candidates;
        for (uint32_t left = candidates; left; left &= left - 1) {
            const uint32_t k = __ffs(int(left)) - 1;
            if (!block_fits(a, g, w * 32 + k)) kept &= ~(1u << k);
        }
        __syncthreads();
        if (threadIdx.x == 0) a.results.marks[g.word + w] = kept;
    }
    __syncthreads();
}

/* ---- results ---- */

WW_DEVICE uint32_t marks_at(const again_arguments &a, const segment_of &g, uint64_t w) {
    return w * 32 < g.starts ? a.results.marks[g.word + w] : 0;
}

/* The segment's first or last match. */
WW_DEVICE void improve_best(const again_arguments &a, const segment_of &g) {
    for (uint64_t w = threadIdx.x; w * 32 < g.starts; w += WW_THREADS) {
        const uint32_t bits = marks_at(a, g, w);
        const uint64_t from = (g.word + w) * 32;
        if (bits && WW_WANT == FIND_FIRST) atomicMin(a.results.best, from + (__ffs(int(bits)) - 1));
        if (bits && WW_WANT == FIND_LAST)
            atomicMax(reinterpret_cast<int64_t *>(a.results.best), int64_t(from + (31 - __clz(int(bits)))));
    }
}

WW_DEVICE void list_segment(const again_arguments &a, again_shared &s, const segment_of &g, uint64_t segment) {
    uint32_t own = 0, all;
    for (uint64_t w = threadIdx.x; w * 32 < g.starts; w += WW_THREADS) own += __popc(marks_at(a, g, w));
    block_ranks(s.of_warp, own, all);
    if (threadIdx.x < WW_WARP)
        ww_count_before(a.chain, segment, all, [&](uint64_t before, uint64_t with_these) {
            s.before = before;
            if (segment + 1 == a.segments) *a.results.total = ww_count(with_these);
        });
    __syncthreads();
    uint64_t rank = s.before;
    for (uint64_t w = 0; w * 32 < g.starts && rank < a.results.room; w += WW_THREADS) {
        const uint32_t bits = marks_at(a, g, w + threadIdx.x);
        const uint32_t before = block_ranks(s.of_warp, __popc(bits), all);
        put_positions(a.results, bits, rank + before, (g.word + w + threadIdx.x) * 32);
        rank += all;
        __syncthreads();
    }
}

WW_GPU_KERNEL(find_pattern_again, again_arguments, WW_THREADS) {
    WW_SHARED(again_shared, s);
    ww_wait_before();
    if (!a.state->exceeded) return;
    const uint64_t number = ww_take_tile(a.chain, s.tile), first = number * a.segment;
    segment_of g;
    g.character = a.first + first;
    g.word = first / 32;
    g.starts = a.starts - first < a.segment ? a.starts - first : a.segment;
#if WW_INLINE_WORDS
    g.image = a.pattern.memory ? a.pattern.memory : a.image;
#else
    g.image = a.pattern.memory;
#endif
    for (uint32_t c = threadIdx.x; c < LETTERS_IN_ALL; c += WW_THREADS) {
        const uint64_t drop = times(a.drop, c);
        s.dropped[c] = drop ? PRIME - drop : 0;
    }
    __syncthreads();
    const int64_t lead = int64_t((a.pattern.characters + ROUND - 1) / ROUND * ROUND);
    mark_candidates(a, s, g, lead);
    __syncthreads();
    if (check_candidates(a, s, g, lead)) compare_candidates(a, g);
    if (WW_WANT == FIND_MARKS) return;
    if (WW_WANT == FIND_ALL)
        list_segment(a, s, g, number);
    else
        improve_best(a, g);
}
