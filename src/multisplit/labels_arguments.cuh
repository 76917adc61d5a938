/* What labels.cu takes. */
#ifndef WW_LABELS_ARGUMENTS_CUH
#define WW_LABELS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct labels_fixed {
    WW_TO(ww_label) labels;
    uint64_t count;
} labels_fixed;

#endif
