/* One pass of merging long segments, whose chunks are sorted: neighbouring runs of WW_CHUNK << a.pass elements become one, by
 * tiles along the merge path (Green, McColl and Bader 2012), whichever segment they are of. Two warps look for where the path
 * enters and leaves the tile, each lane at another place; then every thread looks for its own part in shared memory, and
 * merges it. Of equal keys the left run's come first. Reads and writes each element of segments that still have several
 * runs once; passes take the output and scratch memory in turns, so that a segment's last one ends in the output.
 *
 * WW_TILE: elements of a tile, which divides WW_CHUNK; WW_EACH: a thread's, an odd number: neighbouring threads then are
 * in different banks. */
#include "sort/segments/segments.cuh"

struct merge_shared {
    alignas(16) ww_key key[WW_TILE];
    uint64_t cut[2];
    uint16_t from[WW_TILE];
};

WW_DEVICE uint64_t least(uint64_t x, uint64_t y) { return x < y ? x : y; }

/* Two runs side by side. */
struct run_pair {
    const ww_key *keys;
    uint64_t lefts, rights;
};

WW_DEVICE bool goes_first(const segments_arguments &a, ww_key right, ww_key left) {
    return compared(a, number_of(a.order, right)) < compared(a, number_of(a.order, left));
}

/* How many of the first `diagonal` elements of the merge are the left run's. By a whole warp. */
WW_DEVICE uint64_t cut_of_warp(const segments_arguments &a, const run_pair &r, uint64_t diagonal) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint64_t low = diagonal > r.rights ? diagonal - r.rights : 0, high = least(diagonal, r.lefts);
    while (low < high) {
        const uint64_t step = (high - low + WW_WARP - 1) / WW_WARP, at = low + lane * step;
        bool taken = false;
        if (at < high) taken = !goes_first(a, r.keys[r.lefts + diagonal - 1 - at], r.keys[at]);
        const uint32_t many = __popc(__ballot_sync(WW_ALL, taken));
        if (!many) return low;
        high = least(high, low + many * step);
        low += (many - 1) * step + 1;
    }
    return low;
}

/* The same in shared memory, where the right part stands behind the left one. By one thread. */
WW_DEVICE uint32_t cut_of_thread(const segments_arguments &a, const ww_key *key, uint32_t lefts, uint32_t rights,
                                 uint32_t diagonal) {
    uint32_t low = diagonal > rights ? diagonal - rights : 0, high = diagonal < lefts ? diagonal : lefts;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (goes_first(a, key[lefts + diagonal - 1 - middle], key[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Writes where this thread's elements come from. */
WW_DEVICE void merge_few(const segments_arguments &a, merge_shared &s, uint32_t lefts, uint32_t many) {
    const uint32_t first = threadIdx.x * WW_EACH;
    if (first >= many) return;
    uint32_t i = cut_of_thread(a, s.key, lefts, many - lefts, first), j = lefts + first - i;
    for (uint32_t k = first; k < first + WW_EACH && k < many; k++) {
        const bool left = j >= many || (i < lefts && !goes_first(a, s.key[j], s.key[i]));
        s.from[k] = uint16_t(left ? i : j);
        i += left;
        j += !left;
    }
}

/* Merges a tile, which begins `at` elements into its segment. */
WW_DEVICE void merge_tile(const segments_arguments &a, merge_shared &s, const ww_listed &l, uint64_t at,
                          bool from_scratch) {
    const uint64_t length = l.end - l.begin, width = uint64_t(WW_CHUNK) << a.pass, run = at / (2 * width) * 2 * width;
    const ww_key *const keys = (from_scratch ? a.keys_scratch : a.keys_out) + l.begin + run;
    ww_key *const keys_out = (from_scratch ? a.keys_out : a.keys_scratch) + l.begin + at;
    const uint64_t left = length - run, lefts = least(width, left), begin = at - run;
    const uint32_t many = uint32_t(least(WW_TILE, least(2 * width, left) - begin));
    const run_pair runs = {keys, lefts, least(2 * width, left) - lefts};
    if (threadIdx.x < 2 * WW_WARP) {
        const uint64_t cut = cut_of_warp(a, runs, begin + (threadIdx.x < WW_WARP ? 0 : many));
        if (threadIdx.x % WW_WARP == 0) s.cut[threadIdx.x / WW_WARP] = cut;
    }
    __syncthreads();
    const uint64_t left_first = s.cut[0], right_first = lefts + begin - left_first;
    const uint32_t of_left = uint32_t(s.cut[1] - left_first);
    for (uint32_t e = threadIdx.x; e < many; e += WW_THREADS)
        s.key[e] = keys[e < of_left ? left_first + e : right_first + (e - of_left)];
    __syncthreads();
    merge_few(a, s, of_left, many);
    __syncthreads();
#if WW_VALUE
    const ww_value *const values = (from_scratch ? a.values_scratch : a.values_out) + l.begin + run;
    ww_value *const values_out = (from_scratch ? a.values_out : a.values_scratch) + l.begin + at;
#endif
    for (uint32_t e = threadIdx.x; e < many; e += WW_THREADS) {
        const uint32_t from = s.from[e];
        keys_out[e] = s.key[from];
#if WW_VALUE
        values_out[e] = values[from < of_left ? left_first + from : right_first + (from - of_left)];
#endif
    }
    __syncthreads();
}

WW_GPU_KERNEL(merge_segments, segments_arguments, WW_THREADS) {
    enum { TILES = WW_CHUNK / WW_TILE };
    WW_SHARED_LARGE(merge_shared, s);
    ww_in_line();
    if (ww_found_bad(a.checking)) return;
    const uint32_t many = uint32_t(a.listed[0]);
    const uint64_t tiles = (a.listed[0] >> 32) * TILES;
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint32_t entry = ww_find_listed(a.list, many, tile / TILES);
        const ww_listed l = a.list[entry];
        const uint64_t at = (tile - l.place * TILES) * WW_TILE, length = l.end - l.begin;
        const uint32_t passes = passes_of(length);
        if (at < length && a.pass < passes && to_sort(a, entry)) merge_tile(a, s, l, at, in_scratch(passes - a.pass));
    }
}
