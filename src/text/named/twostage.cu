/* Method twostage (Ashkiani 2017, section 2.7.2, algorithm 1): each thread skims its subtext for the pattern's first characters,
 * as many as 64 bits hold; then the lanes of a warp verify what may be matches together, one after the other, 32 characters
 * at a time. A thread's stack of these is a word of marks. (Ashkiani (2017) compares fingerprints of the 32 characters; here
 * the characters themselves are.) */
#include "text/named/fingerprint.cuh"

/* All lanes ask whether characters from ... m - 1 of the pattern stand at a start. */
WW_DEVICE bool fits_together(const named_arguments &a, uint64_t start, uint64_t from) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    for (uint64_t chunk = from; chunk < a.m; chunk += WW_WARP) {
        const uint64_t i = chunk + lane;
        const bool equal = i >= a.m || character(a, start + i) == a.pattern[i];
        if (!__all_sync(WW_ALL, equal)) return false;
    }
    return true;
}

/* first: this lane's first start. Takes away the marks of this lane that are none. With one word of starts a lane, a warp's starts
 * rise from lane to lane, and each match is told from the one before. */
WW_DEVICE uint32_t verify(const named_arguments &a, uint64_t first, uint32_t marks) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint32_t busy = __ballot_sync(WW_ALL, marks != 0);
    found before = {0, false};
    for (; busy; busy &= busy - 1) {
        const int owner = __ffs(int(busy)) - 1;
        const uint64_t its_first = __shfl_sync(WW_ALL, first, owner);
        uint32_t stack = __shfl_sync(WW_ALL, marks, owner), good = 0;
        for (; stack; stack &= stack - 1) {
            const uint32_t bit = stack & (~stack + 1);
            if (is_match(a, its_first + (__ffs(int(stack)) - 1), before, fits_together)) good |= bit;
        }
        if (lane == uint32_t(owner)) marks = good;
    }
    return marks;
}

WW_GPU_KERNEL(twostage, named_arguments, WW_THREADS) {
    WW_SHARED(subtexts, s);
    load_subtexts(a, s);
    const near_words words = {s};
    const uint64_t mine = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) * WW_EACH;
    fingerprint f = first_fingerprint(words, a.skimmed);
#pragma unroll 1
    for (uint32_t i = 0; i < WW_EACH; i += MARK_BITS) {
        const uint64_t first = mine + i;
        uint32_t marks = roll_over_marks(a, words, i, a.skimmed, f);
        marks = first < a.starts ? marks_before(marks, a.starts - first) : 0;
        if (STRICT || a.m > a.skimmed) marks = verify(a, first, marks);
        if (first < a.starts) a.marks[first / MARK_BITS] = marks;
    }
}
