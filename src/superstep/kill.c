/* kill and the two-way split: each column is packed, or split, by the flags themselves, which are one byte a thread; an index
 * of those that stay would be four. */
#include "superstep/team.h"
#include "warpwise/primitive.h"

WW_MAP(one_where_clear, uint8_t, uint8_t, flag, void, none, { return flag == 0; });

static ww_status check_flags(ww_team *team, const ww__renumbering *r, const ww_input *flags) {
    return flags->type == &ww_type_uint8_t
               ? WW_OK
               : ww__fail_call(team->device, r->call, WW_TYPE, "flags are %s, and have to be u8", flags->type->label);
}

/* A column's values, or for the older ranks' column the ranks. False: it is not wanted. */
static bool column_input(const ww_team *team, const ww__renumbering *r, const ww__team_column *c, ww_input *in) {
    if (!c->type) return false;
    const ww_array now = ww__team_now(team, c);
    *in = c == r->older ? ww__team_ranks(team, &now) : ww_from(now);
    return true;
}

static ww_status pack_columns(ww_team *team, const ww__renumbering *r, const ww_input *flags, uint64_t left) {
    const ww_input stays = ww_mapped(&one_where_clear_ww, *flags);
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++) {
        ww_input in;
        if (!column_input(team, r, &team->column[c], &in)) continue;
        WW_TRY(ww_pack(team->device, in, stays, ww__team_next(&team->column[c], left),
                       ww_array((uint64_t *)team->word.data, 1), NULL));
        ww__team_count(team, 1, team->size);
    }
    return WW_OK;
}

ww_status ww_team_kill(ww_team *team, ww_input flags, const ww_team_options *options) {
    ww__renumbering r;
    uint64_t ended;
    WW_TRY(ww__team_check(team, "ww_team_kill", options, false, false, &flags, "flags", &r));
    WW_TRY(check_flags(team, &r, &flags));
    WW_TRY(ww__team_flagged(team, &flags, &ended));
    const uint64_t left = team->size - ended;
    WW_TRY(ww__kept_capacity(team->device, &team->word, 1, sizeof(uint64_t), 0));
    WW_TRY(ww__team_rooms(team, left));
    if (left) WW_TRY(pack_columns(team, &r, &flags, left));
    ww__team_commit(team, left);
    return WW_OK;
}

static ww_status split_columns(ww_team *team, const ww__renumbering *r, const ww_input *flags) {
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++) {
        ww_input in;
        if (!column_input(team, r, &team->column[c], &in)) continue;
        WW_TRY(ww_split(team->device, in, *flags, ww__team_next(&team->column[c], team->size),
                        ww_array((uint64_t *)team->word.data, 1), NULL));
        ww__team_count(team, 1, team->size);
    }
    return WW_OK;
}

ww_status ww_team_split(ww_team *team, ww_input flags, uint64_t *zeros, const ww_team_options *options) {
    ww__renumbering r;
    uint64_t ones = 0;
    WW_TRY(ww__team_check(team, "ww_team_split", options, false, false, &flags, "flags", &r));
    WW_TRY(check_flags(team, &r, &flags));
    if (zeros) WW_TRY(ww__team_flagged(team, &flags, &ones));
    WW_TRY(ww__kept_capacity(team->device, &team->word, 1, sizeof(uint64_t), 0));
    WW_TRY(ww__team_rooms(team, team->size));
    WW_TRY(split_columns(team, &r, &flags));
    ww__team_commit(team, team->size);
    if (zeros) *zeros = team->size - ones;
    return WW_OK;
}
