/* The radix sort of what one block holds: read once, sorted by one digit after the other in shared memory
 * (radix/tile.cuh), written once. Digits in which all keys agree are left out. */
#include "device/kernel/counted.cuh"
#include "radix/differences.cuh"
#include "radix/block_arguments.cuh"

WW_DEVICE void sort_block(const block_arguments &a) {
    WW_SHARED_LARGE(tile_shared, s);
    if (WW_COUNT_AT && (!a.count || a.count > TILE)) return; /* what a block does not hold sweeps sort */
    const uint32_t mine = place_in_tile();
    thread_keys keys;
    thread_places places;
    read_keys<false>(a.keys, a.order, mine, a.count, keys.number);
#if WW_VALUE
    ww_value value[WW_ITEMS];
    read_values<false>(a.values, true, a.first_value, mine, a.count, value);
#endif
    const ww_key differ = find_differences(s, number_of(a.order, a.keys[0]), a.count, keys.number);
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
        if (at >= a.count || at < a.from || at >= a.until) continue;
        a.keys_out[at - a.from] = key_of(a.order, keys.number[i]);
#if WW_VALUE
        a.values_out[at - a.from] = value[i];
#endif
    }
}

WW_LOOP_KERNEL_HELD(radix_block, block_arguments, WW_THREADS, WW_BLOCKS) { sort_block(ww_counted(a)); }
