/* Scans in one pass over memory, plain and segmented: tiles in a chain (device/kernel/lookback.cuh).
 *
 * A warp has WW_ROWS rows of 32 batches of WW_ITEMS neighbours, so that a row is read and written in whole lines. Each lane
 * adds up its batch, the lanes are scanned by shuffles, rows and then warps follow one another. Reads each input element
 * once and writes each output element once.
 *
 * WW_BEHIND: the total goes behind the last element, too. WW_SEGMENTS: 0 none, 1 by head flags, 2 by changes of keys (Blelloch 1990; Sengupta et al. 2007). Heads of a batch are bits. In
 * a row a ballot tells each lane where its segment begins, and sums from before that are not added. Between warps and tiles
 * a carrier says whether a segment begins in what it sums: then what is before does not matter. */
#if WW_SEGMENTS
/* A number as long as items are aligned: no bytes are left between carriers that nobody writes. */
template <int alignment> struct ww_head {
    typedef uint32_t type;
};
template <> struct ww_head<8> {
    typedef uint64_t type;
};
template <> struct ww_head<16> {
    typedef ww_u128 type;
};
struct ww_carrier {
    ww_item value;
    ww_head<alignof(ww_item)>::type head;
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

WW_DEVICE bool has_head(const ww_carrier &c) {
#if WW_SEGMENTS
    return c.head;
#else
    (void)c;
    return false;
#endif
}

#if WW_PACKED == 2
WW_DEVICE void ww_pack(const ww_carrier &c, uint64_t (&word)[2]) {
    ww_words<ww_item> w;
    w.word[0] = w.word[1] = 0;
    w.value = c.value;
    word[0] = uint64_t(w.word[0]) << 32 | uint64_t(has_head(c)) << 2;
    word[1] = uint64_t(w.word[1]) << 32;
}
WW_DEVICE ww_carrier ww_unpack(const uint64_t (&word)[2]) {
    ww_words<ww_item> w;
    w.word[0] = uint32_t(word[0] >> 32);
    w.word[1] = uint32_t(word[1] >> 32);
    ww_carrier c;
    c.value = w.value;
#if WW_SEGMENTS
    c.head = uint32_t(word[0]) >> 2 & 1;
#endif
    return c;
}
#elif WW_PACKED
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) {
    ww_words<ww_item> w;
    w.word[0] = 0;
    w.value = c.value;
#if WW_SEGMENTS
    return uint64_t(w.word[0]) << 32 | uint64_t(c.head) << 2;
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

#include "device/kernel/counted.cuh"
#include "device/kernel/lookback.cuh"

#include "primitive/scan/scan_arguments.cuh"

#ifndef WW_BEHIND
#define WW_BEHIND 0
#endif

#ifndef WW_INTO
#define WW_INTO 0 /* 1: the output is computed */
#endif
#if WW_INTO
#include "device/kernel/into.cuh"
#endif

struct scan_arguments : scan_fixed {
    alignas(16) ww_item initial;  /* what precedes the first element, or a segment's: the identity where none is given */
    alignas(16) ww_item identity;
    in_input in;
#if WW_SEGMENTS
    by_input by;
#endif
#if WW_INTO
    ww_into into;
#endif
};

enum { WARPS = WW_THREADS / WW_WARP, TILE = WW_THREADS * WW_ROWS * WW_ITEMS };

struct scan_shared {
    uint32_t tile;
    ww_carrier warp[WARPS], before;
};

WW_DEVICE bool is_head(uint32_t heads, int k) {
#if WW_SEGMENTS
    return heads >> k & 1;
#else
    return false;
#endif
}

/* The heads of a batch, a bit each. Every lane of the warp calls it: a key is compared with the neighbour's. */
WW_DEVICE uint32_t read_heads(const scan_arguments &a, uint64_t first, uint32_t many) {
    uint32_t heads = 0;
#if WW_SEGMENTS
    by_item by[WW_ITEMS];
    if (many == WW_ITEMS) {
        by_read(a.by, first, by);
    } else {
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) by[k] = by_at(a.by, uint32_t(k) < many ? first + k : a.count - 1);
    }
#if WW_SEGMENTS == 1
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) heads |= uint32_t(by[k] != 0) << k;
#else
    by_item previous = ww_lane_before(by[WW_ITEMS - 1], 1);
    if (threadIdx.x % WW_WARP == 0) previous = by_at(a.by, first && many ? first - 1 : 0);
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        heads |= uint32_t(!ww_same(previous, by[k])) << k;
        previous = by[k];
    }
#endif
    heads &= (1u << many) - 1;
    if (first == 0) heads |= 1;
#endif
    return heads;
}

WW_DEVICE void read_batch(const scan_arguments &a, uint64_t first, uint32_t many, uint32_t heads, ww_item (&x)[WW_ITEMS]) {
    if (many == WW_ITEMS) {
        in_read(a.in, first, x);
    } else {
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            x[k] = a.identity;
            if (uint32_t(k) < many) x[k] = in_at(a.in, first + k);
        }
    }
#if WW_SEGMENTS && WW_INITIAL
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++)
        if (is_head(heads, k)) x[k] = ww_op(a.initial, x[k]);
#endif
}

/* WW_EXCLUSIVE: 0 not, 1 yes, 2 as the arguments say, in one program for both. */
WW_DEVICE bool is_exclusive(const scan_arguments &a) { return WW_EXCLUSIVE == 2 ? a.exclusive : WW_EXCLUSIVE; }

/* Writes a batch that `sum` precedes. */
WW_DEVICE void write_batch(const scan_arguments &a, uint64_t first, uint32_t many, uint32_t heads, ww_item sum,
                           const ww_item (&x)[WW_ITEMS]) {
    ww_item out[WW_ITEMS];
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        if (is_exclusive(a)) out[k] = is_head(heads, k) ? a.initial : sum;
        sum = is_head(heads, k) ? x[k] : ww_op(sum, x[k]);
        if (!is_exclusive(a)) out[k] = sum;
    }
#if WW_INTO
    ww_put_batch_into(a.into, first, many, out);
    return;
#endif
    if (many == WW_ITEMS) {
        ww_put(a.out + first, out);
    } else {
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++)
            if (uint32_t(k) < many) a.out[first + k] = out[k];
    }
}

WW_DEVICE void scan_tile(const scan_arguments &a, scan_shared &s, uint64_t tile) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    const uint64_t mine = tile * TILE + (warp * WW_ROWS * WW_WARP + lane) * WW_ITEMS;
    ww_item x[WW_ROWS][WW_ITEMS], lead[WW_ROWS]; /* lead: what precedes a batch in its warp's rows */
    uint32_t many[WW_ROWS], heads[WW_ROWS];
    uint32_t lead_heads = 0; /* bit r: a segment begins in what lead[r] sums */
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t first = mine + r * WW_WARP * WW_ITEMS;
        many[r] = first + WW_ITEMS <= a.count ? WW_ITEMS : first < a.count ? uint32_t(a.count - first) : 0;
        heads[r] = read_heads(a, first, many[r]);
        read_batch(a, first, many[r], heads[r], x[r]);
    }
    ww_carrier nothing = {}, rows; /* rows: the sum of the warp's rows so far */
    nothing.value = a.identity;
    rows = nothing;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        ww_item sum = x[r][0];
#pragma unroll
        for (int k = 1; k < WW_ITEMS; k++) sum = is_head(heads[r], k) ? x[r][k] : ww_op(sum, x[r][k]);
#if WW_SEGMENTS
        /* Lanes with a head, at and before this one; the nearest is where its sum begins. */
        const uint32_t with_head = __ballot_sync(WW_ALL, heads[r] != 0);
        const uint32_t up_to_mine = with_head & (0xFFFFFFFFu >> (WW_WARP - 1 - lane)), before_mine = with_head & ((1u << lane) - 1);
        const uint32_t begins = up_to_mine ? WW_WARP - 1 - __clz(int(up_to_mine)) : 0;
#else
        const uint32_t with_head = 0, before_mine = 0, begins = 0;
#endif
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) {
            const ww_item earlier = ww_lane_before(sum, by);
            if (lane >= begins + by) sum = ww_op(earlier, sum);
        }
        const ww_item neighbour = ww_lane_before(sum, 1), row = ww_lane(sum, WW_WARP - 1);
        lead[r] = lane == 0 ? rows.value : r && !before_mine ? ww_op(rows.value, neighbour) : neighbour;
        rows.value = r && !with_head ? ww_op(rows.value, row) : row;
#if WW_SEGMENTS
        lead_heads |= uint32_t(rows.head || before_mine) << r;
        rows.head |= with_head != 0;
#endif
    }
    if (lane == 0) s.warp[warp] = rows;
    __syncthreads();
    if (warp == 0) {
        ww_carrier sum = s.warp[0], before = nothing;
        for (int w = 1; w < WARPS; w++) sum = ww_join(sum, s.warp[w]);
        const bool known = has_head(sum); /* what precedes the tile does not matter to the next one: it need not wait */
        if (tile == 0) {
            before.value = a.initial;
        } else {
            if (lane == 0) ww_publish(a.chain, tile, known ? WW_ALL_BEFORE_TOO : WW_OWN_SUM, sum);
            before = ww_look_back(a.chain, tile);
        }
        sum = ww_join(before, sum);
        if (lane == 0) {
            if (tile == 0 || !known) ww_publish(a.chain, tile, WW_ALL_BEFORE_TOO, sum);
            s.before = before;
            if (a.total && tile + 1 == a.tiles) {
                *a.total = sum.value;
                if (WW_BEHIND) a.out[a.count] = sum.value;
            }
        }
    }
    __syncthreads();
    ww_carrier before = s.before;
    for (uint32_t w = 0; w < warp; w++) before = ww_join(before, s.warp[w]);
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++)
        if (many[r])
            write_batch(a, mine + r * WW_WARP * WW_ITEMS, many[r], heads[r],
                        lead_heads >> r & 1 ? lead[r] : r || lane ? ww_op(before.value, lead[r]) : before.value, x[r]);
}

WW_DEVICE void scan_tiles(const scan_arguments &a) {
    WW_SHARED(scan_shared, s);
    if (WW_COUNT_AT && WW_SEGMENTS && !a.count) { /* there is no key to begin with */
        if (!blockIdx.x && !threadIdx.x && a.total) *a.total = a.initial;
        return;
    }
    ww_each_tile(a.chain, a.tiles, s.tile, [&](uint64_t tile) { scan_tile(a, s, tile); });
}

WW_LOOP_KERNEL_HELD(scan, scan_arguments, WW_THREADS, WW_HELD) { scan_tiles(ww_counted_tiles(a, TILE)); }
