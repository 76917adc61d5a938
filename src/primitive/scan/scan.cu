/* Scans in one pass over memory, plain and segmented: tiles in a chain (device/kernel/lookback.cuh).
 *
 * A warp has WW_ROWS rows of 32 batches of WW_ITEMS neighbours, so that a row is read and written in whole lines. Each lane
 * adds up its batch, the lanes are scanned by shuffles, rows and then warps follow one another. Reads each input element
 * once and writes each output element once.
 *
 * WW_SEGMENTS: 0 none, 1 by head flags, 2 by changes of keys. A carrier of a segmented scan says whether a segment begins in
 * what it sums: then what is before does not matter (Blelloch 1990; Sengupta et al. 2007). */
#if WW_SEGMENTS
struct ww_carrier {
    ww_item value;
    uint32_t head;
};
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    ww_carrier z;
    z.value = y.head ? y.value : ww_op(x.value, y.value);
    z.head = x.head | y.head;
    return z;
}
#else
struct ww_carrier {
    ww_item value;
};
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    ww_carrier z;
    z.value = ww_op(x.value, y.value);
    return z;
}
#endif

#if WW_PACKED
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) {
    ww_words<ww_item> w;
    w.word[0] = 0;
    w.value = c.value;
#if WW_SEGMENTS
    return uint64_t(w.word[0]) << 32 | c.head << 2;
#else
    return uint64_t(w.word[0]) << 32;
#endif
}
WW_DEVICE ww_carrier ww_unpack(uint64_t word) {
    ww_words<ww_item> w;
    w.word[0] = uint32_t(word >> 32);
    ww_carrier c;
    c.value = w.value;
#if WW_SEGMENTS
    c.head = uint32_t(word) >> 2 & 1;
#endif
    return c;
}
#endif

#include "device/kernel/lookback.cuh"

struct scan_arguments {
    ww_item *out, *total; /* total: one element, or null */
    uint64_t count, tiles;
    ww_chain chain;
    alignas(16) ww_item initial;  /* what precedes the first element, or a segment's: the identity where none is given */
    alignas(16) ww_item identity;
    in_input in;
#if WW_SEGMENTS
    by_input by;
#endif
};

enum { WARPS = WW_THREADS / WW_WARP, TILE = WW_THREADS * WW_ROWS * WW_ITEMS };

struct scan_shared {
    uint32_t tile;
    ww_carrier warp[WARPS], before;
};

/* The carriers of a batch, `many` of which are elements (the rest stand for nothing). */
WW_DEVICE void read_batch(const scan_arguments &a, uint64_t first, uint32_t many, ww_carrier (&c)[WW_ITEMS]) {
    ww_item x[WW_ITEMS];
    if (many == WW_ITEMS) {
        in_read(a.in, first, x);
    } else {
        for (uint32_t k = 0; k < WW_ITEMS; k++) x[k] = k < many ? in_at(a.in, first + k) : a.identity;
    }
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) c[k].value = x[k];
#if WW_SEGMENTS
    by_item by[WW_ITEMS];
    if (many == WW_ITEMS) {
        by_read(a.by, first, by);
    } else {
        for (uint32_t k = 0; k < many; k++) by[k] = by_at(a.by, first + k);
    }
#if WW_SEGMENTS == 2
    by_item previous = by_at(a.by, first && many ? first - 1 : 0);
#endif
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        const bool there = uint32_t(k) < many;
#if WW_SEGMENTS == 1
        c[k].head = there && by[k] != 0;
#else
        c[k].head = there && !ww_same(previous, by[k]);
        previous = by[k];
#endif
        if (there && first + k == 0) c[k].head = 1;
#if WW_INITIAL
        if (c[k].head) c[k].value = ww_op(a.initial, c[k].value);
#endif
    }
#endif
}

/* Writes a batch that `c` precedes. */
WW_DEVICE void write_batch(const scan_arguments &a, uint64_t first, uint32_t many, ww_carrier c,
                           const ww_carrier (&x)[WW_ITEMS]) {
    ww_item out[WW_ITEMS];
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
#if WW_EXCLUSIVE && WW_SEGMENTS
        out[k] = x[k].head ? a.initial : c.value;
#elif WW_EXCLUSIVE
        out[k] = c.value;
#endif
        c = ww_join(c, x[k]);
#if !WW_EXCLUSIVE
        out[k] = c.value;
#endif
    }
    if (many == WW_ITEMS) {
        ww_put(a.out + first, out);
    } else {
        for (uint32_t k = 0; k < many; k++) a.out[first + k] = out[k];
    }
}

WW_GPU_KERNEL(scan, scan_arguments, WW_THREADS) {
    WW_SHARED(scan_shared, s);
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    const uint64_t tile = ww_take_tile(a.chain, s.tile);
    const uint64_t mine = tile * TILE + (warp * WW_ROWS * WW_WARP + lane) * WW_ITEMS;
    ww_carrier x[WW_ROWS][WW_ITEMS], lead[WW_ROWS]; /* lead: what precedes a batch in its warp's rows */
    uint32_t many[WW_ROWS];
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t first = mine + r * WW_WARP * WW_ITEMS;
        many[r] = first + WW_ITEMS <= a.count ? WW_ITEMS : first < a.count ? uint32_t(a.count - first) : 0;
        read_batch(a, first, many[r], x[r]);
    }
    ww_carrier nothing = {}, rows; /* rows: the sum of the warp's rows so far */
    nothing.value = a.identity;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        ww_carrier sum = x[r][0];
#pragma unroll
        for (int k = 1; k < WW_ITEMS; k++) sum = ww_join(sum, x[r][k]);
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) {
            const ww_carrier earlier = ww_lane_before(sum, by);
            if (lane >= by) sum = ww_join(earlier, sum);
        }
        const ww_carrier neighbour = ww_lane_before(sum, 1);
        lead[r] = r ? lane ? ww_join(rows, neighbour) : rows : lane ? neighbour : nothing;
        const ww_carrier row = ww_lane(sum, WW_WARP - 1);
        rows = r ? ww_join(rows, row) : row;
    }
    if (lane == 0) s.warp[warp] = rows;
    __syncthreads();
    if (warp == 0) {
        ww_carrier sum = s.warp[0], before = nothing;
        for (int w = 1; w < WARPS; w++) sum = ww_join(sum, s.warp[w]);
        if (tile == 0) {
            before.value = a.initial;
        } else {
            if (lane == 0) ww_publish(a.chain, tile, WW_OWN_SUM, sum);
            before = ww_look_back(a.chain, tile);
        }
        sum = ww_join(before, sum);
        if (lane == 0) {
            ww_publish(a.chain, tile, WW_ALL_BEFORE_TOO, sum);
            s.before = before;
            if (a.total && tile + 1 == a.tiles) *a.total = sum.value;
        }
    }
    __syncthreads();
    ww_carrier before = s.before;
    for (uint32_t w = 0; w < warp; w++) before = ww_join(before, s.warp[w]);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
        if (many[r])
            write_batch(a, mine + r * WW_WARP * WW_ITEMS, many[r],
                        r || lane ? ww_join(before, lead[r]) : before, x[r]);
}
