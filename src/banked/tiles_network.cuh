/* Sorting a tile by a team of threads, each with EACH items in registers: Batcher's bitonic network (1968), in which all
 * comparisons point one way. The bits of an item's number say where it is. At rest the lowest EACH_BITS of them number a
 * thread's registers, the next five the lanes of a warp, the highest the warps. Merging runs of 2^(k-1) to 2^k takes
 * comparisons along bit k - 1, then k - 2, and so on:
 *
 *   - of short runs, along lanes' bits by shuffles;
 *   - of longer ones the tile is converted first, through shared memory, so that the registers have the highest EACH_BITS of
 *     the k bits, and then back; the few bits in between are lanes' again. The second of two runs is reversed on the way.
 *
 * So an item goes through shared memory twice for a k, whatever k is. Both conversions are transposes, and free of bank
 * conflicts on any data: a cell more in each 32 keeps the lanes apart where each has EACH neighbours, and where they have the
 * lowest bits they are apart. (Afshani and Sitchinava, 2015, alternate sorts of rows with conversions, too.)
 *
 * Who includes this has defined what is sorted: TILE_BITS and TILE, a tile's items; tile_item with its head, of the type tile_head,
 * and before(x, y); TILES_TAILS, 1 where an item has a tail too, a ww_tail of WW_TAIL bytes.
 *
 * WW_EACH_BITS: a thread has 2^WW_EACH_BITS items. WW_SHUFFLED: of the lanes' bits so many are left to shuffles where runs
 * are a warp's; all 5, or fewer where EACH is also how many cells have one more. WW_TEAMS: tiles of a block. */
#ifndef WW_TILES_NETWORK_CUH
#define WW_TILES_NETWORK_CUH

enum {
    EACH_BITS = WW_EACH_BITS,
    EACH = 1 << EACH_BITS,
    TEAM = TILE / EACH,
    LANE_BITS = 5,
    WARP_BITS = EACH_BITS + LANE_BITS /* runs of up to 2^WARP_BITS are a warp's */
};
static_assert(TEAM >= int(WW_WARP) && TEAM * WW_TEAMS <= 1024, "a team is whole warps of a block");
static_assert(TILE_BITS <= 2 * EACH_BITS + LANE_BITS, "between the registers' two places there are lanes only");
static_assert(EACH_BITS <= LANE_BITS && WW_SHUFFLED <= LANE_BITS, "registers' two places are apart");

/* Threads that exchange items wait for one another: those of a warp, or of a team. */
WW_DEVICE void meet(bool in_warp) {
    if (TEAM == int(WW_WARP) || in_warp)
        __syncwarp();
    else
        __syncthreads();
}

/* ---- cells ---- */

/* Words of 4 bytes are in 32 banks; of 8 bytes a half warp's are moved at once, from 16 pairs of banks. */
template <int bytes> struct cells {
    enum { BANK_BITS = bytes == 8 ? 4 : 5, FROM = bytes == 8 && EACH_BITS <= 4 ? 4 : 5 };
    enum { MANY = TILE + (TILE >> FROM) + (FROM > BANK_BITS) };
    /* The byte at which the cell of item x begins. Of numbers without a common bit it is the sum. The last term keeps
     * neighbours apart that a thread takes at the end (tiles.cu). */
    static constexpr WW_DEVICE_MEMBER uint32_t of(uint32_t x) {
        return uint32_t(bytes) * (x + (x >> FROM) + (FROM > BANK_BITS ? x >> BANK_BITS & 1 : 0));
    }
};

template <class T> WW_DEVICE T &cell(void *room, uint32_t byte) {
    return *reinterpret_cast<T *>(static_cast<unsigned char *>(room) + byte);
}

/* A team's room. */
enum { HEAD_BYTES = sizeof(tile_head), TAIL_BYTES = WW_TAIL == 8 ? 8 : 4 };
struct team_room {
    alignas(16) unsigned char heads[cells<HEAD_BYTES>::MANY * HEAD_BYTES];
#if TILES_TAILS
    alignas(16) unsigned char tails[cells<TAIL_BYTES>::MANY * TAIL_BYTES];
#endif
};

/* Puts a thread's items to their cells, where `thread` is what their numbers share, and register r stands for r << SHIFT. And
 * takes half of them, from register FIRST on, with FLIPPED in the place of r's bits. */
template <int SHIFT> WW_DEVICE void put_items(team_room &room, uint32_t thread, const tile_item (&x)[EACH]) {
    const uint32_t heads = cells<HEAD_BYTES>::of(thread);
#pragma unroll
    for (int r = 0; r < EACH; r++) cell<tile_head>(room.heads, heads + cells<HEAD_BYTES>::of(r << SHIFT)) = x[r].head;
#if TILES_TAILS
    const uint32_t tails = cells<TAIL_BYTES>::of(thread);
#pragma unroll
    for (int r = 0; r < EACH; r++) cell<ww_tail>(room.tails, tails + cells<TAIL_BYTES>::of(r << SHIFT)) = x[r].tail;
#endif
}
template <int SHIFT, int FIRST, int FLIPPED>
WW_DEVICE void take_items(team_room &room, uint32_t thread, tile_item (&x)[EACH]) {
    const uint32_t heads = cells<HEAD_BYTES>::of(thread);
#pragma unroll
    for (int r = FIRST; r < FIRST + EACH / 2; r++)
        x[r].head = cell<tile_head>(room.heads, heads + cells<HEAD_BYTES>::of((r ^ FLIPPED) << SHIFT));
#if TILES_TAILS
    const uint32_t tails = cells<TAIL_BYTES>::of(thread);
#pragma unroll
    for (int r = FIRST; r < FIRST + EACH / 2; r++)
        x[r].tail = cell<ww_tail>(room.tails, tails + cells<TAIL_BYTES>::of((r ^ FLIPPED) << SHIFT));
#endif
}

/* The bits that a thread's items share at rest. */
WW_DEVICE uint32_t at_rest(uint32_t thread) { return thread << EACH_BITS; }

/* ---- the network ---- */

#include "device/kernel/comparators.cuh"

WW_DEVICE tile_item across(const tile_item &x, uint32_t lanes) {
    tile_item y;
    y.head = ww_lane_across(x.head, lanes);
#if TILES_TAILS
    y.tail = ww_lane_across(x.tail, lanes);
#endif
    return y;
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

/* Comparisons of a merge of 2^K items along the highest EACH_BITS of their bits, by way of the second layout, in which
 * registers have these. There the second run is read backwards. */
template <int K> WW_DEVICE void merge_converted(tile_item (&x)[EACH], team_room &room, uint32_t thread) {
    enum { LOW = K - EACH_BITS, HALF = EACH / 2, IN_WARP = K <= WARP_BITS };
    const uint32_t others = (1u << LOW) - 1, mine = (thread & ~others) << EACH_BITS | (thread & others);
    put_items<0>(room, at_rest(thread), x);
    meet(IN_WARP);
    take_items<LOW, 0, 0>(room, mine, x);
    take_items<LOW, HALF, HALF - 1>(room, mine ^ others, x);
    meet(IN_WARP);
    merge_within(x, HALF);
    put_items<LOW>(room, mine, x);
    meet(IN_WARP);
    take_items<0, 0, 0>(room, at_rest(thread), x);
    take_items<0, HALF, 0>(room, at_rest(thread), x);
}

/* Comparisons along lanes' bits, from `lanes` on down, and then along those of the registers. */
WW_DEVICE void merge_rest(tile_item (&x)[EACH], uint32_t thread, uint32_t lanes, int stride) {
#pragma unroll 1
    for (; lanes; lanes /= 2) merge_across(x, lanes, !(thread & lanes));
    merge_within(x, stride);
}

/* Merges runs of 2^(K - 1) items, which rise, until the tile is one. */
template <int K> WW_DEVICE void merge_runs(tile_item (&x)[EACH], team_room &room, uint32_t thread) {
    if constexpr (K <= TILE_BITS) {
        enum { NEXT = K - EACH_BITS - 1 }; /* the next bit */
        merge_converted<K>(x, room, thread);
        merge_rest(x, thread, NEXT >= EACH_BITS ? 1u << (NEXT - EACH_BITS) : 0, NEXT >= EACH_BITS ? EACH / 2 : 1 << NEXT);
        merge_runs<K + 1>(x, room, thread);
    }
}

/* Sorts the team's tile, however it stands, to where items are at rest. All threads of a block call it. */
WW_DEVICE void sort_tile(tile_item (&x)[EACH], team_room &room, uint32_t thread) {
    sort_within<1, 1>(x);
#pragma unroll 1
    for (uint32_t half = 1; half < 1u << WW_SHUFFLED; half *= 2) { /* threads of a run */
        merge_mirrored(x, 2 * half - 1, !(thread & half));
        merge_rest(x, thread, half / 2, EACH / 2);
    }
    merge_runs<EACH_BITS + WW_SHUFFLED + 1>(x, room, thread);
}

#endif
