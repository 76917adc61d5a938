/* The paper's sort_idx (its supplement's listing 2): runs of 1, 2, 4 … elements are merged two by two, all elements at once,
 * each of which finds its place in the other run by binary search. Of equal keys those of the first run come first, so that
 * the sort is stable. log2 n supersteps; every element that is looked at is counted, n log2(n)^2 / 2 in all. */
#include "superstep/team.h"
#include "warpwise/primitive.h"

WW_STRUCT(merge_runs, {
    const uint64_t *keys;
    const uint64_t *numbers;
    uint64_t *keys_out;
    uint64_t *numbers_out;
    uint64_t *looks;
    uint64_t n;
    uint64_t run;
});

WW_KERNEL(merge_by_search, merge_runs, a, rank, {
    const uint64_t key = a->keys[rank];
    const uint64_t mine = rank / a->run;
    const uint64_t begin = (mine ^ 1) * a->run;
    const uint64_t first = begin < a->n ? begin : a->n;
    uint64_t low = first;
    uint64_t high = a->n - first < a->run ? a->n : first + a->run;
    uint64_t looks = 1;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const uint64_t other = a->keys[middle];
        looks++;
        if (other < key || (other == key && mine % 2 == 1))
            low = middle + 1;
        else
            high = middle;
    }
    const uint64_t to = mine / 2 * 2 * a->run + rank % a->run + (low - first);
    a->keys_out[to] = key;
    a->numbers_out[to] = a->numbers[rank];
    a->looks[rank] += looks;
});

/* The sorting team: keys, numbers, both again, and how many keys each thread has looked at. */
typedef struct sort_team {
    ww_team *team;
    ww_column keys[2], numbers[2], looks;
} sort_team;

static ww_status begin(ww_team *team, const ww_input *keys, sort_team *s) {
    const uint64_t n = team->size;
    const ww_input numbers = ww_counting(&ww_type_uint64_t, 0, n), zeros = ww_constant(ww_value(uint64_t, 0), n);
    WW_TRY(ww_team_create(team->device, n, &s->team));
    WW_TRY(ww_team_add(s->team, ww__team_wide(keys), &s->keys[0]));
    WW_TRY(ww_team_add(s->team, numbers, &s->numbers[0]));
    WW_TRY(ww_team_add(s->team, zeros, &s->keys[1]));
    WW_TRY(ww_team_add(s->team, zeros, &s->numbers[1]));
    return ww_team_add(s->team, zeros, &s->looks);
}

static ww_status rounds(sort_team *s, size_t *last) {
    const uint64_t n = ww_team_size(s->team);
    *last = 0;
    for (uint64_t run = 1; run < n; run *= 2, *last ^= 1) {
        const merge_runs a = {.keys = ww_team_data(s->team, s->keys[*last]),
                              .numbers = ww_team_data(s->team, s->numbers[*last]),
                              .keys_out = ww_team_data(s->team, s->keys[*last ^ 1]),
                              .numbers_out = ww_team_data(s->team, s->numbers[*last ^ 1]),
                              .looks = ww_team_data(s->team, s->looks),
                              .n = n,
                              .run = run};
        WW_TRY(ww_team_step(s->team, ww_with(merge_by_search, &a)));
    }
    return WW_OK;
}

WW_MAP(narrow_number, uint32_t, uint64_t, x, void, none, { return (uint32_t)x; });

static ww_status finish(ww_team *team, const sort_team *s, size_t last, const ww_array *index) {
    const ww_input numbers = ww_from(ww_team_array(s->team, s->numbers[last]));
    const ww_team_costs cost = ww_team_cost(s->team);
    uint64_t looks = 0;
    WW_TRY(ww_store(team->device, index->size == sizeof(uint64_t) ? numbers : ww_mapped(&narrow_number_ww, numbers),
                    *index));
    WW_TRY(ww_reduce(team->device, &ww_add, ww_from(ww_team_array(s->team, s->looks)), ww_array(&looks, 1)));
    team->cost.supersteps += cost.supersteps + 1;
    team->cost.work += cost.work + looks;
    return WW_OK;
}

ww_status ww__team_sort_idx(ww_team *team, const ww_input *keys, const ww_array *index) {
    sort_team s = {.team = NULL};
    size_t last = 0;
    ww_status status = begin(team, keys, &s);
    if (!status) status = rounds(&s, &last);
    if (!status) status = finish(team, &s, last, index);
    ww_team_destroy(s.team);
    return status;
}
