/* What auto does with many elements: they go through write-combining lines (lines.h). */
#include "multisplit/pass.h"

enum { LINES_TILE = WW__SPLIT_TILE };

static size_t tile(size_t bytes) {
    (void)bytes; /* up to 32 */
    return LINES_TILE;
}

static size_t lines_bytes(const ww__pass *p) { return WW__LINE_OF(p->key_size, p->value_size) << p->bits; }
static size_t room(const ww__pass *p) { return lines_bytes(p) * (p->value_size ? 2 : 1); }

static ww__lines lines_of(const ww__pass *p, const ww__desk *desk, const uint64_t *start, const uint64_t *end) {
    return (ww__lines){.keys_out = p->keys_out,
                       .values_out = p->values_out,
                       .position = desk->position,
                       .start = start,
                       .end = end,
                       .key_lines = desk->room,
                       .value_lines = desk->room + lines_bytes(p),
                       .streaming = p->streaming};
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
