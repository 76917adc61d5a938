/* Calls of dictionaries in shards: keys go to the ranks whose shards they are for, something is done with them there, and what came of it
 * goes back to where each key stood. */
#ifndef WW__GROUP_KEYED_H
#define WW__GROUP_KEYED_H

#include "group/group.h"
#include "warpwise/input.h"

typedef struct ww__keyed ww__keyed;
struct ww__keyed {
    ww_group *group;
    const ww_type *key_type, *value_type; /* the dictionary's; value_type NULL: none */
    const ww_function *shard_of;          /* a WW_MAP of keys to ranks; or NULL: */
    ww_array bounds;                      /* where ranks but the first begin; strictly rising */
    /* This rank's own shard does its part. Keys and values are as they come from ranks 0, 1, …; statuses has a u8 for each key. */
    ww_status (*work)(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out, ww_array statuses);
    void *shard;
    const char *statuses_name;
    ww_input keys, values;       /* of this rank; values ww_no_input where none come along */
    bool brings_values;          /* values have to: alike on all ranks, as these two are */
    bool answers, takes_values;  /* statuses come back, and values */
    ww_array values_out;         /* or ww_none; those of keys whose status is not 0 are set */
    ww_array statuses;           /* or ww_none */
    bool goes_on_without_memory; /* MEMORY is the work's, and statuses say what was done */
};

/* From the top of a public call to its end, in which the ranks agree on the status. */
ww_status ww__group_keyed(ww__keyed *k, const char *call);

#endif
