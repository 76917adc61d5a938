/* The radix sort of what one block holds: read once, sorted by one digit after the other in shared memory
 * (multisplit/tile.cuh), written once. Digits in which all keys agree are left out. */
#include "multisplit/tile.cuh"

struct block_arguments {
    const ww_key *keys;
    ww_key *keys_out;
    const ww_value *values;
    ww_value *values_out;
    uint64_t count;
    uint64_t first_value;
    uint32_t first, bits; /* what is sorted by */
};

union block_words {
    ww_key key;
    uint32_t word[(WW_KEY + 3) / 4];
    WW_DEVICE_MEMBER block_words() {}
};

/* The bits in which keys differ from the first one. */
WW_DEVICE ww_key find_differences(const block_arguments &a, tile_shared &s, const ww_key (&number)[WW_ITEMS]) {
    enum { WORDS = (WW_KEY + 3) / 4 };
    const ww_key one = number_of(a.keys[0]);
    ww_key differ = 0;
    if (threadIdx.x < WORDS) s.differ[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++)
        if (place_in_tile() + i * WW_WARP < a.count) differ = ww_key(differ | (number[i] ^ one));
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

WW_GPU_KERNEL(radix_block, block_arguments, TILE_BOUNDS) {
    WW_SHARED_LARGE(tile_shared, s);
    const uint32_t mine = place_in_tile();
    thread_keys keys;
    thread_places places;
    read_keys<false>(a.keys, mine, a.count, keys.number);
#if WW_VALUE
    ww_value value[WW_ITEMS];
    read_values<false>(a.values, true, a.first_value, mine, a.count, value);
#endif
    const ww_key differ = find_differences(a, s, keys.number);
    for (uint32_t done = 0; done < a.bits; done += 8) {
        keys.digit = digit_from(a.first + done, a.bits - done < 8 ? a.bits - done : 8);
        if (!digit_in(differ, keys.digit)) continue;
        tile_bins bins;
        count_keys(s, keys);
        __syncthreads();
        if (threadIdx.x < BIN_THREADS) count_bins(s, bins);
        place_bins(s, bins);
        put_keys<false>(s, keys, places);
#if WW_VALUE
#pragma unroll
        for (int i = 0; i < WW_ITEMS; i++) s.value[places.at(i)] = value[i];
#endif
        __syncthreads();
#pragma unroll
        for (int i = 0; i < WW_ITEMS; i++) {
            keys.number[i] = s.key[mine + i * WW_WARP];
#if WW_VALUE
            value[i] = s.value[mine + i * WW_WARP];
#endif
        }
    }
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t at = mine + i * WW_WARP;
        if (at >= a.count) continue;
        a.keys_out[at] = key_of(keys.number[i]);
#if WW_VALUE
        a.values_out[at] = value[i];
#endif
    }
}
