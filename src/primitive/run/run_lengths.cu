/* Run lengths: tiles in a chain, each of which knows how many heads stand before it, and where the last one does. Its heads, and
 * their elements, are put in order in shared memory; then every head says how long the run is that ends there. Reads each
 * element once, writes elements and lengths once.
 *
 * WW_VALUES: whether the runs' elements are written. WW_BEGINS: where runs begin is written instead of their lengths, and behind the last
 * one where it ends. */
struct ww_carrier {
    uint64_t many, last; /* heads; the position of the last one, 0 where there is none */
};
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    ww_carrier z;
    z.many = x.many + y.many;
    z.last = y.last > x.last ? y.last : x.last;
    return z;
}
#if WW_PACKED
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) { return c.many << 33 | c.last << 2; }
WW_DEVICE ww_carrier ww_unpack(uint64_t word) {
    ww_carrier c;
    c.many = word >> 33;
    c.last = word >> 2 & 0x7FFFFFFFu;
    return c;
}
#endif

#ifndef WW_BEGINS
#define WW_BEGINS 0
#endif
#include "device/kernel/lookback.cuh"
#include "primitive/run/heads.cuh"

#include "primitive/run/run_lengths_arguments.cuh"

struct run_arguments : run_fixed {
#if WW_EQUAL
    ww_environment environment;
#endif
    by_input by;
};

struct run_shared {
#if WW_VALUES
    alignas(16) by_item value[TILE];
#endif
    ww_carrier before;
    uint32_t tile, warp[WARPS], last[WARPS]; /* heads of warps; the last one's place in the tile, where there is one */
    uint16_t place[TILE];
};

/* Tells the tiles behind of this one, and this block what the tiles before have. Called by one warp. */
WW_DEVICE void find_before(const run_arguments &a, run_shared &s, uint64_t tile, const ww_carrier &own) {
    ww_carrier nothing;
    nothing.many = nothing.last = 0;
    ww_find_before(a.chain, tile, own, nothing, [&](const ww_carrier &before, const ww_carrier &all) {
        s.before = before;
        if (tile + 1 == a.tiles) *a.runs = ww_count(all.many - 1);
    });
}

WW_DEVICE void run_tile(const run_arguments &a, run_shared &s, uint64_t tile) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, mine = place_in_tile();
    const uint64_t base = tile * TILE;
    const bool whole = base + TILE <= a.count;
    by_item x[WW_ROWS][WW_ITEMS];
    uint32_t rank[WW_ROWS];
    by_read_rows(a.by, base + mine, a.count, whole, x);
    const uint32_t heads = find_heads(a, base + mine, whole && tile, x);
    const uint32_t of_warp = warp_ranks<(ROW < 256 ? 8 : 16)>(heads, rank);
    /* The warp's last head is the one that stands behind all others. */
    const uint32_t highest = 31 - __clz(int(heads | 1)), row = highest / WW_ITEMS;
    uint32_t of_rows = 0;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) of_rows = uint32_t(r) == row ? rank[r] + __popc(bits_of_row(heads, r)) : of_rows;
    if (heads && of_rows == of_warp) s.last[warp] = mine + row * ROW + highest % WW_ITEMS;
    if (lane == 0) s.warp[warp] = of_warp;
    __syncthreads();
    const uint32_t heads_of_lane = lane < WARPS ? s.warp[lane] : 0;
    const uint32_t up_to = ww_sum_before(heads_of_lane);
    const uint32_t before = __shfl_sync(WW_ALL, up_to, warp);
    const uint32_t here = __shfl_sync(WW_ALL, up_to + heads_of_lane, WW_WARP - 1);
    if (warp == 0) {
        const uint32_t with_head = __ballot_sync(WW_ALL, heads_of_lane != 0);
        ww_carrier own;
        own.many = here;
        own.last = here ? base + s.last[31 - __clz(int(with_head | 1))] : 0;
        find_before(a, s, tile, own);
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        uint32_t at = before + rank[r];
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            const bool head = heads >> (r * WW_ITEMS + k) & 1;
            ww_store_shared_if(head, s.place + at, uint16_t(mine + r * ROW + k));
#if WW_VALUES
            put_if(head, s.value + at, x[r][k]);
#endif
            at += head;
        }
    }
    __syncthreads();
    const uint64_t runs = s.before.many; /* heads before: the tile's first head ends run runs - 1 */
    const uint32_t skip = runs == 0;     /* element 0 of all ends none */
    (void)skip;
#if WW_BEGINS
    write_in_lines(a.lengths, sizeof(ww_length), runs, a.lengths_room, here,
                   [&](uint32_t j, uint64_t to) { a.lengths[to] = ww_length(base + s.place[j]); });
#else
    if (here > skip && a.lengths_room)
        write_in_lines(a.lengths, sizeof(ww_length), runs + skip - 1, a.lengths_room, here - skip, [&](uint32_t i, uint64_t to) {
            const uint32_t j = i + skip;
            a.lengths[to] = ww_length(j ? uint64_t(s.place[j] - s.place[j - 1]) : base + s.place[0] - s.before.last);
        });
#endif
#if WW_VALUES
    write_in_lines(a.values, sizeof(ww_value), runs, a.values_room, here - (tile + 1 == a.tiles),
                   [&](uint32_t j, uint64_t to) { a.values[to] = ww_as<ww_value>(s.value[j]); });
#endif
}

WW_DEVICE void run_tiles(const run_arguments &a) {
    WW_SHARED_LARGE(run_shared, s);
    ww_each_tile(a.chain, a.tiles, s.tile, [&](uint64_t tile) { run_tile(a, s, tile); });
}

WW_LOOP_KERNEL_HELD(run_lengths, run_arguments, WW_THREADS, WW_HELD) { run_tiles(ww_run_tiles(a)); }
