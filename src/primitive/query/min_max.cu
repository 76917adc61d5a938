/* The first of the least and the first of the greatest elements in one pass: each thread keeps both of what it reads at strides
 * of the whole grid, each block its threads' best, and the block that finishes last the blocks'. Of equal ones the lowest
 * position wins wherever two meet, so their order does not matter. Reads each element once.
 *
 * WW_PLACED: 0 equal elements have the same bytes, so that nobody can tell which it is; positions are 0 then. */
#include "device/kernel/last_tile.cuh"
#include "primitive/merge/order.cuh"
#include "primitive/query/min_max_arguments.cuh"

struct min_max_arguments : min_max_fixed {
    in_input in;
};

enum { WARPS = WW_THREADS / WW_WARP, BATCHES = WW_UNROLL, TILE = WW_THREADS * WW_ITEMS * BATCHES };

struct ww_found {
    ww_item value;
    uint64_t position;
};
struct ww_ends {
    ww_found least, greatest;
};

struct min_max_shared {
    alignas(16) ww_item value[2][WARPS];
    uint64_t position[2][WARPS];
    uint32_t last;
};

/* The better of two, the first of which came from the lower position where it is no matter. */
WW_DEVICE ww_found lesser(const ww_found &x, const ww_found &y) {
    if (ww_before(y.value, x.value)) return y;
    if (!WW_PLACED) return x;
    return x.position < y.position || ww_before(x.value, y.value) ? x : y;
}
WW_DEVICE ww_found greater(const ww_found &x, const ww_found &y) {
    if (ww_before(x.value, y.value)) return y;
    if (!WW_PLACED) return x;
    return x.position < y.position || ww_before(y.value, x.value) ? x : y;
}
WW_DEVICE ww_ends joined(const ww_ends &x, const ww_ends &y) {
    ww_ends both;
    both.least = lesser(x.least, y.least);
    both.greatest = greater(x.greatest, y.greatest);
    return both;
}

/* Takes an element that stands behind all that were taken before: only what is truly better takes the place. */
WW_DEVICE void take(ww_ends &ends, const ww_item &x, uint64_t i) {
    if (ww_before(x, ends.least.value)) {
        ends.least.value = x;
        if (WW_PLACED) ends.least.position = i;
    }
    if (ww_before(ends.greatest.value, x)) {
        ends.greatest.value = x;
        if (WW_PLACED) ends.greatest.position = i;
    }
}

WW_DEVICE ww_found found_after(const ww_found &x, int by) {
    ww_found other;
    other.value = ww_lane_after(x.value, by);
    other.position = WW_PLACED ? ww_lane_after(x.position, by) : 0;
    return other;
}

/* The best of the block, in its first thread. */
WW_DEVICE ww_ends ends_of_block(ww_ends ends, min_max_shared &s) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) {
        ends.least = lesser(ends.least, found_after(ends.least, by));
        ends.greatest = greater(ends.greatest, found_after(ends.greatest, by));
    }
    if (lane == 0) {
        s.value[0][warp] = ends.least.value;
        s.position[0][warp] = ends.least.position;
        s.value[1][warp] = ends.greatest.value;
        s.position[1][warp] = ends.greatest.position;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < WARPS; w++) {
            ww_ends other;
            other.least.value = s.value[0][w];
            other.least.position = s.position[0][w];
            other.greatest.value = s.value[1][w];
            other.greatest.position = s.position[1][w];
            ends = joined(ends, other);
        }
    return ends;
}

WW_GPU_KERNEL(min_max, min_max_arguments, WW_THREADS) {
    WW_SHARED(min_max_shared, s);
    /* Everyone begins with element 0, which is as good as any, so that there is a best one at any time. */
    ww_ends ends;
    ends.least.value = ww_as<ww_item>(in_at(a.in, 0));
    ends.least.position = 0;
    ends.greatest = ends.least;
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count; first += uint64_t(gridDim.x) * TILE) {
        in_item x[BATCHES][WW_ITEMS];
#pragma unroll
        for (int b = 0; b < BATCHES; b++) in_read(a.in, first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS, x[b]);
#pragma unroll
        for (int b = 0; b < BATCHES; b++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++)
                take(ends, ww_as<ww_item>(x[b][k]), first + (b * WW_THREADS + threadIdx.x) * WW_ITEMS + k);
    }
    /* At most one block has the end, which is shorter. */
    ww_each_of_last(a.in, first, a.count, [&](const in_item &x, uint64_t i) { take(ends, ww_as<ww_item>(x), i); });
    ww_ends all = ends_of_block(ends, s);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            a.end_of_block[2 * blockIdx.x] = all.least.value;
            a.end_of_block[2 * blockIdx.x + 1] = all.greatest.value;
            a.position_of_block[2 * blockIdx.x] = all.least.position;
            a.position_of_block[2 * blockIdx.x + 1] = all.greatest.position;
            s.last = ww_add_acq_rel(a.ticket, 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!s.last) return;
        if (threadIdx.x == 0) ww_store_relaxed(a.ticket, uint32_t(0));
        all = ends;
        for (uint32_t b = threadIdx.x; b < gridDim.x; b += WW_THREADS) {
            ww_ends other;
            other.least.value = a.end_of_block[2 * b];
            other.greatest.value = a.end_of_block[2 * b + 1];
            other.least.position = a.position_of_block[2 * b];
            other.greatest.position = a.position_of_block[2 * b + 1];
            all = joined(all, other);
        }
        all = ends_of_block(all, s);
    }
    if (threadIdx.x == 0) {
        *a.least = all.least.value;
        *a.greatest = all.greatest.value;
    }
}
