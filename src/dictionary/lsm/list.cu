/* Ranges, up to a million at a time.
 *
 * slices: a thread for each range finds where its elements lie in each level, and, by the indexes, how many keys these are, of which a
 * scan makes offsets. list_short: some lanes for each range that has few elements hold all of them, and compare each with each. list: of the
 * others a thread for each element, so that one long range is no more work than many short ones, sees whether it counts (no newer level has its
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

enum { SHORT = 16 }; /* elements of a range that a few lanes list */

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

/* The lanes of a group have a range's elements, EACH of them each: number k * GROUP + lane is a lane's k-th. They are numbered from the newest
 * level on, and in a level as they stand, so that of equal keys the first one counts. */
enum { GROUP = 8, EACH = SHORT / GROUP, LEVEL_NONE = 0xFFFFFFFF };

struct elements {
    uint64_t place[EACH];
    uint32_t level[EACH]; /* LEVEL_NONE: there is none */
    ww_key key[EACH];
};

/* Those of range q; false for a long range. */
WW_DEVICE bool read_elements(const list_arguments &a, uint64_t q, uint32_t lane, elements &e) {
    uint64_t before = 0;
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++) e.level[k] = LEVEL_NONE;
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++) {
        if (j >= a.runs.many) continue;
        const uint64_t from = a.from[j * a.ranges + q], many = a.end[j * a.ranges + q] - from;
#pragma unroll
        for (uint32_t k = 0; k < EACH; k++) {
            const uint64_t within = k * GROUP + lane - before;
            if (k * GROUP + lane < before || within >= many) continue;
            e.level[k] = j;
            e.place[k] = from + within;
        }
        before += many;
    }
    if (before > SHORT) return false;
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++)
        if (e.level[k] != LEVEL_NONE) e.key[k] = lsm_key(&a.runs.run[e.level[k]], e.place[k]);
    return true;
}

/* A bit for each element of the group's range that counts, and for each of the lane's own a bit for each that is less. */
struct comparison {
    uint32_t counts, less[EACH];
};

WW_DEVICE comparison compare(const list_arguments &a, uint32_t lane, const elements &e) {
    comparison c = {0, {}};
    bool hidden[EACH] = {};
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++)
#pragma unroll
        for (uint32_t other = 0; other < GROUP; other++) {
            const uint32_t number = k * GROUP + other;
            const ww_key key = __shfl_sync(WW_ALL, e.key[k], int(other), GROUP);
#pragma unroll
            for (uint32_t own = 0; own < EACH; own++) {
                c.less[own] |= uint32_t(key < e.key[own]) << number;
                hidden[own] |= key == e.key[own] && number < own * GROUP + lane;
            }
        }
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++) {
        const bool is = e.level[k] != LEVEL_NONE && !hidden[k] && !lsm_is_dead(&a.runs.run[e.level[k]], e.place[k]);
        const uint32_t all = __ballot_sync(WW_ALL, is) >> (threadIdx.x % WW_WARP - lane) & ((1u << GROUP) - 1);
        c.counts |= all << k * GROUP;
    }
    return c;
}

WW_GPU_KERNEL(list_short, list_arguments, WW_THREADS) {
    const uint32_t lane = threadIdx.x % GROUP;
    const uint64_t q = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) / GROUP;
    elements e = {};
    const bool is = q < a.ranges && read_elements(a, q, lane, e);
    const comparison c = compare(a, lane, e);
    if (!is) return;
    const uint64_t first = a.offsets[standing_at(a, q)];
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++) {
        const uint64_t to = first + __popc(c.less[k] & c.counts);
        if (!(c.counts >> (k * GROUP + lane) & 1) || to >= a.room) continue;
        a.keys_out[to] = e.key[k];
#if WW_VALUES
        a.values_out[to] = static_cast<const ww_value *>(a.runs.run[e.level[k]].values)[e.place[k]];
#endif
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
