/* Two ranks' sorted runs become one on each, merged while they come. */
#ifndef WW__FLOW_H
#define WW__FLOW_H

#include "group/group.h"

typedef struct ww__flow {
    ww_group *group; /* of two ranks, whose engine takes the device's memory */
    const ww_function *less;
    ww_array sorted[2], landing[2],
        out[2];           /* keys and values; `landing` has room for WW__FLOW_MORE elements more than come */
    size_t sides;         /* 1 without values */
    uint64_t own_at, own; /* what stays, in `sorted`; */
    uint64_t go_at, go;   /* what the other rank gets of it */
    uint64_t come_at, come; /* what this one gets, as it lies there */
} ww__flow;

enum { WW__FLOW_MORE = 16 };

/* Whether it is worth while for so many elements that go and come; `direct`: on both ranks outputs are the GPUs' own memory. */
bool ww__group_flows(const ww_group *group, bool direct, uint64_t moved, size_t size);

/* Room that is to be taken before the ranks agree. */
ww_status ww__group_flow_room(ww_group *group, size_t size);

/* A failure is the group's end, or this rank's, to be agreed on: *own_failure. */
ww_status ww__group_flow(const ww__flow *o, ww_status *own_failure);

#endif
