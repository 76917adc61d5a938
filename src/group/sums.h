/* Sums of counts over all ranks: arrays of u32 or u64, as long on each. */
#ifndef WW__GROUP_SUMS_H
#define WW__GROUP_SUMS_H

#include "group/group.h"

/* Room for the others' counts, in a place of what is kept; to be taken before the ranks agree. */
ww_status ww__group_sum_room(ww_group *group, size_t place, const ww_array *own);

/* The sums of all ranks' `own`, the device's memory, in place of it. The status is agreed on. */
ww_status ww__group_sum(ww_group *group, size_t place, const ww_array *own);

/* to[i] += more[i] */
ww_status ww__group_add(ww_group *group, ww_array to, const ww_array *more);

#endif
