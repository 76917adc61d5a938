/* Few counts go from all ranks to all; of many each rank gets a part from all others, adds it up, and sends that to all. */
#include "group/sums.h"

#include "warpwise/primitive.h"

WW_MAP2(add_u32, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });
WW_MAP2(add_u64, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a + b; });

enum { FEW_BYTES = 4096 }; /* go to all */

typedef struct summing {
    ww_group *group;
    const ww_array *own;
    unsigned char *rows; /* all ranks' counts: all of them, or this rank's part */
} summing;

static bool are_few(const ww_array *own) { return own->count * own->size <= FEW_BYTES; }

/* `count` counts like this rank's own. */
static ww_array counts(const summing *s, void *data, uint64_t count) {
    return (ww_array){data, count, s->own->type, s->own->size, NULL, 0};
}
static ww_array own_part(const summing *s, uint64_t first, uint64_t count) {
    return counts(s, (unsigned char *)s->own->data + first * s->own->size, count);
}

/* Rank r adds up counts first_of(r) … first_of(r + 1) - 1. */
static uint64_t first_of(const summing *s, uint32_t r) {
    const uint64_t ranks = s->group->engine.ranks;
    return s->own->count / ranks * r + ww__min_u64(s->own->count % ranks, r);
}
static uint64_t width_of(const summing *s, uint32_t r) { return first_of(s, r + 1) - first_of(s, r); }

ww_status ww__group_add(ww_group *group, ww_array to, const ww_array *more) {
    const ww_function *sum = to.type == &ww_type_uint32_t ? &add_u32_ww : &add_u64_ww;
    return ww_map2(group->device, sum, ww_from(to), ww_from(*more), to);
}

/* `width` counts of every row, into own from `first` on. Its own row is there too. */
static ww_status add_rows(const summing *s, uint64_t first, uint64_t width) {
    const ww_array sum = own_part(s, first, width);
    if (!width) return WW_OK;
    WW_TRY(ww_copy(s->group->device, ww_from(counts(s, s->rows, width)), sum));
    for (uint32_t r = 1; r < s->group->engine.ranks; r++) {
        const ww_array row = counts(s, s->rows + r * width * s->own->size, width);
        WW_TRY(ww__group_add(s->group, sum, &row));
    }
    return WW_OK;
}

/* This rank's part, added up: in `own`, and in `rows`, as what is sent may not be where something comes. */
static ww_status add_part(const summing *s) {
    const uint32_t me = s->group->engine.rank;
    const uint64_t first = first_of(s, me), width = width_of(s, me);
    WW_TRY(add_rows(s, first, width));
    return width ? ww_copy(s->group->device, ww_from(own_part(s, first, width)), counts(s, s->rows, width)) : WW_OK;
}

static ww_status trade(const summing *s, const void *send, void *receive) {
    uint64_t *const *number = s->group->number;
    return ww__group_trade(s->group,
                           &(ww__trade){.send = send,
                                        .receive = receive,
                                        .size = s->own->size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1);
}

/* From every rank to every rank: `parts`: of each its own part to each, else all to all. */
static ww_status trade_rows(const summing *s, bool parts) {
    uint64_t *const *number = s->group->number;
    const uint64_t width = parts ? width_of(s, s->group->engine.rank) : s->own->count;
    for (uint32_t r = 0; r < s->group->engine.ranks; r++) {
        number[WW__SEND_AT][r] = parts ? first_of(s, r) : 0;
        number[WW__SEND_COUNT][r] = parts ? width_of(s, r) : s->own->count;
        number[WW__RECEIVE_AT][r] = r * width;
        number[WW__RECEIVE_COUNT][r] = width;
    }
    return trade(s, s->own->data, s->rows);
}

/* Each rank's part goes to all. */
static ww_status trade_sums(const summing *s) {
    uint64_t *const *number = s->group->number;
    for (uint32_t r = 0; r < s->group->engine.ranks; r++) {
        number[WW__SEND_AT][r] = 0;
        number[WW__SEND_COUNT][r] = width_of(s, s->group->engine.rank);
        number[WW__RECEIVE_AT][r] = first_of(s, r);
        number[WW__RECEIVE_COUNT][r] = width_of(s, r);
    }
    return trade(s, s->rows, s->own->data);
}

ww_status ww__group_sum_room(ww_group *group, size_t place, const ww_array *own) {
    const uint64_t ranks = group->engine.ranks;
    void *unused;
    return ww__group_room(group, place, ranks * (are_few(own) ? own->count : own->count / ranks + 1), own->size,
                          &unused);
}

ww_status ww__group_sum(ww_group *group, size_t place, const ww_array *own) {
    const summing s = {.group = group, .own = own, .rows = group->kept[place].data};
    if (are_few(own)) {
        WW_TRY(trade_rows(&s, false));
        return ww__group_agree(group, add_rows(&s, 0, own->count), NULL, NULL, 0);
    }
    WW_TRY(trade_rows(&s, true));
    WW_TRY(ww__group_agree(group, add_part(&s), NULL, NULL, 0));
    WW_TRY(trade_sums(&s));
    return ww__group_agree(group, WW_OK, NULL, NULL, 0);
}
