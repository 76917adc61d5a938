/* Reduction by key: a segmented scan by changes of keys that writes a run's sum where the run ends. Tiles stand in a chain, each
 * of which knows how many heads stand before it, and the sum from the last one on. In a tile lanes, rows and warps are
 * scanned as in scan.cu; the sum before a head goes to the head's place in shared memory, and from there results are written
 * in whole lines. Only a tile's first result needs what stands before the tile. Reads each key and each value once.
 *
 * WW_KEYS: whether the runs' keys are written. WW_PACKED: a value of 4 bytes at most, and 30 bits for the heads. */
enum { VALUE_WORDS = (sizeof(in_item) + 3) / 4, CARRIER_WORDS = (VALUE_WORDS + 1) / 2 * 2 };

/* The value as words, all of which are written, so that no byte between members is left out. */
struct ww_carrier {
    uint64_t many; /* heads */
    uint32_t word[CARRIER_WORDS];
};
WW_DEVICE ww_carrier carrier_of(uint64_t many, const in_item &value) {
    ww_words<in_item> w;
    w.word[VALUE_WORDS - 1] = 0;
    w.value = value;
    ww_carrier c;
    c.many = many;
    c.word[CARRIER_WORDS - 1] = 0;
#pragma unroll
    for (int k = 0; k < VALUE_WORDS; k++) c.word[k] = w.word[k];
    return c;
}
WW_DEVICE in_item value_of(const ww_carrier &c) {
    ww_words<in_item> w;
#pragma unroll
    for (int k = 0; k < VALUE_WORDS; k++) w.word[k] = c.word[k];
    return w.value;
}
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    return carrier_of(x.many + y.many, y.many ? value_of(y) : ww_op(value_of(x), value_of(y)));
}
#if WW_PACKED
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) { return uint64_t(c.word[0]) << 32 | c.many << 2; }
WW_DEVICE ww_carrier ww_unpack(uint64_t word) {
    ww_carrier c;
    c.many = uint32_t(word) >> 2;
    c.word[0] = uint32_t(word >> 32);
    c.word[1] = 0;
    return c;
}
#endif

#include "device/kernel/lookback.cuh"
#include "primitive/run/heads.cuh"
#include "primitive/run/reduce_by_key_arguments.cuh"

struct by_key_arguments : by_key_fixed {
#if WW_EQUAL
    ww_environment environment;
#endif
    in_input in;
    by_input by;
};

struct by_key_shared {
    alignas(16) in_item value[TILE]; /* before a head, from the one before it or the tile's begin on */
#if WW_KEYS
    alignas(16) by_item key[TILE];
#endif
    alignas(16) in_item of_warp[WARPS]; /* from the warp's last head on */
    ww_carrier before;
    uint32_t tile, warp[WARPS]; /* heads of warps */
    uint32_t begins;            /* whether the tile's first element is a head */
};

WW_READ_ROWS(in)

/* What precedes each batch in its warp's rows, from the last head on; bit r of the result: there is such a head. lead[0] of
 * lane 0 has no value. all: the sum from the warp's last head on. */
WW_DEVICE uint32_t scan_rows(uint32_t heads, const in_item (&x)[WW_ROWS][WW_ITEMS], in_item (&lead)[WW_ROWS],
                             in_item &all) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint32_t known = 0;
    bool head_before = false;
    all = x[0][0];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint32_t of_row = bits_of_row(heads, r);
        in_item sum = x[r][0];
#pragma unroll
        for (int k = 1; k < WW_ITEMS; k++) sum = of_row >> k & 1 ? x[r][k] : ww_op(sum, x[r][k]);
        /* Lanes with a head, at and before this one; the nearest is where its sum begins. */
        const uint32_t with_head = __ballot_sync(WW_ALL, of_row != 0);
        const uint32_t up_to_mine = with_head & (0xFFFFFFFFu >> (WW_WARP - 1 - lane));
        const uint32_t before_mine = with_head & ((1u << lane) - 1);
        const uint32_t begins = up_to_mine ? WW_WARP - 1 - __clz(int(up_to_mine)) : 0;
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) {
            const in_item earlier = ww_lane_before(sum, by);
            if (lane >= begins + by) sum = ww_op(earlier, sum);
        }
        const in_item neighbour = ww_lane_before(sum, 1), row = ww_lane(sum, WW_WARP - 1);
        lead[r] = lane == 0 ? all : r && !before_mine ? ww_op(all, neighbour) : neighbour;
        known |= uint32_t(head_before || before_mine) << r;
        all = r && !with_head ? ww_op(all, row) : row;
        head_before |= with_head != 0;
    }
    return known;
}

/* What this tile hands on, to be called by a warp. */
WW_DEVICE ww_carrier own_carrier(const by_key_shared &s, uint32_t here) {
    in_item sum = s.of_warp[0];
    for (int w = 1; w < WARPS; w++) sum = s.warp[w] ? s.of_warp[w] : ww_op(sum, s.of_warp[w]);
    return carrier_of(here, sum);
}

/* Tells this block what the tiles before have, and the tiles behind what all up to here have. Called by one warp, when the tiles behind
 * have been told of this one's own sum. */
WW_DEVICE void find_before(const by_key_arguments &a, by_key_shared &s, uint64_t tile, uint32_t here) {
    ww_carrier own = own_carrier(s, here), before;
    if (tile) {
        before = ww_look_back(a.chain, tile);
        own = ww_join(before, own);
    } else {
        before = own; /* of no use: there is no run before */
        before.many = 0;
    }
    if (threadIdx.x % WW_WARP == 0) {
        ww_publish(a.chain, tile, WW_ALL_BEFORE_TOO, own);
        s.before = before;
        if (tile + 1 == a.tiles) *a.runs = ww_count(own.many - 1);
    }
}

WW_DEVICE void by_key_tile(const by_key_arguments &a, by_key_shared &s, uint64_t tile) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, mine = place_in_tile();
    const uint64_t base = tile * TILE;
    by_item key[WW_ROWS][WW_ITEMS];
    in_item x[WW_ROWS][WW_ITEMS], lead[WW_ROWS], entering;
    uint32_t rank[WW_ROWS];
    const bool whole = base + TILE <= a.count;
    if (whole) { /* once for both: nothing stands between the loads */
        by_read_rows(a.by, base + mine, a.count, true, key);
        in_read_rows(a.in, base + mine, a.count, true, x);
    } else {
        by_read_rows(a.by, base + mine, a.count, false, key);
        in_read_rows(a.in, base + mine, a.count, false, x);
    }
    const uint32_t heads = find_heads(a, base + mine, whole && tile, key);
    const uint32_t of_warp = warp_ranks<(ROW < 256 ? 8 : 16)>(heads, rank);
    const uint32_t known = scan_rows(heads, x, lead, entering);
    if (lane == 0) {
        s.warp[warp] = of_warp;
        s.of_warp[warp] = entering;
    }
    if (threadIdx.x == 0) s.begins = heads & 1;
    __syncthreads();
    /* What enters the warp from the warps before, of which there are some where it is used. */
    uint32_t before = 0, here = 0;
    entering = s.of_warp[0];
    for (uint32_t w = 0; w < WARPS; w++) {
        const in_item up_to = w && !s.warp[w] ? ww_op(entering, s.of_warp[w]) : s.of_warp[w];
        if (w < warp) entering = up_to;
        before += w < warp ? s.warp[w] : 0;
        here += s.warp[w];
    }
    if (warp == 0 && tile) {
        const ww_carrier own = own_carrier(s, here);
        if (lane == 0) ww_publish(a.chain, tile, WW_OWN_SUM, own);
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint32_t of_row = bits_of_row(heads, r);
        if (!of_row) continue;
        const bool first = r == 0 && lane == 0;
        in_item sum = warp == 0 || known >> r & 1 ? lead[r] : first ? entering : ww_op(entering, lead[r]);
        uint32_t at = before + rank[r];
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            const bool head = of_row >> k & 1;
            put_if(head, s.value + at, sum);
#if WW_KEYS
            put_if(head, s.key + at, key[r][k]);
#endif
            at += head;
            sum = head || (k == 0 && first && warp == 0) ? x[r][k] : ww_op(sum, x[r][k]);
        }
    }
    /* Later the tiles before are done sooner, and no other warp waits for this one to put its results in order. */
    if (warp == 0) find_before(a, s, tile, here);
    __syncthreads();
    const ww_carrier carried = s.before;
    const uint64_t runs = carried.many; /* heads before: the tile's first head ends run runs - 1 */
    const uint32_t skip = runs == 0;    /* element 0 of all ends none */
    if (here > skip)
        write_in_lines(a.values, sizeof(in_item), runs + skip - 1, a.values_room, here - skip, [&](uint32_t i, uint64_t to) {
            const uint32_t j = i + skip;
            a.values[to] = j ? s.value[j] : s.begins ? value_of(carried) : ww_op(value_of(carried), s.value[0]);
        });
#if WW_KEYS
    write_in_lines(a.keys, sizeof(ww_key), runs, a.keys_room, here - (tile + 1 == a.tiles),
                   [&](uint32_t j, uint64_t to) { a.keys[to] = ww_as<ww_key>(s.key[j]); });
#endif
}

WW_DEVICE void by_key_tiles(const by_key_arguments &a) {
    WW_SHARED_LARGE(by_key_shared, s);
    ww_each_tile(a.chain, a.tiles, s.tile, [&](uint64_t tile) { by_key_tile(a, s, tile); });
}

WW_LOOP_KERNEL_HELD(reduce_by_key, by_key_arguments, WW_THREADS, WW_HELD) { by_key_tiles(ww_run_tiles(a)); }
