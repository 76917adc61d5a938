/* Where sorted blocks have to be cut so that so many elements of all of them come first: exact ranks of the whole array. */
#ifndef WW__RANKS_H
#define WW__RANKS_H

#include "group/group.h"
#include "warpwise/input.h"

/* Sorts a few keys as the call sorts all, with positions (u32) as values. */
typedef struct ww__ranks_order ww__ranks_order;
struct ww__ranks_order {
    ww_status (*sort)(const ww__ranks_order *order, ww_device *device, ww_input keys, ww_input positions,
                      ww_array keys_out, ww_array positions_out);
    const ww_function *less; /* of what `sort` is */
    const ww_sort_options *options;
};

/* Room for ww__group_cut on keys of this type; to be taken before the ranks agree. */
ww_status ww__group_cut_rooms(ww_group *group, size_t first_place, const ww__ranks_order *order, size_t size);

/* cut[b], for b from 0 to `ranks`: how many of this rank's sorted keys are among the first before[b] of all ranks', equal ones in the
 * order of ranks. said[r].number[0] is how many rank r has. *from_known: come[r], how many of rank r's are between this rank's borders, is
 * there too. The status is agreed on. */
ww_status ww__group_cut(ww_group *group, size_t first_place, const ww__ranks_order *order, const ww_array *sorted,
                        const uint64_t *before, uint64_t *cut, uint64_t *come, bool *come_known);
enum { WW__CUT_PLACES = 4, WW__CUT_HOST_PLACES = 4 }; /* from the first place on; the host's from 0 on */

#endif
