/* A thread's subtext: where its words are, on chip or in memory, and what stands between two of them.
 *
 * A block brings its threads' subtexts on chip together, WW_EACH characters each and WW_MOST behind the last, so that lanes
 * read neighbouring words of memory; a word is left free behind each subtext of an even number, so that the lanes of a warp
 * then read from different banks. */
#ifndef WW_SUBTEXT_CUH
#define WW_SUBTEXT_CUH

#include "text/named/named.cuh"

enum {
    SUBTEXT_WORDS = WW_EACH / WORD_CHARACTERS,
    PADDING = SUBTEXT_WORDS % 2 == 0,
    TILE_WORDS = WW_THREADS * SUBTEXT_WORDS + (WW_MOST + WORD_CHARACTERS - 1) / WORD_CHARACTERS + 2
};

struct subtexts {
    uint32_t word[TILE_WORDS + PADDING * (TILE_WORDS / SUBTEXT_WORDS + 1)];
};

WW_DEVICE uint32_t place_of(uint32_t word) { return word + PADDING * (word / SUBTEXT_WORDS); }

WW_DEVICE void load_subtexts(const named_arguments &a, subtexts &s) {
    const uint64_t first = uint64_t(blockIdx.x) * WW_THREADS * SUBTEXT_WORDS;
    for (uint32_t w = threadIdx.x; w < TILE_WORDS; w += WW_THREADS) s.word[place_of(w)] = four_bytes(a, 4 * (first + w));
    __syncthreads();
}

/* Words of a subtext that is on chip. */
struct near_words {
    const subtexts &s;
    WW_DEVICE_MEMBER uint32_t operator()(uint64_t w) const {
        return s.word[place_of(threadIdx.x * SUBTEXT_WORDS + uint32_t(w))];
    }
};

/* Words of one that is read from memory. */
struct far_words {
    const named_arguments &a;
    uint64_t first; /* its first byte */
    WW_DEVICE_MEMBER uint32_t operator()(uint64_t w) const { return four_bytes(a, first + 4 * w); }
};

/* So many characters from character `at` of a subtext on as a word holds. */
template <class W> WW_DEVICE uint32_t characters_from(const W &words, uint64_t at) {
    const uint64_t w = at / WORD_CHARACTERS;
    return __funnelshift_r(words(w), words(w + 1), uint32_t(at % WORD_CHARACTERS) * WW_STEP);
}

WW_DEVICE uint32_t nth(uint32_t word, int k) { return word >> k * WW_STEP & (WW_STEP == 8 ? SIGMA_MASK : STEP_MASK); }

#endif
