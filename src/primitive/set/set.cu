/* Sets of sorted inputs, in two launches: `cut_tiles` finds where the loop enters each tile, `set` makes the tiles in
 * one pass. Reads each input once and writes the result once.
 *
 * The serial loop compares the next elements of both inputs: the smaller is passed (and kept, or not), equal ones are
 * passed together. It needs to know nothing but where it stands. The merge path says what n elements are the first;
 * inside a run of equal elements the loop passes pairs first, then what one input has more of, so that the place is
 * moved to what it has passed after as many elements, or one less where that would part a pair (the balanced path of
 * Baxter's moderngpu).
 *
 * In a tile every thread finds its place in the same way and walks on to the next thread's. What it keeps are positions
 * in the tile; how many precede them a scan tells, in the tile, and look-back, of all tiles before.
 *
 * Inputs that are not sorted give places that are no path: parts are cut to what a tile has room for.
 *
 * WW_SET: 0 union, 1 intersection, 2 difference. */
#include "device/kernel/count.cuh"
#include "primitive/merge/path.cuh"

#include "primitive/set/set_arguments.cuh"

struct set_arguments : set_fixed {
    left_input left;
    right_input right;
};

enum {
    WARPS = WW_THREADS / WW_WARP,
    TILE_MOST = TILE + 1,   /* elements of a tile, where a pair was left to it and none is at its end */
    EACH_MOST = WW_EACH + 2 /* of the last thread */
};

struct set_place {
    uint64_t left, right;
};

/* ---- balanced path ---- */

/* The inputs one by one: element i of either, in memory or in a tile. */
template <class V> struct left_of {
    const V &v;
    WW_DEVICE_MEMBER left_of(const V &view) : v(view) {}
    WW_DEVICE_MEMBER ww_item at(uint64_t i) const { return v.left(i); }
};
template <class V> struct right_of {
    const V &v;
    WW_DEVICE_MEMBER right_of(const V &view) : v(view) {}
    WW_DEVICE_MEMBER ww_item at(uint64_t i) const { return v.right(i); }
};

/* The first position before `end` from which on elements equal the key. Runs are short, mostly: steps grow from the
 * end. */
template <class S> WW_DEVICE uint64_t run_begin(const S &s, uint64_t end, const ww_item &key) {
    uint64_t low = 0, high = end;
    for (uint64_t step = 1; low < high; step *= 2) {
        const uint64_t at = step < high ? high - step : 0;
        if (ww_before(s.at(at), key))
            low = at + 1;
        else
            high = at;
        if (low) break;
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (ww_before(s.at(middle), key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many elements from `begin` on equal the key, `most` at most. */
template <class S>
WW_DEVICE uint64_t run_length(const S &s, uint64_t begin, uint64_t count, uint64_t most, const ww_item &key) {
    uint64_t low = begin, high = most < count - begin ? begin + most : count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (ww_before(key, s.at(middle)))
            high = middle;
        else
            low = middle + 1;
    }
    return low - begin;
}

/* Where the loop is when the merge is at a place: it has passed as many elements, or one less. */
template <class V> WW_DEVICE set_place balanced(const V &v, uint64_t lefts, uint64_t rights, set_place p) {
    if (p.left >= lefts && p.right >= rights) return p;
    const left_of<V> l(v);
    const right_of<V> r(v);
    const bool left = p.right >= rights || (p.left < lefts && !ww_before(r.at(p.right), l.at(p.left)));
    const ww_item key = left ? l.at(p.left) : r.at(p.right);
    set_place to;
    to.left = run_begin(l, p.left, key);
    to.right = run_begin(r, p.right, key);
    const uint64_t passed = p.left - to.left + (p.right - to.right);
    if (passed == 0) return p;
    const uint64_t equal_left = run_length(l, to.left, lefts, passed, key);
    const uint64_t equal_right = run_length(r, to.right, rights, passed, key);
    uint64_t pairs = equal_left < equal_right ? equal_left : equal_right;
    if (passed / 2 < pairs) pairs = passed / 2;
    const uint64_t alone = pairs == passed / 2 ? 0 : passed - 2 * pairs;
    const uint64_t more_left = equal_left - pairs, more_right = equal_right - pairs;
    to.left += pairs + (more_right ? 0 : alone < more_left ? alone : more_left);
    to.right += pairs + (more_right ? (alone < more_right ? alone : more_right) : 0);
    return to;
}

WW_GPU_KERNEL(cut_tiles, set_arguments, WW_CUT_THREADS) {
    const uint64_t cut = blockIdx.x * uint64_t(PATH_GROUPS) + threadIdx.x / PATH_LANES, total = a.lefts + a.rights;
    const uint64_t diagonal = cut * TILE < total ? cut * TILE : total;
    const path_memory memory(a.left, a.right);
    set_place p;
    p.left = path_cut_of_lanes(memory, a.lefts, a.rights, diagonal);
    p.right = diagonal - p.left;
    if (cut > a.tiles || threadIdx.x % PATH_LANES) return;
    p = balanced(memory, a.lefts, a.rights, p);
    a.cut_left[cut] = p.left;
    a.cut_right[cut] = p.right;
}

/* ---- tiles ---- */

struct set_shared {
    alignas(16) ww_item key[TILE_MOST + 1];
    uint64_t before;
    uint32_t tile, warp[WARPS];
    uint32_t first[WW_THREADS]; /* of each thread: its place, the right input's in the high half */
    uint16_t from[TILE_MOST];
};

WW_DEVICE uint64_t forward(uint64_t from, uint64_t to, uint64_t most) {
    const uint64_t many = to > from ? to - from : 0;
    return many < most ? many : most;
}

WW_DEVICE path_part part_of(const set_arguments &a, uint64_t tile) {
    path_part p;
    uint64_t left_end = a.lefts, right_end = a.rights;
    p.left = p.right = 0;
    if (a.cut_left) {
        p.left = a.cut_left[tile];
        p.right = a.cut_right[tile];
        left_end = a.cut_left[tile + 1];
        right_end = a.cut_right[tile + 1];
    }
    p.lefts = uint32_t(forward(p.left, left_end, TILE_MOST));
    p.rights = uint32_t(forward(p.right, right_end, TILE_MOST - p.lefts));
    return p;
}

/* Walks from a thread's place to the next one's; gives the positions that it comes by, and a bit for each that is kept. */
WW_DEVICE uint32_t walk(const set_shared &s, uint32_t lefts, uint32_t begin, uint32_t end,
                        uint32_t (&from)[EACH_MOST]) {
    uint32_t i = begin & 0xFFFF, j = lefts + (begin >> 16), kept = 0;
    const uint32_t i_end = end & 0xFFFF, j_end = lefts + (end >> 16);
#if WW_PIECE == 0
    ww_item x = s.key[i], y = s.key[j];
#endif
#pragma unroll
    for (int k = 0; k < EACH_MOST; k++) {
        const bool has_x = i < i_end, has_y = j < j_end;
        bool pass_x = has_x, pass_y = has_y;
        if (has_x && has_y) {
#if WW_PIECE == 0
            pass_x = !ww_before(y, x);
            pass_y = !ww_before(x, y);
#else
            pass_x = !ww_before(s.key[j], s.key[i]);
            pass_y = !ww_before(s.key[i], s.key[j]);
#endif
        }
#if WW_SET == 0
        from[k] = pass_x ? i : j;
        kept |= uint32_t(pass_x || pass_y) << k;
#elif WW_SET == 1
        from[k] = i;
        kept |= uint32_t(pass_x && pass_y) << k;
#else
        from[k] = i;
        kept |= uint32_t(pass_x && !pass_y) << k;
#endif
        i += pass_x;
        j += pass_y;
#if WW_PIECE == 0
        if (pass_x) x = s.key[i];
        if (pass_y) y = s.key[j];
#endif
    }
    return kept;
}

/* Tells the tiles behind of this one, and this block what the tiles before have. Called by one warp. */
WW_DEVICE void find_before(const set_arguments &a, set_shared &s, uint64_t tile, uint32_t here) {
    ww_count_before(a.chain, tile, here, [&](uint64_t before, uint64_t all) {
        s.before = before;
        if (tile + 1 == a.tiles) *a.total = ww_count(all < a.most ? all : a.most);
    });
}

/* How many elements the threads before this one in the warp keep; all of the warp in `whole`. */
WW_DEVICE uint32_t warp_before(uint32_t many, uint32_t &whole) {
    uint32_t sum = many;
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2) {
        const uint32_t earlier = __shfl_up_sync(WW_ALL, sum, by);
        if (threadIdx.x % WW_WARP >= uint32_t(by)) sum += earlier;
    }
    whole = __shfl_sync(WW_ALL, sum, WW_WARP - 1);
    return sum - many;
}

/* Writes what the tile keeps to out[to], out[to + 1], ... */
WW_DEVICE void write_kept(const set_arguments &a, const set_shared &s, uint32_t many, uint64_t to) {
#if WW_PIECE == 0
    /* Warps begin where lines do. */
    const uint32_t shift = uint32_t(reinterpret_cast<uintptr_t>(a.out + to) / sizeof(ww_item)) % WW_WARP;
    for (uint32_t i = threadIdx.x; i < many + shift; i += WW_THREADS)
        if (i >= shift) a.out[to + (i - shift)] = s.key[s.from[i - shift]];
#else
    write_long(a, s, to, many);
#endif
}

WW_GPU_KERNEL(set, set_arguments, WW_THREADS) {
    WW_SHARED_LARGE(set_shared, s);
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, mine = threadIdx.x * WW_EACH;
    const uint64_t tile = ww_take_tile(a.chain, s.tile);
    const path_part p = part_of(a, tile);
    const uint32_t many = p.lefts + p.rights, diagonal = mine < many ? mine : many;
    load_part<TILE_MOST, false>(a.left, a.right, p, many, s.key);
    __syncthreads();
    const path_tile view(s.key, s.key + p.lefts);
    set_place place;
    place.left = path_cut(view, p.lefts, p.rights, diagonal);
    place.right = diagonal - place.left;
    place = balanced(view, p.lefts, p.rights, place);
    const uint32_t begin = uint32_t(place.left) | uint32_t(place.right) << 16;
    s.first[threadIdx.x] = begin;
    __syncthreads();
    const uint32_t end = threadIdx.x + 1 < WW_THREADS ? s.first[threadIdx.x + 1] : p.lefts | p.rights << 16;
    uint32_t from[EACH_MOST], of_warp;
    const uint32_t kept = many ? walk(s, p.lefts, begin, end, from) : 0;
    uint32_t before = warp_before(__popc(kept), of_warp), here = 0;
    if (lane == 0) s.warp[warp] = of_warp;
    __syncthreads();
#pragma unroll
    for (uint32_t w = 0; w < WARPS; w++) {
        const uint32_t other = s.warp[w];
        before += w < warp ? other : 0;
        here += other;
    }
    if (warp == 0) find_before(a, s, tile, here);
#pragma unroll
    for (int k = 0; k < EACH_MOST; k++)
        if (kept >> k & 1) {
            if (before < TILE_MOST) s.from[before] = uint16_t(from[k]);
            before++;
        }
    __syncthreads();
    const uint64_t to = s.before, room = to < a.room ? a.room - to : 0;
    if (here > TILE_MOST) here = TILE_MOST; /* of inputs that are not sorted */
    write_kept(a, s, here < room ? here : uint32_t(room), to);
}
