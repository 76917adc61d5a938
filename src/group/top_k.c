/* The first k of blocks: each rank's first k go to all ranks, which take the first k of these, equal ones in the order of ranks. Where
 * ranks are GPUs and k is small, the ranks' hosts do that. */
#include <string.h>

#include "group/group.h"
#include "warpwise/sort.h"

typedef unsigned long long ull;

enum { OWN_KEYS, OWN_VALUES, ALL_KEYS, ALL_VALUES, FIRST_KEYS, FIRST_VALUES }; /* places of what is kept */
enum { HOST_OWN, HOST_ALL, HOST_PLACES };                                      /* the host's, of keys; and of values */

typedef struct choosing {
    ww_group *group;
    ww_input in[2]; /* keys and values */
    ww_array out[2];
    ww_array own[2], all[2], first[2];
    size_t sides; /* 1 without values */
    const ww_sort_options *options;
    ww_sort_options taken, plain; /* as given; without a method */
    bool on_host;
} choosing;

static ww_array like(const choosing *c, size_t side, void *data, uint64_t count) {
    return (ww_array){data, count, c->in[side].type, c->in[side].size, NULL, 0};
}

static ww_status check_side(const choosing *c, size_t side, const char *name, const char *name_out) {
    ww_group *group = c->group;
    const ww_input *in = &c->in[side];
    const ww_array *out = &c->out[side];
    WW_TRY(ww__group_check_array(group, name_out, out));
    WW_GROUP_CHECK(group, in->type == out->type && in->size == out->size, WW_TYPE,
                   "%s is of type %s (%zu bytes), %s of %s (%zu)", name, in->type->label, in->size, name_out,
                   out->type->label, out->size);
    WW_GROUP_CHECK(group, out->count == c->out[0].count, WW_INVALID, "keys_out has %llu elements, values_out %llu",
                   (ull)c->out[0].count, (ull)out->count);
    return WW_OK;
}

static ww_status check(choosing *c) {
    ww_group *group = c->group;
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(
        ww__group_take_options(group, c->options, "WW_SORT_OPTIONS", &c->taken, offsetof(ww_sort_options, reserved)));
    WW_GROUP_CHECK(group, c->in[0].steps && c->in[0].type, WW_INVALID, "keys is missing");
    WW_GROUP_CHECK(group, !c->in[1].steps == !c->out[1].type, WW_INVALID, "only one of values and values_out is given");
    WW_TRY(check_side(c, 0, "keys", "keys_out"));
    if (c->sides < 2) return WW_OK;
    WW_TRY(check_side(c, 1, "values", "values_out"));
    return ww__group_check_apart(group, "keys_out", &c->out[0], "values_out", &c->out[1]);
}

/* Where few keys of a few ranks are all there is to look at. */
static bool fits_host(const choosing *c) {
    bool fits = c->group->all_gpus && c->group->engine.ranks <= 16;
    for (size_t side = 0; side < c->sides; side++)
        fits = fits && c->out[0].count * c->in[side].size <= WW_ENGINE_GATHER_MOST;
    return fits && c->out[0].count <= WW_ENGINE_GATHER_MOST;
}

/* Rooms of the host's, which the GPU writes to, too: own ones and the first of all, k each; all ranks' k. */
static ww_status host_rooms(choosing *c) {
    const uint64_t k = c->out[0].count, own = ww__min_u64(k, c->in[0].count), ranks = c->group->engine.ranks;
    WW_TRY(ww__group_host(c->group));
    for (size_t side = 0; side < c->sides; side++) {
        const size_t size = c->in[side].size, place = HOST_PLACES * side;
        unsigned char *data;
        WW_TRY(ww__group_host_room(c->group, place + HOST_OWN, 2 * k + 2, size, &data));
        c->own[side] = like(c, side, data, own);
        c->first[side] = like(c, side, data + k * size, k);
        WW_TRY(ww__group_host_room(c->group, place + HOST_ALL, k * ranks + 1, size, &data));
        c->all[side] = like(c, side, data, 0);
    }
    return WW_OK;
}

/* k keys of each rank have room, though blocks may be shorter. */
static ww_status choose_own(choosing *c) {
    c->on_host = fits_host(c);
    c->plain = c->taken;
    c->plain.size = sizeof c->plain;
    c->plain.method = WW_SORT_AUTO;
    if (c->on_host) {
        WW_TRY(host_rooms(c));
        WW_TRY(ww_top_k(c->group->device, c->in[0], c->in[1], c->own[0], c->own[1], c->options));
        return ww_sync(c->group->device);
    }
    const uint64_t k = c->out[0].count, own = ww__min_u64(k, c->in[0].count);
    for (size_t side = 0; side < c->sides; side++) {
        void *data;
        WW_TRY(ww__group_room(c->group, OWN_KEYS + side, own, c->in[side].size, &data));
        c->own[side] = like(c, side, data, own);
        WW_TRY(ww__group_room(c->group, FIRST_KEYS + side, k, c->in[side].size, &data));
        c->first[side] = like(c, side, data, k);
    }
    WW_TRY(ww_top_k(c->group->device, c->in[0], c->in[1], c->own[0], c->own[1], c->options));
    return ww_sync(c->group->device);
}

static void agree_on(const choosing *c, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_type(&digest, c->in[0].type, c->in[0].size);
    ww__agree_type(&digest, c->in[1].type, c->in[1].size);
    ww__agree_number(&digest, c->out[0].count);
    ww__agree_number(&digest, c->taken.descending);
    ww__agree_number(&digest, ((uint64_t)c->taken.bit_first << 32) | c->taken.bit_count);
    ww__digest_end(&digest, alike);
}

/* All ranks' first ones to all ranks. */
static ww_status trade_first(const choosing *c) {
    uint64_t *const *number = c->group->number;
    ww__trade trade[2];
    for (uint32_t q = 0; q < c->group->engine.ranks; q++) {
        number[WW__SEND_AT][q] = 0;
        number[WW__SEND_COUNT][q] = c->own[0].count;
    }
    for (size_t side = 0; side < c->sides; side++)
        trade[side] = (ww__trade){.send = c->own[side].data,
                                  .receive = c->all[side].data,
                                  .size = c->in[side].size,
                                  .send_at = number[WW__SEND_AT],
                                  .send_count = number[WW__SEND_COUNT],
                                  .receive_at = number[WW__RECEIVE_AT],
                                  .receive_count = number[WW__RECEIVE_COUNT]};
    return ww__group_trade(c->group, trade, c->sides);
}

/* All ranks' first ones on all hosts, one rank's after the other's. */
static ww_status tell_first(choosing *c) {
    ww_group *group = c->group;
    const ww_engine *e = &group->engine;
    const uint64_t k = c->out[0].count, *count = group->number[WW__RECEIVE_COUNT], *at = group->number[WW__RECEIVE_AT];
    char why[WW_ENGINE_WHY] = "";
    ww_status status = WW_OK;
    for (size_t side = 0; side < c->sides && !status; side++)
        status = e->gather(e->state, c->own[side].data, (size_t)(k * c->in[side].size), c->all[side].data, why);
    if (!status) status = e->wait(e->state, group->limit_ms, why);
    if (status) return ww__group_lost(group, status, why);
    for (size_t side = 0; side < c->sides; side++) {
        const size_t size = c->in[side].size;
        unsigned char *all = c->all[side].data;
        for (uint32_t r = 0; r < e->ranks; r++)
            memmove(all + at[r] * size, all + r * k * size, (size_t)count[r] * size);
        c->all[side].count = at[e->ranks - 1] + count[e->ranks - 1];
    }
    return WW_OK;
}

static ww_status choose_on_host(choosing *c) {
    ww_group *group = c->group;
    WW_TRY(tell_first(c));
    ww_status status = ww_top_k(group->host, ww_from(c->all[0]), c->sides > 1 ? ww_from(c->all[1]) : ww_no_input,
                                c->first[0], c->sides > 1 ? c->first[1] : ww_none, &c->plain);
    if (status) ww__group_say(group, status, "%s", ww_error(group->host));
    for (size_t side = 0; side < c->sides && !status; side++)
        status = ww__group_put(group, c->first[side], c->out[side]);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

static ww_status choose(choosing *c) {
    ww_group *group = c->group;
    unsigned char alike[WW__DIGEST];
    ww_status status = check(c);
    if (!status) status = choose_own(c);
    agree_on(c, alike);
    const uint64_t k = c->out[0].count, counts[2] = {c->own[0].count, c->in[0].count};
    WW_TRY(ww__group_agree(group, status, alike, counts, 2));
    uint64_t there = 0;
    for (uint32_t q = 0; q < group->engine.ranks; q++) {
        group->number[WW__RECEIVE_COUNT][q] = group->said[q].number[0];
        there += group->said[q].number[1];
    }
    if (there < k)
        return ww__group_fail(group, WW_INVALID, "keys_out has %llu elements, and there are %llu keys", (ull)k,
                              (ull)there);
    const uint64_t comes = ww__group_places(group, group->number[WW__RECEIVE_COUNT], group->number[WW__RECEIVE_AT]);
    if (c->on_host) return choose_on_host(c);
    for (size_t side = 0; side < c->sides && !status; side++) {
        void *data;
        status = ww__group_room(group, ALL_KEYS + side, comes, c->in[side].size, &data);
        if (!status) c->all[side] = like(c, side, data, comes);
    }
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    WW_TRY(trade_first(c));
    status = ww_top_k(group->device, ww_from(c->all[0]), c->sides > 1 ? ww_from(c->all[1]) : ww_no_input, c->first[0],
                      c->first[1], c->options);
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    if (c->sides > 1) WW_TRY(ww_copy(group->device, ww_from(c->first[1]), c->out[1]));
    return ww_copy(group->device, ww_from(c->first[0]), c->out[0]);
}

ww_status ww_group_top_k(ww_group *group, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                         const ww_sort_options *options) {
    choosing c = {.group = group,
                  .in = {keys, values},
                  .out = {keys_out, values_out},
                  .sides = values.steps ? 2 : 1,
                  .options = options};
    WW_TRY(ww__group_enter(group, "ww_group_top_k"));
    return ww__group_leave(group, choose(&c));
}
