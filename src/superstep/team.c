/* A team, its columns and what it has cost. */
#include <string.h>

#include "superstep/team.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

static ww_status create(ww_device *device, uint64_t threads, ww_team **made) {
    ww_team *team;
    WW_CHECK(device, made, WW_INVALID, "team is NULL");
    *made = NULL;
    team = ww__allocate(device, sizeof *team, _Alignof(ww_team));
    if (!team) return ww__no_memory(device, sizeof *team);
    memset(team, 0, sizeof *team);
    team->device = device;
    team->size = threads;
    *made = team;
    return WW_OK;
}

ww_status ww_team_create(ww_device *device, uint64_t threads, ww_team **team) {
    WW_TRY(ww__enter(device, "ww_team_create"));
    return ww__leave(device, create(device, threads, team));
}

void ww_team_destroy(ww_team *team) {
    if (!team) return;
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++) {
        ww__kept_drop(team->device, &team->column[c].now);
        ww__kept_drop(team->device, &team->column[c].next);
    }
    ww__kept_drop(team->device, &team->offsets);
    ww__kept_drop(team->device, &team->index);
    ww__kept_drop(team->device, &team->keys);
    ww__kept_drop(team->device, &team->word);
    ww__release(team->device, team, sizeof *team);
}

ww_status ww_team_restart(ww_team *team, uint64_t threads) {
    if (!team) return WW_INVALID;
    WW_TRY(ww__team_rooms(team, threads));
    ww__team_commit(team, threads);
    return WW_OK;
}

uint64_t ww_team_size(const ww_team *team) { return team ? team->size : 0; }

ww_team_costs ww_team_cost(const ww_team *team) {
    const ww_team_costs none = {0, 0};
    return team ? team->cost : none;
}

/* ---- columns ---- */

ww__team_column *ww__team_column_of(const ww_team *team, ww_column column) {
    if (!team || !column || column > WW_TEAM_COLUMNS || !team->column[column - 1].type) return NULL;
    return (ww__team_column *)&team->column[column - 1];
}

ww_array ww_team_array(const ww_team *team, ww_column column) {
    const ww__team_column *c = ww__team_column_of(team, column);
    return c ? ww__team_now(team, c) : ww_none;
}

void *ww_team_data(const ww_team *team, ww_column column) { return ww_team_array(team, column).data; }

ww_status ww_team_add(ww_team *team, ww_input initial, ww_column *column) {
    static const char call[] = "ww_team_add";
    ww__team_column made = {.type = initial.type, .size = initial.size};
    ww_column at = 1;
    if (!team) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(team->device, call));
    if (!column) return ww__fail_call(team->device, call, WW_INVALID, "column is NULL");
    *column = 0;
    while (at <= WW_TEAM_COLUMNS && team->column[at - 1].type) at++;
    if (at > WW_TEAM_COLUMNS)
        return ww__fail_call(team->device, call, WW_LIMIT, "there are %d columns already", WW_TEAM_COLUMNS);
    if (initial.type && initial.count != team->size)
        return ww__fail_call(team->device, call, WW_INVALID, "there are %llu threads, and initial has %llu elements",
                             (ull)team->size, (ull)initial.count);
    /* An input that is none, or wrong in itself, is refused by ww_store. */
    if (initial.type && !initial.problem) WW_TRY(ww__kept_capacity(team->device, &made.now, team->size, made.size, 0));
    const ww_status status = ww_store(team->device, initial, ww__team_now(team, &made));
    if (status) {
        ww__kept_drop(team->device, &made.now);
        return status;
    }
    ww__team_count(team, 1, team->size);
    team->column[at - 1] = made;
    *column = at;
    return WW_OK;
}

ww_status ww_team_remove(ww_team *team, ww_column column) {
    ww__team_column *c = ww__team_column_of(team, column);
    if (!team) return WW_INVALID;
    if (!c) return ww__fail_call(team->device, "ww_team_remove", WW_INVALID, "the team has no column %u", column);
    ww__kept_drop(team->device, &c->now);
    ww__kept_drop(team->device, &c->next);
    memset(c, 0, sizeof *c);
    return WW_OK;
}
