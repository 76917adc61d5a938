#include "group/keyed.h"

#include "warpwise/multisplit.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* Places of what is kept. */
enum {
    GOING_KEYS,
    GOING_INDEX, /* where each of them stood */
    GOING_VALUES,
    COMING_KEYS,
    COMING_VALUES,
    DONE_STATUSES,
    DONE_VALUES,
    BACK_STATUSES,
    BACK_VALUES,
    PICKED_VALUES,
    PICKED_INDEX,
    OFFSETS,
    PLACES
};
_Static_assert((int)PLACES <= (int)WW__KEPT, "a place for each");

typedef struct routing {
    ww__keyed *k;
    const ww_type *index_type;
    ww_array going_keys, going_index, going_values; /* in the order of shards */
    ww_array coming_keys, coming_values;            /* here */
    ww_array done_statuses, done_values;            /* of these */
    ww_array back_statuses, back_values;            /* of those that went */
} routing;

static ww_status room(const routing *r, size_t place, const ww_type *type, size_t size, uint64_t count,
                      ww_array *array) {
    void *data;
    WW_TRY(ww__group_room(r->k->group, place, count, size, &data));
    *array = (ww_array){data, count, type, size, NULL, 0};
    return WW_OK;
}

/* ---- what this rank sends ---- */

static ww_status going_rooms(routing *r) {
    const ww__keyed *k = r->k;
    const uint64_t n = k->keys.count;
    const ww_type *value = k->value_type;
    r->index_type = n <= UINT32_MAX ? &ww_type_uint32_t : &ww_type_uint64_t;
    WW_TRY(room(r, GOING_KEYS, k->key_type, k->key_type->size, n, &r->going_keys));
    WW_TRY(room(r, GOING_INDEX, r->index_type, r->index_type->size, n, &r->going_index));
    if (k->brings_values) WW_TRY(room(r, GOING_VALUES, value, value->size, n, &r->going_values));
    if (k->takes_values) WW_TRY(room(r, BACK_VALUES, value, value->size, n, &r->back_values));
    return room(r, BACK_STATUSES, &ww_type_uint8_t, 1, n, &r->back_statuses);
}

/* Keys in the order of their shards, with where they stood; number[WW__SEND_COUNT] says how many each shard gets. */
static ww_status route(routing *r) {
    const ww__keyed *k = r->k;
    ww_device *device = k->group->device;
    const uint32_t ranks = k->group->engine.ranks;
    uint64_t *offsets = k->group->number[WW__CUT];
    void *data;
    WW_TRY(going_rooms(r));
    WW_TRY(ww__group_room(k->group, OFFSETS, ranks + 1, sizeof(uint64_t), &data));
    const ww_array bounds = ww_array((uint64_t *)data, ranks + 1);
    const ww_input index = ww_counting(r->index_type, 0, k->keys.count);
    if (k->shard_of)
        WW_TRY(ww_multisplit(device, k->shard_of, ranks, k->keys, index, r->going_keys, r->going_index, bounds, NULL));
    else
        WW_TRY(ww_multisplit_edges(device, k->keys, index, ww_from(k->bounds), r->going_keys, r->going_index, bounds,
                                   NULL));
    WW_TRY(ww_copy(device, ww_from(bounds), ww_array(offsets, ranks + 1)));
    WW_TRY(ww_sync(device));
    for (uint32_t q = 0; q < ranks; q++) k->group->number[WW__SEND_COUNT][q] = offsets[q + 1] - offsets[q];
    return k->brings_values ? ww_gather(device, k->values, ww_from(r->going_index), r->going_values) : WW_OK;
}

/* ---- there and back ---- */

static ww_status coming_rooms(routing *r, uint64_t comes) {
    const ww__keyed *k = r->k;
    const ww_type *value = k->value_type;
    WW_TRY(room(r, COMING_KEYS, k->key_type, k->key_type->size, comes, &r->coming_keys));
    if (k->brings_values) WW_TRY(room(r, COMING_VALUES, value, value->size, comes, &r->coming_values));
    if (k->takes_values) WW_TRY(room(r, DONE_VALUES, value, value->size, comes, &r->done_values));
    return room(r, DONE_STATUSES, &ww_type_uint8_t, 1, comes, &r->done_statuses);
}

static ww__trade trade_of(const routing *r, const ww_array *from, const ww_array *to, bool back) {
    uint64_t *const *number = r->k->group->number;
    return (ww__trade){.send = from->data,
                       .receive = to->data,
                       .size = from->size,
                       .send_at = number[back ? WW__RECEIVE_AT : WW__SEND_AT],
                       .send_count = number[back ? WW__RECEIVE_COUNT : WW__SEND_COUNT],
                       .receive_at = number[back ? WW__SEND_AT : WW__RECEIVE_AT],
                       .receive_count = number[back ? WW__SEND_COUNT : WW__RECEIVE_COUNT]};
}

static ww_status trade_there(const routing *r) {
    const ww__trade trades[2] = {trade_of(r, &r->going_keys, &r->coming_keys, false),
                                 trade_of(r, &r->going_values, &r->coming_values, false)};
    return ww__group_trade(r->k->group, trades, r->k->brings_values ? 2 : 1);
}

static ww_status trade_back(const routing *r) {
    const ww__trade trades[2] = {trade_of(r, &r->done_statuses, &r->back_statuses, true),
                                 trade_of(r, &r->done_values, &r->back_values, true)};
    return ww__group_trade(r->k->group, trades, r->k->takes_values ? 2 : 1);
}

/* To where each key stood; values of those that have one alone, as the others stay as they are. */
static ww_status put(const routing *r) {
    const ww__keyed *k = r->k;
    ww_device *device = k->group->device;
    const ww_input index = ww_from(r->going_index), flags = ww_from(r->back_statuses);
    const ww_scatter_options *unique = ww_scatter_by(WW_CONFLICT_UNIQUE);
    uint64_t many = 0;
    ww_array values, places;
    if (k->statuses.type) WW_TRY(ww_scatter(device, flags, index, k->statuses, unique));
    if (!k->values_out.type) return WW_OK;
    WW_TRY(room(r, PICKED_VALUES, k->value_type, k->value_type->size, k->keys.count, &values));
    WW_TRY(room(r, PICKED_INDEX, r->index_type, r->index_type->size, k->keys.count, &places));
    WW_TRY(ww_pack(device, ww_from(r->back_values), flags, values, ww_array(&many, 1), NULL));
    WW_TRY(ww_pack(device, index, flags, places, ww_array(&many, 1), NULL));
    values.count = places.count = many;
    return ww_scatter(device, ww_from(values), ww_from(places), k->values_out, unique);
}

/* ---- the call ---- */

static ww_status check_output(const ww__keyed *k, const char *name, const ww_array *array, const ww_type *type) {
    ww_group *group = k->group;
    if (!array->type) return WW_OK;
    WW_TRY(ww__group_check_array(group, name, array));
    WW_GROUP_CHECK(group, array->type == type, WW_TYPE, "%s is of type %s; it has to be %s", name, array->type->label,
                   type ? type->label : "ww_none, as there are no values");
    WW_GROUP_CHECK(group, array->count == k->keys.count, WW_INVALID, "keys has %llu elements, %s %llu",
                   (ull)k->keys.count, name, (ull)array->count);
    return WW_OK;
}

static ww_status check(const ww__keyed *k) {
    ww_group *group = k->group;
    WW_TRY(ww__group_check_begin(group));
    WW_GROUP_CHECK(group, k->keys.steps && k->keys.type == k->key_type, WW_TYPE, "keys are missing, or not of type %s",
                   k->key_type->label);
    WW_GROUP_CHECK(group, !k->values.steps || k->brings_values, WW_TYPE, "values are given, and there are none");
    if (k->brings_values) {
        WW_GROUP_CHECK(group, k->values.steps && k->values.type == k->value_type, WW_TYPE,
                       "values are missing, or not of type %s", k->value_type->label);
        WW_GROUP_CHECK(group, k->values.count == k->keys.count, WW_INVALID, "keys has %llu elements, values %llu",
                       (ull)k->keys.count, (ull)k->values.count);
    }
    WW_TRY(check_output(k, "values", &k->values_out, k->value_type));
    return check_output(k, k->statuses_name, &k->statuses, &ww_type_uint8_t);
}

static ww_status do_own(const routing *r) {
    const ww__keyed *k = r->k;
    return k->work(k, ww_from(r->coming_keys), k->brings_values ? ww_from(r->coming_values) : ww_no_input,
                   k->takes_values ? r->done_values : ww_none, r->done_statuses);
}

static ww_status keyed(ww__keyed *k) {
    ww_group *group = k->group;
    uint64_t *const *number = group->number;
    routing r = {.k = k};
    ww_status status = check(k);
    if (!status) status = route(&r);
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    WW_TRY(ww__group_swap_numbers(group, number[WW__SEND_COUNT], number[WW__RECEIVE_COUNT]));
    ww__group_places(group, number[WW__SEND_COUNT], number[WW__SEND_AT]);
    const uint64_t comes = ww__group_places(group, number[WW__RECEIVE_COUNT], number[WW__RECEIVE_AT]);
    WW_TRY(ww__group_agree(group, coming_rooms(&r, comes), NULL, NULL, 0));
    WW_TRY(trade_there(&r));
    const ww_status done = do_own(&r);
    const bool goes_on = done == WW_MEMORY && k->goes_on_without_memory;
    if (goes_on) ww__group_say(group, done, "%s", ww_error(group->device));
    WW_TRY(ww__group_agree(group, goes_on ? WW_OK : done, NULL, NULL, 0));
    if (!k->answers) return WW_OK;
    WW_TRY(trade_back(&r));
    status = put(&r);
    return ww__group_agree(group, goes_on ? done : status, NULL, NULL, 0);
}

ww_status ww__group_keyed(ww__keyed *k, const char *call) {
    WW_TRY(ww__group_enter(k->group, call));
    return ww__group_leave(k->group, keyed(k));
}
