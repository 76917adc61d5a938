/* What the kernels that sort by segments takes. */
#ifndef WW_SEGMENTS_ARGUMENTS_CUH
#define WW_SEGMENTS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { CLASSES_MOST = 16 }; /* of any program's */

typedef struct segments_fixed {
    WW_FROM(ww_key) keys;
    WW_TO(ww_key) keys_out;
    WW_TO(ww_key) keys_scratch;
    WW_FROM(ww_value) values;
    WW_TO(ww_value) values_out;
    WW_TO(ww_value) values_scratch;
    uint64_t count, segments, first_value;
    uint64_t first[CLASSES_MOST + 1]; /* where each class's list begins in `lists`, and the last one ends */
    WW_TO(uint32_t) counts;           /* 0 before: of segments in each list */
    WW_TO(uint32_t) lists;            /* numbers of segments */
    WW_TO(uint64_t) listed;           /* and these of the long ones: device/kernel/listed.cuh */
    WW_TO(ww_listed) list;
    WW_TO(uint32_t) unlike; /* NULL; or of each that is listed, 0 before: whether its keys differ. Others are in order where they are */
    uint64_t list_room, tile_room;
    uint32_t low, bits;    /* what is sorted by */
    uint32_t length_class; /* whose list this launch sorts; WW_CLASSES: chunks of the long ones */
    uint32_t pass;         /* of merging: runs have WW_CHUNK << pass elements */
    uint32_t order, unused; /* of keys, as digits.cuh has it */
    ww_checking checking;
} segments_fixed;

#endif
