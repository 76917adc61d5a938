/* Reduction in one launch, bracketed as docs/determinism.md says: the input is cut into tiles, the tiles' results are an array
 * that is reduced in the same way, by the block that finishes last. Reads each element once. */
#include "device/kernel/counted.cuh"
#include "primitive/reduce/reduce_arguments.cuh"

struct reduce_arguments : reduce_fixed {
#if WW_COUNT_AT
    alignas(16) ww_item identity;
#endif
    alignas(16) in_input in;
};

#include "primitive/reduce/fold.cuh"

#if WW_STAGED
/* A block has a tile at a time: all threads bring it to shared memory, in words of 16 bytes where the input is memory, and one warp folds
 * it there, while the others ask for the next one. */
enum { TILES_AT_ONCE = 1, BATCHES = WW_TILE / (WW_THREADS * WW_ITEMS) };

struct reduce_shared {
    alignas(16) ww_item tile[WW_TILE];
    uint32_t last;
};

template <class S> WW_DEVICE void bring(const S &source, uint64_t first, uint32_t n, ww_item (&x)[BATCHES][WW_ITEMS]) {
#pragma unroll
    for (int b = 0; b < BATCHES; b++) {
        const uint32_t at = (b * WW_THREADS + threadIdx.x) * WW_ITEMS;
        if (at + WW_ITEMS <= n) {
            batch(source, first + at, x[b]);
        } else {
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++)
                if (at + k < n) x[b][k] = element(source, first + at + k);
        }
    }
}

WW_DEVICE void put_down(const ww_item (&x)[BATCHES][WW_ITEMS], uint32_t n, ww_item *tile) {
#pragma unroll
    for (int b = 0; b < BATCHES; b++) {
        const uint32_t at = (b * WW_THREADS + threadIdx.x) * WW_ITEMS;
        if (at + WW_ITEMS <= n) {
            ww_put(tile + at, x[b]);
        } else {
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++)
                if (at + k < n) tile[at + k] = x[b][k];
        }
    }
}

/* By a warp; lanes above the fold's do what others do. The result is the first lane's. */
WW_DEVICE ww_item fold_there(const ww_item *tile, uint32_t n) {
    const uint32_t lane = threadIdx.x % WW_LANES;
    ww_item sum = tile[n < WW_LANES ? 0 : lane];
    if (n < WW_LANES) {
        for (uint32_t i = 1; i < n; i++) sum = ww_op(sum, tile[i]);
        return sum;
    }
    uint32_t row = WW_LANES;
#pragma unroll 16
    for (; row + WW_LANES <= n; row += WW_LANES) sum = ww_op(sum, tile[row + lane]);
    if (row + lane < n) sum = ww_op(sum, tile[row + lane]);
#pragma unroll
    for (int by = WW_LANES / 2; by; by /= 2) sum = ww_op(sum, ww_lane_after(sum, by));
    return sum;
}

WW_DEVICE uint32_t tile_length(uint64_t count, uint64_t tile) {
    const uint64_t left = count - tile * WW_TILE;
    return left < WW_TILE ? uint32_t(left) : WW_TILE;
}

/* Tiles number `tile`, tile + step, ... of `count` elements; results at `to`. */
template <class S>
WW_DEVICE void fold_level(const S &source, uint64_t count, uint64_t tile, uint64_t step, ww_item *to,
                          reduce_shared &s) {
    const uint64_t tiles = (count + WW_TILE - 1) / WW_TILE;
    ww_item x[BATCHES][WW_ITEMS];
    if (tile >= tiles) return;
    uint32_t n = tile_length(count, tile);
    bring(source, tile * WW_TILE, n, x);
    for (;;) {
        put_down(x, n, s.tile);
        __syncthreads();
        const uint64_t next = tile + step;
        const uint32_t its = next < tiles ? tile_length(count, next) : 0;
        bring(source, next * WW_TILE, its, x);
        if (threadIdx.x < WW_WARP) {
            const ww_item sum = fold_there(s.tile, n);
            if (threadIdx.x == 0) to[tile] = sum;
        }
        if (next >= tiles) return;
        __syncthreads();
        tile = next;
        n = its;
    }
}
#else
enum { TEAMS = WW_THREADS / WW_TEAM, TILES_AT_ONCE = TEAMS };

struct reduce_shared {
    uint32_t last;
};

template <class S>
WW_DEVICE void fold_level(const S &source, uint64_t count, uint64_t tile, uint64_t step, ww_item *to, reduce_shared &) {
    fold_tiles(source, count, tile + threadIdx.x / WW_TEAM, step, to);
}
#endif

/* The result of no elements, of which a count on the device may have told. */
WW_DEVICE bool reduces_nothing(const reduce_arguments &a) {
#if WW_COUNT_AT
    if (a.count) return false;
    if (!blockIdx.x && !threadIdx.x) *a.out = a.identity;
    return true;
#else
    (void)a;
    return false;
#endif
}

WW_DEVICE void reduce_share(const reduce_arguments &a) {
    WW_SHARED(reduce_shared, s);
    uint64_t tiles = (a.count + WW_TILE - 1) / WW_TILE;
    const uint32_t blocks = ww_counted_blocks((tiles + TILES_AT_ONCE - 1) / TILES_AT_ONCE);
    if (reduces_nothing(a) || blockIdx.x >= blocks) return;
    ww_item *level = tiles == 1 ? a.out : a.level;
    fold_level(a.in, a.count, blockIdx.x * uint64_t(TILES_AT_ONCE), blocks * uint64_t(TILES_AT_ONCE), level, s);
    if (tiles == 1) return;
    if (gridDim.x > 1) {
#if !WW_STAGED /* of which the first thread alone writes results */
        __threadfence();
#endif
        __syncthreads();
        if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.ticket, 1) == blocks - 1;
        __syncthreads();
        if (!s.last) return;
        if (threadIdx.x == 0) ww_store_relaxed(a.ticket, uint32_t(0));
    } else {
        __syncthreads();
    }
    while (tiles > 1) {
        const uint64_t count = tiles;
        tiles = (count + WW_TILE - 1) / WW_TILE;
        ww_item *next = tiles == 1 ? a.out : level + count;
        fold_level((const ww_item *)level, count, 0, TILES_AT_ONCE, next, s);
        __syncthreads();
        level = next;
    }
}

WW_LOOP_KERNEL_HELD(reduce, reduce_arguments, WW_THREADS, WW_HELD) { reduce_share(ww_counted(a)); }
