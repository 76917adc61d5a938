/* What reduce_segments.cu takes. */
#ifndef WW_SEGMENTS_ARGUMENTS_CUH
#define WW_SEGMENTS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { WW_FETCHED = 128 };

typedef struct segments_fixed {
    WW_TO(ww_item) out;
    uint64_t count, segments, each;
    uint64_t short_most, whole_most; /* elements of a segment that a team folds where it is found, or a whole warp */
    WW_TO(uint64_t)
    listed; /* 0 before: the number of listed segments, that of their tiles above it; how many have several */
    WW_TO(uint64_t) taken; /* 0 before: of fold_all the listed tiles that blocks have taken, */
    WW_TO(uint32_t) here;  /* 0 before: and blocks that have listed their segments */
    WW_TO(uint64_t) clear; /* four numbers for the next call */
    WW_TO(ww_listed) list;
    WW_TO(uint64_t)
    several; /* segments of several tiles, as places in the list; of fold_all the tiles of each that are folded */
    uint64_t list_room, several_room, tile_room; /* enough unless offsets are bad */
    WW_TO(ww_item) level; /* results of tile_room tiles, and of levels above in a second such array */
    uint64_t stride,
        sampled;          /* where each block sees all segments: of so many it looks at every so many-th offset first */
    WW_FROM(void) memory; /* of the input there, which blocks ask for before they know their segments: */
    uint64_t lines, share; /* so many lines of WW_FETCHED bytes, each block its share */
    WW_TO(void) position;  /* instead of out, where positions are asked for */
    ww_checking checking;
} segments_fixed;

#endif
