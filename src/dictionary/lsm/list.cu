/* Ranges, up to some millions at a time.
 *
 * find: a thread for each range. The parts of levels in which a block's ranges begin, which are near one another where they come in order,
 * are merged in shared memory (list_merged.cuh), or where they are too long for that looked at one by one (list_apart.cuh). So a warp
 * writes its short ranges' lists in whole lines. bring: when a scan has made offsets of how many keys each range has, these lists go to
 * where they belong, in the order of all ranges, so that what is written is in whole lines too. list: of long ranges a thread for each
 * element, so that one long range is no more work than many shorter ones, sees whether it counts, and how many keys there are before it
 * in the range, by its place in each level and the indexes: that is where it goes. A scan of how many elements long ranges have gives each of these a number.
 *
 * Reads the bounds once; reads the elements between the bounds once, of long ranges those of the other levels between them by binary search,
 * and writes 16 bytes for each of these and level; writes what is listed once, of short ranges twice.
 *
 * WW_VALUES: 1 values are wanted; WW_CARRIED: they stand in the lists, else their places do. WW_ORDERED: 1 ranges come in the order of
 * order.cu, by their lower bounds. WW_LEVELS: as many levels or more than there are. WW_MERGED: elements of a thread that merges. WW_STAGED:
 * keys of levels' parts in shared memory where they are not merged, WW_PICKED: elements that a warp collects at once then, in
 * WW_SHARED_BYTES. WW_PART_MOST: elements of a level's part; where there are more a block's ranges are taken for long ones. */
#include "dictionary/lsm/list_apart.cuh"
#include "dictionary/lsm/list_merged.cuh"

/* How many keys a long range has. Says where its elements are. */
WW_DEVICE uint64_t leave_for_list(const list_arguments &a, const find_shared &s, uint64_t q, ww_key low, ww_key high) {
    uint64_t sum = 0, keys = 0; /* of elements, and of those that count */
    for (uint64_t j = 0; j < a.runs.many; j++) {
        const ww_lsm_run *const r = &a.runs.run[j];
        const uint64_t from = bound_in_part(&a.runs, s.ends, j, low);
        const uint64_t end = lsm_bound_near(r, from, high, true);
        a.from[j * a.ranges + q] = from;
        a.end[j * a.ranges + q] = end;
        sum += end - from;
        keys += lsm_rank(r, end) - lsm_rank(r, from);
    }
    a.elements[q] = sum;
    return keys;
}

WW_GPU_KERNEL_HELD(find, list_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(find_shared, s);
    ww_in_line();
    const uint64_t q = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x, warp = q / WW_WARP * WW_WARP;
    const bool is = q < a.ranges;
    const ww_key low = is ? lower_bound_of(a, q) : 0;
    const uint64_t standing = is ? standing_at(a, q) : 0;
    const ww_key high = is ? high_at(a.high, standing) : 0; /* somewhere: it comes while parts are looked for */
    find_parts(a, is, low, s);
    const bool some = is && low <= high;
    uint32_t sum = 0; /* what it has, SHORT + 1 at most */
    uint64_t keys;
    shares mine;
    if (s.is_merged) {
        const uint32_t all = merge_parts(a, s);
        uint32_t from = 0;
        if (some) sum = keys_of(s, all, low, high, from);
        mine = shares_of(sum <= SHORT ? sum : 0);
        list_merged(a, s, mine, from, warp * SHORT);
        keys = sum;
    } else {
        elements e = {};
        if (some) sum = s.is_wide ? SHORT + 1 : elements_of(a, s, low, high, e);
        mine = shares_of(sum <= SHORT ? sum : 0);
        keys = list_short(a, s, e, mine, s.one.by_warp[threadIdx.x / WW_WARP], warp * SHORT);
    }
    if (!is) return;
    const bool is_short = sum <= SHORT;
    if (is_short)
        a.elements[q] = 0;
    else
        keys = leave_for_list(a, s, q, low, high);
    a.list_at[standing - a.first] = is_short ? uint32_t(warp * SHORT + mine.before) : IS_LONG;
    a.offsets[standing + 1] = keys;
}

WW_GPU_KERNEL(bring, list_arguments, WW_THREADS) {
    ww_in_line();
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    const uint32_t at = i < a.ranges ? a.list_at[i] : IS_LONG;
    const uint64_t offset = i < a.ranges ? a.offsets[a.first + i] : 0;
    const shares mine = shares_of(at == IS_LONG ? 0 : uint32_t(a.offsets[a.first + i + 1] - offset));
    const uint64_t less = offset - mine.before; /* what element e's place is more than e */
    const uint32_t from = at - mine.before;
    const uint32_t until = mine.before + mine.sum;
    for (uint32_t first = threadIdx.x % WW_WARP; first - threadIdx.x % WW_WARP < mine.all; first += AT_ONCE * WW_WARP) {
        entry x[AT_ONCE];
        uint64_t to[AT_ONCE];
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++) {
            const uint32_t e = first + k * WW_WARP;
            const int lane = int(lane_of(until, e));
            const uint32_t source = __shfl_sync(WW_ALL, from, lane % WW_WARP) + e;
            to[k] = __shfl_sync(WW_ALL, less, lane % WW_WARP) + e;
            if (e >= mine.all) to[k] = UINT64_MAX;
            if (to[k] < a.room) x[k] = list_of(a)[source];
        }
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++) {
            if (to[k] >= a.room) continue;
            a.keys_out[to[k]] = x[k].key;
#if WW_VALUES && WW_CARRIED
            a.values_out[to[k]] = x[k].value;
#elif WW_VALUES
            a.values_out[to[k]] = static_cast<const ww_value *>(
                a.runs.run[x[k].place >> LEVEL_AT].values)[x[k].place & ((1ull << LEVEL_AT) - 1)];
#endif
        }
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
    ww_in_line();
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
