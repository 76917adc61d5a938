/* See chain.h. A block is about 128 KiB, so that two of them, the one that is written and the next one, fit in the
 * second-level cache. Invariant: when the turn is at block b, chain->carry is what precedes it. */
#include "primitive/scan/chain.h"

#include <string.h>

#include "device/cpu/stream.h"

/* Measured on 2 cores of an EPYC 7003 (512 KiB of second-level cache each), 2026-11: 64 to 256 KiB are alike. */
enum { BLOCK_BYTES = 1 << 17, SUMS_BYTES = 1 << 13 };

static size_t at_least_one(size_t x) { return x ? x : 1; }

ww_status ww__chain_prepare(ww_device *device, ww__chain *chain, uint64_t bytes) {
    const size_t by_data = at_least_one(BLOCK_BYTES / chain->tile_bytes);
    const size_t by_sums = at_least_one(SUMS_BYTES / chain->sum_bytes);
    const size_t workers = ww__workers(device, bytes);
    chain->block = by_data < by_sums ? by_data : by_sums;
    chain->blocks = chain->tiles / chain->block + (chain->tiles % chain->block != 0);
    chain->workers = (size_t)ww__min_u64(workers, chain->blocks);
    /* Of each worker: the sums of a block, and a carry. */
    chain->room = ww__round_up((chain->block + 1) * chain->sum_bytes, 64);
    chain->next = 0;
    chain->turn.next = 0;
    WW_TRY(ww__scratch_array(device, chain->workers, chain->room, &chain->rooms));
    return ww__scratch(device, chain->sum_bytes, &chain->carry);
}

static void write_all(ww__chain *chain) {
    for (uint64_t t = 0; t < chain->tiles; t++) chain->write(chain->job, 0, t, chain->carry, WW__NO_TILE, NULL);
}

/* Takes what precedes the block and hands on what precedes the next one. The last block has nothing to hand on. */
static void take_turn(ww__chain *chain, size_t worker, uint64_t block, void *carry, const unsigned char *sums) {
    ww__turn_wait(&chain->turn, block);
    memcpy(carry, chain->carry, chain->sum_bytes);
    if (block + 1 == chain->blocks) return;
    for (size_t i = 0; i < chain->block; i++)
        chain->join(chain->job, worker, chain->carry, sums + i * chain->sum_bytes);
    ww__turn_pass(&chain->turn, block);
}

static void write_block(ww__chain *chain, size_t worker, uint64_t block, void *carry, uint64_t next,
                        unsigned char *next_sums) {
    const uint64_t first = block * chain->block, end = ww__min_u64(first + chain->block, chain->tiles);
    const bool ahead = next + 1 < chain->blocks; /* the last block's sum is not needed */
    for (uint64_t t = first; t < end; t++) {
        const uint64_t i = t - first;
        chain->write(chain->job, worker, t, carry, ahead ? (int64_t)(next * chain->block + i) : WW__NO_TILE,
                     next_sums + i * chain->sum_bytes);
    }
}

static void write_claimed(void *argument, size_t worker) {
    ww__chain *chain = argument;
    if (chain->workers == 1) {
        write_all(chain);
    } else {
        unsigned char *carry = chain->rooms + worker * chain->room, *sums = carry + chain->sum_bytes;
        uint64_t block = ww__claim(&chain->next);
        if (block + 1 < chain->blocks)
            for (size_t i = 0; i < chain->block; i++)
                chain->sum(chain->job, worker, block * chain->block + i, sums + i * chain->sum_bytes);
        while (block < chain->blocks) {
            take_turn(chain, worker, block, carry, sums);
            const uint64_t next = ww__claim(&chain->next);
            write_block(chain, worker, block, carry, next, sums);
            if (block + 1 == chain->blocks) memcpy(chain->carry, carry, chain->sum_bytes);
            block = next;
        }
    }
    if (chain->streaming) ww__stream_done();
}

void ww__chain_run(ww_device *device, ww__chain *chain) {
    ww__parallel(device, chain->workers, write_claimed, chain);
}
