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

enum { TEAMS = WW_THREADS / WW_TEAM };

#include "primitive/reduce/fold.cuh"

struct reduce_shared {
    uint32_t last;
};

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
    const uint64_t team = threadIdx.x / WW_TEAM;
    uint64_t tiles = (a.count + WW_TILE - 1) / WW_TILE;
    const uint32_t blocks = ww_counted_blocks((tiles + TEAMS - 1) / TEAMS);
    if (reduces_nothing(a) || blockIdx.x >= blocks) return;
    ww_item *level = tiles == 1 ? a.out : a.level;
    fold_tiles(a.in, a.count, blockIdx.x * uint64_t(TEAMS) + team, blocks * uint64_t(TEAMS), level);
    if (tiles == 1) return;
    if (gridDim.x > 1) {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.ticket, 1) == blocks - 1;
        __syncthreads();
        if (!s.last) return;
    } else {
        __syncthreads();
    }
    while (tiles > 1) {
        const uint64_t count = tiles;
        tiles = (count + WW_TILE - 1) / WW_TILE;
        ww_item *next = tiles == 1 ? a.out : level + count;
        fold_tiles((const ww_item *)level, count, team, TEAMS, next);
        __syncthreads();
        level = next;
    }
}

WW_LOOP_KERNEL_HELD(reduce, reduce_arguments, WW_THREADS, WW_HELD) { reduce_share(ww_counted(a)); }
