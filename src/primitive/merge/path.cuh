/* The merge path on a GPU (Green, McColl and Bader 2012), as merging and sets use it: where it crosses diagonals, in
 * memory and in a tile; tiles of both inputs side by side in shared memory.
 *
 * The program says what elements are and how they are read: ww_item, left_input and right_input with left_at and
 * right_at, and the order (order.cuh); WW_CUT_THREADS of blocks that look for crossings in memory, WW_THREADS of those
 * that tiles are given to; WW_CUT_LANES, that look for one together; WW_EACH, elements of a tile for each thread, an odd number: neighbouring threads then are in
 * different banks; WW_PIECE: 0 elements stand in registers, else they are long, stay where they are in shared memory,
 * and are copied in words of so many bytes; WW_PLAIN: both inputs are memory. */
#ifndef WW_PATH_CUH
#define WW_PATH_CUH

#include "primitive/merge/order.cuh"

enum {
    PATH_LANES = WW_CUT_LANES, /* look for one crossing together: fewer steps, more memory touched */
    PATH_GROUPS = WW_CUT_THREADS / PATH_LANES,
    TILE = WW_THREADS * WW_EACH
};

typedef ww_word<WW_PIECE>::type ww_piece;

/* What a tile has of the inputs: where it begins, and how many elements. */
struct path_part {
    uint64_t left, right;
    uint32_t lefts, rights;
};

/* Element k of the tile: the left input's come first. */
WW_DEVICE ww_item part_at(const left_input &l, const right_input &r, const path_part &p, uint32_t k) {
#if WW_PLAIN
    return *(k < p.lefts ? l.memory0 + p.left + k : r.memory0 + p.right + (k - p.lefts));
#else
    return k < p.lefts ? left_at(l, p.left + k) : right_at(r, p.right + (k - p.lefts));
#endif
}

/* Brings `many` <= MOST elements of a tile to shared memory, all threads' at once. key[many] is filled up: it is read
 * and not used. */
template <int MOST, bool whole>
WW_DEVICE void load_part(const left_input &l, const right_input &r, const path_part &p, uint32_t many, ww_item *key) {
#if WW_PIECE == 0
    const int ROUNDS = (MOST + WW_THREADS - 1) / WW_THREADS;
    ww_item x[ROUNDS];
#pragma unroll
    for (int k = 0; k < ROUNDS; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (whole || at < many) x[k] = part_at(l, r, p, at);
    }
#pragma unroll
    for (int k = 0; k < ROUNDS; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (whole || at < many) key[at] = x[k];
    }
    if (threadIdx.x == 0 && many) key[many] = x[0];
#elif WW_PLAIN
    const uint32_t pieces = sizeof(ww_item) / WW_PIECE, lefts = p.lefts * pieces;
    const ww_piece *from_left = reinterpret_cast<const ww_piece *>(l.memory0) + p.left * pieces;
    const ww_piece *from_right = reinterpret_cast<const ww_piece *>(r.memory0) + p.right * pieces;
    ww_piece *to = reinterpret_cast<ww_piece *>(key);
    for (uint32_t w = threadIdx.x; w < many * pieces; w += WW_THREADS)
        to[w] = *(w < lefts ? from_left + w : from_right + (w - lefts));
#else
    for (uint32_t at = threadIdx.x; at < many; at += WW_THREADS) key[at] = part_at(l, r, p, at);
#endif
}

#if WW_PIECE
/* Writes long elements of a tile to a.out[first], a.out[first + 1], ...: element i is s.key[s.from[i]]. */
template <class A, class S> WW_DEVICE void write_long(const A &a, const S &s, uint64_t first, uint32_t many) {
    const uint32_t pieces = sizeof(ww_item) / WW_PIECE;
    ww_piece *to = reinterpret_cast<ww_piece *>(a.out) + first * pieces;
    const ww_piece *key = reinterpret_cast<const ww_piece *>(s.key);
    for (uint32_t w = threadIdx.x; w < many * pieces; w += WW_THREADS)
        to[w] = key[s.from[w / pieces] * pieces + w % pieces];
}
#endif

/* The inputs in memory; a tile in shared memory: element i of either. */
struct path_memory {
    const left_input &l;
    const right_input &r;
    WW_DEVICE_MEMBER path_memory(const left_input &left, const right_input &right) : l(left), r(right) {}
    WW_DEVICE_MEMBER ww_item left(uint64_t i) const { return left_at(l, i); }
    WW_DEVICE_MEMBER ww_item right(uint64_t i) const { return right_at(r, i); }
};
struct path_tile {
    const ww_item *l, *r;
    WW_DEVICE_MEMBER path_tile(const ww_item *left, const ww_item *right) : l(left), r(right) {}
    WW_DEVICE_MEMBER const ww_item &left(uint32_t i) const { return l[i]; }
    WW_DEVICE_MEMBER const ww_item &right(uint32_t i) const { return r[i]; }
};

/* How many of the first `diagonal` elements of the merge of a tile are the left input's. In both parts, sorted or not. */
WW_DEVICE uint32_t path_cut(const path_tile &t, uint32_t lefts, uint32_t rights, uint32_t diagonal) {
    uint32_t low = diagonal > rights ? diagonal - rights : 0, high = diagonal < lefts ? diagonal : lefts;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (ww_before(t.right(diagonal - 1 - middle), t.left(middle)))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The same in memory. PATH_LANES neighbouring lanes look for a cut together, each at another place; all lanes of the
 * warp call it. */
WW_DEVICE uint64_t path_cut_of_lanes(const path_memory &m, uint64_t lefts, uint64_t rights, uint64_t diagonal) {
    const uint32_t lane = threadIdx.x % PATH_LANES, begin = threadIdx.x % WW_WARP - lane;
    uint64_t low = diagonal > rights ? diagonal - rights : 0, high = diagonal < lefts ? diagonal : lefts;
    while (__any_sync(WW_ALL, low < high)) {
        const uint64_t step = (high - low + PATH_LANES) / (PATH_LANES + 1), middle = low + (lane + 1) * step - 1;
        bool behind = true;
        if (low < high && middle < high) behind = ww_before(m.right(diagonal - 1 - middle), m.left(middle));
        const uint32_t are_behind = __ballot_sync(WW_ALL, behind) >> begin & UINT32_MAX >> (WW_WARP - PATH_LANES);
        if (low < high) {
            const uint32_t first = are_behind ? __ffs(int(are_behind)) - 1 : PATH_LANES;
            const uint64_t end = low + (first + 1) * step - 1;
            low += first * step;
            if (first < PATH_LANES && end < high) high = end;
        }
    }
    return low;
}

#endif
