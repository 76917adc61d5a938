/* Expanding: a block writes a tile of the outputs, whatever parents these are of. Two warps search the offsets for the
 * parents of the tile's first and last place, 32 offsets in a step. Then
 *   one parent    all of the tile is its;
 *   several       each parent that has a place here marks its first one with its distance from the first parent; the largest
 *                 mark up to a place (a scan) is its parent's;
 *   very many     (most have no places at all) each place searches for its parent between the two.
 * So a block's work is bounded by its tile, whether one parent has all places or millions have none. Reads offsets once for
 * each tile they stand in, and once more where they are the caller's and are to be checked; elements once for each tile;
 * writes outputs once.
 *
 * WW_OUT, WW_SOURCE, WW_RANK: which outputs there are. WW_WHOLE: nothing is written where the room is too small for all.
 * WW_WIDE: there are 2^32 parents or more. WW_WALK: tiles of parents that are looked at one by one. */
#include "device/kernel/counted.cuh"
#include "device/kernel/record.cuh"
#include "device/kernel/rows.cuh"
#include "primitive/expand/expand_arguments.cuh"

struct expand_arguments : expand_fixed {
#if WW_OUT
    in_input in;
#endif
    offsets_input offsets;
};

struct expand_shared {
    alignas(16) uint32_t mark[TILE];
    uint64_t first, last; /* parents of the tile's first and last place */
    uint32_t warp[WARPS];
};

#if WW_WIDE
typedef uint64_t ww_parent;
#else
typedef uint32_t ww_parent;
#endif

/* The last parent that begins at or before place j, in one warp. */
WW_DEVICE uint64_t warp_parent_of(const expand_arguments &a, uint64_t j) {
    uint64_t low = 0, high = a.parents;
    while (high - low > 1) {
        const uint64_t step = (high - low + WW_WARP - 1) / WW_WARP, at = low + threadIdx.x % WW_WARP * step;
        const bool before = at < high && uint64_t(offsets_at(a.offsets, at)) <= j;
        low += (__popc(__ballot_sync(WW_ALL, before) | 1) - 1) * step;
        if (high - low > step) high = low + step;
    }
    return low;
}

/* The same between two parents, in one thread. */
WW_DEVICE uint64_t parent_between(const expand_arguments &a, uint64_t low, uint64_t last, uint64_t j) {
    for (uint64_t high = last + 1; high - low > 1;) {
        const uint64_t middle = low + (high - low) / 2;
        if (uint64_t(offsets_at(a.offsets, middle)) <= j)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether one offset may follow another: as unsigned numbers negative ones are large. */
WW_DEVICE bool is_bad_offset(uint64_t before, uint64_t offset) {
    const bool is_signed = offsets_item(-1) < offsets_item(0);
    return offset < before || (is_signed && int64_t(offset) < 0);
}

/* Each block looks at a share of the offsets, whether they ever decrease. */
WW_DEVICE void check_share(const expand_arguments &a) {
    const uint64_t share = (a.parents + gridDim.x - 1) / gridDim.x, first = blockIdx.x * share;
    const uint64_t end = first + share < a.parents ? first + share : a.parents;
    for (uint64_t p = first + threadIdx.x; p < end; p += WW_THREADS) {
        const uint64_t offset = offsets_at(a.offsets, p), next = offsets_at(a.offsets, p + 1);
        if (is_bad_offset(offset, next)) ww_report(a.checking, p + 1, next);
        if (p == 0 && is_bad_offset(0, offset)) ww_report(a.checking, 0, offset);
    }
}

/* The largest mark up to each of this thread's places. */
WW_DEVICE void largest_before(expand_shared &s, uint32_t (&x)[WW_ROWS][WW_ITEMS]) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t rows_before = 0;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        ww_fetch(s.mark + place_in_tile() + r * ROW, x[r]);
#pragma unroll
        for (int k = 1; k < WW_ITEMS; k++) x[r][k] = max(x[r][k], x[r][k - 1]);
        uint32_t most = x[r][WW_ITEMS - 1];
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) {
            const uint32_t earlier = __shfl_up_sync(WW_ALL, most, by);
            if (lane >= by) most = max(most, earlier);
        }
        uint32_t before = __shfl_up_sync(WW_ALL, most, 1);
        before = lane ? max(before, rows_before) : rows_before;
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) x[r][k] = max(x[r][k], before);
        rows_before = max(rows_before, __shfl_sync(WW_ALL, most, WW_WARP - 1));
    }
    if (lane == 0) s.warp[warp] = rows_before;
    __syncthreads();
    uint32_t before = 0;
#pragma unroll
    for (uint32_t w = 0; w < WARPS; w++) before = max(before, w < warp ? s.warp[w] : 0);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) x[r][k] = max(x[r][k], before);
}

/* Parents first + 1 to last mark where they begin. */
WW_DEVICE void mark_parents(const expand_arguments &a, expand_shared &s, uint64_t base, uint64_t low, uint64_t high) {
    const uint64_t first = s.first, last = s.last;
    for (uint32_t i = threadIdx.x; i < TILE; i += WW_THREADS) s.mark[i] = 0;
    __syncthreads();
#pragma unroll 4
    for (uint64_t p = first + 1 + threadIdx.x; p <= last; p += WW_THREADS) {
        const uint64_t begin = offsets_at(a.offsets, p), end = offsets_at(a.offsets, p + 1);
        if (begin < end && begin >= low && begin < high) ww_store_any(s.mark + (begin - base), uint32_t(p - first));
    }
    __syncthreads();
}

/* Writes value(k) to places at + k that lie in low to high - 1, of a row of one thread. */
template <class T, class F> WW_DEVICE void put_row(T *to, uint64_t at, uint64_t low, uint64_t high, F value) {
    if (at >= low && at + WW_ITEMS <= high) {
        T x[WW_ITEMS];
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) x[k] = value(k);
        ww_put(to + at, x);
    } else {
        for (int k = 0; k < WW_ITEMS; k++)
            if (at + k >= low && at + k < high) to[at + k] = value(k);
    }
}

WW_DEVICE void put_outputs(const expand_arguments &a, uint64_t base, uint64_t low, uint64_t high,
                           const ww_parent (&parent)[WW_ROWS][WW_ITEMS]) {
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t at = base + place_in_tile() + r * ROW;
#if WW_OUT
        put_row(a.out, at, low, high, [&](int k) { return ww_as<ww_item>(in_at(a.in, parent[r][k])); });
#endif
#if WW_SOURCE
        put_row(a.source, at, low, high, [&](int k) { return ww_source(parent[r][k]); });
#endif
#if WW_RANK
        put_row(a.rank, at, low, high, [&](int k) { return ww_rank(at + k - uint64_t(offsets_at(a.offsets, parent[r][k]))); });
#endif
    }
}

WW_DEVICE void expand_tile(const expand_arguments &a) {
    WW_SHARED(expand_shared, s);
    if (!WW_WHOLE) {
        if (ww_stopped(a.checking)) return;
        check_share(a);
    }
    const uint32_t warp = threadIdx.x / WW_WARP;
    const uint64_t begin = offsets_at(a.offsets, 0), all = offsets_at(a.offsets, a.parents), base = blockIdx.x * uint64_t(TILE);
    const uint64_t end = all < a.room ? all : a.room, low = base > begin ? base : begin,
                   high = base + TILE < end ? base + TILE : end;
    if ((WW_WHOLE && all > a.room) || low >= high) return;
    if (warp < 2) {
        const uint64_t p = warp_parent_of(a, warp ? high - 1 : low);
        if (threadIdx.x % WW_WARP == 0) (warp ? s.last : s.first) = p;
    }
    __syncthreads();
    const uint64_t first = s.first, last = s.last;
    ww_parent parent[WW_ROWS][WW_ITEMS];
    if (last <= first) {
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) parent[r][k] = ww_parent(first);
    } else if (last - first <= WW_WALK * uint64_t(TILE)) {
        uint32_t x[WW_ROWS][WW_ITEMS];
        mark_parents(a, s, base, low, high);
        largest_before(s, x);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) parent[r][k] = ww_parent(first + x[r][k]);
    } else {
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++)
                parent[r][k] = ww_parent(parent_between(a, first, last, base + place_in_tile() + r * ROW + k));
    }
    put_outputs(a, base, low, high, parent);
}

WW_LOOP_KERNEL(expand, expand_arguments, WW_THREADS) {
#if WW_COUNT_AT
    expand_arguments there = a;
    there.parents = min(*a.count_at, a.parents);
    expand_tile(there);
#else
    expand_tile(a);
#endif
}
