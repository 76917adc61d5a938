/* Columns through a renumbering: each has a second array for what it becomes; when all
 * of these are written, the two change places.
 * So a call that fails leaves the team as it was. */

#include "device/options.h"
#include "device/paper.h"
#include "superstep/team.h"
#include "warpwise/primitive.h"

/* ---- memory ---- */

ww_status ww__team_rooms(ww_team *team, uint64_t count) {
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++)
        if (team->column[c].type)
            WW_TRY(ww__kept_capacity(team->device, &team->column[c].next, count, team->column[c].size, 0));
    return WW_OK;
}

void ww__team_commit(ww_team *team, uint64_t size) {
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++) {
        const ww__kept now = team->column[c].now;
        team->column[c].now = team->column[c].next;
        team->column[c].next = now;
    }
    team->size = size;
}

/* ---- checks ---- */

static ww_status check_column(ww_team *team, const char *name, ww_column column, ww__team_column **found) {
    *found = ww__team_column_of(team, column);
    if (!column) return WW_OK;
    WW_CHECK(team->device, *found, WW_INVALID, "options.%s is %u, and the team has no such column", name, column);
    WW_CHECK(team->device, (*found)->type == &ww_type_uint32_t || (*found)->type == &ww_type_uint64_t, WW_TYPE,
             "options.%s is a column of %s, and ranks are u32 or u64", name, (*found)->type->label);
    return WW_OK;
}

static ww_status check(ww_team *team, const ww_team_options *options, bool ranks, bool methods, const ww_input *input,
                       const char *input_name, ww__renumbering *r) {
    ww_device *device = team->device;
    ww_team_options o;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__take_options(device, options, "WW_TEAM_OPTIONS", &o, sizeof o));
    WW_CHECK(device, o.method <= (methods ? WW_TEAM_PAPER : WW_TEAM_AUTO), WW_INVALID, "options.method is %u here",
             o.method);
    WW_CHECK(device, ranks || !o.rank, WW_INVALID, "options.rank is for ww_team_fork");
    WW_TRY(check_column(team, "older", o.older, &r->older));
    WW_TRY(check_column(team, "rank", o.rank, &r->rank));
    WW_CHECK(device, !o.older || o.older != o.rank, WW_INVALID, "options.older and options.rank are one column");
    WW_CHECK(device, !r->older || r->older->size == sizeof(uint64_t) || team->size <= (uint64_t)UINT32_MAX + 1, WW_TYPE,
             "options.older is a column of u32, and there are %llu threads", (unsigned long long)team->size);
    WW_CHECK(device, input->type, WW_INVALID, "%s is missing", input_name);
    WW_CHECK(device, input->count == team->size, WW_INVALID, "there are %llu threads, and %s has %llu elements",
             (unsigned long long)team->size, input_name, (unsigned long long)input->count);
    r->method = o.method;
    return WW_OK;
}

ww_status ww__team_check(ww_team *team, const char *call, const ww_team_options *options, bool ranks, bool methods,
                         const ww_input *input, const char *input_name, ww__renumbering *r) {
    *r = (ww__renumbering){.call = call};
    if (!team) return WW_INVALID;
    WW_TRY(ww__enter(team->device, call));
    return ww__leave(team->device, check(team, options, ranks, methods, input, input_name, r));
}

/* ---- by an index ---- */

ww_status ww__team_index(ww_team *team, const ww__renumbering *r, uint64_t count, uint64_t below, ww_array *index) {
    const bool narrow = r->older ? r->older->size == sizeof(uint32_t) : below <= (uint64_t)UINT32_MAX + 1;
    ww__kept *block = r->older ? &r->older->next : &team->index;
    const ww_type *const type = narrow ? &ww_type_uint32_t : &ww_type_uint64_t;
    WW_TRY(ww__kept_capacity(team->device, block, count, type->size, 0));
    *index = ww_array_of(block->data, count, type);
    return WW_OK;
}

ww_status ww__team_carry(ww_team *team, const ww__renumbering *r, const ww_array *index) {
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++) {
        const ww__team_column *column = &team->column[c];
        if (!ww__team_carries(r, column)) continue;
        WW_TRY(ww_gather(team->device, ww_from(ww__team_now(team, column)), ww_from(*index),
                         ww__team_next(column, index->count)));
        ww__team_count(team, 1, index->count);
    }
    return WW_OK;
}
