/* Dictionaries in shards: each rank of a group has a part of the keys, and all ranks use all of them.
 *
 *     ww_group_slab *slab;
 *     ww_group_slab_open(group, &ww_type_uint32_t, &ww_type_uint64_t, 4000000, &slab, NULL);
 *     ww_group_slab_insert(slab, ww_memory(keys, n), ww_memory(values, n), ww_none);           n may differ from rank to rank
 *     ww_group_slab_search(slab, ww_memory(wanted, m), ww_array(found_values, m), ww_array(statuses, m));
 *     ww_group_slab_close(slab);
 *
 * A slab hash (slab.h) distributes its keys by a hash of their own, an ordered dictionary (lsm.h) by ranges. All ranks make the
 * same calls, as always in a group (group.h): each passes its own keys, which are sent to the ranks that have them, and gets
 * the results for these. A call is one batch, of rank 0's keys, then rank 1's, and so on: its effect is that of this batch on a
 * single dictionary.
 *
 *   costs      keys, and values, are split by ranks (ww_multisplit), go there, and answers come back: each element moves a few
 *              times more than in a dictionary of one device
 *   memory     for a call twice its keys and values, and positions of 4 bytes (8 from 2^32 on), kept by the group
 *   errors     as always in a group: all ranks return the error of one; an error found before anything was sent has changed
 *              nothing. If a shard fails in its part (MEMORY) all ranks return that, and other shards have done theirs */
#ifndef WARPWISE_GROUP_DICTIONARY_H
#define WARPWISE_GROUP_DICTIONARY_H

#include "group.h"
#include "lsm.h"
#include "slab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- in no order ---- */

typedef struct ww_group_slab ww_group_slab;

/* Opens an empty dictionary; all as ww_slab_open, of each shard, but that `expected` is the approximate number of pairs of all
 * shards together. *slab is NULL on failure. Close it before its group. */
WW_API ww_status ww_group_slab_open(ww_group *group, const ww_type *key_type, const ww_type *value_type,
                                    uint64_t expected, ww_group_slab **slab, const ww_slab_options *options);
WW_API void ww_group_slab_close(ww_group_slab *slab); /* NULL is fine; each rank for itself */

/* This rank's shard, for calls about it alone: ww_slab_info_get, ww_slab_pairs, ww_slab_flush. Pairs that are inserted into it
 * directly may never be found. */
WW_API ww_slab *ww_group_slab_own(const ww_group_slab *slab);

/* ww_slab_insert, ww_slab_replace, ww_slab_delete, ww_slab_search. After MEMORY statuses say what was done. Of one key's pairs
 * those of lower ranks are no older than others of the batch: within a call their order is not known. */
WW_API ww_status ww_group_slab_insert(ww_group_slab *slab, ww_input keys, ww_input values, ww_array statuses);
WW_API ww_status ww_group_slab_replace(ww_group_slab *slab, ww_input keys, ww_input values, ww_array statuses);
WW_API ww_status ww_group_slab_delete(ww_group_slab *slab, ww_input keys, ww_array statuses);
WW_API ww_status ww_group_slab_search(ww_group_slab *slab, ww_input keys, ww_array values, ww_array statuses);

/* ---- in order ---- */

typedef struct ww_group_lsm ww_group_lsm;

/* Opens an empty dictionary; all as ww_lsm_open, of each shard. Rank r's shard has the keys from bounds[r - 1] on, and below
 * bounds[r]:
 *   bounds     ranks - 1 keys, each above the one before (INVALID), the same on all ranks; copied; or ww_no_input: all that
 *              keys may be is cut evenly */
WW_API ww_status ww_group_lsm_open(ww_group *group, const ww_type *key_type, const ww_type *value_type, ww_input bounds,
                                   ww_group_lsm **lsm, const ww_lsm_options *options);
WW_API void ww_group_lsm_close(ww_group_lsm *lsm); /* NULL is fine; each rank for itself */
WW_API ww_lsm *ww_group_lsm_own(const ww_group_lsm *lsm);

/* ww_lsm_insert, ww_lsm_delete, ww_lsm_lookup. Of several insertions of a key in one call the last one counts: the highest
 * rank's. */
WW_API ww_status ww_group_lsm_insert(ww_group_lsm *lsm, ww_input keys, ww_input values);
WW_API ww_status ww_group_lsm_delete(ww_group_lsm *lsm, ww_input keys);
WW_API ww_status ww_group_lsm_lookup(ww_group_lsm *lsm, ww_input keys, ww_array values, ww_array found);

#ifdef __cplusplus
}
#endif
#endif
