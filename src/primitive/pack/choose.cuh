/* Choosing elements by flags, by a predicate or by changes, in one pass: what pack, unique and split are made of.
 *
 * A tile's elements are read once, in rows of 32 batches of WW_ITEMS neighbours a warp, with what chooses them. Each element
 * gets a place: how many of its side stand before it, in its batch by counting bits, in its row by a scan over the warp (all
 * rows at once, their counts in the fields of a word), in its tile by adding up the warps before, and of all tiles before by
 * look-back (device/kernel/lookback.cuh). While one warp looks back, the others put the tile's elements in order in shared
 * memory; from there both sides are written in whole lines.
 *
 * WW_CHOICE: 1 flags, 2 the predicate ww_choose, 3 changes: elements whose bytes differ from the ones before, or (WW_EQUAL) that the
 * caller's ww_equal does not call equal to them.
 * WW_SPLIT: 0 what is chosen is the first side and nothing else is written; 1 it is the second side.
 * WW_IN_PLACE: whether elements are read where they are written. A tile writes to places of its own and of tiles before it, and when
 * it has looked back all those have read their elements, which a tile does before it publishes its count (WW_CHAIN_ORDERS). Where
 * neighbours are compared the tile behind may still read this one's last element: where nothing was left out, that would be written to
 * its own place, and is not.
 * WW_PIECE: 0 elements stand in registers and in shared memory; else these are long elements in memory, of which shared memory
 * has the positions, and they are copied in words of so many bytes. WW_BYTES: 1 where a.size says how long they are. */
#include "device/kernel/count.cuh"
#include "device/kernel/counted.cuh"
#include "device/kernel/rows.cuh"
#include "primitive/pack/choose_arguments.cuh"
#include "device/kernel/differ.cuh"

struct choose_arguments : choose_fixed {
#if WW_CHOICE == 2 || WW_EQUAL
    ww_environment environment;
#endif
    in_input in;
#if WW_CHOICE == 1
    by_input by;
#endif
};

#if WW_PIECE == 0
typedef in_item ww_slot;
#else
typedef uint32_t ww_slot; /* a position in the tile */
#endif
typedef ww_word<WW_PIECE>::type ww_piece;

struct choose_shared {
    alignas(16) ww_slot slot[TILE];
    uint64_t before;
    uint32_t tile, warp[WARPS];
};

#if WW_CHOICE == 2
/* By the predicate, with the environment that any kernel's arguments have. */
template <class A> WW_DEVICE bool chosen_element(const A &a, const in_item &x) {
    return ww_choose(x, a.environment.at()) != 0;
}
#endif

/* Bytes of a long element. */
WW_DEVICE uint64_t long_size(const choose_arguments &a) { return WW_BYTES ? a.size : uint64_t(sizeof(ww_item)); }

/* Whether long element i differs from the one before. */
WW_DEVICE bool changes_at(const choose_arguments &a, uint64_t i) {
    bool differs = i == 0;
#if WW_PIECE && WW_EQUAL
    differs = differs || ww_differ(a, in_at(a.in, i - 1), in_at(a.in, i));
#elif WW_PIECE
    const uint32_t many = uint32_t(long_size(a) / WW_PIECE);
    const unsigned char *x = reinterpret_cast<const unsigned char *>(a.in.memory0) + i * long_size(a);
    for (uint32_t p = 0; p < many && !differs; p++)
        differs = !ww_same(reinterpret_cast<const ww_piece *>(x)[p], reinterpret_cast<const ww_piece *>(x - long_size(a))[p]);
#endif
    return differs;
}

/* Reads a thread's elements from `mine` on, and gives a bit for each that is of the first side. `whole`: the tile does not
 * reach over the end. Every lane of the warp calls it. */
template <bool whole> WW_DEVICE uint32_t read_elements(const choose_arguments &a, uint64_t mine, ww_slot (&x)[WW_ROWS][WW_ITEMS]) {
    uint32_t bits = 0;
#if WW_CHOICE == 1
    by_item by[WW_ROWS][WW_ITEMS];
#endif
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t first = mine + r * ROW;
        if (whole || first + WW_ITEMS <= a.count) {
#if WW_CHOICE == 1
            by_read(a.by, first, by[r]);
#endif
#if WW_PIECE == 0
            in_read(a.in, first, x[r]);
#endif
        } else {
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) {
                const uint64_t i = first + k < a.count ? first + k : a.count - 1;
                (void)i;
#if WW_CHOICE == 1
                by[r][k] = by_at(a.by, i);
#endif
#if WW_PIECE == 0
                x[r][k] = in_at(a.in, i);
#endif
            }
        }
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        const uint64_t first = mine + r * ROW;
#if WW_CHOICE == 3 && WW_PIECE == 0
        in_item previous = ww_lane_before(x[r][WW_ITEMS - 1], 1);
        if (threadIdx.x % WW_WARP == 0 && first && first < a.count) previous = in_at(a.in, first - 1);
#endif
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            const bool there = whole || first + k < a.count;
            bool chosen;
#if WW_CHOICE == 1
            chosen = by[r][k] != 0;
#elif WW_CHOICE == 2 && WW_PIECE == 0
            chosen = chosen_element(a, x[r][k]);
#elif WW_CHOICE == 2
            chosen = there && chosen_element(a, in_at(a.in, first + k));
#elif WW_PIECE == 0
            chosen = first + k == 0 || ww_differ(a, previous, x[r][k]);
            previous = x[r][k];
#else
            chosen = there && changes_at(a, first + k);
#endif
            bits |= uint32_t(there && chosen != WW_SPLIT) << (r * WW_ITEMS + k);
        }
    }
    return bits;
}

/* Tells the tiles behind of this one, and this block what the tiles before have. Called by one warp. */
WW_DEVICE void find_before(const choose_arguments &a, choose_shared &s, uint64_t tile, uint32_t here) {
    ww_count_before(a.chain, tile, here, [&](uint64_t before, uint64_t all) {
        s.before = before;
        if (tile + 1 == a.tiles) *a.total = ww_count(all);
    });
}

/* Puts a thread's elements in their places in the tile's order: the first side, of which there are `here`, then the second. */
WW_DEVICE void put_in_order(const choose_arguments &a, choose_shared &s, uint64_t tile, uint32_t bits, uint32_t before,
                            const uint32_t (&rank)[WW_ROWS], uint32_t here, const ww_slot (&x)[WW_ROWS][WW_ITEMS]) {
    const uint32_t mine = place_in_tile();
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        uint32_t place = before + rank[r];
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            const uint32_t in_tile = mine + r * ROW + k;
            const bool first = bits >> (r * WW_ITEMS + k) & 1;
            const uint32_t at = first ? place : here + in_tile - place;
            if (first || (WW_SPLIT && tile * TILE + in_tile < a.count)) {
#if WW_PIECE == 0
                s.slot[at] = x[r][k];
#else
                s.slot[at] = in_tile;
#endif
            }
            place += first;
        }
    }
}

/* Writes `many` elements of the tile's order, from `from` on, to out[to], out[to + 1], ...; or backwards. */
template <bool backwards>
WW_DEVICE void write_side(const choose_arguments &a, const choose_shared &s, uint64_t tile, uint32_t from, uint32_t many, uint64_t to) {
#if WW_PIECE == 0
    /* Warps begin where lines do. */
    const uint32_t line = uint32_t(reinterpret_cast<uintptr_t>(a.out + to) / sizeof(ww_item)) % WW_WARP;
    const uint32_t shift = backwards ? WW_WARP - 1 - line : line;
    for (uint32_t i = threadIdx.x; i < many + shift; i += WW_THREADS) {
        if (i < shift) continue;
        if (WW_IN_PLACE && WW_CHOICE == 3 && to + (i - shift) == tile * TILE + TILE - 1) continue;
        ww_both<ww_item, in_item> x; /* as ww_as, which the compiler makes more instructions of here */
        x.from = s.slot[from + i - shift];
        a.out[backwards ? to - (i - shift) : to + (i - shift)] = x.to;
    }
#else
    const uint32_t pieces = uint32_t(long_size(a) / WW_PIECE);
    const ww_piece *in = reinterpret_cast<const ww_piece *>(a.in.memory0);
    ww_piece *out = reinterpret_cast<ww_piece *>(a.out);
    for (uint64_t w = threadIdx.x; w < uint64_t(many) * pieces; w += WW_THREADS) {
        const uint32_t i = uint32_t(w / pieces), piece = uint32_t(w % pieces);
        out[(backwards ? to - i : to + i) * pieces + piece] = in[(tile * TILE + s.slot[from + i]) * pieces + piece];
    }
#endif
}

/* Whether there is no element, as a count on the device says; then the total is written here. */
WW_DEVICE bool chooses_nothing(const choose_arguments &a) {
    if (!WW_COUNT_AT || a.count) return false;
    if (!blockIdx.x && !threadIdx.x) *a.total = 0;
    return true;
}

/* All but the writing: afterwards the tile's elements stand in order in shared memory. Returns how many are of the first side. */
WW_DEVICE uint32_t choose_tile(const choose_arguments &a, choose_shared &s, uint64_t tile) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    ww_slot x[WW_ROWS][WW_ITEMS];
    uint32_t rank[WW_ROWS];
    const uint64_t mine = tile * TILE + place_in_tile();
    const uint32_t bits = (tile + 1) * TILE <= a.count ? read_elements<true>(a, mine, x) : read_elements<false>(a, mine, x);
    const uint32_t of_warp = warp_ranks<(ROW < 256 ? 8 : 16)>(bits, rank);
    if (lane == 0) s.warp[warp] = of_warp;
    __syncthreads();
    uint32_t before = 0, here = 0;
#pragma unroll
    for (uint32_t w = 0; w < WARPS; w++) {
        const uint32_t other = s.warp[w];
        before += w < warp ? other : 0;
        here += other;
    }
    if (warp == 0) find_before(a, s, tile, here);
    put_in_order(a, s, tile, bits, before, rank, here, x);
    __syncthreads();
    return here;
}
