/* The renumberings that have an index of older ranks: the order of the keys, or of their buckets. Ranks travel with the keys;
 * then every column is gathered. */
#include "superstep/team.h"
#include "warpwise/multisplit.h"
#include "warpwise/primitive.h"
#include "warpwise/sort.h"

static uint64_t log2_up(uint64_t n) { return n > 1 ? 64 - (uint64_t)__builtin_clzll(n - 1) : 0; }

static ww_status keys_room(ww_team *team, const ww_input *keys, ww_array *out) {
    WW_TRY(ww__kept_capacity(team->device, &team->keys, team->size, keys->size, 0));
    *out = (ww_array){team->keys.data, team->size, keys->type, keys->size, NULL, 0};
    return WW_OK;
}

static ww_status order_of(ww_team *team, const ww__renumbering *r, const ww_function *less, const ww_input *keys,
                          const ww_array *index) {
    ww_array keys_out;
    if (r->method == WW_TEAM_PAPER) return ww__team_sort_idx(team, keys, index);
    if (!less) {
        WW_TRY(ww_sort_index(team->device, *keys, *index, NULL));
        ww__team_count(team, keys->size, team->size);
        return WW_OK;
    }
    WW_TRY(keys_room(team, keys, &keys_out));
    WW_TRY(ww_sort_by(team->device, less, *keys, ww__team_ranks(team, index), keys_out, *index, NULL));
    ww__team_count(team, log2_up(team->size), team->size);
    return WW_OK;
}

ww_status ww_team_sort_by(ww_team *team, const ww_function *less, ww_input keys, const ww_team_options *options) {
    ww__renumbering r;
    ww_array index;
    WW_TRY(ww__team_check(team, "ww_team_sort_by", options, false, true, &keys, "keys", &r));
    if (r.method == WW_TEAM_PAPER && less)
        return ww__fail_call(team->device, r.call, WW_INVALID,
                             "the paper's method sorts by value: less has to be NULL");
    if (r.method == WW_TEAM_PAPER && (keys.type->kind != WW_KIND_UNSIGNED || keys.size > sizeof(uint64_t)))
        return ww__fail_call(team->device, r.call, WW_TYPE,
                             "the paper's method sorts u8, u16, u32 and u64, and keys are %s", keys.type->label);
    if (!team->size) return WW_OK;
    WW_TRY(ww__team_rooms(team, team->size));
    WW_TRY(ww__team_index(team, &r, team->size, team->size, &index));
    WW_TRY(order_of(team, &r, less, &keys, &index));
    WW_TRY(ww__team_carry(team, &r, &index));
    ww__team_commit(team, team->size);
    return WW_OK;
}

ww_status ww_team_multisplit(ww_team *team, const ww_function *bucket_of, uint64_t buckets, ww_input keys,
                             ww_array offsets, const ww_team_options *options) {
    enum { DIGIT = 8 };
    ww__renumbering r;
    ww_array index, keys_out;
    WW_TRY(ww__team_check(team, "ww_team_multisplit", options, false, false, &keys, "keys", &r));
    WW_TRY(ww__team_rooms(team, team->size));
    WW_TRY(ww__team_index(team, &r, team->size, team->size, &index));
    WW_TRY(keys_room(team, &keys, &keys_out));
    WW_TRY(ww_multisplit(team->device, bucket_of, buckets, keys, ww__team_ranks(team, &index), keys_out, index, offsets,
                         NULL));
    ww__team_count(team, 1 + (log2_up(buckets) + DIGIT - 1) / DIGIT, team->size);
    WW_TRY(ww__team_carry(team, &r, &index));
    ww__team_commit(team, team->size);
    return WW_OK;
}
