/* Tiles in a row, each of which needs to know what precedes it: one pass over memory by several workers.
 *
 * Tiles are claimed in blocks. A worker sums the tiles of its block, waits until the sum of all before the block has
 * been handed on, hands on that sum + its own tiles' in turn, and then writes its tiles. It claims its next block before it
 * writes, and sums a tile of the next block with each tile that it writes: memory is read while it is written, and a
 * tile is still in the second-level cache when its own writing reads it again.
 *
 * The running sum goes from tile to tile, carry + sum of tile 0, + sum of tile 1, …, whatever the number of workers and
 * the size of the blocks: the bracketing depends on the tiles alone.
 *
 * A worker that the system has put aside would hold up all others at the block that it has claimed. So a worker that has
 * waited for some microseconds sums that block itself, in the owner's place, and leaves the owner what precedes it. */
#ifndef WW__CHAIN_H
#define WW__CHAIN_H

#include "device/device.h"

enum { WW__NO_TILE = -1 };

typedef struct ww__chain {
    /* What is chained; `job` is handed to all three. */
    void *job;
    /* The sum of a tile, written at `sum`. A worker's own tiles it is going to write itself: what it finds out about tile t
     * may be kept until then, in the place t % block of the worker's. (Another's tile it sums where that one is put aside.) */
    void (*sum)(void *job, size_t worker, uint64_t tile, bool own, void *sum);
    /* carry = carry + sum. */
    void (*join)(void *job, size_t worker, void *carry, const void *sum);
    /* Writes a tile that `carry` precedes, and makes carry what precedes the next one. Where `ahead` is a tile's number,
     * writes its sum, too: it is the worker's own. */
    void (*write)(void *job, size_t worker, uint64_t tile, void *carry, int64_t ahead, void *ahead_sum);
    uint64_t tiles;
    size_t tile_bytes; /* of a tile's data, about */
    size_t sum_bytes;  /* of a tile's sum, and of a carry */
    bool streaming;    /* writers bypass the caches */
    bool in_place;     /* writing a tile changes what summing it reads: only its owner may sum it */

    /* Its own. */
    size_t workers, block; /* workers, tiles of a block: known after ww__chain_prepare */
    uint64_t blocks;
    size_t room; /* of each worker: carry, joined carry, the sums of its own next block and of another's */
    unsigned char *rooms, *carry;
    uint64_t *owned;  /* of each worker: the block whose turn it wants */
    uint64_t claimed; /* blocks so far */
    uint64_t turn;    /* atomic: carry precedes this block */
    bool lock;        /* atomic: guards carry, owned, claimed and the passing of the turn */
} ww__chain;

/* Chooses blocks and workers for `bytes` to be moved, and takes scratch memory. The caller then stores what precedes the
 * first tile in chain->carry. */
ww_status ww__chain_prepare(ww_device *device, ww__chain *chain, uint64_t bytes);

/* Whether a tile has been summed before it is written: not where there is one worker, nor in the last block. */
static inline bool ww__chain_sums(const ww__chain *chain, uint64_t tile) {
    return chain->workers > 1 && tile / chain->block + 1 < chain->blocks;
}

/* Runs it; chain->carry is then the sum of all. */
void ww__chain_run(ww_device *device, ww__chain *chain);

#endif
