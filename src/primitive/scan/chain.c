/* See chain.h. A block is about 128 KiB, so that two of them, the one that is written and the next one, fit in the
 * second-level cache. Invariant: while nobody holds the lock, chain->carry is what precedes block chain->turn; whoever owns a
 * block below it has what precedes that in its own room, or takes it from there. */
#include "primitive/scan/chain.h"

#include <sched.h>
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/spin.h"
#include "device/cpu/stream.h"

/* Measured on 2 cores of an EPYC 7003 (512 KiB of second-level cache each), 2026-11: 64 to 256 KiB are alike. */
enum { BLOCK_BYTES = 1 << 17, SUMS_BYTES = 1 << 13 };

/* Looks at the turn before a worker helps: some ten microseconds, about what summing a block takes. */
enum { PATIENCE = 500 };

static size_t at_least_one(size_t x) { return x ? x : 1; }

ww_status ww__chain_prepare(ww_device *device, ww__chain *chain, uint64_t bytes) {
    const size_t by_data = at_least_one(BLOCK_BYTES / chain->tile_bytes);
    const size_t by_sums = at_least_one(SUMS_BYTES / chain->sum_bytes);
    const size_t workers = ww__workers_light(device, bytes);
    chain->block = by_data < by_sums ? by_data : by_sums;
    chain->blocks = chain->tiles / chain->block + (chain->tiles % chain->block != 0);
    chain->workers = (size_t)ww__min_u64(workers, chain->blocks);
    chain->room = ww__round_up((2 + 2 * chain->block) * chain->sum_bytes, 64);
    chain->claimed = 0;
    chain->turn = 0;
    chain->lock = false;
    WW_TRY(ww__scratch_array(device, chain->workers, sizeof *chain->owned, &chain->owned));
    WW_TRY(ww__scratch_array(device, chain->workers, chain->room, &chain->rooms));
    WW_TRY(ww__scratch(device, chain->sum_bytes, &chain->carry));
    if (device->on_paper) return WW_OK;
    for (size_t w = 0; w < chain->workers; w++) chain->owned[w] = UINT64_MAX; /* none yet */
    return WW_OK;
}

static unsigned char *carry_of(const ww__chain *chain, size_t worker) { return chain->rooms + worker * chain->room; }
static unsigned char *sums_of(const ww__chain *chain, size_t worker) {
    return carry_of(chain, worker) + 2 * chain->sum_bytes;
}

/* Held for some hundred nanoseconds, once a block. */
static void acquire(ww__chain *chain) { ww__spin_acquire(&chain->lock); }
static void release(ww__chain *chain) { ww__spin_release(&chain->lock); }

static uint64_t claim(ww__chain *chain, size_t worker) {
    acquire(chain);
    const uint64_t block = chain->owned[worker] = chain->claimed++;
    release(chain);
    return block;
}

static void sum_block(ww__chain *chain, size_t worker, uint64_t block, bool own, unsigned char *sums) {
    for (size_t i = 0; i < chain->block; i++)
        chain->sum(chain->job, worker, block * chain->block + i, own, sums + i * chain->sum_bytes);
}

/* If it is the block's turn: leaves its owner what precedes it, and passes the turn. The last block has nothing to hand on. */
static void pass_turn(ww__chain *chain, size_t worker, uint64_t block, const unsigned char *sums) {
    acquire(chain);
    if (__atomic_load_n(&chain->turn, __ATOMIC_RELAXED) == block) {
        size_t owner = 0;
        while (chain->owned[owner] != block) owner++;
        memcpy(carry_of(chain, owner), chain->carry, chain->sum_bytes);
        for (size_t i = 0; i < chain->block && block + 1 < chain->blocks; i++)
            chain->join(chain->job, worker, chain->carry, sums + i * chain->sum_bytes);
        __atomic_store_n(&chain->turn, block + 1, __ATOMIC_RELEASE);
    }
    release(chain);
}

/* Returns when what precedes the worker's block is in its room, and the turn is past the block. */
static void take_turn(ww__chain *chain, size_t worker, uint64_t block) {
    unsigned char *own = sums_of(chain, worker), *others = own + chain->block * chain->sum_bytes;
    for (unsigned looks = 0;;) {
        const uint64_t turn = __atomic_load_n(&chain->turn, __ATOMIC_ACQUIRE);
        if (turn > block) return;
        if (turn == block) {
            pass_turn(chain, worker, block, own);
        } else if (looks++ < PATIENCE) {
            ww__relax();
        } else if (chain->in_place) {
            sched_yield();
        } else {
            sum_block(chain, worker, turn, false,
                      others); /* not the last block: that one is at or after this worker's */
            pass_turn(chain, worker, turn, others);
        }
    }
}

static void write_block(ww__chain *chain, size_t worker, uint64_t block, uint64_t next) {
    const uint64_t first = block * chain->block, end = ww__min_u64(first + chain->block, chain->tiles);
    const bool ahead = next + 1 < chain->blocks; /* the last block's sum is not needed */
    unsigned char *carry = carry_of(chain, worker) + chain->sum_bytes, *sums = sums_of(chain, worker);
    for (uint64_t t = first; t < end; t++) {
        const uint64_t i = t - first;
        chain->write(chain->job, worker, t, carry, ahead ? (int64_t)(next * chain->block + i) : WW__NO_TILE,
                     sums + i * chain->sum_bytes);
    }
    if (end == chain->tiles) memcpy(chain->carry, carry, chain->sum_bytes);
}

static void write_all(ww__chain *chain) {
    for (uint64_t t = 0; t < chain->tiles; t++) chain->write(chain->job, 0, t, chain->carry, WW__NO_TILE, NULL);
}

static void write_claimed(ww__chain *chain, size_t worker) {
    uint64_t block = claim(chain, worker);
    if (block + 1 < chain->blocks) sum_block(chain, worker, block, true, sums_of(chain, worker));
    while (block < chain->blocks) {
        take_turn(chain, worker, block);
        /* As soon as the next block is claimed, a helper may put what precedes that in the place of this one's. */
        memcpy(carry_of(chain, worker) + chain->sum_bytes, carry_of(chain, worker), chain->sum_bytes);
        const uint64_t next = claim(chain, worker);
        write_block(chain, worker, block, next);
        block = next;
    }
}

static void work(void *argument, size_t worker) {
    ww__chain *chain = argument;
    if (chain->workers == 1)
        write_all(chain);
    else
        write_claimed(chain, worker);
    if (chain->streaming) ww__stream_done();
}

void ww__chain_run(ww_device *device, ww__chain *chain) { ww__parallel(device, chain->workers, work, chain); }
