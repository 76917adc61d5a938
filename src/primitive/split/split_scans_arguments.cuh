/* What split_scans.cu takes. */
#ifndef WW_SPLIT_SCANS_ARGUMENTS_CUH
#define WW_SPLIT_SCANS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct split_scans_fixed {
    WW_TO(uint8_t) first;
    WW_TO(uint8_t) second_reversed;
    WW_TO(ww_position) down;     /* in the end, where the element goes */
    WW_FROM(ww_position) behind; /* of the second side, behind an element; in reverse */
    uint64_t count;
} split_scans_fixed;

#endif
