/* What a request asks for from marks, bits of words that stand where matches begin: tiles in a chain, each of which counts its
 * marks and writes their positions behind those of the tiles before. Reads each word once.
 *
 * WW_TEXTS: 1 a match has to lie in one of several texts; other marks are taken away. WW_COUNTS: 1 each text's are counted.
 * WW_LAST: 1 the one position that is asked for is the last, else the first. */
#include "device/kernel/types.cuh"

#include "device/kernel/count.cuh"
#include "device/kernel/record.cuh"
#include "text/marks_arguments.cuh"

enum { WARPS = WW_THREADS / WW_WARP, WORDS = 4, BITS = 32, TILE = WW_THREADS * WORDS };
/* A warp with more marks than this writes them word by word, so that neighbouring lanes write to neighbouring places. */
enum { DENSE = 512 };

struct marks_arguments : marks_fixed {
#if WW_TEXTS
    offsets_input offsets;
#endif
};

struct marks_shared {
    uint32_t tile, warp[WARPS];
    uint64_t before, low, high;
};

/* The words of this thread; 0 behind the last. */
WW_DEVICE void fetch_words(const marks_arguments &a, uint64_t first, uint32_t (&word)[WORDS]) {
    if (first + WORDS <= a.words) {
        ww_batch<uint32_t, WORDS, 16>::fetch(a.marks + first, word);
        return;
    }
#pragma unroll
    for (int k = 0; k < WORDS; k++) word[k] = first + k < a.words ? a.marks[first + k] : 0;
}

/* ---- several texts ---- */

#if WW_TEXTS
/* The text that a position lies in: the last of [low, high] that begins at or before it; low - 1 where none does. */
WW_DEVICE uint64_t text_of(const marks_arguments &a, uint64_t position, uint64_t low, uint64_t high) {
    high++;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (uint64_t(offsets_at(a.offsets, middle)) <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

WW_DEVICE void count_in_text(const marks_arguments &a, uint64_t text, uint32_t many) {
#if WW_COUNTS
    if (many) atomicAdd(a.counts + text, ww_text_count(many));
#else
    (void)a, (void)text, (void)many;
#endif
}

/* The texts in which the tile's positions lie. Offsets that decrease lead to wrong texts, and not out of the array. */
WW_DEVICE void find_texts(const marks_arguments &a, marks_shared &s, uint64_t tile) {
    const uint64_t first = tile * TILE * BITS;
    if (threadIdx.x == 0) s.low = text_of(a, first, 0, a.texts);
    if (threadIdx.x == WW_WARP % WW_THREADS) s.high = text_of(a, first + TILE * BITS - 1, 0, a.texts);
    __syncthreads();
}

/* Where a tile lies in one text, its marks are counted for it at once. */
WW_DEVICE void count_tile(const marks_arguments &a, const marks_shared &s, uint32_t many) {
    if (s.low == s.high) count_in_text(a, s.low, many);
}

/* Takes away marks of matches that are not in one text, and counts those that are. */
WW_DEVICE void keep_in_texts(const marks_arguments &a, const marks_shared &s, uint64_t first, uint32_t (&word)[WORDS]) {
    uint64_t text = s.low + 1 ? s.low : 0, end = 0;
    uint32_t many = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        for (uint32_t left = word[k]; left; left &= left - 1) {
            const uint64_t at = (first + k) * BITS + (__ffs(int(left)) - 1);
            if (at >= end) { /* in a text that begins behind the one before */
                const uint64_t t = text_of(a, at, text, s.high);
                const bool inside = t + 1 && t < a.texts;
                if (inside && t != text) {
                    count_in_text(a, text, many);
                    many = 0;
                }
                if (inside) text = t;
                end = inside ? uint64_t(offsets_at(a.offsets, t + 1)) : 0;
            }
            if (at + a.m <= end)
                many++;
            else
                word[k] ^= left & (~left + 1);
        }
    if (s.low != s.high) count_in_text(a, text, many);
}

/* A thread for each offset: is it in order? Clears the texts' counts. */
WW_GPU_KERNEL(check_texts, marks_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (ww_stopped(a.checking) || i > a.texts) return;
    const uint64_t before = i ? uint64_t(offsets_at(a.offsets, i - 1)) : 0, offset = offsets_at(a.offsets, i);
    if (offset < before || offset > a.characters) ww_report(a.checking, i, offset);
#if WW_COUNTS
    if (i < a.texts) a.counts[i] = 0;
#endif
}
#endif

/* ---- all ---- */

/* Each lane writes its own. */
WW_DEVICE void write_few(const marks_arguments &a, uint64_t to, uint64_t first, const uint32_t (&word)[WORDS]) {
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        for (uint32_t left = word[k]; left && to < a.room; left &= left - 1)
            a.positions[to++] = ww_position((first + k) * BITS + (__ffs(int(left)) - 1));
}

/* The lanes write each word of the warp together. first and to: the warp's. */
WW_DEVICE void write_many(const marks_arguments &a, uint64_t to, uint64_t first, const uint32_t (&word)[WORDS]) {
    const uint32_t lane = threadIdx.x % WW_WARP, lanes_before = (1u << lane) - 1;
    for (int from = 0; from < WW_WARP; from++)
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            const uint32_t one = __shfl_sync(WW_ALL, word[k], from);
            const uint64_t place = to + __popc(one & lanes_before);
            if (one >> lane & 1 && place < a.room)
                a.positions[place] = ww_position((first + from * WORDS + k) * BITS + lane);
            to += __popc(one);
        }
}

/* Where this warp's positions go. */
WW_DEVICE uint64_t find_place(const marks_arguments &a, marks_shared &s, uint64_t tile, uint32_t of_warp) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    if (lane == 0) s.warp[warp] = of_warp;
    __syncthreads();
    if (warp == 0) {
        uint32_t here = 0;
        for (int w = 0; w < WARPS; w++) here += s.warp[w];
#if WW_TEXTS
        if (lane == 0) count_tile(a, s, here);
#endif
        ww_count_before(a.chain, tile, here, [&](uint64_t before, uint64_t all) {
            s.before = before;
            if (tile + 1 == a.tiles) *a.count = ww_count(all);
        });
    }
    __syncthreads();
    uint64_t to = s.before;
    for (uint32_t w = 0; w < warp; w++) to += s.warp[w];
    return to;
}

WW_GPU_KERNEL(list_marks, marks_arguments, WW_THREADS) {
    WW_SHARED(marks_shared, s);
#if WW_TEXTS
    if (ww_stopped(a.checking)) return;
#endif
    const uint64_t tile = ww_take_tile(a.chain, s.tile);
    const uint64_t first = tile * TILE + threadIdx.x * WORDS;
    uint32_t word[WORDS], many = 0;
#if WW_TEXTS
    find_texts(a, s, tile);
#endif
    fetch_words(a, first, word);
#if WW_TEXTS
    keep_in_texts(a, s, first, word);
#endif
#pragma unroll
    for (int k = 0; k < WORDS; k++) many += __popc(word[k]);
    const uint32_t before = ww_sum_before(many), of_warp = __shfl_sync(WW_ALL, before + many, WW_WARP - 1);
    const uint64_t to = find_place(a, s, tile, of_warp);
    if (of_warp > DENSE)
        write_many(a, to, first - threadIdx.x % WW_WARP * WORDS, word);
    else
        write_few(a, to + before, first, word);
}

/* ---- one ---- */

/* Matches compare by a number that is the larger the more it is wanted, and 0 for none. */
WW_DEVICE uint64_t wish(uint64_t position) {
#if WW_LAST
    return position + 1;
#else
    return ~position;
#endif
}

WW_GPU_KERNEL(find_one, marks_arguments, WW_THREADS) {
    const uint64_t all = uint64_t(gridDim.x) * WW_THREADS;
    uint64_t best = 0;
    for (uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; i < a.words; i += all) {
        const uint32_t word = a.marks[i];
        if (!word) continue;
        const uint64_t mine = wish(i * BITS + (WW_LAST ? 31 - __clz(int(word)) : __ffs(int(word)) - 1));
        if (mine > best) best = mine;
    }
    if (best > ww_load_relaxed(a.best)) atomicMax(a.best, best);
}

WW_GPU_KERNEL(tell_one, marks_arguments, WW_THREADS) {
    const uint64_t best = *a.best;
    if (threadIdx.x == 0) *a.count = ww_count(WW_LAST ? best - 1 : ~best); /* ~0 for none */
}
