/* Supersteps, and the primitives that renumberings are made of, each with what it counts for. */
#include "superstep/team.h"
#include "warpwise/primitive.h"

void ww__team_count(ww_team *team, uint64_t supersteps, uint64_t work_each) {
    team->cost.supersteps += supersteps;
    team->cost.work += supersteps * work_each;
}

ww_status ww__team_spawn(ww_team *team, const ww_function *kernel, uint64_t count) {
    WW_TRY(ww_launch(team->device, kernel, count));
    ww__team_count(team, 1, count);
    return WW_OK;
}

ww_status ww_team_step(ww_team *team, const ww_function *kernel) {
    return team ? ww__team_spawn(team, kernel, team->size) : WW_INVALID;
}

WW_MAP(one_where_set, uint64_t, uint8_t, flag, void, none, { return flag != 0; });

ww_status ww__team_flagged(ww_team *team, const ww_input *flags, uint64_t *many) {
    *many = 0;
    WW_TRY(ww_reduce(team->device, &ww_add, ww_mapped(&one_where_set_ww, *flags), ww_array(many, 1)));
    ww__team_count(team, 1, team->size);
    return WW_OK;
}

ww_input ww__team_ranks(const ww_team *team, const ww_array *like) { return ww_counting(like->type, 0, team->size); }

WW_MAP(wide_u8, uint64_t, uint8_t, x, void, none, { return x; });
WW_MAP(wide_u16, uint64_t, uint16_t, x, void, none, { return x; });
WW_MAP(wide_u32, uint64_t, uint32_t, x, void, none, { return x; });

ww_input ww__team_wide(const ww_input *counts) {
    if (counts->type == &ww_type_uint64_t) return *counts;
    return ww_mapped(counts->type == &ww_type_uint8_t    ? &wide_u8_ww
                     : counts->type == &ww_type_uint16_t ? &wide_u16_ww
                                                         : &wide_u32_ww,
                     *counts);
}
