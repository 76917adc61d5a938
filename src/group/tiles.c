#include "group/tiles.h"

#include "device/steps.h"
#include "warpwise/primitive.h"

void ww__tiles_lie(ww__tiles *t) {
    ww_group *group = t->group;
    uint64_t *count = group->number[WW__NUMBERS_MORE], *at = group->number[WW__BLOCK_AT];
    for (uint32_t q = 0; q < group->engine.ranks; q++) count[q] = group->said[q].number[0];
    t->total = ww__group_blocks(group, 0, at);
    t->at = at;
    t->count = count;
}

/* How many of rank q's first elements belong to a tile that begins on an earlier rank. */
static uint64_t head_of(const ww__tiles *t, uint32_t q) {
    const uint64_t into = t->at[q] % t->tile;
    return into ? ww__min_u64(t->tile - into, t->count[q]) : 0;
}

ww__tile_part ww__tiles_part(const ww__tiles *t, uint32_t rank) {
    ww__tile_part p = {.head = head_of(t, rank)};
    const uint64_t own = t->count[rank] - p.head;
    p.whole = own / t->tile;
    p.rest = own % t->tile;
    p.last = ww__min_u64(t->tile, t->total - (t->at[rank] + p.head + p.whole * t->tile));
    return p;
}

uint64_t ww__tiles_begun(const ww__tiles *t, uint32_t rank) {
    const ww__tile_part p = ww__tiles_part(t, rank);
    return p.whole + (p.rest != 0);
}

/* The rank where the tile begins that q's head belongs to. */
static uint32_t owner_of_head(const ww__tiles *t, uint32_t q) {
    const uint64_t begin = t->at[q] / t->tile * t->tile;
    while (t->at[q] > begin) q--; /* the last of those that begin there or before: it is not empty */
    return q;
}

ww_array ww__tiles_array(const ww__tiles *t, const void *data, uint64_t first, uint64_t count) {
    return (ww_array){(unsigned char *)(uintptr_t)data + first * t->size, count, t->type, t->size, NULL, 0};
}

ww_status ww__tiles_in_memory(const ww__tiles *t, size_t place, const ww_input *in, const void **data) {
    void *copy;
    *data = ww__input_memory(in);
    if (ww__input_is_memory(in)) return WW_OK;
    WW_TRY(ww__group_room(t->group, place, in->count, t->size, &copy));
    *data = copy;
    return ww_store(t->group->device, *in, ww__tiles_array(t, copy, 0, in->count));
}

ww_status ww__tiles_take(const ww__tiles *t, const ww__tile_part *p, const void *data, void *head, void *tail) {
    ww_device *device = t->group->device;
    const ww_input first = ww_from(ww__tiles_array(t, data, 0, p->head));
    const ww_input rest = ww_from(ww__tiles_array(t, data, p->head + p->whole * t->tile, p->rest));
    if (p->head) WW_TRY(ww_copy(device, first, ww__tiles_array(t, head, 0, p->head)));
    return p->rest ? ww_copy(device, rest, ww__tiles_array(t, tail, 0, p->rest)) : WW_OK;
}

ww_status ww__tiles_fold(const ww__tiles *t, const ww_function *op, const void *data, uint64_t tiles, void *folds) {
    if (!tiles) return WW_OK;
    const uint64_t count = tiles * t->tile;
    const ww_input ends = ww_strided(ww_counting(&ww_type_uint64_t, 0, count + 1), 0, (int64_t)t->tile, tiles + 1);
    return ww_reduce_segments(t->group->device, op, ww_from(ww__tiles_array(t, data, 0, count)), ends,
                              ww__tiles_array(t, folds, 0, tiles));
}

/* out_at, out_count: of this rank's head; in_at, in_count: of others' heads in its tail. */
static void plan(const ww__tiles *t, uint64_t *out_at, uint64_t *out_count, uint64_t *in_at, uint64_t *in_count) {
    const uint32_t me = t->group->engine.rank;
    uint64_t behind = ww__tiles_part(t, me).rest;
    for (uint32_t q = 0; q < t->group->engine.ranks; q++) {
        const uint64_t head = head_of(t, q);
        const bool is_mine = head && owner_of_head(t, q) == me;
        out_at[q] = out_count[q] = 0;
        in_at[q] = is_mine ? behind : 0;
        in_count[q] = is_mine ? head : 0;
        behind += in_count[q];
    }
    const uint64_t mine = head_of(t, me);
    if (mine) out_count[owner_of_head(t, me)] = mine;
}

/* The heads of blocks go to the ranks that own their tiles, or come back: the same plan, with its two sides changed. */
static ww_status trade(const ww__tiles *t, const void *send, void *receive, bool back) {
    uint64_t *const *number = t->group->number;
    const ww__trade moved = {.send = send,
                             .receive = receive,
                             .size = t->size,
                             .send_at = number[WW__SEND_AT],
                             .send_count = number[WW__SEND_COUNT],
                             .receive_at = number[WW__RECEIVE_AT],
                             .receive_count = number[WW__RECEIVE_COUNT]};
    if (back)
        plan(t, number[WW__RECEIVE_AT], number[WW__RECEIVE_COUNT], number[WW__SEND_AT], number[WW__SEND_COUNT]);
    else
        plan(t, number[WW__SEND_AT], number[WW__SEND_COUNT], number[WW__RECEIVE_AT], number[WW__RECEIVE_COUNT]);
    return ww__group_trade(t->group, &moved, 1);
}

ww_status ww__tiles_send_heads(const ww__tiles *t, const void *head, void *tail) { return trade(t, head, tail, false); }

ww_status ww__tiles_return_heads(const ww__tiles *t, const void *tail, void *head) { return trade(t, tail, head, true); }
