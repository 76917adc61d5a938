/* Counter-based random numbers inside kernels and maps: number i of a stream is computed from i, on every device, so that ranks
 * need no state and may run in any order.
 *
 *     WW_STRUCT_USES((ww_random), walk, { ww_random from; float *x; });
 *     WW_KERNEL_USES((ww_philox_float), stride, walk, a, i,
 *                    { a->x[i] += ww_philox_float(a->from.seed, a->from.stream, i) - 0.5f; });
 *
 * Number i of each kind is what ww_random_fill and ww_random_below (random.h) write to element i from offset 0:
 *
 *     uint32_t ww_philox_u32(seed, stream, i)            32 uniform bits: word i % 4 of block i / 4
 *     uint64_t ww_philox_u64(seed, stream, i)            64: words 2 (i % 2), the low half, and 2 (i % 2) + 1 of block
 *                                                        i / 2
 *     float    ww_philox_float(seed, stream, i)          in [0, 1), a multiple of 2^-24: number i of u32, its highest bits
 *     double   ww_philox_double(seed, stream, i)         in [0, 1), a multiple of 2^-53: number i of u64, its highest bits
 *     uint32_t ww_philox_below(seed, stream, i, bound)   0 … bound - 1 (bound above 0), each as likely as the others to
 *                                                        within 2^-128 (random.h)
 *     ww_random_block ww_philox(seed, stream, block)     the four words of a block, for a body that takes several numbers
 *                                                        at once
 *
 * All arguments but the bound are u64. A body lists the functions that it calls (WW_KERNEL_USES). Blocks from 2^60 on are used
 * by the library for rejected words, shuffles and samples.
 *
 * Philox4x32-10: Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3 (2011). The counter is the block's
 * number (words 0 and 1) and the stream (words 2 and 3), the key the seed; low words first. */
#ifndef WARPWISE_RANDOM_KERNEL_H
#define WARPWISE_RANDOM_KERNEL_H

#include "function.h"

/* Bodies are C and C++ at once, whose one cast is C's: C++ compilers are not to warn of it, here or where macros are used. */
#ifdef __cplusplus
#pragma GCC system_header
#endif

/* Where random numbers come from: a seed (any number), one of its independent streams, and the first number taken from it. */
WW_STRUCT(ww_random, {
    uint64_t seed;
    uint64_t stream;
    uint64_t offset;
});

WW_STRUCT(ww_random_block, { uint32_t word[4]; });

WW_CONSTANT(WW_PHILOX_KEY_0, uint32_t, 0x9E3779B9u); /* what the key's words grow by from round to round */
WW_CONSTANT(WW_PHILOX_KEY_1, uint32_t, 0xBB67AE85u);

/* One round, the key's words being those of round `round`. */
WW_FUNCTION(
    ww_philox_round, ww_random_block, (ww_random_block x, uint64_t key, uint32_t round),
    {
        const uint64_t p = (uint64_t)x.word[0] * 0xD2511F53u;
        const uint64_t q = (uint64_t)x.word[2] * 0xCD9E8D57u;
        x.word[0] = (uint32_t)(q >> 32) ^ x.word[1] ^ ((uint32_t)key + round * WW_PHILOX_KEY_0);
        x.word[1] = (uint32_t)q;
        x.word[2] = (uint32_t)(p >> 32) ^ x.word[3] ^ ((uint32_t)(key >> 32) + round * WW_PHILOX_KEY_1);
        x.word[3] = (uint32_t)p;
        return x;
    },
    ww_random_block, WW_PHILOX_KEY_0, WW_PHILOX_KEY_1);

/* Written out round by round: then compilers know each round's number. */
WW_FUNCTION(
    ww_philox, ww_random_block, (uint64_t seed, uint64_t stream, uint64_t block),
    {
        ww_random_block x;
        x.word[0] = (uint32_t)block;
        x.word[1] = (uint32_t)(block >> 32);
        x.word[2] = (uint32_t)stream;
        x.word[3] = (uint32_t)(stream >> 32);
        x = ww_philox_round(x, seed, 0);
        x = ww_philox_round(x, seed, 1);
        x = ww_philox_round(x, seed, 2);
        x = ww_philox_round(x, seed, 3);
        x = ww_philox_round(x, seed, 4);
        x = ww_philox_round(x, seed, 5);
        x = ww_philox_round(x, seed, 6);
        x = ww_philox_round(x, seed, 7);
        x = ww_philox_round(x, seed, 8);
        return ww_philox_round(x, seed, 9);
    },
    ww_random_block, ww_philox_round);

WW_FUNCTION(
    ww_philox_u32, uint32_t, (uint64_t seed, uint64_t stream, uint64_t i),
    {
        const ww_random_block x = ww_philox(seed, stream, i / 4);
        const uint32_t even = i & 2 ? x.word[2] : x.word[0]; /* an index would put the words in a GPU's memory */
        const uint32_t odd = i & 2 ? x.word[3] : x.word[1];
        return i & 1 ? odd : even;
    },
    ww_random_block, ww_philox);

WW_FUNCTION(
    ww_philox_u64, uint64_t, (uint64_t seed, uint64_t stream, uint64_t i),
    {
        const ww_random_block x = ww_philox(seed, stream, i / 2);
        const uint32_t low = i & 1 ? x.word[2] : x.word[0];
        const uint32_t high = i & 1 ? x.word[3] : x.word[1];
        return (uint64_t)high << 32 | low;
    },
    ww_random_block, ww_philox);

WW_FUNCTION(
    ww_philox_float, float, (uint64_t seed, uint64_t stream, uint64_t i),
    { return (float)(ww_philox_u32(seed, stream, i) >> 8) * 5.9604644775390625e-8f; }, ww_philox_u32);

WW_FUNCTION(
    ww_philox_double, double, (uint64_t seed, uint64_t stream, uint64_t i),
    { return (double)(ww_philox_u64(seed, stream, i) >> 11) * 1.1102230246251565404e-16; }, ww_philox_u64);

/* Where the numbers of a stream that are rejected are drawn again: block 2^60 + i for number i. */
WW_CONSTANT(WW_PHILOX_AGAIN, uint64_t, 0x1000000000000000u);

/* A whole block is a fraction of 128 bits: floor(fraction * bound), for a bound up to 2^32. */
WW_FUNCTION(
    ww_philox_share, uint32_t, (ww_random_block x, uint64_t bound),
    {
        uint64_t carry = x.word[0] * bound >> 32;
        carry = (x.word[1] * bound + carry) >> 32;
        carry = (x.word[2] * bound + carry) >> 32;
        return (uint32_t)((x.word[3] * bound + carry) >> 32);
    },
    ww_random_block);

/* Lemire's multiplication (2019): the word's product with the bound has the number above, and below a remainder that says
 * whether the word is one of the 2^32 mod bound that are too many. */
WW_FUNCTION(
    ww_philox_below, uint32_t, (uint64_t seed, uint64_t stream, uint64_t i, uint32_t bound),
    {
        const uint64_t product = (uint64_t)ww_philox_u32(seed, stream, i) * bound;
        if ((uint32_t)product >= bound || (uint32_t)product >= (0u - bound) % bound) return (uint32_t)(product >> 32);
        return ww_philox_share(ww_philox(seed, stream, WW_PHILOX_AGAIN + i), bound);
    },
    ww_philox, ww_philox_u32, ww_philox_share, WW_PHILOX_AGAIN);

#endif
