/* What moves when tiles are sorted: a head, which is compared, and a tail, which goes along.
 *
 * WW_TILE_BITS: a tile has 2^WW_TILE_BITS items. WW_HEAD: bytes of a head, 4 or 8. WW_TAIL: bytes of a tail, or 0. WW_KIND: 0
 * heads are keys, and equal ones are ordered by their tails; 1 labels, to which the item's place is added; 2 places.
 * WW_ORDER: what keys are (key_order.cuh). */
#ifndef WW_TILES_ITEM_CUH
#define WW_TILES_ITEM_CUH

typedef ww_number<WW_HEAD>::type ww_head;
typedef ww_number<WW_TAIL>::type ww_tail;

#include "banked/tiles_arguments.cuh"
#include "device/kernel/key_number.cuh"

enum { TILE_BITS = WW_TILE_BITS, TILE = 1 << TILE_BITS };
enum { KIND_SORT, KIND_PARTITION, KIND_PERMUTE };

/* A head and a tail of 4 bytes are one number where both are compared. */
#define TILES_JOINED (WW_HEAD == 4 && WW_TAIL == 4 && WW_KIND == 0)
#define TILES_TAILS (WW_TAIL && !TILES_JOINED) /* tails are exchanged by themselves */

#if TILES_JOINED
typedef uint64_t tile_head;
#else
typedef ww_head tile_head;
#endif

struct tile_item {
    tile_head head;
#if TILES_TAILS
    ww_tail tail;
#endif
};

WW_DEVICE bool before(const tile_item &x, const tile_item &y) {
#if TILES_TAILS && WW_KIND == 0
    return x.head < y.head || (x.head == y.head && x.tail < y.tail);
#else
    return x.head < y.head;
#endif
}

/* ---- items of memory ---- */

/* The item whose head is `head`, as it is in memory, which stands at `place` of its tile. */
WW_DEVICE tile_item item_of(ww_head head, uint32_t place) {
    tile_item x;
#if WW_KIND == 1
    const uint32_t bad = TILE; /* comes behind all labels, and is none: there are at most TILE of them */
    x.head = (head < bad ? head : bad) * uint32_t(TILE) + place;
#else
    (void)place;
    x.head = ww_key_number<WW_ORDER, false>(head);
#endif
    return x;
}

WW_DEVICE void give_tail(tile_item &x, ww_tail tail) {
#if TILES_JOINED
    x.head = x.head << 32 | tail;
#elif TILES_TAILS
    x.tail = tail;
#else
    (void)x, (void)tail;
#endif
}

WW_DEVICE ww_head head_in(const tile_item &x) {
    return ww_number_key<WW_ORDER, false>(ww_head(TILES_JOINED ? x.head >> (8 * sizeof x.head - 32) : x.head));
}

WW_DEVICE ww_tail tail_in(const tile_item &x) {
#if TILES_TAILS
    return x.tail;
#else
    return ww_tail(x.head);
#endif
}

#endif
