/* The emulator by itself: kernels give right results, are counted exactly, and every planted fault is found, while the same
 * kernel without it runs. Faulty kernels take `right`: with 1 they do what they should. */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/emu/emulator.h"
#include "device/gpu/gpu.h"
#include "support/cases.h"

/* Every kernel here takes this. */
#define ARGUMENTS "struct args { uint32_t *in, *out; uint64_t *words; uint32_t n, right; };\n"
typedef struct args {
    uint32_t *in, *out;
    uint64_t *words;
    uint32_t n, right;
} args;

static const char good_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS
    /* The rank of each odd number among the odd ones of its block, by ballots. */
    "WW_GPU_KERNEL(rank, args, 256) {\n"
    "    struct tile { uint32_t warps[8]; };\n"
    "    WW_SHARED(tile, s);\n"
    "    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;\n"
    "    uint32_t odd = a.in[i] & 1;\n"
    "    uint32_t votes = __ballot_sync(0xFFFFFFFFu, odd);\n"
    "    if (lane == 0) s.warps[warp] = __popc(votes);\n"
    "    __syncthreads();\n"
    "    uint32_t before = __popc(votes & ((1u << lane) - 1));\n"
    "    for (uint32_t w = 0; w < warp; w++) before += s.warps[w];\n"
    "    a.out[i] = odd ? before : 0xFFFFFFFFu;\n"
    "}\n"
    /* Inclusive sums in each block, by shuffles. */
    "WW_GPU_KERNEL(block_scan, args, 1024) {\n"
    "    struct tile { uint32_t warps[32]; };\n"
    "    WW_SHARED(tile, s);\n"
    "    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;\n"
    "    uint32_t sum = a.in[i];\n"
    "    for (uint32_t d = 1; d < 32; d *= 2) {\n"
    "        uint32_t below = __shfl_up_sync(0xFFFFFFFFu, sum, d);\n"
    "        if (lane >= d) sum += below;\n"
    "    }\n"
    "    if (lane == 31) s.warps[warp] = sum;\n"
    "    __syncthreads();\n"
    "    if (warp == 0) {\n"
    "        uint32_t all = lane < blockDim.x / 32 ? s.warps[lane] : 0;\n"
    "        for (uint32_t d = 1; d < 32; d *= 2) {\n"
    "            uint32_t below = __shfl_up_sync(0xFFFFFFFFu, all, d);\n"
    "            if (lane >= d) all += below;\n"
    "        }\n"
    "        s.warps[lane] = all;\n"
    "    }\n"
    "    __syncthreads();\n"
    "    a.out[i] = sum + (warp ? s.warps[warp - 1] : 0);\n"
    "}\n"
    /* Sums over all blocks in one pass: each waits for the one before it. right: the blocks take numbers in the order
     * in which they start; 2: only where they do not start in the order of their numbers. */
    "WW_GPU_KERNEL(chain, args, 256) {\n"
    "    struct tile { uint32_t number; uint64_t before; };\n"
    "    WW_SHARED(tile, s);\n"
    "    const bool ticket = a.right == 2 ? !WW_STARTED_IN_ORDER : a.right;\n"
    "    if (threadIdx.x == 0) s.number = ticket ? atomicAdd(a.out, 1u) : blockIdx.x;\n"
    "    __syncthreads();\n"
    "    uint32_t number = s.number;\n"
    "    if (threadIdx.x == 0) {\n"
    "        uint64_t before = 0;\n"
    "        if (number) while (!((before = ww_load_acquire(a.words + number - 1)) >> 63)) ww_wait_a_moment();\n"
    "        s.before = before & 0xFFFFFFFFu;\n"
    "        ww_store_release(a.words + number, 1ull << 63 | (s.before + a.in[number]));\n"
    "    }\n"
    "    __syncthreads();\n"
    "}\n"
    /* 32 rows of 32 words go through shared memory with their columns exchanged; PAD words at the end of each row. */
    "template <int PAD> WW_DEVICE void exchange(const args &a, uint32_t (&rows)[32][32 + PAD]) {\n"
    "    uint32_t x = threadIdx.x & 31, y = threadIdx.x >> 5;\n"
    "    rows[y][x] = a.in[y * 32 + x];\n"
    "    __syncthreads();\n"
    "    a.out[y * 32 + x] = rows[x][y];\n"
    "}\n"
    "WW_GPU_KERNEL(transpose, args, 1024) {\n"
    "    struct tile { uint32_t rows[32][32]; };\n"
    "    WW_SHARED(tile, s);\n"
    "    exchange<0>(a, s.rows);\n"
    "}\n"
    "WW_GPU_KERNEL(transpose_padded, args, 1024) {\n"
    "    struct tile { uint32_t rows[32][33]; };\n"
    "    WW_SHARED_LARGE(tile, s);\n"
    "    exchange<1>(a, s.rows);\n"
    "}\n"
    /* Each thread copies one word of every n. */
    "WW_GPU_KERNEL(strided, args, 1024) {\n"
    "    a.out[threadIdx.x] = a.in[threadIdx.x * a.n];\n"
    "}\n"
    "WW_GPU_KERNEL(long_loop, args, 64) {\n"
    "    uint32_t sum = 0;\n"
    "    for (uint32_t i = 0; i < a.n; i++) sum += a.in[i * 32 + (threadIdx.x & 31)];\n"
    "    a.out[threadIdx.x] = sum;\n"
    "}\n"
    "WW_GPU_KERNEL(wide, args, 32) {\n"
    "    struct tile { uint4 four[32]; uint64_t two[32]; };\n"
    "    WW_SHARED(tile, s);\n"
    "    uint4 v = reinterpret_cast<const uint4 *>(a.in)[threadIdx.x];\n"
    "    s.four[threadIdx.x] = v;\n"
    "    s.two[threadIdx.x] = (uint64_t)v.x << 32 | v.y;\n"
    "    __syncwarp();\n"
    "    a.out[threadIdx.x] = s.four[threadIdx.x ^ 1].x + (uint32_t)s.two[31 - threadIdx.x];\n"
    "}\n";

static const char words_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS
    /* One bit of out[0] for each word that does not do as it should. */
    "WW_GPU_KERNEL(words, args, 64) {\n"
    "    uint32_t t = threadIdx.x, lane = t & 31, wrong = 0, all = 0xFFFFFFFFu;\n"
    "#define SHOULD(bit, holds) if (!(holds)) wrong |= 1u << bit\n"
    "    SHOULD(0, __shfl_sync(all, (double)lane, 5) == 5.0 && __shfl_sync(all, lane, 3, 8) == (lane & ~7u) + 3);\n"
    "    SHOULD(1, __shfl_down_sync(all, (uint64_t)lane << 40, 2) == (uint64_t)(lane < 30 ? lane + 2 : lane) << 40);\n"
    "    SHOULD(2, __shfl_xor_sync(all, (float)lane, 16) == (float)(lane ^ 16));\n"
    "    SHOULD(3, __shfl_up_sync(all, lane, 1, 4) == (lane & 3 ? lane - 1 : lane));\n"
    "    SHOULD(4, __match_any_sync(all, lane & 3) == 0x11111111u << (lane & 3));\n"
    "    SHOULD(5, __reduce_add_sync(all, lane) == 496 && __reduce_max_sync(all, -(int)lane) == 0);\n"
    "    SHOULD(6, __reduce_or_sync(all, 1u << lane) == all && __reduce_min_sync(all, lane + 3) == 3);\n"
    "    SHOULD(7, __any_sync(all, lane == 9) && !__all_sync(all, lane == 9));\n"
    "    SHOULD(8, __syncthreads_count(t < 40) == 40 && __syncthreads_or(t == 63) && !__syncthreads_and(t != 1));\n"
    "    SHOULD(9, __popcll(~0ull) == 64 && __ffs(8) == 4 && __ffsll(0) == 0 && __clz(1) == 31 && __clzll(0) == 64);\n"
    "    SHOULD(10, __brev(1) == 0x80000000u && __byte_perm(0x33221100u, 0x77665544u, 0x7610) == 0x77661100u);\n"
    "    SHOULD(11, __funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(0, 1, 1) == 0x80000000u);\n"
    "    SHOULD(12, __umulhi(~0u, 2) == 1 && __umul64hi(~0ull, 4) == 3);\n"
    "    if (t < 32) {\n"
    "        SHOULD(13, __ballot_sync(all, lane & 1) == 0xAAAAAAAAu);\n"
    "        if (lane < 8) { SHOULD(14, __ballot_sync(0xFFu, 1) == 0xFFu); }\n"
    "    }\n"
    "    atomicAdd(a.out + 1, 2u);\n"
    "    atomicMax((int *)(a.out + 2), (int)t - 5);\n"
    "    atomicAdd((float *)(a.out + 3), 0.5f);\n"
    "    atomicAdd((unsigned long *)(a.words), 1ul << 33);\n"
    "    atomicCAS(a.out + 4, 7u, t);\n"
    "    __syncthreads();\n"
    "    SHOULD(15, ww_load_relaxed(a.out + 1) == 128 && ww_load_relaxed(a.out + 2) == 58);\n"
    "    SHOULD(16, __ldg((float *)(a.out + 3)) == 32 && __ldcs(a.words) == 128ull << 32 && a.out[4] < 64);\n"
    "    atomicOr_block(a.out, wrong);\n"
    "}\n";

static const char faulty_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS "struct tile { uint32_t word[64]; };\n"
    "#line 100 \"faults.cu\"\n"
    "WW_GPU_KERNEL(unwritten, args, 64) { WW_SHARED(tile, s);\n"
    "    if (threadIdx.x < 32 || a.right) s.word[threadIdx.x] = 1;\n"
    "    __syncthreads();\n"
    "    a.out[threadIdx.x] = s.word[63 - threadIdx.x];\n" /* line 103 */
    "}\n"
    "WW_GPU_KERNEL(beyond_shared, args, 64) { WW_SHARED(tile, s);\n"
    "    s.word[threadIdx.x + (a.right ? 0 : 1)] = 1;\n"
    "}\n"
    "WW_GPU_KERNEL(beyond, args, 64) { a.out[threadIdx.x] = a.in[threadIdx.x + (a.right ? 0 : a.n - 63)]; }\n"
    "WW_GPU_KERNEL(before, args, 64) { a.out[(int)threadIdx.x - (a.right ? 0 : 1)] = 1; }\n"
    "WW_GPU_KERNEL(wild, args, 64) { if (!a.right) *(uint32_t *)64 = 1; }\n"
    "WW_GPU_KERNEL(struct_beyond, args, 64) { struct three { uint32_t x[3]; };\n"
    "    three t = ((three *)a.in)[a.right ? 0 : a.n / 3]; a.out[threadIdx.x] = t.x[0] + t.x[2]; }\n"
    "WW_GPU_KERNEL(closed, args, 64) { a.out[threadIdx.x] = a.in[threadIdx.x + (a.right ? 0 : 1)]; }\n"
    "WW_GPU_KERNEL(misaligned, args, 64) { a.out[threadIdx.x] = *(uint32_t *)((char *)a.in + (a.right ? 0 : 2)); }\n"
    "WW_GPU_KERNEL(branch_barrier, args, 64) { if (threadIdx.x < 40 || a.right) __syncthreads(); }\n"
    "WW_GPU_KERNEL(two_barriers, args, 64) { if (threadIdx.x < 40 || a.right) __syncthreads(); else __syncthreads_or(1); }\n"
    "WW_GPU_KERNEL(early_end, args, 64) { if (threadIdx.x == 50 && !a.right) return; __syncwarp(); }\n"
    "WW_GPU_KERNEL(wrong_mask, args, 64) {\n"
    "    uint32_t low = (threadIdx.x & 31) < 16;\n"
    "    a.out[threadIdx.x] = __ballot_sync(a.right ? 0xFFFFFFFFu : low ? 0xFFFFFFFFu : 0xFFFF0000u, 1); }\n"
    "WW_GPU_KERNEL(not_in_mask, args, 64) { __syncwarp(a.right ? 0xFFFFFFFFu : 0xFFFEu); }\n"
    "WW_GPU_KERNEL(two_operations, args, 64) {\n"
    "    if ((threadIdx.x & 31) < 16 || a.right) a.out[threadIdx.x] = __ballot_sync(0xFFFFFFFFu, 1); else __syncwarp(); }\n"
    "WW_GPU_KERNEL(warp_or_barrier, args, 64) {\n"
    "    if ((threadIdx.x & 31) < 16 || a.right) __syncthreads();\n"
    "    else __syncwarp(); }\n"
    "WW_GPU_KERNEL(lane_left_out, args, 64) {\n"
    "    uint32_t lane = threadIdx.x & 31;\n"
    "    if (lane < 8) a.out[threadIdx.x] = __shfl_sync(0xFFu, lane, a.right ? 3 : 9); }\n"
    "WW_GPU_KERNEL(no_syncwarp, args, 64) { WW_SHARED(tile, s);\n"
    "    s.word[threadIdx.x] = threadIdx.x;\n"
    "    if (a.right) __syncwarp(); else __ballot_sync(0xFFFFFFFFu, 1);\n" /* a vote orders nothing */
    "    a.out[threadIdx.x] = s.word[threadIdx.x ^ 1];\n"
    "}\n"
    "WW_GPU_KERNEL(half_syncwarp, args, 64) { WW_SHARED(tile, s);\n"
    "    uint32_t lane = threadIdx.x & 31;\n"
    "    s.word[threadIdx.x] = threadIdx.x;\n"
    "    __syncwarp(lane < 16 ? 0xFFFFu : 0xFFFF0000u);\n"
    "    a.out[threadIdx.x] = s.word[threadIdx.x ^ (a.right ? 1 : 16)];\n"
    "}\n"
    "WW_GPU_KERNEL(no_barrier, args, 64) { WW_SHARED(tile, s);\n"
    "    s.word[threadIdx.x] = threadIdx.x;\n"
    "    if (a.right) __syncthreads(); else __syncwarp();\n"
    "    a.out[threadIdx.x] = s.word[63 - threadIdx.x];\n"
    "}\n"
    "WW_GPU_KERNEL(write_after_read, args, 64) { WW_SHARED(tile, s);\n"
    "    s.word[threadIdx.x] = threadIdx.x;\n"
    "    __syncthreads();\n"
    "    uint32_t other = s.word[63 - threadIdx.x];\n"
    "    if (a.right) __syncthreads();\n"
    "    s.word[threadIdx.x] = other;\n"
    "}\n"
    "WW_GPU_KERNEL(two_writers, args, 64) { WW_SHARED(tile, s);\n"
    "    if (a.right) { if (threadIdx.x == 0) s.word[0] = 0; __syncthreads(); atomicAdd(&s.word[0], 1u); }\n"
    "    else s.word[0] = 0;\n"
    "}\n"
    "WW_GPU_KERNEL(too_large, args, 64) { struct big { uint32_t w[32]; }; WW_SHARED_LARGE(big, s);\n"
    "    if (threadIdx.x < 32) s.w[threadIdx.x] = 1; }\n"
    /* Block 0 waits for the last block, or the last for block 0. */
    "WW_GPU_KERNEL(later_blocks, args, 64) {\n"
    "    if (blockIdx.x == (a.right ? 0 : gridDim.x - 1)) ww_store_release(a.out, 1u);\n"
    "    if (blockIdx.x == (a.right ? gridDim.x - 1 : 0)) while (!ww_load_acquire(a.out)) ww_wait_a_moment();\n"
    "}\n"
    /* The same by a whole warp, with votes and without a word of waiting. */
    "WW_GPU_KERNEL(later_blocks_vote, args, 64) {\n"
    "    if (blockIdx.x == (a.right ? 0 : gridDim.x - 1)) ww_store_release(a.out, 1u);\n"
    "    if (blockIdx.x == (a.right ? gridDim.x - 1 : 0)) while (!__all_sync(0xFFFFFFFFu, ww_load_acquire(a.out))) {}\n"
    "}\n"
    "WW_GPU_KERNEL(trap, args, 64) { if (!a.right && threadIdx.x == 7) __trap(); }\n";

/* Blocks hand a plain word on under a flag. With right == 0 or 2 the flag is written, or read, without order. */
static const char hand_on_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS "#line 1 \"hand_on.cu\"\n"
    "WW_GPU_KERNEL(hand_on, args, 32) {\n"
    "    struct tile { uint32_t sum; };\n"
    "    WW_SHARED(tile, s);\n"
    "    uint32_t b = blockIdx.x;\n"
    "    if (threadIdx.x == 0) {\n"
    "        const uint64_t *before = a.words + b - 1;\n"
    "        while (b && !(a.right == 2 ? ww_load_relaxed(before) : ww_load_acquire(before))) ww_wait_a_moment();\n"
    "        s.sum = (b ? a.out[b - 1] : 0) + 1;\n"
    "    }\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 31) {\n"
    "        a.out[b] = s.sum;\n"
    "        if (a.right) ww_store_release(a.words + b, 1ull); else ww_store_relaxed(a.words + b, 1ull);\n"
    "    }\n"
    "}\n";

/* Accesses of global memory that nothing orders, unless right; in the second text something nearly does. 20 blocks; out and
 * words are 0 before. */
static const char unordered_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS "#line 100 \"unordered.cu\"\n"
    "WW_GPU_KERNEL(plain_add, args, 64) {\n"
    "    if (threadIdx.x == 0) { if (a.right) atomicAdd(a.out, 1u); else a.out[0]++; } }\n" /* line 101 */
    "WW_GPU_KERNEL(plain_lowest, args, 64) {\n"
    "    const uint64_t x = 1000 - blockIdx.x;\n"
    "    if (threadIdx.x == 5) { if (a.right) atomicMax(a.words, x); else if (a.words[0] < x) a.words[0] = x; } }\n"
    "WW_GPU_KERNEL(plain_claim, args, 64) {\n"
    "    if (threadIdx.x != 9) return;\n"
    "    if (a.right) atomicCAS(a.out, 0u, blockIdx.x + 1);\n"
    "    else if (!ww_load_relaxed(a.out)) a.out[0] = blockIdx.x + 1; }\n"
    "WW_GPU_KERNEL(plain_read, args, 64) {\n"
    "    if (threadIdx.x == 0) atomicOr(a.out, 1u << blockIdx.x);\n"
    "    if (threadIdx.x == 1) a.in[blockIdx.x] = a.right ? ww_load_relaxed(a.out) : a.out[0]; }\n"
    "WW_GPU_KERNEL(plain_store, args, 64) {\n"
    "    if (threadIdx.x == 0) { if (a.right) ww_store_relaxed(a.out, 7u); else a.out[0] = 7; } }\n"
    "WW_GPU_KERNEL(any_beside_plain, args, 64) {\n"
    "    struct four { uint32_t x[4]; };\n"
    "    const four ours = {{blockIdx.x, 1, 2, 3}};\n"
    "    if (threadIdx.x) return;\n"
    "    ww_store_any(reinterpret_cast<four *>(a.out), ours);\n"
    "    if (!a.right && blockIdx.x == 2) a.out[3] = 3; }\n"
    "WW_GPU_KERNEL(atomic_after_read, args, 64) {\n"
    "    if (threadIdx.x) return;\n"
    "    if (blockIdx.x == 3) atomicAdd(a.out, 1u);\n"
    "    else a.in[blockIdx.x] = a.right ? ww_load_relaxed(a.out) : a.out[0]; }\n"
    "WW_GPU_KERNEL(byte_of_another, args, 64) {\n"
    "    if (threadIdx.x == 0) reinterpret_cast<uint8_t *>(a.out)[blockIdx.x - (blockIdx.x == 9 && !a.right)] = 1; }\n"
    "WW_GPU_KERNEL(half_of_another, args, 64) {\n"
    "    if (threadIdx.x == 0) reinterpret_cast<uint16_t *>(a.out)[blockIdx.x] = 1;\n"
    "    if (threadIdx.x == 0 && blockIdx.x == 9 && !a.right) a.out[2] = 1; }\n"
    "WW_GPU_KERNEL(lanes_of_a_block, args, 64) {\n"
    "    a.out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;\n"
    "    if (a.right) __syncthreads(); else __syncwarp();\n"
    "    a.in[blockIdx.x * 64 + threadIdx.x] = a.out[blockIdx.x * 64 + 63 - threadIdx.x]; }\n"
    "WW_GPU_KERNEL(lanes_of_a_warp, args, 64) {\n"
    "    a.out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;\n"
    "    if (a.right) __syncwarp(); else __ballot_sync(0xFFFFFFFFu, 1);\n"
    "    a.in[blockIdx.x * 64 + threadIdx.x] = a.out[blockIdx.x * 64 + (threadIdx.x ^ 1)]; }\n";

static const char handed_on_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS "#line 200 \"unordered.cu\"\n"
    /* Each thread leaves a word; the block that comes last reads them all. */
    "struct last_of { uint32_t last; };\n"
    "WW_DEVICE void leave(const args &a) { a.out[64 + blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }\n"
    "WW_DEVICE void gather(const args &a, uint32_t last) {\n"
    "    if (last != gridDim.x - 1) return;\n"
    "    uint32_t sum = 0;\n"
    "    for (uint32_t b = 0; b < gridDim.x; b++) sum += a.out[64 + b * 64 + threadIdx.x];\n"
    "    a.in[threadIdx.x] = sum; }\n"
    "WW_GPU_KERNEL(last_relaxed, args, 64) { WW_SHARED(last_of, s);\n"
    "    leave(a);\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) s.last = a.right ? ww_add_acq_rel(a.out, 1) : atomicAdd(a.out, 1u);\n"
    "    __syncthreads();\n"
    "    gather(a, s.last); }\n"
    "WW_GPU_KERNEL(last_no_barrier, args, 64) { WW_SHARED(last_of, s);\n"
    "    leave(a);\n"
    "    if (a.right) __syncthreads(); else __syncwarp();\n"
    "    if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.out, 1);\n"
    "    __syncthreads();\n"
    "    gather(a, s.last); }\n"
    "WW_GPU_KERNEL(last_no_fence_before, args, 64) { WW_SHARED(last_of, s);\n"
    "    leave(a);\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0 && a.right) __threadfence();\n"
    "    if (threadIdx.x == 0) s.last = atomicAdd(a.out, 1u);\n"
    "    if (threadIdx.x == 0) __threadfence();\n"
    "    __syncthreads();\n"
    "    gather(a, s.last); }\n"
    "WW_GPU_KERNEL(last_no_fence_behind, args, 64) { WW_SHARED(last_of, s);\n"
    "    leave(a);\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) __threadfence();\n"
    "    if (threadIdx.x == 0) s.last = atomicAdd(a.out, 1u);\n"
    "    if (threadIdx.x == 0 && a.right) __threadfence();\n"
    "    __syncthreads();\n"
    "    gather(a, s.last); }\n"
    /* What a block wrote since it released is not released. */
    "WW_GPU_KERNEL(release_too_early, args, 64) {\n"
    "    if (threadIdx.x) return;\n"
    "    uint32_t *const mine = a.out + 64 + blockIdx.x;\n"
    "    if (a.right) *mine = blockIdx.x;\n"
    "    ww_store_release(a.words + blockIdx.x, 1ull);\n"
    "    if (!a.right) *mine = blockIdx.x;\n"
    "    if (blockIdx.x && ww_load_acquire(a.words + blockIdx.x - 1)) a.in[blockIdx.x] = mine[-1]; }\n"
    /* A lock: who has it adds without an atomic operation. With right == 0 it is taken without a fence. */
    "WW_GPU_KERNEL(lock, args, 64) {\n"
    "    if (threadIdx.x) return;\n"
    "    while (atomicCAS(a.out, 0u, 1u)) ww_wait_a_moment();\n"
    "    if (a.right) __threadfence();\n"
    "    a.out[1]++;\n"
    "    __threadfence();\n"
    "    atomicExch(a.out, 0u); }\n"
    /* Order is handed on from block to block: the last one has heard of what the first one wrote. */
    "WW_GPU_KERNEL(far, args, 32) {\n"
    "    if (threadIdx.x) return;\n"
    "    const uint32_t b = atomicAdd(a.out, 1u);\n"
    "    if (b == 0) a.out[64] = 5;\n"
    "    const uint64_t *before = a.words + b - 1;\n"
    "    while (b && !(a.right || b != 2 ? ww_load_acquire(before) : ww_load_relaxed(before))) ww_wait_a_moment();\n"
    "    if (b == gridDim.x - 1) a.out[65] = a.out[64];\n"
    "    ww_store_release(a.words + b, 1ull); }\n";

/* How blocks are run. out[0], out[1]: tickets of the beginning and of the end; out[2]: the deepest look-back; out[3]: how
 * often one waited; out[4]: whether blocks start in the order of their numbers; out + 64: blocks in the order in which they
 * began, out + 1024: in which they ended. */
static const char order_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS "WW_GPU_KERNEL(sums, args, 64) {\n"
    "    struct tile { uint32_t begun, ended; uint64_t before; };\n"
    "    WW_SHARED(tile, s);\n"
    "    if (threadIdx.x == 0) s.begun = atomicAdd(a.out, 1u);\n"
    "    __syncthreads();\n"
    "    const uint32_t tile = WW_STARTED_IN_ORDER ? blockIdx.x : s.begun;\n"
    "    if (threadIdx.x == 0) {\n"
    "        a.out[64 + s.begun] = blockIdx.x;\n"
    "        if (blockIdx.x == 0) a.out[4] = WW_STARTED_IN_ORDER;\n"
    "        ww_store_relaxed(a.words + tile, uint64_t(a.in[tile]) << 2 | 1);\n"
    "        uint64_t before = 0, word = 0;\n"
    "        uint32_t deep = 0, waits = 0;\n"
    "        for (uint32_t at = tile; at && (word & 3) != 2; at--, deep++) {\n"
    "            while (!((word = ww_load_relaxed(a.words + at - 1)) & 3)) { waits++; ww_wait_a_moment(); }\n"
    "            before += word >> 2;\n"
    "        }\n"
    "        ww_store_relaxed(a.words + tile, before + a.in[tile] << 2 | 2);\n"
    "        atomicMax(a.out + 2, deep);\n"
    "        atomicAdd(a.out + 3, waits);\n"
    "        s.ended = atomicAdd(a.out + 1, 1u);\n"
    "        a.out[1024 + s.ended] = blockIdx.x;\n"
    "    }\n"
    "}\n";

/* ---- the library beside this program's folder ---- */

static void *library;
static void (*read_counters)(const ww__driver *, struct ww__counters *);
static void (*poison)(ww__driver *, const void *, size_t, int);

static ww__driver *open_emulator(const char *options) {
    char why[256] = "";
    ww_status status;
    ww__driver_open *open;
    *(void **)&open = dlsym(library, WW__EMULATOR_OPEN);
    ww__driver *d = open(options, &status, why, sizeof why);
    if (!d) fail_msg("%s", why);
    return d;
}

static bool thread_sanitizer(void) { return dlsym(RTLD_DEFAULT, "__tsan_init") != NULL; }

/* Options with which the emulator checks and counts accesses: under the thread sanitizer these would be for that one. */
static const char *checked(const char *options) {
    static char both[128];
    if (!thread_sanitizer()) return options;
    snprintf(both, sizeof both, "tsan=0%s%s", *options ? "," : "", options);
    return both;
}

static bool find_library(void) {
    char path[4096];
    const char *named = getenv("WARPWISE_EMULATOR");
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    path[n > 0 ? n : 0] = 0;
    for (int up = 0; up < 2; up++)
        if (strrchr(path, '/')) *strrchr(path, '/') = 0;
    strcat(path, "/libwarpwise-emu.so");
    library = dlopen(named ? named : path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    setenv("WARPWISE_EMULATOR", path, 0); /* for ww_open */
    *(void **)&read_counters = dlsym(library, "ww__emulator_counters");
    *(void **)&poison = dlsym(library, "ww__emulator_poison");
    return true;
}

/* ---- a program on an open driver, with arrays ---- */

typedef struct bench {
    ww__driver *driver;
    void *program;
    args a;
} bench;

enum { MOST = 65536 };

static bench bench_open(const char *options, const char *text) {
    bench b = {.driver = open_emulator(options)};
    ww__code code;
    if (b.driver->compile(b.driver, text, NULL, &code)) fail_msg("%s", b.driver->why);
    if (b.driver->load(b.driver, &code, &b.program)) fail_msg("%s", b.driver->why);
    free(code.bytes);
    void *block;
    assert_int_equal(b.driver->allocate(b.driver, MOST * 4, &block), WW_OK);
    b.a.in = block;
    assert_int_equal(b.driver->allocate(b.driver, MOST * 4, &block), WW_OK);
    b.a.out = block;
    assert_int_equal(b.driver->allocate(b.driver, MOST * 8, &block), WW_OK);
    b.a.words = block;
    for (uint32_t i = 0; i < MOST; i++) b.a.in[i] = i * 2654435761u >> 7;
    b.a.n = MOST;
    b.a.right = 1;
    return b;
}

static void bench_close(bench *b) {
    b->driver->release(b->driver, b->a.in);
    b->driver->unload(b->driver, b->program);
    b->driver->close(b->driver);
}

static ww_status launch(bench *b, const char *name, uint64_t blocks, uint32_t threads, size_t shared) {
    void *kernel;
    if (b->driver->find(b->driver, b->program, name, &kernel)) fail_msg("%s", b->driver->why);
    memset(b->a.words, 0, MOST * 8);
    return b->driver->launch(b->driver, kernel, blocks, threads, shared, &b->a, sizeof b->a, false);
}

static void launch_well(bench *b, const char *name, uint64_t blocks, uint32_t threads, size_t shared) {
    if (launch(b, name, blocks, threads, shared)) fail_msg("%s", b->driver->why);
}

static const char *const settings[] = {"", "seed=7", "threads=2", "threads=2,seed=1"};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* ---- results ---- */

static void check_rank(bench *b) {
    for (uint32_t i = 0, rank = 0; i < MOST; i++) {
        if (i % 256 == 0) rank = 0;
        assert_int_equal(b->a.out[i], b->a.in[i] & 1 ? rank++ : UINT32_MAX);
    }
}

static void check_scan(bench *b) {
    for (uint32_t i = 0, sum = 0; i < MOST; i++) {
        sum = i % 1024 ? sum + b->a.in[i] : b->a.in[i];
        assert_int_equal(b->a.out[i], sum);
    }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void results(void **state) {
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        bench b = bench_open(settings[s], good_text);
        double start = seconds();
        launch_well(&b, "rank", MOST / 256, 256, 0);
        check_rank(&b);
        launch_well(&b, "block_scan", MOST / 1024, 1024, 0);
        check_scan(&b);
        printf("%-20s 2 × %d GPU threads in %.2f s\n", settings[s], MOST, seconds() - start);

        b.a.out[0] = 0;
        launch_well(&b, "chain", 200, 64, 0);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < 200; i++) {
            sum = (sum + b.a.in[i]) & UINT32_MAX;
            assert_true((b.a.words[i] & UINT32_MAX) == sum);
        }
        for (uint32_t launches = 0; launches < 10; launches++) {
            b.a.out[0] = 0;
            b.a.right = 2;
            launch_well(&b, "chain", 200, 64, 0);
            for (uint32_t i = 0; i < 200; i++) assert_true(b.a.words[i] >> 63);
            assert_true((b.a.words[199] & UINT32_MAX) == sum);
        }
        bench_close(&b);
    }
}

static void words(void **state) {
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        bench b = bench_open(settings[s], words_text);
        memset(b.a.out, 0, MOST * 4);
        b.a.out[4] = 7;
        launch_well(&b, "words", 1, 64, 0);
        assert_int_equal(b.a.out[0], 0);
        bench_close(&b);
    }
}

/* ---- counters ---- */

static void expect_counters(bench *b, const char *what, uint64_t accesses, uint64_t sectors, uint64_t shared,
                            uint64_t conflicts, uint64_t operations) {
    struct ww__counters c;
    read_counters(b->driver, &c);
    if (c.warp_accesses != accesses || c.sectors != sectors || c.shared_accesses != shared ||
        c.bank_conflicts != conflicts || c.warp_operations != operations)
        fail_msg("%s: accesses %d, sectors %d, shared accesses %d, conflicts %d, operations %d", what,
                 (int)c.warp_accesses, (int)c.sectors, (int)c.shared_accesses, (int)c.bank_conflicts,
                 (int)c.warp_operations);
}

static void counted(void **state) {
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        bench b = bench_open(checked(settings[s]), good_text);
        launch_well(&b, "transpose", 1, 1024, 0);
        for (uint32_t i = 0; i < 1024; i++) assert_int_equal(b.a.out[i], b.a.in[i % 32 * 32 + i / 32]);
        /* 32 warps read 4 sectors and write 4; each row is written at once, each column takes 32 passes. */
        expect_counters(&b, "transpose", 64, 256, 64, 32 * 31, 0);
        launch_well(&b, "transpose_padded", 1, 1024, 32 * 33 * 4);
        for (uint32_t i = 0; i < 1024; i++) assert_int_equal(b.a.out[i], b.a.in[i % 32 * 32 + i / 32]);
        expect_counters(&b, "transpose_padded", 64, 256, 64, 0, 0);
        const uint32_t strides[] = {1, 2, 3, 8, 32};
        for (size_t i = 0; i < 5; i++) {
            b.a.n = strides[i];
            launch_well(&b, "strided", 1, 1024, 0);
            expect_counters(&b, "strided", 64, 32 * (4 + (strides[i] < 8 ? 4 * strides[i] : 32)), 0, 0, 0);
        }
        b.a.n = 2000;
        launch_well(&b, "long_loop", 1, 64, 0);
        expect_counters(&b, "long_loop", 2 * 2001, 2 * 2001 * 4, 0, 0, 0);
        launch_well(&b, "wide", 1, 32, 0);
        if (!strstr(b.driver->compiler, "clang"))            /* which takes structs apart */
            expect_counters(&b, "wide", 2, 16 + 4, 4, 3, 1); /* .x of every uint4: 4 words in each of 8 banks */
        launch_well(&b, "block_scan", 2, 1024, 0);
        expect_counters(&b, "block_scan", 128, 512, 2 * (32 + 1 + 1 + 31), 0, 2 * (32 + 1) * 5);
        bench_close(&b);
    }
}

/* ---- faults ---- */

static void faults(void **state) {
    (void)state;
    const struct {
        const char *kernel, *says, *also;
        uint32_t threads, right_shared;
    } all[] = {
        {"unwritten", "which nobody wrote", "faults.cu:103", 64, 0},
        {"beyond_shared", "outside of what the kernel asked for", "thread 63", 64, 0},
        {"beyond", "0 beyond the end of a block of 262144", "thread 63", 64, 0},
        {"before", "4 before the start of a block", "thread 0", 64, 0},
        {"wild", "outside of all memory of the device", "0x40", 64, 0},
        {"struct_beyond", "reads", "the end of a block", 64, 0},
        {"closed", "in an inaccessible part", "thread 63", 64, 0},
        {"misaligned", "not a multiple", "thread 0", 64, 0},
        {"branch_barrier", "__syncthreads", "thread", 64, 0},
        {"two_barriers", "reaches __syncthreads", "while others wait at __syncthreads", 64, 0},
        {"early_end", "end", "__syncwarp", 64, 0},
        {"wrong_mask", "with the mask 0xffff", "lane", 64, 0},
        {"not_in_mask", "in which it is not", "0xfffe", 64, 0},
        {"two_operations", "__syncwarp", "a vote", 64, 0},
        {"warp_or_barrier", "waits at", "for ever", 64, 0},
        {"lane_left_out", "from lane 9", "not in the mask 0xff", 64, 0},
        {"no_syncwarp", "with no barrier between them", "reads byte", 64, 0},
        {"half_syncwarp", "with no barrier between them", "reads byte", 64, 0},
        {"no_barrier", "with no barrier between them", "shared memory", 64, 0},
        {"write_after_read", "with no barrier between them", "byte", 64, 0},
        {"two_writers", "with no barrier between them", "wrote", 64, 0},
        {"too_large", "large shared memory", "the launch gave 0", 64, 128},
        {"later_blocks", "blocks wait for later blocks", "block", 64, 0},
        {"later_blocks_vote", "blocks wait for later blocks", "block", 64, 0},
        {"trap", "came to a trap", "thread 7", 64, 0},
    };
    for (size_t s = 0; s < SETTINGS; s++) {
        bench b = bench_open(checked(settings[s]), faulty_text);
        bool in_order = strchr(settings[s], 'd') == NULL;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            bool waits = strncmp(all[i].kernel, "later", 5) == 0;
            if (waits && strstr(settings[s], "seed")) continue; /* which block is late depends on the order */
            uint64_t blocks = waits ? 20 : 1;
            if (!strcmp(all[i].kernel, "closed")) poison(b.driver, b.a.in + 64, 16, 1);
            for (uint32_t right = 0; right < 2; right++) {
                b.a.right = right;
                b.a.out[0] = 0;
                ww_status status = launch(&b, all[i].kernel, blocks, all[i].threads, right ? all[i].right_shared : 0);
                const char *why = b.driver->why;
                if (right && status) fail_msg("%s, %s, corrected: %s", all[i].kernel, settings[s], why);
                if (right) continue;
                if (status != WW_LOST) fail_msg("%s, %s: the fault is not found", all[i].kernel, settings[s]);
                /* In a random order what is not waited for may not even be written. */
                const bool found = strstr(why, all[i].says) || (!in_order && strstr(why, "nobody wrote"));
                if (!found || !strstr(why, all[i].kernel) || (in_order && !strstr(why, all[i].also)))
                    fail_msg("%s, %s: %s", all[i].kernel, settings[s], why);
                if (s == 0) printf("    %s\n", why);
            }
            poison(b.driver, b.a.in + 64, 16, 0);
        }
        bench_close(&b);
    }
    /* A chain by blocks' own numbers stops, too, where they are in a random order; by numbers taken then it does not
     * (results). */
    bench b = bench_open(checked("seed=3"), good_text);
    b.a.right = 0;
    uint32_t stopped = 0;
    for (uint32_t launches = 0; launches < 20; launches++) {
        ww_status status = launch(&b, "chain", 200, 64, 0);
        if (!status) continue;
        stopped++;
        assert_int_equal(status, WW_LOST);
        assert_non_null(strstr(b.driver->why, "blocks wait for later blocks"));
    }
    assert_true(stopped > 0 && stopped < 20);
    bench_close(&b);
}

/* ---- races in global memory ---- */

static void unordered(void **state) {
    (void)state;
    const struct {
        const char *kernel, *says, *did;
    } all[] = {
        {"plain_add", "byte 0 of a block of 262144", "wrote"},
        {"plain_lowest", "byte 0 of a block of 524288", "wrote"},
        {"plain_claim", "byte 0 of a block", "wrote"},
        {"plain_read", "byte 0 of a block", "an atomic operation"},
        {"plain_store", "writes byte 0 of a block", "wrote"},
        {"any_beside_plain", "byte 12 of a block", NULL},
        {"atomic_after_read", "byte 0 of a block", NULL}, /* either may come first */
        {"byte_of_another", "writes byte 8 of a block", "wrote"},
        {"half_of_another", "global memory", "wrote"},
        {"lanes_of_a_block", "byte", NULL}, /* in a random order one warp may be done before the other begins */
        {"lanes_of_a_warp", "reads byte", "wrote"},
        /* of the second text */
        {"last_relaxed", "reads byte", "wrote"},
        {"last_no_barrier", "reads byte", "wrote"},
        {"last_no_fence_before", "reads byte", "wrote"},
        {"last_no_fence_behind", "reads byte", "wrote"},
        {"release_too_early", "byte", NULL},
        {"lock", "byte 4 of a block", "wrote"},
        {"far", "reads byte 256 of a block", "wrote"},
    };
    for (size_t s = 0; s < SETTINGS; s++) {
        bench b = bench_open(checked(settings[s]), unordered_text);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            if (!strcmp(all[i].kernel, "last_relaxed")) {
                bench_close(&b);
                b = bench_open(checked(settings[s]), handed_on_text);
            }
            /* In a random order what waits for nobody may find nothing to read. */
            const bool sure = strcmp(all[i].kernel, "release_too_early") != 0;
            for (uint32_t right = 0; right < 2; right++) {
                uint32_t found = 0;
                for (uint32_t launches = 0; launches < 5; launches++) {
                    b.a.right = right;
                    memset(b.a.out, 0, MOST * 4);
                    ww_status status = launch(&b, all[i].kernel, 20, strcmp(all[i].kernel, "far") ? 64 : 32, 0);
                    const char *why = b.driver->why;
                    if (right && status) fail_msg("%s, %s, corrected: %s", all[i].kernel, settings[s], why);
                    if (right || !status) continue;
                    found++;
                    if (!strstr(why, "with no order between them") || !strstr(why, all[i].says) ||
                        (all[i].did && !strstr(why, all[i].did)) || !strstr(why, "(unordered.cu:") ||
                        !strstr(why, "; the other: unordered.cu:"))
                        fail_msg("%s, %s: %s", all[i].kernel, settings[s], why);
                    if (s == 0 && launches == 0) printf("    %s\n", why);
                }
                if (!right && found < (sure ? 5 : 1))
                    fail_msg("%s, %s: the fault is not found", all[i].kernel, settings[s]);
            }
        }
        bench_close(&b);
    }
    /* Words handed on from block to block, as the thread sanitizer judges them (orders). */
    bench b = bench_open(checked("threads=2"), hand_on_text);
    for (uint32_t right = 0; right < 3; right++) {
        b.a.right = right;
        ww_status status = launch(&b, "hand_on", 3000, 32, 0);
        assert_int_equal(status, right == 1 ? WW_OK : WW_LOST);
        if (right != 1) assert_non_null(strstr(b.driver->why, "with no order between them (hand_on.cu:"));
        if (right == 1) assert_int_equal(b.a.out[2999], 3000);
    }
    bench_close(&b);
}

/* ---- blocks in any order ---- */

enum { ORDERED = 200 };

/* A launch of `sums` of so many blocks, checked. */
static void launch_sums(bench *b) {
    memset(b->a.out, 0, MOST * 4);
    launch_well(b, "sums", ORDERED, 64, 0);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ORDERED; i++) {
        sum += b->a.in[i];
        assert_true(b->a.words[i] == (sum << 2 | 2));
    }
    assert_true(b->a.out[0] == ORDERED && b->a.out[1] == ORDERED);
}

/* How many blocks ended before one that began 8 or more earlier. */
static uint32_t overtaken(const bench *b) {
    uint32_t ended[ORDERED], many = 0;
    for (uint32_t i = 0; i < ORDERED; i++) ended[b->a.out[1024 + i]] = i;
    for (uint32_t i = 8; i < ORDERED; i++)
        for (uint32_t j = 0; j + 8 <= i; j++)
            if (ended[b->a.out[64 + i]] < ended[b->a.out[64 + j]]) {
                many++;
                break;
            }
    return many;
}

static void any_order(void **state) {
    (void)state;
    enum { LAUNCHES = 20 };
    const char *const seeds[] = {"seed=1", "threads=2,seed=1", "threads=2,seed=2",
                                 "threads=2,seed=18446744073709551615"};
    for (size_t s = 0; s < 4; s++) {
        static uint32_t first[LAUNCHES][2048];
        uint32_t in_order = 0, deep = 0, waits = 0, passed = 0, different = 0;
        for (int again = 0; again < 2; again++) {
            bench b = bench_open(checked(seeds[s]), order_text);
            for (uint32_t l = 0; l < LAUNCHES; l++) {
                launch_sums(&b);
                if (again)
                    assert_memory_equal(first[l], b.a.out, sizeof first[l]); /* all that ran, ran in the same order */
                if (again) continue;
                memcpy(first[l], b.a.out, sizeof first[l]);
                in_order += b.a.out[4];
                deep += b.a.out[2] > 3;
                waits += b.a.out[3] > 0;
                passed += overtaken(&b) > 0;
                different += l && memcmp(first[l] + 64, first[l - 1] + 64, ORDERED * 4) != 0;
            }
            bench_close(&b);
        }
        printf("%-38s of %d launches %2u in order, %2u looked deeper than 3 tiles, %2u waited, %2u overtook by 8\n",
               seeds[s], LAUNCHES, in_order, deep, waits, passed);
        assert_true(in_order > 2 && in_order < LAUNCHES - 2);
        assert_true(deep > LAUNCHES / 2 && waits > LAUNCHES / 2 && passed > LAUNCHES / 2);
        assert_int_equal(different, LAUNCHES - 1);
    }
    /* Without a seed they start and end in order, and are not told of it. */
    bench b = bench_open(checked("threads=2"), order_text);
    launch_sums(&b);
    for (uint32_t i = 0; i < ORDERED; i++) assert_int_equal(b.a.out[64 + i], i);
    assert_true(b.a.out[4] == 0 && b.a.out[2] <= 1 && overtaken(&b) == 0);
    bench_close(&b);
}

/* ---- the driver's table ---- */

static void mistakes(void **state) {
    (void)state;
    ww__driver *d = open_emulator("");
    ww__code code;
    void *program = NULL, *kernel = NULL;
    const ww__header headers[] = {
        {"mine/half.cuh", "#line 40 \"half.h\"\nWW_INLINE uint32_t half(uint32_t x) { return x / two; }\n"},
        {NULL, NULL}};
    const char *text = "#include \"device/emu/words.h\"\n#include \"mine/half.cuh\"\n";
    assert_int_equal(d->compile(d, text, headers, &code), WW_COMPILE);
    if (!strstr(d->why, "half.h:40") || !strstr(d->why, "two")) fail_msg("%s", d->why);
    const ww__header outside[] = {{"../half.cuh", ""}, {NULL, NULL}};
    assert_int_not_equal(d->compile(d, text, outside, &code), WW_OK);

    setenv("WARPWISE_EMU_CXX", "no-such-compiler", 1);
    assert_int_equal(d->compile(d, text, NULL, &code), WW_COMPILE);
    assert_non_null(strstr(d->why, "no-such-compiler"));
    unsetenv("WARPWISE_EMU_CXX");

    const ww__code junk = {(void *)"junk", 4};
    assert_int_not_equal(d->load(d, &junk, &program), WW_OK);
    assert_int_equal(d->compile(d, good_text, NULL, &code), WW_OK);
    assert_int_equal(d->load(d, &code, &program), WW_OK);
    free(code.bytes);
    assert_int_equal(d->find(d, program, "no_such_kernel", &kernel), WW_COMPILE);
    assert_non_null(strstr(d->why, "no_such_kernel"));
    assert_int_equal(d->find(d, program, "rank", &kernel), WW_OK);
    args a = {0};
    assert_int_equal(d->launch(d, kernel, 1, 512, 0, &a, sizeof a, false), WW_INVALID); /* more than the kernel says */
    assert_int_equal(d->launch(d, kernel, 1, 256, 0, &a, 8, false), WW_INVALID);
    assert_int_equal(d->launch(d, kernel, 0, 256, 0, &a, sizeof a, false), WW_OK);
    d->close(d);

    const char *const bad[] = {"threads=0", "threads=x", "seed=", "speed=3", "threads", "tsan=2", "tiles=large"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[256] = "";
        ww_status status = WW_OK;
        ww__driver_open *open;
        *(void **)&open = dlsym(library, WW__EMULATOR_OPEN);
        assert_null(open(bad[i], &status, why, sizeof why));
        assert_int_equal(status, WW_INVALID);
        assert_true(strlen(why) > 5);
    }
}

static void memory(void **state) {
    (void)state;
    ww__driver *d = open_emulator("");
    void *block, *host;
    uint32_t mine[4] = {1, 2, 3, 4}, back[4] = {0};
    assert_int_equal(d->allocate(d, 16, &block), WW_OK);
    assert_int_equal(d->allocate_host(d, 16, &host), WW_OK);
    assert_int_equal((uintptr_t)block % 256, 0);
    assert_int_equal(d->place(d, block), WW__PLACE_DEVICE);
    assert_int_equal(d->place(d, (char *)block + 15), WW__PLACE_DEVICE);
    assert_int_equal(d->place(d, (char *)block + 16), WW__PLACE_UNREACHABLE);
    assert_int_equal(d->place(d, host), WW__PLACE_HOST);
    assert_int_equal(d->place(d, mine), WW__PLACE_UNREACHABLE);
    assert_int_equal(d->copy(d, block, mine, 16), WW_OK);
    assert_int_equal(d->fill(d, block, 0xFF, 4), WW_OK);
    assert_int_equal(d->copy(d, back, block, 16), WW_OK);
    assert_true(back[0] == UINT32_MAX && back[3] == 4);
    assert_int_equal(d->copy(d, (char *)block + 8, mine, 16), WW_LOST);
    assert_int_equal(d->fill(d, block, 0, 17), WW_LOST);
    assert_int_equal(d->allocate(d, SIZE_MAX - 100, &block), WW_MEMORY);
    assert_int_equal(d->sync(d), WW_OK);
    d->close(d);
}

/* ---- memory of the library's handles: each piece of it by itself ---- */

static const char touch_text[] =
    "#include \"device/emu/words.h\"\n" ARGUMENTS "WW_GPU_KERNEL(write_word, args, 1) { a.out[a.n] = 1; }\n"
    "WW_GPU_KERNEL(read_word, args, 1) { a.in[0] = a.out[a.n]; }\n"
    "WW_GPU_KERNEL(write_byte, args, 1) { reinterpret_cast<uint8_t *>(a.out)[a.n] = 1; }\n"
    "WW_GPU_KERNEL(write_long, args, 1) { reinterpret_cast<uint64_t *>(a.out)[a.n] = 1; }\n"
    "WW_GPU_KERNEL(add_to_word, args, 1) { atomicAdd(a.out + a.n, 1u); }\n"
    "WW_GPU_KERNEL(add_to_long, args, 1) { atomicAdd(reinterpret_cast<uint64_t *>(a.out) + a.n, uint64_t(1)); }\n";

WW_STRUCT(stored, {
    uint32_t *words;
    uint64_t first;
});
WW_KERNEL(store_ones, stored, s, rank, { s->words[s->first + rank] = 1; });

/* A handle on the emulator, and the kernels above on its driver. */
static bench handle_open(ww_device **device) {
    if (ww_open(thread_sanitizer() ? "emu:tsan=0" : "emu", device)) fail_msg("%s", ww_error(*device));
    bench b = {.driver = (*device)->gpu->driver};
    ww__code code;
    if (b.driver->compile(b.driver, touch_text, NULL, &code)) fail_msg("%s", b.driver->why);
    if (b.driver->load(b.driver, &code, &b.program)) fail_msg("%s", b.driver->why);
    free(code.bytes);
    assert_int_equal(b.driver->allocate(b.driver, 4, (void **)&b.a.in), WW_OK);
    return b;
}

static void handle_close(bench *b, ww_device *device) {
    b->driver->release(b->driver, b->a.in);
    b->driver->unload(b->driver, b->program);
    ww_close(device);
}

/* says: NULL when nothing may be found. */
static void expect_touch(bench *b, const char *name, void *piece, uint32_t at, const char *says) {
    void *kernel;
    if (b->driver->find(b->driver, b->program, name, &kernel)) fail_msg("%s", b->driver->why);
    b->a.out = piece;
    b->a.n = at;
    const ww_status status = b->driver->launch(b->driver, kernel, 1, 1, 0, &b->a, sizeof b->a, false);
    if (!says && status) fail_msg("%s at %u: %s", name, at, b->driver->why);
    if (says && status != WW_LOST) fail_msg("%s at %u: not found; should be: %s", name, at, says);
    if (says && !strstr(b->driver->why, says)) fail_msg("%s at %u: %s; should be: %s", name, at, b->driver->why, says);
}

static void take(ww_device *device, size_t bytes, void **piece) {
    if (ww__scratch(device, bytes, piece)) fail_msg("%s", ww_error(device));
}

static void scratch_pieces(void **state) {
    (void)state;
    ww_device *device;
    bench b = handle_open(&device);
    ww__driver *d = b.driver;
    unsigned char bytes[200] = {0};
    void *hundred, *five, *last;
    assert_int_equal(ww_scratch_limit(device, 128 + 64 + 256), WW_OK); /* zones do not count */
    for (int call = 0; call < 3; call++) {                             /* the first in several blocks, then in one */
        assert_int_equal(ww__enter(device, "pieces"), WW_OK);
        take(device, 100, &hundred);
        take(device, 5, &five);
        take(device, 256, &last);
        assert_true((uintptr_t)hundred % 64 == 0 && (uintptr_t)five % 64 == 0 && (uintptr_t)last % 64 == 0);

        expect_touch(&b, "write_word", hundred, 24, NULL);
        expect_touch(&b, "write_word", hundred, 25,
                     "writes 4 bytes of global memory, 0 beyond the end of a piece of 100, in a");
        expect_touch(&b, "read_word", hundred, 26,
                     "reads 4 bytes of global memory, 4 beyond the end of a piece of 100");
        expect_touch(&b, "write_long", hundred, 12, "across the end of a piece of 100, into an inaccessible part");
        expect_touch(&b, "add_to_word", hundred, 25, "0 beyond the end of a piece of 100");
        expect_touch(&b, "add_to_long", hundred, 12, "across the end of a piece of 100");
        expect_touch(&b, "write_byte", five, 4, NULL);
        expect_touch(&b, "write_byte", five, 5, "0 beyond the end of a piece of 5,");
        expect_touch(&b, "write_word", five, 1, "across the end of a piece of 5,");
        expect_touch(&b, "add_to_word", five, 1, NULL); /* how a kernel changes one byte among others */
        expect_touch(&b, "add_to_word", five, 2, "3 beyond the end of a piece of 5,");
        if (call) expect_touch(&b, "read_word", (uint32_t *)five - 1, 0, "beyond the end of a piece of 100");
        expect_touch(&b, "read_word", last, 63, NULL);
        expect_touch(&b, "write_word", last, 64, call ? "0 beyond the end of a piece of 256" : "beyond the end of a");

        assert_int_equal(d->fill(d, hundred, 7, 100), WW_OK);
        assert_int_equal(d->copy(d, bytes, hundred, 100), WW_OK);
        assert_true(bytes[0] == 7 && bytes[99] == 7);
        assert_int_equal(d->copy(d, last, hundred, 100), WW_OK);
        assert_int_equal(d->fill(d, hundred, 7, 101), WW_LOST);
        assert_non_null(strstr(d->why, "a fill of 101 bytes"));
        assert_non_null(strstr(d->why, "an inaccessible part"));
        assert_int_equal(d->copy(d, bytes, hundred, 101), WW_LOST);
        assert_non_null(strstr(d->why, "a copy of 101 bytes"));
        assert_int_equal(d->copy(d, hundred, bytes, 200), WW_LOST);

        assert_int_equal(ww__leave(device, WW_OK), WW_OK);
        if (call) expect_touch(&b, "read_word", hundred, 0, "an inaccessible part");
        ww_device_info info = WW_DEVICE_INFO;
        assert_int_equal(ww_device_info_get(device, &info), WW_OK);
        assert_int_equal(info.scratch_held, 128 + 64 + 256);
        assert_int_equal(info.scratch_peak, 128 + 64 + 256);
    }
    handle_close(&b, device);
}

/* Calls that work in rounds give pieces back before they end. */
static void rounds(void **state) {
    (void)state;
    ww_device *device;
    bench b = handle_open(&device);
    void *kept, *one, *two;
    assert_int_equal(ww_scratch_reserve(device, 4096), WW_OK);
    assert_int_equal(ww__enter(device, "rounds"), WW_OK);
    take(device, 100, &kept);
    const ww__scratch_mark mark = ww__scratch_here(device);
    take(device, 200, &one);
    expect_touch(&b, "write_word", one, 49, NULL);
    ww__scratch_back(device, &mark);
    expect_touch(&b, "read_word", one, 0, "an inaccessible part");
    expect_touch(&b, "write_word", kept, 24, NULL);
    expect_touch(&b, "write_word", kept, 25, "0 beyond the end of a piece of 100");
    take(device, 40, &two);
    assert_ptr_equal(one, two);
    expect_touch(&b, "write_word", two, 9, NULL);
    expect_touch(&b, "write_word", two, 10, "0 beyond the end of a piece of 40");
    assert_int_equal(ww__leave(device, WW_OK), WW_OK);
    handle_close(&b, device);
}

/* More pieces than a block has zones for. */
static void many_pieces(void **state) {
    (void)state;
    ww_device *device;
    bench b = handle_open(&device);
    ww__driver *d = b.driver;
    void *piece[100];
    assert_int_equal(ww_scratch_reserve(device, 1 << 16), WW_OK);
    for (int call = 0; call < 2; call++) {
        assert_int_equal(ww__enter(device, "pieces"), WW_OK);
        for (size_t i = 0; i < 100; i++) take(device, 64, &piece[i]);
        for (size_t i = 0; i < 100; i++) {
            assert_int_equal(d->fill(d, piece[i], 0, 64), WW_OK);
            assert_int_equal(d->fill(d, piece[i], 0, 65), WW_LOST);
        }
        assert_int_equal(ww__leave(device, WW_OK), WW_OK);
    }
    handle_close(&b, device);
}

static void allocations(void **state) {
    (void)state;
    ww_device *device;
    bench b = handle_open(&device);
    for (int host = 0; host < 2; host++) {
        void *words, *five;
        assert_int_equal((host ? ww_alloc_host : ww_alloc)(device, 400, &words), WW_OK);
        assert_int_equal((host ? ww_alloc_host : ww_alloc)(device, 5, &five), WW_OK);
        expect_touch(&b, "write_word", words, 99, NULL);
        expect_touch(&b, "write_word", words, 100, "0 beyond the end of a block of 400");
        expect_touch(&b, "read_word", (uint32_t *)words - 1, 0, "4 before the start of a block of 400");
        expect_touch(&b, "write_byte", five, 4, NULL);
        expect_touch(&b, "write_byte", five, 5, "0 beyond the end of a piece of 5,");
        expect_touch(&b, "add_to_word", five, 1, NULL);
        expect_touch(&b, "write_byte", five, 8, "0 beyond the end of a block of 8");
        assert_int_equal(ww_free(device, words), WW_OK);
        assert_int_equal(ww_free(device, five), WW_OK);
        expect_touch(&b, "read_word", words, 0, "outside of all memory");
    }
    handle_close(&b, device);
}

/* A caller's kernel: one rank too many of an allocation, or of scratch memory that a call still has. */
static void launched(void **state) {
    (void)state;
    static const char *const says[] = {
        "writes 4 bytes of global memory, 0 beyond the end of a block of 400",
        "writes 4 bytes of global memory, 0 beyond the end of a piece of 396, in an inaccessible part"};
    for (int which = 0; which < 2; which++) {
        ww_device *device, *other;
        stored s = {NULL, 0};
        void *memory;
        if (ww_open(thread_sanitizer() ? "emu:tsan=0" : "emu", &device)) fail_msg("%s", ww_error(device));
        if (ww_open(thread_sanitizer() ? "emu:tsan=0" : "emu", &other)) fail_msg("%s", ww_error(other));
        const uint64_t count = which ? 99 : 100;
        assert_int_equal(ww__enter(other, "held"), WW_OK);
        take(other, 99 * 4, &memory);
        if (!which) assert_int_equal(ww_alloc(device, 100 * 4, &memory), WW_OK);
        s.words = memory;
        assert_int_equal(ww_launch(device, ww_with(store_ones, &s), count), WW_OK);
        assert_int_equal(ww_sync(device), WW_OK);
        ww_status status = ww_launch(device, ww_with(store_ones, &s), count + 1);
        if (!status) status = ww_sync(device);
        assert_int_equal(status, WW_LOST);
        if (!strstr(ww_error(device), says[which])) fail_msg("%s", ww_error(device));
        if (which == 0) printf("    %s\n", ww_error(device));
        ww__leave(other, WW_OK);
        ww_close(other);
        ww_close(device);
    }
}

/* ---- orders between blocks, which the thread sanitizer judges: in a child that was started with it ---- */

enum { RACE = 66 };

static int hand_on(uint32_t right) {
    bench b = bench_open("threads=2", hand_on_text);
    b.a.right = right;
    launch_well(&b, "hand_on", 3000, 32, 0);
    bool well = b.a.out[2999] == 3000;
    bench_close(&b);
    return well ? 0 : 1;
}

static int child_hand_on(const char *sanitizer, const char *right, char *said, size_t room) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        setenv("LD_PRELOAD", sanitizer, 1);
        setenv("TSAN_OPTIONS", "exitcode=66:halt_on_error=1", 1);
        personality(ADDR_NO_RANDOMIZE); /* gcc's sanitizer knows few places where programs may lie */
        execl("/proc/self/exe", "test_emulator", right, (char *)NULL);
        _exit(99);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], said + n, room - 1 - n)) > 0;) n += (size_t)got;
    said[n] = 0;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void orders(void **state) {
    (void)state;
    static char said[1 << 16];
    char sanitizer[1024] = "";
    if (dlsym(RTLD_DEFAULT, "__asan_init")) {
        left_out("under the address sanitizer: the thread sanitizer cannot be had beside it");
        skip();
    }
    FILE *file = popen("c++ -print-file-name=libtsan.so", "r");
    if (!file || !fgets(sanitizer, sizeof sanitizer, file) || sanitizer[0] != '/') {
        left_out("orders between blocks, as the thread sanitizer judges them: that of gcc was not found");
        if (file) pclose(file);
        skip();
    }
    pclose(file);
    sanitizer[strcspn(sanitizer, "\n")] = 0;
    int end = child_hand_on(sanitizer, "1", said, sizeof said);
    if (end) fail_msg("with release and acquire: %d, %s", end, said);
    for (int r = 0; r < 2; r++) {
        end = child_hand_on(sanitizer, r ? "2" : "0", said, sizeof said);
        if (end != RACE || !strstr(said, "data race") || !strstr(said, "hand_on"))
            fail_msg("without %s: %d, %s", r ? "acquire" : "release", end, said);
    }
}

int main(int count, char **words_given) {
    if (!find_library()) {
        left_out("the emulator was not built: %s", dlerror());
        return 0;
    }
    report_checked(); /* it has no cases: all of it runs */
    if (count > 1) return hand_on((uint32_t)atoi(words_given[1]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),     cmocka_unit_test(words),          cmocka_unit_test(counted),
        cmocka_unit_test(faults),      cmocka_unit_test(mistakes),       cmocka_unit_test(memory),
        cmocka_unit_test(orders),      cmocka_unit_test(scratch_pieces), cmocka_unit_test(rounds),
        cmocka_unit_test(many_pieces), cmocka_unit_test(allocations),    cmocka_unit_test(launched),
        cmocka_unit_test(unordered),   cmocka_unit_test(any_order),
    };
    return cmocka_run_group_tests_name("emulator", tests, NULL, NULL);
}
