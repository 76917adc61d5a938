/* What the files of this room share: a team's columns, and the primitives that it is made of, each counted. */
#ifndef WW__TEAM_H
#define WW__TEAM_H

#include "device/between.h"
#include "warpwise/superstep.h"

typedef struct ww__team_column {
    const ww_type *type; /* NULL: there is no such column */
    size_t size;
    ww__kept now, next; /* next: what a renumbering writes, before they change places */
} ww__team_column;

struct ww_team {
    ww_device *device;
    uint64_t size;
    ww__team_column column[WW_TEAM_COLUMNS];
    ww__kept offsets, index, keys, word; /* of renumberings; word: one u64 */
    ww_team_costs cost;
};

/* The column of that name; NULL where there is none. */
ww__team_column *ww__team_column_of(const ww_team *team, ww_column column);

/* The checks of a renumbering, inside a call: options, and the columns that they name. */
typedef struct ww__renumbering {
    const char *call;
    uint32_t method;
    ww__team_column *older, *rank; /* NULL: not wanted */
} ww__renumbering;
ww_status ww__team_check(ww_team *team, const char *call, const ww_team_options *options, bool ranks, bool methods,
                         const ww_input *input, const char *input_name, ww__renumbering *r);
/* Columns 0 … WW_TEAM_COLUMNS - 1 that carry their threads' values through a renumbering. */
static inline bool ww__team_carries(const ww__renumbering *r, const ww__team_column *c) {
    return c->type && c != r->older && c != r->rank;
}
static inline ww_array ww__team_now(const ww_team *team, const ww__team_column *c) {
    return (ww_array){c->now.data, team->size, c->type, c->size, NULL, 0};
}
static inline ww_array ww__team_next(const ww__team_column *c, uint64_t count) {
    return (ww_array){c->next.data, count, c->type, c->size, NULL, 0};
}
/* Room for `count` threads in what all columns become. */
ww_status ww__team_rooms(ww_team *team, uint64_t count);
/* Where a renumbering's index of `count` older ranks below `below` is written: into the column for them, if that is wanted. */
ww_status ww__team_index(ww_team *team, const ww__renumbering *r, uint64_t count, uint64_t below, ww_array *index);
/* Each column by an index of `count` older ranks; the team has as many threads then. */
ww_status ww__team_carry(ww_team *team, const ww__renumbering *r, const ww_array *index);
/* All columns have become what they are to be. */
void ww__team_commit(ww_team *team, uint64_t size);

/* Counts supersteps of so much work each. */
void ww__team_count(ww_team *team, uint64_t supersteps, uint64_t work_each);
/* A kernel for `count` ranks: 1 superstep. */
ww_status ww__team_spawn(ww_team *team, const ww_function *kernel, uint64_t count);
/* How many of the flags are not 0: 1 superstep. */
ww_status ww__team_flagged(ww_team *team, const ww_input *flags, uint64_t *many);
/* The ranks as an input of an array's type. */
ww_input ww__team_ranks(const ww_team *team, const ww_array *like);
/* The counts (u8 to u64) as u64. */
ww_input ww__team_wide(const ww_input *counts);

/* The paper's fork: older ranks of `total` children whose parents' offsets are team->offsets, into `index`. */
ww_status ww__team_fork_fill(ww_team *team, const ww_input *counts, uint64_t total, const ww_array *index);
/* Ranks among siblings by such an index, into `rank`. */
ww_status ww__team_sibling_ranks(ww_team *team, const ww_array *index, const ww_array *rank);
/* The paper's sort_idx: older ranks in the order of the keys, u8 to u64, into `index`. */
ww_status ww__team_sort_idx(ww_team *team, const ww_input *keys, const ww_array *index);

#endif
