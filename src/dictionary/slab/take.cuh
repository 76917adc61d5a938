/* A slab from the bitmaps, for a thread by itself. */
#ifndef WW_SLAB_TAKE_CUH
#define WW_SLAB_TAKE_CUH

#include "dictionary/slab/slab.cuh"

/* A free slab's number, 0: none was found. A few words are looked at, where a hash says: one with a free slab is among them until
 * nearly all are taken, and then there is soon a new super block, in which those that found none try again. `thorough`: there is none to
 * come, and all words are looked at. */
enum { PROBES = 32 };
WW_DEVICE uint32_t thread_take(const slab_table &t, uint64_t hash, bool thorough, slab_tally *tally) {
    const uint64_t words = ((1ull << (t.super_log + t.supers)) - (1ull << t.super_log)) / WORD;
    uint64_t word = ((hash & 0xFFFFFFFF) * words) >> 32;
    if (ww_load_relaxed(&tally->exhausted)) return 0;
    for (uint64_t tried = 0; tried < (thorough ? words : PROBES); tried++) {
        uint32_t *const bits = word_of(t, word);
        for (uint32_t seen = ww_load_relaxed(bits); ~seen;) {
            const uint32_t bit = ~seen & (seen + 1), old = atomicOr(bits, bit);
            if (!(old & bit)) return uint32_t(word * WORD + __ffs(int(bit)));
            seen = old | bit;
        }
        hash = hash * 0x9E3779B97F4A7C15ull + 1;
        if (thorough)
            word = word + 1 < words ? word + 1 : 0;
        else
            word = ((hash >> 32) * words) >> 32;
    }
    ww_store_relaxed(&tally->exhausted, 1u);
    return 0;
}

#endif
