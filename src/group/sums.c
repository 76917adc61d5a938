/* Few counts go from all ranks to all, by way of their hosts; of many each rank gets a part from all others, adds it up, and sends that to all. */
#include "group/sums.h"

#include <string.h>

#include "warpwise/primitive.h"

WW_MAP2(add_u32, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a + b; });
WW_MAP2(add_u64, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a + b; });

enum { FEW_BYTES = WW_ENGINE_GATHER_MOST }; /* go to all */
enum { READ_ROWS = 2 };                     /* the host's place: own counts, and all ranks' */

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

/* ---- few ---- */

static void add_on_host(void *to, const void *more, const ww_array *like) {
    for (uint64_t i = 0; i < like->count; i++)
        if (like->type == &ww_type_uint32_t)
            ((uint32_t *)to)[i] += ((const uint32_t *)more)[i];
        else
            ((uint64_t *)to)[i] += ((const uint64_t *)more)[i];
}

/* A rank whose device fails before the gather has told nobody. */
static ww_status sum_few(const summing *s) {
    ww_group *group = s->group;
    const size_t bytes = (size_t)(s->own->count * s->own->size);
    unsigned char *mine = group->kept_host[READ_ROWS].data, *all = mine + bytes;
    ww_status status = ww_copy(group->device, ww_from(*s->own), counts(s, mine, s->own->count));
    if (!status) status = ww_sync(group->device);
    if (status) return ww__group_lost(group, WW_LOST, ww_error(group->device));
    WW_TRY(ww__group_gather(group, mine, bytes, all));
    memset(mine, 0, bytes);
    for (uint32_t r = 0; r < group->engine.ranks; r++) add_on_host(mine, all + r * bytes, s->own);
    status = ww_copy(group->device, ww_from(counts(s, mine, s->own->count)), *s->own);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

/* ---- many ---- */

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

/* Of each rank its part, from every rank. */
static ww_status trade_parts(const summing *s) {
    uint64_t *const *number = s->group->number;
    const uint64_t width = width_of(s, s->group->engine.rank);
    for (uint32_t r = 0; r < s->group->engine.ranks; r++) {
        number[WW__SEND_AT][r] = first_of(s, r);
        number[WW__SEND_COUNT][r] = width_of(s, r);
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
    if (are_few(own)) return ww__group_host_room(group, READ_ROWS, (ranks + 1) * own->count, own->size, &unused);
    return ww__group_room(group, place, ranks * (own->count / ranks + 1), own->size, &unused);
}

ww_status ww__group_sum(ww_group *group, size_t place, const ww_array *own) {
    const summing s = {.group = group, .own = own, .rows = group->kept[place].data};
    if (are_few(own)) return sum_few(&s);
    WW_TRY(trade_parts(&s));
    WW_TRY(ww__group_agree(group, add_part(&s), NULL, NULL, 0));
    WW_TRY(trade_sums(&s));
    return ww__group_agree(group, WW_OK, NULL, NULL, 0);
}
