/* Reduction by segments, each bracketed as an input of its own (docs/determinism.md): of few segments in one launch, else in three.
 *
 * fold_short: a warp has `each` neighbouring segments. Where they all are short, their elements are first brought to shared
 * memory in whole lines. A lane adds up a segment of less than WW_SERIAL elements, a team of lanes (fold.cuh) one of up to
 * a.short_most. Longer ones are listed, with places for their tiles: one atomic addition gives both, so that the list is in the
 * order of the places.
 * fold_long: a team takes a tile of a listed segment, whichever there is next, so that lengths need not be even.
 * fold_levels: a block takes a segment of several tiles, and reduces their results.
 * fold_all: the same in one launch of blocks that the GPU holds at once. A block says that it has listed its segments before it folds
 * any. When all have, each takes tiles of listed ones while there are any, and the results of a segment's tiles if it folded the last. A
 * block does not wait for long: the last to say so sees that all have, and takes what others leave.
 * Of few elements no block lists any: each looks at a sample of the offsets, which tells whether there may be long segments. If so, each block
 * looks at the sample's segments, all find the same long ones and know which of their tiles are whose; the block that is done last reduces the
 * tiles' results. Where lengths are even no block waits for another; and elements are asked for before segments are known.
 * Reads each element once, each offset twice; and in each block the sample. After a bad offset no long segment is folded that was found with it.
 *
 * WW_AT_ONCE: 1 the program is of fold_all, 0 of the others. WW_SEEN: 0; else each block finds all long segments, so many at most, by WW_SAMPLES
 * samples a thread. WW_LONE: 1 a warp has one segment, which all its lanes read. WW_BLOCK: 1 a block has one, of up to a.whole_most elements,
 * and WW_LONE is 1. WW_HELD: blocks that a processor holds at least, or 0.
 *
 * WW_WAY: how all threads of a block fold such a segment, and tiles of long ones that each block finds: 1 in the operator's brackets, tile by
 * tile in shared memory (WW_BLOCK_TILES at most), where one warp adds them up; 2 in any. 0: they do not, a team folds a tile.
 *
 * WW_EXTREME: 0; 1 what is folded are elements with their positions, and the first of the least of two is kept; 2 of the greatest. The
 * order in which they meet does not matter: a whole warp folds a segment of up to a.whole_most elements, before any is listed. */
#include "device/kernel/counted.cuh"
#include "device/kernel/listed.cuh"
#if WW_EXTREME
#include "primitive/merge/order.cuh"

struct ww_found {
    ww_item value;
    uint64_t position;
};
WW_DEVICE bool goes_before(const ww_item &x, const ww_item &y) {
    return WW_EXTREME == 2 ? ww_before(y, x) : ww_before(x, y);
}
WW_DEVICE ww_found ww_op(const ww_found &x, const ww_found &y) {
    if (goes_before(y.value, x.value)) return y;
    return x.position < y.position || goes_before(x.value, y.value) ? x : y;
}
#define ww_item ww_found /* from here on: what is folded */
#endif
#include "primitive/reduce/segments_arguments.cuh"

struct segments_arguments : segments_fixed {
#if !WW_EXTREME
    alignas(16) ww_item identity;
#endif
    in_input in;
    offsets_input offsets;

    WW_DEVICE_MEMBER ww_long_list long_list() const { return {listed, list, list_room, tile_room}; }
};

#include "primitive/reduce/fold.cuh"

enum { WARPS = WW_THREADS / WW_WARP, TEAMS = WW_THREADS / WW_TEAM, WARP_TEAMS = WW_WARP / WW_TEAM };

/* What an empty segment is. */
WW_DEVICE ww_item nothing(const segments_arguments &a) {
#if WW_EXTREME
    ww_item none; /* whose value nobody asks for */
    none.position = a.count;
    return none;
#else
    return a.identity;
#endif
}

WW_DEVICE void put(const segments_arguments &a, uint64_t segment, const ww_item &result) {
#if WW_EXTREME
    static_cast<ww_position *>(a.position)[segment] = ww_position(result.position);
#else
    a.out[segment] = result;
#endif
}

#if WW_EXTREME
/* The best of n elements, WW_FLYING of a lane at once, in the first lane. A lane's positions rise: only what is truly better takes the place. */
template <class S> WW_DEVICE ww_item best_of_warp(const S &source, uint64_t first, uint32_t n) {
    enum { FLYING = WW_FLYING };
    const uint32_t lane = threadIdx.x % WW_WARP;
    ww_item best = element(source, first + (lane < n ? lane : 0));
    uint32_t i = lane + WW_WARP;
#if !WW_LONE /* fewer registers: there are many warps */
    for (; i + (FLYING - 1) * WW_WARP < n; i += FLYING * WW_WARP) {
        ww_item x[FLYING];
#pragma unroll
        for (int f = 0; f < FLYING; f++) x[f] = element(source, first + i + f * WW_WARP);
#pragma unroll
        for (int f = 0; f < FLYING; f++)
            if (goes_before(x[f].value, best.value)) best = x[f];
    }
    for (; i < n; i += WW_WARP) {
        const ww_item x = element(source, first + i);
        if (goes_before(x.value, best.value)) best = x;
    }
#else
    for (; i < n; i += FLYING * WW_WARP) {
        ww_item x[FLYING];
#pragma unroll
        for (int f = 0; f < FLYING; f++)
            if (i + f * WW_WARP < n) x[f] = element(source, first + i + f * WW_WARP);
#pragma unroll
        for (int f = 0; f < FLYING; f++)
            if (i + f * WW_WARP < n && goes_before(x[f].value, best.value)) best = x[f];
    }
#endif
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) best = ww_op(best, ww_lane_after(best, by));
    return best;
}
#endif

#if WW_WAY
/* Elements of a tile of a long segment that a thread has on their way. */
enum { TILE_FLYING = sizeof(ww_item) <= 16 ? 8 : 1 };
enum { BLOCK_TILES = WW_BLOCK_TILES };
#endif

struct short_shared {
    uint64_t place;        /* of the listed tile that the block's first team takes */
    uint32_t all_here;     /* blocks */
    uint32_t whole;        /* segments whose last tile the block has folded, */
    uint32_t ready[TEAMS]; /* and which of the list these are */
#if WW_STAGE && !WW_LONE
    alignas(16) ww_item stage[WARPS][WW_STAGE];
#endif
#if WW_SEEN
    ww_listed found[WW_SEEN]; /* long segments, with the places of their tiles */
    uint32_t many, bad, last;
#endif
#if WW_WAY == 1
    alignas(16) ww_item tile[WW_TILE];
    alignas(16) ww_item result[BLOCK_TILES];
#elif WW_WAY
    alignas(16) ww_item result[WARPS];
#endif
};

/* A warp's segments: what one lane knows of its own. */
struct ww_segment {
    uint64_t begin, end, number;
    bool good, there;
};

/* The lane's segment; false where an earlier call found bad data. What tells is asked for together with the offsets. */
WW_DEVICE bool own_segment(const segments_arguments &a, ww_segment &g) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    const uint64_t number = WW_BLOCK ? blockIdx.x + uint64_t(lane)
                                     : (blockIdx.x * uint64_t(WARPS) + threadIdx.x / WW_WARP) * a.each + lane;
    g = {0, 0, number, lane < a.each && number < a.segments, false};
    if (g.good) {
        g.begin = offsets_at(a.offsets, number);
        g.end = offsets_at(a.offsets, number + 1);
    }
    if (ww_stopped(a.checking)) return false;
    g.there = g.good;
    if (g.good) g.good = ww_check_segment(a.checking, number, g.begin, g.end, a.count);
    return true;
}

#if !WW_LONE
/* Segments of up to a.whole_most elements; source[0] is element `first` of the input. */
template <class S>
WW_DEVICE void fold_warp(const segments_arguments &a, const S &source, uint64_t first, const ww_segment &g) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    const uint64_t n = g.end - g.begin, at = g.begin - first;
    if (g.good && n < WW_SERIAL) {
        ww_item sum = nothing(a);
        if (n) sum = element(source, at);
        for (uint32_t i = 1; i < n; i++) sum = ww_op(sum, element(source, at + i));
        put(a, g.number, sum);
    }
    for (uint32_t waiting = __ballot_sync(WW_ALL, g.good && n >= WW_SERIAL && n <= a.short_most); waiting;) {
        uint32_t mine = waiting;
        for (uint32_t t = 0; t < WARP_TEAMS; t++) {
            if (t < lane / WW_TEAM) mine &= mine - 1;
            waiting &= waiting - 1;
        }
        const bool there = mine != 0;
        const int from = there ? __ffs(int(mine)) - 1 : 0;
        const uint64_t its_at = __shfl_sync(WW_ALL, at, from), its_number = __shfl_sync(WW_ALL, g.number, from);
        const ww_item sum = fold_tile(source, its_at, __shfl_sync(WW_ALL, uint32_t(n), from), there);
        if (there && lane % WW_TEAM == 0) put(a, its_number, sum);
    }
#if WW_EXTREME
    for (uint32_t waiting = __ballot_sync(WW_ALL, g.good && n > a.short_most && n <= a.whole_most); waiting;
         waiting &= waiting - 1) {
        const int from = __ffs(int(waiting)) - 1;
        const uint64_t its_number = __shfl_sync(WW_ALL, g.number, from);
        const ww_item best = best_of_warp(source, __shfl_sync(WW_ALL, at, from),
                                          __shfl_sync(WW_ALL, uint32_t(n), from));
        if (lane == 0) put(a, its_number, best);
    }
#endif
}

#endif

/* all_at_once: of fold_all. */
WW_DEVICE void list_segment(const segments_arguments &a, const ww_segment &g, bool all_at_once) {
    const uint64_t tiles = (g.end - g.begin + WW_TILE - 1) / WW_TILE;
    uint32_t entry;
    if (!ww_list_segment(a.long_list(), g.begin, g.end, g.number, tiles, entry) || tiles == 1) return;
    if (all_at_once) {
        a.several[entry] = 0;
        return;
    }
    const uint64_t at = atomicAdd(a.listed + 1, uint64_t(1));
    if (at < a.several_room) a.several[at] = entry;
}

#if WW_STAGE && !WW_LONE
/* Elements first, first + 1, ... of the input, in whole lines. */
WW_DEVICE void bring(const segments_arguments &a, uint64_t first, uint32_t many, ww_item *stage) {
    enum { FLYING = 8 };
    for (uint32_t i = threadIdx.x % WW_WARP; i < many; i += FLYING * WW_WARP) {
        ww_item x[FLYING];
#pragma unroll
        for (int f = 0; f < FLYING; f++)
            if (i + f * WW_WARP < many) x[f] = element(a.in, first + i + f * WW_WARP);
#pragma unroll
        for (int f = 0; f < FLYING; f++)
            if (i + f * WW_WARP < many) stage[i + f * WW_WARP] = x[f];
    }
    __syncwarp();
}
#endif

#if WW_WAY == 1
/* In the first thread; n is 1 at least. */
template <int FLYING>
WW_DEVICE ww_item fold_by_block(const segments_arguments &a, uint64_t first, uint32_t n, short_shared &s) {
    const uint32_t tiles = (n + WW_TILE - 1) / WW_TILE;
    ww_item sum;
    for (uint32_t tile = 0; tile < tiles; tile++) {
        const uint64_t begin = first + tile * uint64_t(WW_TILE);
        const uint32_t left = n - tile * WW_TILE, many = left < WW_TILE ? left : WW_TILE;
        if (tile) __syncthreads();
        for (uint32_t i = threadIdx.x; i < many; i += FLYING * WW_THREADS) {
            ww_item x[FLYING];
#pragma unroll
            for (int f = 0; f < FLYING; f++)
                if (i + f * WW_THREADS < many) x[f] = element(a.in, begin + i + f * WW_THREADS);
#pragma unroll
            for (int f = 0; f < FLYING; f++)
                if (i + f * WW_THREADS < many) s.tile[i + f * WW_THREADS] = x[f];
        }
        __syncthreads();
        if (threadIdx.x >= WW_WARP) continue;
        sum = fold_tile((const ww_item *)s.tile, 0, many, threadIdx.x < WW_TEAM);
        if (threadIdx.x == 0) s.result[tile] = sum;
    }
    if (tiles == 1 || threadIdx.x >= WW_WARP) return sum;
    __syncwarp();
    return fold_tile((const ww_item *)s.result, 0, tiles, threadIdx.x < WW_TEAM);
}
#elif WW_WAY
/* The result is the first thread's; n is 1 at least. A thread's elements rise: of an order only what is truly better takes the place. */
template <int FLYING>
WW_DEVICE ww_item fold_by_block(const segments_arguments &a, uint64_t first, uint32_t n, short_shared &s) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    ww_item sum;
    for (uint32_t i = threadIdx.x; i < n; i += FLYING * WW_THREADS) {
        ww_item x[FLYING];
#pragma unroll
        for (int f = 0; f < FLYING; f++)
            if (i + f * WW_THREADS < n) x[f] = element(a.in, first + i + f * WW_THREADS);
#pragma unroll
        for (int f = 0; f < FLYING; f++) {
            if (i + f * WW_THREADS >= n) continue;
#if WW_EXTREME
            if ((f == 0 && i == threadIdx.x) || goes_before(x[f].value, sum.value)) sum = x[f];
#else
            sum = f == 0 && i == threadIdx.x ? x[f] : ww_op(sum, x[f]);
#endif
        }
    }
    const uint32_t before = warp * WW_WARP, mine = n <= before ? 0 : n - before < WW_WARP ? n - before : WW_WARP;
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) {
        const ww_item other = ww_lane_after(sum, by);
        if (lane + by < mine) sum = ww_op(sum, other);
    }
    if (lane == 0 && mine) s.result[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        for (uint32_t w = 1; w < WARPS && w * WW_WARP < n; w++) sum = ww_op(sum, s.result[w]);
    return sum;
}
#endif

#if WW_BLOCK
/* The block's segment, unless it is listed. */
WW_DEVICE void fold_own(const segments_arguments &a, const ww_segment &g, short_shared &s) {
    const bool mine = __shfl_sync(WW_ALL, g.good, 0) != 0;
    const uint64_t first = __shfl_sync(WW_ALL, g.begin, 0), n = __shfl_sync(WW_ALL, g.end, 0) - first;
    if (!mine || n > a.whole_most) return;
    const ww_item result = n ? fold_by_block<WW_FLYING>(a, first, uint32_t(n), s) : nothing(a);
    if (threadIdx.x == 0) put(a, g.number, result);
}
#elif WW_LONE
#if !WW_EXTREME
/* In the first lane; n is 1 at least. Up to 32 elements are asked for at once, then several times 32. Where a team is less than a warp, its
 * lanes take the others' elements in turn. */
WW_DEVICE ww_item fold_lone(const segments_arguments &a, uint64_t first, uint32_t n) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    ww_item sum;
    if (n < WW_SERIAL) {
        for (uint32_t i = 0; i < n; i += WW_WARP) {
            ww_item x;
            if (i + lane < n) x = element(a.in, first + i + lane);
            for (uint32_t k = 0; k < WW_WARP && i + k < n; k++) {
                const ww_item next = ww_lane(x, int(k));
                if (lane == 0) sum = i + k ? ww_op(sum, next) : next;
            }
        }
        return sum;
    }
#if WW_COMMUTING && WW_ITEMS == 1
    enum { TURNS = WW_WARP / WW_TEAM };
    for (uint32_t i = 0; i < n; i += WW_FLYING * WW_WARP) {
        ww_item x[WW_FLYING];
#pragma unroll
        for (int u = 0; u < WW_FLYING; u++)
            if (i + u * WW_WARP + lane < n) x[u] = element(a.in, first + i + u * WW_WARP + lane);
#pragma unroll
        for (int u = 0; u < WW_FLYING; u++)
#pragma unroll
            for (int t = 0; t < TURNS; t++) {
                const ww_item next = t ? ww_lane_after(x[u], t * WW_TEAM) : x[u];
                if (lane >= WW_TEAM || i + u * WW_WARP + t * WW_TEAM + lane >= n) continue;
                sum = u == 0 && t == 0 && i == 0 ? next : ww_op(sum, next);
            }
    }
#pragma unroll
    for (int by = WW_TEAM / 2; by; by /= 2) {
        const ww_item other = ww_lane_after(sum, by);
        if (lane < by) sum = ww_op(sum, other);
    }
    return sum;
#else
    return fold_tile(a.in, first, n, lane < WW_TEAM);
#endif
}
#endif

/* The warp's segment, unless it is listed. */
WW_DEVICE void fold_own(const segments_arguments &a, const ww_segment &g, short_shared &) {
    const bool mine = __shfl_sync(WW_ALL, g.good, 0) != 0;
    const uint64_t first = __shfl_sync(WW_ALL, g.begin, 0), n = __shfl_sync(WW_ALL, g.end, 0) - first;
    if (!mine || n > a.whole_most) return;
    if (n == 0) {
        if (threadIdx.x % WW_WARP == 0) put(a, g.number, nothing(a));
        return;
    }
#if WW_EXTREME
    const ww_item result = best_of_warp(a.in, first, uint32_t(n));
#else
    const ww_item result = fold_lone(a, first, uint32_t(n));
#endif
    if (threadIdx.x % WW_WARP == 0) put(a, g.number, result);
}
#else
/* A warp's segments that are not listed. */
WW_DEVICE void fold_own(const segments_arguments &a, const ww_segment &g, short_shared &s) {
#if WW_STAGE
    /* Good segments of a warp are one range of the input when all are good: from the first lane's begin to the last one's end. */
    const uint32_t good = __ballot_sync(WW_ALL, g.good), there = __ballot_sync(WW_ALL, g.there);
    const uint64_t first = __shfl_sync(WW_ALL, g.begin, 0),
                   last = __shfl_sync(WW_ALL, g.end, there ? 31 - __clz(int(there)) : 0);
    if (good == there && last - first <= WW_STAGE) {
        ww_item *stage = s.stage[threadIdx.x / WW_WARP];
        bring(a, first, uint32_t(last - first), stage);
        fold_warp(a, (const ww_item *)stage, first, g);
        return;
    }
#else
    (void)s;
#endif
    fold_warp(a, a.in, 0, g);
}
#endif

/* A listed tile for each of the warp's teams, the first at `place`. Returns the entry of a segment of several tiles, or UINT32_MAX. */
WW_DEVICE uint32_t fold_listed(const segments_arguments &a, uint32_t many, uint64_t tiles, uint64_t place) {
    const uint64_t team = threadIdx.x % WW_WARP / WW_TEAM;
    uint32_t entry = ww_find_listed(a.list, many, place);
    const bool there = place + team < tiles;
    while (there && entry + 1 < many && a.list[entry + 1].place <= place + team) entry++;
    const ww_listed l = a.list[entry];
    const uint64_t begin = l.begin + (place + team - l.place) * WW_TILE;
    const uint64_t left = there ? l.end - begin : 0;
    const ww_item sum = fold_tile(a.in, begin, left < WW_TILE ? uint32_t(left) : WW_TILE, there);
    if (!there || threadIdx.x % WW_TEAM) return UINT32_MAX;
    if (l.end - l.begin > WW_TILE) {
        a.level[place + team] = sum;
        return entry;
    }
    put(a, l.segment, sum);
    return UINT32_MAX;
}

WW_DEVICE uint64_t tiles_of(const ww_listed &l) { return (l.end - l.begin + WW_TILE - 1) / WW_TILE; }

/* By a block: the results of a segment's tiles. */
WW_DEVICE void fold_results(const segments_arguments &a, const ww_listed &l) {
    ww_item *level = a.level + l.place, *above = a.level + a.tile_room + l.place;
    for (uint64_t count = tiles_of(l); count > 1;) {
        const uint64_t tiles = (count + WW_TILE - 1) / WW_TILE;
        ww_item *to = !WW_EXTREME && tiles == 1 ? a.out + l.segment : above;
        fold_tiles((const ww_item *)level, count, threadIdx.x / WW_TEAM, TEAMS, to);
        __syncthreads();
        if (WW_EXTREME && tiles == 1 && threadIdx.x == 0) put(a, l.segment, *to);
        level = to;
        above = to + tiles;
        count = tiles;
    }
}

/* By the first launch, for the call after this one. */
WW_DEVICE void clear_next(const segments_arguments &a) {
    if (blockIdx.x == 0 && threadIdx.x < 4) a.clear[threadIdx.x] = 0;
}

#if !WW_AT_ONCE
WW_GPU_KERNEL(fold_short, segments_arguments, WW_THREADS) {
    WW_SHARED(short_shared, s);
    ww_segment g;
    ww_launch_next();
    clear_next(a);
    if (!own_segment(a, g)) return;
    if (g.good && g.end - g.begin > a.whole_most && (!WW_BLOCK || threadIdx.x == 0)) list_segment(a, g, false);
    fold_own(a, g, s);
}

WW_GPU_KERNEL(fold_long, segments_arguments, WW_THREADS) {
    ww_in_line();
    if (ww_found_bad(a.checking)) return;
    const uint32_t many = uint32_t(a.listed[0]);
    const uint64_t tiles = a.listed[0] >> 32;
    const uint64_t warps = uint64_t(gridDim.x) * WARPS, warp = blockIdx.x * uint64_t(WARPS) + threadIdx.x / WW_WARP;
    for (uint64_t place = warp * WARP_TEAMS; place < tiles; place += warps * WARP_TEAMS)
        fold_listed(a, many, tiles, place);
}

WW_GPU_KERNEL(fold_levels, segments_arguments, WW_THREADS) {
    ww_in_line();
    if (ww_found_bad(a.checking)) return;
    const uint64_t several = a.listed[1];
    for (uint64_t i = blockIdx.x; i < several; i += gridDim.x) fold_results(a, a.list[a.several[i]]);
}

#else
#if !WW_SEEN
/* Whether all blocks have listed their segments, all of which were good. */
WW_DEVICE bool all_are_here(const segments_arguments &a, short_shared &s) {
    enum { PATIENCE = 8 };
    if (threadIdx.x == 0) {
        uint32_t here = 0;
        for (int k = 0; k < PATIENCE && (here = ww_load_acquire(a.here)) < gridDim.x; k++) ww_wait_a_moment();
        s.all_here = here == gridDim.x && !ww_found_bad(a.checking);
    }
    __syncthreads();
    return s.all_here;
}
#else
/* The offsets round a.stride segments each: a long segment makes them further apart than a.whole_most. They are read with a block's own, and
 * looked at when its own segment is folded. */
struct seen_samples {
    uint64_t begin[WW_SAMPLES], end[WW_SAMPLES];
};
WW_DEVICE void see_samples(const segments_arguments &a, seen_samples &x) {
#pragma unroll
    for (int k = 0; k < WW_SAMPLES; k++) {
        const uint64_t from = (k * WW_THREADS + threadIdx.x) * a.stride, to = from + a.stride;
        x.begin[k] = x.end[k] = 0;
        if (from >= a.sampled) continue;
        x.begin[k] = offsets_at(a.offsets, from);
        x.end[k] = offsets_at(a.offsets, to < a.segments ? to : a.segments);
    }
}

/* While offsets are on their way, the block's share of the input begins to come, whosever segments lie there. */
WW_DEVICE void fetch_share(const segments_arguments &a) {
#pragma unroll 1
    for (uint64_t line = threadIdx.x; line < a.share; line += WW_THREADS) {
        const uint64_t at = blockIdx.x * a.share + line;
        if (at < a.lines) ww_fetch_to_cache(static_cast<const unsigned char *>(a.memory) + at * WW_FETCHED);
    }
}

/* Every block finds the same: the long segments in their order, and a place for each of their tiles. Returns the number of these. */
WW_DEVICE uint32_t find_long(const segments_arguments &a, const seen_samples &x, short_shared &s) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    if (threadIdx.x == 0) s.many = s.bad = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < WW_SAMPLES; k++) {
        uint32_t waiting = __ballot_sync(WW_ALL, x.end[k] - x.begin[k] > a.whole_most);
        for (; waiting; waiting &= waiting - 1) {
            const uint64_t from = (k * WW_THREADS + threadIdx.x - lane + __ffs(int(waiting)) - 1) * a.stride;
#pragma unroll 1
            for (uint64_t i = from + lane; i < from + a.stride && i < a.segments; i += WW_WARP) {
                const uint64_t begin = offsets_at(a.offsets, i), end = offsets_at(a.offsets, i + 1);
                if (begin > end || end > a.count) {
                    ww_store_any(&s.bad, 1u);
                } else if (end - begin > a.whole_most) {
                    const uint32_t at = atomicAdd(&s.many, 1u);
                    if (at < WW_SEEN) s.found[at] = {begin, end, i, 0};
                }
            }
        }
    }
    __syncthreads();
    const uint32_t many = s.many;
    if (s.bad || many == 0 || many > WW_SEEN) return 0;
    ww_listed own;
    uint32_t rank = 0;
    if (threadIdx.x < many) {
        own = s.found[threadIdx.x];
#pragma unroll 1
        for (uint32_t k = 0; k < many; k++) {
            if (s.found[k].segment >= own.segment) continue;
            rank++;
            own.place += tiles_of(s.found[k]);
        }
    }
    __syncthreads();
    if (threadIdx.x < many) s.found[rank] = own;
    __syncthreads();
    return uint32_t(s.found[many - 1].place + tiles_of(s.found[many - 1]));
}

/* The elements of the tile at `place`. */
WW_DEVICE uint32_t tile_at(const short_shared &s, uint32_t place, uint64_t &begin) {
    uint32_t entry = 0;
#pragma unroll 1
    for (uint32_t many = s.many; many > 1;) {
        const uint32_t half = many / 2;
        if (s.found[entry + half].place <= place) entry += half, many -= half;
        else many = half;
    }
    const ww_listed &l = s.found[entry];
    begin = l.begin + (place - l.place) * WW_TILE;
    return l.end - begin < WW_TILE ? uint32_t(l.end - begin) : WW_TILE;
}

/* Tiles of long segments, dealt out to all blocks; who folds the last one reduces each segment's results. */
WW_DEVICE void fold_seen(const segments_arguments &a, const seen_samples &x, short_shared &s) {
    const uint32_t tiles = find_long(a, x, s);
    if (blockIdx.x >= tiles) return;
#if WW_WAY
#pragma unroll 1
    for (uint32_t place = blockIdx.x; place < tiles; place += gridDim.x) {
        uint64_t begin;
        const uint32_t n = tile_at(s, place, begin);
        const ww_item sum = fold_by_block<TILE_FLYING>(a, begin, n, s);
        if (threadIdx.x == 0) a.level[place] = sum;
        __syncthreads();
    }
#else
    const uint32_t warp_team = threadIdx.x / WW_WARP * WARP_TEAMS, team = threadIdx.x / WW_TEAM;
#pragma unroll 1
    for (uint32_t round = blockIdx.x; round + warp_team * gridDim.x < tiles; round += TEAMS * gridDim.x) {
        const uint32_t place = round + team * gridDim.x;
        const bool there = place < tiles;
        uint64_t begin;
        const uint32_t n = tile_at(s, there ? place : 0, begin);
        const ww_item sum = fold_tile(a.in, begin, n, there);
        if (there && threadIdx.x % WW_TEAM == 0) a.level[place] = sum;
    }
    __syncthreads();
#endif
    if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.here, 1) == (tiles < gridDim.x ? tiles : gridDim.x) - 1;
    __syncthreads();
    if (!s.last) return;
#if WW_EXTREME
    for (uint32_t entry = threadIdx.x / WW_WARP; entry < s.many; entry += WARPS) {
        const ww_listed &l = s.found[entry];
        const ww_item best = best_of_warp((const ww_item *)a.level, l.place, uint32_t(tiles_of(l)));
        if (threadIdx.x % WW_WARP == 0) put(a, l.segment, best);
    }
#else
#pragma unroll 1
    for (uint32_t round = 0; round < s.many; round += TEAMS) {
        const uint32_t entry = round + threadIdx.x / WW_TEAM;
        const bool there = entry < s.many;
        const ww_listed &l = s.found[there ? entry : 0];
        const ww_item sum = fold_tile((const ww_item *)a.level, l.place, uint32_t(tiles_of(l)), there);
        if (there && threadIdx.x % WW_TEAM == 0) put(a, l.segment, sum);
    }
#endif
}
#endif

WW_GPU_KERNEL_HELD(fold_all, segments_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED(short_shared, s);
    ww_segment g;
#if WW_SEEN
    seen_samples x;
    see_samples(a, x);
    fetch_share(a);
#endif
    clear_next(a);
    if (!own_segment(a, g)) return;
#if WW_SEEN
    fold_own(a, g, s);
    bool is_wide = false;
#pragma unroll
    for (int k = 0; k < WW_SAMPLES; k++) is_wide |= x.end[k] - x.begin[k] > a.whole_most;
    if (__syncthreads_or(is_wide)) fold_seen(a, x, s);
#else
    const bool is_long = g.good && g.end - g.begin > a.whole_most && (!WW_BLOCK || threadIdx.x == 0);
    if (is_long) list_segment(a, g, true);
    if (a.list_room) {
        __syncthreads();
        if (threadIdx.x == 0) ww_add_acq_rel(a.here, 1);
    }
    fold_own(a, g, s);
    if (!a.list_room || !all_are_here(a, s)) return;
    const uint64_t listed = ww_load_relaxed(a.listed), tiles = listed >> 32;
    const uint32_t many = uint32_t(listed);
    while (tiles) {
        if (threadIdx.x == 0) {
            s.place = atomicAdd(a.taken, uint64_t(TEAMS));
            s.whole = 0;
        }
        __syncthreads();
        const uint64_t place = s.place + threadIdx.x / WW_WARP * WARP_TEAMS;
        if (s.place >= tiles) return;
        if (place < tiles) {
            const uint32_t entry = fold_listed(a, many, tiles, place);
            if (entry != UINT32_MAX && ww_add_acq_rel(a.several + entry, 1) == tiles_of(a.list[entry]) - 1)
                s.ready[atomicAdd(&s.whole, 1u)] = entry;
        }
        __syncthreads();
        for (uint32_t r = 0; r < s.whole; r++) fold_results(a, a.list[s.ready[r]]);
        __syncthreads();
    }
#endif
}
#endif
