/* direct: each element is written straight to its place. */
#include "multisplit/pass.h"

static size_t tile(size_t bytes) {
    const size_t fit = ww__tile(bytes);
    return fit < WW__SPLIT_TILE ? fit : WW__SPLIT_TILE;
}

static void move(const ww__pass *p, const ww__desk *desk, const ww__split_tile *t, const uint64_t *start,
                 const uint64_t *end) {
    uint64_t *WW__R position = desk->position;
    size_t kept = 0;
    (void)start;
    for (size_t j = 0; j < t->n; j++) {
        const uint32_t b = desk->digits[j];
        const uint64_t place = position[b];
        const bool fits = place < end[b];
        desk->to[kept] = place;
        desk->order[kept] = (uint32_t)j;
        position[b] = place + fits;
        kept += fits;
    }
    ww__place_tile(p, desk, t, kept == t->n ? NULL : desk->order, kept);
}

const ww__mover ww__move_direct = {"direct", tile, NULL, move, NULL};
