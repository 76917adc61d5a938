/* What the two kernels of finding on a GPU share: reading the text as bits, the pattern's image, and writing positions.
 *
 * Places in the text are counted from `base`, which is a multiple of 16 and some bytes before the text, so that small steps back
 * stay above 0. Nothing outside begin .. end is read: a word that reaches over an edge is put together from bytes.
 *
 * WW_BITS: bits of a character; the first character of a byte has its lowest bits. WW_FOLD: 1 capital letters match small ones.
 * WW_WANT: what is asked for, below. WW_THREADS: of a block. */
#ifndef WW_AUTO_CUH
#define WW_AUTO_CUH

#include "device/kernel/count.cuh"
#include "text/auto/auto_arguments.cuh"

enum { FIND_ALL = 0, FIND_FIRST = 1, FIND_LAST = 2, FIND_MARKS = 3 };
enum { CHARACTERS = 32 / WW_BITS /* of a word */, WARPS = WW_THREADS / WW_WARP };

WW_DEVICE uint32_t text_word(const find_text &t, uint64_t word) {
    const uint64_t at = word * 4;
    if (at >= t.begin && at + 4 <= t.end) return *reinterpret_cast<const uint32_t *>(t.base + at);
    uint32_t x = 0;
    for (uint32_t k = 0; k < 4; k++)
        if (at + k >= t.begin && at + k < t.end) x |= uint32_t(t.base[at + k]) << (8 * k);
    return x;
}

/* 32 bits from any bit on. */
WW_DEVICE uint32_t text_bits(const find_text &t, uint64_t bit) {
    return __funnelshift_r(text_word(t, bit / 32), text_word(t, bit / 32 + 1), uint32_t(bit % 32));
}
WW_DEVICE uint32_t image_bits(const uint32_t *image, uint64_t bit) {
    return __funnelshift_r(image[bit / 32], image[bit / 32 + 1], uint32_t(bit % 32));
}

WW_DEVICE uint32_t folded(uint32_t c) { return WW_FOLD && c - 'A' < 26 ? c | 32 : c; }

/* Character k of a word. */
WW_DEVICE uint32_t character(uint32_t word, uint32_t k) { return word >> (k * WW_BITS) & ((1u << WW_BITS) - 1); }

/* The bits of word w of the image that must agree. */
WW_DEVICE uint32_t image_keeps(const find_pattern &p, const uint32_t *image, uint32_t w) {
    if (WW_FOLD) return image[p.words + 1 + w];
    return w + 1 == p.words ? p.last : 0xFFFFFFFFu;
}

/* How many the threads before this one have; `all`: how many all have. `of_warp` is shared, and free again behind a barrier. */
WW_DEVICE uint32_t block_ranks(uint32_t (&of_warp)[WARPS], uint32_t own, uint32_t &all) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t before = ww_sum_before(own);
    if (lane == WW_WARP - 1) of_warp[warp] = before + own;
    __syncthreads();
    all = 0;
#pragma unroll
    for (uint32_t w = 0; w < WARPS; w++) {
        const uint32_t other = of_warp[w];
        before += w < warp ? other : 0;
        all += other;
    }
    return before;
}

WW_DEVICE void put_position(const find_results &r, uint64_t rank, uint64_t start) {
    if (rank < r.room) r.positions[rank] = ww_position(start);
}

/* Writes the starts of a word's bits, the first of which is `rank`. */
WW_DEVICE void put_positions(const find_results &r, uint32_t bits, uint64_t rank, uint64_t start) {
    for (; bits; bits &= bits - 1) put_position(r, rank++, start + (__ffs(int(bits)) - 1));
}

#endif
