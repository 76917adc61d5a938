/* Merging, in two launches: `cut_tiles` finds where the merge path enters each tile, `merge` merges the tiles. Reads
 * each input once and writes each output once. Where inputs are known to be sorted, and tiles are few, each block of `merge` finds where its
 * own tile begins and ends (WW_FINDS). What is written may be a part of the merge, from a.first to a.end.
 *
 * In a tile every thread looks for its own crossing in shared memory, and merges WW_EACH elements from there in
 * registers; through shared memory they are written in whole lines. Values follow the positions in the tile that their
 * keys came from.
 *
 * Inputs that are not sorted: searches then find crossings that are no path. `cut_tiles` sees that, among neighbours,
 * and tiles are cut along the edge of the inputs: the left one's first. Threads of a tile see that another's begin is
 * not where they have ended: the tile then is copied, the left part first. So the output is a permutation all the same.
 *
 * WW_VALUES: 0 none, 1 words of WW_VALUE bytes that go through shared memory, 2 records in memory, copied in words of
 * WW_VALUE bytes, WW_VALUE_WORDS each, 3 computed ones. */
#include "device/kernel/counted.cuh"
#include "primitive/merge/merge_arguments.cuh"
#include "primitive/merge/path.cuh"

typedef ww_word<WW_VALUE>::type ww_value;

struct merge_arguments : merge_fixed {
    left_input left;
    right_input right;
#if WW_VALUES == 3
    left_value_input left_value;
    right_value_input right_value;
#endif
};

WW_DEVICE uint64_t least(uint64_t x, uint64_t y) { return x < y ? x : y; }

#if WW_VALUES || WW_PIECE
#define WW_FROM 1
#else
#define WW_FROM 0
#endif
#if WW_PIECE == 0
typedef ww_item ww_kept; /* in registers */
#else
typedef uint8_t ww_kept; /* not used */
#endif

struct cut_shared {
    uint64_t found[PATH_GROUPS];
};

/* Neighbouring blocks find the cut between them both: each knows all ends of its tiles. */
WW_GPU_KERNEL(cut_tiles, merge_arguments, WW_CUT_THREADS) {
    WW_SHARED(cut_shared, s);
    ww_in_line();
    const uint32_t group = threadIdx.x / PATH_LANES;
    const uint64_t first = blockIdx.x * uint64_t(PATH_GROUPS - 1);
    const uint64_t diagonal = least(a.first + (first + group) * TILE, a.end);
    const uint64_t cut = path_cut_of_lanes(path_memory(a.left, a.right), a.lefts, a.rights, diagonal);
    const bool leads = threadIdx.x % PATH_LANES == 0;
    if (leads) {
        s.found[group] = cut;
        const bool mine = group < PATH_GROUPS - 1 || first + group == a.tiles;
        if (mine && first + group <= a.tiles) a.cut[first + group] = cut;
    }
    __syncthreads();
    bool broken = false;
    if (leads && group) {
        const uint64_t before = s.found[group - 1], begin = least(a.first + (first + group - 1) * TILE, a.end);
        broken = cut < before || cut - before > diagonal - begin;
    }
    broken = __syncthreads_or(broken);
    const uint32_t end = blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : uint32_t(a.words * sizeof(uint32_t));
    for (uint32_t b = blockIdx.x + threadIdx.x; b < end; b += WW_CUT_THREADS)
        reinterpret_cast<uint8_t *>(a.broken)[b] = b == blockIdx.x && broken;
}

struct merge_shared {
    alignas(16) ww_item key[TILE + 1];
#if WW_VALUES == 1
    alignas(16) ww_value value[TILE];
#endif
#if WW_FROM
    uint16_t from[TILE];
#endif
    uint16_t cut[WW_THREADS];
};

struct tile_ends {
    uint64_t cut[2];
};

/* Where the path enters and leaves the tile: two warps find it. */
WW_DEVICE void find_ends(const merge_arguments &a, uint64_t first, uint64_t end, tile_ends &e) {
    const uint32_t warp = threadIdx.x / WW_WARP;
    if (warp < 2) {
        const uint64_t cut = path_cut_of_lanes(path_memory(a.left, a.right), a.lefts, a.rights, warp ? end : first);
        if (threadIdx.x % WW_WARP == 0) e.cut[warp] = cut;
    }
    __syncthreads();
}

/* The tile's part of the inputs. Every thread calls it. */
WW_DEVICE path_part part_of(const merge_arguments &a, uint64_t tile, tile_ends &e) {
    const uint64_t first = a.first + tile * TILE, end = least(first + TILE, a.end);
    uint64_t begin = 0, until = a.lefts;
    if (WW_FINDS) {
        find_ends(a, first, end, e);
        begin = e.cut[0];
        until = e.cut[1];
    } else if (a.cut) {
        bool broken = false;
        for (uint64_t w = threadIdx.x; w < a.words; w += WW_THREADS) broken = broken || a.broken[w];
        begin = a.cut[tile];
        until = a.cut[tile + 1];
        if (__syncthreads_or(broken)) {
            begin = least(first, a.lefts);
            until = least(end, a.lefts);
        }
    }
    path_part p;
    p.left = begin;
    p.right = first - begin;
    p.lefts = uint32_t(until - begin);
    p.rights = uint32_t(end - first) - p.lefts;
    return p;
}

#if WW_VALUES == 1
template <bool whole>
WW_DEVICE void load_values(const merge_arguments &a, const path_part &p, uint32_t many, ww_value *value) {
    const ww_value *l = static_cast<const ww_value *>(a.left_values) + p.left;
    const ww_value *r = static_cast<const ww_value *>(a.right_values) + p.right;
    ww_value x[WW_EACH];
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (whole || at < many) x[k] = *(at < p.lefts ? l + at : r + (at - p.lefts));
    }
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (whole || at < many) value[at] = x[k];
    }
}
#endif

/* Merges this thread's elements from the i-th of the left part on; returns where it ends. */
template <bool whole>
WW_DEVICE uint32_t merge_few(const merge_shared &s, const path_part &p, uint32_t first, uint32_t many, uint32_t i,
                             ww_kept (&out)[WW_EACH], uint32_t (&from)[WW_EACH]) {
    const uint32_t lefts = p.lefts, end = p.lefts + p.rights;
    uint32_t j = lefts + first - i; /* the right part stands behind the left one */
    (void)out;
#if WW_PIECE == 0
    ww_item x = s.key[i], y = s.key[j];
#endif
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        if (!whole && first + k >= many) break;
#if WW_PIECE == 0
        const bool left = j >= end || (i < lefts && !ww_before(y, x));
        out[k] = left ? x : y;
#else
        const bool left = j >= end || (i < lefts && !ww_before(s.key[j], s.key[i]));
#endif
        from[k] = left ? i : j;
        i += left;
        j += !left;
#if WW_PIECE == 0
        const ww_item next = s.key[left ? i : j];
        if (left)
            x = next;
        else
            y = next;
#endif
    }
    return i;
}

#if WW_PIECE == 0
/* Writes the tile's keys, which stand in order in shared memory. */
template <bool whole>
WW_DEVICE void write_keys(const merge_arguments &a, const merge_shared &s, uint64_t first, uint32_t many) {
#if WW_VECTORS
    if (whole) {
        ww_sixteen *to = reinterpret_cast<ww_sixteen *>(a.out + first);
        const ww_sixteen *from = reinterpret_cast<const ww_sixteen *>(s.key);
#pragma unroll
        for (uint32_t w = threadIdx.x; w < TILE * sizeof(ww_item) / 16; w += WW_THREADS) to[w] = from[w];
        return;
    }
#endif
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (whole || at < many) a.out[first + at] = s.key[at];
    }
}
#endif

template <bool whole>
WW_DEVICE void write_values(const merge_arguments &a, const merge_shared &s, const path_part &p, uint64_t first,
                            uint32_t many) {
#if WW_VALUES == 1
    ww_value *to = static_cast<ww_value *>(a.values_out) + first;
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (whole || at < many) to[at] = s.value[s.from[at]];
    }
#elif WW_VALUES == 2
    const ww_value *l = static_cast<const ww_value *>(a.left_values) + p.left * WW_VALUE_WORDS;
    const ww_value *r = static_cast<const ww_value *>(a.right_values) + p.right * WW_VALUE_WORDS;
    ww_value *to = static_cast<ww_value *>(a.values_out) + first * WW_VALUE_WORDS;
    const uint32_t lanes = WW_VALUE_WORDS < WW_WARP ? WW_VALUE_WORDS : WW_WARP; /* of one value */
    if (threadIdx.x >= WW_THREADS / lanes * lanes) return;
    for (uint32_t at = threadIdx.x / lanes; at < many; at += WW_THREADS / lanes) {
        const uint32_t from = s.from[at];
        const ww_value *value = from < p.lefts ? l + uint64_t(from) * WW_VALUE_WORDS
                                               : r + uint64_t(from - p.lefts) * WW_VALUE_WORDS;
        for (uint64_t w = threadIdx.x % lanes; w < WW_VALUE_WORDS; w += lanes)
            to[at * uint64_t(WW_VALUE_WORDS) + w] = value[w];
    }
#elif WW_VALUES == 3
    ww_value_item *to = static_cast<ww_value_item *>(a.values_out) + first;
    for (uint32_t at = threadIdx.x; at < many; at += WW_THREADS) {
        const uint32_t from = s.from[at];
        if (from < p.lefts)
            to[at] = ww_as<ww_value_item>(left_value_at(a.left_value, p.left + from));
        else
            to[at] = ww_as<ww_value_item>(right_value_at(a.right_value, p.right + (from - p.lefts)));
    }
#else
    (void)a, (void)s, (void)p, (void)first, (void)many;
#endif
}

/* What is not sorted. */
WW_DEVICE void copy_tile(const merge_arguments &a, merge_shared &s, const path_part &p, uint64_t first, uint32_t many) {
    for (uint32_t at = threadIdx.x; at < many; at += WW_THREADS) {
#if WW_PIECE == 0
        a.out[first + at] = part_at(a.left, a.right, p, at);
#endif
#if WW_FROM
        s.from[at] = uint16_t(at);
#endif
    }
    (void)s;
    __syncthreads();
}

template <bool whole>
WW_DEVICE void merge_tile(const merge_arguments &a, merge_shared &s, uint64_t tile, const path_part &p) {
    const uint32_t many = whole ? uint32_t(TILE) : p.lefts + p.rights, mine = threadIdx.x * WW_EACH;
    const uint32_t first = whole || mine < many ? mine : many;
    ww_kept out[WW_EACH];
    uint32_t from[WW_EACH];
    load_part<TILE, whole>(a.left, a.right, p, many, s.key);
#if WW_VALUES == 1
    load_values<whole>(a, p, many, s.value);
#endif
    __syncthreads();
    const uint32_t begin = path_cut(path_tile(s.key, s.key + p.lefts), p.lefts, p.rights, first);
    s.cut[threadIdx.x] = uint16_t(begin);
    const uint32_t end = merge_few<whole>(s, p, first, many, begin, out, from);
    __syncthreads();
    const uint32_t next = threadIdx.x + 1 < WW_THREADS ? s.cut[threadIdx.x + 1] : p.lefts;
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        if (!whole && first + k >= many) break;
#if WW_PIECE == 0
        s.key[mine + k] = out[k];
#endif
#if WW_FROM
        s.from[mine + k] = uint16_t(from[k]);
#endif
    }
    if (__syncthreads_or(end != next)) {
        copy_tile(a, s, p, tile * TILE, many);
    } else {
#if WW_PIECE == 0
        write_keys<whole>(a, s, tile * TILE, many);
#endif
    }
#if WW_PIECE
    write_long(a, s, tile * TILE, many);
#endif
    write_values<whole>(a, s, p, tile * TILE, many);
}

WW_GPU_KERNEL_HELD(merge, merge_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(merge_shared, s);
    ww_in_line();
    const uint64_t tile = blockIdx.x;
#if WW_FINDS
    WW_SHARED(tile_ends, ends);
#else
    tile_ends ends;
#endif
    const path_part p = part_of(a, tile, ends);
    if (p.lefts + p.rights == TILE)
        merge_tile<true>(a, s, tile, p);
    else
        merge_tile<false>(a, s, tile, p);
}
