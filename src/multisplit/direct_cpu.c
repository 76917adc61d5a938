/* direct: each element is written straight to its place. Elements of the sizes that have lines go by loops of their own (radix/lines.h),
 * which look at buckets' ends only where a function of the caller's may give a key another bucket than before. */
#include "multisplit/pass.h"

enum { NEAR_BITS = 8 }; /* the lines that so many buckets have come to stay in a first-level cache */

static size_t tile(size_t bytes) {
    const size_t fit = ww__tile(bytes);
    return fit < WW__SPLIT_TILE ? fit : WW__SPLIT_TILE;
}

static void move_any(const ww__pass *p, const ww__desk *desk, const ww__split_tile *t, const uint64_t *end) {
    uint64_t *WW__R position = desk->position;
    size_t kept = 0;
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

static void move(const ww__pass *p, const ww__desk *desk, const ww__split_tile *t, const uint64_t *start,
                 const uint64_t *end) {
    const ww__lines to = {.keys_out = p->keys_out,
                          .values_out = p->values_out,
                          .position = desk->position,
                          .start = start,
                          .end = end,
                          .ahead = p->bits > NEAR_BITS || (p->streaming && !p->value_size)};
    if (!p->lines)
        move_any(p, desk, t, end);
    else
        (p->same_twice ? p->lines->move_direct : p->lines->move_within)(&to, t->keys, t->values, desk->digits, t->n);
}

const ww__mover ww__move_direct = {"direct", tile, NULL, move, NULL};
