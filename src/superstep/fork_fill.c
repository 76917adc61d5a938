/* The paper's fork_fill (its supplement's listing 1), itself a program of a team: a thread for each parent, that knows where
 * its children begin, how many of them still want their older rank, and its own number. In round i it gives 2^i of them
 * theirs, each by a thread of a nested spawn, and then those parents end that have none left. So there are log2 m rounds, m
 * being the most children of a parent, and the work of each is at most twice what it writes. */
#include "superstep/team.h"
#include "warpwise/primitive.h"

/* Arrays of older ranks are u32 or u64: one of the two pointers is NULL. */
WW_STRUCT(fork_round, {
    uint32_t *older_narrow;
    uint64_t *older_wide;
    uint64_t *begin;
    uint64_t *left;
    uint64_t *number;
    uint8_t *done;
    uint64_t each;
});

WW_KERNEL(fill_some, fork_round, a, rank, {
    const uint64_t parent = rank / a->each;
    const uint64_t child = rank % a->each;
    if (child < a->left[parent]) {
        const uint64_t at = a->begin[parent] + child;
        if (a->older_wide)
            a->older_wide[at] = a->number[parent];
        else
            a->older_narrow[at] = (uint32_t)a->number[parent];
    }
});

WW_KERNEL(go_on, fork_round, a, rank, {
    const uint64_t left = a->left[rank];
    a->done[rank] = left <= a->each;
    a->left[rank] = left <= a->each ? 0 : left - a->each;
    a->begin[rank] += a->each;
});

typedef struct fill_team {
    ww_team *team;
    ww_column begin, left, number, done;
} fill_team;

static ww_status begin(ww_team *team, const ww_input *counts, fill_team *f) {
    const uint64_t n = team->size;
    WW_TRY(ww_team_create(team->device, n, &f->team));
    WW_TRY(ww_team_add(f->team, ww_memory((const uint64_t *)team->offsets.data, n), &f->begin));
    WW_TRY(ww_team_add(f->team, ww__team_wide(counts), &f->left));
    WW_TRY(ww_team_add(f->team, ww_counting(&ww_type_uint64_t, 0, n), &f->number));
    return ww_team_add(f->team, ww_constant(ww_value(uint8_t, 0), n), &f->done);
}

static fork_round round_of(const fill_team *f, const ww_array *index, uint64_t each) {
    const bool wide = index->size == sizeof(uint64_t);
    fork_round a = {.begin = ww_team_data(f->team, f->begin),
                    .left = ww_team_data(f->team, f->left),
                    .number = ww_team_data(f->team, f->number),
                    .done = ww_team_data(f->team, f->done),
                    .each = each};
    if (wide)
        a.older_wide = index->data;
    else
        a.older_narrow = index->data;
    return a;
}

static ww_status rounds(fill_team *f, const ww_array *index) {
    for (uint64_t each = 1; ww_team_size(f->team); each *= 2) {
        const fork_round a = round_of(f, index, each);
        WW_TRY(ww__team_spawn(f->team, ww_with(fill_some, &a), ww_team_size(f->team) * each));
        WW_TRY(ww_team_step(f->team, ww_with(go_on, &a)));
        WW_TRY(ww_team_kill(f->team, ww_from(ww_team_array(f->team, f->done)), NULL));
    }
    return WW_OK;
}

ww_status ww__team_fork_fill(ww_team *team, const ww_input *counts, uint64_t total, const ww_array *index) {
    fill_team f = {NULL, 0, 0, 0, 0};
    ww_status status = begin(team, counts, &f);
    (void)total;
    if (!status) status = rounds(&f, index);
    const ww_team_costs cost = ww_team_cost(f.team);
    team->cost.supersteps += cost.supersteps;
    team->cost.work += cost.work;
    ww_team_destroy(f.team);
    return status;
}

WW_STRUCT(sibling_ranks, {
    const uint32_t *older_narrow;
    const uint64_t *older_wide;
    const uint64_t *begin;
    uint32_t *rank_narrow;
    uint64_t *rank_wide;
});

WW_KERNEL(rank_among_siblings, sibling_ranks, a, rank, {
    const uint64_t older = a->older_wide ? a->older_wide[rank] : a->older_narrow[rank];
    const uint64_t among = rank - a->begin[older];
    if (a->rank_wide)
        a->rank_wide[rank] = among;
    else
        a->rank_narrow[rank] = (uint32_t)among;
});

ww_status ww__team_sibling_ranks(ww_team *team, const ww_array *index, const ww_array *rank) {
    sibling_ranks a = {NULL, NULL, team->offsets.data, NULL, NULL};
    if (index->size == sizeof(uint64_t))
        a.older_wide = index->data;
    else
        a.older_narrow = index->data;
    if (rank->size == sizeof(uint64_t))
        a.rank_wide = rank->data;
    else
        a.rank_narrow = rank->data;
    return ww__team_spawn(team, ww_with(rank_among_siblings, &a), rank->count);
}
