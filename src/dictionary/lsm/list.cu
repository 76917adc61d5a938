/* Ranges, up to a million at a time.
 *
 * slices: a thread for each range finds where its elements lie in each level, and, by the indexes, how many keys these are, of which a
 * scan makes offsets. list_short: a thread for each range that has few elements merges them, the least key first. list: of the others a
 * thread for each element, so that one long range is no more work than many short ones, sees whether it counts (no newer level has its
 * key, and it is no deletion) and how many keys there are before it in the range, by its place in each level and the indexes: that is
 * where it goes. A scan of how many elements long ranges have gives each of these a number.
 *
 * Reads the bounds once, writes and reads 16 bytes for each range and level; reads the elements between the bounds once, of long
 * ranges those of the other levels between them by binary search, and writes what is listed once.
 *
 * WW_VALUES: 1 values are wanted. WW_ORDERED: 1 ranges come in the order of order.cu, by their lower bounds. WW_LEVELS: as many levels
 * or more than there are. */
#include "dictionary/lsm/logic.cuh"

#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/list_arguments.cuh"
#include "dictionary/lsm/query.cuh"

enum { SHORT = 32 }; /* elements of a range that a thread lists alone */

struct list_arguments : list_fixed {
#if !WW_ORDERED
    low_input low;
#endif
    high_input high;
};

/* Where range q's upper bound and offset stand. */
WW_DEVICE uint64_t standing_at(const list_arguments &a, uint64_t q) {
#if WW_ORDERED
    return query_at(a.queries, q).position;
#else
    return a.first + q;
#endif
}

WW_DEVICE ww_key lower_bound_of(const list_arguments &a, uint64_t q) {
#if WW_ORDERED
    return query_at(a.queries, q).key;
#else
    return low_at(a.low, a.first + q);
#endif
}

WW_GPU_KERNEL(slices, list_arguments, WW_THREADS) {
    const uint64_t q = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (q >= a.ranges) return;
    const ww_key low = lower_bound_of(a, q), high = high_at(a.high, standing_at(a, q));
    uint64_t sum = 0, keys = 0; /* of elements, and of those that count */
    for (uint64_t j = 0; j < a.runs.many; j++) {
        const ww_lsm_run *const r = &a.runs.run[j];
        const uint64_t from = lsm_bound(r, 0, r->count, low, false);
        const uint64_t end = low > high ? from : lsm_bound_near(r, from, high, true);
        a.from[j * a.ranges + q] = from;
        a.end[j * a.ranges + q] = end;
        sum += end - from;
        keys += lsm_rank(r, end) - lsm_rank(r, from);
    }
    a.elements[q] = sum > SHORT ? sum : 0;
    a.offsets[standing_at(a, q) + 1] = keys;
}

/* ---- short ranges ---- */

/* What is left of a range in each level, and the first key of that. */
struct merging {
    uint64_t at[WW_LEVELS];
    uint32_t left[WW_LEVELS];
    ww_key key[WW_LEVELS];
};

/* False for a long range. */
WW_DEVICE bool begin_merging(const list_arguments &a, uint64_t q, merging &m) {
    uint64_t sum = 0;
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++) {
        const bool is = j < a.runs.many;
        m.at[j] = is ? a.from[j * a.ranges + q] : 0;
        const uint64_t left = is ? a.end[j * a.ranges + q] - m.at[j] : 0;
        m.left[j] = uint32_t(left);
        sum += left;
    }
    if (sum > SHORT) return false;
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++) m.key[j] = m.left[j] ? lsm_key(&a.runs.run[j], m.at[j]) : 0;
    return true;
}

/* The least key, and its place in the newest level that has it: the first there. False: nothing is left. */
WW_DEVICE bool least_of(const merging &m, ww_key &key, uint32_t &level, uint64_t &place) {
    bool any = false;
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++) {
        if (!m.left[j] || (any && m.key[j] >= key)) continue;
        any = true;
        key = m.key[j];
        level = j;
        place = m.at[j];
    }
    return any;
}

/* Goes past all elements of a key. */
WW_DEVICE void pass(const list_arguments &a, ww_key key, merging &m) {
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++)
        while (m.left[j] && m.key[j] == key) {
            m.left[j]--;
            m.at[j]++;
            if (m.left[j]) m.key[j] = lsm_key(&a.runs.run[j], m.at[j]);
        }
}

/* What threads have listed and not written yet: keys, and where they come from. A number more than a round has: then threads meet in no
 * bank. */
enum { ROUND = 8, WARPS = WW_THREADS / WW_WARP, LEVEL_AT = 56 };
struct listed {
    uint64_t from[WW_WARP][ROUND + 1]; /* the place, and from bit LEVEL_AT on the level */
    ww_key key[WW_WARP][ROUND + 1];
};
struct all_listed {
    listed of[WARPS];
};

/* The next keys of a range that count, up to a round of them. */
WW_DEVICE uint32_t merge_round(const list_arguments &a, merging &m, uint64_t *from, ww_key *keys) {
    uint32_t many = 0, level = 0;
    uint64_t place = 0;
    for (ww_key key = 0; many < ROUND && least_of(m, key, level, place); pass(a, key, m)) {
        if (lsm_is_dead(&a.runs.run[level], place)) continue;
        keys[many] = key;
        from[many++] = place | uint64_t(level) << LEVEL_AT;
    }
    return many;
}

/* Writes what the threads of a warp have listed, ROUND lanes for each thread: else each would write a few bytes here and there. */
WW_DEVICE void write_round(const list_arguments &a, const listed &l, uint32_t many, uint64_t to) {
    const uint32_t lane = threadIdx.x % WW_WARP, k = lane % ROUND;
    for (uint32_t first = 0; first < WW_WARP; first += WW_WARP / ROUND) {
        const int thread = int(first + lane / ROUND);
        const uint64_t at = __shfl_sync(WW_ALL, to, thread) + k;
        if (k >= __shfl_sync(WW_ALL, many, thread) || at >= a.room) continue;
        a.keys_out[at] = l.key[thread][k];
#if WW_VALUES
        const uint64_t from = l.from[thread][k];
        a.values_out[at] = static_cast<const ww_value *>(
            a.runs.run[from >> LEVEL_AT].values)[from & ((1ull << LEVEL_AT) - 1)];
#endif
    }
}

WW_GPU_KERNEL(list_short, list_arguments, WW_THREADS) {
    WW_SHARED(all_listed, s);
    listed &l = s.of[threadIdx.x / WW_WARP];
    const uint32_t lane = threadIdx.x % WW_WARP;
    const uint64_t q = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    merging m;
    bool goes_on = q < a.ranges && begin_merging(a, q, m);
    uint64_t to = goes_on ? a.offsets[standing_at(a, q)] : 0;
    while (__any_sync(WW_ALL, goes_on)) {
        const uint32_t many = goes_on ? merge_round(a, m, l.from[lane], l.key[lane]) : 0;
        __syncwarp();
        write_round(a, l, many, to);
        __syncwarp();
        goes_on = many == ROUND;
        to += many;
    }
}

/* ---- long ranges ---- */

/* The range that element number c is of: the last one that begins at it or before it. */
WW_DEVICE uint64_t range_of(const list_arguments &a, uint64_t c) {
    uint64_t low = 0, high = a.ranges;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (a.elements[middle] <= c)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where an element of range q goes: place p of level `own`; false where it does not count. */
WW_DEVICE bool position_of(const list_arguments &a, uint64_t q, uint64_t own, uint64_t p, uint64_t &to) {
    const ww_lsm_run *const mine = &a.runs.run[own];
    const ww_key key = lsm_key(mine, p);
    if (!lsm_is_head(mine, p) || lsm_is_dead(mine, p)) return false;
    to = a.offsets[standing_at(a, q)];
    for (uint64_t j = 0; j < a.runs.many; j++) {
        const ww_lsm_run *const r = &a.runs.run[j];
        const uint64_t from = a.from[j * a.ranges + q], end = a.end[j * a.ranges + q];
        const uint64_t at = j == own ? p : lsm_bound(r, from, end, key, false);
        if (j < own && at < end && lsm_key(r, at) == key) return false;
        to += lsm_rank(r, at) - lsm_rank(r, from);
    }
    return true;
}

WW_GPU_KERNEL(list, list_arguments, WW_THREADS) {
    const uint64_t all = a.elements[a.ranges];
    for (uint64_t c = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; c < all; c += uint64_t(gridDim.x) * WW_THREADS) {
        const uint64_t q = range_of(a, c);
        uint64_t left = c - a.elements[q], own = 0, to = 0;
        for (;; own++) {
            const uint64_t here = a.end[own * a.ranges + q] - a.from[own * a.ranges + q];
            if (left < here) break;
            left -= here;
        }
        const uint64_t p = a.from[own * a.ranges + q] + left;
        if (!position_of(a, q, own, p, to) || to >= a.room) continue;
        a.keys_out[to] = lsm_key(&a.runs.run[own], p);
#if WW_VALUES
        a.values_out[to] = static_cast<const ww_value *>(a.runs.run[own].values)[p];
#endif
    }
}
