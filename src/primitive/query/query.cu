/* How many elements are wanted (`count`), or where the first is (`first`). A tile is what a block reads at once: WW_UNROLL
 * batches of WW_ITEMS neighbours a thread; blocks take tiles at strides of the whole grid, so that what lies in front is read
 * first. Blocks of `first` end when something was found before their tile. Additions and minima of whole numbers come out the
 * same in any order; the block that finishes last writes the answers. Reads each element once.
 *
 * WW_DESCENTS: 0 elements are wanted where the predicate ww_choose is a.holds; 1 those that go before the one in front of them. */
#include "primitive/query/query_arguments.cuh"
#if WW_DESCENTS
#include "primitive/merge/order.cuh"
#endif

struct query_arguments : query_fixed {
#if !WW_DESCENTS
    ww_environment environment;
#endif
    in_input in;
};

enum { BATCHES = WW_UNROLL, TILE = WW_THREADS * WW_ITEMS * BATCHES };

/* A bit for each of a thread's elements of a batch, from element `first` on, that is wanted. */
WW_DEVICE uint32_t wanted_bits(const query_arguments &a, uint64_t first, const in_item (&x)[WW_ITEMS]) {
    uint32_t bits = 0;
#if WW_DESCENTS
    ww_item previous = ww_as<ww_item>(first ? in_at(a.in, first - 1) : x[0]);
#endif
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
#if WW_DESCENTS
        const ww_item here = ww_as<ww_item>(x[k]);
        bits |= uint32_t(ww_before(here, previous)) << k;
        previous = here;
#else
        bits |= uint32_t((ww_choose(x[k], a.environment.at()) != 0) == (a.holds != 0)) << k;
#endif
    }
    return bits;
}

WW_DEVICE bool wanted(const query_arguments &a, uint64_t i) {
#if WW_DESCENTS
    return i && ww_before(ww_as<ww_item>(in_at(a.in, i)), ww_as<ww_item>(in_at(a.in, i - 1)));
#else
    return (ww_choose(in_at(a.in, i), a.environment.at()) != 0) == (a.holds != 0);
#endif
}

struct query_shared {
    uint32_t last;
};

/* Whether this block is the last; asked when all of its threads have added what they found. */
WW_DEVICE bool is_last(const query_arguments &a, query_shared &s) {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.ticket, 1) == gridDim.x - 1;
    __syncthreads();
    return s.last;
}

/* By the last block's first thread. */
WW_DEVICE void give(const query_arguments &a, uint64_t number, bool truth) {
    ww_store_relaxed(a.found, uint64_t(0));
    ww_store_relaxed(a.ticket, uint32_t(0));
    if (a.truth) *a.truth = truth;
    if (a.number) *a.number = uint32_t(number);
    if (a.wide) *a.wide = number;
}

WW_GPU_KERNEL(count, query_arguments, WW_THREADS) {
    WW_SHARED(query_shared, s);
    uint64_t many = 0;
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count; first += uint64_t(gridDim.x) * TILE) {
        in_item x[BATCHES][WW_ITEMS];
#pragma unroll
        for (int b = 0; b < BATCHES; b++) in_read(a.in, first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS, x[b]);
#pragma unroll
        for (int b = 0; b < BATCHES; b++)
            many += __popc(wanted_bits(a, first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS, x[b]));
    }
    /* At most one block has the end, which is shorter. */
    if (first < a.count)
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS) many += wanted(a, i);
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) many += ww_lane_after(many, by);
    if (threadIdx.x % WW_WARP == 0 && many) atomicAdd(a.found, many);
    if (is_last(a, s) && threadIdx.x == 0) give(a, ww_load_relaxed(a.found), false);
}

WW_GPU_KERNEL(first, query_arguments, WW_THREADS) {
    WW_SHARED(query_shared, s);
    uint64_t lowest = UINT64_MAX, first = blockIdx.x * uint64_t(TILE);
    for (; lowest == UINT64_MAX && first < a.count && ww_load_relaxed(a.found) <= ~first;
         first += uint64_t(gridDim.x) * TILE) {
        if (first + TILE <= a.count) {
            in_item x[BATCHES][WW_ITEMS];
#pragma unroll
            for (int b = 0; b < BATCHES; b++) in_read(a.in, first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS, x[b]);
#pragma unroll
            for (int b = BATCHES - 1; b >= 0; b--) {
                const uint64_t at = first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS;
                const uint32_t bits = wanted_bits(a, at, x[b]);
                if (bits) lowest = at + (__ffs(int(bits)) - 1);
            }
        } else {
            for (uint64_t i = first + threadIdx.x; i < a.count && lowest == UINT64_MAX; i += WW_THREADS)
                if (wanted(a, i)) lowest = i;
        }
    }
    if (lowest != UINT64_MAX && ww_load_relaxed(a.found) < ~lowest) atomicMax(a.found, ~lowest);
    if (is_last(a, s) && threadIdx.x == 0) {
        const uint64_t found = ww_load_relaxed(a.found);
        give(a, found ? ~found : a.count, (found != 0) == (a.says != 0));
    }
}
