/* What pattern.cu takes. */
#ifndef WW_PATTERN_ARGUMENTS_CUH
#define WW_PATTERN_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

enum { PART = 2048 };

typedef struct part_arguments {
    WW_TO(uint8_t) to;
    uint64_t many;
    uint8_t part[PART];
} part_arguments;

#endif
