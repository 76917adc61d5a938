/* Lower and upper bounds, in two launches over tiles of needles. Reads each needle once, those that are in no order twice, and
 * writes each position once.
 *
 * `search` takes the tiles whose needles are in order: they are looked for between where the first and the last of them
 * belong. What lies there is brought to shared memory, where it fits. There each thread looks for the first of its
 * neighbouring needles, and for the others between that and the next thread's. Where it does not fit, each needle is looked
 * for between the two places.
 *
 * The tiles that it has marked are `search_marked`'s: needles are looked for in all of the array, the first steps in samples
 * of it in shared memory, the others in memory, without branches.
 *
 * An array that is not sorted gives positions in it, or its count, all the same.
 *
 * WW_UPPER; WW_WIDE: positions take 64 bits; WW_EACH, needles of a thread, an odd number: neighbours then are in
 * different banks; WW_MARKED_EACH: of a thread of search_marked; WW_PART: room for so many elements of the array; WW_SAMPLES: for so many samples. */
#include "primitive/merge/order.cuh"

#if WW_WIDE
typedef uint64_t ww_place;
#else
typedef uint32_t ww_place;
#endif

#include "primitive/search/search_arguments.cuh"

struct search_arguments : search_fixed {
    sorted_input sorted;
    needle_input needle;
};

enum { TILE = WW_THREADS * WW_EACH, MARKED_THREADS = TILE / WW_MARKED_EACH };

/* Whether what is looked for lies behind the element x. */
WW_DEVICE bool lies_behind(const ww_item &x, const ww_item &wanted) {
#if WW_UPPER
    return !ww_before(wanted, x);
#else
    return ww_before(x, wanted);
#endif
}

/* Long elements, or few: a thread for each needle. */
WW_GPU_KERNEL(search_long, search_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.needles) return;
    const ww_item wanted = needle_at(a.needle, i);
    uint64_t low = 0, high = a.count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (lies_behind(sorted_at(a.sorted, middle), wanted))
            low = middle + 1;
        else
            high = middle;
    }
    a.out[i] = ww_position(low);
}

struct search_shared {
    /* The tile's needles, and behind them the part of the array that they are looked for in. */
    alignas(16) ww_item item[TILE + WW_PART];
    uint64_t end[2];
    uint16_t found[TILE], first[WW_THREADS]; /* in the part: needles, the first of each thread */
};

/* The position of one needle, for all lanes of the warp that calls it. */
WW_DEVICE uint64_t warp_bound(const search_arguments &a, const ww_item &wanted) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint64_t low = 0, high = a.count;
    while (low < high) {
        const uint64_t step = (high - low + WW_WARP) / (WW_WARP + 1), middle = low + (lane + 1) * step - 1;
        bool behind = false;
        if (middle < high) behind = lies_behind(sorted_at(a.sorted, middle), wanted);
        const uint32_t not_behind = ~__ballot_sync(WW_ALL, behind);
        const uint32_t first = not_behind ? __ffs(int(not_behind)) - 1 : WW_WARP;
        const uint64_t end = low + (first + 1) * step - 1;
        low += first * step;
        if (first < WW_WARP && end < high) high = end;
    }
    return low;
}

/* A thread's needles of the tile that begins at `first`, at strides; behind its `many` needles the last is repeated. */
template <int N>
WW_DEVICE void read_needles(const search_arguments &a, uint64_t first, uint32_t many, ww_item (&x)[N]) {
#pragma unroll
    for (int k = 0; k < N; k++) {
        const uint32_t at = k * (TILE / N) + threadIdx.x;
        x[k] = needle_at(a.needle, first + (at < many ? at : many - 1));
    }
}

/* Moves each base on to the last of n >= 1 elements that may be the one, or the first. */
template <int N>
WW_DEVICE void narrow_in_memory(const search_arguments &a, ww_place n, const ww_item (&x)[N], ww_place (&base)[N]) {
    for (ww_place left = n; left > 1;) {
        const ww_place half = left / 2;
#pragma unroll
        for (int k = 0; k < N; k++) base[k] += lies_behind(sorted_at(a.sorted, base[k] + half - 1), x[k]) ? half : 0;
        left -= half;
    }
}

/* Writes where needles belong: at a base or behind it. */
template <int N>
WW_DEVICE void write_places(const search_arguments &a, uint64_t first, uint32_t many, const ww_item (&x)[N],
                            const ww_place (&base)[N]) {
#pragma unroll
    for (int k = 0; k < N; k++) {
        const uint32_t at = k * (TILE / N) + threadIdx.x;
        const ww_place place = base[k] + lies_behind(sorted_at(a.sorted, base[k]), x[k]);
        if (at < many) a.out[first + at] = ww_position(place);
    }
}

/* Needles in any order, in `count` >= 1 elements from `from` on. */
template <int N>
WW_DEVICE void search_between(const search_arguments &a, uint64_t first, uint32_t many, const ww_item (&x)[N],
                              ww_place from, ww_place count) {
    ww_place base[N];
#pragma unroll
    for (int k = 0; k < N; k++) base[k] = from;
    narrow_in_memory(a, count, x, base);
    write_places(a, first, many, x, base);
}

/* The same in all of the array, through its samples. */
template <int N>
WW_DEVICE void search_sampled(const search_arguments &a, const ww_item *sample, uint64_t first, uint32_t many,
                              const ww_item (&x)[N]) {
    ww_place base[N];
    uint32_t low[N];
#pragma unroll
    for (int k = 0; k < N; k++) low[k] = 0;
    for (uint32_t left = uint32_t(a.samples); left > 1;) {
        const uint32_t half = left / 2;
#pragma unroll
        for (int k = 0; k < N; k++) low[k] += lies_behind(sample[low[k] + half - 1], x[k]) ? half : 0;
        left -= half;
    }
    const ww_place stride = ww_place(a.stride), last = ww_place(a.count - a.stride);
#pragma unroll
    for (int k = 0; k < N; k++) {
        const ww_place at = (low[k] + lies_behind(sample[low[k]], x[k])) * stride;
        base[k] = at < last ? at : last;
    }
    narrow_in_memory(a, stride, x, base);
    write_places(a, first, many, x, base);
}

WW_DEVICE uint32_t part_bound(const ww_item *part, uint32_t low, uint32_t high, const ww_item &wanted) {
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (lies_behind(part[middle], wanted))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of the part's `count` elements precede each needle. Every thread calls it. */
WW_DEVICE void search_part(search_shared &s, uint32_t count) {
    const ww_item *needle = s.item + threadIdx.x * WW_EACH, *part = s.item + TILE;
    uint16_t *found = s.found + threadIdx.x * WW_EACH;
    uint32_t low = part_bound(part, 0, count, needle[0]), high = count;
    s.first[threadIdx.x] = uint16_t(low);
    __syncthreads();
    if (threadIdx.x + 1 < WW_THREADS) high = s.first[threadIdx.x + 1];
    found[0] = uint16_t(low);
#pragma unroll
    for (int k = 1; k < WW_EACH; k++) {
        low = part_bound(part, low, high, needle[k]);
        found[k] = uint16_t(low);
    }
}

/* Needles in order. Every thread calls it. */
WW_DEVICE void search_in_order(const search_arguments &a, search_shared &s, uint64_t first, uint32_t many,
                               const ww_item (&x)[WW_EACH]) {
    const uint32_t warp = threadIdx.x / WW_WARP;
    if (warp < 2) {
        const uint64_t end = warp_bound(a, s.item[warp ? many - 1 : 0]);
        if (threadIdx.x % WW_WARP == 0) s.end[warp] = end;
    }
    __syncthreads();
    const uint64_t from = s.end[0], until = s.end[1];
    const bool fits = until - from <= WW_PART;
    if (until < from) { /* the array is not in order */
        search_between(a, first, many, x, 0, ww_place(a.count));
    } else if (!fits) {
        search_between(a, first, many, x, ww_place(from), ww_place(until - from));
    } else {
        const uint32_t count = uint32_t(until - from);
#pragma unroll 8
        for (uint32_t k = threadIdx.x; k < count; k += WW_THREADS) s.item[TILE + k] = sorted_at(a.sorted, from + k);
        __syncthreads();
        search_part(s, count);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < WW_EACH; k++) {
            const uint32_t at = k * WW_THREADS + threadIdx.x;
            if (at < many) a.out[first + at] = ww_position(from + s.found[at]);
        }
    }
}

WW_GPU_KERNEL_HELD(search, search_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(search_shared, s);
    for (uint64_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
        const uint64_t first = tile * TILE;
        const uint32_t many = a.needles - first < TILE ? uint32_t(a.needles - first) : TILE;
        ww_item x[WW_EACH];
        read_needles(a, first, many, x);
        /* What is not in order is seen among neighbouring lanes, most of the time. */
        bool in_order = true;
#pragma unroll
        for (int k = 0; k < WW_EACH; k++) {
            const ww_item before = ww_lane_before(x[k], 1);
            if (threadIdx.x % WW_WARP) in_order = in_order && !ww_before(x[k], before);
        }
        in_order = __syncthreads_and(in_order);
        if (in_order) {
#pragma unroll
            for (int k = 0; k < WW_EACH; k++) s.item[k * WW_THREADS + threadIdx.x] = x[k];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < WW_EACH; k++) {
                const uint32_t at = k * WW_THREADS + threadIdx.x;
                if (at + 1 < TILE) in_order = in_order && !ww_before(s.item[at + 1], x[k]);
            }
            in_order = __syncthreads_and(in_order);
        }
        const bool here = in_order || a.count == 0;
        if (threadIdx.x == 0) a.marks[tile] = !here;
        if (here) search_in_order(a, s, first, many, x);
        __syncthreads(); /* the next tile takes the room */
    }
}

struct marked_shared {
    alignas(16) ww_item sample[WW_SAMPLES];
};

WW_GPU_KERNEL(search_marked, search_arguments, MARKED_THREADS) {
    WW_SHARED_LARGE(marked_shared, s);
    bool marked = false, sampled = false; /* any of this block's tiles is marked; samples are there */
    for (uint64_t tile = blockIdx.x + uint64_t(gridDim.x) * threadIdx.x; tile < a.tiles;
         tile += uint64_t(gridDim.x) * MARKED_THREADS)
        marked = marked || a.marks[tile];
    if (!__syncthreads_or(marked)) return;
    for (uint64_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
        if (!a.marks[tile]) continue;
        if (!sampled) {
#pragma unroll 8
            for (uint32_t k = threadIdx.x; k < a.samples; k += MARKED_THREADS)
                s.sample[k] = sorted_at(a.sorted, (k + 1) * a.stride - 1);
            __syncthreads();
            sampled = true;
        }
        const uint64_t first = tile * TILE;
        const uint32_t many = a.needles - first < TILE ? uint32_t(a.needles - first) : TILE;
        ww_item x[WW_MARKED_EACH];
        read_needles(a, first, many, x);
        if (a.samples)
            search_sampled(a, s.sample, first, many, x);
        else
            search_between(a, first, many, x, 0, ww_place(a.count));
    }
}
