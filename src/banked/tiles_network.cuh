/* Sorting a tile by a team of threads, each with EACH items in registers: Batcher's bitonic network (1968), in which all
 * comparisons point one way. The bits of an item's number say where it is. At rest the lowest EACH_BITS of them number a
 * thread's registers, the next five the lanes of a warp, the highest the warps. Merging runs of 2^(k-1) to 2^k takes comparisons
 * along bit k - 1, then k - 2, and so on:
 *
 *   - of runs that a warp has, along lanes' bits by shuffles;
 *   - of longer ones the tile is converted first, through shared memory, so that the registers have the highest EACH_BITS of the
 *     k bits, and then back; the few bits in between are lanes' again. The second of two runs is turned round on the way.
 *
 * So an item goes through shared memory twice for a k, whatever k is. Both conversions are transposes, and free of bank
 * conflicts on any data: an item's number x has the cell x ^ h(x), where h brings the bits that lanes have in one layout to
 * those that they have in the other. (Afshani and Sitchinava, 2015, alternate sorts of rows with conversions, too.)
 *
 * WW_TILE: items of a tile; WW_EACH: of a thread; both powers of two. WW_TEAMS: tiles of a block. */
#ifndef WW_TILES_NETWORK_CUH
#define WW_TILES_NETWORK_CUH

#include "banked/tiles_item.cuh"

constexpr uint32_t bits_below(uint32_t power) { return power > 1 ? 1 + bits_below(power / 2) : 0; }

enum {
    EACH = WW_EACH,
    EACH_BITS = bits_below(EACH),
    TILE_BITS = bits_below(WW_TILE),
    TEAM = WW_TILE / EACH,
    LANE_BITS = 5,
    WARP_BITS = EACH_BITS + LANE_BITS /* runs of up to 2^WARP_BITS are a warp's */
};
static_assert(TEAM >= int(WW_WARP) && TEAM * WW_TEAMS <= 1024, "a team is whole warps of a block");
static_assert(TILE_BITS <= 2 * EACH_BITS + LANE_BITS, "between the registers' two places there are lanes only");
static_assert(EACH_BITS <= LANE_BITS + 1, "registers' two places are apart");

/* Threads that exchange items wait for one another. */
WW_DEVICE void meet() {
    if (TEAM == int(WW_WARP))
        __syncwarp();
    else
        __syncthreads();
}

/* ---- cells ---- */

/* Words of 4 bytes are in 32 banks; of 8 bytes a half warp's are moved at once, from 16 pairs of banks. */
template <int bytes> struct cells {
    enum { BANK_BITS = bytes == 8 ? 4 : 5, FROM = BANK_BITS > EACH_BITS ? BANK_BITS : EACH_BITS };
    enum { MOVED = (1 << (EACH_BITS < BANK_BITS ? EACH_BITS : BANK_BITS)) - 1 };
    /* The byte at which the cell of item x begins. Linear: of x ^ y it is the one of x ^ the one of y. The last term is there for
     * neighbours that a thread takes at the end (tiles.cu). */
    static constexpr WW_DEVICE_MEMBER uint32_t of(uint32_t x) {
        return uint32_t(bytes) * (x ^ (x >> FROM & MOVED) ^ (FROM > BANK_BITS ? x >> BANK_BITS & 1 : 0));
    }
};

template <class T> WW_DEVICE T &cell(void *room, uint32_t byte) {
    return *reinterpret_cast<T *>(static_cast<unsigned char *>(room) + byte);
}

/* A layout: where a thread's registers are. Register r has the cell that the thread's own and those of r's bits lead to. */
template <int bytes> struct layout {
    uint32_t own, bit[EACH_BITS];
};

/* At rest; with `turned` not 0 items are where others are whose numbers differ in these bits. */
template <int bytes> WW_DEVICE layout<bytes> layout_at_rest(uint32_t thread, uint32_t turned) {
    layout<bytes> l;
    l.own = cells<bytes>::of(thread << EACH_BITS ^ turned);
#pragma unroll
    for (int b = 0; b < EACH_BITS; b++) l.bit[b] = cells<bytes>::of(1u << b);
    return l;
}

/* Registers have the bits below bit k. */
template <int bytes> WW_DEVICE layout<bytes> layout_below(uint32_t thread, uint32_t k) {
    const uint32_t low = k - EACH_BITS, below = thread & ((1u << low) - 1);
    layout<bytes> l;
    l.own = cells<bytes>::of(thread >> low << k | below);
#pragma unroll
    for (int b = 0; b < EACH_BITS; b++) l.bit[b] = cells<bytes>::of(1u << b << low);
    return l;
}

template <int bytes> WW_DEVICE uint32_t cell_of(const layout<bytes> &l, int r) {
    uint32_t at = l.own;
#pragma unroll
    for (int b = 0; b < EACH_BITS; b++)
        if (r >> b & 1) at ^= l.bit[b];
    return at;
}

/* ---- conversions ---- */

/* A team's room. */
struct team_room {
    alignas(16) unsigned char heads[WW_TILE * sizeof(tile_head)];
#if TILES_TAILS
    alignas(16) unsigned char tails[WW_TILE * WW_TAIL];
#endif
};

enum { HEAD_BYTES = sizeof(tile_head), TAIL_BYTES = WW_TAIL == 8 ? 8 : 4 };

struct item_layout {
    layout<HEAD_BYTES> heads;
#if TILES_TAILS
    layout<TAIL_BYTES> tails;
#endif
};

WW_DEVICE item_layout items_at_rest(uint32_t thread, uint32_t turned) {
    item_layout l;
    l.heads = layout_at_rest<HEAD_BYTES>(thread, turned);
#if TILES_TAILS
    l.tails = layout_at_rest<TAIL_BYTES>(thread, turned);
#endif
    return l;
}
WW_DEVICE item_layout items_below(uint32_t thread, uint32_t k) {
    item_layout l;
    l.heads = layout_below<HEAD_BYTES>(thread, k);
#if TILES_TAILS
    l.tails = layout_below<TAIL_BYTES>(thread, k);
#endif
    return l;
}

WW_DEVICE void put_items(team_room &room, const item_layout &l, const tile_item (&x)[EACH]) {
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        cell<tile_head>(room.heads, cell_of(l.heads, r)) = x[r].head;
#if TILES_TAILS
        cell<ww_tail>(room.tails, cell_of(l.tails, r)) = x[r].tail;
#endif
    }
}
WW_DEVICE void take_items(team_room &room, const item_layout &l, tile_item (&x)[EACH]) {
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        x[r].head = cell<tile_head>(room.heads, cell_of(l.heads, r));
#if TILES_TAILS
        x[r].tail = cell<ww_tail>(room.tails, cell_of(l.tails, r));
#endif
    }
}

/* ---- the network ---- */

/* Comparisons along registers' bits, from `stride` on down. */
WW_DEVICE void merge_within(tile_item (&x)[EACH], int stride) {
#pragma unroll
    for (; stride; stride /= 2)
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (!(i & stride)) put_in_order(x[i], x[i | stride]);
}

/* Sorts a thread's items, by Batcher's odd-even merges, which compare less often: runs of P, by comparisons K apart. */
template <int P, int K> WW_DEVICE void sort_within(tile_item (&x)[EACH]) {
#pragma unroll
    for (int i = K % P; i + K < EACH; i++)
        if ((i - K % P) / K % 2 == 0 && i / (2 * P) == (i + K) / (2 * P)) put_in_order(x[i], x[i + K]);
    if constexpr (K > 1)
        sort_within<P, K / 2>(x);
    else if constexpr (2 * P < EACH)
        sort_within<2 * P, 2 * P>(x);
}

/* Comparisons along a lanes' bit: with the lane whose number differs in `lanes`. */
WW_DEVICE void merge_across(tile_item (&x)[EACH], uint32_t lanes, bool lower) {
#pragma unroll
    for (int i = 0; i < EACH; i++) x[i] = kept(x[i], across(x[i], lanes), lower);
}

/* The first comparisons of a merge, where both runs rise: with the other run's items backwards. */
WW_DEVICE void merge_mirrored(tile_item (&x)[EACH], uint32_t lanes, bool lower) {
#pragma unroll
    for (int i = 0; i < EACH / 2; i++) {
        const int j = EACH - 1 - i;
        const tile_item to_i = across(x[j], lanes), to_j = across(x[i], lanes);
        x[i] = kept(x[i], to_i, lower);
        x[j] = kept(x[j], to_j, lower);
    }
}

/* Comparisons of a merge of 2^k items along the highest EACH_BITS of their bits, by way of the second layout. What it has
 * written others have read, when it returns. */
WW_DEVICE void merge_converted(tile_item (&x)[EACH], team_room &room, uint32_t thread, uint32_t k) {
    const bool second = thread >> (k - 1 - EACH_BITS) & 1; /* the same for a warp */
    const item_layout high = items_below(thread, k);
    put_items(room, items_at_rest(thread, second ? (1u << (k - 1)) - 1 : 0), x);
    meet();
    take_items(room, high, x);
    merge_within(x, EACH / 2);
    put_items(room, high, x);
    meet();
    take_items(room, items_at_rest(thread, 0), x);
    meet();
}

/* Sorts the team's tile, however it stands, to where items are at rest. All threads of a block call it. */
WW_DEVICE void sort_tile(tile_item (&x)[EACH], team_room &room, uint32_t thread) {
    sort_within<1, 1>(x);
#pragma unroll 1
    for (uint32_t k = EACH_BITS + 1; k <= TILE_BITS; k++) {
        const uint32_t half = 1u << (k - 1 - EACH_BITS); /* threads of a run */
        uint32_t lanes = half / 2;
        if (k <= WARP_BITS) {
            merge_mirrored(x, 2 * half - 1, !(thread & half));
        } else {
            merge_converted(x, room, thread, k);
            lanes = (1u << (k - 2 * EACH_BITS)) / 2;
        }
#pragma unroll 1
        for (; lanes; lanes /= 2) merge_across(x, lanes, !(thread & lanes));
        merge_within(x, EACH / 2);
    }
}

#endif
