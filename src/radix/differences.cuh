/* In which bits the keys that a block holds differ. */
#ifndef WW_DIFFERENCES_CUH
#define WW_DIFFERENCES_CUH

#include "radix/tile.cuh"

union block_words {
    ww_key key;
    uint32_t word[(WW_KEY + 3) / 4];
    WW_DEVICE_MEMBER block_words() {}
};

/* From `one`, any of the first `many` of the tile's keys. All threads call it. */
WW_DEVICE ww_key find_differences(tile_shared &s, ww_key one, uint64_t many, const ww_key (&number)[WW_ITEMS]) {
    enum { WORDS = (WW_KEY + 3) / 4 };
    ww_key differ = 0;
    if (threadIdx.x < WORDS) s.differ[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++)
        if (place_in_tile() + i * WW_WARP < many) differ = ww_key(differ | (number[i] ^ one));
    block_words w;
    w.word[WORDS - 1] = 0;
    w.key = differ;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        if (w.word[k]) atomicOr(&s.differ[k], w.word[k]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < WORDS; k++) w.word[k] = s.differ[k];
    return w.key;
}

#endif
