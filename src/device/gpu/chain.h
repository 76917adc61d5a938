/* The memory that look-back needs (device/kernel/lookback.cuh). */
#ifndef WW__GPU_CHAIN_H
#define WW__GPU_CHAIN_H

#include "device/gpu/gpu.h"
#include "device/kernel/chain_arguments.cuh"

typedef ww_chain ww__gpu_chain;

/* Scratch memory for `tiles` tiles, cleared in the queue. carrier: bytes of one, 0 where they are packed into the words. */
ww_status ww__gpu_chain_begin(ww_device *device, uint64_t tiles, size_t carrier, ww__gpu_chain *chain);

/* The same for kernels that take their tiles by ww_take_tile or ww_each_tile: one tile alone looks back at nothing, and nothing is
 * cleared for it. */
ww_status ww__gpu_chain_of_tiles(ww_device *device, uint64_t tiles, size_t carrier, ww__gpu_chain *chain);

/* Blocks that take the tiles of a chain by ww_each_tile: as many as there are tiles; where the kernel looks at a count on the device,
 * no more than a GPU holds. */
uint64_t ww__gpu_chain_blocks(const ww_device *device, uint64_t tiles, uint32_t threads, const uint64_t *count_at);

#endif
