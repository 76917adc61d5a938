/* What auto does with many elements: they go through write-combining lines (lines.h). */
#include "multisplit/pass.h"

enum { LINES_TILE = WW__SPLIT_TILE / 2 };

static size_t tile(size_t bytes) {
    (void)bytes; /* up to 32 */
    return LINES_TILE;
}

static size_t room(const ww__pass *p) { return ww__lines_room(p->key_size, p->value_size, p->bits) << p->bits; }

static ww__lines lines_of(const ww__pass *p, const ww__desk *desk, const uint64_t *start, const uint64_t *end) {
    return (ww__lines){.keys_out = p->keys_out,
                       .values_out = p->values_out,
                       .position = desk->position,
                       .start = start,
                       .end = end,
                       .key_lines = desk->room,
                       .value_lines = desk->room + (WW__LINE_OF(p->key_size, p->value_size) << p->bits),
                       .streaming = p->streaming,
                       .pairs = ww__lines_pairs(p->bits, p->part_n >> p->bits),
                       .vector = (uint8_t)p->device->vector};
}

static void move(const ww__pass *p, const ww__desk *desk, const ww__split_tile *t, const uint64_t *start,
                 const uint64_t *end) {
    const ww__lines lines = lines_of(p, desk, start, end);
    p->lines->move(&lines, t->keys, t->values, desk->digits, t->n);
}

static void finish(const ww__pass *p, const ww__desk *desk, const uint64_t *start, const uint64_t *end) {
    const ww__lines lines = lines_of(p, desk, start, end);
    p->lines->finish(&lines, (size_t)1 << p->bits);
}

const ww__mover ww__move_lines = {"lines", tile, room, move, finish};
