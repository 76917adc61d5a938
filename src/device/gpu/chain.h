/* The memory that look-back needs (device/kernel/lookback.cuh). */
#ifndef WW__GPU_CHAIN_H
#define WW__GPU_CHAIN_H

#include "device/gpu/gpu.h"
#include "device/kernel/chain_arguments.cuh"

typedef ww_chain ww__gpu_chain;

/* Scratch memory for `tiles` tiles, cleared in the queue. carrier: bytes of one, 0 where they are packed into the words. */
ww_status ww__gpu_chain_begin(ww_device *device, uint64_t tiles, size_t carrier, ww__gpu_chain *chain);

#endif
