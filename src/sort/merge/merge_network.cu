/* The merge sort's tiles of keys alone: by the network without bank conflicts that tiles of ww_tiles_sort are sorted by
 * (banked/tiles_network.cuh), whose comparisons are the same for any data. It takes fewer instructions than merges of runs up to
 * tiles of 2^14 (merge_round.cuh), since it has no cuts to look for.
 *
 * A network is not stable. That shows only where keys are equal in the order and not the same; when a tile is in order some of
 * these are neighbours. Such a tile is written as it was read, and marked: `sort_tiles` sorts it then. So is one of an order that
 * is none, where the network may have put a key of a tile that is not whole behind those that are written.
 *
 * WW_TILE_BITS: a tile has 2^WW_TILE_BITS keys. WW_EACH_BITS, WW_SHUFFLED: see there. WW_CHECKED: 0 where the order is one of the
 * library's, by which only the same keys are equal. */
#include "sort/merge/merge_element.cuh"

typedef ww_key tile_head;
struct tile_item {
    tile_head head;
};
WW_DEVICE bool before(const tile_item &x, const tile_item &y) {
#if WW_REVERSED
    return ww_before(y.head, x.head);
#else
    return ww_before(x.head, y.head);
#endif
}
enum { TILE_BITS = WW_TILE_BITS, TILE = 1 << TILE_BITS };
#define TILES_TAILS 0
#define WW_TAIL 0
#define WW_TEAMS 1
#define WW_TIES WW_CHECKED
#include "banked/tiles_network.cuh"

struct network_shared {
    team_room room;
    tile_head greatest[WW_WARP];
};

/* The greatest of a block's keys. */
WW_DEVICE tile_item greatest_of(network_shared &s, const tile_item (&x)[EACH]) {
    tile_item most = x[0];
#pragma unroll
    for (int r = 1; r < EACH; r++)
        if (before(most, x[r])) most = x[r];
#pragma unroll
    for (int lanes = 1; lanes < int(WW_WARP); lanes *= 2) {
        const tile_item other = across(most, lanes);
        if (before(most, other)) most = other;
    }
    if (threadIdx.x % WW_WARP == 0) s.greatest[threadIdx.x / WW_WARP] = most.head;
    __syncthreads();
#pragma unroll 1
    for (int warp = 0; warp < TEAM / int(WW_WARP); warp++) {
        const tile_item other = {s.greatest[warp]};
        if (before(most, other) || !warp) most = other; /* the same one in all threads */
    }
    return most;
}

/* Whether the tile's order may not be what a stable sort makes: two neighbours are equal and not the same, or what stands behind
 * the tile's `many` keys is not what was put there. */
WW_DEVICE bool is_doubtful(network_shared &s, const tile_item (&x)[EACH], uint32_t many, const tile_item &greatest) {
    bool doubtful = false;
#if WW_CHECKED
    const uint32_t mine = at_rest(threadIdx.x);
    tile_item next = x[EACH - 1];
    if (threadIdx.x + 1 < TEAM) next.head = cell<tile_head>(s.room.heads, cells<HEAD_BYTES>::of(mine + EACH));
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const tile_item &y = r + 1 < EACH ? x[r + 1] : next;
        doubtful |= !before(x[r], y) & !same_bits(x[r].head, y.head);
        if (many < TILE) doubtful |= mine + r >= many && !same_bits(x[r].head, greatest.head);
    }
#else
    (void)s, (void)x, (void)many, (void)greatest;
#endif
    return doubtful;
}

WW_GPU_KERNEL_HELD(network_tiles, network_arguments, TEAM, WW_HELD) {
    WW_SHARED_LARGE(network_shared, s);
    ww_in_line();
    clear_words(a.zeros, a.zero_words);
    const uint64_t first = blockIdx.x * uint64_t(TILE);
    const uint32_t many = uint32_t(least(TILE, a.n - first));
    const ww_key *const in = a.in + first;
    ww_key *const out = a.out + first;
    tile_item x[EACH], greatest = {};
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const uint32_t at = r * TEAM + threadIdx.x;
        x[r].head = in[at < many ? at : 0];
    }
    if (many < TILE) { /* the greatest key stands for those that are missing, and comes last */
        greatest = greatest_of(s, x);
#pragma unroll
        for (int r = 0; r < EACH; r++)
            if (r * TEAM + threadIdx.x >= many) x[r] = greatest;
    }
    sort_tile(x, s.room, threadIdx.x);
    put_items<0>(s.room, at_rest(threadIdx.x), x);
    __syncthreads();
    const bool again = WW_CHECKED && __syncthreads_or(is_doubtful(s, x, many, greatest));
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const uint32_t at = r * TEAM + threadIdx.x;
        if (at < many) out[at] = again ? in[at] : cell<tile_head>(s.room.heads, cells<HEAD_BYTES>::of(at));
    }
    if (!WW_CHECKED || threadIdx.x) return;
    a.again[blockIdx.x] = again;
    if (again && a.ties) atomicOr(a.ties, 1u);
}
