/* Tiles that are sorted, partitioned or permuted: a team of threads for each (tiles_network.cuh), which reads its tile, sorts
 * it by its heads, and writes it. A tile is read before any of it is written: outputs may be the inputs. Whether labels and
 * places are right is seen in a launch of its own before: sorted, they are what they have to be at each place, or not.
 *
 * WW_VECTOR: neighbours that a thread reads or writes at once. WW_CHECK: 1 where heads are looked at and nothing moves. */
#include "device/kernel/record.cuh"

#include "banked/tiles_item.cuh"
#include "banked/tiles_network.cuh"

enum { VECTOR = WW_VECTOR, ROWS = EACH / VECTOR, THREADS = TEAM * WW_TEAMS };

struct tiles_shared {
    team_room team[WW_TEAMS];
};

/* The first of the VECTOR neighbours that are row q's of a thread. */
WW_DEVICE uint32_t row_of(uint32_t thread, int q) { return (q * TEAM + thread) * VECTOR; }

WW_DEVICE void load_tile(const tiles_arguments &a, uint64_t first, uint32_t thread, bool there, tile_item (&x)[EACH]) {
    ww_head head[ROWS][VECTOR] = {};
    ww_tail tail[ROWS][VECTOR] = {};
#pragma unroll
    for (int q = 0; q < ROWS; q++) {
        if (!there) continue;
        ww_fetch(a.heads + first + row_of(thread, q), head[q]);
#if WW_TAIL
        ww_fetch(a.tails + first + row_of(thread, q), tail[q]);
#endif
    }
#pragma unroll
    for (int q = 0; q < ROWS; q++)
#pragma unroll
        for (int j = 0; j < VECTOR; j++) {
            tile_item &y = x[q * VECTOR + j];
            y = item_of(head[q][j], row_of(thread, q) + j);
            if (WW_TAIL) give_tail(y, tail[q][j]);
        }
}

#if WW_CHECK

/* What stands where x does not: items at rest are in order, the thread's first one at `place`. */
WW_DEVICE void check_tile(const tiles_arguments &a, uint64_t first, uint32_t place, const tile_item (&x)[EACH]) {
#pragma unroll 1
    for (int r = 0; r < EACH; r++) {
        uint32_t head = 0;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (i == r) head = WW_KIND == KIND_PARTITION ? x[i].head / TILE : x[i].head;
        const uint32_t wanted = WW_KIND == KIND_PARTITION ? (place + r) >> a.row_bits : place + r;
        if (head == wanted) continue;
        ww_report(a.checking, first + place + r, head);
        return;
    }
}

#else

WW_DEVICE void store_tile(const tiles_arguments &a, uint64_t first, uint32_t thread, bool there, team_room &room,
                          const tile_item (&x)[EACH]) {
    put_items<0>(room, at_rest(thread), x);
    meet(false);
    if (!there) return;
    const uint32_t heads = cells<HEAD_BYTES>::of(thread * VECTOR);
#if TILES_TAILS
    const uint32_t tails = cells<TAIL_BYTES>::of(thread * VECTOR);
#endif
#pragma unroll
    for (int q = 0; q < ROWS; q++) {
        ww_head head[VECTOR];
        ww_tail tail[VECTOR];
#pragma unroll
        for (int j = 0; j < VECTOR; j++) {
            tile_item y;
#if WW_KIND == 0
            y.head = cell<tile_head>(room.heads, heads + cells<HEAD_BYTES>::of(q * TEAM * VECTOR + j));
            head[j] = head_in(y);
#endif
#if TILES_TAILS
            y.tail = cell<ww_tail>(room.tails, tails + cells<TAIL_BYTES>::of(q * TEAM * VECTOR + j));
#endif
#if WW_TAIL
            tail[j] = tail_in(y);
#endif
        }
        if (WW_KIND == KIND_SORT) ww_put(a.heads_out + first + row_of(thread, q), head);
#if WW_TAIL
        ww_put(a.tails_out + first + row_of(thread, q), tail);
#endif
    }
}

#endif


#if WW_CHECK
WW_GPU_KERNEL_HELD(check_tiles, tiles_arguments, THREADS, WW_HELD) {
#else
WW_GPU_KERNEL_HELD(move_tiles, tiles_arguments, THREADS, WW_HELD) {
#endif
    WW_SHARED_LARGE(tiles_shared, s);
    if (WW_KIND != KIND_SORT && (WW_CHECK ? ww_stopped(a.checking) : ww_found_bad(a.checking))) return;
    const uint64_t tile = uint64_t(blockIdx.x) * WW_TEAMS + threadIdx.x / TEAM, first = tile * TILE;
    const bool there = tile < a.tiles; /* teams of a block go on together, also those that have none */
    const uint32_t thread = threadIdx.x % TEAM;
    team_room &room = s.team[threadIdx.x / TEAM];
    tile_item x[EACH];
    load_tile(a, first, thread, there, x);
    sort_tile(x, room, thread);
#if WW_CHECK
    if (there) check_tile(a, first, thread * EACH, x);
#else
    store_tile(a, first, thread, there, room, x);
#endif
}
