/* fork: a scan of the counts says where each thread's children begin; the last one's end is how many there are. Then each
 * column is expanded, every child getting its parent's value, in one pass over the children. */
#include "superstep/team.h"
#include "warpwise/primitive.h"

/* Sums that stay at the largest number once they reach it. */
WW_COMBINE(add_to_the_top, uint64_t, a, b, WW_COMMUTES, WW_IDENTITY(0), {
    uint64_t sum = a + b;
    return sum < a ? (uint64_t)-1 : sum;
});

/* team->offsets: where each thread's children begin, and the total behind them. */
static ww_status scan(ww_team *team, const ww_input *counts, uint64_t *total) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    WW_TRY(ww__kept_capacity(team->device, &team->offsets, team->size + 1, sizeof(uint64_t), 0));
    uint64_t *const offsets = team->offsets.data;
    options.exclusive = true;
    options.total = ww_array(offsets + team->size, 1);
    WW_TRY(ww_scan(team->device, &add_to_the_top_ww, ww__team_wide(counts), ww_array(offsets, team->size), &options));
    ww__team_count(team, 1, team->size);
    return ww_copy(team->device, ww_memory(offsets + team->size, 1), ww_array(total, 1));
}

static ww_status expand(ww_team *team, const ww__renumbering *r, uint64_t total) {
    const ww_input offsets = ww_memory((const uint64_t *)team->offsets.data, team->size + 1);
    const uint64_t work = team->size + total;
    if (r->older || r->rank) {
        WW_TRY(ww_expand_offsets(team->device, ww_no_input, offsets, ww_none,
                                 r->older ? ww__team_next(r->older, total) : ww_none,
                                 r->rank ? ww__team_next(r->rank, total) : ww_none));
        ww__team_count(team, 1, work);
    }
    for (size_t c = 0; c < WW_TEAM_COLUMNS; c++) {
        const ww__team_column *column = &team->column[c];
        if (!ww__team_carries(r, column)) continue;
        WW_TRY(ww_expand_offsets(team->device, ww_from(ww__team_now(team, column)), offsets,
                                 ww__team_next(column, total), ww_none, ww_none));
        ww__team_count(team, 1, work);
    }
    return WW_OK;
}

static ww_status fill_and_carry(ww_team *team, const ww__renumbering *r, const ww_input *counts, uint64_t total) {
    ww_array index;
    WW_TRY(ww__team_index(team, r, total, team->size, &index));
    WW_TRY(ww__team_fork_fill(team, counts, total, &index));
    if (r->rank) {
        const ww_array rank = ww__team_next(r->rank, total);
        WW_TRY(ww__team_sibling_ranks(team, &index, &rank));
    }
    return ww__team_carry(team, r, &index);
}

ww_status ww_team_fork(ww_team *team, ww_input counts, const ww_team_options *options) {
    ww__renumbering r;
    uint64_t total = 0;
    WW_TRY(ww__team_check(team, "ww_team_fork", options, true, true, &counts, "counts", &r));
    if (counts.type->kind != WW_KIND_UNSIGNED || counts.size > sizeof(uint64_t))
        return ww__fail_call(team->device, r.call, WW_TYPE, "counts are %s, and have to be u8, u16, u32 or u64",
                             counts.type->label);
    if (!team->size) return WW_OK;
    WW_TRY(scan(team, &counts, &total));
    if (total == UINT64_MAX)
        return ww__fail_call(team->device, r.call, WW_LIMIT, "the counts of children sum to 2^64 - 1 or more");
    if (r.rank && r.rank->size == sizeof(uint32_t) && total > (uint64_t)UINT32_MAX + 1)
        return ww__fail_call(team->device, r.call, WW_TYPE,
                             "options.rank is a column of u32, and there are %llu children", (unsigned long long)total);
    WW_TRY(ww__team_rooms(team, total));
    if (total) WW_TRY((r.method == WW_TEAM_PAPER ? fill_and_carry(team, &r, &counts, total) : expand(team, &r, total)));
    ww__team_commit(team, total);
    return WW_OK;
}
