/* The first of the least (WW_GREATEST: the greatest) elements, with its position: each thread keeps the best of what it reads at
 * strides of the whole grid, each block its threads' best, and the block that finishes last the blocks'. Of equal ones the
 * lowest position wins wherever two meet, so their order does not matter. Reads each element once.
 *
 * WW_TOTAL: 0 the order is ww_less; else the elements are floats, whose bits are ordered as totalOrder does, up (1) or
 * down (2). */
struct ww_found {
    in_item value;
    uint64_t position;
};

#include "device/kernel/last_tile.cuh"
#include "primitive/reduce/extreme_arguments.cuh"

struct extreme_arguments : extreme_fixed {
    in_input in;
};

enum { WARPS = WW_THREADS / WW_WARP, BATCHES = WW_UNROLL };

struct extreme_shared {
    alignas(16) in_item value[WARPS];
    uint64_t position[WARPS];
    uint32_t last;
};

#if WW_TOTAL
#include "device/kernel/key_number.cuh"
#endif

/* Whether x goes before y, wherever they stand. */
WW_DEVICE bool before(const in_item &x, const in_item &y) {
#if WW_TOTAL == 0
    return WW_GREATEST ? ww_less(y, x) : ww_less(x, y);
#else
    return (WW_TOTAL == 2) != WW_GREATEST ? ww_total_order(x) > ww_total_order(y)
                                          : ww_total_order(x) < ww_total_order(y);
#endif
}

/* The better of two. */
WW_DEVICE ww_found better(const ww_found &x, const ww_found &y) {
    if (before(y.value, x.value)) return y;
    return x.position < y.position || before(x.value, y.value) ? x : y;
}

/* The best of the block, in its first thread. */
WW_DEVICE ww_found best_of_block(ww_found best, extreme_shared &s) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) {
        ww_found other;
        other.value = ww_lane_after(best.value, by);
        other.position = ww_lane_after(best.position, by);
        best = better(best, other);
    }
    if (lane == 0) {
        s.value[warp] = best.value;
        s.position[warp] = best.position;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < WARPS; w++) {
            ww_found other;
            other.value = s.value[w];
            other.position = s.position[w];
            best = better(best, other);
        }
    return best;
}

WW_DEVICE void give(const extreme_arguments &a, const ww_found &best) {
    *a.position = ww_position(best.position);
    if (a.value) *a.value = ww_as<ww_value>(best.value);
}

WW_GPU_KERNEL(extreme, extreme_arguments, WW_THREADS) {
    WW_SHARED(extreme_shared, s);
    const uint64_t step = uint64_t(gridDim.x) * WW_THREADS * WW_ITEMS * BATCHES;
    /* Everyone begins with element 0, which is as good as any, so that there is a best one at any time. */
    ww_found best[WW_ITEMS];
    best[0].value = in_at(a.in, 0);
    best[0].position = 0;
#pragma unroll
    for (int k = 1; k < WW_ITEMS; k++) best[k] = best[0];
    uint64_t first = blockIdx.x * uint64_t(WW_THREADS) * WW_ITEMS * BATCHES;
    for (; first + WW_THREADS * WW_ITEMS * BATCHES <= a.count; first += step) {
        in_item x[BATCHES][WW_ITEMS];
#pragma unroll
        for (int b = 0; b < BATCHES; b++) in_read(a.in, first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS, x[b]);
            /* Positions rise, so that only what is truly better takes the place. */
#pragma unroll
        for (int b = 0; b < BATCHES; b++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++)
                if (before(x[b][k], best[k].value)) {
                    best[k].value = x[b][k];
                    best[k].position = first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS + k;
                }
    }
    /* At most one block has the end, which is shorter. */
    ww_each_of_last(a.in, first, a.count, [&](const in_item &x, uint64_t i) {
        if (!before(x, best[0].value)) return;
        best[0].value = x;
        best[0].position = i;
    });
#pragma unroll
    for (int k = 1; k < WW_ITEMS; k++) best[0] = better(best[0], best[k]);
    ww_found all = best_of_block(best[0], s);
    if (gridDim.x == 1) {
        if (threadIdx.x == 0) give(a, all);
        return;
    }
    if (threadIdx.x == 0) {
        a.value_of_block[blockIdx.x] = all.value;
        a.position_of_block[blockIdx.x] = all.position;
        s.last = ww_add_acq_rel(a.ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!s.last) return;
    all = best[0];
    for (uint32_t b = threadIdx.x; b < gridDim.x; b += WW_THREADS) {
        ww_found other;
        other.value = a.value_of_block[b];
        other.position = a.position_of_block[b];
        all = better(all, other);
    }
    all = best_of_block(all, s);
    if (threadIdx.x) return;
    ww_store_relaxed(a.ticket, uint32_t(0));
    give(a, all);
}
