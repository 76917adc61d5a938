/* Multisplit in three stages (Ashkiani 2017, 3.4.1): tiles count their keys in each bin (count_tiles), a scan over all
 * counts, bins first and in a bin tiles, says where each tile's keys of a bin go, and tiles are read again and written
 * (place_tiles). Reads keys twice, writes them once, and moves BINS counts a tile four times.
 *
 * A tile is what one warp has (direct, warp: WW_THREADS is 32) or a block (block). Warps count and rank by ballots: one for each
 * bit of a digit, which lanes turn into the set of lanes with their bin (local offsets) or with a bin that they look after
 * (histogram). WW_REORDERED: 1 elements are put in order in shared memory before they are written; 0 they are
 * written from where they stand. WW_METHOD says by what method's name the kernels are known: 1 direct, 2 warp, 3 block. */
#include "radix/tile.cuh"
#include "multisplit/three_stage_arguments.cuh"

#if WW_METHOD == 1
#define COUNT_TILES direct_count_tiles
#define PLACE_TILES direct_place_tiles
#elif WW_METHOD == 2
#define COUNT_TILES warp_count_tiles
#define PLACE_TILES warp_place_tiles
#else
#define COUNT_TILES block_count_tiles
#define PLACE_TILES block_place_tiles
#endif

struct stage_arguments : three_stage_fixed {
    ww_buckets by;
};

/* The warp's histogram: a lane looks after the bins lane, lane + 32 and so on */
WW_DEVICE void count_by_ballots(tile_shared &s, const thread_keys &keys) {
    enum { OWN = BINS / WW_WARP };
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t count[OWN];
#pragma unroll
    for (int q = 0; q < OWN; q++) count[q] = 0;
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        uint32_t set[WW_BALLOT], with[OWN];
#pragma unroll
        for (int b = 0; b < WW_BALLOT; b++) set[b] = __ballot_sync(WW_ALL, keys.bin(i) >> b & 1);
#pragma unroll
        for (int q = 0; q < OWN; q++) {
            with[q] = WW_ALL;
#pragma unroll
            for (int b = 0; b < WW_BALLOT; b++) with[q] &= (lane + q * WW_WARP) >> b & 1 ? set[b] : ~set[b];
            count[q] += (lane + q * WW_WARP) >> WW_BALLOT ? 0 : __popc(with[q]);
        }
    }
#pragma unroll
    for (int q = 0; q < OWN; q++) s.counter[warp][lane + q * WW_WARP] = count[q];
}

WW_DEVICE void read_tile(const stage_arguments &a, tile_shared &s, uint64_t mine, thread_keys &keys) {
    keys.digit = digit_from(a.low, a.bits);
    read_keys<false>(a.keys, 0, mine, a.count, keys.number);
#if WW_BY
    find_bins<false>(a.by, s, mine, a.count, keys);
#endif
    count_by_ballots(s, keys);
    __syncthreads();
}

/* Where lanes look after keys behind the end, too, these are in the last bin of the last tile. */
WW_DEVICE uint32_t behind_end(const stage_arguments &a, uint32_t bin) {
    const uint64_t end = (uint64_t(blockIdx.x) + 1) * TILE;
    return bin == (1u << a.bits) - 1 && end > a.count ? uint32_t(end - a.count) : 0;
}

/* Keys without a bucket. */
WW_DEVICE void check_keys(const stage_arguments &a, tile_shared &s, uint64_t mine, const thread_keys &keys) {
#if WW_BY || WW_CHECKED
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        if (mine + i * WW_WARP >= a.count) continue;
#if WW_BY
        const bucket_item item[1] = {ww_as<bucket_item>(keys.number[i])};
        uint32_t bucket[1];
        buckets_of(a.by, s.edges, item, bucket);
        const bool found = bucket[0] < a.by.many;
#elif WW_CHECKED == 1
        const bool found = keys.number[i] < a.by.many;
#elif WW_CHECKED == 2
        const bool found = (uint32_t(keys.number[i] >> a.first) & ((1u << a.all_bits) - 1)) < a.by.many;
#endif
        if (!found) ww_report(a.by.checking, mine + i * WW_WARP, 0);
    }
#else
    (void)a, (void)s, (void)mine, (void)keys;
#endif
}

WW_GPU_KERNEL_HELD(COUNT_TILES, stage_arguments, WW_THREADS, WW_BLOCKS) {
    WW_SHARED_LARGE(tile_shared, s);
    const uint64_t mine = uint64_t(blockIdx.x) * TILE + place_in_tile();
    thread_keys keys;
    tile_bins bins;
    /* A key without a bucket is seen with the first digit; what comes after that has nothing to read. */
    const bool first_digit = a.low == a.first;
    if (first_digit ? ww_stopped(a.by.checking) : has_no_bucket(a.by)) return;
    read_tile(a, s, mine, keys);
    if (first_digit) check_keys(a, s, mine, keys);
    if (threadIdx.x >= BIN_THREADS) return;
    count_bins(s, bins);
#pragma unroll
    for (int q = 0; q < OWN_BINS; q++) {
        const uint32_t b = threadIdx.x * OWN_BINS + q;
        if (b >> a.bits == 0) a.counts[b * a.tiles + blockIdx.x] = bins.count[q] - behind_end(a, b);
    }
}

WW_GPU_KERNEL_HELD(PLACE_TILES, stage_arguments, WW_THREADS, WW_BLOCKS) {
    WW_SHARED_LARGE(tile_shared, s);
    const uint64_t mine = uint64_t(blockIdx.x) * TILE + place_in_tile(), left = a.count - uint64_t(blockIdx.x) * TILE;
    const tile_output out = {a.keys_out, a.values_out, a.count};
    const uint32_t many = left < TILE ? uint32_t(left) : uint32_t(TILE);
    thread_keys keys;
    thread_places places;
    tile_bins bins;
    if (has_no_bucket(a.by)) return;
    read_tile(a, s, mine, keys);
    if (threadIdx.x < BIN_THREADS) count_bins(s, bins);
    place_bins(s, bins);
    if (threadIdx.x < BIN_THREADS) {
#pragma unroll
        for (int q = 0; q < OWN_BINS; q++) {
            const uint32_t b = threadIdx.x * OWN_BINS + q;
            s.to[b] = (b >> a.bits ? 0 : a.counts[b * a.tiles + blockIdx.x]) - bins.first[q];
        }
    }
    put_keys<false>(s, keys, places);
#if WW_VALUE
    ww_value value[WW_ITEMS];
    read_values<false>(a.values, true, a.first_value, mine, a.count, value);
#endif
#if WW_REORDERED
#if WW_VALUE
    put_values(s, places, value);
#endif
    __syncthreads();
    write_keys<false>(out, s, keys.digit, many);
#else
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const ww_position to = s.to[keys.bin(i)] + places.at(i);
        if (mine + i * WW_WARP >= a.count || to >= a.count) continue;
        out.keys[to] = keys.number[i];
#if WW_VALUE
        out.values[to] = value[i];
#endif
    }
    (void)many;
#endif
}
