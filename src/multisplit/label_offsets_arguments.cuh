/* What label_offsets.cu takes. */
#ifndef WW_LABEL_OFFSETS_ARGUMENTS_CUH
#define WW_LABEL_OFFSETS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct label_offsets_arguments {
    WW_TO(ww_offset) offsets;
    WW_FROM(ww_label) labels;
    uint64_t buckets, count;
    ww_checking checking;
} label_offsets_arguments;

#endif
