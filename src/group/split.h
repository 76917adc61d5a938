/* A split of blocks that is under way, and its way for keys in few buckets between GPUs of one process. */
#ifndef WW__GROUP_SPLIT_H
#define WW__GROUP_SPLIT_H

#include "group/group.h"
#include "warpwise/multisplit.h"

/* Places of what is kept; the host's. */
enum {
    WW__SPLIT_OWN_KEYS,
    WW__SPLIT_OWN_VALUES,
    WW__SPLIT_OWN_OFFSETS,
    WW__SPLIT_COUNTS,
    WW__SPLIT_OTHERS,
    WW__SPLIT_COMING_KEYS,
    WW__SPLIT_COMING_VALUES
};
enum {
    WW__SPLIT_READ_COUNTS,
    WW__SPLIT_READ_OFFSETS,
    WW__SPLIT_ALL_COUNTS,
    WW__SPLIT_PIECES,
    WW__SPLIT_OUTPUTS
};

enum { WW__SPLIT_FEW = WW_ENGINE_GATHER_MOST / sizeof(uint64_t) }; /* buckets, whose counts go from all to all */

typedef struct ww__group_split {
    ww_group *group;
    const ww_function *bucket_of;
    uint64_t buckets;
    const uint64_t *ranges; /* the caller's, or NULL */
    ww_input in[2];         /* keys and values */
    ww_array out[2], offsets;
    uint64_t *first_bucket, *came;
    size_t sides; /* 1 without values */
    ww_array own[2], coming[2], own_offsets, counts;
    uint64_t *read_counts, *read_offsets; /* of all ranks; of the own block: buckets + 1 */
    uint64_t *all_counts;                 /* of few buckets: of rank r at r * buckets */
    bool direct;                          /* engines may write to the outputs */
} ww__group_split;

/* Whether all ranks store straight to all, from what they all know then: whether each could, and how many keys there are. `status` and what
 * has to be alike are agreed on; to[r]: where rank r's output begins. */
ww_status ww__split_stores(ww__group_split *s, ww_status status, const unsigned char *alike, bool *stores);

/* Counts the own block; then read_counts are all ranks', and said[r].number[0] is what rank r has room for. The status is agreed on. */
ww_status ww__split_stores_count(ww__group_split *s);

/* Splits and stores, when it is known whose buckets are whose (WW__CUT). A failure is the group's end, or this rank's, to be agreed on:
 * *own_failure. */
ww_status ww__split_store(ww__group_split *s, ww_status *own_failure);

#endif
