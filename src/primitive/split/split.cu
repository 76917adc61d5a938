/* Split: tiles in a chain, each of which writes both its sides. Stable: `count` has counted the second side before, so that
 * it is known where it begins, unless there is but one tile (a.ones is null). WW_REVERSED: the second side is written from the end, and nothing is counted before. */
#include "primitive/pack/choose.cuh"
#include "primitive/split/split_count_arguments.cuh"

/* Adds up the elements of the second side, at strides of the whole grid, in *ones, which is 0 before. */
struct count_arguments : split_count_fixed {
#if WW_CHOICE == 2
    ww_environment environment;
#endif
#if WW_CHOICE == 1
    by_input by;
#else
    in_input in;
#endif
};

#if WW_CHOICE == 1
typedef by_item count_item;
WW_DEVICE void read_some(const count_arguments &a, uint64_t i, by_item (&x)[WW_ITEMS]) { by_read(a.by, i, x); }
WW_DEVICE by_item read_one(const count_arguments &a, uint64_t i) { return by_at(a.by, i); }
WW_DEVICE uint32_t is_second(const count_arguments &a, const by_item &x) { return x != 0; }
#else
typedef in_item count_item;
WW_DEVICE void read_some(const count_arguments &a, uint64_t i, in_item (&x)[WW_ITEMS]) { in_read(a.in, i, x); }
WW_DEVICE in_item read_one(const count_arguments &a, uint64_t i) { return in_at(a.in, i); }
WW_DEVICE uint32_t is_second(const count_arguments &a, const in_item &x) { return chosen_element(a, x); }
#endif

WW_DEVICE void count_share(const count_arguments &a) {
    const uint64_t step = uint64_t(gridDim.x) * TILE;
    uint64_t ones = 0;
    uint64_t first = uint64_t(blockIdx.x) * TILE;
    for (; first + TILE <= a.count; first += step) {
        count_item x[WW_ROWS][WW_ITEMS];
        uint32_t here = 0;
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) read_some(a, first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS, x[r]);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++)
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) here += is_second(a, x[r][k]);
        ones += here;
    }
    /* At most one block has the end, which is shorter. */
    if (first < a.count)
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS) ones += is_second(a, read_one(a, i));
#pragma unroll
    for (int by = WW_WARP / 2; by; by /= 2) ones += ww_lane_after(ones, by);
    if (threadIdx.x % WW_WARP == 0 && ones) atomicAdd(a.ones, (unsigned long long)ones);
}

WW_LOOP_KERNEL(count, count_arguments, WW_THREADS) { count_share(ww_counted(a)); }

WW_DEVICE void split_tile(const choose_arguments &a, choose_shared &s, uint64_t tile) {
    const uint64_t first = tile * TILE;
    const uint32_t many = first + TILE <= a.count ? TILE : uint32_t(a.count - first), zeros = choose_tile(a, s, tile);
    const uint64_t zeros_before = s.before, ones_before = first - zeros_before;
    write_side<false>(a, s, tile, 0, zeros, zeros_before);
#if WW_REVERSED
    write_side<true>(a, s, tile, zeros, many - zeros, a.count - 1 - ones_before);
#else
    write_side<false>(a, s, tile, zeros, many - zeros, a.ones ? a.count - *a.ones + ones_before : zeros);
#endif
}

WW_DEVICE void split_tiles(const choose_arguments &a) {
    WW_SHARED_LARGE(choose_shared, s);
    if (chooses_nothing(a)) return;
    ww_each_tile(a.chain, a.tiles, s.tile, [&](uint64_t tile) { split_tile(a, s, tile); });
}

WW_LOOP_KERNEL_HELD(split, choose_arguments, WW_THREADS, WW_HELD) { split_tiles(ww_counted_tiles(a, TILE)); }
