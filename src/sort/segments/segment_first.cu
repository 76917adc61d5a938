/* The first elements of every segment in their order, or the n-th alone, by one launch. A warp sorts a segment of up to 256 elements in
 * its registers. Of a longer one a block finds the last wanted key digit by digit from the highest, counting the digits
 * of those keys that agree above, and collects what is before it, in the segment's order, which a warp then sorts.
 *
 * WW_TAGGED: 1 where values go along: a key then carries its place in what is sorted, which breaks ties, and finds its value.
 * Reads a short segment once, a long one WW_KEY + 2 times. WW_TEAM is a warp; WW_ITEMS, WW_KEY, WW_ORDER: see network.cuh and digits.cuh. */
#include "device/kernel/listed.cuh"
#include "sort/segments/network.cuh"

typedef ww_number<WW_VALUE>::type ww_value;

#include "sort/segments/segment_first_arguments.cuh"

struct segment_first_arguments : segment_first_fixed {
    offsets_input offsets;
};

enum { WARPS = WW_THREADS / WW_WARP, CAPACITY = WW_WARP * WW_ITEMS, DIGITS = 256, NO_DIGIT = DIGITS };

struct segment {
    uint64_t begin;
    uint32_t many;
};

struct first_shared {
    segment of[WARPS];
    uint32_t count[DIGITS];
    uint32_t digit, before; /* what the digit's search finds: the digit, and how many have a lower one */
    uint32_t below[WARPS], equal[WARPS];
    ww_key key[CAPACITY];
    uint32_t place[CAPACITY];
};

WW_DEVICE ww_key number_at(const segment_first_arguments &a, uint64_t i) { return number_of(a.order, a.keys[i]); }

WW_DEVICE segment segment_of(const segment_first_arguments &a, uint64_t number) {
    segment p = {0, 0};
    if (number >= a.segments) return p;
    const uint64_t begin = offsets_at(a.offsets, number), end = offsets_at(a.offsets, number + 1);
    if (begin > end || end > a.count) {
        if (threadIdx.x % WW_WARP == 0) ww_check_segment(a.checking, number, begin, end, a.count);
        return p;
    }
    p.begin = begin;
    p.many = uint32_t(end - begin);
    return p;
}

/* ---- by a warp ---- */

/* Sorts `many` items, which end in all ones, and writes those that are wanted. place: of each item's value, or NULL: its own. */
WW_DEVICE void sort_and_write(const segment_first_arguments &a, uint64_t number, const segment &p, network_item (&x)[WW_ITEMS],
                              uint32_t many, const uint32_t *place) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint32_t no_room = 0;
    sort_team(x, no_room, lane);
#pragma unroll
    for (uint32_t i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = lane * WW_ITEMS + i, rank = e - a.first;
        if (e < a.first || rank >= a.each || e >= many) continue;
        a.keys_out[number * a.each + rank] = key_of(a.order, number_in(x[i]));
#if WW_VALUE
        const uint32_t at = place_in(x[i]);
        a.values_out[number * a.each + rank] = a.values[p.begin + (place ? place[at] : at)];
#endif
    }
}

WW_DEVICE void first_by_warp(const segment_first_arguments &a, uint64_t number, const segment &p) {
    network_item x[WW_ITEMS];
#pragma unroll
    for (uint32_t i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_WARP + threadIdx.x % WW_WARP;
        x[i] = item_of(e < p.many ? number_at(a, p.begin + e) : ww_key(~ww_key(0)), e);
    }
    sort_and_write(a, number, p, x, p.many, nullptr);
}

/* ---- by a block ---- */

/* The digit of the element of this rank among those that were counted; by a warp. */
WW_DEVICE void find_digit(first_shared &s, uint32_t rank) {
    enum { EACH = DIGITS / WW_WARP };
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint32_t sum = 0, before;
#pragma unroll
    for (int k = 0; k < EACH; k++) sum += s.count[lane * EACH + k];
    before = sum;
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2) {
        const uint32_t other = __shfl_up_sync(WW_ALL, before, by);
        if (lane >= uint32_t(by)) before += other;
    }
    before -= sum;
    if (rank < before || rank - before >= sum) return;
#pragma unroll 1
    for (uint32_t k = 0; k < EACH; k++) {
        const uint32_t count = s.count[lane * EACH + k];
        if (rank - before < count) {
            s.digit = lane * EACH + k;
            s.before = before;
            return;
        }
        before += count;
    }
}

/* Counts the digits from bit `low` on of the keys that agree with `prefix` above. Where a warp's are all one digit they are
 * counted at once. */
WW_DEVICE void count_digits(const segment_first_arguments &a, first_shared &s, const segment &p, ww_key prefix, uint32_t low) {
#pragma unroll 4
    for (uint32_t first = 0; first < p.many; first += WW_THREADS) {
        const uint32_t e = first + threadIdx.x;
        uint32_t digit = NO_DIGIT;
        if (e < p.many) {
            const ww_key rest = ww_key((number_at(a, p.begin + e) ^ prefix) >> low);
            if (rest < DIGITS) digit = uint32_t(rest);
        }
        if (__all_sync(WW_ALL, digit == __shfl_sync(WW_ALL, digit, 0))) {
            if (threadIdx.x % WW_WARP == 0 && digit != NO_DIGIT) atomicAdd(&s.count[digit], uint32_t(WW_WARP));
        } else if (digit != NO_DIGIT) {
            atomicAdd(&s.count[digit], 1u);
        }
    }
}

/* The key of this rank, and how many are below it. */
WW_DEVICE ww_key find_key(const segment_first_arguments &a, first_shared &s, const segment &p, uint32_t rank, uint32_t &below) {
    ww_key prefix = 0;
    below = 0;
#pragma unroll 1
    for (uint32_t low = 8 * WW_KEY; low;) {
        low -= 8;
        for (uint32_t k = threadIdx.x; k < DIGITS; k += WW_THREADS) s.count[k] = 0;
        __syncthreads();
        count_digits(a, s, p, prefix, low);
        __syncthreads();
        if (threadIdx.x < WW_WARP) find_digit(s, rank - below);
        __syncthreads();
        prefix = ww_key(prefix | ww_key(ww_key(s.digit) << low));
        below += s.before;
    }
    return prefix;
}

/* The part of a segment that this warp looks through. */
struct warp_part {
    uint32_t first, end;
};
WW_DEVICE warp_part part_of(const segment &p) {
    const uint32_t warps = (p.many + WW_WARP - 1) / WW_WARP, each = (warps + WARPS - 1) / WARPS * WW_WARP;
    const uint64_t first = uint64_t(threadIdx.x / WW_WARP) * each;
    warp_part w;
    w.first = first < p.many ? uint32_t(first) : p.many;
    w.end = first + each < p.many ? uint32_t(first + each) : p.many;
    return w;
}

/* What is below the key, and as many equal ones as are wanted besides, the first ones, in the segment's order. */
WW_DEVICE void collect(const segment_first_arguments &a, first_shared &s, const segment &p, ww_key key, uint32_t ties) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, lower = (1u << lane) - 1;
    const warp_part w = part_of(p);
    uint32_t below = 0, equal = 0;
#pragma unroll 4
    for (uint32_t first = w.first; first < w.end; first += WW_WARP) {
        const bool there = first + lane < w.end;
        const ww_key x = there ? number_at(a, p.begin + first + lane) : ww_key(0);
        below += __popc(__ballot_sync(WW_ALL, there && x < key));
        equal += __popc(__ballot_sync(WW_ALL, there && x == key));
    }
    if (lane == 0) {
        s.below[warp] = below;
        s.equal[warp] = equal;
    }
    __syncthreads();
    below = equal = 0;
    for (uint32_t v = 0; v < warp; v++) {
        below += s.below[v];
        equal += s.equal[v];
    }
#pragma unroll 4
    for (uint32_t first = w.first; first < w.end; first += WW_WARP) {
        const bool there = first + lane < w.end;
        const ww_key x = there ? number_at(a, p.begin + first + lane) : ww_key(0);
        const uint32_t lows = __ballot_sync(WW_ALL, there && x < key), equals = __ballot_sync(WW_ALL, there && x == key);
        const uint32_t tie = equal + __popc(equals & lower), at = below + __popc(lows & lower) + (tie < ties ? tie : ties);
        if ((lows | (tie < ties ? equals : 0)) >> lane & 1) {
            s.key[at] = x;
            s.place[at] = first + lane;
        }
        below += __popc(lows);
        equal += __popc(equals);
    }
    __syncthreads();
}

WW_DEVICE void first_by_block(const segment_first_arguments &a, first_shared &s, uint64_t number, const segment &p) {
    const uint32_t last = a.first + a.each < p.many ? a.first + a.each : p.many;
    uint32_t below;
    if (a.first >= p.many) return;
    const ww_key key = find_key(a, s, p, last - 1, below);
    if (a.each == 1 && !WW_VALUE) {
        if (threadIdx.x == 0) a.keys_out[number] = key_of(a.order, key);
        return;
    }
    collect(a, s, p, key, last - below);
    if (threadIdx.x >= WW_WARP) return;
    network_item x[WW_ITEMS];
#pragma unroll
    for (uint32_t i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_WARP + threadIdx.x;
        x[i] = item_of(e < last ? s.key[e] : ww_key(~ww_key(0)), e);
    }
    sort_and_write(a, number, p, x, last, s.place);
}

WW_GPU_KERNEL(first_of_segments, segment_first_arguments, WW_THREADS) {
    WW_SHARED(first_shared, s);
    if (ww_stopped(a.checking)) return;
    const uint32_t warp = threadIdx.x / WW_WARP;
    for (uint64_t first = blockIdx.x * uint64_t(a.group); first < a.segments; first += gridDim.x * uint64_t(a.group)) {
        const uint64_t number = first + warp;
        segment p = {0, 0};
        if (warp < a.group) p = segment_of(a, number);
        if (threadIdx.x % WW_WARP == 0) s.of[warp] = p;
        if (p.many && p.many <= CAPACITY) first_by_warp(a, number, p);
        if (!__syncthreads_or(p.many > CAPACITY)) continue;
        for (uint32_t w = 0; w < a.group; w++) {
            if (s.of[w].many > CAPACITY) first_by_block(a, s, first + w, s.of[w]);
            __syncthreads();
        }
    }
}
